"""What a player may see of any game, how it is named, and the rules as a player reads them."""
