"""Any game for the skill planner: skills and conditions made from what a player sees and from the names of its actions."""
