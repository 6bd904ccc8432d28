"""`bench serve` reading conversations and traces: whole, odd and broken ones."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

import harness
from fake_openai import FakeServer, whole_answer

HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
SHAREGPT = harness.ROOT / ".deps/data/ShareGPT_V3_unfiltered_cleaned_split.json"


def run(url: str, *args: object, **kwargs) -> subprocess.CompletedProcess[str]:
    return harness.run_switchyard("bench", "serve", "--url", url, *args, **kwargs)


def bench(tmp_path: Path, *args: object) -> tuple[dict, FakeServer]:
    """A run that must succeed against a server that answers at once; its document."""
    out = tmp_path / "bench.json"
    with FakeServer(lambda n, body: whole_answer(body["max_tokens"])) as server:
        done = run(server.url, "--json", out, *args)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(out.read_text()), server


def replay(tmp_path: Path, trace: Path, *args: object) -> dict:
    return bench(tmp_path, "--workload", "trace", "--data", trace, "--speed", 1000, *args)[0]


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def refused(*args: object, status: int) -> str:
    """stderr of a command that must end at once with one line."""
    done = run("http://127.0.0.1:9", *args, timeout=20)
    assert done.returncode == status, done.stdout + done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def conversations(*talks: list[tuple[str, str]]) -> str:
    return json.dumps(
        [
            {"id": str(i), "conversations": [{"from": who, "value": what} for who, what in talk]}
            for i, talk in enumerate(talks)
        ]
    )


def test_each_turn_follows_the_answer_before_it_with_the_recorded_history(tmp_path: Path) -> None:
    talk = [("human", "q1"), ("gpt", "a" * 40), ("human", "q2"), ("gpt", "b" * 4000)]
    data = write(tmp_path, "talk.json", conversations(talk))
    with FakeServer(lambda n, body: whole_answer(body["max_tokens"], 0.2)) as server:
        done = run(server.url, "--data", data)
    assert done.returncode == 0, done.stderr
    first, second = server.bodies
    assert first["messages"] == [{"role": "user", "content": "q1"}]
    assert second["messages"] == [
        {"role": "user", "content": "q1"},
        {"role": "assistant", "content": "a" * 40},
        {"role": "user", "content": "q2"},
    ]
    assert (first["max_tokens"], second["max_tokens"]) == (10, 96)
    assert server.arrivals[1] - server.arrivals[0] >= 0.2


def test_a_cut_conversation_file_is_used_up_to_the_cut(data_dir: Path, tmp_path: Path) -> None:
    data = data_dir / "odd/sharegpt_odd_truncated.json"
    document, _ = bench(tmp_path, "--workload", "sharegpt", "--data", data)
    notes = " | ".join(document["workload"]["notes"])
    assert f"cut at byte {data.stat().st_size}" in notes
    assert "9 whole records" in notes
    assert "1 messages of unknown roles skipped" in notes
    assert "1 conversations are empty" in notes
    assert document["workload"]["sessions"] == 6


def test_the_real_conversation_file_is_read_in_flat_memory(tmp_path: Path) -> None:
    if not SHAREGPT.is_file():
        pytest.skip(f"no {SHAREGPT.name}: the real cut file is not read")
    out = tmp_path / "bench.json"
    with FakeServer(lambda n, body: whole_answer(body["max_tokens"])) as server:
        process = subprocess.Popen(
            [str(harness.BINARY), "bench", "serve", "--url", server.url,
             "--data", str(SHAREGPT), "--json", str(out)],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        peak_kb = peak_memory_kb(process)
    assert process.returncode == 0
    document = json.loads(out.read_text())
    notes = " | ".join(document["workload"]["notes"])
    assert f"cut at byte {SHAREGPT.stat().st_size}" in notes
    assert "17671 whole records" in notes
    assert document["workload"]["sessions"] == 24
    assert len(server.bodies) == document["workload"]["requests"]
    if not os.environ.get("SWITCHYARD_SANITIZED"):
        assert 0 < peak_kb < 100 * 1024, "the file has 125 MB"


def peak_memory_kb(process: subprocess.Popen) -> int:
    """Waits for the process; its peak resident memory. (ru_maxrss would begin with the size of the
    interpreter that forked it.)"""
    peak = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            continue
        peak = max(peak, *(int(x.split()[1]) for x in status.splitlines() if "VmHWM" in x), 0)
        time.sleep(0.002)
    return peak


@pytest.mark.parametrize(
    ("name", "requests", "notes"),
    [
        ("odd_bom_crlf.csv", 12, []),
        ("odd_lf_nofinalnl.csv", 12, []),
        ("odd_bad_rows.csv", 5, ["6 bad rows skipped (lines 5, 7, 8, 9, 10, …)", "sorted"]),
        ("odd_mooncake_odd.jsonl", 2, ["3 bad rows", "1 rows without", "milliseconds"]),
        ("burstgpt_6col.csv", None, ["rows without input or output tokens"]),
        ("burstgpt_8col.csv", None, ["rows without input or output tokens"]),
    ],
)
def test_odd_traces_are_used_as_far_as_they_go(
    data_dir: Path, tmp_path: Path, name: str, requests: int | None, notes: list[str]
) -> None:
    limits = ["--max-input-tokens", 50, "--max-output-tokens", 5]
    document = replay(tmp_path, data_dir / "odd" / name, *limits)
    said = " | ".join(document["workload"]["notes"])
    for note in notes:
        assert note in said
    if requests is not None:
        assert document["workload"]["requests"] == requests
    assert document["targets"][0]["rounds"][0]["failed"] == 0


@pytest.mark.parametrize("name", ["traces/azure_2023_conv.csv", "traces/mooncake_conversation.jsonl"])
def test_real_traces_are_replayed(data_dir: Path, tmp_path: Path, name: str) -> None:
    document = replay(tmp_path, data_dir / name, "--requests", 50, "--max-input-tokens", 200)
    assert document["targets"][0]["rounds"][0]["completed"] == 50


def test_a_trace_keeps_its_times_and_lengths(tmp_path: Path) -> None:
    trace = write(tmp_path, "t.csv", HEADER + "10,50,7\n12,50,8\n11,50,9\n")
    document, server = bench(
        tmp_path, "--workload", "trace", "--data", trace, "--speed", 4
    )
    assert [body["max_tokens"] for body in server.bodies] == [7, 9, 8]
    gaps = [b - a for a, b in zip(server.arrivals, server.arrivals[1:])]
    assert all(0.15 < gap < 0.5 for gap in gaps), gaps
    assert "sorted" in " | ".join(document["workload"]["notes"])


def test_a_speed_of_a_billion_sends_all_at_once(tmp_path: Path) -> None:
    trace = write(tmp_path, "t.csv", HEADER + "".join(f"{i * 1000},9,2\n" for i in range(20)))
    document, _ = bench(tmp_path, "--workload", "trace", "--data", trace, "--speed", "1e9")
    assert document["targets"][0]["rounds"][0]["completed"] == 20


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "fast"])
def test_a_speed_that_is_no_positive_number_is_refused(tmp_path: Path, speed: str) -> None:
    trace = write(tmp_path, "t.csv", HEADER + "1,2,3\n")
    said = refused("--workload", "trace", "--data", trace, f"--speed={speed}", status=2)
    assert "speed" in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (HEADER, "has no rows"),
        ("ContextTokens,GeneratedTokens\n1,2\n", "no column for a timestamp"),
        ('{"input_length": 5, "output_length": 5}\n', "no line has a timestamp"),
        (HEADER + "never,2,3\n", "no usable row"),
    ],
)
def test_a_trace_without_requests_is_refused(tmp_path: Path, text: str, message: str) -> None:
    trace = write(tmp_path, "t", text)
    assert message in refused("--workload", "trace", "--data", trace, status=1)


@pytest.mark.parametrize("workload", ["trace", "sharegpt", "sharegpt-turns"])
def test_a_folder_a_fifo_and_a_missing_file_are_refused(tmp_path: Path, workload: str) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert "is a directory" in refused("--workload", workload, "--data", tmp_path, status=1)
    assert "not a regular file" in refused("--workload", workload, "--data", fifo, status=1)
    missing = tmp_path / "missing"
    assert "No such file" in refused("--workload", workload, "--data", missing, status=1)
