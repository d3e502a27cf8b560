"""Mean returns with the luck taken out: `aivat` is the estimator, `adjusting` applies it to stored matches."""
