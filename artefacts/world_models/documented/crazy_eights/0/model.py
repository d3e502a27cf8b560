NUM_PLAYERS = 5
NUM_DISTINCT_ACTIONS = 58
MAX_CHANCE_OUTCOMES = 57
MAX_GAME_LENGTH = 10000
MIN_UTILITY = -544.0
MAX_UTILITY = 0.0

_SUITS = "CDHS"
_RANKS = "23456789TJQKA"
_CARD_NAMES = tuple(_SUITS[c & 3] + _RANKS[c >> 2] for c in range(52))
_CARD_INDEX = {name: c for c, name in enumerate(_CARD_NAMES)}
_SUIT_INDEX = {ch: i for i, ch in enumerate(_SUITS)}
_BIT = tuple(1 << c for c in range(52))
_FULL = (1 << 52) - 1
_EIGHTS = 15 << 24


def _make_fit():
    suit_mask = [sum(1 << c for c in range(52) if c & 3 == s) for s in range(4)]
    rank_mask = [15 << (4 * r) for r in range(13)]
    return tuple(tuple(_EIGHTS | suit_mask[s] | rank_mask[c >> 2] for s in range(4))
                 for c in range(52))


# cards that may be played on (last card, suit to match)
_FIT = _make_fit()


def _value(card):
    rank = card >> 2
    if rank == 6:
        return 50
    if rank >= 9:
        return 10
    return card + 2          # as in the recorded games


_VALUE = tuple(_value(c) for c in range(52))

_PLAYER_NAMES = tuple(["Play " + s for s in _CARD_NAMES] + ["Draw", "Pass"]
                      + ["Nominate suit " + ch for ch in _SUITS])
_CHANCE_NAMES = tuple(["Deal " + s for s in _CARD_NAMES]
                      + ["Decide Player %d to be the dealer" % p for p in range(5)])

_CH = tuple(chr(i) for i in range(64))
_DRAW_MARK = _CH[52]
_DRAWN_MARK = _CH[60]

# text of an observation
_HEAD = ("Currently I have: \n"
         + "".join("Suit " + ch + ": " + " " * 13 + "\n" for ch in _SUITS))
_HEAD_BYTES = _HEAD.encode("ascii")
_POS = tuple(19 + 22 * (c & 3) + 8 + (c >> 2) for c in range(52))
_CODE = tuple(ord(_RANKS[c >> 2]) for c in range(52))
_MIDDLE = tuple(tuple("Previous card: " + _CARD_NAMES[c] + "\nPrevious suit: " + _SUITS[s]
                      + "\nStarting counterclockwise, other players have: "
                      for s in range(4)) for c in range(52))
_CARD_AT = len(_HEAD) + 15
_CARD_END = _CARD_AT + 2
_SUIT_AT = _CARD_END + 16
_NUM = tuple(str(i) for i in range(53))

# state: (player to act, phase, whose turn, hands, deck, last card, suit, draws in this
#         turn, consecutive passes, dealer, public record, private records, start events)
# phase: 0 dealer, 1 deal, 2 face-up card, 3 play, 4 nominate, 5 card being drawn, 6 over
_INITIAL = (-1, 0, -1, (0, 0, 0, 0, 0), _FULL, -1, -1, 0, 0, -1, "", (0, 0, 0, 0, 0), 0)
_DEALER_OUTCOMES = tuple((52 + p, 0.2) for p in range(5))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    ph = state[1]
    if ph == 3:
        m = state[3][state[0]] & _FIT[state[5]][state[6]]
        out = []
        while m:
            b = m & -m
            out.append(b.bit_length() - 1)
            m ^= b
        if state[4] and state[7] < 5:
            out.append(52)
        else:
            out.append(53)
        return out
    if ph == 4:
        return [54, 55, 56, 57]
    return []


