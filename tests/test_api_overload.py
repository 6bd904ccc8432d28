"""Cases S7, S8 and S9 as clients see them: overload, shutdown, and metrics that add up."""

from __future__ import annotations

import json
import math
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import requests

from api_helpers import (
    CHAT,
    COMPLETIONS,
    assert_refused,
    assert_serves,
    chat,
    connect,
    post,
    raw_post,
    receive_all,
    receive_until,
    user,
)

# One sequence at a time, 5 ms a token.
ONE_SLOT = ("--engine", "sim:default,speed=0.04", "--max-num-seqs", 1)
SLOW = {"messages": user("hi"), "max_tokens": 200, "ignore_eos": True}


def total(metrics: dict[str, float], name: str) -> float:
    return sum(v for key, v in metrics.items() if key.split("{")[0] == name)


def assert_adds_up(server) -> None:
    """received = ended (done, cancelled, failed) + rejected, once nothing is in flight."""
    deadline = time.monotonic() + 10
    while True:
        metrics = server.metrics()
        received = total(metrics, "switchyard_requests_received_total")
        ended = total(metrics, "vllm:request_success_total")
        rejected = total(metrics, "switchyard_requests_rejected_total")
        if received == ended + rejected:
            return
        assert time.monotonic() < deadline, (received, ended, rejected)
        time.sleep(0.02)


def test_beyond_the_queue_limit_requests_are_429_and_later_ones_served(start_server):
    server = start_server(*ONE_SLOT, "--queue-limit", 4)
    for _ in range(3):
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: chat(server, {**SLOW, "max_tokens": 60}), range(20)))
        refused = [a for a in answers if a.status_code != 200]
        assert 1 <= len(refused) <= 16
        for answer in refused:
            assert assert_refused(answer, status=429)["code"] == "queue_full"
            assert answer.headers["retry-after"].isdigit() and int(answer.headers["retry-after"]) >= 1
        assert_serves(server)
    assert_adds_up(server)


def test_of_several_prompts_all_are_admitted_or_none(start_server):
    server = start_server(*ONE_SLOT, "--queue-limit", 4)
    body = {"max_tokens": 4, "ignore_eos": True}
    too_many = {**body, "prompt": ["a"] * 6}
    assert assert_refused(post(server, COMPLETIONS, too_many), status=429)["code"] == "queue_full"
    one_too_long = {**body, "prompt": ["a", "b", "x" * 4096]}
    assert assert_refused(post(server, COMPLETIONS, one_too_long))["code"] == "context_length_exceeded"
    assert assert_refused(chat(server, {**body, "n": 6}), status=429)["code"] == "queue_full"
    assert total(server.metrics(), "switchyard_requests_received_total") == 10
    assert total(server.metrics(), "switchyard_requests_rejected_total") == 10
    assert total(server.metrics(), "vllm:generation_tokens_total") == 0
    answer = post(server, COMPLETIONS, {**body, "prompt": ["a"] * 5})
    assert answer.status_code == 200 and answer.json()["usage"]["completion_tokens"] == 20
    assert_adds_up(server)


def test_a_request_that_waits_too_long_is_429(start_server):
    server = start_server(*ONE_SLOT, "--queue-timeout", 0.2)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: chat(server, SLOW), range(2)))
    assert sorted(a.status_code for a in answers) == [200, 429]
    late = next(a for a in answers if a.status_code == 429)
    assert assert_refused(late, status=429)["code"] == "queue_timeout"
    assert int(late.headers["retry-after"]) >= 1
    assert_serves(server)
    assert_adds_up(server)


def test_metrics_are_numbers_before_and_after_every_kind_of_end(start_server):
    server = start_server(*ONE_SLOT)

    def check() -> None:
        assert not any(math.isnan(value) for value in server.metrics().values())
        assert_adds_up(server)

    check()
    assert_refused(chat(server, {"n": 0}))
    check()
    assert_refused(chat(server, {"messages": user("x" * 10_000)}))
    check()
    with connect(server) as sock:
        sock.sendall(raw_post(CHAT, json.dumps({**SLOW, "stream": True}).encode()))
        receive_until(sock, b"data: ")
    check()
    assert_serves(server)
    check()


def open_streams(server, count: int) -> list:
    sockets = []
    for _ in range(count):
        sock = connect(server)
        body = {"messages": user("hi"), "max_tokens": 300, "ignore_eos": True, "stream": True}
        sock.sendall(raw_post(CHAT, json.dumps(body).encode()))
        receive_until(sock, b"data: ")
        sockets.append(sock)
    return sockets


def test_sigterm_lets_streams_finish_and_refuses_new_requests(start_server):
    server = start_server("--engine", "sim:default,speed=0.05")
    sockets = open_streams(server, 8)
    server.terminate()
    deadline = time.monotonic() + 5
    while (answer := chat(server, {})).status_code == 200:
        assert time.monotonic() < deadline
    assert_refused(answer, status=503)
    assert int(answer.headers["retry-after"]) >= 1
    health = requests.get(server.url + "/health", timeout=5)
    assert health.status_code == 503
    for sock in sockets:
        assert b"data: [DONE]" in receive_all(sock)
        sock.close()
    assert server.wait() == 0


def test_streams_that_outlive_the_grace_time_end_in_an_error_event(start_server):
    server = start_server("--engine", "sim:default,speed=0.001", "--grace-period", 0.5)
    (sock,) = open_streams(server, 1)
    server.terminate()
    rest = receive_all(sock)
    sock.close()
    assert b"[DONE]" not in rest
    assert b'"code":"shutting_down"' in rest
    assert server.wait() == 0


def test_a_second_signal_ends_at_once(start_server):
    server = start_server("--engine", "sim:default,speed=0.001")
    (sock,) = open_streams(server, 1)
    server.terminate()
    time.sleep(0.3)
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.wait()
    assert time.monotonic() - began < 5
    sock.close()
