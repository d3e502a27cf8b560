"""Budget, retries, call log, and what wrappers have in common."""

import datetime
import json
import random
import threading

import pytest

from language_models import (
    BadReply,
    Budget,
    Budgeted,
    BudgetExceeded,
    CallLogged,
    Completion,
    LanguageModelError,
    Message,
    Prices,
    RateLimited,
    Request,
    Retrying,
    RetryPolicy,
    Transient,
    find_layer,
    parse_budget,
)
from language_models.backends.http_errors import quote, retry_after_seconds

# 8 characters: 2 tokens by the estimate of 4 characters each.
ASK = Request((Message("user", "12345678"),), purpose="test")


class Fake:
    """Answers with fixed token counts, or raises what `failures` holds, one for each call."""

    name = "fake"

    def __init__(self, prompt_tokens=10, completion_tokens=5, failures=()):
        self.counts = (prompt_tokens, completion_tokens)
        self.failures = list(failures)
        self.calls = 0

    def complete(self, request):
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        rest = [Completion("four", "stop", 0, 0, None, "fake-1")] * (request.n - 1)
        return [Completion("four", "stop", *self.counts, None, "fake-1")] + rest


class FakeBatches(Fake):
    def complete_batch(self, requests):
        return [self.complete(request) for request in requests]


def test_calls_are_limited_before_they_are_made():
    fake = Fake()
    model = Budgeted(fake, Budget(calls=2))
    model.complete(ASK)
    model.complete(ASK)
    with pytest.raises(BudgetExceeded, match="'test'.*budget of 2 calls"):
        model.complete(ASK)
    assert fake.calls == 2


def test_n_completions_are_n_calls():
    fake = Fake()
    model = Budgeted(fake, Budget(calls=3))
    model.complete(Request(ASK.messages, n=2))
    with pytest.raises(BudgetExceeded):
        model.complete(Request(ASK.messages, n=2))
    model.complete(ASK)
    assert (fake.calls, model.spent.calls) == (2, 3)


def test_a_failed_attempt_is_a_call():
    model = Budgeted(Fake(failures=[Transient("no")]), Budget(calls=1, tokens=1000))
    with pytest.raises(Transient):
        model.complete(ASK)
    with pytest.raises(BudgetExceeded):
        model.complete(ASK)
    assert model.spent.tokens == 0


def test_tokens_count_as_the_backend_says():
    model = Budgeted(Fake(10, 5), Budget(tokens=32))
    model.complete(ASK)
    model.complete(ASK)
    assert (model.spent.prompt_tokens, model.spent.completion_tokens) == (20, 10)
    assert not model.spent.estimated
    with pytest.raises(BudgetExceeded):  # 30 used, an answer of 1 and a prompt of 2 to come
        model.complete(Request(ASK.messages, max_tokens=1))
    model.complete(ASK)


def test_max_tokens_are_set_aside():
    fake = Fake()
    model = Budgeted(fake, Budget(tokens=100))
    with pytest.raises(BudgetExceeded, match="may take 102"):
        model.complete(Request(ASK.messages, n=2, max_tokens=50))
    model.complete(Request(ASK.messages, n=2, max_tokens=49))
    assert fake.calls == 1
    assert model.spent.tokens == 15


def test_what_is_under_way_is_set_aside():
    started, go_on = threading.Event(), threading.Event()

    class Slow(Fake):
        def complete(self, request):
            started.set()
            assert go_on.wait(5)
            return super().complete(request)

    model = Budgeted(Slow(), Budget(tokens=100))
    thread = threading.Thread(target=model.complete, args=(Request(ASK.messages, max_tokens=90),))
    thread.start()
    assert started.wait(5)
    with pytest.raises(BudgetExceeded):
        model.complete(Request(ASK.messages, max_tokens=90))
    go_on.set()
    thread.join()
    assert model.spent.tokens == 15
    model.complete(Request(ASK.messages, max_tokens=80))


def test_unknown_counts_are_estimated_and_say_so():
    model = Budgeted(Fake(None, None), Budget(tokens=4))
    model.complete(ASK)
    assert model.spent.tokens == 3 and model.spent.estimated
    with pytest.raises(BudgetExceeded, match="partly estimates"):
        model.complete(ASK)


