"""Blender's `mathutils.bvhtree.BVHTree` through the bpy module. It compares surfaces, in single precision, and takes no placement: vertices
are placed in doubles first. `pairs` is `overlap`, `meets` is whether that finds any.
"""

import bpy  # noqa: F401  Brings mathutils.
from mathutils.bvhtree import BVHTree

from player import play


def tree(body):
    return BVHTree.FromPolygons(body.placed().tolist(), body.triangles.tolist(), all_triangles=True, epsilon=0.0)


class Blender:
    def pair_list(self, a, b):
        return sorted({(int(i), int(j)) for i, j in tree(a).overlap(tree(b))})

    def pairs(self, a, b):
        return len(self.pair_list(a, b))

    def meets(self, a, b):
        return len(self.pair_list(a, b)) > 0


if __name__ == "__main__":
    play(Blender())
