"""Learns a policy by self-play inside a world model, with OpenSpiel's PPO.

    pip install 'spielwright[neural]'
    python -m cwm.ppo --model=leduc_poker/0 --steps=1000000 --output=leduc.npz
    python -m arena.tournament --game=leduc_poker --bots="cwm_ppo(policy=leduc.npz),random"

Lehrach et al. (2025), appendix D; PPO: Schulman et al. 2017. The ground truth takes no part. All seats
share one network, which knows what its player has seen and done (`cwm.play.features`). Beside the policy lies
its training state, `leduc.npz.state`: the same command, run again, goes on where it was stopped, and ends
with the same policy to the bit.
"""

from __future__ import annotations

import os

from cwm.contract import manifest, model_folders
from cwm.play.ppo import Settings, train
from runs import cli, flags
from sandbox import SandboxError, UnserialisableReply


def _define_flags() -> None:
    flags.model()
    flags.output("the policy, .npz", required=True)
    flags.DEFINE_integer("steps", 1_000_000, "Number of decisions to learn from.", lower_bound=1)
    flags.seed("everything")
    flags.DEFINE_integer("games", Settings.games, "Number of games in a batch.", lower_bound=1)
    flags.DEFINE_float(
        "learning_rate", Settings.learning_rate, "Learning rate of Adam, at the start.", lower_bound=0.0
    )
    flags.DEFINE_float("entropy", Settings.entropy, "Weight of the policy's entropy.", lower_bound=0.0)


def main() -> None:
    """The command; see the module's docstring."""
    values = flags.FLAGS
    output = cli.check_output(values.output, "output")
    if output.suffix != ".npz":
        raise ValueError(f"--output: expected a name that ends in .npz, found {values.output}")
    model = manifest.load(model_folders.resolve(values.model))
    model_folders.check_in_turn(model, "python -m cwm.ppo")
    settings = Settings(values.steps, values.seed, values.games, values.learning_rate, values.entropy)
    try:
        policy = train(model, settings, output)
    except UnserialisableReply as error:
        raise ValueError(
            f"--games={values.games} are too many at once for this model: {error}; give fewer"
        ) from error
    except SandboxError as error:
        raise ValueError(f"--model={values.model} failed: {error}") from error
    print(
        f"{output}: {policy.facts['decisions']:,} decisions in {model_folders.name_of(model.path)}, "
        f"{os.path.getsize(output):,} bytes; play it with cwm_ppo(policy={output})"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
