"""A character in clothes: in which frames does the body come through the garment, and where?

For character artists: the body under the garment and the garment, over the same frames.
"""

import sys

import numpy as np

import elbowroom as er

body = er.load("make:man", clip="wave").sequence()
rest = body.vertices[0]

# The torso under the shirt; arms may touch the shirt from outside.
labels = np.array(body.parts)
torso = np.isin(labels, ["LowerBack", "Spine", "Spine1"])
skin = er.Sequence(
    body.vertices, body.faces[torso], body.fps, "skin", labels[torso], units="m", up="y"
)

# A shirt: the torso's own faces, 6 mm outward at rest, which follows each move only half of the way.
corners = rest[body.faces]
across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
normals = np.zeros_like(rest)
np.add.at(normals, body.faces.ravel(), np.repeat(across, 3, axis=0))
normals /= np.linalg.norm(normals, axis=1, keepdims=True)
late = rest + 0.5 * (body.vertices - rest)
shirt = er.Sequence(late + 0.006 * normals, skin.faces, body.fps, "shirt", units="m", up="y")

report = er.check([skin, shirt], touching="ignore", where=True)
print(report)
# A path for the page may be given.
if len(sys.argv) > 1:
    report.save(sys.argv[1])
frames = np.unique(report.contacts["frame"])
places = sorted({part for part in report.contacts["part_a"] if part})
print(f"the skin comes through in {len(frames)} of {len(skin)} frames, at {', '.join(places)}")
assert 0 < len(frames) < len(skin)
