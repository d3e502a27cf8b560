from runs.doors import open_door

open_door(__name__, "benchmarks.cwm.adequacy")
