"""The bots of world models: `cwm_mcts`, `cwm_ismcts` and `cwm_ppo`; importing this registers them."""

from cwm.play import ismcts_bot, mcts_bot, policy_bot  # noqa: F401
