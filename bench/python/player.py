"""One engine: reads questions, one a line, and answers each with seconds and what it found, as JSON.

    python player.py ENGINE

Models are built before the clock starts, unless to build them is what is asked; poses are converted to
the engine's types before as well, as far as it has types for them. A question that an engine has no
answer to is answered with null. `part` says how much of the question was asked: slow engines are asked
a part of it, and their time is multiplied.
"""

import json
import sys
import time

import numpy as np

from scene import Scene

SCENE = Scene()
EVERY_POSE = len(SCENE.poses)


class Ours:
    """`elbowroom`."""

    def __init__(self):
        import elbowroom as er

        self.er, self.version = er, er.__version__
        faces = SCENE.faces
        self.people = [(er.Model(a, faces[0]), er.Model(b, faces[1])) for a, b in SCENE.people]
        self.man, self.woman = er.Model(SCENE.man, faces[0]), er.Model(SCENE.woman, faces[1])
        self.soft = er.DeformableModel(SCENE.woman, faces[1])
        self.ball = er.Model(SCENE.ball, SCENE.ball_faces)
        self.other_ball = er.Model(SCENE.other_ball, SCENE.ball_faces)
        corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
        self.one, self.other = (
            er.Model(corner, [[0, 1, 2]]),
            er.Model(corner + [9, 0, 0], [[0, 1, 2]]),
        )

    def boolean(self):
        return [a.intersects(b) for a, b in self.people]

    def contacts(self):
        return [len(a.contacts(b).pairs) for a, b in self.people]

    def distance(self):
        return [a.distance(b) for a, b in self.people]

    def batch(self):
        return self.man.intersects(self.woman, other_pose=SCENE.poses)

    def distances(self):
        return self.man.distance(self.woman, other_pose=SCENE.poses[:1000])

    def calls(self):
        ask, other, pose = self.one.intersects, self.other, SCENE.poses[0]
        for _ in range(200_000):
            ask(other, None, pose)
        return []

    def refit(self):
        for vertices in SCENE.frames:
            self.soft.refit(vertices)
        return [self.soft.bounds[1, 1]]

    def inside(self):
        return self.ball.inside(SCENE.points)

    def overlap(self):
        return [self.ball.overlap(self.other_ball).volume]


class Fcl:
    """python-fcl: `BVHModel`; refit builds it again, since it cannot refit."""

    def __init__(self):
        import fcl
        import importlib.metadata

        self.fcl, self.version = fcl, importlib.metadata.version("python-fcl")
        faces = SCENE.faces
        self.people = [(self.thing(a, faces[0]), self.thing(b, faces[1])) for a, b in SCENE.people]
        self.man, self.woman = self.thing(SCENE.man, faces[0]), self.thing(SCENE.woman, faces[1])
        self.transforms = [fcl.Transform(pose[:3, :3], pose[:3, 3]) for pose in SCENE.poses]

    def thing(self, vertices, faces):
        model = self.fcl.BVHModel()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(vertices, faces)
        model.endModel()
        return self.fcl.CollisionObject(model, self.fcl.Transform())

    def boolean(self):
        fcl = self.fcl
        return [
            fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
            for a, b in self.people
        ]

    def contacts(self):
        fcl, counts = self.fcl, []
        for a, b in self.people:
            result = fcl.CollisionResult()
            request = fcl.CollisionRequest(num_max_contacts=1_000_000, enable_contact=True)
            fcl.collide(a, b, request, result)
            counts.append(len({(contact.b1, contact.b2) for contact in result.contacts}))
        return counts

    def distance(self):
        fcl = self.fcl
        far = [
            fcl.distance(a, b, fcl.DistanceRequest(), fcl.DistanceResult()) for a, b in self.people
        ]
        return [max(0.0, it) for it in far]

    def batch(self, transforms=None):
        fcl, man, woman, found = self.fcl, self.man, self.woman, []
        for transform in self.transforms:
            woman.setTransform(transform)
            request, result = fcl.CollisionRequest(), fcl.CollisionResult()
            found.append(fcl.collide(man, woman, request, result) > 0)
        return found

    def distances(self):
        fcl, man, woman, found = self.fcl, self.man, self.woman, []
        for transform in self.transforms[:1000]:
            woman.setTransform(transform)
            far = fcl.distance(man, woman, fcl.DistanceRequest(), fcl.DistanceResult())
            found.append(max(0.0, far))
        return found

    def refit(self):
        for vertices in SCENE.frames:
            self.thing(vertices, SCENE.faces[1])
        return [SCENE.frames[-1][:, 1].max()]


