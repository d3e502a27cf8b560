from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pyspiel
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spielwright_packages
from arena.bots.human import Ambiguous, Console, HumanBot, Moves
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games.seeing import views
from runs.executors import make_executor
from tests.runs import warm

ROOT = str(Path(spielwright_packages.__file__).parent)


class Person(io.StringIO):
    """An input whose lines are made when they are asked for: a fixed list, or a function's answers."""

    def __init__(self, answer):
        super().__init__()
        self._answer = answer if callable(answer) else iter([*answer, ""]).__next__

    def readline(self):
        answer = self._answer()
        return answer if answer == "" or answer.endswith("\n") else answer + "\n"


def seated(game_string, seat, answer, *, columns=80, rows=30, **options):
    """A bot with a person behind it, and what the person gets to see."""
    shown = io.StringIO()
    console = Console(Person(answer), shown, columns, rows)
    return HumanBot(load_game(game_string), seat, console=console, **options), shown


def lines(*texts):
    return [text + "\n" for text in texts]


def against_random(game_string, answers, seed=1, **options):
    bot, shown = seated(game_string, 0, lines(*answers), **options)
    other = make_bot("random", load_game(game_string), 1, 0)
    return play_match(game_string, [bot, other], seed, opening_plies=0), shown.getvalue()


def first_action(answers, game="tic_tac_toe", **options):
    record, shown = against_random(game, answers, **options)
    return record.moves[0].action, shown


@pytest.mark.parametrize(
    "answers, action",
    [
        (["x(1,1)", ""], 4),  # by name
        (["X(1,1)", "y"], 4),  # by name in the other case
        (["5", ""], 4),  # by number, counted from 1
        (["#5", ""], 4),
        (["x(1,1", ""], 4),  # by its beginning
        (["  x(1,1)  ", ""], 4),
        (["x(1,1)!"], 4),  # at once
        (["5 !"], 4),
        (["9", "u", "5", ""], 4),  # a typing error taken back
        (["9", "undo", "9", "no", "5!"], 4),
        (["9", "5", ""], 4),  # another move instead
        (["9", "?", "5", "yes"], 4),
        (["", "", "list", "board", "help", "undo", "5", ""], 4),
        (["x(1", "x(7,7)", "0", "10", "nonsense", "5", ""], 4),
        (["resign", "u", "5", ""], 4),
    ],
)
def test_ways_to_enter_a_move(answers, action):
    assert first_action(answers)[0] == action


def test_without_confirmation_a_move_is_played_as_it_is_entered():
    action, shown = first_action(["undo", "5"], confirm=False)
    assert action == 4
    assert "Enter plays it" not in shown and "human(confirm=true) asks" in shown


@pytest.mark.parametrize(
    "typed, part",
    [
        ("x(1", "'x(1' may be x(1,0) or x(1,1) or x(1,2); type more of it"),
        ("x", "or one of 3 others"),
        ("x(1,3)", "no move is called 'x(1,3)'; did you mean x(1,"),
        ("9000", "there is no move number 9000, expected 1 to 9"),
        ("zzz", "no move is called 'zzz'; list shows the moves, resign gives up, Ctrl-C ends"),
        ("?", "Ctrl-D"),
        ("list x(2", "  7 x(2,0)   8 x(2,1)   9 x(2,2)\n"),
        ("list y", "none begins with 'y'"),
        ("undo", "a move can be taken back when it is asked for once more"),
    ],
)
def test_what_a_person_is_told(typed, part):
    assert part in first_action([typed, "5!"])[1]


@pytest.mark.parametrize("count, part", [(6, "a4 or a5; type"), (7, "a5 or one of 1 others; type")])
def test_at_most_six_moves_are_named(count, part):
    with pytest.raises(Ambiguous, match=part):
        Moves([f"a{number}" for number in range(count)]).find("a")


