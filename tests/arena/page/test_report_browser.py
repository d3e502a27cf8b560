"""The report in a real browser."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import time

import pyspiel
import pytest

from arena.matches.match import play_match
from arena.matches.records import ForfeitRecord
from arena.page.collecting import collect
from arena.page.render import render
from arena.store.database import Database
from games.openspiel_views import board_drawings
from games.seeing import pictures, views

HOSTILE = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1' width='200' height='100'>"
    "<rect width='2' height='1' style='fill:red'/><script>window.hacked=1</script></svg>"
)
GAMES = [
    "connect_four",
    "tic_tac_toe",
    "chess",
    "go(board_size=5)",
    "backgammon",
    "hex(board_size=5)",
    "kuhn_poker",
    "goofspiel(num_cards=4)",
    "clobber",
    "twixt(board_size=8)",
]

SEVERAL = [
    ("goofspiel(num_cards=4,players=3)", ("last", "level", "tied")),
    ("kuhn_poker(players=6)", tuple(f"a_bot_with_a_name(number={seat})" for seat in range(6))),
]
"""Games of more than two players, and who sits there."""


def made_records():
    for seed in range(10):
        for bots in (["random", "mcts(simulations=20)"], ["mcts(simulations=20)", "random"]):
            yield play_match("tic_tac_toe", bots, seed, opening_plies=0)
    for game in GAMES:
        yield play_match(game, ["random", "random"], 77, opening_plies=2)
    for game, names in SEVERAL:
        yield dataclasses.replace(play_match(game, ["random"] * len(names), 4, opening_plies=0), seats=names)
    model, other = f"llm_policy{HOSTILE}", "much_too_long_for_a_phone" + "andhasnoplacetobreak" * 3
    record = play_match("connect_four", ["random", "random"], 3, opening_plies=2)
    notes = {
        "value": -0.25,
        "simulations": 12,
        "prompt": f"The rules\n{HOSTILE}\n",
        "reasoning": HOSTILE * 3,
        "reply": "ACTION: x3",
        HOSTILE: HOSTILE,
    }
    yield dataclasses.replace(
        record,
        seats=(model, other),
        seed=5,
        returns=(-1.0, 1.0),
        forfeit=ForfeitRecord(0, "illegal", HOSTILE, {"reply": f"ACTION: {HOSTILE}\n"}),
        moves=tuple(dataclasses.replace(move, notes=notes) for move in record.moves[:6]),
    )
    yield play_match("lines_of_action", ["random", "random"], 4, opening_plies=2)


@pytest.fixture(scope="module")
def records():
    return [dataclasses.replace(record, ended=1.8e9) for record in made_records()]


@pytest.fixture(scope="module")
def address(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch, Database(folder / "matches.db") as database:
        patch.setitem(pictures._PICTURES, "lines_of_action", lambda state: PICTURE)
        database.add_all(database.experiment({HOSTILE: HOSTILE}), records)
        page = collect(database)
    assert not page.broken and len(page.replays) == len(records)
    (folder / "report.html").write_text(render(page), encoding="utf-8")
    return (folder / "report.html").as_uri()


@pytest.fixture
def page(browser, address):
    """The page on a desk, freshly opened; nothing may go wrong on it, nor be fetched."""
    browser.open(address)
    yield browser
    browser.run("document.readyState")  # whatever happened has been told when this is answered
    told = [
        event
        for event in browser.events
        if event.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
    ]
    assert told == []
    assert browser.run("window.hacked") is None
    fetched = {
        event["params"]["request"]["url"]
        for event in browser.events
        if event.get("method") == "Network.requestWillBeSent"
    }
    assert {url for url in fetched if not url.startswith("data:")} <= {address}


def choose(page, game):
    """Opens the first match of a game."""
    page.run(f"""(() => {{ const select = document.getElementById("filter-game");
        select.value = {json.dumps(game)}; select.dispatchEvent(new Event("change")); }})()""")


def click(page, selector):
    page.run(f"document.querySelector({json.dumps(selector)}).click()")


def texts(page, selector):
    return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)")


def steps_of(record):
    """The state after each step of a match of a game, the start first."""
    state = pyspiel.load_game(record.game).new_initial_state()
    yield state
    moves = list(record.moves)
    while moves:
        if state.is_simultaneous_node():
            state.apply_actions([moves.pop(0).action for _ in range(state.num_players())])
        else:
            state.apply_action(moves.pop(0).action)
        yield state


def shown_text(page):
    return page.run("document.getElementById('text').textContent")


DRAWN = """(() => {
  const cell = 40, ground = document.querySelector("#board .ground").getBBox();
  const [columns, ranks] = [Math.round(ground.width / cell), Math.round(ground.height / cell)];
  const rows = [...Array(ranks)].map(() => Array(columns).fill("."));
  for (const piece of document.querySelectorAll("#board .piece")) {
    const box = piece.getBBox();
    const [x, y] = [box.x + box.width / 2 - ground.x, box.y + box.height / 2 - ground.y];
    const colour = piece.getAttribute("class").split(" ")[1];
    rows[Math.floor(y / cell)][Math.floor(x / cell)] = colour + piece.textContent;
  }
  return rows;
})()"""


@pytest.mark.parametrize("game", ["connect_four", "tic_tac_toe", "chess", "go(board_size=5)", "clobber"])
def test_what_is_drawn_is_the_position_at_every_step(page, records, game):
    record = next(record for record in records if record.game == game)
    choose(page, game)
    for number, state in enumerate(itertools.islice(steps_of(record), 40)):
        board = board_drawings.board(state)
        drawn = {
            symbol: piece.colour + (f"{piece.sign}\ufe0e" if game == "chess" else "")
            for symbol, piece in board.pieces.items()
        }
        expected = [[drawn.get(cell, ".") for cell in row] for row in board.rows]
        assert page.run(DRAWN) == expected, (number, str(state))
        click(page, "#forward")


@pytest.mark.parametrize("game", GAMES)
def test_the_text_is_that_of_the_game_at_every_step(page, records, game):
    record = next(record for record in records if record.game == game)
    choose(page, game)
    assert page.run("document.getElementById('match').value") == str(records.index(record) + 1)
    if page.run("!document.getElementById('modes').hidden"):
        click(page, "#modes button:last-child")
    for number, state in enumerate(itertools.islice(steps_of(record), 40)):
        assert shown_text(page) == re.sub(r"\x1b\[\d+m", "", str(state)).rstrip("\n"), number
        click(page, "#forward")


def test_backgammon_shows_every_checker_and_the_dice(page, records):
    record = next(record for record in records if record.game == "backgammon")
    choose(page, "backgammon")
    for state in itertools.islice(steps_of(record), 12):
        data = views.view(state, 0).data
        # Beyond five on a point a number stands for the rest; two more show who bore off what.
        expected = sum(min(abs(n), 5) for n in data["points"]) + sum(data["bar"].values()) + 2
        assert page.run("document.querySelectorAll('#board .piece').length") == expected
        assert page.run("document.querySelectorAll('#board .spot').length") == sum(data["dice"])
        click(page, "#forward")


def test_keys_step_jump_and_play(page, records):
    last = next(len(record.moves) for record in records if record.game == "connect_four")
    choose(page, "connect_four")

    def position():
        return int(page.run("document.getElementById('position').value"))

    page.key("ArrowRight")
    assert position() == 0  # the viewer has no focus yet
    page.run("document.getElementById('viewer').focus()")
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowRight", last),
        ("ArrowLeft", last - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.key(key)
        assert position() == expected
        assert texts(page, "#now")[0].startswith(f"Move {expected} of {last}")
    page.run("document.getElementById('to-end').focus()")
    page.key(" ")
    assert position() == last
    page.key("ArrowLeft")  # the button has nothing more to do, but still has the focus
    assert position() == last - 1
    page.key("Home")
    page.run("document.getElementById('viewer').focus()")
    page.run("document.getElementById('speed').value = '10'")
    page.key(" ")
    assert page.run("document.getElementById('play').getAttribute('aria-label')") == "Pause"
    deadline = time.monotonic() + 10
    while position() < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    page.key(" ")
    stopped = position()
    assert stopped >= 3 and page.run("document.getElementById('play').getAttribute('aria-label')") == "Play"
    time.sleep(0.25)
    assert position() == stopped


def test_the_space_bar_on_a_button_only_presses_it(page):
    choose(page, "connect_four")
    page.run("document.getElementById('forward').focus()")
    page.key(" ")
    assert texts(page, "#now")[0].startswith("Move 1 of")
    assert page.run("document.getElementById('play').getAttribute('aria-label')") == "Play"


def test_jumping_by_the_list_by_the_slider_and_by_an_address(page, records):
    choose(page, "chess")
    record = next(record for record in records if record.game == "chess")
    states = [str(state) for state in steps_of(record)]
    click(page, "#modes button:last-child")
    click(page, "#moves [data-frame='17']")
    assert shown_text(page) == states[17]
    assert texts(page, "#moves [aria-current='step'] .count") == ["17"]
    page.run("""(() => { const slider = document.getElementById("position");
        slider.value = "9"; slider.dispatchEvent(new Event("input")); })()""")
    assert shown_text(page) == states[9]
    number = records.index(record) + 1
    page.run(f"location.hash = '#replay-{number}-5'")
    page.run("new Promise((done) => setTimeout(done, 50))")
    assert shown_text(page) == states[5]
    assert page.run("document.activeElement.id") == "viewer"


def test_moves_are_listed_by_name_with_time_and_opening(page, records):
    record = next(record for record in records if record.game == "connect_four")
    choose(page, "connect_four")
    states = list(state.clone() for state in steps_of(record))
    assert texts(page, "#moves .name") == [
        views.action_name(state, move.action) for state, move in zip(states, record.moves)
    ]
    assert texts(page, "#moves .time")[:2] == ["opening", "opening"]
    assert all(time.endswith("s") for time in texts(page, "#moves .time")[2:])


def test_each_players_view_of_a_hidden_game(page, records):
    record = next(record for record in records if record.game == "kuhn_poker")
    choose(page, "kuhn_poker")
    assert texts(page, "#perspectives button") == ["Everything", "Player 0", "Player 1"]
    click(page, "#to-end")
    *_, state = steps_of(record)
    for player in (0, 1):
        click(page, f"#perspectives button:nth-child({player + 2})")
        assert shown_text(page) == views.view(state, player).text != str(state)
    click(page, "#perspectives button:first-child")
    assert shown_text(page) == str(state)
    choose(page, "connect_four")
    assert page.run("document.getElementById('perspectives').hidden")


def test_filters(page, records):
    def number(**chosen):
        for name in ("game", "bot", "opponent", "result"):
            page.run(f"document.getElementById('filter-{name}').value = {json.dumps(chosen.get(name, ''))}")
        page.run("document.getElementById('filter-game').dispatchEvent(new Event('change'))")
        count = page.run("document.querySelectorAll('#match option').length")
        assert texts(page, "#found") == [f"{count} of {len(records)}"]
        return count

    mcts = "mcts(simulations=20)"
    assert number() == len(records)
    assert number(game="tic_tac_toe") == 21 and number(bot=mcts) == 20
    assert number(bot=mcts, opponent=mcts) == 0
    assert number(bot="random", opponent="random") == len(GAMES) + 1
    wins = sum(record.returns[record.seats.index(mcts)] > 0 for record in records[:20])
    assert number(bot=mcts, result="won") == number(bot="random", opponent=mcts, result="lost") == wins
    assert number(result="forfeit") == number(result="illegal") == 1 and number(result="crash") == 0
    assert number(bot=records[-2].seats[1], result="forfeit") == 0
    # Of three, one is behind two that are level.
    assert next(one.returns for one in records if "last" in one.seats) == (-1.0, 0.5, 0.5)
    for bot, fits in {"last": "lost", "level": "drawn", "tied": "drawn"}.items():
        found = {result: number(bot=bot, result=result) for result in ("won", "drawn", "lost")}
        assert found == {**dict.fromkeys(found, 0), fits: 1}
    assert number(bot="tied", opponent="last") == 1


@pytest.mark.parametrize("game, names", SEVERAL)
def test_every_player_of_several_is_shown(page, game, names):
    choose(page, game)
    assert texts(page, "#players .name") == list(names)
    returns = texts(page, "#players .return")
    assert len(returns) == len(names) and page.run("document.querySelectorAll('#players .won').length") <= 1
    click(page, "#to-end")
    assert page.run("document.getElementById('position').value") != "0"


def test_matches_one_after_the_other(page, records):
    for _ in range(3):
        click(page, "#next-match")
    assert page.run("document.getElementById('match').value") == "4"
    click(page, "#previous-match")
    assert page.run("document.getElementById('match').value") == "3"
    page.run("location.hash = '#replay-1'; new Promise((done) => setTimeout(done, 50))")
    click(page, "#previous-match")
    assert page.run("document.getElementById('match').value") == "1"
    assert texts(page, "#players .name") == list(records[0].seats)


def test_hostile_texts_are_shown_as_they_are(page, records):
    page.run("""(() => { const select = document.getElementById("filter-result");
        select.value = "forfeit"; select.dispatchEvent(new Event("change")); })()""")
    assert texts(page, "#players .name")[0] == f"llm_policy{HOSTILE}"
    assert texts(page, "#reason") == [f"Forfeit: {HOSTILE}"]
    click(page, "#to-end")
    move, forfeit = page.run("""[...document.querySelectorAll(".move-card")].map((card) =>
        Object.fromEntries([...card.querySelectorAll("dl div, details")].map(
            (one) => [one.firstChild.textContent, one.lastChild.textContent])))""")
    assert move["prompt"] == f"The rules\n{HOSTILE}" and move["reasoning"] == HOSTILE * 3
    assert (move["reply"], move["value"], move[HOSTILE]) == ("ACTION: x3", "-0.25", HOSTILE)
    assert forfeit["reason"] == HOSTILE and forfeit["reply"] == f"ACTION: {HOSTILE}"
    assert page.run("document.images.length") == 0
    assert page.run("document.querySelectorAll('#values .line').length") == 2


def test_an_unfolded_note_stays_unfolded_while_stepping(page):
    page.run("""(() => { const select = document.getElementById("filter-result");
        select.value = "forfeit"; select.dispatchEvent(new Event("change")); })()""")
    click(page, "#moves [data-frame='3']")
    click(page, "#notes details:nth-of-type(2) summary")
    page.run("new Promise((done) => setTimeout(done, 30))")
    click(page, "#forward")
    assert texts(page, "#notes details[open] summary") == ["reasoning"]


def test_a_picture_of_the_games_own_is_shown_and_cannot_run_anything(page):
    choose(page, "lines_of_action")
    assert texts(page, "#modes button") == ["Picture", "Board", "Text"]
    drawn = page.run("""document.querySelector("#board img").decode().then(() => {
        const image = document.querySelector("#board img");
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.drawImage(image, 0, 0);
        return [image.naturalWidth, image.naturalHeight, ...canvas.getImageData(9, 9, 1, 1).data]; })""")
    assert drawn == [200, 100, 255, 0, 0, 255]


def test_the_policy_forbids_other_code_and_connections(page):
    assert (
        page.run("""(() => { const code = document.createElement("script");
        code.textContent = "window.ran = 1"; document.body.append(code); return window.ran; })()""")
        is None
    )
    assert page.run("fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')") == "refused"
    refused = [
        event["params"]["entry"]["text"] for event in page.events if event.get("method") == "Log.entryAdded"
    ]
    assert all("Content Security Policy" in text for text in refused)
    assert any("inline script" in text for text in refused) and any("127.0.0.1:9" in text for text in refused)
    page.events.clear()


def test_nothing_is_wider_than_a_phone(browser, address):
    browser.open(address, "phone")
    choices = browser.run("[...document.getElementById('filter-game').options].map((one) => one.value)")
    for game in choices:
        choose(browser, game)
        for button in ("#modes button:last-child", "#modes button:first-child", "#to-end"):
            if browser.run(f"!!document.querySelector('{button}')"):
                click(browser, button)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert browser.run("document.documentElement.scrollWidth") == 360, game
        beyond = browser.run("""[...document.querySelectorAll("#viewer *")].filter((one) =>
            one.checkVisibility() && !one.closest("pre") && one.getBoundingClientRect().right > 360.5)
            .map((one) => one.outerHTML)""")
        assert beyond == [], game


@pytest.mark.parametrize("screen", ["phone", "desk"])
def test_text_can_be_read_on_its_ground_in_both_schemes(browser, address, screen):
    grounds = {}
    for scheme in ("light", "dark"):
        browser.open(address, screen, scheme)
        ground, ink = browser.run("""[getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.body).color].map((colour) => colour.match(/[0-9]+/g).map(Number))""")
        light, dark = sorted(map(luminance, (ground, ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 7  # WCAG 2, level AAA
        grounds[scheme] = ground
    assert luminance(grounds["light"]) > 0.8 and luminance(grounds["dark"]) < 0.05


def luminance(colour):
    """Relative luminance, as WCAG 2 defines it."""
    linear = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_control_has_a_name_and_every_figure_a_description(page):
    nameless = page.run("""[...document.querySelectorAll("button, select, input")].filter((one) =>
        !one.textContent.trim() && !one.getAttribute("aria-label") && !one.labels?.[0]?.textContent.trim())
        .map((one) => one.outerHTML)""")
    assert nameless == []
    silent = page.run("""[...document.querySelectorAll("main svg:not(svg svg)")].filter((one) =>
        !one.closest("[aria-hidden]") && !one.getAttribute("aria-label")).map((one) => one.outerHTML)""")
    assert silent == []
    assert page.run("[...document.querySelectorAll('table')].every((one) => one.querySelector('th[scope]'))")
    ids = page.run("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))


def test_the_page_says_what_it_has_without_its_code(browser, address, records):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(address)
        assert browser.run("document.querySelector('.without').checkVisibility()")
        assert not browser.run("document.querySelector('.player').checkVisibility()")
        assert browser.run("document.querySelectorAll('table.ratings tbody').length") > 2
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
