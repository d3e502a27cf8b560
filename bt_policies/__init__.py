"""PORTAL: language models as architects of behaviour trees.

The method is that of Xu et al. (2025), "Agents Play Thousands of 3D Video Games"; README.md in this folder
maps the paper's sections to files.

    >>> from bt_policies.trees import dsl
    >>> tree = dsl.parse('''
    ... selector:
    ...   sequence:
    ...     condition: has_enemy_in_view
    ...     task: shoot random_enemy_in_view
    ...   sequence:
    ...     condition: no
    ...     condition: has_enemy_in_view
    ...     task: move_to random_enemy_location
    ... ''')
    >>> tree.root.children[1].children[0].negated
    True
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
