"""From a state to a plan to actions: prompt, parser, skills, executor."""