def chance_outcomes(state):
    ph = state[1]
    if ph == 0:
        return list(_DEALER_OUTCOMES)
    if ph == 1 or ph == 2 or ph == 5:
        m = state[4]
        p = 1.0 / bin(m).count("1")
        out = []
        while m:
            b = m & -m
            out.append((b.bit_length() - 1, p))
            m ^= b
        return out
    return []


def apply_action(state, action):
    cur, ph, turn, hands, deck, last, suit, drawn, passes, dealer, pub, priv, n = state
    if ph == 3:
        if action < 52:
            h = hands[turn] ^ _BIT[action]
            hands = hands[:turn] + (h,) + hands[turn + 1:]
            pub += _CH[action]
            if not h:
                return (-4, 6, turn, hands, deck, action, action & 3, 0, 0,
                        dealer, pub, priv, n)
            if action >> 2 == 6:
                return (turn, 4, turn, hands, deck, action, action & 3, 0, 0,
                        dealer, pub, priv, n)
            q = turn + 1 if turn < 4 else 0
            return (q, 3, q, hands, deck, action, action & 3, 0, 0, dealer, pub, priv, n)
        if action == 52:
            return (-1, 5, turn, hands, deck, last, suit, drawn + 1, 0,
                    dealer, pub + _DRAW_MARK, priv, n)
        passes += 1
        pub += _CH[53]
        if passes >= 6:
            return (-4, 6, turn, hands, deck, last, suit, 0, passes, dealer, pub, priv, n)
        q = turn + 1 if turn < 4 else 0
        return (q, 3, q, hands, deck, last, suit, 0, passes, dealer, pub, priv, n)
    if ph == 5:
        b = _BIT[action]
        return (turn, 3, turn,
                hands[:turn] + (hands[turn] | b,) + hands[turn + 1:],
                deck ^ b, last, suit, drawn, 0, dealer, pub + _DRAWN_MARK,
                priv[:turn] + (priv[turn] << 6 | action,) + priv[turn + 1:], n)
    if ph == 4:
        q = turn + 1 if turn < 4 else 0
        return (q, 3, q, hands, deck, last, action - 54, 0, 0,
                dealer, pub + _CH[action], priv, n)
    if ph == 1:
        b = _BIT[action]
        q = (dealer + n) % 5
        n += 1
        return (-1, 2 if n == 26 else 1, -1,
                hands[:q] + (hands[q] | b,) + hands[q + 1:],
                deck ^ b, -1, -1, 0, 0, dealer, "", priv, n)
    if ph == 2:
        n += 1
        if action >> 2 == 6:
            return (-1, 2, -1, hands, deck, -1, -1, 0, 0, dealer, "", priv, n)
        q = (dealer + 1) % 5
        return (q, 3, q, hands, deck ^ _BIT[action], action, action & 3, 0, 0,
                dealer, chr(n - 27) + _CH[action], hands, n)
    # the dealer
    return (-1, 1, -1, hands, deck, -1, -1, 0, 0, action - 52, "", priv, 1)


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0, 0.0, 0.0, 0.0]
    out = []
    for m in state[3]:
        v = 0
        while m:
            b = m & -m
            v += _VALUE[b.bit_length() - 1]
            m ^= b
        out.append(float(-v))
    return out


def action_name(state, action):
    if state[0] == -1:
        return _CHANCE_NAMES[action]
    return _PLAYER_NAMES[action]


def observation(state, player):
    ph = state[1]
    if ph < 3 or ph == 5:
        return {"observation": ""}
    hands = state[3]
    buf = bytearray(_HEAD_BYTES)
    m = hands[player]
    while m:
        b = m & -m
        c = b.bit_length() - 1
        buf[_POS[c]] = _CODE[c]
        m ^= b
    counts = [_NUM[bin(h).count("1")] for h in hands]
    if player:
        counts = counts[player:] + counts[:player]
    return {"observation": buf.decode("ascii") + _MIDDLE[state[5]][state[6]]
            + ", ".join(counts) + " cards.\n"}


