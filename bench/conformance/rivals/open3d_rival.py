"""Open3D's `TriangleMesh`, in doubles, and its `RaycastingScene`, in single precision, for points. It takes no placement: vertices are placed first.

`meets` is `is_intersecting`, `meets_itself` is `is_self_intersecting`, `self_pairs` is `get_self_intersecting_triangles`; `point` is `compute_occupancy`, which tells
inside from outside only. Triangles that share a vertex it passes over, so that what they do beyond it is not found; its documentation does not say so.
"""

import numpy as np
import open3d

from player import play


def mesh(body):
    vertices = open3d.utility.Vector3dVector(body.placed())
    triangles = open3d.utility.Vector3iVector(body.triangles.astype(np.int32))
    return open3d.geometry.TriangleMesh(vertices, triangles)


class Open3d:
    def meets(self, a, b):
        return bool(mesh(a).is_intersecting(mesh(b)))

    def meets_itself(self, a):
        return bool(mesh(a).is_self_intersecting())

    def self_pairs(self, a):
        pairs = np.asarray(mesh(a).get_self_intersecting_triangles()).reshape(-1, 2)
        return sorted({(int(min(pair)), int(max(pair))) for pair in pairs})

    def point(self, a, p):
        scene = open3d.t.geometry.RaycastingScene()
        scene.add_triangles(open3d.t.geometry.TriangleMesh.from_legacy(mesh(a)))
        at = open3d.core.Tensor([p], dtype=open3d.core.Dtype.Float32)
        return "inside" if scene.compute_occupancy(at).numpy()[0] > 0.5 else "outside"


if __name__ == "__main__":
    play(Open3d())