def test_the_board_and_the_news_are_shown():
    record, shown = against_random("tic_tac_toe", ["5!", "1!", "2!", "3!", "1!"])
    reply = views.action_name(load_game("tic_tac_toe").new_initial_state().child(4), record.moves[1].action)
    assert f"since your last move: player 1: {reply}\n" in shown
    assert "=== tic_tac_toe: you are player 0, move 3" in shown
    assert "  ...\n  ...\n  ...\n9 legal moves:" in shown


def test_the_news_of_a_game_with_secrets_are_what_the_player_notices():
    """In Leduc poker (`games.openspiel_views.leduc_poker`) bets are public and deals are not."""
    bot, shown = seated("leduc_poker", 1, lines("1!"))
    state = load_game("leduc_poker").new_initial_state()
    bot.restart_at(state.clone())
    for action in (0, 4, 2):  # two deals, and the first player raises
        bot.inform_action(state.clone(), state.current_player(), action)
        state.apply_action(action)
    bot.step(state)
    [news] = [line for line in shown.getvalue().splitlines() if line.startswith("since your last move")]
    # The card of the first player, the jack of spades, is not among them.
    assert news == "since your last move: chance: deal Ks, player 0: raise"
    assert "Js" not in shown.getvalue()


@pytest.mark.parametrize(
    "answers, reason",
    [
        (["resign", ""], "the person resigned"),
        (["resign!"], "the person resigned"),
        ([], "the person left: the input has ended"),
        (["5"], "the person left: the input has ended"),
        (["list", "5!"], "the person left: the input has ended"),  # at the second move
    ],
)
def test_giving_up_is_a_forfeit(answers, reason):
    record, _ = against_random("tic_tac_toe", answers)
    assert (record.forfeit.player, record.forfeit.kind, record.forfeit.reason) == (0, "illegal", reason)
    assert record.returns == (-1.0, 1.0)


def test_resigning_is_asked_for_even_without_confirmation():
    record, shown = against_random("tic_tac_toe", ["resign", "u", "resign", ""], confirm=False)
    assert record.forfeit.reason == "the person resigned"
    assert shown.count("Enter gives up") == 2


def test_ctrl_c_is_not_caught():
    def interrupt():
        raise KeyboardInterrupt

    bot, _ = seated("tic_tac_toe", 0, interrupt)
    with pytest.raises(KeyboardInterrupt):
        bot.step(load_game("tic_tac_toe").new_initial_state())


def test_output_that_knows_ascii_only():
    write = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(io.StringIO(), write).show("♜")
    assert write.buffer.getvalue() == b"?\n"


_NAMES = st.lists(
    st.text("abA1(, )!#?", min_size=1, max_size=5).map(str.strip).filter(bool),
    min_size=1,
    max_size=8,
    unique_by=lambda name: " ".join(name.split()),
)


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@unhurried
@given(_NAMES)
def test_every_move_is_found_by_name_and_by_number(names):
    moves = Moves(names)
    for number, name in enumerate(names, start=1):
        assert moves.find(" ".join(name.split())) == name
        if f"#{number}" not in [" ".join(other.split()) for other in names]:
            assert moves.find(f"#{number}") == name


@unhurried
@given(_NAMES, st.data())
def test_a_beginning_means_what_begins_so_and_nothing_else(names, data):
    name = data.draw(st.sampled_from(names))
    text = " ".join(name.split())
    text = text[: data.draw(st.integers(1, len(text)))].strip()
    try:
        found = Moves(names).find(text)
    except Ambiguous:
        return
    if not text.removeprefix("#").isdecimal() and not text.endswith("!"):
        assert " ".join(found.split()).lower().startswith(text.lower())


def test_moves_called_by_numbers_have_numbers_of_another_form():
    moves = Moves(["3", "1", "22"])
    assert [moves.find(text) for text in ("1", "#1", "2", "#3")] == ["1", "3", "22", "22"]
    assert moves.lines(80) == ["  #1 3    #2 1    #3 22"]


