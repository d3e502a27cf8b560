"""World models at the table: the OpenSpiel game, the bots, and policies that are learned inside a model."""
