"""Models in GGUF files that run on this machine, in processes of their own, by llama.cpp (package xllamacpp)."""
