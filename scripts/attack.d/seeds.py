"""The files that mutants are made of: what the program writes, small ones written here, real ones
where there are some."""

import gzip
import os
import subprocess

import mutants

MJCF = """<mujoco model="arm"><compiler angle="degree"/><default><geom rgba="1 0 0 1"/></default>
<asset><mesh name="tet" file="box.stl" scale="0.1 0.1 0.1"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 0.1"/>
<body name="upper" pos="0 0 0.5"><joint name="j1" type="hinge" axis="0 1 0" range="-90 90"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/><geom type="mesh" mesh="tet"/>
<body name="lower" pos="0.3 0 0"><joint name="j2" type="slide" axis="1 0 0" range="0 0.2"/><geom type="box" size="0.1 0.05 0.02"/>
<body name="tip" pos="0.2 0 0" euler="0 30 0"><joint type="ball"/><geom type="sphere" size="0.05"/><geom type="cylinder" size="0.02 0.1"/>
<geom type="ellipsoid" size="0.02 0.03 0.1"/></body></body></body></worldbody>
<keyframe><key name="home" qpos="0.1 0.05 1 0 0 0"/></keyframe></mujoco>
"""
URDF = """<robot name="arm"><link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0 0 0.2" rpy="0 0 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision></link>
<link name="ball"><collision><geometry><sphere radius="0.08"/></geometry></collision>
<visual><geometry><mesh filename="box.stl" scale="0.1 0.1 0.1"/></geometry></visual></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="ball"/><origin xyz="0 0 0.4"/><axis xyz="0 0 1"/>
<limit lower="0" upper="0.2" effort="1" velocity="1"/><mimic joint="turn" multiplier="0.5"/></joint></robot>
"""
BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 20 0
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 5 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0 0 0 0
10 90 0 0 5 0 0 10 0 0 -20 0
20 90 0 0 5 0 0 20 0 0 0 0
30 90 0 0 0 0 0 10 0 0 20 0
"""
SCENE = """fps = 10
frames = [0, 5]
up = "y"
units = "m"
allow = [["ann/*", "table"]]

[[model]]
name = "floor"
file = "make:cube"
position = [0, -0.5, 0]
scale = 1

[[model]]
name = "table"
file = "box.obj"
position = [0.3, 0.35, 0.1]
heading = 30

[[character]]
name = "ann"
file = "chain.glb"
loop = true
start = -0.5
speed = 1.2
self = true

[[character]]
file = "arm.xml"
values = [[0.1, 0.05, 1, 0, 0, 0]]

