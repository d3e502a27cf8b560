NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 5
MIN_UTILITY = -2.0
MAX_UTILITY = 4.0


def _build():
    """Enumerate every state (breadth first) and make all tables."""
    histories = [()]
    player_to_act = []
    successors = []
    chance = []
    results = []
    observed = []
    infos = []
    # groups[player][len(history)][last observation] -> states that fit
    groups = [[{} for _ in range(10)] for _ in range(3)]

    i = 0
    while i < len(histories):
        h = histories[i]
        dealt = h[:3]
        bets = h[3:]
        n = len(bets)

        # contributions and first bettor
        first = -1
        contrib = [1, 1, 1]
        for j, a in enumerate(bets):
            if a == 1:
                contrib[j % 3] = 2
                if first < 0:
                    first = j

        outcomes = ()
        result = (0.0, 0.0, 0.0)
        if len(h) < 3:
            who = -1
            moves = [c for c in range(4) if c not in h]
            p = 1.0 / len(moves)
            outcomes = tuple((c, p) for c in moves)
        else:
            if first < 0:
                over = n == 3
            else:
                over = n == first + 3
            if over:
                who = -4
                moves = []
                if first < 0:
                    showdown = [0, 1, 2]
                else:
                    showdown = [q for q in range(3) if contrib[q] == 2]
                winner = showdown[0]
                for q in showdown:
                    if dealt[q] > dealt[winner]:
                        winner = q
                pot = sum(contrib)
                result = tuple(
                    float(pot - contrib[q]) if q == winner
                    else float(-contrib[q])
                    for q in range(3))
            else:
                who = n % 3
                moves = [0, 1]

        succ = {}
        for m in moves:
            succ[m] = len(histories)
            histories.append(h + (m,))

        letters = "".join("b" if a == 1 else "p" for a in bets)
        obs = []
        info = []
        for q in range(3):
            if len(dealt) > q:
                card = str(dealt[q])
                text = card + "".join(str(c) for c in contrib)
            else:
                card = ""
                text = ""
            obs.append(text)
            # player, number of cards dealt so far, own card, bets
            info.append("%d|%d|%s%s" % (q, len(dealt), card, letters))
            groups[q][len(h) + 1].setdefault(text, []).append(i)

        player_to_act.append(who)
        successors.append(succ)
        chance.append(outcomes)
        results.append(result)
        observed.append(tuple(obs))
        infos.append(tuple(info))
        i += 1

    fit = tuple(
        tuple({text: tuple(states) for text, states in table.items()}
              for table in per_player)
        for per_player in groups)
    return (tuple(histories), tuple(player_to_act), tuple(successors),
            tuple(chance), tuple(results), tuple(observed), tuple(infos), fit)


(_HISTORY, _PLAYER, _NEXT, _CHANCE, _RETURNS, _OBS, _INFO, _FIT) = _build()

_DEAL_NAMES = ("Deal:0", "Deal:1", "Deal:2", "Deal:3")
_MOVE_NAMES = ("Pass", "Bet")


def initial_state():
    return 0


def current_player(state):
    return _PLAYER[state]


def legal_actions(state):
    if _PLAYER[state] >= 0:
        return [0, 1]
    return []


def chance_outcomes(state):
    return list(_CHANCE[state])


def apply_action(state, action):
    return _NEXT[state][action]


def returns(state):
    return list(_RETURNS[state])


def action_name(state, action):
    if _PLAYER[state] == -1:
        return _DEAL_NAMES[action]
    return _MOVE_NAMES[action]


def observation(state, player):
    return {"observation": _OBS[state][player]}


def information_state(state, player):
    return _INFO[state][player]


def resample_state(player, history, rand):
    # The number of states so far and the last observation determine all
    # bets; what is left open are the hidden cards, all equally likely.
    states = _FIT[player][len(history)][history[-1][0]["observation"]]
    return states[int(rand() * len(states))]


def resample_history(player, history, rand):
    return list(_HISTORY[resample_state(player, history, rand)])
