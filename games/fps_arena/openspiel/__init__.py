"""`fps_arena` as an OpenSpiel game: state, observer, view."""
