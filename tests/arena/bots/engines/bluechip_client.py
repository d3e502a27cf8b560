"""A bridge program for the tests of `bluechip`: opens 1C, passes ever after, and follows suit.

python bluechip_client.py PORT
"""

import re
import socket
import sys

SEATS = ["NORTH", "EAST", "SOUTH", "WEST"]
file = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw", newline="\r\n")


def send(text):
    file.write(text + "\r\n")
    file.flush()


def receive(pattern):
    line = file.readline().strip()
    match = re.fullmatch(pattern, line)
    if match is None:
        sys.exit(f"received {line!r}, expected {pattern}")
    return match


def hand(text):
    return [
        rank.lower() + suit.lower()
        for suit, ranks in re.findall(r"([CDHS]) ([^.]*)\.", text)
        for rank in ranks.split()
        if rank != "-"
    ]


send('Connecting "test" as ANYPL using protocol version 18')
me = SEATS.index(receive(r'(\w+) \("test"\) seated')[1])
send(f"{SEATS[me]} ready for teams")
receive('Teams: N/S ".*" E/W ".*"')
send(f"{SEATS[me]} ready to start")
receive("start of board")
send(f"{SEATS[me]} ready for deal")
receive(r"Board number 1\. Dealer NORTH\. Neither vulnerable\.")
send(f"{SEATS[me]} ready for cards")
cards = {me: hand(receive(f"{SEATS[me]}'s cards: (.*)")[1])}
assert len(cards[me]) == 13

calls = []
bids = []
while len(calls) < 4 or calls[-3:] != ["PASSES"] * 3:
    seat = len(calls) % 4
    if seat == me:
        calls.append("PASSES" if bids else "bids 1C")
        send(f"{SEATS[me]} {calls[-1]}")
    else:
        send(f"{SEATS[me]} ready for {SEATS[seat]}'s bid")
        calls.append(receive(f"{SEATS[seat]} (PASSES|DOUBLES|REDOUBLES|bids [1-7](?:C|D|H|S|NT))")[1])
    if calls[-1].startswith("bids"):
        bids.append((seat, calls[-1][5:]))
declarer = next(seat for seat, bid in bids if seat % 2 == bids[-1][0] % 2 and bid[1:] == bids[-1][1][1:])
dummy, trumps = (declarer + 2) % 4, bids[-1][1][1:].lower()

leader = (declarer + 1) % 4
for trick in range(1, 14):
    played = []
    for seat in [(leader + i) % 4 for i in range(4)]:
        if (seat == me and me != dummy) or (seat == dummy and me == declarer):
            if not played:
                receive(f"{SEATS[me]} to lead")
            follows = [card for card in cards[seat] if played and card[1] == played[0][1][1]]
            card = (follows or cards[seat])[0]
            cards[seat].remove(card)
            send(f"{SEATS[seat]} plays {card}")
        else:
            send(f"{SEATS[me]} ready for {SEATS[seat]}'s card to trick {trick}")
            card = receive(rf"{SEATS[seat]} plays ([2-9tjqka][cdhs])")[1]
        played.append((seat, card))
        if trick == 1 and len(played) == 1 and me != dummy:
            send(f"{SEATS[me]} ready for dummy")
            cards[dummy] = hand(receive("Dummy's cards: (.*)")[1])
    leader = max(
        played,
        key=lambda item: (
            item[1][1] == trumps,
            item[1][1] == played[0][1][1],
            "23456789tjqka".index(item[1][0]),
        ),
    )[0]
receive("Timing - .*")
