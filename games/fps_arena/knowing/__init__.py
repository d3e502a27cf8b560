"""The knowledge of a soldier of `fps_arena`, and its ways across the map."""