def test_a_number_in_the_names_means_the_name_and_not_the_place():
    moves = Moves(["bid 0", "bid 1", "bid 2", "pass"])
    assert [moves.find(text) for text in ("1", "#1", "2", "#4")] == ["bid 1", "bid 0", "bid 2", "pass"]
    assert moves.lines(80) == ["  #1 bid 0   #2 bid 1   #3 bid 2   #4 pass"]
    with pytest.raises(Ambiguous, match="'1' may be take 1 from 2 or take 2 from 1"):
        Moves(["take 1 from 2", "take 2 from 1"]).find("1")
    with pytest.raises(Ambiguous, match="no move is called '7'"):
        moves.find("7")


def test_many_moves_are_paged_and_can_be_narrowed_down():
    game = "chess"
    state = load_game(game).new_initial_state()
    names = list(views.actions_by_name(state))
    white = state.current_player()
    bot, shown = seated(game, white, lines("list", "", "q", "list N", "a3!"), columns=20, rows=6)
    assert views.action_name(state, bot.step(state)) == "a3"
    text = shown.getvalue()
    assert max(len(line) for line in text.splitlines() if re.match(r" +\d+ ", line)) <= 20
    assert "... and more; list shows all" in text
    assert text.count("Enter shows more, q ends the list: ") == 2
    listed = set(re.findall(r"\d+ (N\w\d)", text.rpartition("list: ")[2]))
    assert "\n  8 r n b q k b n r\n" in text
    assert listed == {name for name in names if name.startswith("N")}


@pytest.mark.parametrize(
    "game_string",
    [
        "connect_four",
        "pig",
        "kuhn_poker",
        "leduc_poker",
        "goofspiel(num_cards=4)",
        "matrix_rps",
        "phantom_ttt",
        "backgammon",
        "python_tic_tac_toe",
        "gen_chess",
        "kuhn_poker(players=3)",
        "liars_dice",
        "oshi_zumo(horizon=5)",
        "repeated_game(stage_game=matrix_pd(),num_repetitions=3)",
        "2048(max_tile=16)",
    ],
)
def test_a_person_plays_every_kind_of_game(game_string):
    """The person types the name of the last legal move; a bot that plays it makes the same match."""
    game = load_game(game_string)

    class Last(pyspiel.Bot):
        def __init__(self, seat):
            super().__init__()
            self.seat = seat

        def step(self, state):
            return list(views.actions_by_name(state, self.seat).values())[-1]

    class LastByName(Last):
        """Asks the person behind it, who reads the number of the last move off the page."""

        def __init__(self, seat):
            super().__init__(seat)
            self.bot, self.shown = seated(game_string, seat, self.typed, confirm=False)

        def typed(self):
            return "#" + re.findall(r"(\d+) legal moves?:", self.shown.getvalue())[-1]

        def inform_action(self, *arguments):
            self.bot.inform_action(*arguments)

        def inform_actions(self, *arguments):
            self.bot.inform_actions(*arguments)

        def step(self, state):
            return self.bot.step(state)

    others = [make_bot("random", game, seat, seat) for seat in range(1, game.num_players())]
    again = [make_bot("random", game, seat, seat) for seat in range(1, game.num_players())]
    human = play_match(game_string, [LastByName(0), *others], 3)
    bot = play_match(game_string, [Last(0), *again], 3)
    assert human.forfeit is None
    assert human.actions() == bot.actions()


@pytest.mark.parametrize(
    "game_string, deals",
    [
        ("kuhn_poker", [[0, 1], [2, 1]]),  # the other holds the jack or the king
        ("leduc_poker", [[0, 2], [4, 2]]),
    ],
)
def test_a_person_sees_nothing_that_the_player_may_not_see(game_string, deals):
    pages = set()
    for deal in deals:
        bot, shown = seated(game_string, 1, lines("board", "1!"))
        state = load_game(game_string).new_initial_state()
        bot.restart_at(state.clone())
        for action in [*deal, 1]:
            bot.inform_action(state.clone(), state.current_player(), action)
            state.apply_action(action)
        bot.step(state)
        pages.add(shown.getvalue())
    assert len(pages) == 1


