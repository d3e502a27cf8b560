"""The tree search of the paper, and its prior as OpenSpiel's evaluator."""
