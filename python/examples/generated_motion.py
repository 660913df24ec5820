"""A generated motion against ground truth: penetration of two bodies, frame by frame.

For research on human motion: numbers for a table, from posed vertices (T, N, 3) as body models give
them. `elbowroom.check` does the same for files, with a report.
"""

import numpy as np

import elbowroom as er

man = er.load("make:man", clip="wave").sequence()
woman = er.load("make:woman", clip="talk").sequence()
frames = min(len(man), len(woman))


def facing(sequence, distance):
    """The same people, so far apart."""
    vertices = sequence.vertices[:frames].copy()
    vertices[:, :, 0] += distance
    return vertices


def metrics(distance):
    """Of two people at a distance: frames in contact, the deepest point, the mean common volume."""
    a = er.DeformableModel(facing(man, 0.0)[0], man.faces)
    b = er.DeformableModel(facing(woman, distance)[0], woman.faces)
    contact, depth, volume = [], [], []
    # Every fourth frame is enough for an example.
    for va, vb in zip(facing(man, 0.0)[::4], facing(woman, distance)[::4]):
        a.refit(va)
        b.refit(vb)
        contact.append(a.intersects(b))
        depth.append(a.penetration(b).upper if contact[-1] else 0.0)
        volume.append(a.overlap(b).volume if contact[-1] else 0.0)
    return np.mean(contact), np.max(depth), np.mean(volume)


print("               frames in contact   deepest point   mean volume")
for name, distance in [("ground truth", 1.1), ("generated", 0.45)]:
    contact, depth, volume = metrics(distance)
    print(f"{name:14} {contact:17.0%} {depth * 100:12.1f} cm {volume * 1e6:9.0f} cm³")
assert metrics(1.1)[0] == 0.0 and metrics(0.45)[1] > 0.01
