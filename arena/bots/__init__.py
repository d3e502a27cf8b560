"""The bots that the arena brings along: references, OpenSpiel's, engines, people, language models, and those of our games."""
