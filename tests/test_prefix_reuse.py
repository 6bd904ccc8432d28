"""Cached prefixes across requests, as a client sees them: usage, tenants, and a small budget."""

from __future__ import annotations

import pytest

from harness import Server


def complete(server: Server, prompt: str, **options) -> int:
    """Sends the prompt; how many of its tokens were cached."""
    answer = server.openai().completions.create(
        model="sim", prompt=prompt, max_tokens=4, extra_body=options
    )
    return answer.usage.prompt_tokens_details.cached_tokens


def hits(server: Server) -> float:
    """Cached prompt tokens of all requests so far."""
    metrics = server.metrics()
    return sum(v for name, v in metrics.items() if name.startswith("vllm:prefix_cache_hits_total"))


def conversation(name: str) -> str:
    return f"{name}: " + "a long history of the conversation, " * 10


@pytest.fixture(scope="module")
def server(start_module_server) -> Server:
    return start_module_server("--engine", "sim:default", "--max-num-seqs", "2")


def test_a_conversation_is_continued_after_others_took_its_stream(server):
    history = conversation("first")
    complete(server, history)
    for name in ("second", "third", "fourth", "fifth"):
        complete(server, conversation(name))
    assert complete(server, history + " and one more turn") >= len(history)


def test_without_host_memory_it_is_evaluated_again(start_server):
    server = start_server("--engine", "sim:default", "--max-num-seqs", "2", "--cache-ram", "0")
    history = conversation("first")
    complete(server, history)
    for name in ("second", "third", "fourth", "fifth"):
        complete(server, conversation(name))
    assert complete(server, history + " and one more turn") < len(history) // 4


def test_other_salts_do_not_share(server):
    text = conversation("tenant")
    complete(server, text, cache_salt="a")
    assert complete(server, text, cache_salt="b") == 0
    assert complete(server, text) == 0
    assert complete(server, text, cache_salt="a") >= len(text) - 1


def test_choices_of_one_prompt_share_its_evaluation(server):
    text = conversation("many")
    before = hits(server)
    server.openai().completions.create(model="sim", prompt=text, max_tokens=4, n=2)
    assert hits(server) - before >= len(text) - 1
