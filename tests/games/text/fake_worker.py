"""A story of our own in the place of Jericho's interpreter: it can be told to hang, to crash and to halt.

In the file `hangs.z5` commands to hang and to crash are among those to be tried; in `slow.z5` the trial
takes its time, so that several interpreters have something to share. The state holds how often `up` was
said. Started as `jericho_worker.py` is; each request is noted in ROM.log.
"""

import os
import sys
import time
from multiprocessing.connection import Connection

TOP = 3
CANDIDATES = ["crash", "down", "hang", "jump", "up", "wave"]


def moment(height: int, text: str) -> dict:
    return {
        "state": height,
        "text": text,
        "score": 5 * height,
        "over": height in (TOP, -1),
        "failed": height == -1,
        "key": bytes([height + 1]),
        "exact": bytes([height + 1]),
    }


def obey(command: str) -> None:
    if command == "hang":
        time.sleep(600)
    if command == "crash":
        os._exit(1)


def answer(rom: str, operation: str, arguments: tuple) -> object:
    if operation == "start":
        return moment(0, "At the foot of a tower.")
    height = arguments[0]
    if operation == "step":
        obey(arguments[1])
        if arguments[1] == "halt":
            return None
        after = height + {"up": 1, "down": -1}.get(arguments[1], 0)
        return moment(after, f"You are at height {after}.")
    if operation == "texts":
        return [f"Height {height}.", "You have nothing."]
    if operation == "candidates":
        if height == 1:
            return ["wave"]
        if height == 2:
            return [f"up{number}" for number in range(200)]
        return CANDIDATES if rom.endswith("hangs.z5") else ["down", "up", "wave"]
    if operation == "effects":
        if rom.endswith("slow.z5"):
            time.sleep(0.05)
        for command in arguments[1]:
            obey(command)
        return [(command, command.encode()) for command in arguments[1] if command[:2] in ("up", "do")]
    if operation == "choose":
        commands = sorted((command for command, _ in arguments[0]), reverse=True)
        return sorted(commands[: arguments[1]])
    raise AssertionError(operation)


def main(descriptor: int, rom: str) -> None:
    connection = Connection(descriptor)
    if os.path.basename(rom) == "unknown.z5":
        connection.send("this story is not known")
        return
    if os.path.basename(rom) == "crashes.z5":
        os._exit(1)
    connection.send({"name": "tower", "jericho": "0", "max_score": 5 * TOP, "walkthrough": ["up"] * TOP})
    while True:
        try:
            operation, arguments = connection.recv()
        except EOFError:
            return
        with open(rom + ".log", "a", encoding="utf-8") as log:
            log.write(operation + "\n")
        connection.send(answer(rom, operation, arguments))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
