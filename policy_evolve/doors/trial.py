from runs.doors import open_door

open_door(__name__, "policy_evolve.evolution.smoke_run")
