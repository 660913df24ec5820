"""Writes mujoco_values.json, crooked_values.json, panda_values.json and mocap_values.json: where MuJoCo, yourdfpy and matrices of NumPy put the bodies of
the sample robots and captures, and those of the models in crooked/.

    pip install mujoco yourdfpy
    python reference_values.py DATA_FOLDER

Run by hand; the tests read the tables. Bodies and shapes are compared by moments, which do not depend on
their order: sums of p, p*p and p.xyz*p.yzx over two points fixed to each (its origin, and a point off all axes).
"""

import gzip
import json
import pathlib
import re
import shutil
import sys
import tempfile

import mujoco
import numpy as np
import yourdfpy

OFF = np.array([0.1, 0.2, 0.3])
MODELS = [
    ("humanoid", "characters/mujoco_humanoid.xml"),
    ("22 humanoids", "characters/mujoco_22_humanoids.xml"),
    ("100 humanoids", "characters/mujoco_100_humanoids.xml"),
    ("shadow left", "meshes/robots/shadow_hand/left_hand.xml"),
    ("shadow right", "meshes/robots/shadow_hand/right_hand.xml"),
    ("shadow scene left", "meshes/robots/shadow_hand/scene_left.xml"),
    ("shadow scene right", "meshes/robots/shadow_hand/scene_right.xml"),
    ("allegro left", "meshes/robots/allegro_hand/left_hand.xml"),
    ("allegro right", "meshes/robots/allegro_hand/right_hand.xml"),
    ("allegro scene left", "meshes/robots/allegro_hand/scene_left.xml"),
    ("allegro scene right", "meshes/robots/allegro_hand/scene_right.xml"),
]

CROOKED = [("frames", "crooked/frames.xml"), ("files", "crooked/files.xml")]


def moments(points):
    p = np.array(points).reshape(-1, 3)
    return np.concatenate([p.sum(0), (p * p).sum(0), (p * np.roll(p, -1, 1)).sum(0)])


def framed(positions, matrices):
    return [q for p, m in zip(positions, matrices) for q in (p, p + m.reshape(3, 3) @ OFF)]


def wave(model):
    """A pose that both sides can compute from the number of each joint."""
    q = model.qpos0.copy()
    for j in range(model.njnt):
        a = model.jnt_qposadr[j]
        kind = model.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            q[a : a + 3] += [0.1, 0.2, 0.3]
            q[a + 3 : a + 7] = [0.9, 0.1, -0.2, 0.3]
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            q[a : a + 4] = [0.8, 0.3, -0.1, 0.2]
        else:
            q[a] += 0.3 * np.sin(1.7 * j + 0.4)
    return q


def row(values):
    return [float(v) for v in values]


def mujoco_rows(folder, models):
    for name, path in models:
        model = mujoco.MjModel.from_xml_path(str(folder / path))
        data = mujoco.MjData(model)
        poses = [("rest", model.qpos0), ("wave", wave(model))]
        if "humanoids" not in name:
            poses += [(model.key(k).name, model.key(k).qpos) for k in range(model.nkey)]
        touching = [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]]
        mesh = [g for g in touching if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH]
        solid = [g for g in touching if g not in mesh and model.geom_type[g] != mujoco.mjtGeom.mjGEOM_PLANE]
        for pose, qpos in poses:
            data.qpos[:] = qpos
            mujoco.mj_kinematics(model, data)
            boxes = []
            for g in mesh:
                m = model.geom_dataid[g]
                start, count = model.mesh_vertadr[m], model.mesh_vertnum[m]
                v = model.mesh_vert[start : start + count] @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g]
                boxes += [v.min(0), v.max(0)]
            bodies = moments(framed(data.xpos[1:], data.xmat[1:]))
            solids = moments(framed(data.geom_xpos[solid], data.geom_xmat[solid]))
            meshes = moments(boxes) if boxes else np.zeros(9)
            yield {
                "model": name,
                "file": path,
                "pose": pose,
                "counts": [model.nbody - 1, len(solid), len(mesh), model.njnt, model.nexclude],
                "bodies": row(bodies),
                "solids": row(solids),
                "meshes": row(meshes),
            }


