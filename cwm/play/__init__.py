"""World models at the table: the OpenSpiel game, the bots, and what they learn inside a model."""