def information_state(state, player):
    ph = state[1]
    if ph < 3:
        return (state[12], player)
    pub = state[10]
    k = len(pub)
    if k == 2:
        # nobody has acted yet: the dealer cannot be told
        return (pub, state[11][player], player)
    if k == 3 and ph == 5:
        # the first action was a draw: only whether it was one's own is known
        return (pub, state[11][player], player, state[2] == player)
    return (pub, state[11][player], player, state[9])


# ---------------------------------------------------------------------------
# Drawing a game that fits a history
#
# Everything public can be read off. Hidden are only the cards that the others
# were dealt and drew. Each card that another player gets is a "slot"; a card that
# the player is seen to play later must lie in a slot which they had before.
# Players are numbered here relative to the one who starts.


def _read(player, history):
    obs = [pair[0]["observation"] for pair in history]
    n = len(obs)
    lead = 0
    while not obs[lead]:
        lead += 1
    o = obs[lead]
    up = _CARD_INDEX[o[_CARD_AT:_CARD_END]]
    pos = _POS
    mine = [c for c in range(52) if o[pos[c]] != " "]
    known = _BIT[up]
    for c in mine:
        known |= _BIT[c]
    played = 0
    my_draws = []
    events = []
    pub = [chr(lead - 27), _CH[up]]
    ts = [0, 0, 0, 0]
    tr = [0] * 13
    qt = [0, 0, 0, 0, 0]
    starts = [[0, 0, 0, 0, 0] for _ in range(5)]
    ops = [[] for _ in range(5)]
    owner = [-1] * 52
    when = [0] * 52
    until = [-1] * 52
    sizes = [5, 5, 5, 5, 5]
    last = up
    suit = up & 3
    drawn = 0
    passes = 0
    nominate = False
    over = False
    rel = 0
    start = -1
    t = 0
    j = lead
    end = n - 1
    while j < end and not over:
        own = history[j][1] is not None
        if own and start < 0:
            start = (player - rel) % 5
        nx = obs[j + 1]
        if nominate:
            suit = _SUIT_INDEX[nx[_SUIT_AT]]
            events.append(54 + suit)
            pub.append(_CH[54 + suit])
            nominate = False
            rel = (rel + 1) % 5
            j += 1
            o = nx
            continue
        if not own:
            b = 1 << t
            ts[suit] |= b
            tr[last >> 2] |= b
            qt[rel] |= b
        if not nx:
            j += 2
            if j > end:
                break
            nx = obs[j]
            drawn += 1
            passes = 0
            sizes[rel] += 1
            events.append(52)
            pub.append(_DRAW_MARK)
            pub.append(_DRAWN_MARK)
            if own:
                for c in range(52):
                    k = pos[c]
                    if nx[k] != o[k]:
                        my_draws.append(c)
                        events.append(c)
                        known |= _BIT[c]
                        break
            else:
                t += 1
                starts[rel].append(t)
                ops[rel].append(-1)
                events.append(-1 - rel)
            o = nx
            continue
        name = nx[_CARD_AT:_CARD_END]
        if name != o[_CARD_AT:_CARD_END]:
            c = _CARD_INDEX[name]
            events.append(c)
            pub.append(_CH[c])
            known |= _BIT[c]
            played |= _BIT[c]
            if not own:
                owner[c] = rel
                when[c] = t
                until[c] = (2 << t) - 1
                ops[rel].append(c)
                t += 1
            last = c
            suit = c & 3
            drawn = 0
            passes = 0
            sizes[rel] -= 1
            if not sizes[rel]:
                over = True
            elif c >> 2 == 6:
                nominate = True
            else:
                rel = (rel + 1) % 5
        else:
            events.append(53)
            pub.append(_CH[53])
            if not own:
                t += 1
            drawn = 0
            passes += 1
            if passes >= 6:
                over = True
            else:
                rel = (rel + 1) % 5
        j += 1
        o = nx
    if start < 0:
        start = (player - rel) % 5
    me = (player - start) % 5
    pool = [c for c in range(52) if not known >> c & 1]
    # the slots of the others, one player after the other
    base = [0, 0, 0, 0, 0]
    slot_owner = []
    slot_start = []
    active = []
    low = []
    num = []
    for r in range(5):
        if r == me:
            continue
        base[r] = len(slot_owner)
        lst = starts[r]
        k = len(lst)
        times = qt[r]
        slot_owner += [r] * k
        slot_start += lst
        low += [base[r]] * k
        num += [k] * k
        for s in lst:
            active.append(times >> s << s)
    # times (actions of others) at which each card would have been playable
    every = (1 << t) - 1
    fits = [(every if c >> 2 == 6 else ts[c & 3] | tr[c >> 2]) & until[c]
            for c in range(52)]
    return (lead, up, mine, my_draws, events, pub, played, last, suit, drawn, passes,
            nominate, over, rel, start, me, t, pool, base, slot_owner, slot_start,
            active, low, num, fits, owner, when, ops, starts)


