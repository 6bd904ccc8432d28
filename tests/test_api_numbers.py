"""Cases A3, A4, A6 and A7: numbers at and past their limits."""

from __future__ import annotations

import pytest

from api_helpers import (
    CHAT,
    COMPLETIONS,
    GREEDY,
    assert_refused,
    assert_serves,
    chat,
    post,
    stream,
    streamed_text,
    user,
)

CONTEXT = 4096  # of sim:default
LIMITS = ["max_tokens", "max_completion_tokens"]


def raw_chat(server, field: str, value: str):
    """A request with `value` as literal text, valid JSON or not."""
    text = f'{{"messages":[{{"role":"user","content":"hi"}}],"ignore_eos":true,"{field}":{value}}}'
    return post(server, CHAT, text.encode())


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize("value", ["0", "-1", "1.5", '"16"', "true", "[]", "-9223372036854775808"])
def test_a_token_limit_that_is_no_positive_integer_is_refused(sim_server, field, value):
    assert_refused(raw_chat(sim_server, field, value), param=field)
    assert_serves(sim_server)


@pytest.mark.parametrize("field", LIMITS)
@pytest.mark.parametrize("value", ["null", "2147483648", "9223372036854775807", "1e308"])
def test_a_huge_or_null_token_limit_is_all_that_fits(sim_server, field, value):
    answer = raw_chat(sim_server, field, value)
    assert answer.status_code == 200, answer.text
    usage = answer.json()["usage"]
    assert usage["total_tokens"] == CONTEXT
    assert answer.json()["choices"][0]["finish_reason"] == "length"


