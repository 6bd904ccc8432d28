"""The server on real weights: the default model in two lanes, driven by the official client."""

from __future__ import annotations

import concurrent.futures
import json
import time

import openai
import pytest

EMOJI_PROMPT = "Repeat exactly: 👩‍👩‍👧‍👦 日本語 한국어 ไทย é 😀"


@pytest.fixture(scope="module")
def server(start_module_server, model_path):
    return start_module_server(
        "--model", model_path, "--alias", "smollm2", "--modes", "auto,q8_0", "--max-num-seqs", "4"
    )


@pytest.fixture(scope="module")
def client(server):
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0)


def ask(client, text, **options):
    options = {"model": "smollm2", "temperature": 0, "max_tokens": 24} | options
    return client.chat.completions.create(messages=[{"role": "user", "content": text}], **options)


def streamed_text(client, text, **options):
    events = ask(client, text, stream=True, **options)
    return "".join(e.choices[0].delta.content or "" for e in events if e.choices)


def test_the_model_knows_the_capital_of_france(client):
    assert "Paris" in ask(client, "What is the capital of France?").choices[0].message.content


def test_both_lanes_are_listed_and_answer(client):
    names = {m.id for m in client.models.list()}
    assert {"smollm2", "smollm2:q8_0"} <= names
    answer = ask(client, "What is the capital of Italy?", model="smollm2:q8_0")
    assert answer.model == "smollm2:q8_0"
    assert answer.usage.completion_tokens > 0 and answer.choices[0].message.content.strip()


@pytest.mark.parametrize("max_tokens", [1, 2, 3, 5, 8, 13, 24])
def test_streamed_text_of_cut_characters_equals_the_whole_answer(client, max_tokens):
    whole = ask(client, EMOJI_PROMPT, max_tokens=max_tokens).choices[0].message.content
    assert streamed_text(client, EMOJI_PROMPT, max_tokens=max_tokens) == whole
    assert "\ufffd" not in whole


def test_greedy_answers_are_the_same_beside_neighbours(client):
    """Same tokens as alone (design §2): first difference only where two candidates nearly tie."""
    questions = [f"Write one sentence about the number {n}." for n in range(6)]
    alone = [ask_with_logprobs(client, q) for q in questions]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda q: ask_with_logprobs(client, q), questions))
    for single, batched in zip(alone, together, strict=True):
        assert_same_tokens(single, batched)


def ask_with_logprobs(client, text, **options):
    return ask(client, text, logprobs=True, top_logprobs=3, **options).choices[0]


def assert_same_tokens(alone, other, near_tie=0.1):
    """As engine/same_tokens.h: equal, or the first different token nearly ties with the right one."""
    expected, actual = alone.logprobs.content, other.logprobs.content
    for right, seen in zip(expected, actual, strict=False):
        if right.token == seen.token:
            continue
        candidates = {t.token: t.logprob for t in right.top_logprobs}
        assert seen.token in candidates, f"{right.token!r} became {seen.token!r}"
        gap = right.logprob - candidates[seen.token]
        assert gap < near_tie, f"{right.token!r} became {seen.token!r}, no near-tie ({gap})"
        return
    assert len(expected) == len(actual)


def test_a_leaving_neighbour_does_not_change_an_answer(client):
    alone = ask_with_logprobs(client, "Tell me about rivers.", max_tokens=60)
    for _ in range(5):
        stream = ask(client, "Count to one thousand.", max_tokens=500, stream=True)
        next(iter(stream))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(ask_with_logprobs, client, "Tell me about rivers.", max_tokens=60)
            time.sleep(0.05)
            stream.close()
            assert_same_tokens(alone, answer.result())


def test_a_next_turn_reuses_its_stream_and_says_so(client):
    first = [{"role": "user", "content": "Name a river in Africa, one word."}]
    options = {"model": "smollm2", "temperature": 0, "max_tokens": 16}
    answer = client.chat.completions.create(messages=first, **options)
    turns = [
        *first,
        {"role": "assistant", "content": answer.choices[0].message.content},
        {"role": "user", "content": "And one in Asia?"},
    ]
    second = client.chat.completions.create(messages=turns, **options)
    assert second.usage.prompt_tokens_details.cached_tokens >= answer.usage.prompt_tokens - 8


def test_a_seeded_sample_is_repeatable(client):
    """From the second on, both start in the same cached prefix and so compute the same shapes."""
    _, a, b = (ask(client, "Tell a story.", temperature=1, seed=5) for _ in range(3))
    assert a.choices[0].message.content == b.choices[0].message.content


def test_a_client_that_leaves_frees_its_stream(client, server):
    aborted = total(server, 'finished_reason="abort"')
    stream = ask(client, "Count.", max_tokens=2000, stream=True, extra_body={"ignore_eos": True})
    next(iter(stream))
    stream.close()
    deadline = time.monotonic() + 5  # 2,000 tokens take far longer
    while total(server, "num_requests_running") > 0 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert total(server, "num_requests_running") == 0
    assert total(server, 'finished_reason="abort"') == aborted + 1


def total(server, part):
    return sum(value for name, value in server.metrics().items() if part in name)


def test_log_probabilities_are_of_the_sampled_tokens(client):
    choice = ask(client, "Say hi.", logprobs=True, top_logprobs=3).choices[0]
    tokens = choice.logprobs.content
    assert b"".join(bytes(t.bytes) for t in tokens).decode() == choice.message.content
    for token in tokens:
        assert token.token == token.top_logprobs[0].token
        assert token.logprob <= 0 and len(token.top_logprobs) == 3


def test_an_unknown_lane_is_refused_with_the_choices(client):
    with pytest.raises(openai.NotFoundError) as refusal:
        ask(client, "hi", model="smollm2:nosuchmode")
    assert "smollm2:q8_0" in json.dumps(refusal.value.body)
