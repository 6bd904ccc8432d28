"""`bench serve` against scripted servers: what is timed, counted, and left out."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

import harness
from fake_openai import DONE, Answer, FakeServer, text, usage, whole_answer


def bench(url: str, tmp_path: Path, *args: object, status: int = 0) -> dict:
    """Runs `bench serve` with one-token synthetic prompts; the document that it wrote."""
    out = tmp_path / "bench.json"
    done = harness.run_switchyard(
        "bench", "serve", "--url", url, "--workload", "synthetic", "--json", out, *args
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "nan" not in done.stdout.lower()
    return json.loads(out.read_text())


def first_round(document: dict) -> dict:
    return document["targets"][0]["rounds"][0]


def bench_one(answer: Answer, tmp_path: Path, *args: object) -> dict:
    with FakeServer(lambda n, body: answer) as server:
        return first_round(bench(server.url, tmp_path, "--requests", 1, *args))


def stream_of(first_text_s: float, *, usage_last: bool = True, empties: bool = False) -> Answer:
    """A role event at once, text at `first_text_s`, then 4 tokens per event every 100 ms."""
    events: list[tuple[float, object]] = [(0, text(None, role="assistant"))]
    events.append((first_text_s, text("one ")))
    for _ in range(4):
        if empties:
            events.append((0.05, text("")))
        events.append((0.05 if empties else 0.1, text("four tokens at once ")))
    events.append((0, text(None, "stop")))
    if usage_last:
        events.append((0, usage(9, 17)))
    return Answer([*events, (0, DONE)])


def test_ttft_is_the_first_text_not_the_role_event(tmp_path: Path) -> None:
    result = bench_one(stream_of(0.5), tmp_path)
    assert 499 <= result["ttft_ms"]["mean"] < 900
    assert result["itl_ms"]["count"] == 4
    assert 95 <= result["itl_ms"]["p50"] < 300


def test_output_tokens_come_from_usage_not_from_events(tmp_path: Path) -> None:
    result = bench_one(stream_of(0.0), tmp_path)
    assert result["output_tokens"] == 17
    assert result["prompt_tokens"] == 9
    assert result["estimated_requests"] == 0
    assert 20 <= result["tpot_ms"]["mean"] < 60  # 400 ms for the 16 tokens after the first


def test_without_usage_tokens_are_estimated_from_text_and_flagged(tmp_path: Path) -> None:
    result = bench_one(stream_of(0.0, usage_last=False), tmp_path)
    characters = len("one ") + 4 * len("four tokens at once ")
    assert result["output_tokens"] == characters // 4
    assert result["estimated_requests"] == 1


def test_empty_deltas_are_no_tokens_and_no_gaps(tmp_path: Path) -> None:
    result = bench_one(stream_of(0.3, empties=True), tmp_path)
    assert result["ttft_ms"]["mean"] >= 299
    assert result["itl_ms"]["count"] == 4


def test_one_token_has_no_tpot_and_no_gap(tmp_path: Path) -> None:
    answer = Answer([(0.1, text("x", "length")), (0, usage(3, 1)), (0, DONE)])
    result = bench_one(answer, tmp_path)
    assert result["tpot_ms"] is None
    assert result["itl_ms"] is None
    assert result["ttft_ms"]["count"] == 1


def test_a_stream_without_done_is_whole_if_its_finish_reason_came(tmp_path: Path) -> None:
    answer = Answer([(0, text("x", "stop")), (0, usage(3, 1))])
    assert bench_one(answer, tmp_path)["completed"] == 1


def test_latency_counts_from_the_planned_arrival(tmp_path: Path) -> None:
    """400 ms of service, one at a time, arrivals every 200 ms: request i ends at 0.4 (i + 1)."""
    with FakeServer(lambda n, body: whole_answer(1, 0.4)) as server:
        document = bench(
            server.url, tmp_path, "--requests", 10,
            "--arrival", "constant", "--rate", 5, "--concurrency", 1,
        )  # fmt: skip
    result = first_round(document)
    assert 1300 <= result["e2e_ms"]["mean"] < 1600
    assert 2200 <= result["e2e_ms"]["max"] < 2700
    assert 1800 <= result["dispatch_lag_ms"]["max"] < 2300
    assert 2200 <= result["ttft_ms"]["max"] < 2700


def hostile(n: int, body: dict) -> Answer:
    number = n + 1
    if number == 13:
        return Answer([(0, text("never"))], end="hang")
    if number % 11 == 0:
        return Answer(status=429)
    if number % 7 == 0:
        return Answer([(0, text("half an"))], end="cut")
    if number % 5 == 0:
        return Answer([(0, text("x")), (0, {"error": {"message": "broke\x1b[31m"}})])
    return whole_answer(3, 0.01)


def test_failures_are_counted_by_kind_outside_the_figures(tmp_path: Path) -> None:
    with FakeServer(hostile) as server:
        document = bench(
            server.url, tmp_path, "--requests", 22, "--concurrency", 1, "--timeout", 1.5
        )
        received = len(server.bodies)
    result = first_round(document)
    counts = {kind: entry["count"] for kind, entry in result["failures"].items()}
    assert counts == {"http_429": 2, "cut": 3, "error_event": 4, "timeout": 1}
    assert result["failures"]["error_event"]["first_detail"] == "broke [31m"
    assert result["completed"] == 12
    assert result["failed"] == 10
    assert received == 22, "nothing is sent twice"
    assert result["e2e_ms"]["count"] == 12
    assert result["e2e_ms"]["max"] < 1500, "the one that timed out is not among the latencies"
    assert result["output_tokens"] == 36


@pytest.mark.parametrize("status", [400, 429, 500, 503])
def test_all_requests_fail(tmp_path: Path, status: int) -> None:
    with FakeServer(lambda n, body: Answer(status=status)) as server:
        document = bench(server.url, tmp_path, "--requests", 4, "--slo-ttft-ms", 100, status=1)
    result = first_round(document)
    kind = "http_429" if status == 429 else f"http_{status // 100}xx"
    assert result["failures"][kind]["count"] == 4
    assert result["e2e_ms"] is None
    assert result["output_tokens_per_second"] == 0
    assert result["goodput_fraction"] == 0


def test_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as held:  # bound but not listening: connections are refused
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        result = first_round(bench(url, tmp_path, "--requests", 3, status=1))
    assert result["failures"]["connect"]["count"] == 3


def test_an_answer_that_is_no_stream_is_a_bad_response(tmp_path: Path) -> None:
    with FakeServer(lambda n, body: Answer([(0, "{not json")])) as server:
        result = first_round(bench(server.url, tmp_path, "--requests", 1, status=1))
    assert result["failures"]["bad_response"]["count"] == 1


def test_an_interrupt_ends_with_what_there_is(tmp_path: Path) -> None:
    out = tmp_path / "partial.json"
    with FakeServer(lambda n, body: whole_answer(2, 0.1 if n < 5 else 60)) as server:
        process = subprocess.Popen(
            [str(harness.BINARY), "bench", "serve", "--url", server.url, "--workload", "synthetic",
             "--requests", "20", "--concurrency", "2", "--json", str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        try:
            deadline = time.monotonic() + 30
            while len(server.bodies) < 7 and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 1, stderr
    assert "PARTIAL" in stdout
    document = json.loads(out.read_text())
    result = first_round(document)
    assert document["partial"] and result["partial"]
    assert result["completed"] == 5
    assert result["interrupted"] == 2
    assert result["failed"] == 0, "an interrupt is not the server's fault"
    assert result["not_sent"] == 13
    assert result["e2e_ms"]["count"] == 5


def test_goodput_counts_requests_within_the_slo(tmp_path: Path) -> None:
    with FakeServer(lambda n, body: whole_answer(2, 0.0 if n % 2 else 0.8)) as server:
        document = bench(
            server.url, tmp_path, "--requests", 6, "--concurrency", 1, "--slo-ttft-ms", 400
        )
    assert first_round(document)["goodput_fraction"] == 0.5


def test_forced_lengths_and_greedy_decoding_are_asked_for(tmp_path: Path) -> None:
    with FakeServer(lambda n, body: whole_answer(5)) as server:
        bench(server.url, tmp_path, "--requests", 1, "--output-tokens", 5)
        body = server.bodies[0]
    assert body["model"] == "fake"
    assert body["max_tokens"] == 5
    assert body["ignore_eos"] is True
    assert body["temperature"] == 0
    assert body["stream_options"] == {"include_usage": True}


def test_synthetic_prompts_are_fitted_to_the_servers_tokenizer(tmp_path: Path) -> None:
    with FakeServer(lambda n, body: whole_answer(5)) as server:
        document = bench(server.url, tmp_path, "--requests", 1, "--input-tokens", 110)
        words = len(server.bodies[0]["messages"][0]["content"].split())
    assert words == 50  # the fake server makes 10 + 2 × words tokens
    assert any("approximate" in note for note in document["workload"]["notes"])


def test_compare_alternates_the_targets_and_prints_the_ratio(tmp_path: Path) -> None:
    with (
        FakeServer(lambda n, body: whole_answer(4, 0.3)) as slow,
        FakeServer(lambda n, body: whole_answer(4, 0.1)) as fast,
    ):
        document = bench(
            slow.url, tmp_path, "--compare", fast.url, "--requests", 2, "--rounds", 3,
            "--concurrency", 1,
        )  # fmt: skip
        order = sorted([(t, "a") for t in slow.arrivals] + [(t, "b") for t in fast.arrivals])
    assert "".join(name for _, name in order) == "aabbbbaaaabb"
    latency = document["compare"]["e2e_mean_ms"]
    assert len(latency["rounds"]) == 3
    assert latency["min"] <= latency["median"] <= latency["max"]
    assert 1.5 < latency["median"] < 4
    assert document["compare"]["output_tokens_per_second"]["median"] < 0.7


def test_poisson_arrivals_do_not_wait_for_answers(tmp_path: Path) -> None:
    with FakeServer(lambda n, body: whole_answer(1, 1.0)) as server:
        document = bench(
            server.url, tmp_path, "--requests", 20, "--arrival", "poisson", "--rate", 200
        )
        spread = server.arrivals[-1] - server.arrivals[0]
    assert spread < 0.9, "all twenty were sent before the first was answered"
    assert first_round(document)["completed"] == 20


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--url", "https://127.0.0.1"], "https is not supported"),
        (["--url", "127.0.0.1:80"], "http://"),
        (["--arrival", "nonsense"], "poisson"),
        (["--input-tokens", "5:2"], "--input-tokens"),
        (["--arrival", "trace"], "--workload trace"),
        (["--rate", "nan"], "rate"),
        (["--rate", "0"], "rate: expected a number from"),
    ],
)
def test_bad_usage_is_one_clear_line(args: list[str], message: str) -> None:
    done = harness.run_switchyard("bench", "serve", "--workload", "synthetic", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
