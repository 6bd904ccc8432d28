"""What the benchmark scripts share: server processes, machine facts, result files."""

from __future__ import annotations

import json
import os
import platform
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = ROOT / "build/release/switchyard"
DEFAULT_MODEL = ROOT / ".deps/models/SmolLM2-135M-Instruct.Q4_1.gguf"
DEFAULT_DATA = ROOT / ".deps/data/ShareGPT_V3_unfiltered_cleaned_split.json"
READY_TIMEOUT_S = 300.0
STOP_TIMEOUT_S = 30.0


def die(message: str) -> None:
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ServerProcess:
    """A server on a free loopback port. `command` gets its --host and --port here."""

    def __init__(self, name: str, command: list[str], log: Path):
        self.name = name
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [*command, "--host", "127.0.0.1", "--port", str(self.port)]
        self._log = log
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_ready(self) -> None:
        deadline = time.monotonic() + READY_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                tail = self._log.read_text(errors="replace").strip().splitlines()[-1:]
                die(f"{self.name} ended with {self._process.returncode}: {' '.join(tail)}")
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.1)
        die(f"{self.name} was not ready within {READY_TIMEOUT_S:.0f} s (see {self._log})")

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_bytes(self) -> dict[str, int]:
        """Resident memory, anonymous and file-backed."""
        wanted = {"RssAnon": "anonymous", "RssFile": "file"}
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        pairs = (line.split(":") for line in lines if ":" in line)
        return {wanted[k]: int(v.split()[0]) * 1024 for k, v in pairs if k in wanted}

    def stop(self) -> None:
        if self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def machine() -> dict:
    """The facts that the figures depend on."""
    cpu = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    memory_kb = int(Path("/proc/meminfo").read_text().split()[1])
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory_kb / 2**20, 1),
        "system": f"{platform.system()} {platform.release()}",
    }


def shown(command: list[str]) -> str:
    """A command as README may print it: paths relative to the repository."""
    return " ".join(command).replace(f"{ROOT}/", "")


def write_json(path: Path, document: dict) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    temporary.replace(path)
