"""Grasp candidates in a batch: which gripper poses are free, and how near does each come?

For robot grasping: one call asks about all candidates, on all cores.
"""

import numpy as np

import elbowroom as er

ball = er.make("ball", size=0.08, detail=8).pose()
target = er.Model(ball.vertices, ball.faces)


def box(low, high):
    """A closed box between two corners."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return np.array(low) + corners * (np.array(high) - np.array(low)), np.array(faces)


# Two fingers and a palm, one mesh: it opens along x and reaches down along -z.
parts = [
    box([-0.065, -0.01, -0.06], [-0.05, 0.01, 0.0]),
    box([0.05, -0.01, -0.06], [0.065, 0.01, 0.0]),
    box([-0.065, -0.01, 0.0], [0.065, 0.01, 0.02]),
]
vertices = np.vstack([corners for corners, _ in parts])
faces = np.vstack([quads + 8 * index for index, (_, quads) in enumerate(parts)])
gripper = er.Model(vertices, faces)

random = np.random.default_rng(7)
poses = np.repeat(np.eye(4)[None], 20_000, axis=0)
angle = random.uniform(0, np.pi, len(poses))
poses[:, 0, 0], poses[:, 0, 1] = np.cos(angle), -np.sin(angle)
poses[:, 1, 0], poses[:, 1, 1] = np.sin(angle), np.cos(angle)
poses[:, :3, 3] = random.uniform([-0.04, -0.04, 0.0], [0.04, 0.04, 0.12], (len(poses), 3))

hits = gripper.intersects(target, poses)
gaps = gripper.distance(target, poses[~hits])
roomy = (gaps > 0.002).sum()
print(f"{len(poses)} candidates: {hits.sum()} collide, {roomy} are free by more than 2 mm")
assert 0 < roomy < len(poses) - hits.sum() and (gaps > 0).all()
