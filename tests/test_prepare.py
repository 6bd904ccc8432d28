"""`switchyard prepare` on the default model: what it derives, and what it leaves behind when it cannot."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import BINARY, run_switchyard

SLOW_MODE = "iq4_nl"  # takes ten seconds and more, most modes take one


@pytest.fixture
def prepare(model_path: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """prepare(modes, *more) into tmp_path/cache."""

    def run(modes: str, *more: object, cache: Path | None = None, **kwargs):
        cache = cache or tmp_path / "cache"
        words = ["--model", model_path, "--modes", modes, "--cache-dir", cache, *more]
        return run_switchyard("prepare", *words, timeout=150, **kwargs)

    return run


@pytest.fixture(scope="module")
def prepared(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    """One run over several modes: its cache, output and JSON."""
    folder = tmp_path_factory.mktemp("prepared")
    done = run_switchyard(
        *("prepare", "--model", model_path, "--modes", "Q8_0,q4_0,q4_k_m,Q6_K,q4_1"),
        *("--cache-dir", folder / "cache", "--json", folder / "result.json"),
        timeout=150,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((folder / "result.json").read_text())
    modes = {mode["mode"]: mode for mode in result["modes"]}
    return {"cache": folder / "cache", "run": done, "json": result, "modes": modes}


def names(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir())


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def start_prepare(model_path: Path, modes: str, cache: Path, *more: object, **kwargs) -> subprocess.Popen:
    words = ["--model", model_path, "--modes", modes, "--cache-dir", cache, *more]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE} | kwargs
    return subprocess.Popen([str(BINARY), "prepare", *map(str, words)], **streams)


def wait_for_temporary(cache: Path, process: subprocess.Popen, bytes_on_disk: int = 1) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if any(p.stat().st_blocks * 512 >= bytes_on_disk for p in cache.glob("*.tmp-*")):
            return
        time.sleep(0.005)
    raise AssertionError("no temporary file of that size while it derives")


def test_every_mode_is_listed_with_its_file_size_and_mix(prepared):
    modes = prepared["modes"]
    assert list(modes) == ["q8_0", "q4_0", "q4_K_M", "q6_K", "q4_1"]
    for mode in modes.values():
        assert mode["bytes"] == Path(mode["path"]).stat().st_size
        assert sum(mode["tensors"].values()) == 272
        assert mode["seconds"] >= 0
    assert [m["status"] for m in modes.values()] == ["derived"] * 4 + ["source"]
    assert prepared["json"]["schema"] == "switchyard.prepare.v1"
    assert prepared["json"]["partial"] is False and prepared["json"]["error"] is None
    assert names(prepared["cache"]) == sorted(
        f"{prepared['json']['source']['sha256'][:16]}-{m}.gguf" for m in list(modes)[:4]
    )
    assert prepared["run"].stderr == ""


def test_rows_of_576_get_other_types_than_the_256_wide_ones(prepared):
    k4, k6 = prepared["modes"]["q4_K_M"], prepared["modes"]["q6_K"]
    assert (k4["tensors"]["q5_0"], k4["tensors"]["q4_K"]) == (166, 16)
    assert (k6["tensors"]["q8_0"], k6["tensors"]["q6_K"]) == (181, 30)
    assert "166 q5_0 + 16 q4_K + " in prepared["run"].stdout
    assert "181 q8_0 + 30 q6_K + 61 f32" in prepared["run"].stdout


def test_a_mode_that_is_mostly_another_type_says_so(prepared):
    for name, kind in (("q4_K_M", "q4_K"), ("q6_K", "q6_K")):
        mode = prepared["modes"][name]
        assert mode["asked_type"] == kind and mode["asked_type_share"] < 0.5
        assert any(f"% of the weights are {kind}" in note for note in mode["notes"])
    assert prepared["modes"]["q8_0"]["notes"] == []
    assert prepared["modes"]["q4_0"]["asked_type_share"] > 0.5


def test_bits_per_weight_are_those_of_the_file(prepared):
    modes = prepared["modes"]
    assert 8.5 <= modes["q8_0"]["bits_per_weight"] < 8.6
    assert 4.5 < modes["q4_0"]["bits_per_weight"] < modes["q4_K_M"]["bits_per_weight"] < 6.5


def test_a_quantized_source_is_called_one_and_its_own_type_no_measure_of_loss(prepared):
    source = prepared["json"]["source"]
    assert source["quantized"] is True and source["main_type"] == "q4_1"
    assert "dequantized" in source["notes"][0]
    own = prepared["modes"]["q4_1"]
    assert own["kept_from_source"] is True and "equal the reference" in own["notes"][0]
    assert prepared["modes"]["q4_0"]["kept_from_source"] is False


def test_serve_takes_the_prepared_files_and_answers_from_them(prepared, start_server, model_path):
    before = {path: path.stat().st_mtime_ns for path in prepared["cache"].iterdir()}
    server = start_server(
        *("--model", model_path, "--alias", "m", "--modes", "q8_0,Q4_0", "--max-num-seqs", "2"),
        *("--cache-dir", prepared["cache"]),
    )
    for name in ("m", "m:q4_0"):
        answer = server.openai().chat.completions.create(
            model=name,
            messages=[{"role": "user", "content": "What is the capital of France?"}],
            temperature=0,
            max_tokens=24,
            logprobs=True,
            top_logprobs=4,
        )
        assert answer.choices[0].message.content.strip()
        first = answer.choices[0].logprobs.content[0]  # the reference begins "The", nearly tied with "L"
        assert "The" in [candidate.token for candidate in first.top_logprobs]
    assert {path: path.stat().st_mtime_ns for path in prepared["cache"].iterdir()} == before


def test_what_is_there_is_not_derived_again_unless_forced(prepare, tmp_path):
    result = tmp_path / "result.json"
    assert prepare("q4_0").returncode == 0
    (file,) = (tmp_path / "cache").iterdir()
    first, content = file.stat(), file.read_bytes()
    assert prepare("Q4_0", "--json", result).returncode == 0
    assert json.loads(result.read_text())["modes"][0]["status"] == "cached"
    assert file.stat().st_ino == first.st_ino
    assert prepare("q4_0", "--force", "--json", result).returncode == 0
    assert json.loads(result.read_text())["modes"][0]["status"] == "derived"
    assert file.stat().st_ino != first.st_ino and file.read_bytes() == content


def test_a_cut_file_is_derived_again(prepare, tmp_path):
    assert prepare("q4_0").returncode == 0
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.stat().st_size
    os.truncate(file, whole - 1_000_000)
    done = prepare("q4_0")
    assert done.returncode == 0 and "q4_0     derived" in done.stdout
    assert file.stat().st_size == whole


@pytest.mark.parametrize(
    ("modes", "why"),
    [("", "none is listed"), ("q8_0,q9", "unknown mode"), ("IQ2_XXS", "needs an importance matrix"),
     ("q8_0,Q8_0", "listed twice")],
)
def test_a_bad_list_is_a_usage_error_with_the_choices(prepare, modes, why):
    done = prepare(modes)
    assert done.returncode == 2
    assert why in one_line(done) and "choices are auto, f16, bf16, q8_0" in done.stderr


def test_a_missing_model_is_told_from_a_missing_option(tmp_path, model_path):
    assert run_switchyard("prepare", "--modes", "q8_0").returncode == 2
    done = run_switchyard("prepare", "--modes", "q8_0", "--model", tmp_path / "none.gguf")
    assert done.returncode == 1 and "no such file" in one_line(done)


def test_a_cache_that_is_no_folder_is_named(prepare, tmp_path):
    (tmp_path / "cache").write_text("a file")
    done = prepare("q4_0")
    assert done.returncode == 1 and str(tmp_path / "cache") in one_line(done)


def test_help_names_every_choice_of_the_errors(prepare):
    choices = prepare("nosuch").stderr.strip().split("choices are ")[1].split(", ")
    text = run_switchyard("prepare", "--help").stdout.replace(";", ",").replace("\n", " ")
    assert len(choices) > 15
    assert all(f" {choice}," in text for choice in choices)


def test_a_write_that_fails_midway_leaves_nothing_but_what_was_ready(prepare, tmp_path):
    result = tmp_path / "result.json"

    def limit_file_size():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000_000, 100_000_000))

    done = prepare("q4_0,q8_0", "--json", result, preexec_fn=limit_file_size)
    assert done.returncode == 1 and "File too large" in one_line(done)
    assert [name.split("-")[1] for name in names(tmp_path / "cache")] == ["q4_0.gguf"]
    written = json.loads(result.read_text())
    assert written["partial"] is True and "File too large" in written["error"]
    assert [mode["mode"] for mode in written["modes"]] == ["q4_0"]


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}M", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system cannot be mounted here: a full disk was not tried")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_too_small_is_said_before_the_work(prepare, tmp_path):
    with small_disk(tmp_path / "disk", 120) as disk:
        done = prepare("q4_0,q8_0", cache=disk)
        assert done.returncode == 1
        assert "q8_0 weights need 145 MB" in one_line(done) and "MB are free" in done.stderr
        assert [name.split("-")[1] for name in names(disk)] == ["q4_0.gguf"]


def test_a_disk_that_fills_up_meanwhile_does_not_hurt_what_was_begun(prepare, model_path, tmp_path):
    """Its space is taken at the start, so that it does not fail minutes later."""
    with small_disk(tmp_path / "disk", 150) as disk:
        process = start_prepare(model_path, "q4_K_M", disk)
        wait_for_temporary(disk, process, bytes_on_disk=100_000_000)
        with (disk / "other").open("wb", buffering=0) as other, pytest.raises(OSError, match="space"):
            while True:
                other.write(bytes(4096))
        _, stderr = process.communicate(timeout=120)
        assert (process.returncode, stderr) == (0, b"")
        (disk / "other").unlink()
        assert "cached" in prepare("q4_K_M", cache=disk).stdout


def test_an_interrupt_ends_a_bar_on_the_terminal_and_leaves_no_partial_file(model_path, tmp_path):
    cache, result = tmp_path / "cache", tmp_path / "result.json"
    ours, theirs = pty.openpty()
    process = start_prepare(
        model_path, f"q4_0,{SLOW_MODE}", cache, "--json", result, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    while b"s left" not in seen:
        seen += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 1
    while b"interrupted" not in seen:
        seen += os.read(ours, 4096)
    os.close(ours)
    assert b"iq4_nl [#" in seen
    assert [name.split("-")[1] for name in names(cache)] == ["q4_0.gguf"]
    written = json.loads(result.read_text())
    assert written["partial"] is True and written["error"] == "interrupted"
    assert [mode["mode"] for mode in written["modes"]] == ["q4_0"]


def test_what_a_killed_run_leaves_is_removed_by_the_next(prepare, model_path, tmp_path):
    cache = tmp_path / "cache"
    process = start_prepare(model_path, "q4_0", cache)
    wait_for_temporary(cache, process)
    process.kill()
    process.communicate()
    assert len(names(cache)) > 0
    assert prepare("q4_0").returncode == 0
    assert [name.split("-")[1] for name in names(cache)] == ["q4_0.gguf"]


def test_two_at_once_derive_a_file_once(model_path, tmp_path):
    cache = tmp_path / "cache"
    both = [
        start_prepare(model_path, "q4_K_M", cache, "--json", tmp_path / f"{i}.json") for i in (0, 1)
    ]
    errors = [process.communicate(timeout=150)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], errors
    results = [json.loads((tmp_path / f"{i}.json").read_text())["modes"][0] for i in (0, 1)]
    assert sorted(mode["status"] for mode in results) == ["cached", "derived"]
    assert results[0]["path"] == results[1]["path"]
    assert len(names(cache)) == 1