def panda_rows(folder):
    robot = yourdfpy.URDF.load(str(folder / "meshes/robots/panda/urdf/panda.urdf"), load_meshes=False, build_scene_graph=True)
    moving = [joint.name for joint in robot.actuated_joints]
    for pose in range(3):
        config = {name: 0.0 if pose == 0 else 0.4 * np.sin(1.3 * k + pose) for k, name in enumerate(moving)}
        config = {name: abs(v) * 0.1 if "finger" in name else v for name, v in config.items()}
        robot.update_cfg(config)
        for link in robot.link_map:
            t = robot.get_transform(link)
            off = t[:3, :3] @ OFF + t[:3, 3]
            yield {"values": row(config[n] for n in moving), "link": link, "origin": row(t[:3, 3]), "off": row(off)}


def capture_rows(folder):
    """A second reading of Biovision files: by regular expressions, into 4x4 matrices."""
    for name, frames in [("short/02_01", [0, 1, 200]), ("two_person/22_12", [5, 304]), ("long/69_38", [4921])]:
        text = gzip.decompress((folder / f"mocap/{name}.bvh.gz").read_bytes()).decode()
        hierarchy, motion = text.split("MOTION")
        table = np.array([line.split() for line in motion.strip().splitlines()[2:]], dtype=float)
        pattern = r"(?:ROOT|JOINT)\s+(\S+)|OFFSET\s+(\S+)\s+(\S+)\s+(\S+)|CHANNELS\s+\d+((?:\s+[XYZ](?:position|rotation))+)|(End Site)|([{}])"
        for frame in frames:
            values = iter(table[frame])
            stack, worlds, pending = [], {}, None
            for match in re.finditer(pattern, hierarchy):
                joint, x, y, z, channels, end, brace = match.groups()
                if joint or end:
                    pending = joint or "end"
                elif brace == "{":
                    stack.append([pending, np.eye(4)])
                elif brace == "}":
                    stack.pop()
                elif x:
                    local = np.eye(4)
                    local[:3, 3] = [float(x), float(y), float(z)]
                    stack[-1][1] = (stack[-2][1] if len(stack) > 1 else np.eye(4)) @ local
                else:
                    world = stack[-1][1]
                    for channel in channels.split():
                        step, value, axis = np.eye(4), next(values), "XYZ".index(channel[0])
                        if channel.endswith("position"):
                            step[axis, 3] = value
                        else:
                            a, (i, j) = np.radians(value), [(1, 2), (2, 0), (0, 1)][axis]
                            step[i, i], step[i, j], step[j, i], step[j, j] = np.cos(a), -np.sin(a), np.sin(a), np.cos(a)
                        world = world @ step
                    stack[-1][1] = worlds[stack[-1][0]] = world
            sums = moments(framed([w[:3, 3] for w in worlds.values()], [w[:3, :3] for w in worlds.values()]))
            toes = row(worlds["LeftToeBase"][:3, 3])
            yield {"file": f"mocap/{name}.bvh.gz", "frame": frame, "toes": toes, "sums": row(sums)}


def write(path, rows):
    """A list of objects, with a line for each of their fields."""
    fields = lambda row: ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in row.items())
    path.write_text("[\n" + ",\n".join(f"  {{\n{fields(row)}\n  }}" for row in rows) + "\n]\n")


def main():
    data = pathlib.Path(sys.argv[1])
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for part in ("characters", "meshes/robots"):
            shutil.copytree(data / part, folder / part)
        for packed in folder.rglob("*.gz"):
            packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        shutil.copy(folder / "characters/mujoco_humanoid.xml", folder / "characters/humanoid.xml")
        write(here / "mujoco_values.json", mujoco_rows(folder, MODELS))
        write(here / "panda_values.json", panda_rows(folder))
    write(here / "crooked_values.json", mujoco_rows(here, CROOKED))
    write(here / "mocap_values.json", capture_rows(data))


main()
