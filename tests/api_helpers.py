"""What the API tests share: raw requests, SSE parsing, and the proof that the server still serves."""

from __future__ import annotations

import json
import socket
from typing import Any

import requests

from harness import Server

CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"
GREEDY = {"temperature": 0}


def user(text: str) -> list[dict]:
    return [{"role": "user", "content": text}]


def post(server: Server, path: str, body: Any, **kwargs) -> requests.Response:
    """`body` as JSON, or as it is if it is bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return requests.post(server.url + path, data=data, timeout=60, **kwargs)


def chat(server: Server, body: dict, **kwargs) -> requests.Response:
    return post(server, CHAT, {"messages": user("hi"), "max_tokens": 4, **body}, **kwargs)


def assert_serves(server: Server, **kwargs) -> None:
    """A normal request is answered by the same process."""
    assert server.process.poll() is None, server.log()
    answer = chat(server, {}, **kwargs)
    assert answer.status_code == 200, answer.text
    assert answer.json()["usage"]["completion_tokens"] <= 4


def assert_refused(answer: requests.Response, status: int = 400, param: str | None = None) -> dict:
    """An OpenAI error object with that status; returns it."""
    assert answer.status_code == status, answer.text
    error = json.loads(answer.content.decode("utf-8", "strict"))["error"]
    assert error["message"] and error["type"] and error["code"]
    if param is not None:
        assert error["param"] == param, error
    return error


def sse_events(raw: bytes) -> list[str]:
    """The data of each event, strictly decoded; comments are dropped."""
    events = []
    for block in raw.decode("utf-8", "strict").split("\n\n"):
        if block and not block.startswith(":"):
            assert block.startswith("data: ") and "\n" not in block, block
            events.append(block.removeprefix("data: "))
    return events


def stream(server: Server, path: str, body: dict) -> list[dict]:
    """The events of a stream, which must end in one [DONE]."""
    answer = post(server, path, {**body, "stream": True})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = sse_events(answer.content)
    assert events[-1] == "[DONE]" and events.count("[DONE]") == 1
    return [json.loads(event) for event in events[:-1]]


def streamed_text(events: list[dict], index: int = 0) -> str:
    """The deltas of one choice of a chat stream, joined."""
    return "".join(
        choice["delta"].get("content") or ""
        for event in events
        for choice in event["choices"]
        if choice["index"] == index
    )


def connect(server: Server, timeout: float = 30) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=timeout)


def raw_post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: x", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def receive_all(sock: socket.socket) -> bytes:
    received = b""
    while block := sock.recv(65536):
        received += block
    return received


def receive_until(sock: socket.socket, end: bytes) -> bytes:
    received = b""
    while end not in received:
        block = sock.recv(65536)
        assert block, f"closed before {end!r}: {received!r}"
        received += block
    return received