FLOATS = ["temperature", "top_p", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty"]


@pytest.mark.parametrize("field", FLOATS)
@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", '"0.5"', "true", "-2.01", "10.01"])
def test_numbers_that_are_not_json_or_out_of_range_are_refused(sim_server, field, value):
    assert_refused(raw_chat(sim_server, field, value))
    assert_serves(sim_server)


@pytest.mark.parametrize("extra", [{"temperature": -0.0}, {"temperature": 1e-45}, {"temperature": 0, "top_p": 0}])
def test_zero_temperature_is_greedy_and_repeatable(sim_server, extra):
    texts = {
        chat(sim_server, {"max_tokens": 20, "seed": seed, **extra}).json()["choices"][0]["message"]["content"]
        for seed in (1, 2, 3)
    }
    assert len(texts) == 1


@pytest.mark.parametrize("value", [0, -1, 129, 10**9, 1.5, "2", True])
def test_a_count_of_choices_out_of_range_is_refused(sim_server, value):
    assert_refused(chat(sim_server, {"n": value}), param="n")
    assert_serves(sim_server)


def test_null_choices_are_one(sim_server):
    assert len(chat(sim_server, {"n": None}).json()["choices"]) == 1


def test_each_choice_streams_its_own_deltas_and_one_finish(sim_server):
    body = {"messages": user("hi"), "n": 3, "seed": 7, "temperature": 1, "max_tokens": 20, "ignore_eos": True}
    whole = chat(sim_server, body).json()
    events = stream(sim_server, CHAT, {**body, "stream_options": {"include_usage": True}})
    for index in range(3):
        choices = [c for e in events for c in e["choices"] if c["index"] == index]
        assert [c["finish_reason"] for c in choices if c["finish_reason"]] == ["length"]
        assert choices[-1]["finish_reason"] == "length"
        assert sum(c["delta"].get("role") == "assistant" for c in choices) == 1
        assert streamed_text(events, index) == whole["choices"][index]["message"]["content"]
    assert len({c["message"]["content"] for c in whole["choices"]}) == 3
    single = chat(sim_server, {**body, "n": 1}).json()["usage"]
    assert whole["usage"]["prompt_tokens"] == single["prompt_tokens"]
    assert whole["usage"]["completion_tokens"] == 60
    assert events[-1]["usage"]["completion_tokens"] == 60


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("tokens", [CONTEXT, CONTEXT + 1, 10 * CONTEXT])
def test_a_prompt_that_leaves_no_room_is_refused_with_both_counts(sim_server, tokens, streamed):
    for path, body in ((COMPLETIONS, {"prompt": "x" * tokens}), (COMPLETIONS, {"prompt": [65] * tokens})):
        error = assert_refused(post(sim_server, path, {**body, "stream": streamed}), param="prompt")
        assert error["code"] == "context_length_exceeded"
        assert str(CONTEXT) in error["message"] and str(tokens) in error["message"]
    error = assert_refused(
        chat(sim_server, {"messages": user("x" * tokens), "stream": streamed}), param="messages"
    )
    assert error["code"] == "context_length_exceeded"
    assert_serves(sim_server)


def test_a_prompt_with_room_for_one_token_gets_one(sim_server):
    answer = post(sim_server, COMPLETIONS, {"prompt": "x" * (CONTEXT - 1), "max_tokens": 50, "ignore_eos": True})
    assert answer.status_code == 200
    assert answer.json()["usage"]["completion_tokens"] == 1
    assert answer.json()["choices"][0]["finish_reason"] == "length"


def test_min_tokens_holds_the_end_back(sim_server):
    answer = chat(sim_server, {"max_tokens": 1000, "min_tokens": 900, **GREEDY}).json()
    assert answer["usage"]["completion_tokens"] >= 900


@pytest.mark.parametrize("seed", [0, -1, 2**31, 2**63 - 1, -(2**63)])
def test_any_64_bit_seed_is_repeatable(sim_server, seed):
    body = {"seed": seed, "temperature": 1, "max_tokens": 16}
    texts = {chat(sim_server, body).json()["choices"][0]["message"]["content"] for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.parametrize("seed", ["9223372036854775808", "-9223372036854775809", "1e19", "1.5", '"1"'])
def test_a_seed_that_64_bits_cannot_hold_is_refused(sim_server, seed):
    error = assert_refused(raw_chat(sim_server, "seed", seed), param="seed")
    assert "64 bits" in error["message"]
    assert_serves(sim_server)


@pytest.mark.parametrize("streamed", [False, True])
def test_log_probabilities_of_all_choices_together_are_bounded(sim_server, streamed):
    body = {"n": 128, "max_tokens": 2000, "logprobs": True, "top_logprobs": 20, "stream": streamed}
    error = assert_refused(chat(sim_server, body), param="top_logprobs")
    assert "262144" in error["message"] and str(128 * 2000 * 21) in error["message"]
    assert chat(sim_server, {**body, "n": 3, "max_tokens": 20, "stream": False}).status_code == 200


@pytest.mark.parametrize("salt", ["", "x" * 257, 7, True, ["x"], {}])
def test_a_cache_salt_that_is_no_short_string_is_refused(sim_server, salt):
    assert_refused(chat(sim_server, {"cache_salt": salt}), param="cache_salt")
    assert_refused(post(sim_server, COMPLETIONS, {"prompt": "x", "cache_salt": salt}), param="cache_salt")


def test_only_requests_of_equal_cache_salt_share_a_prefix(sim_server):
    def cached_tokens(**salt) -> int:
        answer = chat(sim_server, {"messages": user("a prompt that comes again and again"), **salt}).json()
        return answer["usage"]["prompt_tokens_details"]["cached_tokens"]

    assert [cached_tokens(cache_salt="one"), cached_tokens(cache_salt="two")] == [0, 0]
    assert cached_tokens(cache_salt="one") > 0 and cached_tokens(cache_salt="two") > 0


def test_without_a_seed_answers_differ(sim_server):
    body = {"temperature": 1, "max_tokens": 40, "ignore_eos": True}
    texts = {chat(sim_server, body).json()["choices"][0]["message"]["content"] for _ in range(4)}
    assert len(texts) > 1
