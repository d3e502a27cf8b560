"""The rules of `fps_arena`: parameters, map, soldiers, ticks."""