class Coal:
    """coal: `BVHModelOBBRSS`; refit by building it again, which its Python has no other way to."""

    def __init__(self):
        import coal

        self.coal, self.version = coal, coal.__version__
        faces = SCENE.faces
        self.people = [(self.thing(a, faces[0]), self.thing(b, faces[1])) for a, b in SCENE.people]
        self.man, self.woman = self.thing(SCENE.man, faces[0]), self.thing(SCENE.woman, faces[1])
        self.here = coal.Transform3s()
        self.transforms = [coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in SCENE.poses]

    def thing(self, vertices, faces):
        coal = self.coal
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for point in vertices:
            points.append(point)
        for a, b, c in faces.tolist():
            triangles.append(coal.Triangle(a, b, c))
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(points, triangles)
        model.endModel()
        return model

    def boolean(self):
        return [self.meets(a, b, self.here) for a, b in self.people]

    def meets(self, a, b, transform):
        coal = self.coal
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        return coal.collide(a, self.here, b, transform, request, result) > 0

    def contacts(self):
        coal, counts = self.coal, []
        for a, b in self.people:
            request, result = coal.CollisionRequest(), coal.CollisionResult()
            request.num_max_contacts, request.enable_contact = 1_000_000, True
            coal.collide(a, self.here, b, self.here, request, result)
            found = (result.getContact(i) for i in range(result.numContacts()))
            counts.append(len({(contact.b1, contact.b2) for contact in found}))
        return counts

    def far(self, a, b, transform):
        coal = self.coal
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        return max(0.0, coal.distance(a, self.here, b, transform, request, result))

    def distance(self):
        return [self.far(a, b, self.here) for a, b in self.people]

    def batch(self):
        return [self.meets(self.man, self.woman, transform) for transform in self.transforms]

    def distances(self):
        return [self.far(self.man, self.woman, transform) for transform in self.transforms[:1000]]

    def refit(self):
        for vertices in SCENE.frames[:20]:
            self.thing(vertices, SCENE.faces[1])
        return [SCENE.frames[-1][:, 1].max()], 20 / len(SCENE.frames)


class Trimesh:
    """trimesh, as its users call it: a `CollisionManager` (which asks python-fcl), in a loop."""

    def __init__(self):
        import trimesh

        self.trimesh, self.version = trimesh, trimesh.__version__
        self.collision = trimesh.collision
        self.prepare()

    def prepare(self):
        faces = SCENE.faces
        self.people = [
            (self.manager(self.mesh(a, faces[0])), self.mesh(b, faces[1])) for a, b in SCENE.people
        ]
        self.man = self.manager(self.mesh(SCENE.man, faces[0]))
        self.woman = self.mesh(SCENE.woman, faces[1])
        self.ball = self.mesh(SCENE.ball, SCENE.ball_faces)
        self.other_ball = self.mesh(SCENE.other_ball, SCENE.ball_faces)

    def mesh(self, vertices, faces):
        return self.trimesh.Trimesh(vertices, faces, process=False)

    def manager(self, mesh):
        manager = self.collision.CollisionManager()
        manager.add_object("man", mesh)
        return manager

    def boolean(self):
        found = [a.in_collision_single(b) for a, b in self.people[:40]]
        return found, 40 / len(self.people)

    def contacts(self):
        found = [a.in_collision_single(b, return_data=True)[1] for a, b in self.people[:40]]
        # The object from outside has a name of its own.
        pairs = [{(it.index("man"), it.index("__external")) for it in data} for data in found]
        return [len(it) for it in pairs], 40 / len(self.people)

    def distance(self):
        found = [max(0.0, a.min_distance_single(b)) for a, b in self.people[:40]]
        return found, 40 / len(self.people)

    def batch(self):
        found = [self.man.in_collision_single(self.woman, transform=it) for it in SCENE.poses[:300]]
        return found, 300 / EVERY_POSE

    def distances(self):
        found = [self.man.min_distance_single(self.woman, transform=it) for it in SCENE.poses[:100]]
        return [max(0.0, it) for it in found], 0.1

    def refit(self):
        for vertices in SCENE.frames[:50]:
            self.man.add_object("woman", self.mesh(vertices, SCENE.faces[1]))
            self.man.remove_object("woman")
        return [SCENE.frames[-1][:, 1].max()], 50 / len(SCENE.frames)

    def inside(self):
        return self.ball.contains(SCENE.points[:2000]), 2000 / len(SCENE.points)

    def overlap(self):
        shared = self.trimesh.boolean.intersection([self.ball, self.other_ball], engine="manifold")
        return [shared.volume]


