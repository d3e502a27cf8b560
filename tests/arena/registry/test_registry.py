from __future__ import annotations

import importlib

import pyspiel
import pytest

from arena.registry.bots import BotSpec, canonical, make_bot, register_bot, resolve

registry = importlib.import_module("arena.registry.bots")


class _Stub(pyspiel.Bot):
    def __init__(self, **received):
        super().__init__()
        self.received = received


@pytest.fixture
def stub(monkeypatch):
    """A registry that also holds `stub`, and is restored afterwards."""
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))

    @register_bot("stub", summary="keeps what its factory received")
    def _stub(
        game,
        player_id,
        seed,
        *,
        model: str,
        count: int = 3,
        rate: float = 0.5,
        flag: bool = True,
        seconds: float | None = None,
    ):
        return _Stub(
            game=game,
            player_id=player_id,
            seed=seed,
            model=model,
            count=count,
            rate=rate,
            flag=flag,
            seconds=seconds,
        )

    return _stub


GAME = pyspiel.load_game("tic_tac_toe")


def test_values_arrive_in_their_declared_types(stub):
    bot = make_bot("stub(model=7,count=-4,rate=2,flag=False,seconds=1e-1)", GAME, 1, 11)
    received = dict(bot.received)
    assert received.pop("game") is GAME
    assert received == {
        "player_id": 1,
        "seed": 11,
        "model": "7",
        "count": -4,
        "rate": 2.0,
        "flag": False,
        "seconds": 0.1,
    }
    assert isinstance(received["rate"], float)


def test_none_is_a_value_of_an_optional_parameter_only(stub):
    assert resolve("stub(model=m,seconds=none)").parameters["seconds"] is None
    with pytest.raises(ValueError, match="expected a whole number, found 'none'"):
        resolve("stub(model=m,count=none)")


@pytest.mark.parametrize(
    "spec, part",
    [
        ("stab", "did you mean stub?"),
        ("zzzzz", "expected one of: mcts, random, stub"),
        ("stub(modle=x)", "did you mean model?"),
        ("stub(count=1)", "needs the parameter 'model'"),
        ("random(x=1)", "there are none to choose from"),
        ("stub(model=m,count=1.5)", "expected a whole number, found '1.5'"),
        ("stub(model=m,rate=fast)", "expected a finite number, found 'fast'"),
        ("stub(model=m,rate=nan)", "expected a finite number, found 'nan'"),
        ("stub(model=m,flag=1)", "expected true or false, found '1'"),
    ],
)
def test_errors_name_what_was_expected_and_found(stub, spec, part, monkeypatch):
    # The list of known bots is fixed, so that bots of other packages do not change the sentence.
    known = {name: entry for name, entry in registry.bots().items() if name in ("mcts", "random", "stub")}
    monkeypatch.setattr(registry, "bots", lambda: known)
    with pytest.raises(ValueError) as caught:
        make_bot(spec, GAME, 0, 0)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parsed_specs_may_hold_typed_values(stub):
    spec = BotSpec("stub", {"model": "m", "rate": 1, "flag": False})
    assert resolve(spec).parameters == {"model": "m", "rate": 1.0, "flag": False}
    with pytest.raises(ValueError, match="expected a whole number, found 2.5"):
        resolve(BotSpec("stub", {"model": "m", "count": 2.5}))


def test_canonical_form_is_one_for_all_spellings(stub):
    spellings = ["stub(model=a b,flag=TRUE,rate=1)", " stub( model='a b' , flag=true, rate=1.0 )"]
    assert {canonical(text) for text in spellings} == {"stub(model=a b,flag=true,rate=1.0)"}


@pytest.mark.parametrize("player_id, seed", [(2, 0), (-1, 0), (0, -1), (0, 2**31)])
def test_seat_and_seed_are_checked(player_id, seed):
    with pytest.raises(ValueError, match="expected 0 to"):
        make_bot("random", GAME, player_id, seed)


def test_names_are_unique(stub):
    with pytest.raises(ValueError, match="already registered"):
        register_bot("stub", summary="again")(stub)


@pytest.mark.parametrize("hint", ["", ": list", ": int | str"])
def test_parameters_need_a_scalar_type_hint(stub, hint):
    namespace: dict = {}
    exec(f"def factory(game, player_id, seed, *, x{hint} = None): ...", namespace)
    with pytest.raises(TypeError, match="parameter 'x' needs the type hint"):
        register_bot("other", summary="")(namespace["factory"])
    assert "other" not in registry.bots()


def test_signature_shows_defaults_and_required_parameters(stub):
    assert registry.bots()["stub"].signature() == ("stub(model=<str>,count=3,rate=0.5,flag=true,seconds=none)")
