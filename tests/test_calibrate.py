"""`switchyard calibrate`: the costs it finds on a simulated engine whose costs are known, and its errors."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from harness import BINARY, run_switchyard

# Steps of 1 to 20 ms: seconds in all, and far above the granularity of a sleep.
COST = {
    "step_us": 0,
    "pass_us": 4000,
    "prefill_token_us": 20,
    "prefill_context_us": 10,
    "decode_us": 500,
    "decode_context_us": 1000,
    "copied_token_us": 5,
}
FAST = {**COST, "pass_us": 2000, "decode_us": 1000}
PROFILE = {"streams": 4, "context_tokens": 2048, "cost": COST, "modes": {"q8_0": FAST}}


def near(value: float, share: float = 0.05) -> object:
    return pytest.approx(value, rel=share)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profile") / "profile.json"
    path.write_text(json.dumps(PROFILE))
    return path


@pytest.fixture(scope="module")
def calibrated(profile: Path) -> tuple[subprocess.CompletedProcess[str], dict]:
    path = profile.parent / "calibration.json"
    words = ["--engine", f"sim:{profile}", "--modes", "f16,q8_0", "--rounds", 3, "--json", path]
    done = run_switchyard("calibrate", *words)
    assert done.returncode == 0, done.stderr
    return done, json.loads(path.read_text())


def mode(calibrated: tuple, name: str) -> dict:
    return next(m for m in calibrated[1]["modes"] if m["mode"] == name)


def test_finds_the_prefill_costs_of_the_profile(calibrated: tuple):
    for name, cost in (("f16", COST), ("q8_0", FAST)):
        prefill = mode(calibrated, name)["prefill"]
        assert prefill["pass_ms"] == near(cost["pass_us"] / 1e3)
        assert prefill["token_ms"] == near(cost["prefill_token_us"] / 1e3)
        assert prefill["attention_ms"] == near(cost["prefill_context_us"] / 1e6)
        assert mode(calibrated, name)["fit_error"] < 0.05


def test_finds_the_decode_costs_of_the_profile(calibrated: tuple):
    for name, cost in (("f16", COST), ("q8_0", FAST)):
        decode = mode(calibrated, name)["decode"]
        assert decode["batches"] == [1, 2, 4]
        for i, batch in enumerate(decode["batches"]):
            for j, context in enumerate(decode["contexts"]):
                each = cost["decode_us"] + context / 1000 * cost["decode_context_us"]
                assert decode["ms"][i][j] == near((cost["pass_us"] + batch * each) / 1e3)


def test_finds_the_cost_of_verifying_and_of_a_copied_prefix(calibrated: tuple):
    f16 = mode(calibrated, "f16")
    ratios = {point["tokens"]: point["ratio"] for point in f16["verify"]}
    assert ratios[1] == 1
    one = 4 + 0.5 + 0.512
    assert ratios[16] == near((4 + 16 * (0.020 + 0.0051)) / one)
    restored = f16["restore_fixed_ms"] + 1000 * f16["restore_ms_per_token"]
    assert restored == near(5, 0.1)


def test_says_what_it_measured_and_where(calibrated: tuple):
    document = calibrated[1]
    assert document["schema"] == "switchyard.calibration.v1"
    assert document["label"] == "measured"
    assert [m["mode"] for m in document["modes"]] == ["f16", "q8_0"]
    identity = document["identity"]
    assert identity["model"].startswith("sim:") and identity["model"].endswith("speed=1")
    assert identity["cores"] > 0 and identity["memory_bytes"] > 0
    for measured in document["modes"]:
        assert measured["decode_watts"] is None and measured["power_reason"]
        assert {p["what"] for p in measured["measurements"]} == {
            "prefill", "decode", "verify", "restore"
        }
        assert all(p["samples"] >= 3 for p in measured["measurements"])


def test_prints_a_table_of_the_modes(calibrated: tuple):
    done = calibrated[0]
    assert "f16" in done.stdout and "q8_0" in done.stdout and "decode of 4" in done.stdout
    assert done.stderr == ""


def test_an_interrupt_leaves_no_file_and_status_1(profile: Path, tmp_path: Path):
    path = tmp_path / "calibration.json"
    process = subprocess.Popen(
        [BINARY, "calibrate", "--engine", f"sim:{profile}", "--rounds", "100", "--json", path],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "interrupted" in error and error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine", "sim:nowhere"], "simulation profile nowhere"),
        (["--engine", "gpu"], "--engine is neither"),
        ([], "--model FILE is missing"),
        (["--engine", "sim:default", "--max-model-len", "100"], "too short to calibrate"),
        (["--rounds", "0"], "rounds"),
        (["--engine", "sim:default", "--modes", "f16,f16"], "listed twice"),
    ],
)
def test_bad_usage_is_one_line(words: list[str], said: str, tmp_path: Path):
    done = run_switchyard("calibrate", *words, cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert said in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_measures_real_weights(model_path: Path, tmp_path: Path):
    path = tmp_path / "calibration.json"
    words = ["--modes", "q8_0", "--max-num-seqs", 2, "--max-model-len", 512, "--rounds", 1]
    done = run_switchyard("calibrate", "--model", model_path, *words, "--json", path, timeout=150)
    assert done.returncode == 0, done.stderr
    document = json.loads(path.read_text())
    assert len(document["identity"]["model"]) == 64
    assert document["identity"]["engine"].startswith("llama.cpp ")
    measured = document["modes"][0]
    assert measured["weights_bytes"] > 1e8 and measured["kv_bytes_per_token"] == 23_040
    assert measured["prefill"]["token_ms"] > 0 and measured["load_seconds"] > 0
    assert measured["decode"]["ms"][1][0] > measured["decode"]["ms"][0][0] > 0
