"""The bots: what they ask, their way out of circles, rounds of reflection, and where they refuse."""

from __future__ import annotations

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from language_models.asking.call_notes import CallNotes
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import PolicyAgent, ReflectionAgent, result_text


@pytest.fixture
def shipped(monkeypatch, kit):
    def use(answer):
        model = kit.Stub(answer)
        monkeypatch.setattr("mcdml.asking.clients.from_spec", lambda spec, **options: model)
        return model

    return use


def circle(kit):
    """ "wait" changes nothing that can be seen."""
    story = {"leave": (1, "won"), "sing": (0, "won"), "wait": (0, "won")}
    for _ in range(12):
        story = {"leave": (1, "won"), "sing": (0, story), "wait": (0, story)}

    game = kit.TreeGame(story)
    game.engine.look = lambda snapshot: "The same old room."
    return game


def test_after_five_repeats_in_one_state_an_action_is_drawn(kit):
    names = []
    for seed in range(30):
        state = circle(kit).new_initial_state()
        agent, client = PolicyAgent(seed), Client(kit.Stub(kit.favouring("wait")))
        for _ in range(6):
            decision = result_of(agent.decide(state), client)
            names.append(decision.name)
            state.apply_action(state.valid_actions().index("wait"))
        # The first "wait" is in another state: the story's beginning was the last thing printed.
        assert names[-6:] == ["wait"] * 6
        names.append(result_of(agent.decide(state), client).name)
    assert set(names[6::7]) == {"leave", "sing", "wait"}


def test_the_policy_sees_the_steps_before_and_reads_names(kit):
    state = circle(kit).new_initial_state()
    for name in ("wait", "sing"):
        state.apply_action(state.valid_actions().index(name))
    model = kit.Stub(lambda prompt: "leave")
    decision = result_of(PolicyAgent(0).decide(state), Client(model))
    assert decision.name == "leave" and decision.tally.calls == 1
    prompt = model.requests[0].messages[-1].content
    assert "It begins.\n> wait\n\nYou wait.\n> sing\n\nYou sing.\nThe same old room." in prompt


def test_a_reply_that_names_no_action_is_counted_and_one_is_drawn(kit):
    state = circle(kit).new_initial_state()
    drawn = {
        result_of(PolicyAgent(seed).decide(state), Client(kit.Stub(lambda prompt: "?"))).name
        for seed in range(20)
    }
    assert drawn == {"leave", "sing", "wait"}
    decision = result_of(PolicyAgent(0).decide(state), Client(kit.Stub(lambda prompt: "?")))
    assert decision.tally.unreadable == 1


def test_the_reflection_agent_learns_in_three_rounds(kit):
    number = iter(range(10))

    def answer(prompt):
        if "one sentence of advice" in prompt:
            return f"Advice {next(number)}."
        return (
            kit.favouring("take lantern", "light lantern", "go down")(prompt)
            if "Advice 1." in prompt
            else kit.favouring("go down", "wait")(prompt)
        )

    game = kit.trap()
    model = kit.Stub(answer)
    agent = ReflectionAgent(game, 0, 1)
    client = Client(model)
    first = result_of(agent.decide(game.new_initial_state()), client)
    assert first.name == "take lantern" and first.reflections == ("Advice 0.", "Advice 1.", "Advice 2.")
    asked = [request for request in model.requests if "reflection agent" in request.purpose]
    assert len(asked) == 3
    assert "ended with a score of 5 out of 100" in asked[0].messages[-1].content
    assert "ended with a score of 10 out of 100" in asked[2].messages[-1].content
    assert "- Advice 0." in asked[1].messages[-1].content
    state = game.new_initial_state().child(first.action)
    second = result_of(agent.decide(state), client)
    assert second.name == "light lantern" and second.tally.calls + second.tally.hits == 1


