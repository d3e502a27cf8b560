"""The rules of MicroRTS: units, orders, legality, ticks, maps."""