[[crowd]]
name = "walker"
trajectories = "crowd.csv"
characters = ["chain.glb"]
people = 3
seed = 7
"""
FBX = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Geometry: 100, "Geometry::tet", "Mesh" {
		Vertices: *12 {
			a: 0,0,0,10,0,0,0,10,0,0,0,10
		}
		PolygonVertexIndex: *12 {
			a: 0,2,-2,0,1,-4,1,2,-4,2,0,-4
		}
		GeometryVersion: 124
	}
	Model: 200, "Model::tet", "Mesh" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0
		}
	}
	AnimationStack: 400, "AnimStack::move", "" {
	}
	AnimationLayer: 401, "AnimLayer::base", "" {
	}
	AnimationCurveNode: 402, "AnimCurveNode::T", "" {
		Properties70:  {
			P: "d|X", "Number", "", "A",0
		}
	}
	AnimationCurve: 403, "AnimCurve::", "" {
		KeyVer: 4008
		KeyTime: *2 {
			a: 0,46186158000
		}
		KeyValueFloat: *2 {
			a: 0,50
		}
		KeyAttrFlags: *1 {
			a: 24836
		}
		KeyAttrDataFloat: *4 {
			a: 0,0,0,0
		}
		KeyAttrRefCount: *1 {
			a: 2
		}
	}
}
Connections:  {
	C: "OO",200,0
	C: "OO",100,200
	C: "OO",401,400
	C: "OO",402,401
	C: "OP",402,200, "Lcl Translation"
	C: "OP",403,402, "d|X"
}
"""
THREEMF = """<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1" type="model"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="9" y="0" z="0"/><vertex x="0" y="9" z="0"/>
<vertex x="0" y="0" z="9"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>
<triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh></object>
<object id="2" type="model"><components><component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 4 4 4"/></components></object>
</resources><build><item objectid="2"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 2 0 0"/></build></model>
"""
RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="r0"
Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>
"""
POSES = (
    "[" + ",".join(f"[[1,0,0,{x}],[0,1,0,0],[0,0,1,0],[0,0,0,1]]" for x in (0, 0.5, 0.9, 2)) + "]"
)
JUELICH = "# id frame x/cm y/cm z/cm\n" + "".join(
    f"{i} {f} {100 * i + 30 * f} {50 * i} 170\n" for i in (1, 2, 3) for f in range(6)
)

# What `make` and `convert` write, from arguments.
MADE = [
    ("box.obj", ["make", "box", "--size", "0.8,0.7,0.6"]),
    ("box.stl", ["make", "box"]),
    ("text.stl", ["make", "ball", "--size", "1", "--detail", "2", "--ascii"]),
    ("ball.ply", ["make", "ball", "--size", "1", "--detail", "2"]),
    ("text.ply", ["make", "torus", "--size", "1,0.2", "--detail", "6", "--ascii"]),
    ("torus.off", ["make", "torus", "--size", "1,0.2", "--detail", "6"]),
    ("chain.glb", ["make", "chain", "--links", "3"]),
    (
        "crowd.csv",
        ["make", "crowd", "--people", "4", "--seconds", "2", "--fps", "5", "--plaza", "3"],
    ),
    ("man.glb", ["make", "man", "--triangles", "1500"]),
    ("chain.npz", ["convert", "chain.glb"]),
    ("man.obj", ["convert", "man.glb"]),
]


class Seed:
    """A good file: its ending, its bytes, and the folder with what it names."""

    def __init__(self, ending, name, data, folder):
        self.ending, self.name, self.data, self.folder = ending, name, data, folder


def own(program, folder):
    """Makes the seeds that are there everywhere."""
    for name, command in MADE:
        tail = [name] if command[0] == "convert" else ["-o", name]
        subprocess.run(
            [program, *command, *tail, "-q", "--force"],
            cwd=folder,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    written = {
        "arm.xml": MJCF,
        "arm.urdf": URDF,
        "walk.bvh": BVH,
        "scene.toml": SCENE,
        "tet.fbx": FBX,
        "poses.json": POSES,
        "people.txt": JUELICH,
    }
    for name, content in written.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    for name, content in {
        "tet.3mf": mutants.packed([("_rels/.rels", RELATIONS), ("3D/3dmodel.model", THREEMF)]),
        "box.obj.gz": gzip.compress(read(os.path.join(folder, "box.obj")), mtime=0),
        "chain.gltf": as_gltf(read(os.path.join(folder, "chain.glb"))),
    }.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    names = sorted(os.listdir(folder))
    return [Seed(ending(name), name, read(os.path.join(folder, name)), folder) for name in names]


def as_gltf(glb):
    """A GLB as one text, its buffer within."""
    import base64
    import json
    import struct

    size = struct.unpack_from("<I", glb, 12)[0]
    root = json.loads(glb[20 : 20 + size])
    inside = glb[28 + size :][: root["buffers"][0]["byteLength"]]
    root["buffers"][0]["uri"] = (
        "data:application/octet-stream;base64," + base64.b64encode(inside).decode()
    )
    return json.dumps(root).encode()


def ending(name):
    stem = name.lower()
    parts = stem.split(".")
    return ".".join(parts[-2:]) if parts[-1] == "gz" and len(parts) > 2 else parts[-1]


def read(path):
    with open(path, "rb") as file:
        return file.read()


KNOWN = {
    "obj",
    "stl",
    "ply",
    "off",
    "3mf",
    "glb",
    "gltf",
    "fbx",
    "bvh",
    "npz",
    "xml",
    "urdf",
    "toml",
    "csv",
    "txt",
}


def real(data, largest):
    """Real files below a size, in the order of their names; robots with the folder that holds
    their meshes."""
    found = []
    for part in ("meshes", "characters", "crowds", "mocap"):
        for folder, folders, names in os.walk(os.path.join(data, part)):
            folders.sort()
            for name in sorted(names):
                kind, path = ending(name), os.path.join(folder, name)
                if kind.removesuffix(".gz") in KNOWN and os.path.getsize(path) <= largest:
                    found.append(Seed(kind, name, read(path), folder))
    return found