class DropIn(Trimesh):
    """`elbowroom.trimesh`: the same script with another import."""

    inside = overlap = None

    def __init__(self):
        import elbowroom.trimesh
        import trimesh

        self.trimesh, self.version = trimesh, elbowroom.__version__
        self.collision = elbowroom.trimesh
        self.prepare()


class Open3d:
    """Open3D: `is_intersecting` of two meshes, `RaycastingScene` for points."""

    def __init__(self):
        import open3d

        self.o3d, self.version = open3d, open3d.__version__
        faces = SCENE.faces
        self.people = [(self.mesh(a, faces[0]), self.mesh(b, faces[1])) for a, b in SCENE.people]
        self.man, self.woman = self.mesh(SCENE.man, faces[0]), self.mesh(SCENE.woman, faces[1])
        self.scene = self.o3d.t.geometry.RaycastingScene(nthreads=0)
        tensor = self.o3d.core.Tensor
        self.scene.add_triangles(
            tensor(SCENE.ball.astype(np.float32)), tensor(SCENE.ball_faces.astype(np.uint32))
        )
        self.points = tensor(SCENE.points.astype(np.float32))

    def mesh(self, vertices, faces):
        convert = self.o3d.utility
        return self.o3d.geometry.TriangleMesh(
            convert.Vector3dVector(vertices), convert.Vector3iVector(faces.astype(np.int32))
        )

    def boolean(self):
        found = [a.is_intersecting(b) for a, b in self.people[:6]]
        return found, 6 / len(self.people)

    def inside(self):
        return self.scene.compute_occupancy(self.points).numpy() > 0.5


class Manifold:
    """manifold3d: the volume of an intersection; it needs closed manifolds."""

    def __init__(self):
        import importlib.metadata

        import manifold3d

        self.m3d, self.version = manifold3d, importlib.metadata.version("manifold3d")
        self.ball = self.solid(SCENE.ball)
        self.other_ball = self.solid(SCENE.other_ball)

    def solid(self, vertices):
        mesh = self.m3d.Mesh64(vertices, SCENE.ball_faces.astype(np.uint64))
        return self.m3d.Manifold(mesh)

    def overlap(self):
        return [(self.ball ^ self.other_ball).volume()]


class Igl:
    """libigl: `fast_winding_number`; its wheel has no query about two meshes."""

    def __init__(self):
        import importlib.metadata

        import igl

        self.igl, self.version = igl, importlib.metadata.version("libigl")

    def inside(self):
        igl, faces = self.igl, SCENE.ball_faces.astype(np.int64)
        return igl.fast_winding_number(SCENE.ball, faces, SCENE.points) > 0.5


ENGINES = {
    "ours": Ours,
    "dropin": DropIn,
    "fcl": Fcl,
    "coal": Coal,
    "trimesh": Trimesh,
    "open3d": Open3d,
    "manifold": Manifold,
    "igl": Igl,
}


def main() -> None:
    engine = ENGINES[sys.argv[1]]()
    print(json.dumps({"version": engine.version}), flush=True)
    for line in sys.stdin:
        ask = getattr(engine, line.strip(), None)
        if ask is None:
            print("null", flush=True)
            continue
        started, used = time.perf_counter(), time.process_time()
        answer = ask()
        took, used = time.perf_counter() - started, time.process_time() - used
        answer, part = answer if isinstance(answer, tuple) else (answer, 1.0)
        found = np.asarray(answer).astype(float).tolist()
        told = {"seconds": took / part, "processor": used / part, "part": part, "found": found}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
