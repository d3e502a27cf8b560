"""Commands that measure games: their speed, and how strong their scripted players are."""
