"""Batches of matches: against the arena's own matches of the same policies, and the walls between matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.wrestle import physics
from language_models import Completion
from policy_evolve.evolution.evolution import Evolution
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, batches, mirrored
from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.policy_batch import PolicyBatch
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs.executors import InlineExecutor
from runs.run_folder import open_folder

RANDOM = Program("random", read_source("random_wrestle"))
RAMS = Program("rams", "def act(observation, memory):\n    return [200, 0]\n")
STANDS = Program("stands", "def act(observation, memory):\n    return [0, 0]\n")
ALONE = Settings("wrestle(max_steps=60)", edition=1).match_rules()
GRID = replace(ALONE, batch=8)
CONTINUOUS = replace(ALONE, batch=8, continuous=True)
VIEW = {"agent_obs": "." * 1600, "id": "team_0"}


def _played(rules, tmp_path, pairings, name="m"):
    return Evaluator(rules, tmp_path / f"{name}.jsonl", InlineExecutor()).play(pairings)


def test_a_batch_plays_the_matches_that_the_arena_plays(tmp_path):
    """Random policies too: each match has the random numbers that it has by itself."""
    pairings = mirrored(RANDOM, RAMS, 6, (1,)) + mirrored(RAMS, STANDS, 2, (2,))
    alone = _played(ALONE, tmp_path, pairings, "alone")
    together = _played(GRID, tmp_path, pairings, "together")
    assert [one.returns for one in together] == [one.returns for one in alone]
    assert {one.returns for one in alone} > {(1.0, -1.0)}
    for one, other in zip(alone, together):
        assert other.style["steps"] == len(one.actions) // 2 and other.opening == one.opening
    watched = Evaluator(GRID, tmp_path / "together.jsonl", InlineExecutor()).watch(pairings[:2])
    grid = physics_grid()
    for one, other in zip(alone, watched):
        assert [list(grid.value(action)) for action in one.actions] == [
            action for joint in other.course for action in joint
        ]


def physics_grid():
    from arena.registry.games import load_game

    return load_game("wrestle").grid


def test_continuous_actions_are_played_as_they_are(tmp_path):
    answers = Program("answers", "def act(observation, memory):\n    return [33.25, -1.5]\n")
    pairings = mirrored(answers, STANDS, 2, (1,))
    exact = Evaluator(CONTINUOUS, tmp_path / "c.jsonl", InlineExecutor()).watch(pairings)
    snapped = Evaluator(GRID, tmp_path / "g.jsonl", InlineExecutor()).watch(pairings)
    assert exact[0].course[-1][0] == [33.25, -1.5]
    assert snapped[0].course[-1][0] == [50.0, 0.0]


def test_starts_take_turns_and_both_matches_of_a_pair_have_one(tmp_path):
    rules = replace(CONTINUOUS, starts=("standard", "middle", "rim"), opening_plies=0)
    pairings = mirrored(STANDS, RAMS, 6, (1,), rules.starts)
    assert [pairing.start for pairing in pairings] == ["standard"] * 2 + ["middle"] * 2 + ["rim"] * 2
    watched = Evaluator(rules, tmp_path / "m.jsonl", InlineExecutor()).watch(pairings)
    # Who rams straight ahead from the middle meets the other one after 20 units, from the standard start after 260.
    assert len(watched[2].course) < len(watched[0].course)
    assert len({pairing.key for pairing in pairings}) == 6


def test_every_start_is_fair():
    """A half-turn about the centre or a mirror maps each start to itself with the players exchanged."""
    for world in physics.STARTS.values():
        one, other = world.discs
        assert one.vx == one.vy == other.vx == other.vy == 0 and one.energy == other.energy
        distances = [
            ((disc.x - physics.CENTRE[0]) ** 2 + (disc.y - physics.CENTRE[1]) ** 2) ** 0.5
            for disc in (one, other)
        ]
        assert distances[0] == pytest.approx(distances[1])
        assert not physics.is_over(world)
        assert one.heading == -other.heading and one.x == other.x and one.y - 350 == 350 - other.y


def test_a_fault_costs_its_own_match_only(tmp_path):
    """In one match of a batch the policy crashes, hangs or ends its worker; all others come out as ever."""
    trouble = {
        "crash": "raise RuntimeError('oh')",
        "timeout": "while True: pass",
        "ends": "import os\n        os._exit(1)",
    }
    for kind, body in trouble.items():
        # The random opening tells the matches apart: only some of them leave the disc this fast.
        faulty = Program(
            kind,
            "def act(observation, memory):\n"
            "    x, y = observation['speed']\n"
            f"    if memory.setdefault('bad', x > 12):\n        {body}\n"
            "    return [0, 0]\n",
        )
        rules = replace(CONTINUOUS, limits=PolicyLimits(move_seconds=0.5, match_seconds=5.0))
        pairings = mirrored(faulty, STANDS, 8, (3,))
        outcomes = _played(rules, tmp_path, pairings, kind)
        forfeits = [one.forfeit for one in outcomes]
        assert any(forfeits) and not all(forfeits)
        for pairing, outcome in zip(pairings, outcomes):
            if outcome.forfeit:
                assert pairing.seats[outcome.forfeit[0]] == faulty
                assert outcome.forfeit[1] == ("timeout" if kind == "timeout" else "crash")
        if kind == "crash":
            assert "RuntimeError: oh at policy:4 in act" in next(filter(None, forfeits))[2]


def test_matches_of_a_batch_share_nothing():
    source = (
        "import random\n"
        "COUNT = [0]\n"
        "def act(observation, memory):\n"
        "    COUNT[0] += 1\n"
        "    memory['n'] = memory.get('n', 0) + 1\n"
        "    return [COUNT[0], memory['n'], random.random()]\n"
    )
    together = PolicyBatch(source, [5, 6, 5], "act_in_wrestle")
    first = together.answers([(slot, VIEW) for slot in (0, 1, 2)])
    second = together.answers([(2, VIEW), (0, VIEW)])
    together.close()
    assert [one.value[:2] for one in first] == [[1, 1]] * 3 and [one.value[:2] for one in second] == [
        [2, 2]
    ] * 2
    drawn = [one.value[2] for one in first]
    assert drawn[0] == drawn[2] != drawn[1] and second[0].value[2] == second[1].value[2] != drawn[0]


def test_groups_hold_the_same_two_programs():
    pairings = mirrored(RAMS, STANDS, 6, (1,)) + mirrored(RAMS, RANDOM, 4, (1,))
    groups = batches(pairings, 4)
    assert sorted(map(len, groups)) == [2, 4, 4]
    for group in groups:
        assert len({frozenset(program.name for program in pairing.seats) for pairing in group}) == 1


def test_what_cannot_be_played_in_batches_is_refused(tmp_path):
    with pytest.raises(ValueError, match="batch: expected 0 for tic_tac_toe"):
        Evaluator(MatchRules("tic_tac_toe", 2, batch=4), tmp_path / "m.jsonl", InlineExecutor())
    with pytest.raises(ValueError, match="batch: expected at least 1 for continuous"):
        MatchRules("wrestle", 6, continuous=True)
    with pytest.raises(ValueError, match="wrestle: start must be standard or middle or rim, got 'corner'"):
        Settings("wrestle(start=corner)").match_rules()


class _Writes:
    """A language model that answers with scripted wrestlers."""

    name = "writes"

    def __init__(self):
        self.asked = []

    def complete(self, request):
        self.asked.append((request.purpose, request.messages[0].content))
        text = "#Reflection: it glides out."
        if request.purpose.startswith("policy"):
            number = len([one for one, _ in self.asked if one.startswith("policy")])
            text = (
                f"```python\n{read_source(('wrestle_circler', 'wrestle_charger')[number % 2])}# {number}\n```"
            )
        return [Completion(text, "stop", 1, 1, None, "writes")]


def test_an_evolution_plays_in_batches_and_teaches_by_events(tmp_path):
    settings = Settings(
        "wrestle(max_steps=90)",
        matches=6,
        evidence=2,
        rating_matches=2,
        admission=1.0,
        think_ms=50.0,
        niches=True,
        candidates=2,
        starts=("middle", "rim"),
    )
    model, files = _Writes(), []
    for _ in range(2):
        open_folder(tmp_path / "run", settings.identity())
        run = Evolution(settings, tmp_path / "run", model, InlineExecutor())
        run.run(2)
        files.append((tmp_path / "run/state.json").read_text())
        asked = dict(model.asked)
        count = len(model.asked)
    assert files[0] == files[1] and count == len(asked)  # the second time nothing was asked or played
    row = run.history[0]
    assert row["fault"] is None and len(row["niche"]) == 2 and row["matches"] >= 6
    prompt = asked["policy p001a, initial"]
    assert "Both are used exactly as you give them." in prompt and "A move may take 50 ms" in prompt
    assert "near the ring's line" in prompt and "150 units from the centre, with" not in prompt
    log = asked[f"reflection on {row['policy']}"]
    assert '"dec":[' in log and '"ev":[[[' in log and "# The opponent that it did worst against" in log
    assert '[7,"start"' in log  # after six random moves
