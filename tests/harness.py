"""The real `switchyard serve`, started on a free loopback port for one test."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import openai
import requests

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("SWITCHYARD_BINARY", ROOT / "build/release/switchyard"))
READY_TIMEOUT_S = 120.0
# Longer than the server's own grace time, so that a hang is told from a slow stop.
STOP_TIMEOUT_S = 60.0

_SAMPLE = re.compile(r"^([A-Za-z_:][A-Za-z0-9_:]*(?:\{.*\})?)\s+(\S+)(?:\s+\d+)?$")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def parse_metrics(text: str) -> dict[str, float]:
    """Prometheus exposition text as {'name{labels}': value}; fails on a line that is not valid."""
    samples: dict[str, float] = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        match = _SAMPLE.match(line)
        assert match, f"not an exposition line: {line!r}"
        assert match[1] not in samples, f"sample given twice: {match[1]}"
        samples[match[1]] = float(match[2])
    return samples


def run_switchyard(*args: object, timeout: float = 60.0, **kwargs) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself: its exit status, stdout and stderr."""
    command = [str(BINARY), *map(str, args)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, **kwargs
    )


class Server:
    """One server process. Started without --engine and --model, it runs `--engine sim:default`."""

    def __init__(self, *args: object, log_path: Path, ready: bool = True, env: dict | None = None):
        words = [str(a) for a in args]
        if not any(w.split("=")[0] in ("--engine", "--model", "--config") for w in words):
            words = ["--engine", "sim:default", *words]
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log_path = log_path
        with log_path.open("wb") as log:
            self.process = subprocess.Popen(
                [str(BINARY), "serve", "--host", "127.0.0.1", "--port", str(self.port), *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
            )
        if ready:
            try:
                self.wait_ready()
            except BaseException:
                self.kill()
                raise

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL."""
        return self.url + "/v1"

    def openai(self, api_key: str = "none", **kwargs) -> openai.OpenAI:
        """The official client, without its silent retries."""
        return openai.OpenAI(
            base_url=self.base_url, api_key=api_key, max_retries=0, timeout=60, **kwargs
        )

    def wait_ready(self, timeout: float = READY_TIMEOUT_S) -> None:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            assert self.process.poll() is None, (
                f"the server ended with {self.process.returncode} before it was ready:\n{self.log()}"
            )
            try:
                if requests.get(self.url + "/health", timeout=5).status_code == 200:
                    return
            except requests.RequestException:
                pass
            time.sleep(0.02)
        raise AssertionError(f"not ready within {timeout} s:\n{self.log()}")

    def metrics(self) -> dict[str, float]:
        answer = requests.get(self.url + "/metrics", timeout=30)
        assert answer.status_code == 200
        return parse_metrics(answer.text)

    def log(self) -> str:
        """Everything the process wrote to stdout and stderr so far."""
        return self._log_path.read_text(errors="backslashreplace")

    def terminate(self) -> None:
        """Sends SIGTERM and returns at once."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self, timeout: float = STOP_TIMEOUT_S) -> int:
        """Blocks until the process ends; its exit status."""
        return self.process.wait(timeout)

    def stop(self) -> None:
        """SIGTERM, then exit status 0 is required. Nothing if the process was already waited for."""
        if self.process.returncode is not None:
            return
        self.terminate()
        try:
            status = self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"no end {STOP_TIMEOUT_S} s after SIGTERM:\n{self.log()}") from None
        assert status == 0, f"exit status {status} after SIGTERM:\n{self.log()}"

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
