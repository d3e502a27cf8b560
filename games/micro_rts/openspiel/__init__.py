"""`micro_rts` as an OpenSpiel game: state, observer, view, and scripts as its bots."""
