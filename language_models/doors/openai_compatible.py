from runs.doors import open_door

open_door(__name__, "language_models.backends.openai_compatible")
