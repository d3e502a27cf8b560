"""Many matches: their schedule, their play, and the summary of their results."""
