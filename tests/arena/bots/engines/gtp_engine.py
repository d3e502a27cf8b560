"""A player of go or hex for the tests of `gtp`: plays the lowest free point, and passes when told to.

python gtp_engine.py [--pass] [--resign] [--log FILE]
"""

import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--pass", action="store_true", dest="passes")
parser.add_argument("--resign", action="store_true")
parser.add_argument("--log")
options = parser.parse_args()
log = open(options.log, "a") if options.log else None
size, taken = 19, set()
for line in sys.stdin:
    words = line.split()
    if log:
        log.write(line)
        log.flush()
    answer = ""
    if words[0] == "boardsize":
        size = int(words[1])
    elif words[0] == "clear_board":
        taken = set()
    elif words[0] == "play":
        taken.add(words[2])
    elif words[0] == "genmove":
        free = (f"{column}{row}" for row in range(1, size + 1) for column in "abcdefghjklmnopqrst"[:size])
        answer = next(point for point in free if point not in taken)
        taken.add(answer)
        answer = "PASS" if options.passes else "resign" if options.resign else answer.upper()
    elif words[0] == "komi" and float(words[1]) != 7.5:
        print("? unexpected komi\n")
        continue
    print(f"= {answer}\n")
    sys.stdout.flush()
    if words[0] == "quit":
        break
