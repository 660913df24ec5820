"""A robot's trajectory: does it hit itself or the world, and how near does it come?

For robotics: an arm of three links from a URDF, joint values for each frame, and a fixture.
"""

import os
import sys
import tempfile

import numpy as np

import elbowroom as er

LINK = """<link name="{name}"><collision><origin xyz="0 0 {half}"/>
  <geometry><box size="0.08 0.08 {length}"/></geometry></collision></link>"""
JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
  <origin xyz="0 0 {at}"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>"""
links = [LINK.format(name=name, half=0.15, length=0.28) for name in ("base", "upper", "fore")]
joints = [
    JOINT.format(name="shoulder", parent="base", child="upper", at=0.3),
    JOINT.format(name="elbow", parent="upper", child="fore", at=0.3),
]
frames = 40
values = np.column_stack([np.linspace(0.0, 1.2, frames), np.linspace(0.0, 1.3, frames)])

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "arm.urdf"), "w", encoding="utf-8") as file:
        file.write("<robot name='arm'>" + "".join(links + joints) + "</robot>")
    er.make("box", os.path.join(folder, "fixture.obj"), size=(0.3, 0.3, 0.3))
    with open(os.path.join(folder, "cell.toml"), "w", encoding="utf-8") as file:
        file.write(f"""
frames = [0, {frames - 1}]
up = "z"
[[model]]
name = "fixture"
file = "fixture.obj"
units = "m"
up = "z"
position = [0.45, 0.0, 0.15]
[[character]]
name = "arm"
file = "arm.urdf"
values = {[row.tolist() for row in values]}
self = true
""")
    report = er.check(os.path.join(folder, "cell.toml"), clearance="3cm")
    print(report)
    # A path for the page may be given.
    if len(sys.argv) > 1:
        report.save(sys.argv[1])

near = report.contacts[report.contacts["kind"] == "clearance"]
print(
    f"nearer than 3 cm in {len(near)} frames; first contact in frame {report.incidents['first'].min()}"
)
assert report.exit_code == 1
