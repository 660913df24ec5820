"""MJCF files for both programs, and what MuJoCo says of them."""

import mujoco
import numpy as np

TOLERANCE = 1e-6


def words(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def load(run, name, text):
    """Writes a file for the program and gives it to MuJoCo."""
    with open(run.path(name), "w", encoding="utf-8") as out:
        out.write(text)
    model = mujoco.MjModel.from_xml_path(run.path(name))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def direction(rng):
    """A unit vector, uniform over all."""
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def deepest(model, data, label):
    """The deepest contact that MuJoCo finds of each pair, by labels of geoms."""
    found = {}
    for contact in data.contact:
        key = frozenset(label(geom) for geom in contact.geom.tolist())
        found[key] = min(found.get(key, np.inf), contact.dist)
    return found
