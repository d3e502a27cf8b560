"""A real browser plays, watches and looks inside: no error in its console, and no request but to the server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.store.database import Database

PLUGIN = Path(__file__).parents[1] / "registry" / "third_party" / "subtraction_game"
SCREENS = {
    "desk": {"width": 1200, "height": 900, "mobile": False},
    "phone": {"width": 400, "height": 800, "mobile": True},
}


class Visitor:
    """A person at the browser."""

    def __init__(self, browser, site):
        self.browser, self.site = browser, site

    def go(self, path, screen="desk", scheme="light"):
        self.browser.call("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, **SCREENS[screen])
        self.browser.call(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
        )
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.events.clear()
        self.browser.call("Page.navigate", url=self.site.address + path)
        self.wait("document.readyState === 'complete' && !!document.querySelector('h1')")

    def value(self, code):
        return self.browser._value(code)

    def wait(self, code, seconds=90):
        deadline = time.monotonic() + seconds
        while not (found := self.value(code)):
            assert time.monotonic() < deadline, (
                f"{code}; the page says {self.value('document.body.innerText')!r:.600}"
            )
            time.sleep(0.03)
        return found

    def press(self, selector):
        self.wait(f"!!document.querySelector({json.dumps(selector)})")
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def set_up(self, game, bots):
        """Fills in the form and sits down as player 0; `bots` are the specs of the other seats."""
        self.go(f"/play?game={game}")
        self.wait("document.querySelectorAll('.player-choice').length > 0")
        self.wait(f"document.querySelectorAll('.player-choice').length === {len(bots) + 1}")
        for seat, spec in enumerate(bots, start=1):
            self.value(f"""(() => {{
              const select = document.querySelectorAll('.player-choice select')[{seat}];
              select.value = 'typed';
              select.dispatchEvent(new Event('change'));
              const field = select.parentNode.querySelector('input');
              field.value = {json.dumps(spec)};
              field.dispatchEvent(new Event('input'));
            }})()""")
        # What plays the game is found meanwhile, and must not undo what was typed.
        self.value(
            "[...document.querySelectorAll('.options button')].find((one) => one.textContent === 'Sit down').click()"
        )
        self.wait("location.pathname.startsWith('/table/')")

    def play(self, choose="0"):
        """Presses a move at each turn until the match is over; `choose` is an index in JavaScript with `moves`."""
        pressed = 0
        self.wait("!!document.querySelector('.moves button') || document.querySelector('main').dataset.state")
        while not self.value(
            "document.querySelector('main').dataset.state || location.pathname.startsWith('/match/')"
        ):
            pressed += bool(
                self.value(f"""(() => {{
              const moves = [...document.querySelectorAll('.moves button:not(.quiet)')];
              if (!moves.length || moves.some((one) => one.getAttribute('aria-busy') === 'true')) return false;
              moves[Math.min({choose}, moves.length - 1)].click();
              return true;
            }})()""")
            )
            time.sleep(0.02)
        return pressed

    def faults(self):
        """What a visitor must not see: errors in the console, and requests elsewhere."""
        found = []
        for event in self.browser.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(told["exceptionDetails"].get("exception", {}).get("description", str(told)))
            elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
                found.append(told["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
                found.append(str(told["args"]))
            elif method == "Network.requestWillBeSent":
                url = told["request"]["url"]
                if not url.startswith((self.site.address + "/", "data:", "blob:", "about:")):
                    found.append(f"request to {url}")
        return found

    def fits(self):
        """Whether nothing is wider than the screen."""
        return self.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.fixture
def visitor(browser, site):
    found = Visitor(browser, site)
    yield found
    assert found.faults() == []


@pytest.mark.parametrize(
    ("game", "bots", "choose"),
    [
        ("connect_four", ["mcts(simulations=30)"], "3"),
        ("leduc_poker", ["random"], "1"),
        ("kuhn_poker(players=3)", ["random", "random"], "1"),
        ("goofspiel(num_cards=4,points_order=descending)", ["random"], "0"),
        ("micro_rts(max_cycles=6)", ["random"], "moves.length - 1"),
    ],
)
def test_a_person_plays_a_match_to_its_end(visitor, game, bots, choose):
    visitor.set_up(game, bots)
    assert visitor.play(choose) >= 1
    visitor.wait("/The end|is over/.test(document.querySelector('.status').textContent)")
    visitor.press(".end a.primary")
    visitor.wait("location.pathname.startsWith('/match/played/')")
    visitor.wait("!!document.querySelector('.place > *')")
    number = int(visitor.value("location.pathname").rpartition("/")[2])
    with Database(visitor.site.house.tables.database, must_exist=True) as database:
        record = database.match(number)
    assert record.game == game and record.seats == ("human", *bots) and record.forfeit is None


def test_a_click_on_the_board_is_a_move(visitor):
    visitor.set_up("tic_tac_toe", ["random"])
    visitor.wait("!!document.querySelector('.board.alive') && !!document.querySelector('.moves button')")
    box = visitor.value("""(() => {
      const box = document.querySelector('.board .cell').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    })()""")
    for kind in ("mousePressed", "mouseReleased"):
        visitor.browser.call(
            "Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1
        )
    visitor.wait("document.querySelectorAll('.events li').length >= 1")
    assert visitor.value("document.querySelector('.events .name').textContent") == "x(0,0)"


def test_a_search_is_opened_while_the_match_runs(visitor):
    visitor.set_up("connect_four", ["mcts(simulations=60)"])
    visitor.press(".moves button")
    visitor.wait("document.querySelectorAll('.heads .search-tree').length === 1")
    assert "expects" in visitor.value("document.querySelector('.variation').textContent")
    visitor.press(".heads .search-tree details.branch > summary")
    visitor.wait("document.querySelectorAll('.heads .search-tree .children .line').length > 1")
    visits = visitor.value(
        "[...document.querySelectorAll('.search-tree > details > summary, .search-tree > .leaf')].map("
        "(one) => Number(one.querySelector('.figure').textContent.replace(',', '')))"
    )
    assert sum(visits) in (59, 60) and visits == sorted(visits, reverse=True)


def look_inside_a_tree(visitor):
    """Has a tree play a match, opens it and asks for what the bots thought; returns the match's table."""
    made = visitor.site.post(
        "/api/tables", {"game": "connect_four", "seats": ["bt(tree=connect_four_basic)", "random"]}
    )
    table = visitor.site.house.tables.find(made["id"])
    visitor.site.until(lambda: table.state == "over")
    visitor.go(f"/match/played/{table.match}")
    visitor.press(".acts .primary")
    visitor.wait("document.querySelector('main').dataset.heads")
    return table


