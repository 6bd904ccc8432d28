"""Cases A9, A10, A12 and A13: input made to break the server, and raw sockets."""

from __future__ import annotations

import json
import threading

import pytest
import requests

from api_helpers import (
    CHAT,
    COMPLETIONS,
    GREEDY,
    assert_refused,
    assert_serves,
    chat,
    connect,
    post,
    raw_post,
    receive_all,
    receive_until,
    stream,
    streamed_text,
    user,
)

GOOD = json.dumps({"messages": user("hi"), "max_tokens": 4}).encode()


@pytest.mark.parametrize("depth", [100, 3_000, 200_000])
@pytest.mark.parametrize("bracket", [b"[", b'{"a":'])
@pytest.mark.parametrize("field", [b"messages", b"stop", b"logit_bias", b"response_format", b"unknown"])
def test_deep_nesting_is_refused_and_other_streams_go_on(sim_server, depth, bracket, field):
    close = b"]" if bracket == b"[" else b"1}"
    for closed in (close * depth if bracket == b"[" else b"1" + b"}" * depth, b""):
        body = b'{"' + field + b'":' + bracket * depth + closed + b"}"
        assert_refused(post(sim_server, CHAT, body))
    assert_serves(sim_server)


def test_a_running_stream_does_not_notice_hostile_neighbours(sim_server):
    body = {"messages": user("neighbours"), "max_tokens": 2000, "ignore_eos": True, **GREEDY}
    alone = streamed_text(stream(sim_server, CHAT, body))
    texts: list[str] = []
    runner = threading.Thread(target=lambda: texts.append(streamed_text(stream(sim_server, CHAT, body))))
    runner.start()
    for _ in range(20):
        assert_refused(post(sim_server, CHAT, b'{"stop":' + b"[" * 200_000))
    runner.join()
    assert texts == [alone]


BAD_TEXT = {
    "invalid": b"\xff\xfe\xfa",
    "overlong": b"\xc0\xaf",
    "surrogate": b"\xed\xa0\x80",
    "cut": b"\xf0\x9f\x98",
    "lone escape": b"\\ud800",
    "low escape": b"\\udc00x",
}


@pytest.mark.parametrize("kind", BAD_TEXT)
@pytest.mark.parametrize("place", ["content", "model", "key"])
def test_text_that_is_not_unicode_is_refused_without_an_echo(sim_server, kind, place):
    bad = BAD_TEXT[kind]
    body = {
        "content": b'{"messages":[{"role":"user","content":"' + bad + b'"}]}',
        "model": b'{"model":"' + bad + b'","messages":[{"role":"user","content":"x"}]}',
        "key": b'{"' + bad + b'":1,"messages":[{"role":"user","content":"x"}]}',
    }[place]
    answer = post(sim_server, CHAT, body)
    assert_refused(answer)
    assert bad not in answer.content
    assert_serves(sim_server)


def test_a_byte_order_mark_and_utf16_are_refused(sim_server):
    assert_refused(post(sim_server, CHAT, b"\xef\xbb\xbf" + GOOD))
    assert_refused(post(sim_server, CHAT, GOOD.decode().encode("utf-16")))
    assert_refused(post(sim_server, CHAT, GOOD.decode().encode("utf-16-le")))
    assert_serves(sim_server)


def test_a_nul_in_the_content_is_kept(sim_server):
    def prompt_tokens(text: str) -> int:
        return chat(sim_server, {"messages": user(text)}).json()["usage"]["prompt_tokens"]

    assert prompt_tokens("a\x00bc") == prompt_tokens("a bc")


def test_bad_bytes_in_path_and_headers_are_not_echoed(sim_server):
    for request in (
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Request-Id: \xff\xfe\r\nConnection: close\r\n\r\n",
        b"GET /v1/models/%ff%fe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\nConnection: close\r\n\r\n",
    ):
        with connect(sim_server) as sock:
            sock.sendall(request)
            answer = receive_all(sock)
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"\xff" not in answer and b"\x00" not in answer
    assert_serves(sim_server)


def test_wrong_methods_are_405_with_allow(sim_server):
    for method, path, allow in (("GET", CHAT, "POST"), ("POST", "/v1/models", "GET"), ("DELETE", "/health", "GET")):
        answer = requests.request(method, sim_server.url + path, timeout=30)
        assert_refused(answer, status=405)
        assert allow in answer.headers["allow"]
    assert_serves(sim_server)


def test_unknown_paths_are_404(sim_server):
    for path in ("/", "/v1", "/v1/chat", "/v1/embeddings", CHAT + "/", "/../etc/passwd"):
        assert_refused(requests.post(sim_server.url + path, data=GOOD, timeout=30), status=404)


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_the_content_type_does_not_matter(sim_server, content_type):
    headers = {} if content_type is None else {"Content-Type": content_type}
    assert post(sim_server, CHAT, GOOD, headers=headers).status_code == 200


