"""The spool, with a thread in the part of the person who answers."""

import json
import os
import threading
import time

import pytest

from language_models import (
    BadReply,
    Image,
    LanguageModelError,
    Message,
    Request,
    Spool,
    Transient,
    complete_many,
    from_spec,
)
from language_models.backends import spool


def test_continuations_are_refused(tmp_path):
    """Nobody writes log-probabilities by hand."""
    request = Request((Message("user", "x"),), continuations=("a",))
    with pytest.raises(LanguageModelError, match="no log-probabilities of given continuations"):
        Spool(tmp_path).complete(request)
    with pytest.raises(LanguageModelError, match="no log-probabilities of given continuations"):
        Spool(tmp_path).complete_batch([request])
    assert not list(tmp_path.glob("*.request.*"))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(spool, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(spool, "SETTLED_SECONDS", 0.05)


def prompt(text, **options):
    return Request((Message("system", "be brief"), Message("user", text)), **options)


class Person:
    """Answers every finished request in a folder by `reply(prompt text, number of the answer)`."""

    def __init__(self, folder, reply):
        self.folder = folder
        self.reply = reply
        self.seen = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.is_set():
            for path in sorted(self.folder.glob("*.request.json")):
                if path.name not in self.seen:
                    self.seen.append(path.name)
                    self._answer(json.loads(path.read_text()), path)
            self._stop.wait(0.01)

    def _answer(self, parameters, path):
        request = next(self.folder.glob(f"{path.stem}.[mj]*[dl]"))
        text = request.read_text(encoding="utf-8")
        if request.suffix == ".md":
            for number, name in enumerate(parameters["answers"], start=1):
                (self.folder / name).write_text(self.reply(text, number), encoding="utf-8")
            return
        lines = [json.loads(line) for line in text.splitlines()]
        answers = [
            {"id": line["id"], "text": self.reply(line["messages"][-1]["content"], line["id"])}
            for line in reversed(lines)
        ]
        [name] = parameters["answers"]
        (self.folder / name).write_text("".join(json.dumps(a) + "\n" for a in answers))


def last_word(text, number):
    return f"{text.split()[-1]} {number}"


def test_request_and_answer(tmp_path):
    request = prompt("what is \u00fc?", purpose="test", temperature=0.5)
    with Person(tmp_path, lambda text, number: "# an answer\n\u00fc\n"):
        [completion] = Spool(tmp_path).complete(request)
    assert completion.text == "# an answer\n\u00fc\n"
    assert completion.finish_reason == "stop"
    stem = f"0001-{request.key()[:8]}"
    shown = (tmp_path / f"{stem}.request.md").read_text(encoding="utf-8")
    assert shown.split() == ["#", "system", "be", "brief", "#", "user", "what", "is", "\u00fc?"]
    parameters = json.loads((tmp_path / f"{stem}.request.json").read_text())
    assert parameters["temperature"] == 0.5 and parameters["purpose"] == "test"
    assert ".answer.md" in (tmp_path / "README.txt").read_text()
    assert not list(tmp_path.glob(".*"))


def test_several_answers(tmp_path):
    with Person(tmp_path, last_word):
        completions = Spool(tmp_path).complete(prompt("go", n=3))
    assert [completion.text for completion in completions] == ["go 1", "go 2", "go 3"]


def test_images_lie_beside_the_request(tmp_path):
    images = (Image(b"one", "image/png"), Image(b"two", "image/jpeg"))
    request = Request((Message("user", "look", images), Message("user", "", (Image(b"three"),))))
    with Person(tmp_path, last_word):
        Spool(tmp_path).complete(request)
    shown = next(tmp_path.glob("*.request.md")).read_text()
    names = [line.split("(")[1].rstrip(")") for line in shown.splitlines() if "](" in line]
    assert [(tmp_path / name).read_bytes() for name in names] == [b"one", b"two", b"three"]
    assert [name.rsplit(".", 1)[1] for name in names] == ["png", "jpg", "png"]


def test_numbers_go_on(tmp_path):
    (tmp_path / "0041-00000000.answer.md").write_text("somebody else's")
    with Person(tmp_path, last_word):
        model = Spool(tmp_path)
        model.complete(prompt("a"))
        model.complete(prompt("b"))
    assert [path.name[:4] for path in sorted(tmp_path.glob("*.request.md"))] == ["0042", "0043"]


def test_same_request_again_is_asked_again(tmp_path):
    with Person(tmp_path, last_word) as person:
        model = Spool(tmp_path)
        model.complete(prompt("a"))
        model.complete(prompt("a"))
    assert len(person.seen) == 2


def test_resumed_run_asks_nothing_twice(tmp_path):
    with Person(tmp_path, lambda text, number: f"{text.split()[-1]} {len(person.seen)}") as person:
        model = Spool(tmp_path)
        before = [model.complete(prompt(text))[0].text for text in ("a", "b", "a")]
    model = Spool(tmp_path, timeout=5)
    after = [model.complete(prompt(text))[0].text for text in ("a", "b", "a")]
    assert after == before == ["a 1", "b 2", "a 3"]
    assert len(list(tmp_path.glob("*.request.md"))) == 3


def test_killed_while_waiting(tmp_path):
    """A request without an answer is taken up again, not written twice."""
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.02).complete(prompt("a"))
    with Person(tmp_path, last_word):
        assert Spool(tmp_path).complete(prompt("a"))[0].text == "a 1"
    assert len(list(tmp_path.glob("*.request.md"))) == 1