def test_a_behaviour_tree_is_lit_move_by_move(visitor):
    look_inside_a_tree(visitor)
    visitor.press(".controls .forward")
    visitor.wait("!!document.querySelector('.ticks')")
    lit = "[...document.querySelectorAll('.ticks li')].map((one) => one.className)"
    first = visitor.value(lit)
    assert {"success", "still"} <= set(first) and first[0] == "success"
    visitor.press(".events li:last-child button")
    assert visitor.value("document.querySelector('.controls .forward').getAttribute('aria-disabled')") == "true"


def test_a_running_league_is_watched_stopped_and_taken_up(browser, open_site, tmp_path):
    config = tmp_path / "league.toml"
    config.write_text(
        'title = "Small"\nseed = 1\n[methods]\nsearch = ["mcts"]\nchance = ["random"]\n'
        '[[games]]\ngame = "connect_four"\nnum_games = 900\nbots = ["mcts(simulations=300)", "random"]\n'
    )
    site = open_site()
    site.house.league = str(config)
    visitor = Visitor(browser, site)
    visitor.go("/play#tournament")
    visitor.wait("document.querySelectorAll('.player-choice').length === 2")
    visitor.value(
        "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Start the league').click()"
    )
    visitor.wait("location.pathname.startsWith('/watch/')")
    visitor.wait("Number(document.querySelector('main').dataset.matches) >= 1", 180)
    seen = int(visitor.value("document.querySelector('main').dataset.matches"))
    visitor.wait(f"Number(document.querySelector('main').dataset.matches) > {seen}", 180)  # without a reload
    assert visitor.value("document.querySelectorAll('.standings tbody tr').length") == 2
    assert "of 900 matches" in visitor.value("document.querySelector('.progress').textContent")
    visitor.press(".run button")
    visitor.wait("document.querySelector('main').dataset.running === 'false'", 60)
    visitor.press(".run button.primary")
    visitor.wait("document.querySelector('main').dataset.running === 'true'", 60)
    [run] = site.house.runs.all()
    run.stop()
    site.until(lambda: not run.running())
    assert visitor.faults() == []


def test_names_of_bots_and_games_are_text(visitor):
    """A spec that looks like HTML is shown as it is."""
    evil = 'mcts(simulations="<img src=x onerror=alert(1)>")'
    made = visitor.site.post("/api/tables", {"game": "tic_tac_toe", "seats": [evil, "random"]})
    visitor.go(f"/table/{made['id']}")
    visitor.wait("document.querySelector('main').dataset.state === 'void'")
    assert "<img src=x" in visitor.value("document.querySelector('.players').textContent")
    visitor.go("/")
    visitor.wait("document.querySelectorAll('.rows li').length > 0")
    assert visitor.value("document.querySelectorAll('img[src=x]').length") == 0


