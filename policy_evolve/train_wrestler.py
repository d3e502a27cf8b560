"""Trains a wrestler by PPO, an opponent that no language model wrote.

    pip install 'spielwright[neural]'
    python -m policy_evolve.train_wrestler --batches=800 --output=wrestle_ppo.py
    python -m policy_evolve.held_out --game=wrestle --run=evolved --opponents=wrestle_ppo.py,wrestle_matador

The network sees what a policy can make out: its own velocity, the ring's line, the other disc while it is in view. It chooses from
seven forces and five turns, held for three steps. A batch is 16,384 decisions of matches from all starts, half of them
against the network of now and half against those of before; it takes about a second. The output is a policy by itself.
"""

from __future__ import annotations

from policy_evolve.learned.training import train
from policy_evolve.learned.written import source
from runs import cli, flags


def main() -> None:
    """Runs the command; see the module's docstring."""
    values = flags.FLAGS
    output = cli.check_output(values.output, "output")
    if output.suffix != ".py":
        raise ValueError(f"--output: expected a name that ends in .py, found {values.output}")
    text = source(train(values.seed, values.batches))
    cli.write_text(output, text)
    print(f"{output}: {len(text):,} characters")


def _define_flags() -> None:
    flags.output("the policy, .py", required=True)
    flags.seed("everything")
    flags.DEFINE_integer("batches", 800, "Batches of 16,384 decisions to learn from.", lower_bound=1)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