def test_several_people_with_secrets_hand_the_terminal_over():
    bot, shown = seated("kuhn_poker", 0, lines("", "1!"), rows=10, handover=True)
    state = load_game("kuhn_poker").new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    bot.step(state)
    before, _, after = shown.getvalue().partition("Player 0 is to move: Enter when nobody else looks. ")
    assert before == "\n" * 11 and "legal moves:" in after


def test_a_person_needs_a_terminal_in_this_process(monkeypatch):
    game = load_game("tic_tac_toe")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(ValueError, match="standard input is none; write human.terminal=false."):
        make_bot("human", game, 0, 0)
    assert make_bot("human(terminal=false)", game, 0, 0)
    with make_executor("processes:1") as executor:
        future = executor.submit(play_match, "tic_tac_toe", ["human(terminal=false)", "random"], 0)
        with pytest.raises(ValueError, match="needs the terminal.*use --executor=inline"):
            future.result()


# The command ------------------------------------------------------------------------------------------


class Terminal:
    """`python -m arena.play` behind a pseudo-terminal, as a person has it."""

    def __init__(self, *flags):
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            pytest.skip(f"this machine gives no pseudo-terminal: {error}")

        def take_terminal():
            os.setsid()
            os.close(os.open(os.ttyname(0), os.O_RDWR))  # the first one opened becomes the controlling one

        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena.play", *flags],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            preexec_fn=take_terminal,
            close_fds=True,
            env={**os.environ, "PYTHONPATH": ROOT, "COLUMNS": "80", "LINES": "24"},
        )
        os.close(slave)
        self._unread = ""

    def until(self, *texts):
        """Reads on until one of the texts has come, and returns it."""
        deadline = time.monotonic() + 60
        while True:
            come = [text for text in texts if text in self._unread]
            if come:
                self._unread = self._unread.partition(come[0])[2]
                return come[0]
            ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"none of {texts} came, but {self._unread!r}"
            try:
                chunk = os.read(self.master, 4096)
            except OSError:  # the other side has gone
                chunk = b""
            assert chunk, f"none of {texts} came, but {self._unread!r}"
            self._unread += chunk.decode()

    def hears_within(self, seconds):
        """Whether anything but the echo of Ctrl-C comes."""
        deadline = time.monotonic() + seconds
        while self._unread.strip("^C") == "":
            if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
                return False
            self._unread += os.read(self.master, 4096).decode()
        return True

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        code = self.process.wait(60)
        os.close(self.master)
        return code


def test_a_person_plays_a_whole_match_at_a_pseudo_terminal():
    terminal = Terminal("--game=tic_tac_toe", "--bots=human,random", "--seed=1")
    terminal.until("Your move (? for help): ")
    terminal.type("x(1,2)\n")
    terminal.until("x(1,2): Enter plays it, u takes it back: ")
    terminal.type("u\n")
    terminal.until("Taken back. Your move")
    prompt = "Your move (? for help): "
    while prompt == "Your move (? for help): ":
        terminal.type("1\n")
        terminal.until("Enter plays it, u takes it back: ")
        terminal.type("\n")
        prompt = terminal.until("=== the end", "Your move (? for help): ")
    terminal.until("player 0 wins", "player 1 wins", "a draw")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    "key, code, part",
    [
        ("\x04", 0, "player 0, human, forfeited: the person left: the input has ended"),  # Ctrl-D
        ("\x03", 130, "stopped by Ctrl-C"),
        ("resign\n\n", 0, "player 0, human, forfeited: the person resigned"),
    ],
)
def test_ctrl_d_ctrl_c_and_resign_at_a_pseudo_terminal(key, code, part):
    terminal = Terminal("--game=connect_four", "--bots=human,random")
    terminal.until("Your move (? for help): ")
    terminal.type(key)
    # Python waits for a line by `select`, and a signal that comes just before it is seen with the next key.
    if key == "\x03" and not terminal.hears_within(2):
        terminal.type(key)
    terminal.until(part)
    if code == 0:
        terminal.until("player 1 wins")
    assert terminal.end() == code


