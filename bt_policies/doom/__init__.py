"""ViZDoom, a 3D shooter, as a second home of the trees that are written for fps_arena (extra `vizdoom`).

worker.py     the engine, in a process and a folder of its own
process.py    talks to it
scenarios.py  what is played, and what can be done there
view.py       what a player knows: labels in view and its own variables, in the form of fps_arena's observation
driver.py     a tree's move and act as buttons
"""
