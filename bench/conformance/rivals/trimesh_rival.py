"""trimesh with python-fcl, as its users call it: `Trimesh`, and a `CollisionManager` for two of them.

Its documentation does not say whether it compares surfaces or solids: convex meshes become solids, others surfaces. So it is asked both: `meets` and
`solids_meet` are `in_collision_other`. `distance` is `min_distance_other`, where anything below 0 is its word for contact; `closed` is watertight
and consistently wound; `point` is `contains`, which tells inside from outside only.
"""

import trimesh

from player import play


def mesh(body):
    return trimesh.Trimesh(vertices=body.vertices, faces=body.triangles)


def manager(name, body):
    made = trimesh.collision.CollisionManager()
    made.add_object(name, mesh(body), transform=body.matrix())
    return made


class Trimesh:
    def meets(self, a, b):
        return bool(manager("a", a).in_collision_other(manager("b", b)))

    solids_meet = meets

    def distance(self, a, b):
        return max(0.0, manager("a", a).min_distance_other(manager("b", b)))

    def within(self, a, b, length):
        return self.meets(a, b) if length == 0 else self.distance(a, b) <= length

    def closed(self, *bodies):
        meshes = [mesh(body) for body in bodies]
        return [bool(one.is_watertight and one.is_winding_consistent) for one in meshes]

    def point(self, a, p):
        placed = mesh(a)
        placed.apply_transform(a.matrix())
        return "inside" if placed.contains([p])[0] else "outside"


if __name__ == "__main__":
    play(Trimesh())