def _shuffle(lst, rand):
    for i in range(len(lst) - 1, 0, -1):
        k = int(rand() * (i + 1))
        lst[i], lst[k] = lst[k], lst[i]


def _sample(data, rand, sweeps):
    """The contents of all slots of the others, then the cards left in the deck."""
    (lead, up, mine, my_draws, events, pub, played, last, suit, drawn, passes,
     nominate, over, rel, start, me, t, pool, base, slot_owner, slot_start,
     active, low, num, fits, owner, when, ops, starts) = data
    hidden = len(slot_owner)
    again = lead - 27                 # eights turned up and put back at the start
    most = 4
    for c in mine:
        if c >> 2 == 6:
            most -= 1
    eights = most
    tries = 0
    while True:
        rest = pool[:]
        _shuffle(rest, rand)
        cont = [-1] * hidden
        k = 0
        for r in range(5):
            if r == me:
                continue
            b = base[r]
            free = [b, b + 1, b + 2, b + 3, b + 4]
            b += 5
            for op in ops[r]:
                if op < 0:
                    free.append(b)
                    b += 1
                else:
                    i = int(rand() * len(free))
                    cont[free[i]] = op
                    free[i] = free[-1]
                    free.pop()
            for s in free:
                cont[s] = rest[k]
                k += 1
        cont += rest[k:]
        if not again:
            break
        eights = most
        for s in range(hidden):
            if not slot_start[s] and cont[s] >> 2 == 6:
                eights -= 1
        tries += 1
        if eights > 0 and (tries > 300 or rand() < (eights / most) ** again):
            break
        if tries > 20000:
            break
    if t:
        _mix(cont, data, again, eights, rand, sweeps)
    return cont