def test_timeout_names_the_file(tmp_path):
    with pytest.raises(Transient, match=r"0001-.*\.answer\.md.* within 0\.05 s"):
        Spool(tmp_path, timeout=0.05).complete(prompt("a"))


def test_answer_that_grows_is_not_taken_half(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "SETTLED_SECONDS", 0.8)
    stem = f"0001-{prompt('a').key()[:8]}"

    def write_slowly():
        while not (tmp_path / f"{stem}.request.json").exists():
            time.sleep(0.01)
        with open(tmp_path / f"{stem}.answer.md", "w") as file:
            for _ in range(10):
                time.sleep(0.08)
                file.write("word ")
                file.flush()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    [completion] = Spool(tmp_path).complete(prompt("a"))
    writer.join()
    assert completion.text == "word " * 10


def test_empty_answer_is_no_answer(tmp_path):
    (tmp_path / f"0001-{prompt('a').key()[:8]}.answer.md").touch()
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.1).complete(prompt("a"))


def test_answer_that_is_not_text(tmp_path):
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.01).complete(prompt("a"))
    (tmp_path / f"0001-{prompt('a').key()[:8]}.answer.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadReply, match="not UTF-8"):
        Spool(tmp_path, timeout=5).complete(prompt("a"))


def test_windows_editors_change_nothing(tmp_path):
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.01).complete(prompt("a"))
    answer = tmp_path / f"0001-{prompt('a').key()[:8]}.answer.md"
    answer.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert Spool(tmp_path, timeout=5).complete(prompt("a"))[0].text == "one\ntwo\n"


def test_batch(tmp_path):
    requests = [prompt("a"), prompt("b", n=2), prompt("a")]
    with Person(tmp_path, last_word) as person:
        answers = Spool(tmp_path).complete_batch(requests)
    assert [[c.text for c in completions] for completions in answers] == [["a 1"], ["b 2", "b 3"], ["a 4"]]
    assert len(person.seen) == 1
    [path] = tmp_path.glob("0001-batch-*.request.jsonl")
    first = json.loads(path.read_text().splitlines()[0])
    assert first == {
        "id": 1,
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "a"}],
    }


def test_batch_is_resumed(tmp_path):
    requests = [prompt("a"), prompt("b")]
    with Person(tmp_path, last_word):
        before = Spool(tmp_path).complete_batch(requests)
    assert Spool(tmp_path, timeout=5).complete_batch(requests) == before
    assert Spool(tmp_path).complete_batch([]) == []
    assert len(list(tmp_path.glob("*.request.jsonl"))) == 1


