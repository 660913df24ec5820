"""A crowd: who touches whom on recorded trajectories, by bodies and not by disks.

For pedestrian research: a table with the columns that PedPy uses (id, frame, x, y), in metres.
"""

import sys

import numpy as np

import elbowroom as er

frames = np.arange(80)
people = []
for person in range(6):
    side = 1 if person % 2 else -1
    x = side * (4.0 - 0.1 * frames)
    y = 0.35 * person + 0.05 * np.sin(frames / 7 + person)
    people.append(np.column_stack([np.full(len(frames), person), frames, x, y]))
table = np.vstack(people)

found = er.crowd(
    {"id": table[:, 0], "frame": table[:, 1], "x": table[:, 2], "y": table[:, 3]},
    fps=10,
    save=sys.argv[1:],  # a path for a picture may be given
)
print(found)
for method in found.methods.rows():
    print(f"{method['name']:>12}: {method['listed']} listed, {method['missed']} missed")
for pair in found.contacts.rows():
    print(
        f"{pair['id_a']} and {pair['id_b']} touch in {pair['frames']} frames from {pair['first_frame']}"
    )
assert len(found.contacts) > 0
