"""manifold3d: solids as `Manifold`, from `Mesh64` in doubles, vertices in one place merged. It takes placements as transforms.

Kinds come from its three booleans: what both have, what only a has, what only b has. Where both have nothing, `min_gap` parts touching, clearance and
clear, and is the distance. Surfaces are not asked, nor are meshes that it refuses: it sets out to answer for manifolds alone.
"""

import manifold3d
import numpy as np

from player import play


class Refused(Exception):
    """The mesh is not one of a manifold."""


def of_manifolds(question):
    def asked(*arguments):
        try:
            return question(*arguments)
        except Refused:
            return None

    return asked


def solid(body):
    mesh = manifold3d.Mesh64(body.vertices.copy(), body.triangles.astype(np.uint64))
    mesh.merge()
    made = manifold3d.Manifold(mesh)
    if made.status() != manifold3d.Error.NoError:
        raise Refused
    return made.transform(body.matrix()[:3])


def is_something(made):
    """Slivers without volume, which its booleans may leave where faces meet, are nothing."""
    return not made.is_empty() and made.volume() > 0


class Manifold:
    def regions(self, a, b):
        first, second = solid(a), solid(b)
        both, only_a, only_b = (is_something(made) for made in (first ^ second, first - second, second - first))
        return first, second, both, only_a, only_b

    def gap(self, first, second, least):
        """The gap, or infinity if it is beyond what is searched."""
        low, high = np.array(first.bounding_box()), np.array(second.bounding_box())
        reach = float(max(np.abs(low).max(), np.abs(high).max(), least)) * 4
        return first.min_gap(second, reach)

    @of_manifolds
    def solid(self, a, b, clearance):
        first, second, both, only_a, only_b = self.regions(a, b)
        if both:
            return {(True, True): "crossing", (False, False): "duplicate"}.get((only_a, only_b), "containment")
        gap = self.gap(first, second, clearance)
        return "touching" if gap == 0 else "clearance" if gap <= clearance else "clear"

    @of_manifolds
    def solids_meet(self, a, b):
        return self.solid(a, b, 0.0) not in ("clear", "clearance")

    @of_manifolds
    def contains(self, a, b):
        _, _, both, only_a, only_b = self.regions(a, b)
        if not both:
            return "neither"
        return {(False, False): "both", (True, False): "a", (False, True): "b"}.get((only_a, only_b), "neither")

    @of_manifolds
    def distance(self, a, b):
        """Between solids it has none where they overlap; there it is not asked for that of the surfaces."""
        first, second, both, _, _ = self.regions(a, b)
        return None if both else self.gap(first, second, 0.0)


if __name__ == "__main__":
    play(Manifold())
