"""Three games of a parlour: nim21, ambush and piglet."""

from importlib import resources


def text_of(name: str) -> str:
    """The rules of a game, which lie beside this file."""
    return resources.files(__name__).joinpath(f"{name}.md").read_text("utf-8")
