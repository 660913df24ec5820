"""A scene of furniture: which objects go through each other, and which only touch?

For indoor scenes and embodied AI: touching is no collision, so a box on a table is fine.
"""

import sys

import numpy as np

import elbowroom as er


def box(size, centre):
    """A closed box as vertices and faces."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners * np.array(size) / 2 + np.array(centre), np.array(faces)


scene = {
    "floor": box([5, 0.125, 5], [0, -0.0625, 0]),
    "table": box([1.5, 0.75, 0.75], [0, 0.375, 0]),
    "lamp": box([0.25, 0.5, 0.25], [0.5, 1.0, 0]),
    "chair": box([0.5, 0.875, 0.5], [0, 0.4375, 0.5]),
    "shelf": box([0.5, 2, 0.25], [-2, 1, -1]),
}
report = er.check(scene, depth=True, units="m", up="y")
# A path for the page may be given.
if len(sys.argv) > 1:
    report.save(sys.argv[1])
kinds = dict(zip(zip(report.contacts["a"], report.contacts["b"]), report.contacts["kind"]))
for (a, b), kind in kinds.items():
    print(f"{a} and {b}: {kind}")
print(f"colliding pairs: {sum(kind == 'crossing' for kind in kinds.values())} of 10")
assert kinds[("table", "chair")] == "crossing" and kinds[("table", "lamp")] == "touching"
