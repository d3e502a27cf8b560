import math

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 52
MAX_CHANCE_OUTCOMES = 13
MAX_GAME_LENGTH = 1040
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_R = 13
_LETTERS = "abcdefghijklm"

# phases
_DEAL = 0
_ASK = 1
_FISH = 2
_EMPTY = 3
_OVER = 4
_PHASE_LETTER = {"D": _DEAL, "A": _ASK, "F": _FISH, "E": _EMPTY, "G": _OVER}
_HEAD = tuple(tuple("Phase %s\nCurrent Player %d\nYour cards: " % (n, p) for p in (0, 1))
              for n in ("Deal", "Ask", "Fish", "EmptyDraw", "GameOver"))

_CARD = tuple(("",) + tuple("%s%d " % (_LETTERS[r], c) for c in range(1, 5))
              for r in range(_R))


def _code(who, kind, rank, count, booked):
    # kind 0: an ask, kind 1: a draw
    return chr(((who * 2 + kind) * 13 + rank) * 8 + count * 2 + booked)


_ONE_FROM = chr(208)   # records of player 1 begin here


def _record_texts():
    table = {}
    for who in (0, 1):
        for kind in (0, 1):
            for rank in range(_R):
                for count in range(4):
                    for booked in (0, 1):
                        target = "-3" if kind else str(1 - who)
                        s = "%d asked %s for %d" % (who, target, rank)
                        if count:
                            s += " recieved %d" % count
                        if booked:
                            s += " booked %d" % rank
                        table[_code(who, kind, rank, count, booked)] = s + "\n"
    return table


_RECORD = _record_texts()
_NAMES = tuple(str(t) + _LETTERS[r] for t in (0, 1) for r in range(_R))

