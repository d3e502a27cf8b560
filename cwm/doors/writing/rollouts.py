from runs.doors import open_door

open_door(__name__, "cwm.writing.rewriting.rollouts")
