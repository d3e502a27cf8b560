"""The vocabulary of `text_adventure`: every layout draws its places and things from these lists."""

from __future__ import annotations

ABOVE = (
    ("Gatehouse", "Swallows nest between the beams of this narrow gatehouse."),
    ("Kitchen", "Copper pans hang in rows above a cold hearth."),
    ("Library", "Most of the books have been carried off; the shelves lean against each other."),
    ("Orchard", "Old pear trees stand in wet grass, their fruit long fallen."),
    ("Stable", "The stalls are empty and smell faintly of hay."),
    ("Chapel", "Coloured light falls through a cracked window onto worn benches."),
    ("Workshop", "Shavings cover the floor around a heavy workbench."),
    ("Pantry", "Rows of empty jars line the walls."),
    ("Long Hall", "Faded banners hang from the rafters of a long hall."),
    ("Courtyard", "Weeds push up between the flagstones of a square courtyard."),
    ("Laundry", "A stone trough runs along one wall, dry for many years."),
    ("Dovecote", "Hundreds of small niches climb the round walls, all of them empty."),
    ("Study", "A desk with a green leather top faces the wall."),
    ("Rose Garden", "Roses have grown over the paths and over each other."),
)
BELOW = (
    ("Cellar", "Barrels with burst hoops lie along the walls of a low cellar."),
    ("Ossuary", "Skulls are stacked neatly in niches up to the vault."),
    ("Cistern", "A ledge runs around a deep basin of black water."),
    ("Salt Cave", "White crusts cover the walls and crunch underfoot."),
    ("Root Passage", "Thick roots have broken through the ceiling of this passage."),
    ("Wine Store", "Dusty racks hold nothing but shards."),
    ("Narrow Tunnel", "The tunnel is so narrow that both shoulders touch rock."),
    ("Ice Pit", "The floor slopes to a pit where ice was once kept."),
    ("Echo Chamber", "Each step comes back three times from the round walls."),
    ("Flooded Stair", "A few steps lead down into still water."),
)
DEEP = (
    ("Old Mine", "Rusted rails end at a wall of grey rock."),
    ("Smelter", "A cold furnace fills most of this chamber."),
    ("Crystal Gallery", "Pale crystals grow from every crack."),
    ("Guardroom", "A stone bench and an empty rack for spears face the entrance."),
    ("Hall of Pillars", "Four pillars, each cut as a bearded face, hold the roof."),
    ("Bone Yard", "The bones of large animals lie in a heap."),
    ("Spider Vault", "Old webs hang from the roof like curtains."),
    ("Ledge", "A ledge ends at a chasm from which cold air rises."),
    ("Mosaic Room", "A floor of small coloured stones shows a sea full of ships."),
)
VAULTS = (
    ("Treasury", "Empty shelves of black stone surround a single low block."),
    ("Tomb", "A long stone figure sleeps on its slab in the middle of the tomb."),
    ("Inner Sanctum", "The walls of this small round room are covered with gold leaf."),
)
LANTERNS = ("brass lantern", "oil lamp", "storm lantern", "miner's lamp", "ship's lantern")
HATCHES = ("trap door", "hatch", "iron grating", "wooden lid")
BOXES = ("iron chest", "strongbox", "oak casket", "steel locker", "tin trunk")
SMALL_KEYS = ("small key", "copper key", "bent key", "tiny key")
HEAVY_KEYS = ("heavy key", "black key", "long key", "bronze key")
CRANKS = ("crank", "iron handle", "lever bar")
WINCHES = ("winch", "windlass", "capstan")
GATES = ("portcullis", "barred gate", "stone slab")
DOORS = ("bronze door", "granite door", "ironbound door")
PEDESTALS = ("pedestal", "altar", "display case", "marble plinth")
TREASURES = (
    "golden mask",
    "jade idol",
    "silver crown",
    "ruby sceptre",
    "ivory horn",
    "pearl necklace",
    "platinum goblet",
    "amber lion",
    "sapphire ring",
)
TRINKETS = (
    "coil of rope",
    "straw hat",
    "pair of boots",
    "broken flute",
    "bag of flour",
    "wooden spoon",
    "bird cage",
    "rusty sickle",
    "blue bottle",
    "chess pawn",
    "horseshoe",
    "wax candle stub",
    "torn map",
    "clay pipe",
    "walking stick",
    "rubber ball",
    "pewter mug",
    "fishing net",
    "goose quill",
    "cracked mirror",
)
FIXTURES = (
    ("cupboard", "open", "close", "A {0} stands in the corner.", "There is nothing in the {0} but dust."),
    ("bronze bell", "ring", "silence", "A {0} hangs within reach.", "The note hangs in the air."),
    (
        "statue",
        "turn",
        "straighten",
        "A {0} on a round base looks at you.",
        "The {0} grinds around, and nothing else happens.",
    ),
    ("curtain", "draw", "close", "A heavy {0} covers part of the wall.", "There is bare wall behind the {0}."),
    ("hand pump", "pump", "drain", "A {0} stands over a small basin.", "Brown water fills the basin."),
    ("wall clock", "wind", "stop", "A {0} hangs crooked.", "The {0} begins to tick."),
    ("shutter", "open", "close", "A {0} hangs before a slit in the wall.", "A draught comes in."),
    (
        "carpet",
        "roll up",
        "spread",
        "A {0} covers the middle of the floor.",
        "There is nothing but floor under the {0}.",
    ),
    ("brass tap", "open", "close", "A {0} sticks out of the wall.", "Rust trickles from the {0}."),
    ("globe", "spin", "halt", "A {0} as high as a table stands here.", "Faded continents turn past."),
    ("stool", "tip over", "set up", "There is a three-legged {0}.", "The {0} falls with a clatter."),
    (
        "harp",
        "pluck",
        "dampen",
        "A {0} with five strings is bolted to the wall.",
        "A string hums for a long time.",
    ),
    ("grindstone", "start", "brake", "A {0} stands on a frame.", "The {0} whirrs."),
    ("wooden panel", "slide", "push back", "One {0} of the wall is loose.", "Behind the {0} is a blank brick."),
)
"""Things that can be changed and changed back for no use: name, two verbs, the sentence of the room, and the
sentence after the first verb."""
