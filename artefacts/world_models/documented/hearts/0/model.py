from bisect import bisect_right
from functools import lru_cache

NUM_PLAYERS = 4
NUM_DISTINCT_ACTIONS = 52
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 64
MIN_UTILITY = 0.0
MAX_UTILITY = 26.0

# State: (phase, cur, way, deal, passes, plays, hands, leaders, broken, points)
#   phase:   0 pass direction, 1 deal, 2 pass, 3 play, 4 game over
#   cur:     player to act, -1 chance, -4 over
#   way:     pass direction 0..3, -1 before it is drawn
#   deal:    cards in the order dealt
#   passes:  cards in the order chosen (three of player 0, three of player 1, ...)
#   plays:   cards in the order played
#   hands:   four bit masks
#   leaders: leader of each trick (the one about to be led included)
#   broken:  hearts broken (bool)
#   points:  four ints (after the end: moon shot already accounted for)

_CARD = tuple(r + s for r in "23456789TJQKA" for s in "CDHS")
_INDEX = {_CARD[i]: i for i in range(52)}
_SEAT = "NESW"
_SEAT_NO = {"N": 0, "E": 1, "S": 2, "W": 3}
_DIR = ("No Pass", "Left", "Across", "Right")
_DIR_NO = {"No Pass": 0, "Left": 1, "Across": 2, "Right": 3}
_PHASE = ("PassDir", "Deal", "Pass", "Play", "GameOver")
_PHASE_NO = {"PassDir": 0, "Deal": 1, "Pass": 2, "Play": 3, "GameOver": 4}
_QS = 43
_FULL = (1 << 52) - 1
_SUIT = tuple(sum(1 << (4 * r + s) for r in range(13)) for s in range(4))
_NOT_HEARTS = _FULL & ~_SUIT[2]
_NO_POINTS = _NOT_HEARTS & ~(1 << _QS)
_PTS = tuple(1 if c % 4 == 2 else (13 if c == 43 else 0) for c in range(52))
_DIR_CHANCES = ((0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25))
_ZERO = (0, 0, 0, 0)
_START = (0, -1, -1, (), (), (), _ZERO, (), False, _ZERO)


def _inverse_factorials():
    out = [1.0]
    for i in range(1, 53):
        out.append(out[-1] / i)
    return tuple(out)


_INV_FACT = _inverse_factorials()


def _cards(mask):
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def _holder_of_two(hands):
    if hands[0] & 1:
        return 0
    if hands[1] & 1:
        return 1
    if hands[2] & 1:
        return 2
    return 3


def initial_state():
    return _START


def current_player(state):
    return state[1]


def legal_actions(state):
    phase = state[0]
    if phase == 3:
        hand = state[6][state[1]]
        plays = state[5]
        n = len(plays)
        t = n & 3
        if t == 0:
            if n == 0:
                return [0]
            if state[8]:
                return _cards(hand)
            return _cards((hand & _NOT_HEARTS) or hand)
        m = hand & _SUIT[plays[n - t] & 3]
        if m:
            return _cards(m)
        if n < 4:
            return _cards((hand & _NO_POINTS) or hand)
        return _cards(hand)
    if phase == 2:
        return _cards(state[6][state[1]])
    return []


def chance_outcomes(state):
    phase = state[0]
    if phase == 0:
        return list(_DIR_CHANCES)
    if phase == 1:
        h = state[6]
        left = _cards(_FULL & ~(h[0] | h[1] | h[2] | h[3]))
        p = 1.0 / len(left)
        return [(c, p) for c in left]
    return []


