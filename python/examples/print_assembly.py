"""An assembly for the 3-D printer: which parts clash, and which have too little clearance?

For CAD: millimetres in, millimetres out.
"""

import sys

import numpy as np

import elbowroom as er

shaft = er.make("cylinder", size=(0.010, 0.060), detail=32).pose()
ring = er.make("torus", size=(0.0134, 0.003), detail=32).pose()
mm = 1000.0


def part(posed, name, shift=(0.0, 0.0, 0.0)):
    """A part in millimetres."""
    vertices = posed.vertices * mm + np.array(shift)
    return er.Sequence(vertices, posed.faces, name=name, units="mm", up="y")


# The ring's hole has a radius of 5.2 mm, the shaft one of 5: a gap of some 0.2 mm all around.
report = er.check(
    [part(shaft, "shaft"), part(ring, "ring"), part(ring, "ring off centre", (0.2, 20.0, 0.0))],
    solid=True,
    clearance="0.25mm",
    report_unit="mm",
)
# A path for the page may be given.
if len(sys.argv) > 1:
    report.save(sys.argv[1])
for row in report.contacts.rows():
    distance = "" if row["kind"] != "clearance" else f", {row['distance']:.3f} mm apart"
    print(f"{row['a']} and {row['b']}: {row['kind']}{distance}")
print(report.summary["unit"], report.exit_code)
assert set(report.contacts["a"]) == {"shaft"}
