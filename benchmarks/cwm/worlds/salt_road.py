"""Salt road: backgammon under other words and with another look, so that knowing the famous game helps less.

The dynamics are those of OpenSpiel's backgammon, transition by transition. `renamed` and `relooked` map each name and
each observation; both can be undone, so nothing is lost. Standard library only: the file is also put below a program of
backgammon to make one of the twin.
"""

_WORDS = {"Bar": "well", "Off": "town", "Pass": "rest", "x": "amber", "o": "jade"}


def renamed(name):
    """The twin's name of an action or an outcome of chance of backgammon."""
    if name == "Pass":
        return "rest"
    if " starts " in name:
        who, roll = name.split(" starts ")
        return f"{_WORDS[who]} opens {_winds(roll)}"
    if "/" not in name:
        return f"winds {_winds(name)}"
    return ", ".join(_step(part) for part in name.split())


def _winds(roll):
    return "+".join(sorted(roll.split("-")))


def _step(part):
    if part == "Pass":
        return "rest"
    start, end = part.split("/")
    return f"{_stage(start)}>{_stage(end)}"


def _stage(place):
    """A point as the twin counts: from the start, so that its numbers grow on the way."""
    return _WORDS.get(place) or str(25 - int(place))


def relooked(seen):
    """The twin's observation for one of backgammon."""
    camels = {"amber": [], "jade": []}
    for place, count in enumerate(seen["points"]):
        # The first of the 24 numbers is x's 24-point, the first stage of amber and the last of jade.
        if count > 0:
            camels["amber"].append([place + 1, count])
        elif count < 0:
            camels["jade"].append([24 - place, -count])
    return {
        "amber": sorted(camels["amber"]),
        "jade": sorted(camels["jade"]),
        "well": [seen["bar"]["x"], seen["bar"]["o"]],
        "town": [seen["off"]["x"], seen["off"]["o"]],
        "winds": "+".join(map(str, seen["dice"])),
        "again": seen["second_half_of_double"],
    }