def test_images_in_batches(tmp_path):
    requests = [Request((Message("user", "a", (Image(bytes([i + 1])),)),)) for i in range(2)]
    with Person(tmp_path, last_word):
        Spool(tmp_path).complete_batch(requests)
    [path] = tmp_path.glob("*.request.jsonl")
    named = [json.loads(line)["messages"][0]["images"] for line in path.read_text().splitlines()]
    assert [(tmp_path / name).read_bytes() for [name] in named] == [b"\x01", b"\x02"]


@pytest.mark.parametrize(
    "lines, words",
    [
        (['{"id": 1, "text": "x"}'], "no line for id 2"),
        (['{"id": 1, "text": "x"}', '{"id": 1, "text": "y"}'], "line 2, has id 1 again"),
        (['{"id": 1, "text": "x"}', "", '{"id": 3, "text": "y"}'], "line 3, has id 3: expected 1 to 2"),
        (['{"id": 1, "text": "x"}', '{"id": 2, "te'], "line 2, is not JSON"),
        (['{"id": "1", "text": "x"}'], "line 1, is malformed"),
        (['{"id": true, "text": "x"}'], "line 1, is malformed"),
        (['{"id": 1, "text": 5}'], "line 1, is malformed"),
        (['[1, "x"]'], "line 1, is malformed"),
    ],
)
def test_bad_batches(tmp_path, lines, words):
    requests = [prompt("a"), prompt("b")]
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.01).complete_batch(requests)
    [path] = tmp_path.glob("*.request.jsonl")
    answer = tmp_path / path.name.replace("request", "answer")
    answer.write_text("\n".join(lines))
    with pytest.raises(BadReply, match=words) as caught:
        Spool(tmp_path, timeout=5).complete_batch(requests)
    assert answer.name in str(caught.value)
    answer.write_text('{"id": 2, "text": "y"}\n{"id": 1, "text": "x"}\n')
    answers = Spool(tmp_path, timeout=5).complete_batch(requests)
    assert [completion.text for [completion] in answers] == ["x", "y"]


def test_the_one_who_answers_is_named(tmp_path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "model.txt").write_text("some model 4.2, by hand\nmore\n")
    with Person(tmp_path / "spool", last_word):
        model = from_spec(f"spool:{tmp_path}/spool", record_to=tmp_path / "r.jsonl")
        assert model.complete(prompt("a"))[0].model == "some model 4.2, by hand"
    header = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])["header"]
    assert header["model"] == "some model 4.2, by hand"


def test_spooled_recorded_and_replayed(tmp_path):
    """The way the shipped recordings are made."""
    requests = [prompt(text, purpose="test") for text in "abc"]
    with Person(tmp_path / "spool", last_word):
        spec = f"spool:{tmp_path}/spool"
        model = from_spec(spec, record_to=tmp_path / "r.jsonl", budget="calls=3")
        answers = complete_many(model, requests)
    assert complete_many(from_spec(f"recorded:{tmp_path}/r.jsonl"), requests) == answers


def test_damaged_parameters(tmp_path):
    with pytest.raises(Transient):
        Spool(tmp_path, timeout=0.01).complete(prompt("a"))
    next(tmp_path.glob("*.request.json")).write_text("{")
    with pytest.raises(LanguageModelError, match="damaged"):
        Spool(tmp_path, timeout=0.01).complete(prompt("a"))


def test_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LanguageModelError, match="cannot be used"):
        Spool(tmp_path / "file" / "spool")


def test_threads_share_a_spool(tmp_path):
    """Single requests at the same time: distinct numbers, each its own answer."""
    requests = [prompt(f"word{i}") for i in range(6)]
    with Person(tmp_path, last_word):
        model = Spool(tmp_path)
        answers = [None] * 6

        def ask(index):
            answers[index] = model.complete(requests[index])[0].text

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [f"word{i} 1" for i in range(6)]
    numbers = [name[:4] for name in os.listdir(tmp_path) if name.endswith("request.md")]
    assert sorted(numbers) == [f"{i:04d}" for i in range(1, 7)]
