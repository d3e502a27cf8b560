from runs.doors import open_door

open_door(__name__, "runs.run_folder")
