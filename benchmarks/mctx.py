"""Measures searches beside mctx on pgx's games, on this processor, in one run, interleaved.

    python -m benchmarks.mctx --json=mctx.json

For each game that pgx has too: simulations a second from the start of OpenSpiel's C++ bot on its own game, of ours in
a sealed worker on the model in C, and of `mctx.muzero_policy` on pgx's game, compiled by JAX, alone and over a batch of
games. All make the same number of simulations with one random rollout each; mctx gets uniform priors, the rollout's
result as its value, and no noise. On a game with chance mctx samples the chance of a node once. pgx's Leduc poker is
left out: mctx would search a deal that it sees.

It needs `pip install pgx mctx`, besides a C compiler (`pip install '.[native]'`).
"""

from __future__ import annotations

from arena.registry.games import load_game
from benchmarks.support.contestants import (
    Search,
    ground_truth_search,
    interleaved,
    names_of,
    positions,
    sealed_search,
)
from cwm.contract import manifest, model_folders
from cwm.worker.simulator import Simulator
from runs import cli, flags
from runs.progress import Bar
from runs.tables import text_table

GAMES = ("tic_tac_toe", "connect_four", "backgammon")
"""Those of pgx; OpenSpiel calls them so too."""

OURS, MCTX = "ours, native", "mctx on pgx"


def mctx_search(game: str, simulations: int, batch: int) -> Search:
    """Returns mctx's search from the first state of as many games of pgx as `batch` says.

    It makes `simulations` in each, whatever it is asked for: JAX compiles a search for one number.

    Raises:
      ImportError: pgx, mctx or JAX is not installed.
    """
    try:
        import jax
        import jax.numpy as jnp
        import mctx
        import pgx
    except ImportError as error:
        raise ImportError(
            f"benchmarks.mctx: expected pgx and mctx, found none ({error}); pip install pgx mctx"
        ) from error

    env = pgx.make(game)
    start = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))

    def rollout(state, key):
        """The return of the state's player after random actions to the end."""
        player = state.current_player

        def step(carried):
            state, key, total = carried
            key, choice, chance = jax.random.split(key, 3)
            action = jax.random.categorical(choice, logits(state))
            state = env.step(state, action, chance)
            return state, key, total + state.rewards[player]

        return jax.lax.while_loop(lambda carried: ~carried[0].terminated, step, (state, key, jnp.float32(0)))[2]

    def logits(state):
        return jnp.where(state.legal_action_mask, 0.0, -1e9)

    def recurrent(_, key, action, state):
        """A node's child and its value; the worth of a state is that for the player who moves there."""
        player = state.current_player
        chance, choices = jax.random.split(key)
        after = jax.vmap(env.step)(state, action, jax.random.split(chance, batch))
        value = jax.vmap(rollout)(after, jax.random.split(choices, batch))
        same = jnp.where(after.current_player == player, 1.0, -1.0)
        return mctx.RecurrentFnOutput(
            reward=after.rewards[jnp.arange(batch), player],
            discount=jnp.where(after.terminated, 0.0, same),
            prior_logits=logits(after),
            value=jnp.where(after.terminated, 0.0, value),
        ), after

    @jax.jit
    def policy(key):
        root = mctx.RootFnOutput(prior_logits=logits(start), value=jnp.zeros(batch), embedding=start)
        found = mctx.muzero_policy(
            {},
            key,
            root,
            recurrent,
            simulations,
            invalid_actions=~start.legal_action_mask,
            dirichlet_fraction=0.0,
        )
        return found.action

    def search(_: int, seed: int) -> int:
        policy(jax.random.PRNGKey(seed)).block_until_ready()
        return simulations * batch

    return search


def measure(name: str, rounds: int, simulations: int, batch: int) -> dict[str, float]:
    """Returns the simulations a second on one game, by who searches."""
    game = load_game(name)
    loaded = manifest.load(model_folders.resolve(f"{name}/0"))
    start = positions(game, 1)
    with Simulator(loaded.source, native_source=loaded.native_source, interpreter="native") as simulator:
        contestants = {
            "OpenSpiel C++ bot": (ground_truth_search(game, start), simulations),
            OURS: (sealed_search(simulator, [names_of(state) for state in start]), simulations),
            MCTX: (mctx_search(name, simulations, 1), simulations),
            f"{MCTX}, {batch} games at once": (mctx_search(name, simulations, batch), simulations),
        }
        return interleaved(contestants, rounds)


def show(rates: dict[str, dict[str, float]]) -> None:
    """Prints the table."""
    first = next(iter(rates.values()))
    rows = [[label, *(f"{row[label]:,.0f}" for row in rates.values())] for label in first]
    ratios = [
        row[OURS] / max(rate for label, rate in row.items() if label.startswith(MCTX)) for row in rates.values()
    ]
    rows.append(["ours / mctx at its best", *(f"{ratio:,.1f}" for ratio in ratios)])
    print(text_table([["simulations a second", *rates], *rows]))


def _define_flags() -> None:
    flags.json()
    flags.DEFINE_integer("rounds", 5, "Rounds; the median counts.", lower_bound=5)
    flags.DEFINE_integer("batch", 16, "Number of games at once.", lower_bound=2)
    flags.simulations(200)


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    rates = {name: measure(name, F.rounds, F.simulations, F.batch) for name in Bar(GAMES, unit="game")}
    if output is not None:
        manifest.write_json(output, rates)
    show(rates)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
