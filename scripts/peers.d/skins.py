"""FCL on the parts of posed skins: who meets whom, and how far apart they are.

A part has the triangles of a joint, the one with the most weight over their corners. Patches (what a
part has of a shell) that share a corner as modelled are not compared. All of this is worked out here
from the GLB, and not taken from the program.
"""

import itertools
import json
import struct

import fcl
import numpy as np

from common import Run, read_obj

TRIANGLES = 1500
FRAMES = (0, 7, 16, 23)
CLIPS = ["walk", "wave", "turn-left"]
CLEARANCE = 0.05
TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Skin:
    """The only mesh of a GLB, by patches."""

    def __init__(self, path):
        data = open(path, "rb").read()
        length = struct.unpack("<I", data[12:16])[0]
        self.root, self.data = json.loads(data[20 : 20 + length]), data[28 + length :]
        primitive = self.root["meshes"][0]["primitives"][0]
        points = self.read(primitive["attributes"]["POSITION"])
        self.triangles = self.read(primitive["indices"]).reshape(-1, 3).astype(int)
        joints = self.read(primitive["attributes"]["JOINTS_0"]).astype(int)
        weights = self.read(primitive["attributes"]["WEIGHTS_0"]).astype(float)
        named = self.root["skins"][0]["joints"]
        self.names = [self.root["nodes"][joint]["name"] for joint in named]
        labels = [self.label(joints[t], weights[t], named) for t in self.triangles]
        _, places = np.unique(points, axis=0, return_inverse=True)
        self.places = places.ravel()[self.triangles]
        shells = self.shells()
        self.patches = {}
        for triangle, key in enumerate(zip(labels, shells)):
            self.patches.setdefault(key, []).append(triangle)

    def read(self, number):
        accessor = self.root["accessors"][number]
        view = self.root["bufferViews"][accessor["bufferView"]]
        assert "byteStride" not in view and "sparse" not in accessor
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        width = WIDTHS[accessor["type"]]
        kind = TYPES[accessor["componentType"]]
        flat = np.frombuffer(self.data, kind, width * accessor["count"], start)
        return flat.reshape(-1, width)

    @staticmethod
    def label(joints, weights, named):
        sums = {}
        for joint, weight in zip(joints.ravel(), weights.ravel()):
            sums[joint] = sums.get(joint, 0) + weight
        return min(sums, key=lambda joint: (-round(sums[joint], 9), named[joint]))

    def shells(self):
        """By flooding over common corners."""
        around = {}
        for triangle, corners in enumerate(self.places):
            for corner in corners:
                around.setdefault(corner, []).append(triangle)
        shells = [None] * len(self.places)
        for start in range(len(shells)):
            waiting = [start] if shells[start] is None else []
            while waiting:
                triangle = waiting.pop()
                if shells[triangle] is None:
                    shells[triangle] = start
                    for corner in self.places[triangle]:
                        waiting.extend(t for t in around[corner] if shells[t] is None)
        return shells

    def compared(self):
        """Pairs of patches that are not one, and not neighbours."""
        corners = {key: set(self.places[own].ravel()) for key, own in self.patches.items()}
        for a, b in itertools.combinations(sorted(self.patches), 2):
            is_one = a[1] == b[1] and (a[0] == b[0] or corners[a] & corners[b])
            if not is_one:
                yield a, b


def model(vertices, triangles):
    used, numbers = np.unique(triangles, return_inverse=True)
    bvh = fcl.BVHModel()
    bvh.beginModel(len(used), len(triangles))
    bvh.addSubModel(vertices[used], numbers.reshape(-1, 3))
    bvh.endModel()
    return fcl.CollisionObject(bvh, fcl.Transform())


def expected(skin, vertices):
    """By two parts: 0 where they meet, else their distance."""
    models = {key: model(vertices, skin.triangles[own]) for key, own in skin.patches.items()}
    least = {}
    for a, b in skin.compared():
        parts = tuple(sorted((skin.names[a[0]], skin.names[b[0]])))
        request, result = fcl.CollisionRequest(), fcl.CollisionResult()
        if fcl.collide(models[a], models[b], request, result):
            distance = 0.0
        else:
            found = fcl.DistanceResult()
            distance = fcl.distance(models[a], models[b], fcl.DistanceRequest(), found)
        least[parts] = min(distance, least.get(parts, np.inf))
    return {parts: distance for parts, distance in least.items() if distance <= CLEARANCE}


def compare(run, skin, name, clip, frame):
    single = ["--clip", clip, "--fps", "30", "--frame", str(frame)]
    run.elbowroom("convert", f"{name}.glb", "pose.obj", *single, "--force", "-q")
    vertices, _ = read_obj(run.path("pose.obj"))
    options = ["--clip", clip, "--fps", "30", "--frames", str(frame), "--clearance", f"{CLEARANCE}m"]
    text = run.elbowroom(
        "check", f"{name}.glb", "--self", *options, "--json", "-q", codes=(0, 1)
    )
    truth = expected(skin, vertices)
    found = {}
    for contact in json.loads(text)["contacts"]:
        parts = contact["parts"][0]
        key = tuple(sorted((parts["a"], parts["b"])))
        found[key] = contact["distance"] if contact["kind"] == "clearance" else 0.0
    for parts in sorted(set(truth) | set(found)):
        ours, theirs = found.get(parts), truth.get(parts)
        if ours is None or theirs is None or abs(ours - theirs) > 1e-6:
            run.disagree(f"{name} {clip} frame {frame}, {parts}: {ours}, FCL has {theirs}")
        run.count("pairs of parts that meet" if ours == 0 else "distances of parts")
    run.count("poses")


def main():
    run = Run()
    for name in ("man", "woman"):
        run.elbowroom("make", name, "--triangles", str(TRIANGLES), "-o", f"{name}.glb", "-q")
        skin = Skin(run.path(f"{name}.glb"))
        for clip in CLIPS:
            for frame in FRAMES:
                compare(run, skin, name, clip, frame)
    run.finish({"poses": 24, "distances of parts": 100})


main()
