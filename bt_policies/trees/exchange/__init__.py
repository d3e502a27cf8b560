"""Trees from and to other libraries: BehaviorTree.CPP and py_trees."""
