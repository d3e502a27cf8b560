"""Games of more than two players: who sits where, what counts as a win, and runs from end to end."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_evolve.compare import admissions, compare, table
from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution.admission import AMONG_MANY, Bar, judged
from policy_evolve.evolution.evolution import Evolution
from policy_evolve.evolution.pools import GlobalPool
from policy_evolve.evolution.settings import Settings, random_program
from policy_evolve.matches.evaluation import Evaluator, Outcome, Pairing, mirrored, tally
from policy_evolve.matches.places import standings
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.program import Program
from runs.executors import InlineExecutor
from runs.run_folder import open_folder

FIRST = Program("first", "def act(observation, memory):\n    return 0\n")
LAST = Program("last", "def act(observation, memory):\n    return len(observation['legal']) - 1\n")
PROGRAMS = [Program(name, f"# {name}") for name in "pqrstu"]
P, Q, R, S, *_ = PROGRAMS
KUHN_4 = "kuhn_poker(players=4)"


@given(
    players=st.integers(2, 7), matches=st.integers(1, 40), company=st.integers(0, 4), seed=st.integers(0, 99)
)
def test_in_a_block_each_policy_takes_each_seat_once(players, matches, company, seed):
    matches += matches % 2
    pairings = mirrored(P, Q, matches, (seed,), players=players, company=PROGRAMS[2 : 2 + company])
    assert matches <= len(pairings) < matches + players
    for block in range(0, len(pairings), players):
        rows = pairings[block : block + players]
        assert len({row.seed for row in rows}) == 1
        line_ups = {tuple(sorted(program.digest for program in row.seats)) for row in rows}
        assert len(line_ups) == 1 and {P.digest, Q.digest} <= set(*line_ups)
        held = Counter(*line_ups)
        for seat in range(players):  # as often as it has copies
            assert Counter(row.seats[seat].digest for row in rows) == held
        others = {program.digest for program in PROGRAMS[2 : 2 + company]}
        assert len(held) == min(players, 2 + len(others))  # as many different ones as there are
    assert pairings == mirrored(
        P, Q, matches, (seed,), players=players, company=PROGRAMS[2 : 2 + company][::-1]
    )


def test_of_two_players_the_matches_are_what_they_were():
    """Files of earlier versions hold matches by these keys."""
    (first, second, *_) = mirrored(FIRST, LAST, 4, (3, 1, 1, 0))
    assert first.key == f"{FIRST.digest} {LAST.digest} {first.seed}"
    assert second.key == f"{LAST.digest} {FIRST.digest} {first.seed}"
    assert mirrored(FIRST, LAST, 4, (3, 1, 1, 0), company=[P, Q]) == mirrored(FIRST, LAST, 4, (3, 1, 1, 0))


def test_neighbours_change_from_block_to_block():
    pairings = mirrored(P, Q, 120, (1,), players=4, company=[R, S])
    behind = Counter(
        (row.seats.index(Q) - row.seats.index(P)) % 4 for row in pairings if row.seats.index(P) == 0
    )
    assert set(behind) == {1, 2, 3}


def _played(*rows):
    """Matches of four by (returns by program, forfeiting seat)."""
    return [
        (
            Pairing(tuple(returns), seed),
            Outcome(
                tuple(returns.values()),
                (-1, 0),
                (seed, 0),
                0,
                None if forfeit is None else (forfeit, "crash", "x"),
            ),
        )
        for seed, (returns, forfeit) in enumerate(rows)
    ]


def test_a_match_has_a_result_against_each_other_policy():
    played = _played(
        ({P: 3.0, Q: -1.0, R: -1.0, S: -1.0}, None),  # ahead of three
        ({Q: 3.0, P: -1.0, R: -1.0, S: -1.0}, None),  # behind one, level with two
        ({S: 1.0, R: 1.0, Q: 1.0, P: -3.0}, 3),  # its own forfeit
    )
    of_p = tally(played, P)
    assert (of_p.wins, of_p.draws, of_p.losses, of_p.forfeits, of_p.matches) == (3, 2, 4, 1, 3)
    assert of_p.score == pytest.approx((3 + 2 / 2) / 9) and of_p.mean_return == pytest.approx(-1 / 3)
    against = tally(played, P, Q)
    assert (against.wins, against.draws, against.losses) == (1, 0, 2)
    back = tally(played, Q, P)
    assert (back.wins, back.draws, back.losses) == (against.losses, against.draws, against.wins)
    assert back.score + against.score == pytest.approx(1)
    with pytest.raises(ValueError, match="expected matches of it with another policy"):
        tally(played, PROGRAMS[4])


@given(
    st.lists(
        st.permutations(PROGRAMS[:3]).flatmap(
            lambda seats: st.tuples(st.just(seats), st.lists(st.integers(-2, 2), min_size=3, max_size=3))
        ),
        min_size=1,
        max_size=8,
    )
)
def test_tallies_and_elo_balance(rows):
    played = [
        (Pairing(tuple(seats), number), Outcome(tuple(map(float, returns)), (-1,), (number,), 0, None))
        for number, (seats, returns) in enumerate(rows)
    ]
    tallies = [tally(played, program) for program in PROGRAMS[:3]]
    assert sum(one.wins for one in tallies) == sum(one.losses for one in tallies)
    assert sum(one.draws for one in tallies) % 2 == 0
    for one, other in itertools.combinations(PROGRAMS[:3], 2):
        there, back = tally(played, one, other), tally(played, other, one)
        assert there.score + back.score == pytest.approx(1) and there.low <= there.score <= there.high
    pool = GlobalPool(PROGRAMS[:3])
    for pairing, outcome in played:
        before = [member.elo for member in pool.members]
        pool.record_match(pairing, outcome)
        assert max(abs(member.elo - elo) for member, elo in zip(pool.members, before)) <= 32
    assert sum(member.elo for member in pool.members) == pytest.approx(3600)


def test_elo_among_copies_and_of_two():
    """K is shared out among the opponents; copies of a policy are not compared with each other."""
    pool = GlobalPool([P, Q])
    pool.record_match(Pairing((P, Q, Q), 1), Outcome((1.0, 0.0, 0.0), (), (), 0, None))
    assert pool.members[0].elo == 1200 + 2 * 16 * 0.5
    two, same = GlobalPool([P, Q]), GlobalPool([P, Q])
    two.record_match(Pairing((P, Q), 1), Outcome((1.0, -1.0), (), (), 0, None))
    same.record(P, Q, 1.0)
    assert [member.elo for member in two.members] == [member.elo for member in same.members] == [1216, 1184]


def test_finishing_ahead_by_never_betting_does_not_admit():
    """A policy that is level or one chip ahead of those who lose, and pays whoever wins."""
    rows = [({P: -1.0, Q: -2.0, R: 4.0, S: -1.0}, None)] * 6 + [({P: -1.0, Q: 4.0, R: -2.0, S: -1.0}, None)] * 4
    played = _played(*rows)
    verdict = judged(played, P, [Q], replace(AMONG_MANY, mean=0.0), Q)
    assert verdict.win_rate == pytest.approx(0.2)
    assert verdict.evidence["q"]["ahead"] == pytest.approx(-1 - 0.4)
    assert any("mean return is 1.400 below that of q" in reason for reason in verdict.refused)
    two = [(Pairing((P, Q), seed), Outcome((1.0, -1.0), (-1,), (seed,), 0, None)) for seed in range(40)]
    assert "ahead" not in judged(two, P, [Q], Bar(), Q).evidence["q"]


def test_the_places_are_the_arenas(tmp_path):
    evaluator = Evaluator(MatchRules(KUHN_4, 0), tmp_path / "m.jsonl", InlineExecutor())
    programs = [random_program(KUHN_4), FIRST, LAST]
    result = compare(programs, evaluator, 8, seed=1)
    for pair in result["pairs"]:
        assert pair["wins"] + pair["draws"] + pair["losses"] >= 8
        assert pair["win_rate"] == pytest.approx(2 * pair["score"] - 1)
    places = {policy["name"]: policy["places"] for policy in result["policies"]}
    for policy in result["policies"]:
        assert places[policy["name"]]["mean_return"]["mean"] == pytest.approx(policy["mean_return"])
    assert sum(own["plackett_luce"]["strength"] for own in places.values()) == pytest.approx(0, abs=1e-6)
    assert "Plackett-Luce" in table(result)
    verdicts = admissions(result, AMONG_MANY)
    assert [verdict["policy"] for verdict in verdicts] == ["last"] and "ahead" in verdicts[0]["evidence"][
        "first"
    ]
    clear = [
        (
            Pairing(seats, seed),
            Outcome(tuple(3.0 - "pqr".index(s.name) for s in seats), (-1,), (seed,), 0, None),
        )
        for seed, seats in enumerate(itertools.permutations((P, Q, R)))
    ]
    by_hand = standings(clear, "kuhn_poker(players=3)", 0)
    assert [by_hand[name]["mean_return"]["mean"] for name in "pqr"] == [3, 2, 1]


SMALL = dict(
    matches=4, rating_matches=2, opponents=2, evidence=4, admission=-1.0, floor=-1.0, most_draws=1.0, seed=3
)
PREFERS = "def act(observation, memory):\n    return min({}, len(observation['legal']) - 1)\n"


@pytest.mark.parametrize(
    "game, players",
    [
        (KUHN_4, 4),
        ("leduc_poker(players=3)", 3),
        ("goofspiel(num_cards=4)", 2),
        ("goofspiel(players=4,num_cards=4)", 4),
        ("goofspiel(players=3,num_cards=4,imp_info=True,points_order=descending)", 3),
        ("oh_hell", 3),
        ("liars_dice", 2),
    ],
)
def test_an_evolution_of_other_games(tmp_path, stub, game, players):
    class Indices(stub):
        """Policies that answer with an index."""

        def complete(self, request):
            [completion] = super().complete(request)
            if request.purpose.startswith("policy"):
                source = PREFERS.format(len(self.asked))
                completion = replace(completion, text=f"```python\n{source}```")
            return [completion]

    settings = Settings(game, **SMALL)
    open_folder(tmp_path / "run", settings.identity())
    model = Indices()
    run = Evolution(settings, tmp_path / "run", model, InlineExecutor())
    run.run(2)
    assert [row["fault"] for row in run.history] == [None, None]
    rows = [json.loads(line) for line in (tmp_path / "run/matches.jsonl").read_text().splitlines()[1:]]
    assert all(len(row["returns"]) == players == len(row["key"].split()) - 1 for row in rows)
    assert not any(row["forfeit"] for row in rows)
    assert sum(member.elo for member in run.pool.members) == pytest.approx(1200 * len(run.pool.members))
    log = next(prompt for purpose, prompt in model.asked if purpose.startswith("reflection"))
    told = json.loads(log.partition("# The log\n")[2].partition("\n\n# Your task")[0])
    assert all(len(returns) == players for returns in told["all"]) and len(told["end"]) == len(told["me"])
    if players > 2:
        assert all(names[seat] == "p001" for names, seat in zip(told["op"], told["me"]))
    first = dict(model.asked)["policy p001, initial"]
    assert ("either side" in first) == (players == 2)
    assert f"`player`: your number, 0 {'or' if players == 2 else 'to'} {players - 1}." in first
    assert "# An example" in first and "answer: " in first


def test_what_suits_the_number_of_players():
    assert Settings("tic_tac_toe").bar() == Bar() and Settings(KUHN_4).bar() == AMONG_MANY
    assert Settings(KUHN_4, admission=0.4).bar() == replace(AMONG_MANY, mean=0.4)
    with pytest.raises(ValueError, match="expected 2, one for each bot of a match, found 1"):
        match_game("pathfinding")


def test_a_run_of_two_is_known_by_what_it_was():
    """Resumed runs compare their settings with those of the file that began them."""
    known = Settings("wrestle").identity()
    assert (known["admission"], known["floor"], known["most_draws"]) == (0.6, 0.0, 0.5)
    assert not {"exploiter", "refuse_solvers"} & known.keys()
    assert Settings("leduc_poker", exploiter=True).identity()["exploiter"] is True


def test_the_example_shows_what_one_player_sees():
    """In a game of hidden cards, no observation of the example holds another player's card."""
    told = (
        domain_of("leduc_poker")
        .information(match_game("leduc_poker"), example=True)
        .partition("# An example")[2]
    )
    lines = [line for line in told.splitlines() if line.startswith("observation: ")]
    assert lines
    for line in lines:
        observation = json.loads(line.removeprefix("observation: "))
        data, dealt = observation["data"], [name for name in observation["history"] if name.startswith("deal")]
        assert observation["player"] == 0 and dealt[0] == f"deal {data['card']}"
        assert dealt[1:] == [f"deal {data['public_card']}"] * (data["public_card"] is not None)
    returns = told.rpartition("returns: ")[2]
    assert sum(float(part.split()[2]) for part in returns.strip().split(", ")) == 0
