"""Many matches: which are to be played, how they get played, and what they sum up to."""
