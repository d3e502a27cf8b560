"""The real MicroRTS engine beside ours, for users with Java and its jar; nothing else here needs either.

    pip install 'spielwright[microrts]'
    pip download gym-microrts==0.4.3 --no-deps --no-binary :all: && tar -xf gym-microrts-0.4.3.tar.gz
    export MICRORTS_JAR=$PWD/gym-microrts-0.4.3/gym_microrts/microrts/microrts.jar

`real_engine` plays games in it, `real_script` lets its bots play our `micro_rts`. The engine is GPL-3 and no
part of this project: it is called through its public classes, in this process, by JPype.
"""

from runs import doors as _doors

__path__ += _doors.folders(__file__)
