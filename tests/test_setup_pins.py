"""scripts/pins.sh: when scripts/setup fetches something again. The fetch is a function of the test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import harness

SCRIPT = """
set -euo pipefail
source "$1"
cd "$2"
pin=$3
fails=$4
is_right() { [[ $(<"$1") == "content of $pin" ]]; }
fetch() {
  echo fetched >>log
  [[ $fails != before ]] || exit 7
  echo "content of $pin" >"$1"
  [[ $fails != after ]] || exit 7
}
fetch_pinned thing "$pin" is_right fetch
"""


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.thing = path / "thing"
        self.pin = path / "thing.pin"

    def run(self, pin: str, fails: str = "never") -> int:
        """Times the fetch ran; what fails must end with the fetch's status."""
        log = self.path / "log"
        log.unlink(missing_ok=True)
        pins = harness.ROOT / "scripts/pins.sh"
        done = subprocess.run(["bash", "-c", SCRIPT, "-", str(pins), str(self.path), pin, fails])
        assert done.returncode == (0 if fails == "never" else 7)
        return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_what_is_missing_is_fetched_once(folder: Folder) -> None:
    assert folder.run("a 1") == 1
    assert folder.thing.read_text() == "content of a 1\n"
    assert folder.pin.read_text() == "a 1\n"
    assert folder.run("a 1") == 0


def test_a_changed_pin_is_fetched_and_replaces_what_was_there(folder: Folder) -> None:
    folder.run("a 1")
    assert folder.run("a 2") == 1
    assert folder.thing.read_text() == "content of a 2\n"
    assert folder.run("a 2") == 0
    assert folder.run("a 1") == 1


def test_what_is_right_already_only_gets_its_pin(folder: Folder) -> None:
    folder.thing.write_text("content of a 1\n")
    assert folder.run("a 1") == 0
    assert folder.pin.read_text() == "a 1\n"


def test_what_is_wrong_and_without_a_pin_is_fetched(folder: Folder) -> None:
    folder.thing.write_text("content of a 0\n")
    assert folder.run("a 1") == 1


def test_a_pin_without_its_thing_is_fetched(folder: Folder) -> None:
    folder.run("a 1")
    folder.thing.unlink()
    assert folder.run("a 1") == 1


@pytest.mark.parametrize(("fails", "again"), [("before", 1), ("after", 0)])
def test_a_fetch_that_fails_leaves_no_pin_and_is_repeated_if_it_has_to_be(
    folder: Folder, fails: str, again: int
) -> None:
    folder.run("a 1")
    folder.run("a 2", fails)
    assert not folder.pin.exists()
    assert folder.run("a 2") == again
    assert folder.thing.read_text() == "content of a 2\n"


def test_a_failed_change_is_not_taken_for_the_pin_before_it(folder: Folder) -> None:
    folder.run("a 1")
    folder.run("a 2", "after")
    assert folder.run("a 1") == 1
    assert folder.thing.read_text() == "content of a 1\n"