def command(*flags, stdin=""):
    return warm.run("arena.play", *flags, input=stdin)


def test_the_command_shows_a_match_between_bots_as_it_is_played():
    done = command("--game=connect_four(rows=4,columns=4)", "--bots=mcts(simulations=5),random", "--seed=5")
    assert done.returncode == 0, done.stderr
    record = play_match("connect_four(rows=4,columns=4)", ["mcts(simulations=5)", "random"], 5, opening_plies=0)
    state = load_game(record.game).new_initial_state()
    expected = []
    for move in record.moves:
        name = views.action_name(state, move.action)
        state.apply_action(move.action)
        board = "\n".join("  " + row for row in views.view(state, 0).text.split())
        expected.append(f"player {move.player}: {name}\n{board}")
    assert done.stdout.strip("\n").split("\n\n")[:-1] == expected
    last = done.stdout.strip("\n").split("\n\n")[-1].splitlines()
    assert last[0] == f"=== the end, after {len(record.moves)} actions"
    assert last[-3].split() == ["player", "0", f"{record.returns[0]:+g}", "mcts(simulations=5)"]
    winner = {1.0: "player 0 wins", -1.0: "player 1 wins", 0.0: "a draw"}[record.returns[0]]
    assert last[-1] == winner


@pytest.mark.parametrize(
    "game, bots",
    [
        ("goofspiel(num_cards=4)", "random,random"),
        ("leduc_poker", "random,random"),
        ("pig", "random,random"),
        ("kuhn_poker(players=3)", "random,random,random"),
        ("repeated_game(stage_game=matrix_rps(),num_repetitions=3)", "roshambo(name=randbot),random"),
    ],
)
def test_the_command_shows_chance_joint_moves_and_several_players(game, bots):
    done = command(f"--game={game}", f"--bots={bots}", "--opening_plies=2")
    assert done.returncode == 0, done.stderr
    chance = load_game(game).get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert ("\nchance: " in done.stdout) is chance
    if load_game(game).get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        assert re.search(r"^player 0: .*, player 1: ", done.stdout, re.MULTILINE)


def test_input_that_is_no_text_is_a_mistake_and_no_more():
    done = subprocess.run(
        [sys.executable, "-m", "arena.play", "--game=matrix_rps", "--bots=human(terminal=false),random"],
        input=b"\xff\xfe\nPaper!\n",
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert done.returncode == 0, done.stderr
    assert b"no move is called" in done.stdout and b"=== the end" in done.stdout


def test_moves_may_come_from_a_pipe_where_that_is_said():
    done = command(
        "--game=tic_tac_toe",
        "--bots=human(terminal=false,confirm=false),human(terminal=false)",
        stdin="5\n1\n\n1\n1!\n1\n1!\n1\n1!\n1\n",
    )
    assert done.returncode == 0, done.stderr
    assert "=== the end" in done.stdout


@pytest.mark.parametrize(
    "flags, part",
    [
        (["--bots=random,random"], "--game is missing"),
        (["--game=tic_tac_toe", "--bots=human,random"], "standard input is none"),
        (["--game=tic_tac_toe", "--bots=random"], "has 2 seats, expected as many bots, found 1"),
        (["--game=tic_tac_toe", "--bots=humen,random"], "did you mean human"),
        (["--game=tic_tac_to", "--bots=random,random"], "did you mean tic_tac_toe"),
    ],
)
def test_bad_input_is_one_sentence(flags, part):
    done = command(*flags)
    assert done.returncode == 2
    assert part in done.stderr and done.stderr.count("\n") == 1