# A state:
# (phase, current player, hand 0, hand 1, deck, cards in deck, cards of 0, cards of 1,
#  books of 0, books of 1, rank asked for (phase Fish) or -1, log of records,
#  dealt cards, position of the card that made a book for 0 in the deal or 0, same for 1)
_ZERO = (0,) * _R
_INITIAL = (_DEAL, 0, _ZERO, _ZERO, (4,) * _R, 52, 0, 0, 0, 0, -1, "", "", 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    phase = state[0]
    if phase == 1:
        return state[1]
    if phase == 4:
        return -4
    return -1


def legal_actions(state):
    if state[0] != 1:
        return []
    if state[1]:
        h = state[3]
        return [r for r in range(13) if h[r]]
    h = state[2]
    return [13 + r for r in range(13) if h[r]]


def chance_outcomes(state):
    phase = state[0]
    if phase == 1 or phase == 4:
        return []
    n = state[5]
    return [(r, c / n) for r, c in enumerate(state[4]) if c]


def apply_action(state, action):
    (phase, cur, h0, h1, deck, nd, n0, n1, b0, b1, asked, log, deal, db0, db1) = state
    if phase == 1:
        r = action if action < 13 else action - 13
        k = h0[r] if cur else h1[r]
        if k:
            booked = 0
            if cur:
                c = h1[r] + k
                h0 = h0[:r] + (0,) + h0[r + 1:]
                n0 -= k
                n1 += k
                if c == 4:
                    c = 0
                    n1 -= 4
                    b1 += 1
                    booked = 1
                h1 = h1[:r] + (c,) + h1[r + 1:]
            else:
                c = h0[r] + k
                h1 = h1[:r] + (0,) + h1[r + 1:]
                n1 -= k
                n0 += k
                if c == 4:
                    c = 0
                    n0 -= 4
                    b0 += 1
                    booked = 1
                h0 = h0[:r] + (c,) + h0[r + 1:]
            log += chr((cur * 26 + r) * 8 + k * 2 + booked)
            nxt = cur
        else:
            log += chr((cur * 26 + r) * 8)
            if nd:
                return (2, cur, h0, h1, deck, nd, n0, n1, b0, b1, r, log, deal, db0, db1)
            nxt = 1 - cur
    else:
        r = action
        deck = deck[:r] + (deck[r] - 1,) + deck[r + 1:]
        nd -= 1
        i = 0
        if phase == 0:
            i = len(deal)
            to = 0 if i < 7 else 1
            deal += _LETTERS[r]
        else:
            to = cur
        booked = 0
        if to:
            c = h1[r] + 1
            n1 += 1
            if c == 4:
                c = 0
                n1 -= 4
                b1 += 1
                booked = 1
            h1 = h1[:r] + (c,) + h1[r + 1:]
        else:
            c = h0[r] + 1
            n0 += 1
            if c == 4:
                c = 0
                n0 -= 4
                b0 += 1
                booked = 1
            h0 = h0[:r] + (c,) + h0[r + 1:]
        if phase == 0:
            if booked:
                if to:
                    db1 = i - 6
                else:
                    db0 = i + 1
            if i < 13:
                return (0, 0, h0, h1, deck, nd, n0, n1, b0, b1, -1, log, deal, db0, db1)
            nxt = 0
        else:
            log += chr((cur * 26 + 13 + r) * 8 + 2 + booked)
            if phase == 3 or r == asked:
                nxt = cur
            else:
                nxt = 1 - cur
    # the turn of player nxt begins (or goes on)
    if b0 + b1 == 13:
        return (4, cur, h0, h1, deck, nd, n0, n1, b0, b1, -1, log, deal, db0, db1)
    if (n1 if nxt else n0):
        phase = 1
    elif nd:
        phase = 3
    else:
        nxt = 1 - nxt
        phase = 1
    return (phase, nxt, h0, h1, deck, nd, n0, n1, b0, b1, -1, log, deal, db0, db1)


def returns(state):
    if state[0] != 4:
        return [0.0, 0.0]
    if state[8] > state[9]:
        return [1.0, -1.0]
    if state[8] < state[9]:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == 1:
        return _NAMES[action]
    return _LETTERS[action]


def observation(state, player):
    h = state[3] if player else state[2]
    log = state[11]
    text = "%s%s\nplayer 0 cards %d books %d\nplayer 1 cards %d books %d\n" % (
        _HEAD[state[0]][state[1]],
        "".join([t[c] for t, c in zip(_CARD, h)]),
        state[6], state[8], state[7], state[9])
    i = len(log) - 1
    if i >= 0:
        parts = [text]
        if player:
            while i >= 0 and log[i] < _ONE_FROM:
                parts.append(_RECORD[log[i]])
                i -= 1
        else:
            while i >= 0 and log[i] >= _ONE_FROM:
                parts.append(_RECORD[log[i]])
                i -= 1
        text = "".join(parts)
    return {"observation": text}


def information_state(state, player):
    deal = state[12]
    if player:
        return (1, deal[7:], len(deal), state[13], state[11])
    return (0, deal[:7], len(deal), state[14], state[11])


# ---------------------------------------------------------------- resampling

_COMB = tuple(tuple(math.comb(n, k) for k in range(5)) for n in range(5))


def _falling(n, k):
    w = 1
    for i in range(k):
        w *= n - i
    return w


_FALL = tuple(tuple(_falling(n, k) for k in range(5)) for n in range(5))
_LN = (0.0,) + tuple(math.log(i) for i in range(1, 40))
_MINUS = float("-inf")


def _counts(line):
    h = [0] * 13
    for tok in line[12:].split():
        h[ord(tok[0]) - 97] = int(tok[1])
    return h


def _pick(pairs, rand):
    if len(pairs) == 1:
        return pairs[0][0]
    total = 0.0
    for _, w in pairs:
        total += w
    x = rand() * total
    for item, w in pairs:
        x -= w
        if x < 0.0:
            return item
    return pairs[-1][0]


def _shuffle(cards, rand):
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


def _scale(cur, pos_at, a, b):
    # factor 1 / (number of ranks in the opponent's hand) for his asks a .. b - 1
    sums = {}
    for key in cur:
        c = key & 15
        if c not in sums:
            s = 0.0
            for t in range(a, b):
                d = pos_at[t] + c
                if d <= 0:
                    s = _MINUS
                    break
                s -= _LN[d]
            sums[c] = s
    if not sums:
        return cur
    best = max(sums.values())
    if best == _MINUS:
        return {}
    factor = {c: math.exp(s - best) for c, s in sums.items()}
    return {key: w * factor[key & 15] for key, w in cur.items() if factor[key & 15] > 0.0}


def _choose(order, ends_at, opts, pos_at, target, rand, weigh):
    cur = {0: 1.0}
    layers = []
    t = len(pos_at)
    for r in order:
        er = ends_at[r]
        if er < t:
            if weigh:
                cur = _scale(cur, pos_at, er, t)
            t = er
        layers.append(cur)
        nxt = {}
        get = nxt.get
        choices = opts[r]
        for key, w in cur.items():
            left = 7 - ((key >> 4) & 15)
            for v, inc, x in choices:
                if v <= left:
                    k2 = key + inc
                    nxt[k2] = get(k2, 0.0) + w * x
        cur = nxt
    if t and weigh:
        cur = _scale(cur, pos_at, 0, t)
    finals = [(k, w) for k, w in cur.items() if k >> 4 == target and w > 0.0]
    if not finals:
        return None
    key = _pick(finals, rand)
    val = [0] * 13
    for i in range(len(order) - 1, -1, -1):
        r = order[i]
        layer = layers[i]
        cand = []
        for v, inc, x in opts[r]:
            w = layer.get(key - inc)
            if w:
                cand.append(((v, inc), w * x))
        v, inc = _pick(cand, rand)
        val[r] = v
        key -= inc
    return val


def _rebuild(player, history, rand):
    """(dealt ranks, actions after the deal, state) of a game that fits."""
    texts = [pair[0]["observation"] for pair in history]
    opp = 1 - player
    me = str(player)

    # own dealt cards, in order
    start = 7 * player
    own = []
    mine = [0] * 13
    for i in range(start + 1, start + 8):
        new = _counts(texts[i].split("\n", 3)[2])
        for r in range(13):
            if new[r] != mine[r]:
                own.append(r)
                break
        mine = new
    m = [0] * 13
    for r in own:
        m[r] += 1
    my_db = 0
    my_books = 0
    if 4 in m:
        my_db = 7 - own[::-1].index(m.index(4))
        my_books = 1

    # a book of the opponent in the deal: when it was made
    opp_db = 0
    lines = texts[14].split("\n", 5)
    if lines[3 + opp].rsplit(" ", 1)[1] != "0":
        for j in range(1, 8):
            if texts[7 * opp + j].split("\n", 5)[3 + opp].rsplit(" ", 1)[1] != "0":
                opp_db = j
                break
    opp_books = 1 if opp_db else 0

    # For each rank: v = copies dealt to the opponent, lo <= v <= hi, or 4 if it can be
    # the book of the deal.  His copies now: gain + (0 if reset else v).
    lo = [0] * 13
    hi = [min(3, 4 - c) for c in m]
    four = [bool(opp_db) and c == 0 for c in m]
    gain = [0] * 13
    reset = [False] * 13
    ends_at = [-1] * 13      # his asks before this one count the rank if v > 0
    drawn = [0] * 13
    pos = 0                  # ranks that he holds for certain by gain
    pos_at = []              # the same at each of his asks
    acts = []
    log = []
    asked = -1

    for i in range(14, len(texts) - 1):
        nlines = texts[i + 1].split("\n", 5)
        phase = lines[0][6]
        mover_is_me = lines[1][15] == me
        got = 0
        booked = 0
        if phase == "A":
            if mover_is_me:
                name = history[i][1]
                r = ord(name[1]) - 97
                acts.append(13 * opp + r)
                k = 0
                if nlines[0][6] != "F":
                    s = nlines[2][12:]
                    f = s.find(name[1])
                    if f >= 0:
                        c = int(s[f + 1])
                        k = c - mine[r]
                        mine[r] = c
                    elif mine[r]:
                        k = 4 - mine[r]
                        mine[r] = 0
                        booked = 1
                        my_books += 1
                log.append(_code(player, 0, r, k, booked))
                if k:
                    four[r] = False
                if not reset[r]:
                    lo[r] = hi[r] = k - gain[r]
                    reset[r] = True
                    if ends_at[r] < 0:
                        ends_at[r] = len(pos_at)
                if gain[r]:
                    pos -= 1
                    gain[r] = 0
            else:
                tok = nlines[5].split("\n", 1)[0].split()
                r = int(tok[4])
                if len(tok) > 5:
                    got = int(tok[6])
                    if len(tok) > 7:
                        booked = 1
                acts.append(13 * player + r)
                log.append(_code(opp, 0, r, got, booked))
                pos_at.append(pos)
                four[r] = False
                if not reset[r] and not gain[r] and lo[r] < 1:
                    lo[r] = 1
                if got:
                    mine[r] = 0
            asked = r
        else:
            if mover_is_me:
                new = _counts(nlines[2])
                r = 0
                for j in range(13):
                    if new[j] != mine[j]:
                        r = j
                        break
                if new[r] == 0:
                    booked = 1
                    my_books += 1
                mine = new
                log.append(_code(player, 1, r, 1, booked))
            else:
                tok = nlines[5].split("\n", 1)[0].split()
                r = int(tok[4])
                if len(tok) > 7:
                    booked = 1
                got = 1
                log.append(_code(opp, 1, r, 1, booked))
            four[r] = False
            drawn[r] += 1
            acts.append(r)
        if got:
            # the opponent has got cards of rank r
            if not gain[r]:
                pos += 1
                if ends_at[r] < 0:
                    ends_at[r] = len(pos_at)
            gain[r] += got
            if not reset[r]:
                x = 4 - gain[r]
                if booked:
                    lo[r] = hi[r] = x
                    reset[r] = True
                elif hi[r] > x - 1:
                    hi[r] = x - 1
            if booked:
                gain[r] = 0
                pos -= 1
                opp_books += 1
        lines = nlines

    # what the opponent may have been dealt
    n_asks = len(pos_at)
    opts = []
    for r in range(13):
        if ends_at[r] < 0:
            ends_at[r] = n_asks
        top = 4 - m[r]
        k = drawn[r]
        choices = []
        for v in range(max(lo[r], 0), min(hi[r], top - k) + 1):
            choices.append((v, (v << 4) | (1 if v else 0), float(_COMB[top][v] * _FALL[top - v][k])))
        if four[r] and not k:
            choices.append((4, 20 << 4, 1.0))
        opts.append(choices)
    order = sorted(range(13), key=ends_at.__getitem__, reverse=True)
    target = 23 if opp_db else 7
    val = _choose(order, ends_at, opts, pos_at, target, rand, True)
    if val is None:
        val = _choose(order, ends_at, opts, pos_at, target, rand, False)

    # the order in which he was dealt them
    if opp_db:
        book = val.index(4)
        rest = []
        for r in range(13):
            if r != book:
                rest.extend([r] * val[r])
        _shuffle(rest, rand)
        places = list(range(opp_db - 1))
        _shuffle(places, rand)
        taken = set(places[:3])
        taken.add(opp_db - 1)
        theirs = []
        nxt = 0
        for i in range(7):
            if i in taken:
                theirs.append(book)
            else:
                theirs.append(rest[nxt])
                nxt += 1
    else:
        theirs = []
        for r in range(13):
            theirs.extend([r] * val[r])
        _shuffle(theirs, rand)

    deck = tuple([4 - m[r] - val[r] - drawn[r] for r in range(13)])
    other = tuple([gain[r] if reset[r] or val[r] == 4 else gain[r] + val[r] for r in range(13)])
    mine = tuple(mine)
    n_me = sum(mine)
    n_opp = sum(other)
    phase = _PHASE_LETTER[lines[0][6]]
    cur = int(lines[1][15])
    if phase != 2:
        asked = -1
    logtext = "".join(log)
    if player == 0:
        dealt = own + theirs
        state = (phase, cur, mine, other, deck, sum(deck), n_me, n_opp, my_books, opp_books,
                 asked, logtext, "".join([_LETTERS[r] for r in dealt]), my_db, opp_db)
    else:
        dealt = theirs + own
        state = (phase, cur, other, mine, deck, sum(deck), n_opp, n_me, opp_books, my_books,
                 asked, logtext, "".join([_LETTERS[r] for r in dealt]), opp_db, my_db)
    return dealt, acts, state


def resample_history(player, history, rand):
    dealt, acts, _ = _rebuild(player, history, rand)
    return dealt + acts


def resample_state(player, history, rand):
    return _rebuild(player, history, rand)[2]
