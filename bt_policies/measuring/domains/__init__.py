"""The games that trees are measured in: how one is drawn, played and counted."""
