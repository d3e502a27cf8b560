import model

_NONE = (127 << 32) | 127


def _tables(player):
    moves = model._MOVES[player]
    pieces = []
    masks = []
    for code in range(75):
        mask = 0
        for bit, _number in moves[code]:
            mask |= bit
        masks.append(mask)
        pieces.append((code << 32) | (mask << 7) | code)
    entries = []
    for code in range(75):
        start, kind = divmod(code, 3)
        mask = masks[code]
        sub = mask
        while True:
            found = []
            for bit, _number in moves[code]:
                if not sub & bit:
                    target = bit.bit_length() - 1
                    found.append((pieces[target * 3 + kind],
                                  ((1 << start) | bit) << 7))
            entries.append((bin(sub).count("1"), (sub << 7) | code, tuple(found)))
            if not sub:
                break
            sub = (sub - 1) & mask
    # the most frequent keys (few blocked targets) go first into the dicts
    entries.sort(key=lambda entry: (entry[0], entry[1]))
    counts = {127: 0}
    lists = {127: ()}
    for _blocked, key, found in entries:
        counts[key] = len(found)
        lists[key] = found
    return tuple(pieces), counts, lists


_P0, _E0, _F0 = _tables(0)
_P1, _E1, _F1 = _tables(1)
_B = tuple([1 << (code // 3 + 7) for code in range(75)])
_HALF = model._MAX_PLIES >> 1


def rollout(state, rand):
    if state[0]:
        return model.returns(state)
    plies = state[1]
    E0 = _E0
    F0 = _F0
    E1 = _E1
    F1 = _F1
    NONE = _NONE

    m = 127
    pieces = []
    for code in state[2]:
        m |= _B[code]
        pieces.append(_P0[code])
    while len(pieces) < 5:
        pieces.append(NONE)
    a0, a1, a2, a3, a4 = pieces

    w = 127
    pieces = []
    for code in state[3]:
        w |= _B[code]
        pieces.append(_P1[code])
    while len(pieces) < 5:
        pieces.append(NONE)
    b0, b1, b2, b3, b4 = pieces

    skip = plies & 1
    for _ in range(plies >> 1, _HALF):
        # ---------------------------------------------------- player 0
        if skip:
            skip = 0
        else:
            c0 = E0[m & a0]
            c1 = c0 + E0[m & a1]
            c2 = c1 + E0[m & a2]
            c3 = c2 + E0[m & a3]
            n = c3 + E0[m & a4]
            if n:
                k = int(rand() * n)
                if k < c1:
                    if k < c0:
                        q, x = F0[m & a0][k]
                        if q < a1:
                            a0 = q
                        else:
                            a0 = a1
                            if q < a2:
                                a1 = q
                            else:
                                a1 = a2
                                if q < a3:
                                    a2 = q
                                else:
                                    a2 = a3
                                    if q < a4:
                                        a3 = q
                                    else:
                                        a3 = a4
                                        a4 = q
                    else:
                        q, x = F0[m & a1][k - c0]
                        if q < a0:
                            a1 = a0
                            a0 = q
                        elif q < a2:
                            a1 = q
                        else:
                            a1 = a2
                            if q < a3:
                                a2 = q
                            else:
                                a2 = a3
                                if q < a4:
                                    a3 = q
                                else:
                                    a3 = a4
                                    a4 = q
                elif k < c2:
                    q, x = F0[m & a2][k - c1]
                    if q < a1:
                        a2 = a1
                        if q < a0:
                            a1 = a0
                            a0 = q
                        else:
                            a1 = q
                    elif q < a3:
                        a2 = q
                    else:
                        a2 = a3
                        if q < a4:
                            a3 = q
                        else:
                            a3 = a4
                            a4 = q
                elif k < c3:
                    q, x = F0[m & a3][k - c2]
                    if q < a2:
                        a3 = a2
                        if q < a1:
                            a2 = a1
                            if q < a0:
                                a1 = a0
                                a0 = q
                            else:
                                a1 = q
                        else:
                            a2 = q
                    elif q < a4:
                        a3 = q
                    else:
                        a3 = a4
                        a4 = q
                else:
                    q, x = F0[m & a4][k - c3]
                    if q < a3:
                        a4 = a3
                        if q < a2:
                            a3 = a2
                            if q < a1:
                                a2 = a1
                                if q < a0:
                                    a1 = a0
                                    a0 = q
                                else:
                                    a1 = q
                            else:
                                a2 = q
                        else:
                            a3 = q
                    else:
                        a4 = q
                m ^= x
                x &= w
                if x:
                    w ^= x
                    q >>= 32
                    q = (q - q % 3) << 32
                    if b0 >= q:
                        v = b0
                        b0 = b1
                        b1 = b2
                        b2 = b3
                        b3 = b4
                    elif b1 >= q:
                        v = b1
                        b1 = b2
                        b2 = b3
                        b3 = b4
                    elif b2 >= q:
                        v = b2
                        b2 = b3
                        b3 = b4
                    elif b3 >= q:
                        v = b3
                        b3 = b4
                    else:
                        v = b4
                    b4 = NONE
                    if (v & 127) % 3 == 0:
                        return [1.0, -1.0]
            else:
                rand()

        # ---------------------------------------------------- player 1
        c0 = E1[w & b0]
        c1 = c0 + E1[w & b1]
        c2 = c1 + E1[w & b2]
        c3 = c2 + E1[w & b3]
        n = c3 + E1[w & b4]
        if n:
            k = int(rand() * n)
            if k < c1:
                if k < c0:
                    q, x = F1[w & b0][k]
                    if q < b1:
                        b0 = q
                    else:
                        b0 = b1
                        if q < b2:
                            b1 = q
                        else:
                            b1 = b2
                            if q < b3:
                                b2 = q
                            else:
                                b2 = b3
                                if q < b4:
                                    b3 = q
                                else:
                                    b3 = b4
                                    b4 = q
                else:
                    q, x = F1[w & b1][k - c0]
                    if q < b0:
                        b1 = b0
                        b0 = q
                    elif q < b2:
                        b1 = q
                    else:
                        b1 = b2
                        if q < b3:
                            b2 = q
                        else:
                            b2 = b3
                            if q < b4:
                                b3 = q
                            else:
                                b3 = b4
                                b4 = q
            elif k < c2:
                q, x = F1[w & b2][k - c1]
                if q < b1:
                    b2 = b1
                    if q < b0:
                        b1 = b0
                        b0 = q
                    else:
                        b1 = q
                elif q < b3:
                    b2 = q
                else:
                    b2 = b3
                    if q < b4:
                        b3 = q
                    else:
                        b3 = b4
                        b4 = q
            elif k < c3:
                q, x = F1[w & b3][k - c2]
                if q < b2:
                    b3 = b2
                    if q < b1:
                        b2 = b1
                        if q < b0:
                            b1 = b0
                            b0 = q
                        else:
                            b1 = q
                    else:
                        b2 = q
                elif q < b4:
                    b3 = q
                else:
                    b3 = b4
                    b4 = q
            else:
                q, x = F1[w & b4][k - c3]
                if q < b3:
                    b4 = b3
                    if q < b2:
                        b3 = b2
                        if q < b1:
                            b2 = b1
                            if q < b0:
                                b1 = b0
                                b0 = q
                            else:
                                b1 = q
                        else:
                            b2 = q
                    else:
                        b3 = q
                else:
                    b4 = q
            w ^= x
            x &= m
            if x:
                m ^= x
                q >>= 32
                q = (q - q % 3) << 32
                if a0 >= q:
                    v = a0
                    a0 = a1
                    a1 = a2
                    a2 = a3
                    a3 = a4
                elif a1 >= q:
                    v = a1
                    a1 = a2
                    a2 = a3
                    a3 = a4
                elif a2 >= q:
                    v = a2
                    a2 = a3
                    a3 = a4
                elif a3 >= q:
                    v = a3
                    a3 = a4
                else:
                    v = a4
                a4 = NONE
                if (v & 127) % 3 == 0:
                    return [-1.0, 1.0]
        else:
            rand()
    return [0.0, 0.0]
