"""A scripted stand-in for an OpenAI-compatible server, for tests of `bench serve`."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

DONE = "[DONE]"


@dataclass
class Answer:
    """What one request gets: after each delay one event, then the end."""

    events: list[tuple[float, object]] = field(default_factory=list)  # (seconds before it, payload)
    status: int = 200
    end: str = "whole"  # or "cut": the connection breaks; "hang": nothing comes any more


def text(content: str | None, finish: str | None = None, role: str | None = None) -> dict:
    """One chunk of a streamed chat completion."""
    delta: dict = {} if content is None else {"content": content}
    if role:
        delta["role"] = role
    return {
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def usage(prompt: int, completion: int) -> dict:
    """The extra chunk that include_usage asks for."""
    return {
        "object": "chat.completion.chunk",
        "choices": [],
        "usage": {"prompt_tokens": prompt, "completion_tokens": completion},
    }


def whole_answer(tokens: int, seconds: float = 0.0) -> Answer:
    """`tokens` tokens in one event after `seconds`, with usage."""
    return Answer([(seconds, text("word " * tokens, "length")), (0, usage(3, tokens)), (0, DONE)])


class FakeServer:
    """Serves `answer(n, body)` to the n-th streamed chat request, counted from 0. A context manager."""

    def __init__(self, answer: Callable[[int, dict], Answer]):
        self._answer = answer
        self.bodies: list[dict] = []
        self.arrivals: list[float] = []  # time.monotonic() of each body
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.url = ""

    def __enter__(self) -> FakeServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512)
        )
        self.url = "http://127.0.0.1:%d" % server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lines = head.split("\r\n")
            headers = {k.lower(): v.strip() for k, _, v in (x.partition(":") for x in lines[1:])}
            raw = await reader.readexactly(int(headers.get("content-length", 0)))
            await self._respond(lines[0].split(" ")[1], raw, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _respond(self, path: str, raw: bytes, writer: asyncio.StreamWriter) -> None:
        if path == "/v1/models":
            return self._whole(writer, 200, {"data": [{"id": "fake"}]})
        if path != "/v1/chat/completions":
            return self._whole(writer, 404, {"error": {"message": "unknown path"}})
        body = json.loads(raw)
        if not body.get("stream"):  # the calibration of synthetic prompts: two tokens per word
            words = len(body["messages"][0]["content"].split())
            return self._whole(
                writer,
                200,
                {"choices": [], "usage": {"prompt_tokens": 10 + 2 * words, "completion_tokens": 1}},
            )
        self.bodies.append(body)
        self.arrivals.append(time.monotonic())
        await self._stream(writer, self._answer(len(self.bodies) - 1, body))

    @staticmethod
    def _whole(writer: asyncio.StreamWriter, status: int, answer: dict) -> None:
        payload = json.dumps(answer).encode()
        writer.write(
            b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % (status, len(payload))
            + payload
        )

    async def _stream(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        if answer.status != 200:
            return self._whole(writer, answer.status, {"error": {"message": "scripted"}})
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for delay, payload in answer.events:
            await writer.drain()
            if delay:
                await asyncio.sleep(delay)
            data = payload if isinstance(payload, str) else json.dumps(payload)
            event = f"data: {data}\n\n".encode()
            writer.write(b"%x\r\n%s\r\n" % (len(event), event))
        await writer.drain()
        if answer.end == "hang":
            await asyncio.sleep(3600)
        if answer.end == "whole":
            writer.write(b"0\r\n\r\n")
