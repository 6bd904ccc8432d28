"""Case A2 and the shape of streams: usage events, logprobs, and clients that leave (S1)."""

from __future__ import annotations

import json
import socket
import struct
import time

import pytest

from api_helpers import (
    CHAT,
    COMPLETIONS,
    GREEDY,
    assert_serves,
    chat,
    connect,
    post,
    raw_post,
    receive_until,
    stream,
    streamed_text,
    user,
)

VARIANTS = [{}, {"n": 2}, {"stop": ["e"]}, {"max_tokens": 1}]
LONG = {"messages": user("hi"), "max_tokens": 4000, "ignore_eos": True}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [None, {}, {"include_usage": False}])
def test_no_usage_event_unless_asked_for(sim_server, variant, options):
    body = {"messages": user("hi"), "max_tokens": 30, **GREEDY, **variant}
    events = stream(sim_server, CHAT, body if options is None else {**body, "stream_options": options})
    assert all(event["choices"] and "usage" not in event for event in events)


@pytest.mark.parametrize("path", [CHAT, COMPLETIONS])
@pytest.mark.parametrize("variant", VARIANTS)
def test_one_usage_event_with_the_numbers_of_the_whole_answer(sim_server, path, variant):
    prompt = {"messages": user("hi")} if path == CHAT else {"prompt": "hi"}
    body = {**prompt, "max_tokens": 30, **GREEDY, **variant}
    whole = post(sim_server, path, body).json()["usage"]
    events = stream(sim_server, path, {**body, "stream_options": {"include_usage": True}})
    assert events[-1]["choices"] == []
    assert all(event["usage"] is None for event in events[:-1])
    for key in ("prompt_tokens", "completion_tokens", "total_tokens"):
        assert events[-1]["usage"][key] == whole[key]


def test_the_official_client_streams_and_does_not(sim_server):
    client = sim_server.openai()
    model = client.models.list().data[0].id
    arguments = {"model": model, "messages": user("hi"), "max_tokens": 20, "temperature": 0}
    whole = client.chat.completions.create(**arguments)
    chunks = list(client.chat.completions.create(**arguments, stream=True))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(c.choices[0].delta.content or "" for c in chunks) == whole.choices[0].message.content
    assert whole.model == model and whole.id.startswith("chatcmpl-")
    assert client.models.retrieve(model).id == model
    text = client.completions.create(model=model, prompt=["a", "b"], n=2, max_tokens=3)
    assert [c.index for c in text.choices] == [0, 1, 2, 3]


def test_chat_logprobs_rebuild_the_text_from_their_bytes(sim_server):
    body = {"messages": user("unicode"), "max_tokens": 40, "ignore_eos": True, "logprobs": True,
            "top_logprobs": 3, **GREEDY}
    whole = chat(sim_server, body).json()["choices"][0]
    content = whole["logprobs"]["content"]
    assert len(content) == 40
    joined = b"".join(bytes(t["bytes"]) for t in content)
    assert joined.decode("utf-8", "ignore") == whole["message"]["content"].rstrip("\ufffd")
    assert all(len(t["top_logprobs"]) == 3 and t["logprob"] <= 0 for t in content)
    streamed = [t for e in stream(sim_server, CHAT, body) for c in e["choices"]
                for t in (c["logprobs"] or {}).get("content", [])]
    assert streamed == content


def test_completion_logprobs_have_one_entry_per_token(sim_server):
    body = {"prompt": "hi", "max_tokens": 8, "ignore_eos": True, "logprobs": 2, **GREEDY}
    choice = post(sim_server, COMPLETIONS, body).json()["choices"][0]
    logprobs = choice["logprobs"]
    assert "".join(logprobs["tokens"]) == choice["text"]
    assert logprobs["text_offset"] == list(range(8))
    assert [len(logprobs[k]) for k in ("token_logprobs", "top_logprobs")] == [8, 8]


def test_headers_and_a_comment_come_before_the_first_token(sim_server):
    with connect(sim_server) as sock:
        sock.sendall(raw_post(CHAT, json.dumps({**LONG, "stream": True}).encode()))
        start = receive_until(sock, b": ok\n\n")
        assert start.startswith(b"HTTP/1.1 200 OK\r\n") and b"data:" not in start.split(b": ok")[0]


def running(server) -> float:
    names = ("vllm:num_requests_running", "vllm:num_requests_waiting")
    return sum(value for key, value in server.metrics().items() if key.startswith(names))


def wait_idle(server) -> None:
    deadline = time.monotonic() + 10
    while running(server) > 0:
        assert time.monotonic() < deadline, "a stream of a client that left is still held"
        time.sleep(0.01)


def reset(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


@pytest.mark.parametrize("leave", ["reset", "close", "half_close"])
@pytest.mark.parametrize("after", [b"HTTP/1.1 200", b"data: "])
def test_a_client_that_leaves_its_stream_frees_it(start_server, leave, after):
    slow = start_server("--engine", "sim:default,speed=0.05")  # 4,000 tokens take 16 s
    sock = connect(slow)
    sock.sendall(raw_post(CHAT, json.dumps({**LONG, "stream": True}).encode()))
    receive_until(sock, after)
    if leave == "reset":
        reset(sock)
    elif leave == "close":
        sock.close()
    else:
        sock.shutdown(socket.SHUT_WR)
    wait_idle(slow)
    assert_serves(slow)


def test_a_reset_cancels_an_answer_that_is_not_streamed(start_server):
    slow = start_server("--engine", "sim:default,speed=0.05")
    sock = connect(slow)
    sock.sendall(raw_post(CHAT, json.dumps(LONG).encode()))
    while running(slow) == 0:
        time.sleep(0.01)
    reset(sock)
    wait_idle(slow)
    assert_serves(slow)


def test_streamed_and_whole_answers_agree_through_a_slow_reader(sim_server):
    body = {**LONG, **GREEDY}
    whole = chat(sim_server, body).json()["choices"][0]["message"]["content"]
    with connect(sim_server) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.sendall(raw_post(CHAT, json.dumps({**body, "stream": True}).encode(), "Connection: close"))
        time.sleep(1.5)
        received = receive_until(sock, b"[DONE]")
    # Chunk sizes stand on lines of their own, between events.
    lines = [line for line in received.split(b"\n") if line.startswith(b"data: {")]
    events = [json.loads(line.removeprefix(b"data: ")) for line in lines]
    assert streamed_text(events) == whole
