"""MuJoCo on robots: forward kinematics of arms, and self-contacts of the humanoid of its examples.

The humanoid is read from real data and left out where that is absent.
"""

import itertools
import json
import os

import mujoco
import numpy as np

from common import Run, quaternion, read_obj
from mjcf import TOLERANCE, deepest, direction, load, words

ARMS = 12
POSES = 40


def box_corners(model, data, geom):
    signs = np.array(list(itertools.product((-1, 1), repeat=3)))
    turned = (signs * model.geom_size[geom]) @ data.geom_xmat[geom].reshape(3, 3).T
    return data.geom_xpos[geom] + turned


def same_points(ours, theirs):
    """The largest distance of a point from the nearest of the other set, either way."""
    apart = np.linalg.norm(ours[:, None] - theirs[None], axis=2)
    return max(apart.min(axis=0).max(), apart.min(axis=1).max())


def arm(rng, values):
    joints = [("hinge", "hinge"), ("hinge", "slide"), ("slide", "hinge")][rng.integers(3)]
    made = '<mujoco model="arm"><compiler angle="radian"/><worldbody>\n'
    for i, joint in enumerate(joints):
        made += (
            f'<body name="link{i}" pos="{words(rng.uniform(-0.5, 0.5, 3))}"'
            f' quat="{words(quaternion(rng))}">'
            f'<joint name="j{i}" type="{joint}" axis="{words(direction(rng))}"'
            f' pos="{words(rng.uniform(-0.2, 0.2, 3))}"/>'
            f'<geom name="g{i}" type="box" size="{words(rng.uniform(0.05, 0.3, 3))}"'
            f' pos="{words(rng.uniform(-0.3, 0.3, 3))}" quat="{words(quaternion(rng))}"/>\n'
        )
    made += "</body>" * len(joints) + "</worldbody><keyframe>\n"
    for i, value in enumerate(values):
        made += f'<key name="key{i}" qpos="{words(value)}"/>\n'
    return made + "</keyframe></mujoco>\n"


def arms(run):
    """Corners of the boxes of an arm, by keyframe (convert) and by values (pose)."""
    for number in range(ARMS):
        values = run.rng.uniform(-3, 3, size=(3, 2))
        model, data = load(run, f"arm{number}.xml", arm(run.rng, values))
        for i, value in enumerate(values):
            mujoco.mj_resetDataKeyframe(model, data, i)
            mujoco.mj_forward(model, data)
            theirs = np.vstack([box_corners(model, data, g) for g in range(model.ngeom)])
            file = f"arm{number}.xml"
            moment = ["--clip", f"key{i}", "--frame", "0"]
            run.elbowroom("convert", file, "key.obj", *moment, "-q", "--force")
            listed = "--values=" + ",".join(repr(float(v)) for v in value)
            run.elbowroom("pose", file, listed, "-o", "values.obj", "-q", "--force")
            for file in ("key.obj", "values.obj"):
                ours = read_obj(run.path(file))[0]
                off = same_points(ours, theirs)
                run.count("poses of arms")
                run.count("corners of arms", len(ours))
                run.worst = max(run.worst, off)
                if len(ours) != len(theirs) or off > 1e-9:
                    run.disagree(f"arm{number}, key {i}, {file}: corners are off by {off:.2e}")


def humanoid(run):
    """Links that meet in the file's keyframes and in random poses of the joints."""
    data_folder = os.environ.get("ELBOWROOM_DATA", os.path.join("..", "shared", "data"))
    path = os.path.join(data_folder, "characters", "mujoco_humanoid.xml")
    if not os.path.exists(path):
        print("  skipped: the humanoid, its file is not there")
        return {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    model = mujoco.MjModel.from_xml_string(text)
    keys = ""
    for i in range(POSES):
        angles = [run.rng.uniform(*model.jnt_range[j]) for j in range(1, model.njnt)]
        root = np.append(run.rng.uniform(0.2, 1.2, 3), quaternion(run.rng))
        keys += f'<key name="random{i}" qpos="{words([*root, *angles])}"/>\n'
    head, tail = text.split("</keyframe>")
    model, data = load(run, "humanoid.xml", head + keys + "</keyframe>" + tail)
    for key in range(model.nkey):
        compare_links(run, model, data, key)
    return {"poses of the humanoid": POSES + 1, "pairs of links that meet": 50}


def compare_links(run, model, data, key):
    name = model.key(key).name
    mujoco.mj_resetDataKeyframe(model, data, key)
    mujoco.mj_forward(model, data)
    theirs = deepest(model, data, lambda geom: model.body(model.geom_bodyid[geom]).name)
    options = ["--clip", name, "--self", "--frames", "0", "--json", "-q"]
    result = json.loads(run.elbowroom("check", "humanoid.xml", *options, codes=(0, 1)))
    parts = [part for contact in result["contacts"] for part in contact["parts"]]
    ours = {frozenset((part["a"], part["b"])) for part in parts}
    run.count("poses of the humanoid")
    run.count("pairs of links that meet", len(ours))
    for pair in ours - set(theirs):
        run.disagree(f"humanoid, {name}: {sorted(pair)} meet, for MuJoCo they do not")
    for pair in set(theirs) - ours:
        if theirs[pair] < -TOLERANCE:
            run.disagree(f"humanoid, {name}: {sorted(pair)} clear, MuJoCo {theirs[pair]!r} deep")


def main():
    run = Run()
    run.worst = 0.0
    arms(run)
    print(f"  largest distance of a corner from MuJoCo's: {run.worst:.1e}")
    least = {"poses of arms": 6 * ARMS, "corners of arms": 96 * ARMS}
    run.finish(least | humanoid(run))


main()
