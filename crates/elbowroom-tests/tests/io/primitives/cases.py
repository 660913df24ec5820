"""Distances of two primitives by MuJoCo, as the truth for `tests/io/primitives`.

Needs `pip install mujoco numpy`; writes cases.json beside itself:

    python cases.py

Every pair of kinds is brought to set distances, from 1 cm inside to 1 cm apart, at random sizes and
orientations. The distance is that of `mj_geomDistance`; of height fields it is that of the deepest contact.
"""

import json
import pathlib

import mujoco
import numpy as np

KINDS = ["plane", "sphere", "capsule", "cylinder", "ellipsoid", "box"]
OFFSETS = [-0.01, -5e-4, -1e-5, -1e-7, 1e-7, 1e-5, 5e-4, 0.01]
SEED = 7


def number(value):
    return float(f"{value:.9g}")


def size(kind, rng):
    count = {"plane": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}[kind]
    return [number(x) for x in rng.uniform(0.04, 0.15, count)]


def geom(kind, name, sizes):
    return f'<geom name="{name}" type="{kind}" size="{" ".join(map(repr, sizes))}"/>'


def model_text(first, second):
    """Two bodies that float; a plane or a height field belongs to the world."""
    (kind, sizes), (other, sizes_b) = first, second
    body = lambda name, kind, sizes, at: (
        f'<body name="{name}" pos="{at}"><freejoint/>{geom(kind, name, sizes)}</body>'
    )
    a = geom(kind, "a", sizes) if kind == "plane" else body("a", kind, sizes, "0 0 0")
    return (
        '<mujoco><option gravity="0 0 0" ccd_tolerance="1e-12" ccd_iterations="2000"/>'
        f'<worldbody>{a}{body("b", other, sizes_b, "0 0 1")}</worldbody></mujoco>'
    )


def distance(model, data, poses):
    for body, (position, turn) in poses.items():
        joint = model.body(body).jntadr[0]
        start = model.jnt_qposadr[joint]
        data.qpos[start : start + 3] = position
        data.qpos[start + 3 : start + 7] = turn
    mujoco.mj_forward(model, data)
    line = np.zeros(6)
    a, b = model.geom("a").id, model.geom("b").id
    found = mujoco.mj_geomDistance(model, data, a, b, 10.0, line)
    return found, line[3:] - line[:3]


def turn(rng):
    quaternion = rng.normal(size=4)
    return [number(x) for x in quaternion / np.linalg.norm(quaternion)]


def pair_case(kinds, wanted, rng):
    first, second = [(kind, size(kind, rng)) for kind in kinds]
    model = mujoco.MjModel.from_xml_string(model_text(first, second))
    data = mujoco.MjData(model)
    poses = {"b": [rng.uniform(-0.2, 0.2, 3), turn(rng)]}
    if first[0] == "plane":
        poses["b"][0][2] = 0.4
    else:
        poses["a"] = [rng.uniform(-0.2, 0.2, 3), turn(rng)]
        away = rng.normal(size=3)
        poses["b"][0] = poses["a"][0] + 0.5 * away / np.linalg.norm(away)
    for _ in range(40):
        found, way = distance(model, data, poses)
        length = np.linalg.norm(way)
        if length < 1e-12 or abs(found - wanted) < 0.05 * abs(wanted):
            break
        # The way leads from the first to the second while they are apart, and back while they are not.
        step = way / length * (wanted - found) * (1 if found > 0 else -1)
        poses["b"][0] = poses["b"][0] + step
    for pose in poses.values():
        pose[0] = [number(x) for x in pose[0]]
    found, _ = distance(model, data, poses)
    entry = lambda name, shape: {
        "kind": shape[0],
        "size": shape[1],
        "pos": poses[name][0] if name in poses else [0.0, 0.0, 0.0],
        "quat": poses[name][1] if name in poses else [1.0, 0.0, 0.0, 0.0],
    }
    return {"a": entry("a", first), "b": entry("b", second), "distance": found}


def inside_case(kinds, rng):
    """The second lies deep in the first."""
    first, second = [(kind, size(kind, rng)) for kind in kinds]
    second = (second[0], [number(0.1 * x) for x in second[1]])
    model = mujoco.MjModel.from_xml_string(model_text(first, second))
    data = mujoco.MjData(model)
    at = [0.0, 0.0, -0.3] if first[0] == "plane" else [number(x) for x in rng.uniform(-0.01, 0.01, 3)]
    poses = {"b": [at, turn(rng)]}
    if first[0] != "plane":
        poses["a"] = [[0.0, 0.0, 0.0], turn(rng)]
    found, _ = distance(model, data, poses)
    entry = lambda name, shape: {
        "kind": shape[0],
        "size": shape[1],
        "pos": poses[name][0] if name in poses else [0.0, 0.0, 0.0],
        "quat": poses[name][1] if name in poses else [1.0, 0.0, 0.0, 0.0],
    }
    return {"a": entry("a", first), "b": entry("b", second), "distance": found}


FIELD = '<hfield name="f" nrow="3" ncol="4" size="0.3 0.2 0.1 0.05" elevation="1 2 0 3  0 1 5 2  2 0 1 1"/>'


def field_cases(rng):
    cases = []
    for _ in range(60):
        radius = number(rng.uniform(0.02, 0.05))
        at = [number(x) for x in rng.uniform([-0.2, -0.1, -0.02], [0.2, 0.1, 0.2])]
        text = (
            f"<mujoco><asset>{FIELD}</asset><worldbody>"
            '<geom name="a" type="hfield" hfield="f"/>'
            f'<body name="b" pos="{" ".join(map(repr, at))}"><freejoint/>'
            f'<geom name="b" type="sphere" size="{radius!r}"/></body></worldbody></mujoco>'
        )
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        depth = min((contact.dist for contact in data.contact), default=None)
        cases.append({"radius": radius, "pos": at, "depth": depth})
    return cases


def main():
    rng = np.random.default_rng(SEED)
    pairs = [
        (a, b) for i, a in enumerate(KINDS) for b in KINDS[i:] if (a, b) != ("plane", "plane")
    ]
    cases = [pair_case(kinds, wanted, rng) for kinds in pairs for wanted in OFFSETS]
    cases += [inside_case((a, b), rng) for a in KINDS for b in KINDS if b != "plane"]
    out = {
        "by": f"MuJoCo {mujoco.__version__}",
        "pairs": cases,
        "field": FIELD,
        "on_field": field_cases(rng),
    }
    lines = [json.dumps(case) for case in cases]
    on_field = [json.dumps(case) for case in out["on_field"]]
    text = (
        f'{{"by": {json.dumps(out["by"])}, "field": {json.dumps(FIELD)},\n"pairs": [\n'
        + ",\n".join(lines)
        + '\n],\n"on_field": [\n'
        + ",\n".join(on_field)
        + "\n]}\n"
    )
    pathlib.Path(__file__).with_name("cases.json").write_text(text)


if __name__ == "__main__":
    main()
