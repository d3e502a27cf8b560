"""The parts that are learned by numbers: networks for task nodes, and the scheduler that picks trees."""
