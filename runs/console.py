"""The command `spielwright`: every command of the suite by its words.

    spielwright tournament --game=connect_four --bots=random,mcts     python -m arena.tournament ...
    spielwright cwm synthesize --game=connect_four ...                python -m cwm.synthesize ...
    spielwright cwm.synthesize --game=connect_four ...                the same
    spielwright cwm                                                   the commands of one package
    spielwright fetch-model                                           a language model for this machine
    spielwright new-game nim21                                        a package for a game of one's own
    spielwright completion bash                                       completion for a shell

Commands are found in the folders of the packages, by their text: nothing of them is imported until one runs. Exit
codes are those of the command; an unknown word gives 2.
"""

from __future__ import annotations

import ast
import functools
import re
import runpy
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import spielwright_packages
from runs.suggestions import nearest

BAD_INPUT = 2
ALIASES = {"fetch-model": "language_models.fetch_model", "new-game": "games.packages.new_game"}
"""Commands that are called by a word of their own as well."""
HOME = "arena"
"""The package whose commands need no word before their own."""
SOURCE_ONLY = "benchmarks"
"""The package that lies in a clone only; the overview names its commands without their sentences."""
SHELLS = ("bash", "zsh", "fish")
_WIDTH = 100
_SOURCE = re.compile(r" \([^()]*\)(?=\.$)")
"""A remark in brackets at the end of a sentence, which says where in a paper something stands."""


def _first_sentence(tree: ast.Module) -> str:
    paragraph = (ast.get_docstring(tree) or "").partition("\n\n")[0]
    return " ".join(paragraph.split())


def _is_command(tree: ast.Module) -> bool:
    """Returns whether a module defines `main` and ends by giving it to `cli.run`."""
    defines = any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)
    return defines and any(
        isinstance(node, ast.If) and "cli.run(main" in ast.unparse(node) for node in tree.body
    )


@functools.cache
def commands() -> Mapping[str, str]:
    """Returns the first sentence of each command by its dotted module, in the order of packages and names.

    A command lies at the top of a package, or at the top of one of its folders.
    """
    root = Path(spielwright_packages.__file__).parent
    found = {}
    for package in spielwright_packages.PACKAGES:
        paths = [*sorted((root / package).glob("*.py")), *sorted((root / package).glob("*/*.py"))]
        for path in paths:
            text = path.read_text("utf-8")
            if "cli.run(main" not in text or path == Path(__file__):
                continue
            tree = ast.parse(text)
            if _is_command(tree):
                found[".".join(path.relative_to(root).with_suffix("").parts)] = _first_sentence(tree)
    return found


def _short(module: str) -> str:
    """Returns the words that run a command, as few as may be."""
    for word, named in ALIASES.items():
        if named == module:
            return word
    return module.removeprefix(f"{HOME}.").replace(".", " ")


