"""Thousands of streams at once."""

from __future__ import annotations

import asyncio
import json
import resource

from api_helpers import CHAT, assert_serves, raw_post, user

STREAMS = 2000
TOKENS = 600


def resident_kb(pid: int) -> int:
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


async def read_stream(port: int, started: asyncio.Semaphore) -> int:
    """Opens one stream; the number of events it delivers before [DONE]."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = {"messages": user("hi"), "max_tokens": TOKENS, "ignore_eos": True, "stream": True}
    writer.write(raw_post(CHAT, json.dumps(body).encode(), "Connection: close"))
    await reader.readuntil(b": ok\n\n")
    started.release()
    received = await reader.read()
    writer.close()
    assert received.count(b"data: [DONE]") == 1
    return received.count(b"data: {")


async def read_all(server) -> tuple[list[int], list[int]]:
    """Event counts of all streams, and the server's resident memory once all are open and later."""
    started = asyncio.Semaphore(0)
    streams = [asyncio.create_task(read_stream(server.port, started)) for _ in range(STREAMS)]
    for _ in range(STREAMS):
        await started.acquire()
    memory = [resident_kb(server.pid)]
    while not all(task.done() for task in streams):
        await asyncio.sleep(0.5)
        memory.append(resident_kb(server.pid))
    return await asyncio.gather(*streams), memory


def test_two_thousand_streams_at_once_in_flat_memory(start_server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, STREAMS + 500)), hard))
    server = start_server(
        "--engine", "sim:default,speed=0.1", "--max-num-seqs", 1024, "--queue-limit", STREAMS
    )
    events, memory = asyncio.run(read_all(server))
    assert len(events) == STREAMS and min(events) > 1
    print(f"resident: {memory[0]} kB with all open, at most {max(memory)} kB until the end")
    assert max(memory) < memory[0] + 32_000
    assert max(memory) < 200_000
    assert_serves(server)
