"""A code policy at work: its sealed worker, what it observes, its table on small games."""
