/* native_at_once.h: what the contract of a world model in C says besides, for games in which players choose at once.

It stands behind native.h. In such a game current_player gives SIMULTANEOUS_PLAYER where players choose at once, none of
them knowing what another one chooses. There legal_actions, chance_outcomes, apply_action and action_name are not
called; these stay what native.h says for states in which one player acts in turn or chance acts, and a game without
such states has them do nothing and return 0. MAX_GAME_LENGTH bounds the number of states of one game in which players
choose; where several choose at once it counts as one.

The model defines besides:

    int player_legal_actions(const State *state, int player, int *actions);
        Writes the legal actions of `player`, ascending and distinct, and returns how many there are: 0 for a player who
        does not choose there, but never for all players. `actions` holds NUM_DISTINCT_ACTIONS. Only called where
        current_player gives SIMULTANEOUS_PLAYER.

    void apply_actions(State *state, const int *actions);
        Changes `state` into the one after all players have chosen at once. `actions` holds NUM_PLAYERS numbers, each
        player's legal action in order, -1 for a player who does not choose there. What is drawn after the choice, such
        as who goes first, is an outcome of chance of the state that this leads to. Only called where current_player
        gives SIMULTANEOUS_PLAYER.

    void player_action_name(const State *state, int player, int action, Text *text);
        Puts the name of a legal action of `player` where current_player gives SIMULTANEOUS_PLAYER.

The search of such games uses neither `value` nor `rollout`. Names that begin with smcts_, SMCTS_ or Smcts belong to the
search, too. */

#ifndef NATIVE_AT_ONCE_H
#define NATIVE_AT_ONCE_H

enum { SIMULTANEOUS_PLAYER = -2 };

#endif