def apply_action(state, action):
    phase, cur, way, deal, passes, plays, hands, leaders, broken, points = state
    if phase == 3:
        h = list(hands)
        if not (h[cur] >> action) & 1:
            raise ValueError("illegal action")
        h[cur] ^= 1 << action
        if not broken:
            broken = action == _QS or (action & 3) == 2
        plays = plays + (action,)
        n = len(plays)
        if n & 3:
            return (3, (cur + 1) & 3, way, deal, passes, plays, tuple(h),
                    leaders, broken, points)
        c0, c1, c2, c3 = plays[n - 4:]
        best = c0
        win = 0
        suit = c0 & 3
        if (c1 & 3) == suit and c1 > best:
            best = c1
            win = 1
        if (c2 & 3) == suit and c2 > best:
            best = c2
            win = 2
        if (c3 & 3) == suit and c3 > best:
            best = c3
            win = 3
        winner = (leaders[-1] + win) & 3
        pts = _PTS[c0] + _PTS[c1] + _PTS[c2] + _PTS[c3]
        if pts:
            v = list(points)
            v[winner] += pts
            points = tuple(v)
        if n == 52:
            if 26 in points:
                points = tuple([0 if v == 26 else 26 for v in points])
            return (4, -4, way, deal, passes, plays, tuple(h), leaders, broken, points)
        return (3, winner, way, deal, passes, plays, tuple(h),
                leaders + (winner,), broken, points)
    if phase == 1:
        k = len(deal)
        h = list(hands)
        if not 0 <= action < 52 or ((h[0] | h[1] | h[2] | h[3]) >> action) & 1:
            raise ValueError("illegal outcome")
        h[k & 3] |= 1 << action
        deal = deal + (action,)
        hands = tuple(h)
        if k < 51:
            return (1, -1, way, deal, passes, plays, hands, leaders, broken, points)
        if way:
            return (2, 0, way, deal, passes, plays, hands, leaders, broken, points)
        first = _holder_of_two(hands)
        return (3, first, way, deal, passes, plays, hands, (first,), broken, points)
    if phase == 2:
        h = list(hands)
        if not (h[cur] >> action) & 1:
            raise ValueError("illegal action")
        h[cur] ^= 1 << action
        passes = passes + (action,)
        n = len(passes)
        if n < 12:
            return (2, n // 3, way, deal, passes, plays, tuple(h), leaders, broken, points)
        for i in range(12):
            h[(i // 3 + way) & 3] |= 1 << passes[i]
        first = _holder_of_two(h)
        return (3, first, way, deal, passes, plays, tuple(h), (first,), broken, points)
    if phase == 0:
        if not 0 <= action < 4:
            raise ValueError("illegal outcome")
        return (1, -1, action, deal, passes, plays, hands, leaders, broken, points)
    raise ValueError("the game is over")


def returns(state):
    if state[0] != 4:
        return [0.0, 0.0, 0.0, 0.0]
    return [26.0 - v for v in state[9]]


def action_name(state, action):
    if state[0] == 0:
        return _DIR[action]
    return _CARD[action]


def observation(state, player):
    phase, cur, way, deal, passes, plays, hands, leaders, broken, points = state
    shown = []
    passed = []
    received = []
    for q in range(4):
        mine = passes[3 * q:3 * q + 3]
        # a card lies before its receiver as soon as it is chosen; the receiver
        # sees it at once, for everybody else it lies face down
        g = 3 * ((q - way) & 3)
        coming = passes[g:g + 3]
        if q == player:
            shown.append(sorted([_CARD[c] for c in _cards(hands[q])]))
            passed.append(sorted([_CARD[c] for c in mine]))
            received.append(sorted([_CARD[c] for c in coming]))
        else:
            shown.append(["XX"] * bin(hands[q]).count("1"))
            passed.append(["XX"] * len(mine))
            received.append(["XX"] * len(coming))
    tricks = []
    for i in range(0, len(plays), 4):
        q = leaders[i >> 2]
        trick = []
        for c in plays[i:i + 4]:
            trick.append([_SEAT[q], _CARD[c]])
            q = (q + 1) & 3
        tricks.append(trick)
    if cur >= 0:
        who = "Player_%d" % cur
    elif cur == -1:
        who = "Chance"
    else:
        who = "Terminal"
    return {
        "current_player": who,
        "hands": shown,
        "hearts_broken": broken,
        "observing_player": player,
        "pass_direction": _DIR[way] if way > 0 else "No Pass",
        "passed_cards": passed,
        "phase": _PHASE[phase],
        "points": [float(v) for v in points],
        "received_cards": received,
        "tricks": tricks,
    }


def information_state(state, player):
    way = state[2]
    deal = state[3]
    passes = state[4]
    # the cards received are seen one by one, so their order is known
    g = 3 * ((player - way) & 3)
    return (player, way, len(deal), deal[player::4],
            len(passes), passes[3 * player:3 * player + 3], passes[g:g + 3],
            state[7][:1], state[5])


# ---------------------------------------------------------------------------
# Drawing hidden cards
#
# All deals and all choices of cards to pass are equally likely, so before play
# every distribution of the hands (after passing) that agrees with what the
# player knows has the same weight. The weight of the others' plays is the
# product of 1 / (number of legal cards); it depends on a hand only through the
# number of cards of each suit (and, for a discard in the first trick, on the
# queen of spades). So the suit counts are drawn exactly from a table of
# weighted counts, and then the cards.


def _shuffle(a, rand):
    for i in range(len(a) - 1, 0, -1):
        j = int(rand() * (i + 1))
        a[i], a[j] = a[j], a[i]


def _pick(cards, k, rand):
    a = list(cards)
    n = len(a)
    for i in range(k):
        j = i + int(rand() * (n - i))
        a[i], a[j] = a[j], a[i]
    return a[:k]


def _choose(cum, rand):
    n = len(cum)
    if n == 1:
        return 0
    i = bisect_right(cum, rand() * cum[-1])
    return i if i < n else n - 1


def _fill(classes, nodes, s, ra, rb, rc):
    if s == 4:
        return 1.0
    key = (ra, rb)
    node = nodes[s].get(key)
    if node is None:
        m, ta, tb, tc = classes[s]
        acc = 0.0
        cum = []
        splits = []
        for a in range(min(ra, m) + 1):
            wa = ta[a]
            if not wa:
                continue
            rest = m - a
            for b in range(max(0, rest - rc), min(rb, rest) + 1):
                w = wa * tb[b] * tc[rest - b]
                if w:
                    w *= _fill(classes, nodes, s + 1, ra - a, rb - b, rc - rest + b)
                    if w:
                        acc += w
                        cum.append(acc)
                        splits.append((a, b))
        node = (acc, cum, splits)
        nodes[s][key] = node
    return node[0]


@lru_cache(maxsize=128)
def _plan(counts, queen_open, specs):
    """Weighted counts of the ways to give the unknown cards to three players.

    counts: number of unknown cards of each suit; queen_open: the queen of
    spades is among them; specs: per player (slots, denominators by suit that
    grow with the number of cards of the suit, denominators that shrink with
    the number of hearts, the same for a first trick discard, forbidden bits).
    """
    special = False
    if queen_open:
        for sp in specs:
            if sp[3] or sp[4] & 16:
                special = True
    cum = []
    options = []
    acc = 0.0
    for owner in ((0, 1, 2) if special else (-1,)):
        caps = [sp[0] for sp in specs]
        ms = list(counts)
        if owner >= 0:
            if caps[owner] == 0 or specs[owner][4] & 8:
                continue
            caps[owner] -= 1
            ms[3] -= 1
        classes = []
        for s in range(4):
            m = ms[s]
            entry = [m]
            for i in range(3):
                slots, dens, neg, disc, forb = specs[i]
                blocked = (forb >> s) & 1
                if s == 3 and forb & 16:
                    blocked = 1
                mine = 1 if owner == i else 0
                shift = mine if s == 3 else 0
                less = ()
                if s == 2:
                    less = neg + tuple([v - mine for v in disc])
                cap = caps[i]
                tab = []
                for x in range(m + 1):
                    if x > cap or (blocked and x):
                        tab.append(0.0)
                        continue
                    w = _INV_FACT[x]
                    for d in dens[s]:
                        w /= d + x + shift
                    for v in less:
                        w /= v - x
                    tab.append(w)
                entry.append(tab)
            classes.append(entry)
        nodes = ({}, {}, {}, {})
        weight = _fill(classes, nodes, 0, caps[0], caps[1], caps[2])
        if weight > 0.0:
            acc += weight
            cum.append(acc)
            options.append((owner, nodes))
    return cum, options


def resample_state(player, history, rand):
    obs = history[-1][0]
    phase = _PHASE_NO[obs["phase"]]
    if phase == 0:
        return _START
    way = _DIR_NO[obs["pass_direction"]]
    length = len(history)
    dealt = min(52, length - 2)
    # own cards in the order dealt
    own = []
    prev = []
    for k in range(player, dealt, 4):
        now = history[k + 2][0]["hands"][player]
        j = 0
        for name in prev:
            if name != now[j]:
                break
            j += 1
        own.append(_INDEX[now[j]])
        prev = now
    # own cards passed so far and cards received so far, both in order
    gave = []
    came = []
    giver = (player - way) & 3
    if way and phase >= 2:
        start = 53 + 3 * player
        gave = [_INDEX[history[i][1]] for i in range(start, min(start + 3, length - 1))]
        start = 53 + 3 * giver
        prev = []
        for i in range(start, min(start + 3, length - 1)):
            now = history[i + 1][0]["received_cards"][player]
            for name in now:
                if name not in prev:
                    came.append(_INDEX[name])
                    break
            prev = now

    if phase <= 2:
        mine = set(own)
        mine.update(came)
        rest = [c for c in range(52) if c not in mine]
        _shuffle(rest, rand)
        deal = [0] * dealt
        hands = [0, 0, 0, 0]
        j = 0
        for q in range(4):
            if q == player:
                cards = own
            else:
                m = len(range(q, dealt, 4))
                if came and q == giver:
                    m -= len(came)
                    cards = came + rest[j:j + m]
                    _shuffle(cards, rand)
                else:
                    cards = rest[j:j + m]
                j += m
            deal[q::4] = cards
            for c in cards:
                hands[q] |= 1 << c
        if phase == 1:
            return (1, -1, way, tuple(deal), (), (), tuple(hands), (), False, _ZERO)
        made = length - 54
        passes = []
        for q in range(4):
            m = min(3, made - 3 * q)
            if m <= 0:
                break
            if q == player:
                chosen = gave
            elif q == giver:
                chosen = came
            else:
                chosen = _pick(deal[q::4], m, rand)
            for c in chosen:
                passes.append(c)
                hands[q] ^= 1 << c
        return (2, made // 3, way, tuple(deal), tuple(passes), (), tuple(hands),
                (), False, _ZERO)

    cur = -4 if phase == 4 else int(obs["current_player"][7:])
    sees = obs["hands"]
    plays = []
    leaders = []
    by = ([], [], [], [])
    events = ([], [], [], [])
    broken = False
    t = 0
    for trick in obs["tricks"]:
        q = _SEAT_NO[trick[0][0]]
        leaders.append(q)
        led = _INDEX[trick[0][1]] & 3
        j = 0
        for entry in trick:
            c = _INDEX[entry[1]]
            plays.append(c)
            by[q].append(c)
            events[q].append((t, j, led, c, broken))
            if not broken and (c == _QS or (c & 3) == 2):
                broken = True
            q = (q + 1) & 3
            j += 1
        t += 1
    if phase == 3 and len(plays) % 4 == 0:
        leaders.append(cur)

    own_hand = [_INDEX[name] for name in sees[player]]
    seen = set(plays)
    seen.update(own_hand)
    fixed = ([], [], [], [])
    if way:
        r = (player + way) & 3
        for c in gave:
            if c not in seen:
                fixed[r].append(c)
                seen.add(c)
    if phase == 3 and not plays and 0 not in seen:
        fixed[cur].append(0)
        seen.add(0)
    suits = ([], [], [], [])
    for c in range(52):
        if c not in seen:
            suits[c & 3].append(c)

    others = [q for q in range(4) if q != player]
    specs = []
    for q in others:
        known = [0, 0, 0, 0]
        queen = 0
        for c in fixed[q]:
            known[c & 3] += 1
            if c == _QS:
                queen = 1
        size = len(sees[q])
        slots = size - len(fixed[q])
        dens = ([], [], [], [])
        neg = []
        disc = []
        forb = 0
        for t, j, led, c, was_broken in reversed(events[q]):
            s = c & 3
            known[s] += 1
            size += 1
            if c == _QS:
                queen = 1
            if j == 0:
                if t and not was_broken:
                    if s == 2:
                        forb |= 11
                    else:
                        neg.append(size - known[2])
            elif s == led:
                dens[s].append(known[s])
            else:
                forb |= 1 << led
                if t == 0:
                    if s == 2 or c == _QS:
                        forb |= 19
                    else:
                        disc.append(size - known[2] - queen)
        specs.append((slots, (tuple(dens[0]), tuple(dens[1]), tuple(dens[2]), tuple(dens[3])),
                      tuple(neg), tuple(disc), forb))

    cum, options = _plan((len(suits[0]), len(suits[1]), len(suits[2]), len(suits[3])),
                         _QS not in seen, tuple(specs))
    owner, nodes = options[_choose(cum, rand)]
    held = [list(fixed[q]) for q in others]
    room = [sp[0] for sp in specs]
    if owner >= 0:
        suits[3].remove(_QS)
        held[owner].append(_QS)
        room[owner] -= 1
    ra = room[0]
    rb = room[1]
    for s in range(4):
        cards = suits[s]
        if not cards:
            continue
        _shuffle(cards, rand)
        node = nodes[s][(ra, rb)]
        a, b = node[2][_choose(node[1], rand)]
        held[0] += cards[:a]
        held[1] += cards[a:a + b]
        held[2] += cards[a + b:]
        ra -= a
        rb -= b

    hands = [0, 0, 0, 0]
    for c in own_hand:
        hands[player] |= 1 << c
    whole = [None, None, None, None]
    for i in range(3):
        q = others[i]
        m = 0
        for c in held[i]:
            m |= 1 << c
        hands[q] = m
        whole[q] = by[q] + held[i]

    passes = ()
    sent = [[], [], [], []]
    if way:
        for q in range(4):
            if q == player:
                sent[q] = gave
            elif q == giver:
                sent[q] = came
            else:
                sent[q] = _pick(whole[(q + way) & 3], 3, rand)
        passes = tuple(sent[0] + sent[1] + sent[2] + sent[3])
    deal = [0] * 52
    deal[player::4] = own
    for q in others:
        cards = whole[q]
        if way:
            got = sent[(q - way) & 3]
            cards = [c for c in cards if c not in got] + sent[q]
        _shuffle(cards, rand)
        deal[q::4] = cards

    return (phase, cur, way, tuple(deal), passes, tuple(plays), tuple(hands),
            tuple(leaders), broken, tuple([int(v) for v in obs["points"]]))


def resample_history(player, history, rand):
    state = resample_state(player, history, rand)
    if state[0] == 0:
        return []
    return [state[2]] + list(state[3]) + list(state[4]) + list(state[5])
