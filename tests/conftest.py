"""Fixtures of the end-to-end tests; all of them drive the real binary (see harness.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import harness
from harness import Server

DEFAULT_MODEL = harness.ROOT / ".deps/models/SmolLM2-135M-Instruct.Q4_1.gguf"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that load weights carry the mark `model`: the sanitizer builds run without them."""
    for item in items:
        if "model_path" in getattr(item, "fixturenames", ()):
            item.add_marker("model")


@pytest.fixture(scope="session", autouse=True)
def binary() -> Path:
    if not harness.BINARY.is_file():
        pytest.exit(f"no server binary at {harness.BINARY}: build it, or set SWITCHYARD_BINARY", 1)
    return harness.BINARY


@contextmanager
def _servers(directory: Path) -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def start(*args: object, **kwargs) -> Server:
        server = Server(*args, log_path=directory / f"server{len(started)}.log", **kwargs)
        started.append(server)
        return server

    try:
        yield start
        for server in started:
            server.stop()
    finally:
        for server in started:
            server.kill()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """start_server(*serve_arguments) → Server; each is stopped, and must exit 0, after the test."""
    with _servers(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def start_module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """The same for servers that all tests of a module share."""
    with _servers(tmp_path_factory.mktemp("servers")) as start:
        yield start


@pytest.fixture(scope="module")
def sim_server(start_module_server: Callable[..., Server]) -> Server:
    """A server on the default simulated engine, shared by the tests of a module."""
    return start_module_server("--engine", "sim:default")


@pytest.fixture(scope="session")
def model_path() -> Path:
    """The default model's weights. A test that uses this is run only by builds with llama.cpp."""
    path = Path(os.environ.get("SWITCHYARD_TEST_MODEL", DEFAULT_MODEL))
    assert path.is_file(), f"no weights at {path}: run scripts/setup"
    return path


@pytest.fixture(scope="module")
def model_server(start_module_server: Callable[..., Server], model_path: Path) -> Server:
    """A server with real weights under the name smollm2, shared by the tests of a module."""
    return start_module_server("--model", model_path, "--alias", "smollm2")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Traces and odd inputs. Without SWITCHYARD_DATA the test is listed as not run."""
    path = os.environ.get("SWITCHYARD_DATA")
    if not path:
        pytest.skip("SWITCHYARD_DATA is not set: real traces and odd inputs not read")
    return Path(path)
