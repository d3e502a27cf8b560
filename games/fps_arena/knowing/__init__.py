"""What a soldier of `fps_arena` knows, and which way it may go."""
