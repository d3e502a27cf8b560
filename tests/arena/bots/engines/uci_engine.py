"""A chess engine for the tests of `uci`: plays the first or last of OpenSpiel's legal moves.

python uci_engine.py [--last] [--die N] [--hang N] [--answer MOVE]   N counts the moves asked for
"""

import argparse
import sys
import time

import pyspiel

parser = argparse.ArgumentParser()
parser.add_argument("--last", action="store_true")
parser.add_argument("--die", type=int)
parser.add_argument("--hang", type=int)
parser.add_argument("--answer")
parser.add_argument("--log")
options = parser.parse_args()
log = open(options.log, "a") if options.log else None
asked = 0
state = None
for line in sys.stdin:
    words = line.split()
    if log:
        log.write(line)
        log.flush()
    if words[0] == "uci":
        print("id name test\noption name Skill type spin\nuciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        fen = words[2 : words.index("moves")] if "moves" in words else words[2:]
        state = pyspiel.load_game("chess").new_initial_state(" ".join(fen))
        for move in moves:
            state.apply_action(state.parse_move_to_action(move))
    elif words[0] == "go":
        if asked == options.die:
            sys.exit(3)
        if asked == options.hang:
            time.sleep(60)
        asked += 1
        action = state.legal_actions()[-1 if options.last else 0]
        move = pyspiel.chess.action_to_move(action, state.board()).to_lan()
        print("info depth 7 seldepth 9 nodes 123 score cp -45 pv e2e4")
        print(f"bestmove {options.answer or move} ponder a1a1")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
