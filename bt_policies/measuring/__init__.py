"""The worth of trees: matches in many games, metrics, feedback in words, distance, a judge that sees."""
