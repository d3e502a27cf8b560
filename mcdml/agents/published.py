"""Figures that the paper publishes, to stand beside ours: scores, mean and, where given, spread.

They are another model's (gpt-3.5-turbo-0125) on other games; only the order of the agents can be compared.
"""

from __future__ import annotations

TABLE_2_AGENTS = ("LLM", "Reflection", "PUCT-RL", "MC-LAVE-RL", "MC-DML")
TABLE_2 = {
    "Zork1": ("0", "5", "38.2 ± 0.8", "45.2 ± 1.2", "48.66 ± 1.89"),
    "Deephome": ("1", "1", "28.6 ± 2.9", "35 ± 0.6", "67 ± 1.41"),
    "Ludicorp": ("4", "4", "18 ± 0.0", "22.8 ± 0.2", "19.67 ± 1.7"),
    "Pentari": ("5", "5", "64", "68", "70 ± 0.0"),
    "Detective": ("30", "30", "322 ± 2.0", "330 ± 0.0", "346.67 ± 9.43"),
    "Library": ("6", "6", "19 ± 0.0", "19 ± 0.0", "21 ± 0.0"),
    "Balances": ("10", "10", "10 ± 0.0", "10 ± 0.0", "10 ± 0.0"),
    "Temple": ("8", "8", "8 ± 0.0", "8 ± 0.0", "8 ± 0.0"),
    "Ztuu": ("0", "5", "5 ± 0.0", "7 ± 2.7", "23.67 ± 1.9"),
}
"""The paper's table 2, by game: LLM-based, MCTS-based, and its own agent."""

TABLE_4_AGENTS = ("MC-DML", "w.o. M_c", "w.o. DP", "w.o. M_c, DP", "w.o. M_c, M_i, DP")
TABLE_4 = {
    "Zork1": ("48.66 ± 1.89", "38.33 ± 2.89", "48 ± 2.45", "38 ± 5.2", "31.67 ± 4.7"),
    "Deephome": ("67 ± 1.41", "62.66 ± 0.94", "67.4 ± 0.8", "64.33 ± 0.94", "51 ± 14.9"),
    "Detective": ("346.67 ± 9.43", "326.67 ± 4.71", "334 ± 4.9", "323.33 ± 4.7", "320 ± 0.0"),
    "Ztuu": ("23.67 ± 1.9", "20.66 ± 0.47", "7.8 ± 0.56", "7 ± 0.81", "6.33 ± 0.94"),
}
"""The paper's table 4, the ablations: without cross-trial memory (M_c), in-trial memory (M_i), dynamic
pruning (DP)."""

TABLE_5_ACTIONS = (
    "open trap",
    "open case",
    "take sword",
    "take lantern",
    "take all",
    "east",
    "turn on lantern",
)
TABLE_5 = {
    "MC-DML": {
        "q": (4.41, 11.41, 9.31, 14.26, 0.00, -8.12, -1.42),
        "prior": (0.16, 0.13, 0.10, 0.22, 0.10, 0.08, 0.17),
        "visits": (21, 39, 27, 252, 6, 2, 3),
    },
    "w.o. M_c": {
        "q": (13.02, 9.92, 8.38, 12.66, 3.17, -1.85, 4.73),
        "prior": (0.24, 0.20, 0.21, 0.10, 0.10, 0.05, 0.06),
        "visits": (176, 36, 72, 34, 17, 5, 10),
    },
}
"""The paper's table 5: the search at a bottleneck of Zork1, where the lantern must be taken first."""
