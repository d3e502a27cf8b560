"""The bots of world models: `cwm_mcts`, `cwm_ismcts`, `cwm_smcts` and `cwm_ppo`; importing this registers them."""

from arena.registry.listings import register_listing
from cwm.contract.listing import shipped_models
from cwm.play import ismcts_bot, mcts_bot, policy_bot, smcts_bot  # noqa: F401

register_listing("models", shipped_models)
