"""Case A8 and what else a conversation may or may not hold."""

from __future__ import annotations

import pytest

from api_helpers import assert_refused, assert_serves, chat, post, user

CALL = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


@pytest.mark.parametrize("content", [{"content": None}, {}, {"content": ""}])
def test_an_assistant_turn_with_tool_calls_needs_no_content(sim_server, content):
    messages = [
        *user("what?"),
        {"role": "assistant", "tool_calls": CALL, **content},
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
    ]
    answer = chat(sim_server, {"messages": messages})
    assert answer.status_code == 200, answer.text


def test_the_kinds_of_empty_content_make_the_same_prompt(sim_server):
    def prompt_tokens(turn: dict) -> int:
        messages = [*user("x"), {"role": "assistant", "tool_calls": CALL, **turn}, *user("y")]
        return chat(sim_server, {"messages": messages}).json()["usage"]["prompt_tokens"]

    assert prompt_tokens({"content": None}) == prompt_tokens({}) == prompt_tokens({"content": ""})


@pytest.mark.parametrize(
    "message",
    [
        {"role": "robot", "content": "x"},
        {"role": None, "content": "x"},
        {"content": "x"},
        {"role": "user", "content": None},
        {"role": "user"},
        {"role": "assistant", "content": None},
        {"role": "user", "content": 5},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
        "text",
        None,
    ],
)
def test_malformed_turns_are_refused(sim_server, message):
    error = assert_refused(chat(sim_server, {"messages": [message]}))
    assert error["param"].startswith("messages[0]")
    assert_serves(sim_server)


@pytest.mark.parametrize("messages", [None, [], {}, "x", 3])
def test_messages_must_be_a_list_with_turns(sim_server, messages):
    assert_refused(chat(sim_server, {"messages": messages}), param="messages")


def test_text_parts_are_read(sim_server):
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    in_parts = chat(sim_server, {"messages": [{"role": "user", "content": parts}]}).json()
    in_one = chat(sim_server, {"messages": user("a\nb")}).json()
    assert in_parts["usage"]["prompt_tokens"] == in_one["usage"]["prompt_tokens"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("response_format", {"type": "json_object"}),
        ("response_format", {"type": "json_schema", "json_schema": {"name": "a", "schema": {}}}),
        ("tools", [{"type": "function", "function": {"name": "f"}}]),
        ("functions", [{"name": "f"}]),
        ("tool_choice", "required"),
        ("modalities", ["text", "audio"]),
        ("audio", {"voice": "alloy", "format": "wav"}),
        ("grammar", 'root ::= "a"'),
        ("guided_json", {"type": "object"}),
    ],
)
def test_what_is_not_served_is_refused_by_name(sim_server, field, value):
    error = assert_refused(chat(sim_server, {field: value}), param=field)
    assert error["code"] == "unsupported"
    assert_serves(sim_server)


def test_neutral_and_unknown_fields_pass(sim_server):
    answer = chat(
        sim_server,
        {"response_format": {"type": "text"}, "tools": [], "tool_choice": "auto", "user": "u", "x_y": 1},
    )
    assert answer.status_code == 200, answer.text


def test_an_unknown_model_is_404_and_names_the_others(sim_server):
    error = assert_refused(chat(sim_server, {"model": "nope"}), status=404)
    assert error["code"] == "model_not_found"
    model = sim_server.openai().models.list().data[0].id
    assert model in error["message"]


def test_every_lane_answers_under_its_name(sim_server):
    for model in sim_server.openai().models.list():
        answer = chat(sim_server, {"model": model.id})
        assert answer.status_code == 200, answer.text


def test_tokenize_and_detokenize_are_inverse(sim_server):
    text = "naïve 😀 \u0000 한국어"
    tokens = post(sim_server, "/tokenize", {"content": text}).json()["tokens"]
    assert post(sim_server, "/detokenize", {"tokens": tokens}).json() == {"content": text}
    assert post(sim_server, "/tokenize", {"prompt": text}).json()["tokens"] == tokens


@pytest.mark.parametrize("tokens", [None, [-1], [10**9], ["a"], [1.5], {}, "x"])
def test_detokenize_refuses_what_is_no_token(sim_server, tokens):
    assert_refused(post(sim_server, "/detokenize", {"tokens": tokens}), param="tokens")
    assert_serves(sim_server)
