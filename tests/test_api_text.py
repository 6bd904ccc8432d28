"""Cases A1 and A5: text whose characters span tokens, and stop strings."""

from __future__ import annotations

import pytest

from api_helpers import CHAT, GREEDY, assert_refused, assert_serves, chat, stream, streamed_text, user

# The simulated engine answers prompts with this word in emoji, CJK, Hangul, Thai and accents, one
# byte a token.
UNICODE = user("unicode please")


@pytest.mark.parametrize("max_tokens", range(1, 25))
def test_deltas_joined_are_the_whole_answer_whatever_character_is_cut(sim_server, max_tokens):
    body = {"messages": UNICODE, "max_tokens": max_tokens, "ignore_eos": True, **GREEDY}
    whole = chat(sim_server, body).json()["choices"][0]
    events = stream(sim_server, CHAT, body)
    assert streamed_text(events) == whole["message"]["content"]
    assert events[-1]["choices"][0]["finish_reason"] == whole["finish_reason"] == "length"


def test_a_long_answer_has_characters_of_every_length(sim_server):
    body = {"messages": UNICODE, "max_tokens": 400, "ignore_eos": True, **GREEDY}
    text = chat(sim_server, body).json()["choices"][0]["message"]["content"]
    assert {len(c.encode()) for c in text} >= {1, 2, 3, 4}


@pytest.fixture(scope="module")
def answer(sim_server) -> str:
    body = {"max_tokens": 200, "ignore_eos": True, **GREEDY}
    return chat(sim_server, body).json()["choices"][0]["message"]["content"]


def both_texts(server, stop) -> set[tuple[str, str]]:
    body = {"messages": user("hi"), "max_tokens": 200, "ignore_eos": True, "stop": stop, **GREEDY}
    whole = chat(server, body).json()["choices"][0]
    events = stream(server, CHAT, body)
    finish = [c["finish_reason"] for e in events for c in e["choices"] if c["finish_reason"]]
    assert len(finish) == 1
    return {(whole["message"]["content"], whole["finish_reason"]), (streamed_text(events), finish[0])}


def test_the_answer_ends_before_the_first_match(sim_server, answer):
    stop = answer[60:66]
    assert both_texts(sim_server, stop) == {(answer[: answer.index(stop)], "stop")}


def test_the_earliest_of_several_matches_wins(sim_server, answer):
    stops = [answer[80:86], answer[40:46]]
    cut = min(answer.index(stop) for stop in stops)
    assert both_texts(sim_server, stops) == {(answer[:cut], "stop")}


def test_of_two_stops_the_prefix_of_the_other_matches_first(sim_server, answer):
    stop = answer[60:66]
    assert both_texts(sim_server, [stop, stop[:3]]) == {(answer[: answer.index(stop[:3])], "stop")}


def test_a_stop_that_almost_matches_holds_nothing_back(sim_server, answer):
    assert both_texts(sim_server, answer[190:199] + "\x01") == {(answer, "length")}


def test_an_emoji_can_be_a_stop(sim_server):
    body = {"messages": UNICODE, "max_tokens": 400, "ignore_eos": True, **GREEDY}
    text = chat(sim_server, body).json()["choices"][0]["message"]["content"]
    emoji = next(c for c in text if ord(c) > 0xFFFF)
    stopped = chat(sim_server, {**body, "stop": [emoji]}).json()["choices"][0]
    assert stopped["message"]["content"] == text[: text.index(emoji)]
    assert stopped["finish_reason"] == "stop"


@pytest.mark.parametrize("stop", ["", [""], [None], 1, True, {}, ["a"] * 5, "x" * 257])
def test_malformed_stops_are_refused(sim_server, stop):
    assert_refused(chat(sim_server, {"stop": stop}), param="stop")
    assert_serves(sim_server)
