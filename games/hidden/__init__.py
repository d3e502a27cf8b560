"""Games of hidden information: the framework in which they are written, and the games."""