def test_head_and_options_are_answered(sim_server):
    head = requests.head(sim_server.url + "/health", timeout=30)
    assert head.status_code == 200 and head.content == b"" and int(head.headers["content-length"]) > 0
    options = requests.options(sim_server.url + CHAT, timeout=30)
    assert options.status_code == 204 and "POST" in options.headers["allow"]


def test_expect_100_continue_is_answered_before_the_body(sim_server):
    with connect(sim_server) as sock:
        sock.sendall(raw_post(CHAT, b"", "Expect: 100-continue").replace(b"Length: 0", b"Length: %d" % len(GOOD)))
        assert receive_until(sock, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(GOOD)
        assert receive_until(sock, b"usage").startswith(b"HTTP/1.1 200 ")


def test_pipelined_requests_are_answered_in_order(sim_server):
    with connect(sim_server) as sock:
        sock.sendall(
            raw_post(CHAT, json.dumps({**json.loads(GOOD), "stream": True}).encode())
            + raw_post(COMPLETIONS, b'{"prompt":"a","max_tokens":2}')
            + raw_post(CHAT, b"nonsense")
            + b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        answers = receive_all(sock)
    places = [answers.index(part) for part in (b"[DONE]", b"text_completion", b"HTTP/1.1 400", b'"status":"ok"')]
    assert places == sorted(places)


def test_a_half_closed_client_gets_its_answer(sim_server):
    with connect(sim_server) as sock:
        sock.sendall(raw_post(CHAT, GOOD))
        sock.shutdown(1)
        assert b'"usage"' in receive_all(sock)


def test_http_1_0_gets_a_plain_stream_and_a_close(sim_server):
    with connect(sim_server) as sock:
        body = json.dumps({**json.loads(GOOD), "stream": True}).encode()
        sock.sendall(raw_post(CHAT, body).replace(b"HTTP/1.1", b"HTTP/1.0"))
        answer = receive_all(sock)
    assert b"chunked" not in answer and answer.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize(("path", "field"), [(CHAT, "messages"), (COMPLETIONS, "prompt"), ("/tokenize", "content")])
@pytest.mark.parametrize("unit", ["a", " ", "<|im_end|>", "\U0001f600", "word "])
def test_a_text_that_cannot_fit_is_refused_whatever_it_is_made_of(sim_server, path, field, unit):
    text = unit * (7_000_000 // len(json.dumps(unit)))
    error = assert_refused(post(sim_server, path, {field: user(text) if path == CHAT else text}), param=field)
    assert error["code"] == "context_length_exceeded"
    assert "4096" in error["message"] and "at least" in error["message"]
    assert_serves(sim_server)


def test_a_body_over_the_limit_is_413(sim_server):
    with connect(sim_server) as sock:
        sock.sendall(b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n" % CHAT.encode())
        assert receive_until(sock, b"\r\n\r\n").startswith(b"HTTP/1.1 413 ")
    assert_serves(sim_server)


def test_the_request_id_comes_back(sim_server):
    answer = chat(sim_server, {}, headers={"X-Request-Id": "trace-42"})
    assert answer.headers["x-request-id"] == "trace-42"
    assert answer.json()["id"] == "chatcmpl-trace-42"


KEY = "sk-secret-1"


@pytest.fixture(scope="module")
def shut_server(start_module_server, tmp_path_factory):
    keys = tmp_path_factory.mktemp("keys") / "keys"
    keys.write_text(f"{KEY}\nsk-secret-2\n")
    return start_module_server("--engine", "sim:default", "--api-key-file", keys)


@pytest.mark.parametrize(
    "header",
    [None, KEY, f"Basic {KEY}", "Bearer", "Bearer ", "Bearer sk-secret", f"Bearer {KEY}x", b"Bearer \xff\xfe"],
)
def test_without_a_valid_key_all_but_health_is_shut(shut_server, header):
    headers = {} if header is None else {"Authorization": header}
    for method, path in (("POST", CHAT), ("GET", "/metrics"), ("GET", "/v1/models"), ("POST", "/tokenize"), ("GET", "/x")):
        answer = requests.request(method, shut_server.url + path, headers=headers, timeout=30)
        error = assert_refused(answer, status=401)
        assert error["code"] == "invalid_api_key"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert KEY not in answer.text
    assert requests.get(shut_server.url + "/health", headers=headers, timeout=30).status_code == 200
    assert_serves(shut_server, headers={"Authorization": f"Bearer {KEY}"})


def test_the_official_client_sends_its_key(shut_server):
    assert shut_server.openai(api_key="sk-secret-2").models.list().data
