"""What is asked about: the same numbers for every engine, written as plain files for Rust."""

import gzip
import json
import os
import pathlib
import struct

import numpy as np


def data() -> pathlib.Path:
    root = pathlib.Path(__file__).resolve().parents[2]
    return pathlib.Path(os.environ.get("ELBOWROOM_DATA", root.parent / "shared" / "data"))


def glb_faces(file: pathlib.Path) -> np.ndarray:
    """The triangles of the only mesh of a GLB file."""
    raw = file.read_bytes()
    size = struct.unpack_from("<I", raw, 12)[0]
    told, binary = json.loads(raw[20 : 20 + size]), raw[20 + size + 8 :]
    [mesh] = told["meshes"]
    [primitive] = mesh["primitives"]
    accessor = told["accessors"][primitive["indices"]]
    view = told["bufferViews"][accessor["bufferView"]]
    kind = {5121: "<u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
    begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    indices = np.frombuffer(binary, kind, accessor["count"], begin)
    return indices.reshape(-1, 3).astype(np.uint32)


class Scene:
    """Two hundred pairs of posed people of 2,850 triangles, with the answers; poses and points."""

    def __init__(self) -> None:
        folder = data() / "benchmarks" / "human_pairs"
        listed = json.loads(gzip.open(folder / "pairs.json.gz").read())
        self.pairs = listed["pairs"]
        everybody = []
        for who in ("male", "female"):
            stored = np.frombuffer(gzip.open(folder / f"{who}_poses.f32.gz").read(), "<f4")
            everybody.append(stored.reshape(200, -1, 3))
        self.faces = [
            glb_faces(data() / "characters" / f"mh_{who}2850_cmu.glb") for who in ("male", "female")
        ]
        # B is moved in f32, as the answers were found; both are exact as doubles.
        self.people = [
            (
                everybody[0][pair["a"]].astype(np.float64),
                (everybody[1][pair["b"]] + np.float32(pair["offset_f32"])).astype(np.float64),
            )
            for pair in self.pairs
        ]
        self.man, self.woman = everybody[0][0].astype(float), everybody[1][0].astype(float)
        self.frames = everybody[1].astype(float)
        random = np.random.default_rng(33)
        self.poses = np.repeat(np.eye(4)[None], 100_000, axis=0)
        # Turned about the vertical, beside each other: half of them meet.
        turn = random.uniform(-np.pi, np.pi, len(self.poses))
        way, far = (
            random.uniform(-np.pi, np.pi, len(self.poses)),
            random.uniform(0, 1.2, len(self.poses)),
        )
        self.poses[:, 0, 0] = self.poses[:, 2, 2] = np.cos(turn)
        self.poses[:, 0, 2] = np.sin(turn)
        self.poses[:, 2, 0] = -self.poses[:, 0, 2]
        self.poses[:, 0, 3], self.poses[:, 2, 3] = far * np.cos(way), far * np.sin(way)
        self.ball, self.ball_faces = ball(20)
        self.other_ball = self.ball * 0.9 + [0.5, 0.25, 0.125]
        self.points = random.uniform(-1.2, 1.2, (1_000_000, 3))

    def write(self, folder: pathlib.Path) -> None:
        corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
        meshes = {
            "man": (self.man, self.faces[0]),
            "woman": (self.woman, self.faces[1]),
            "one": (corner, np.array([[0, 1, 2]], dtype=np.uint32)),
            "other": (corner + [9, 0, 0], np.array([[0, 1, 2]], dtype=np.uint32)),
        }
        for name, (vertices, faces) in meshes.items():
            (folder / f"{name}.vertices").write_bytes(vertices.astype("<f8").tobytes())
            (folder / f"{name}.faces").write_bytes(faces.astype("<u4").tobytes())
        (folder / "poses").write_bytes(self.poses.astype("<f8").tobytes())


def ball(rings: int) -> "tuple[np.ndarray, np.ndarray]":
    """A closed ball, wound outwards, of coordinates that f32 holds."""
    around = 2 * rings
    corners, faces = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], []
    for i in range(1, rings):
        height, size = np.cos(np.pi * i / rings), np.sin(np.pi * i / rings)
        for j in range(around):
            turn = 2 * np.pi * j / around
            corners.append([size * np.cos(turn), size * np.sin(turn), height])
    at = lambda i, j: 2 + (i - 1) * around + j % around  # noqa: E731
    for j in range(around):
        faces.append([0, at(1, j), at(1, j + 1)])
        faces.append([1, at(rings - 1, j + 1), at(rings - 1, j)])
        for i in range(1, rings - 1):
            faces.append([at(i, j), at(i + 1, j), at(i + 1, j + 1)])
            faces.append([at(i, j), at(i + 1, j + 1), at(i, j + 1)])
    return np.float32(corners).astype(float), np.array(faces, dtype=np.uint32)