def test_money():
    """At 1 and 10 dollars a million, 1,000 and 500 tokens cost 0.001 + 0.005 dollars."""
    model = Budgeted(Fake(1000, 500), Budget(usd=0.012), Prices(1.0, 10.0))
    model.complete(ASK)
    assert model.spent.usd == pytest.approx(0.006)
    model.complete(ASK)
    with pytest.raises(BudgetExceeded, match="dollars"):
        model.complete(ASK)


def test_money_needs_prices():
    with pytest.raises(ValueError, match="prompt_price"):
        Budgeted(Fake(), Budget(usd=1))


def test_batches_count_all_their_requests():
    fake = FakeBatches()
    model = Budgeted(fake, Budget(calls=3))
    with pytest.raises(BudgetExceeded):
        model.complete_batch([ASK] * 4)
    assert fake.calls == 0
    model.complete_batch([ASK] * 3)
    assert model.spent.calls == 3


def test_budget_texts():
    assert parse_budget("calls=20,tokens=1e6") == (Budget(20, 1_000_000, None), None)
    assert parse_budget("usd=5, prompt_price=0.3, completion_price=2.5") == (Budget(usd=5.0), Prices(0.3, 2.5))


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "unknown entry"),
        ("call=3", "did you mean 'calls'"),
        ("calls", "calls=''"),
        ("calls=1.5", "whole number"),
        ("calls=-1", "0 or more"),
        ("usd=nan", "usd='nan'"),
        ("tokens=inf", "tokens='inf'"),
        ("calls=1,calls=2", "twice"),
        ("prompt_price=1", "one price"),
        ("calls=1;tokens=2", "1;tokens=2"),
    ],
)
def test_bad_budget_texts(text, words):
    with pytest.raises(ValueError, match=words):
        parse_budget(text)


class Sleeps(list):
    __call__ = list.append


def retrying(fake, **policy):
    sleeps = Sleeps()
    return Retrying(fake, RetryPolicy(**policy), rng=random.Random(1), sleep=sleeps), sleeps


def test_backoff_doubles_with_jitter():
    model, sleeps = retrying(Fake(failures=[Transient("no")] * 5), attempts=6, max_delay=5)
    model.complete(ASK)
    for delay, most in zip(sleeps, [1, 2, 4, 5, 5], strict=True):
        assert most / 2 <= delay <= most
    assert len(set(sleeps)) == 5


def test_jitter_comes_from_the_rng():
    runs = []
    for seed in (1, 1, 2):
        sleeps = Sleeps()
        fake = Fake(failures=[Transient("no")] * 3)
        Retrying(fake, RetryPolicy(), rng=random.Random(seed), sleep=sleeps).complete(ASK)
        runs.append(sleeps)
    assert runs[0] == runs[1] != runs[2]


def test_last_failure_is_raised_with_the_number_of_attempts():
    fake = Fake(failures=[Transient("first"), RateLimited("second", 0.0)])
    model, sleeps = retrying(fake, attempts=2)
    with pytest.raises(RateLimited, match=r"second \(after 2 attempts\)"):
        model.complete(ASK)
    assert (fake.calls, len(sleeps)) == (2, 1)


def test_retry_after_is_waited_out_in_full():
    model, sleeps = retrying(Fake(failures=[RateLimited("no", 30.0), Transient("no", 7.0)]))
    model.complete(ASK)
    assert 30 <= sleeps[0] <= 31 and 7 <= sleeps[1] <= 8


def test_retry_after_tomorrow_is_not_waited_for():
    fake = Fake(failures=[RateLimited("quota", 86400.0)])
    model, sleeps = retrying(fake)
    with pytest.raises(RateLimited, match="86400 s"):
        model.complete(ASK)
    assert (fake.calls, sleeps) == (1, [])


