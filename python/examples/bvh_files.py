"""BVH captures: two actors whose bodies come from a capture, checked as bodies.

For animators: a capture has joints and no flesh, so a body of ours, or your character's file, wears it.
"""

import os
import tempfile

import elbowroom as er

CAPTURE = """HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg {{ OFFSET {unit} 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftLeg {{ OFFSET 0 -7 0 CHANNELS 3 Zrotation Yrotation Xrotation
      End Site {{ OFFSET 0 -7 0 }} }} }}
  JOINT RightUpLeg {{ OFFSET -{unit} 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT RightLeg {{ OFFSET 0 -7 0 CHANNELS 3 Zrotation Yrotation Xrotation
      End Site {{ OFFSET 0 -7 0 }} }} }}
}}
MOTION
Frames: {count}
Frame Time: 0.0333333
"""

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "step.bvh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CAPTURE.format(unit=1.5, count=30))
        for frame in range(30):
            swing = frame - 15
            angles = [0, 0, 0, 0, 0, swing, 0, 0, 0, 0, 0, -swing, 0, 0, 0]
            file.write(" ".join(map(str, [frame * 0.3, 17, 0, *angles])) + "\n")

    vertices, faces = er.pose("make:man", motion=path, frame=12)
    other, other_faces = er.pose("make:woman", motion=path, frame=12)
    print(f"frame 12: {len(vertices)} vertices, {len(faces)} faces")
    a, b = er.Model(vertices, faces), er.Model(other, other_faces)
    print("in one place they overlap by", f"{a.overlap(b).volume * 1000:.1f} l")
    assert a.intersects(b)