@pytest.mark.parametrize("screen", ["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_its_screen_and_can_be_read_out(visitor, screen, scheme):
    name = "goofspiel(num_cards=4,points_order=descending,returns_type=total_points)"
    made = visitor.site.post("/api/tables", {"game": name, "seats": ["human", "random"]})
    over = visitor.site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["random", "random"]})
    table = visitor.site.house.tables.find(over["id"])
    visitor.site.until(lambda: table.state == "over")
    for path in (
        "/",
        "/play?game=" + name,
        f"/table/{made['id']}",
        f"/match/played/{table.match}",
        "/watch/played",
    ):
        visitor.go(path, screen, scheme)
        visitor.wait(
            "document.querySelector('main').getAttribute('aria-busy') === 'false' || location.pathname !== '/'"
        )
        assert visitor.fits(), path
        unnamed = visitor.value("""[...document.querySelectorAll('button, a, input, select, [role=img]')].filter((one) =>
          !(one.textContent.trim() || one.getAttribute('aria-label') || (one.labels && one.labels.length) || one.alt)
        ).map((one) => one.outerHTML)""")
        assert unnamed == [], path
    visitor.site.house.tables.find(made["id"]).leave()


def test_a_match_is_gone_through_by_keys(visitor):
    over = visitor.site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["random", "random"]})
    table = visitor.site.house.tables.find(over["id"])
    visitor.site.until(lambda: table.state == "over")
    visitor.go(f"/match/played/{table.match}")
    visitor.wait("!!document.querySelector('.place > *')")
    visitor.browser.key("ArrowRight")
    visitor.wait("/^Move 1:/.test(document.querySelector('.status').textContent)")
    visitor.browser.key("End")
    visitor.wait("/The end/.test(document.querySelector('.status').textContent)")
    assert visitor.value("location.hash") == f"#move={len(table.moves)}"
    visitor.browser.key("Home")
    visitor.wait("/^The start/.test(document.querySelector('.status').textContent)")


def test_a_plug_ins_game_is_played(browser, tmp_path):
    """The example of another distribution, installed as pip does it: beside its package lie its metadata."""
    shutil.copytree(PLUGIN / "subtraction_game", tmp_path / "site" / "subtraction_game")
    metadata = tmp_path / "site" / "subtraction_game-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: subtraction-game\nVersion: 1.2\n")
    points = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]["entry-points"]
    (metadata / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
            for group, named in points.items()
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.serve", "--port=0", f"--folder={tmp_path / 'table'}"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), *sys.path])},
    )
    try:
        visitor = Visitor(browser, SimpleNamespace(address=process.stdout.readline().split()[0].rstrip("/")))
        visitor.set_up("subtraction", ["counting"])
        assert visitor.play() >= 1
        visitor.wait("/The end/.test(document.querySelector('.status').textContent)")
        assert visitor.faults() == []
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def test_a_subtree_is_edited_and_played_on_with(visitor):
    table = look_inside_a_tree(visitor)
    visitor.press(".events li:nth-child(3) button")  # the tree's second move
    visitor.press(".ticks li:nth-child(2) .pen")
    area = "document.querySelector('.editor textarea')"
    chosen = visitor.value(f"{area}.value.slice({area}.selectionStart, {area}.selectionEnd)")
    text = visitor.value(f"{area}.value")
    first = visitor.value("document.querySelector('.ticks li:nth-child(2) code').textContent")
    assert chosen.strip().startswith(first) and len(chosen) < len(text)
    visitor.value(f"{area}.value = 'selector:\\n  task: fly away\\n'")
    visitor.press(".editor .primary")
    visitor.wait(
        "document.querySelector('.editor .wrong').textContent.includes('expected an action of connect_four')"
    )
    [refusal] = visitor.faults()  # which a console reports
    assert "409" in refusal
    visitor.browser.events.clear()
    visitor.value(f"{area}.value = 'task: drop edge_column\\n'")
    visitor.press(".editor .primary")
    visitor.wait("location.pathname.startsWith('/table/')")
    again = visitor.site.house.tables.all()[0]
    visitor.site.until(lambda: again.state == "over")
    assert (
        again.moves[:2] == table.moves[:2]
        and again.seats[0].startswith("bt(tree=")
        and again.seats[1] == "random"
    )
    own = [action for player, action in again.moves[2:] if player == 0]
    assert own[0] in (0, 6)
