"""The real small model, live in its own process."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from language_models import (
    Image,
    LanguageModelError,
    Message,
    Recorded,
    Request,
    Transient,
    find_layer,
    from_spec,
    in_threads,
    score,
)
from language_models.backends.local import continuations, process
from language_models.backends.local.backend import Local
from language_models.backends.local.options import LocalOptions
from language_models.grammars import Characters, OneOf, Sequence, lines

pytestmark = pytest.mark.usefixtures("small_model")

CONTEXT = 256
COLOURS = Request(
    (Message("user", "Name three colours."),), max_tokens=12, top_logprobs=3, seed=5, purpose="colours"
)
HALL = (
    Message("system", "You play a text game."),
    Message("user", "You are in a hall. A door is closed.\nWhat do you do next? Reply with the action only."),
)
ACTIONS = ("go north", "open door", "open window", "take the brass lamp")


@pytest.fixture(scope="module")
def local():
    """One process for all tests that do not change it, and each test its own counts."""
    yield lambda **options: Local(LocalOptions(**{"threads": 1, "context": CONTEXT, **options}))
    process.close_all()


@pytest.fixture
def model(local):
    return local()


def test_an_answer(model):
    [completion] = model.complete(COLOURS)
    assert "1. " in completion.text and completion.finish_reason in ("stop", "length")
    assert 5 < completion.prompt_tokens < 60 and 0 < completion.completion_tokens <= 12
    assert completion.model.startswith("SmolLM2-135M-Instruct.Q4_1 (sha256 b179c9523d0e, xllamacpp ")
    assert len(completion.logprobs) == completion.completion_tokens
    for step in completion.logprobs:
        tops = [top["logprob"] for top in step["top"]]
        assert len(tops) == 3 and tops == sorted(tops, reverse=True) and 0 >= tops[0] >= step["logprob"]


def test_same_seed_same_tokens_whatever_was_asked_before(model):
    """To the last bit of the log-probabilities, although prompts share a beginning."""
    first = model.complete(COLOURS)
    other = Request((Message("user", "Name three colours of a cat."),), max_tokens=4)
    model.complete(other)
    assert model.complete(COLOURS) == first
    assert [c.text for c in model.complete(other)] == [c.text for c in model.complete(other)]


def test_the_seed_decides(model):
    def texts(seed):
        request = Request(COLOURS.messages, max_tokens=8, seed=seed, temperature=1.5, n=2)
        return [completion.text for completion in model.complete(request)]

    first = texts(1)
    assert first[0] != first[1] and first != texts(2) and first == texts(1)


def test_without_a_seed_the_request_is_the_seed(model):
    request = Request(COLOURS.messages, max_tokens=4, temperature=1.5)
    assert model.complete(request) == model.complete(request)


def test_one_and_two_threads_answer_alike(model, local):
    """Few tokens: where the cores are busy, two threads wait for each other most of the time."""
    two = local(threads=2)
    assert two.process is not model.process
    request = Request(COLOURS.messages, max_tokens=4, top_logprobs=20, seed=5, temperature=1.5)
    assert two.complete(request) == model.complete(request)
    two.process.close()


def test_the_most_tokens_where_the_request_leaves_them_open(local):
    short = local(tokens=3)
    [completion] = short.complete(Request(COLOURS.messages, temperature=0))
    assert completion.completion_tokens == 3 and completion.finish_reason == "length"
    assert short.complete(Request(COLOURS.messages, temperature=0, max_tokens=5))[0].completion_tokens == 5


def test_stops(model):
    request = Request(COLOURS.messages, temperature=0, stop=("Red",), max_tokens=30)
    [completion] = model.complete(request)
    assert completion.finish_reason == "stop" and completion.text == "1. "
    [short] = model.complete(Request(COLOURS.messages, temperature=0, max_tokens=1))
    assert (short.finish_reason, short.completion_tokens) == ("length", 1)


def test_scores_are_the_models_own(model, monkeypatch):
    """Forced tokens have the log-probability that the model gives them where it lists them; the greedy answer's
    score is what the model said when it wrote it."""
    request = Request(HALL)
    listed = model.score(request, ACTIONS)
    assert [scored.text for scored in listed] == list(ACTIONS)
    assert all("".join(scored.tokens) == scored.text for scored in listed)
    assert all(-103.2 <= logprob < 0 for scored in listed for logprob in scored.logprobs)
    assert listed[1].logprobs[0] == listed[2].logprobs[0]  # both begin with "open"
    monkeypatch.setattr(continuations, "SHOWN", 1)
    for one, other in zip(listed, model.score(request, ACTIONS)):
        assert one.logprobs == pytest.approx(other.logprobs, abs=0.3)
    [written] = model.complete(Request(HALL, temperature=0, max_tokens=4, top_logprobs=1))
    said = [step["logprob"] for step in written.logprobs]
    [scored] = model.score(request, [written.text])
    assert list(scored.tokens) == [step["token"] for step in written.logprobs]
    assert scored.logprobs == pytest.approx(said, abs=0.3)


def test_a_prompt_is_computed_once_for_all_its_continuations(model):
    model.score(Request(HALL), ACTIONS)
    [completion] = model.complete(Request(HALL, max_tokens=1))
    counts = model.counts
    tokens = sum(len(scored.tokens) for scored in model.score(Request(HALL), ACTIONS))
    computed = model.counts.computed - counts.computed
    # Each further token costs one, and where a token is forced beside listed ones that one again.
    assert completion.prompt_tokens < computed <= completion.prompt_tokens + 2 * tokens
    assert model.counts.requests == counts.requests + 1


def test_part_of_a_character_cannot_be_scored(model):
    with pytest.raises(LanguageModelError, match="part of a character"):
        model.score(Request(HALL), ["🦆"])


def test_answers_of_a_form(model):
    action = Sequence("ACTION: ", OneOf(*ACTIONS))
    [completion] = model.complete(Request(HALL, form=action, max_tokens=20, temperature=1.5, seed=1))
    assert completion.text.removeprefix("ACTION: ") in ACTIONS and completion.finish_reason == "stop"
    number = Characters("0-9", 1, 2)
    plan = lines(Sequence("[", OneOf("Move", "Build"), "](", number, ", ", number, ")"), 2, 2)
    [completion] = model.complete(Request(HALL, form=plan, max_tokens=60, temperature=1.0, seed=1))
    assert len(completion.text.splitlines()) == 2 and completion.text.count("](") == 2


def test_json_by_a_schema(model):
    entry = {"type": "integer", "minimum": 1, "maximum": 9}
    schema = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {
            "a": {"type": "array", "minItems": 2, "maxItems": 2, "items": entry},
            "b": {"type": "number", "minimum": 0, "maximum": 1},
        },
    }
    [completion] = model.complete(Request(HALL, json_schema=schema, max_tokens=40, temperature=1.0, seed=2))
    reply = json.loads(completion.text)
    assert len(reply["a"]) == 2 and all(1 <= number <= 9 for number in reply["a"]) and 0 <= reply["b"] <= 1


def test_grammars_can_be_left_out(local):
    free = local(grammar=False)
    [completion] = free.complete(Request(HALL, form=OneOf("xyzzy"), max_tokens=4, temperature=0))
    assert completion.text != "xyzzy"
    held = local()
    assert held.process is free.process
    assert held.complete(Request(HALL, form=OneOf("xyzzy"), max_tokens=8))[0].text == "xyzzy"
    with pytest.raises(LanguageModelError, match=r"cannot be held to its form .*grammar=off"):
        held.complete(Request(HALL, json_schema={"$ref": "#/x"}))


def test_too_long_for_the_context(model):
    with pytest.raises(
        LanguageModelError, match=r"1,2\d\d tokens of prompt and asks for 1 more.* has 256 for both"
    ):
        model.complete(Request((Message("user", "word " * 1200),), purpose="long"))
    [completion] = model.complete(Request(COLOURS.messages, max_tokens=1))
    room = CONTEXT - completion.prompt_tokens
    with pytest.raises(LanguageModelError, match=f"asks for {room + 1} more"):
        model.complete(Request(COLOURS.messages, max_tokens=room + 1))
    with pytest.raises(LanguageModelError, match="tokens of prompt and asks for 30"):
        model.score(Request(HALL), ["go north", "word " * 300])
    assert model.complete(Request(COLOURS.messages, max_tokens=room, stop=(".",)))


def test_images_are_not_read(model):
    with pytest.raises(LanguageModelError, match="holds images"):
        model.complete(Request((Message("user", "look", (Image(b"x"),)),)))


def test_many_threads_ask_one_process(model, local):
    requests = [Request(COLOURS.messages, max_tokens=3, seed=seed, temperature=1.5) for seed in range(4)]
    alone = [model.complete(request) for request in requests]
    assert in_threads(lambda request: local().complete(request), requests, 4) == alone
    assert model.process.starts == 1


def test_beginnings_are_kept_and_requests_computed_together(local):
    model = local(cache=True, slots=2)
    requests = [
        Request(
            (*HALL, Message("assistant", "look"), Message("user", f"A {word}.")), max_tokens=4, temperature=0
        )
        for word in ("cat", "dog", "cup", "hat")
    ]
    answers = in_threads(model.complete, requests, 4)
    assert all(0 < completion.completion_tokens <= 4 for [completion] in answers)
    prompts = sum(completion.prompt_tokens for [completion] in answers)
    assert model.counts.cached + model.counts.computed == prompts and model.counts.cached > prompts / 4
    model.process.close()


def test_a_killed_process_is_started_anew_and_the_request_asked_again(local):
    model = local(context=200)
    request = Request(COLOURS.messages, max_tokens=60, temperature=1.0, seed=3)
    expected = model.complete(request)
    starts = model.process.starts  # of other tests too, which share the process
    timer = threading.Timer(0.2, os.kill, (model.process.pid, signal.SIGKILL))
    timer.start()
    assert model.complete(request) == expected
    timer.join()
    assert model.complete(request) == expected
    assert model.process.starts == starts + 1


def test_a_process_that_is_killed_again_is_one_sentence(local):
    model = local(context=200)
    model.complete(Request(COLOURS.messages, max_tokens=1))
    ended = threading.Event()

    def kill():
        while not ended.is_set():
            try:
                os.kill(model.process.pid, signal.SIGKILL)
            except (TypeError, ProcessLookupError):
                pass
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(Transient, match="was killed by signal 9 .*the second time") as caught:
            model.complete(COLOURS)
    finally:
        ended.set()
        killer.join()
    assert "\n" not in str(caught.value)
    assert model.complete(Request(COLOURS.messages, max_tokens=1))


def test_no_answer_in_time(local):
    slow = Local(LocalOptions(threads=1, context=CONTEXT), timeout=0.3)
    slow.process.start()
    with pytest.raises(Transient, match=r"did not answer within 0\.3 s"):
        slow.complete(
            Request(COLOURS.messages, max_tokens=200, temperature=1.5, form=Characters("a-z", 190, 200))
        )
    # The question was taken back: the next one does not wait for it.
    assert local().complete(Request(COLOURS.messages, max_tokens=1))


def test_no_memory(local):
    with pytest.raises(LanguageModelError, match=r"needs about 4\d\d MiB .* and memory=100 allows 100 MiB"):
        local(memory=100).complete(COLOURS)


def test_more_context_than_the_model_has(local):
    with pytest.raises(LanguageModelError, match=r"trained with 8,192 tokens .* and context=9000"):
        local(context=9000).complete(COLOURS)


def test_truncated_and_wrong_files(local, small_model, tmp_path, monkeypatch):
    data = bytearray(small_model.read_bytes())
    path = tmp_path / "half.gguf"
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(LanguageModelError, match="is truncated or damaged"):
        local(model=str(path)).complete(COLOURS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "spielwright" / "models"
    folder.mkdir(parents=True)
    data[-1] ^= 1
    (folder / small_model.name).write_bytes(data)
    with pytest.raises(LanguageModelError, match="is not smollm2-135m: its sha256 begins"):
        Local(LocalOptions(context=300)).complete(COLOURS)


def test_a_head_without_a_model(local, small_model, tmp_path):
    """Only llama.cpp itself finds that the weights are missing."""
    path = tmp_path / "empty.gguf"
    path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + bytes(24))
    with pytest.raises(LanguageModelError, match=r"cannot be loaded \(.+\)") as caught:
        local(model=str(path)).complete(COLOURS)
    assert "\n" not in str(caught.value)


def test_recorded_and_replayed(model, tmp_path):
    path = tmp_path / "r.jsonl"
    live = from_spec(
        f"local+threads=1+context={CONTEXT}", record_to=path, budget="calls=10", log_to=tmp_path / "log"
    )
    answer, scored = live.complete(COLOURS), score(live, Request(HALL, seed=1), ACTIONS)
    assert find_layer(live, Local).process is model.process
    replayed = from_spec(f"recorded:{path}")
    assert replayed.complete(COLOURS) == answer and score(replayed, Request(HALL, seed=1), ACTIONS) == scored
    header, *lines_ = [json.loads(line) for line in path.read_text().splitlines()]
    assert header["header"]["model"] == "local:smollm2-135m" and len(lines_) == 2
    assert [entry["n"] for entry in map(json.loads, (tmp_path / "log").read_text().splitlines())] == [
        1,
        len(ACTIONS),
    ]
    assert Recorded(path).holds(COLOURS)


def test_the_process_ends_with_its_parent(small_model):
    program = (
        "import os, signal\n"
        "from language_models.backends.local.backend import Local, LocalOptions\n"
        "model = Local(LocalOptions(threads=1, context=128))\n"
        "model.process.start()\n"
        "print(model.process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    pid = int(done.stdout)
    for _ in range(500):
        if not os.path.exists(f"/proc/{pid}/cmdline") or not open(f"/proc/{pid}/cmdline").read():
            return  # ended, or a zombie of whoever inherited it
        time.sleep(0.02)
    pytest.fail(f"the model's process {pid} outlived the process that started it")