@pytest.mark.parametrize(
    "error",
    [
        LanguageModelError("400"),
        BadReply("?"),
        BudgetExceeded("spent"),
        ZeroDivisionError(),
        KeyboardInterrupt(),
    ],
)
def test_other_errors_pass_at_once(error):
    model, sleeps = retrying(Fake(failures=[error]))
    with pytest.raises(type(error)):
        model.complete(ASK)
    assert sleeps == []


@pytest.mark.parametrize("policy", [{"attempts": 0}, {"factor": 0.5}, {"first_delay": -1}])
def test_bad_policies(policy):
    with pytest.raises(ValueError, match="retry policy"):
        RetryPolicy(**policy)


# The date is the example of RFC 9110, section 10.2.3.
NOW = datetime.datetime(1999, 12, 31, 23, 59, 29, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    "header, seconds",
    [
        ("120", 120),
        ("0", 0),
        ("-5", 0),
        ("1.5", 1.5),
        (None, None),
        ("soon", None),
        ("", None),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 30),
        ("Fri, 31 Dec 1999 23:59:00 GMT", 0),
        ("nan", None),
        ("inf", None),
        ("Fri, 99 Dec 1999 23:59:59 GMT", None),
    ],
)
def test_retry_after_headers(header, seconds):
    assert retry_after_seconds(header, NOW) == seconds


def test_quotes_are_short_and_without_secrets():
    line = quote("key abc\nfailed " + "x" * 1000, "abc")
    assert line.startswith("key [key] failed xxx") and len(line) < 310
    assert quote("", "") == "(nothing)"


def test_log_lines(tmp_path):
    path = tmp_path / "log.jsonl"
    model = CallLogged(Fake(1000, 500, [BadReply("odd")]), path, Prices(1.0, 10.0))
    with pytest.raises(BadReply):
        model.complete(ASK)
    model.complete(Request(ASK.messages, n=2, purpose="two"))
    failed, answered = [json.loads(line) for line in path.read_text().splitlines()]
    assert failed["error"] == "BadReply: odd" and failed["prompt_tokens"] is None
    assert failed["purpose"] == "test" and failed["key"] == ASK.key()
    assert answered["error"] is None and answered["n"] == 2 and answered["model"] == "fake-1"
    assert (answered["prompt_tokens"], answered["completion_tokens"]) == (1000, 500)
    assert answered["usd"] == pytest.approx(0.006) and not answered["tokens_estimated"]
    assert answered["latency_seconds"] >= 0
    assert "12345678" not in path.read_text()
    totals = model.totals
    assert (totals.requests, totals.failures, totals.usage.calls) == (1, 1, 2)
    assert totals.usage.tokens == 1500 and totals.usage.usd == pytest.approx(0.006)


def test_log_of_estimates_and_without_prices(tmp_path):
    model = CallLogged(Fake(None, None), tmp_path / "log.jsonl")
    model.complete(ASK)
    [line] = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert (line["prompt_tokens"], line["completion_tokens"]) == (2, 1)
    assert line["tokens_estimated"] and line["usd"] is None


def test_log_of_batches(tmp_path):
    model = CallLogged(FakeBatches(), tmp_path / "log.jsonl")
    model.complete_batch([ASK, ASK])
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["batch_size"] for line in lines] == [2, 2]
    assert model.totals.requests == 2


def test_log_that_cannot_be_written(tmp_path):
    with pytest.raises(LanguageModelError, match="cannot be written"):
        CallLogged(Fake(), tmp_path / "missing" / "log.jsonl")


def test_totals_without_a_file_and_from_many_threads():
    model = CallLogged(Fake())
    threads = [threading.Thread(target=lambda: [model.complete(ASK) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.totals.usage.calls == 200 and model.totals.usage.tokens == 3000


def test_layers():
    inner = FakeBatches()
    model = Retrying(Budgeted(CallLogged(inner), Budget()), RetryPolicy(), rng=random.Random(0))
    assert model.name == "fake"
    assert find_layer(model, CallLogged).model is inner
    assert find_layer(model, Fake) is inner
    assert find_layer(inner, Budgeted) is None
    assert len(model.complete_batch([ASK, ASK])) == 2
    assert not hasattr(Budgeted(Fake(), Budget()), "complete_batch")
