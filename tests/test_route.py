"""`route` and `bench router`: the real binary on a small calibration and the built-in profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import harness

PROFILE = ("--profile", "a100-llama8b")
QUALITY = {
    "schema": "switchyard.quality.v1",
    "modes": [
        {
            "mode": "int8",
            "classes": {
                "all": {"top1_agreement": 0.971, "mean_kl": 0.0034},
                "arithmetic": {"top1_agreement": 0.971, "mean_kl": 0.0034, "accuracy_low_points": -0.7},
            },
        },
        {"mode": "4bit", "classes": {"all": {"top1_agreement": 0.9, "mean_kl": 0.05}}},
        {"mode": "not-loaded", "classes": {}},
    ],
}


def route(*args: object):
    return harness.run_switchyard("route", *args)


@pytest.fixture
def quality(tmp_path: Path) -> Path:
    path = tmp_path / "quality.json"
    path.write_text(json.dumps(QUALITY))
    return path


def decide(tmp_path: Path, *args: object) -> dict:
    out = tmp_path / "route.json"
    done = route(*PROFILE, "--json", out, *args)
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text())


def candidate(document: dict, mode: str) -> dict:
    return next(c for c in document["candidates"] if c["mode"] == mode)


def refused(*args: object, status: int = 2) -> str:
    done = route(*args)
    assert done.returncode == status, done.stdout + done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


MODES = ("--modes", "fp16,int8,4bit")


def test_explains_class_costs_objections_and_choice(quality: Path) -> None:
    done = route(*PROFILE, *MODES, "--quality", quality, "--prompt", "Tell me a story about a ship.")
    assert done.returncode == 0, done.stderr
    for text in ("class chat", "int8", "below the floor (0.900)", "Choice", "with demand fast: 4bit"):
        assert text in done.stdout, done.stdout


def test_unknown_quality_leaves_the_reference(tmp_path: Path) -> None:
    document = decide(tmp_path, *MODES, "--prompt", "Tell me a story.")
    assert document["decision"]["mode"].startswith("fp16")
    assert "not measured" in candidate(document, "4bit")["ruled_out"]


@pytest.mark.parametrize(
    ("demand", "prompt", "mode"),
    [
        ("balanced", "Tell me a story.", "int8"),
        ("fast", "Tell me a story.", "4bit"),
        ("fast", "what's 127 * 46?", "int8"),
        ("fast", "Pick one.\nA) red\nB) green\nC) blue", "fp16"),
        ("exact", "Tell me a story.", "fp16"),
    ],
)
def test_quality_guards_the_choice(
    tmp_path: Path, quality: Path, demand: str, prompt: str, mode: str
) -> None:
    document = decide(tmp_path, *MODES, "--quality", quality, "--demand", demand, "--prompt", prompt)
    assert document["decision"]["mode"].split("+")[0] == mode, document["decision"]


def test_load_moves_the_choice_to_the_lane_that_runs(tmp_path: Path, quality: Path) -> None:
    options = (*MODES, "--quality", quality, "--prompt", "Tell me a story.")
    assert decide(tmp_path, *options)["decision"]["mode"] == "int8"
    assert decide(tmp_path, *options, "--load", "8,2")["decision"]["mode"] == "fp16"
    assert decide(tmp_path, *options, "--load", "int8=8/2")["decision"]["mode"] == "int8"


def test_a_shared_prefix_is_reused(tmp_path: Path) -> None:
    document = decide(tmp_path, "--prompt", "word " * 3300, "--shared-prefix", 4032)
    assert "+prefix" in document["decision"]["mode"]


def test_costs_add_up(tmp_path: Path) -> None:
    for entry in decide(tmp_path, "--prompt", "hi", "--load", "3")["candidates"]:
        cost = entry["cost_ms"]
        parts = cost["wait"] + cost["prefill"] + cost["decode"] + cost["others"]
        assert cost["total"] == pytest.approx(parts, rel=1e-3)


def test_reads_a_prompt_of_any_bytes(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt"
    prompt.write_bytes(bytes(range(256)) * 400)
    assert decide(tmp_path, "--prompt-file", prompt)["request"]["bytes"] == 102_400


@pytest.mark.parametrize("policy", ["paper", "random:3", "fixed:4bit+prefix"])
def test_other_policies_name_their_rule(tmp_path: Path, policy: str) -> None:
    decision = decide(tmp_path, "--prompt", "hi", "--policy", policy)["decision"]
    assert decision["policy"] == policy
    assert decision["rule"].startswith(policy.split(":")[0])


def test_prints_the_compiled_table(tmp_path: Path, quality: Path) -> None:
    out = tmp_path / "table.json"
    done = route(*PROFILE, *MODES, "--quality", quality, "--table", "--json", out)
    assert done.returncode == 0, done.stderr
    assert "exact: all classes" in done.stdout
    document = json.loads(out.read_text())
    exact = [s for s in document["sections"] if s["for"][0].startswith("exact")]
    assert all(cell["mode"].startswith("fp16") for s in exact for cell in s["cells"])
    assert route(*PROFILE, *MODES, "--quality", quality, "--table").stdout == done.stdout


@pytest.mark.parametrize(
    ("args", "choices"),
    [
        (("--prompt", "hi"), "a100-llama8b"),
        (("--prompt", "hi", "--profile", "h100"), "a100-llama8b"),
        ((*PROFILE,), "--prompt-file"),
        ((*PROFILE, "--prompt", "hi", "--policy", "best"), "rules, paper"),
        ((*PROFILE, "--prompt", "hi", "--policy", "fixed:q9"), "fp16, fp16-graphs, int8"),
        ((*PROFILE, "--prompt", "hi", "--modes", "q9"), "fp16, fp16-graphs, int8"),
        ((*PROFILE, "--prompt", "hi", "--modes", "fp16,fp16"), "twice"),
        ((*PROFILE, "--prompt", "hi", "--demand", "wild"), "exact, balanced, fast"),
        ((*PROFILE, "--prompt", "hi", "--load", "many"), "RUNNING,WAITING"),
        ((*PROFILE, "--prompt", "hi", "--load", "q9=1"), "fp16, fp16-graphs, int8"),
        ((*PROFILE, "--prompt", "hi", "--load", "-1,2"), "RUNNING,WAITING"),
        ((*PROFILE, "--table", "--explain"), "--table"),
    ],
)
def test_bad_usage_lists_the_choices(args: tuple, choices: str) -> None:
    assert choices in refused(*args)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"schema": "switchyard.quality.v2", "modes": []}',
        '{"schema": "switchyard.quality.v1"}',
        '{"schema": "switchyard.quality.v1", "modes": [{"mode": "int8", "classes": {"chat": {}}}]}',
        '{"schema": "switchyard.quality.v1", "modes": [{"mode": "int8", "classes": {"poetry": {"top1_agreement": 1, "mean_kl": 0}}}]}',
        '{"schema": 1, "modes": []}',
        '{"schema": "switchyard.quality.v1", "modes": [{"mode": "int8", "is_reference": "yes"}]}',
    ],
)
def test_a_broken_quality_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "quality.json"
    path.write_text(text)
    message = refused(*PROFILE, "--prompt", "hi", "--quality", path, status=1)
    assert str(path) in message


def test_missing_files_are_refused() -> None:
    refused(*PROFILE, "--prompt-file", "/nonexistent", status=1)
    refused("--prompt", "hi", "--calibration", "/nonexistent", status=1)


def test_bench_router_times_every_policy(tmp_path: Path) -> None:
    out = tmp_path / "router.json"
    done = harness.run_switchyard("bench", "router", "--decisions", 2000, "--json", out)
    assert done.returncode == 0, done.stderr
    document = json.loads(out.read_text())
    assert 0 < document["decision_us"]["p50"] <= document["decision_us"]["p99"]
    names = [entry["policy"].split(":")[0].split()[0] for entry in document["policies"]]
    assert names == ["rules", "fixed", "paper", "random", "learned"]