def test_rounds_stop_at_their_limit(kit):
    model = kit.Stub(kit.favouring("wait"))
    agent = ReflectionAgent(circle(kit), 0, 1, rounds=1, max_moves=3)
    decision = result_of(agent.decide(circle(kit).new_initial_state()), Client(model))
    # Three moves, the reflection, and the first move of the game itself.
    assert decision.tally.visits == 3 + 1 and decision.tally.calls == 3 + 1 + 1
    with pytest.raises(ValueError, match="rounds of 0 or more"):
        ReflectionAgent(circle(kit), 0, 1, rounds=-1)
    with pytest.raises(ValueError, match="repeats: expected at least 1"):
        PolicyAgent(0, repeats=0)


@pytest.mark.parametrize(
    "bot",
    [
        "mcdml(simulations_per_action=2)",
        "puct(simulations_per_action=2)",
        "puct(prior=static,simulations_per_action=2)",
        "mcdml_llm_policy",
        "reflection_agent(rounds=1,round_moves=4)",
    ],
)
@pytest.mark.parametrize("game", ["text_adventure(max_moves=4)", "connect_four", "leduc_poker"])
def test_all_bots_play(game, bot, shipped, kit):
    shipped(kit.favouring("x3", "Call"))
    seats = [bot] if game.startswith("text") else [bot, "random"]
    if game == "leduc_poker" and not bot.startswith(("mcdml_llm", "reflection")):
        with pytest.raises(ValueError, match="one player or of perfect information.*llm_ismcts"):
            make_bot(bot, load_game(game), 0, 1)
        return
    records = [play_match(game, seats, 3) for _ in range(2)]
    assert records[0].forfeit is None
    assert [move.action for move in records[0].moves] == [move.action for move in records[1].moves]
    notes = next(move.notes for move in records[0].moves if move.notes)
    assert notes["language_model"] == ("none" if bot.startswith("puct(sim") else "stub")
    assert {"visits", "calls", "hits", "prompt_tokens", "seconds"} <= notes["tally"].keys()
    # What the arena's reports read stands at the top.
    calls, tally = CallNotes.from_notes(notes), notes["tally"]
    assert calls.model_calls == tally["calls"]
    assert calls.tokens == tally["prompt_tokens"] + tally["completion_tokens"]


def test_the_policys_prompt_on_hidden_information_shows_no_other_card(shipped, kit):
    prompts = []
    for other in (2, 3, 4, 5):
        model = shipped(kit.favouring("Call"))
        state = load_game("leduc_poker").new_initial_state()
        for action in (0, other, 1):
            state.apply_action(action)
        state.apply_action(1)
        state.apply_action(1)  # the public card
        bot = make_bot("mcdml_llm_policy", state.get_game(), 0, 1)
        bot.step(state)
        prompts.append(model.requests[0].messages[-1].content)
    assert len(set(prompts)) == 1 and "Rules of the game" in prompts[0]


@pytest.mark.parametrize(
    "bot, said",
    [
        ("puct(prior=verbalized)", "expected uniform or static"),
        ("mcdml(prior=best)", "expected one of"),
        ("mcdml(q=max)", "mean, softmax"),
        ("mcdml(on_miss=skip)", "error, uniform"),
        ("mcdml(simulations_per_action=0)", "simulations_per_action"),
    ],
)
def test_bots_refuse_values(bot, said, shipped):
    shipped(str)
    with pytest.raises(ValueError, match=said):
        make_bot(bot, load_game("connect_four"), 0, 1)


@pytest.mark.parametrize("bot", ["mcdml", "mcdml_llm_policy", "reflection_agent"])
def test_bots_refuse_simultaneous_games(bot, shipped):
    shipped(str)
    with pytest.raises(ValueError, match="sequential"):
        make_bot(bot, load_game("goofspiel"), 0, 1)


def test_no_pruning_is_one_depth(shipped, kit):
    shipped(kit.favouring("on"))
    game = kit.TreeGame({"on": (0, kit.chain(11, 7)), "stop": (0, "won")})
    depths = []
    for spec in ("mcdml", "mcdml(pruning=false)"):
        bot = make_bot(spec, game, 0, 1)
        bot.step(game.new_initial_state())
        depths.append(bot.notes()["depth"])
    assert depths == [30, 10]


def test_results_in_words(kit):
    assert result_text(kit.trap().new_initial_state(), 0) == "a score of 0 out of 100"
    assert result_text(load_game("connect_four").new_initial_state(), 0) == "a return of 0"