def _mix(cont, data, again, eights, rand, sweeps):
    """Exchange hidden cards so that games get likely in proportion to the product of
    1 / (number of legal actions) over the actions of the others."""
    t = data[16]
    slot_owner, slot_start, active, low, num, fits, owner, when = data[19:27]
    hidden = len(slot_owner)
    total = len(cont)
    left = total - hidden
    act = active + [0] * left
    s_owner = slot_owner + [-1] * left
    s_start = slot_start + [1] * left
    cnt = [0] * (t + 1)
    for s in range(hidden):
        u = fits[cont[s]] & act[s]
        while u:
            b = u & -u
            cnt[b.bit_length()] += 1
            u ^= b
    for k in range(2 * sweeps - 1):
        wide = not k & 1
        for s in range(hidden):
            if wide:
                z = int(rand() * total)
                if z == s:
                    continue
                a1 = act[s]
                a2 = act[z]
            else:
                w = num[s]
                if w < 6:
                    continue
                z = low[s] + int(rand() * w)
                a1 = act[s]
                a2 = act[z]
                if a1 == a2:
                    continue
            c1 = cont[s]
            c2 = cont[z]
            q = owner[c1]
            if q >= 0 and (s_owner[z] != q or s_start[z] > when[c1]):
                continue
            q = owner[c2]
            if q >= 0 and (s_owner[s] != q or s_start[s] > when[c2]):
                continue
            f1 = fits[c1]
            f2 = fits[c2]
            x = (a1 ^ a2) & (f1 ^ f2)
            ratio = 1.0
            up = down = 0
            if x:
                up = x & ((f2 & a1) | (f1 & a2))
                down = x ^ up
                u = up
                while u:
                    b = u & -u
                    v = cnt[b.bit_length()]
                    ratio *= (v + 1.0) / (v + 2.0)
                    u ^= b
                u = down
                while u:
                    b = u & -u
                    v = cnt[b.bit_length()]
                    ratio *= (v + 1.0) / v
                    u ^= b
            change = 0
            if again:
                e1 = c1 >> 2 == 6
                i1 = not s_start[s]
                if e1 != (c2 >> 2 == 6) and i1 != (not s_start[z]):
                    # an eight goes into or out of the cards dealt at the start
                    change = 1 if e1 == i1 else -1
                    if eights + change <= 0:
                        continue
                    ratio *= ((eights + change) / eights) ** again
            if ratio < 1.0 and rand() >= ratio:
                continue
            cont[s] = c2
            cont[z] = c1
            eights += change
            while up:
                b = up & -up
                cnt[b.bit_length()] += 1
                up ^= b
            while down:
                b = down & -down
                cnt[b.bit_length()] -= 1
                down ^= b


def resample_history(player, history, rand):
    data = _read(player, history)
    cont = _sample(data, rand, 12)
    lead, up, mine = data[0], data[1], data[2]
    events = data[4]
    start, me = data[14], data[15]
    base = data[18]
    first = []
    for r in range(5):
        if r == me:
            lst = mine[:]
        else:
            lst = cont[base[r]:base[r] + 5]
        _shuffle(lst, rand)
        first.append(lst)
    out = [52 + (start + 4) % 5]
    for i in range(5):
        for r in range(5):
            out.append(first[r][i])
    again = lead - 27
    if again > 0:
        dealt = set(out[1:])
        eights = [c for c in (24, 25, 26, 27) if c not in dealt]
        for _ in range(again):
            out.append(eights[int(rand() * len(eights))])
    out.append(up)
    nxt = [b + 5 for b in base]
    for ev in events:
        if ev < 0:
            r = -1 - ev
            out.append(cont[nxt[r]])
            nxt[r] += 1
        else:
            out.append(ev)
    return out


def resample_state(player, history, rand):
    data = _read(player, history)
    cont = _sample(data, rand, 5)
    (lead, up, mine, my_draws, events, pub, played, last, suit, drawn, passes,
     nominate, over, rel, start, me, t, pool, base, slot_owner, slot_start,
     active, low, num, fits, owner, when, ops, starts) = data
    hands = [0, 0, 0, 0, 0]
    priv = [0, 0, 0, 0, 0]
    keep = ~played
    bit = _BIT
    for r in range(5):
        if r == me:
            first = mine
            later = my_draws
        else:
            b = base[r]
            first = cont[b:b + 5]
            later = cont[b + 5:b + len(starts[r])]
        m = 0
        for c in first:
            m |= bit[c]
        p = m
        for c in later:
            m |= bit[c]
            p = p << 6 | c
        q = (start + r) % 5
        hands[q] = m & keep
        priv[q] = p
    deck = 0
    for c in cont[len(slot_owner):]:
        deck |= bit[c]
    turn = (start + rel) % 5
    if over:
        cur, ph = -4, 6
    elif nominate:
        cur, ph = turn, 4
    else:
        cur, ph = turn, 3
    return (cur, ph, turn, tuple(hands), deck, last, suit, drawn, passes,
            (start + 4) % 5, "".join(pub), tuple(priv), lead)