def chosen(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Returns the command that the first words name, and the other words; None where they name none.

    Args:
      words: the words of the command line.
    """
    leading = []
    for word in words:
        if word.startswith("-"):
            break
        leading.append(word)
    for length in range(len(leading), 0, -1):
        name = ".".join(leading[:length])
        for module in (ALIASES.get(name, name), f"{HOME}.{name}"):
            if module in commands():
                return module, list(words[length:])
    return None, list(words)


def _package_sentence(package: str) -> str:
    init = Path(spielwright_packages.__file__).parent / package / "__init__.py"
    return _first_sentence(ast.parse(init.read_text("utf-8"))).partition("; ")[0].rstrip(".")


def _listed(modules: Iterable[str]) -> list[str]:
    rows = [(_short(module), _SOURCE.sub("", commands()[module]).rstrip(".")) for module in modules]
    width = max(len(word) for word, _ in rows) + 2
    return [f"  {word:<{width}}{sentence}" for word, sentence in rows]


def overview() -> str:
    """Returns the overview of what one can do, a line for each command."""
    lines = ["spielwright COMMAND --flag=value ...    (spielwright COMMAND --help explains one)"]
    last = ("games", SOURCE_ONLY)
    for package in sorted(spielwright_packages.PACKAGES, key=lambda name: (name in last, name != HOME)):
        modules = [module for module in commands() if module.startswith(f"{package}.")]
        if not modules:
            continue
        lines.append(_package_sentence(package))
        if package == SOURCE_ONLY:
            names = ", ".join(module.partition(".")[2] for module in modules)
            lines += textwrap.wrap(f"{package} {names}", _WIDTH, initial_indent="  ", subsequent_indent="  ")
        else:
            lines += _listed(modules)
    return "\n".join(lines)


def _group(package: str) -> str | None:
    """Returns the commands of one package, None where the word names none that has commands."""
    modules = [module for module in commands() if module.startswith(f"{package}.")]
    return "\n".join([_package_sentence(package), *_listed(modules)]) if modules else None


def _following() -> dict[str, list[str]]:
    """Returns the words that may come next, by the words so far, joined by blanks."""
    lines = [module.split(".") for module in commands()]
    lines += [line[1:] for line in lines if line[0] == HOME]
    lines += [["completion", shell] for shell in SHELLS]
    lines += [[word] for word in ALIASES]
    found: dict[str, set[str]] = {}
    for line in lines:
        for position, word in enumerate(line):
            found.setdefault(" ".join(line[:position]), set()).add(word)
    return {typed: sorted(words) for typed, words in sorted(found.items())}


def _cases(template: str) -> str:
    return "\n".join(
        template.format(typed=typed, words=" ".join(words)) for typed, words in _following().items()
    )


def completion(shell: str) -> str:
    """Returns a script that teaches a shell the words of `spielwright`; after them files are completed.

    Args:
      shell: one of `SHELLS`.
    """
    if shell == "bash":
        cases = _cases('    "{typed}") COMPREPLY=($(compgen -W "{words}" -- "$2")) ;;')
        return (
            "# source <(spielwright completion bash)\n"
            "_spielwright() {\n"
            '  local typed="${COMP_WORDS[*]:1:COMP_CWORD-1}"\n'
            "  COMPREPLY=()\n"
            f'  case "$typed" in\n{cases}\n  esac\n'
            "}\n"
            "complete -o default -F _spielwright spielwright\n"
        )
    if shell == "zsh":
        cases = _cases('    "{typed}") compadd {words} ;;')
        return (
            "# source <(spielwright completion zsh)\n"
            "_spielwright() {\n"
            '  local typed="${(j: :)words[2,CURRENT-1]}"\n'
            f'  case "$typed" in\n{cases}\n    *) _files ;;\n  esac\n'
            "}\n"
            "compdef _spielwright spielwright\n"
        )
    return "# spielwright completion fish | source\n" + "".join(
        'complete -c spielwright -n \'test (string join " " (commandline -opc)) = '
        f"\"{' '.join(['spielwright', *typed.split()])}\"' -f -a '{' '.join(words)}'\n"
        for typed, words in _following().items()
    )


def _fail(sentence: str) -> int:
    print(f"error: {sentence}", file=sys.stderr)
    return BAD_INPUT


def _unknown(words: Sequence[str]) -> str:
    """Returns the sentence about words that name no command, with the nearest ones that do."""
    typed = " ".join(word for word in words if not word.startswith("-")).replace(".", " ").split()
    known = [*map(_short, commands()), "completion"]
    for length in range(min(3, len(typed)), 0, -1):
        clause = nearest(" ".join(typed[:length]), known)
        if clause.startswith("did you mean"):
            return f"spielwright: unknown command {' '.join(typed[:length])!r}; {clause}"
    return f"spielwright: unknown command {words[0]!r}; expected one of those that spielwright alone lists"


def main() -> int:
    """Runs the command that `sys.argv` names.

    Returns:
      The exit code of the work done here; a command leaves with its own.
    """
    words = sys.argv[1:]
    if not words or words[0] in ("help", "--help", "-h"):
        print(overview())
        return 0
    if words[0] == "completion":
        if len(words) != 2 or words[1] not in SHELLS:
            return _fail(
                f"spielwright completion: expected one of {', '.join(SHELLS)}, found {' '.join(words[1:]) or 'none'}"
            )
        print(completion(words[1]), end="")
        return 0
    module, rest = chosen(words)
    if module is not None:
        sys.argv = [module, *rest]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    if len(words) == 1 and (group := _group(words[0])) is not None:
        print(group)
        return 0
    return _fail(_unknown(words))


if __name__ == "__main__":
    sys.exit(main())
