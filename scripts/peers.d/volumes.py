"""Manifold on closed meshes: the volume of what is in both.

Manifold takes a mesh that passes through itself as one that overlaps there, and counts that volume
twice; such meshes are left out. So are meshes and intersections that Manifold refuses.
"""

import manifold3d
import numpy as np

from common import Run, read_obj, rotation, write_obj

ROUNDS = 16
MESHES = 9
MADE = {
    "box": ["box", "--size", "0.5,0.7,0.9"],
    "ball": ["ball", "--size", "0.9", "--detail", "6"],
    "egg": ["ball", "--size", "0.6,0.8,1.2", "--detail", "5"],
    "cylinder": ["cylinder", "--size", "0.6,1.0"],
    "capsule": ["capsule", "--size", "0.5,1.3"],
    "torus": ["torus", "--size", "0.9,0.3"],
    "man": ["man", "--triangles", "1500"],
    "woman": ["woman", "--triangles", "2500"],
    "stout": ["man", "--triangles", "1500", "--height", "1.5", "--girth", "1.3"],
}


def solid(run, vertices, triangles):
    """Manifold's solid of a mesh, or None if it refuses it."""
    mesh = manifold3d.Mesh64(
        np.ascontiguousarray(vertices), np.ascontiguousarray(triangles.astype(np.uint64))
    )
    made = manifold3d.Manifold(mesh)
    if made.status() != manifold3d.Error.NoError:
        run.count("meshes that Manifold refuses")
        return None
    return made


def shapes(run):
    """Made meshes, centred, that do not pass through themselves."""
    kept = {}
    for name, words in MADE.items():
        run.elbowroom("make", *words, "-o", f"{name}.glb", "-q")
        run.elbowroom("convert", f"{name}.glb", f"{name}.obj", "-q")
        if '"contacts_found": 0' not in run.elbowroom(
            "check", f"{name}.obj", "--self", "--json", "-q", codes=(0, 1)
        ):
            run.count("meshes left out that pass through themselves")
            continue
        vertices, triangles = read_obj(run.path(f"{name}.obj"))
        kept[name] = (vertices - vertices.mean(axis=0), triangles)
        run.count("meshes")
    return kept


def compare(run, name, contact, a, b):
    both = a ^ b
    if both.status() != manifold3d.Error.NoError:
        run.count("intersections that Manifold refuses")
        return
    theirs = both.volume()
    if contact is None or contact["kind"] == "touching":
        run.count("pairs apart")
        if abs(theirs) > 1e-12:
            run.disagree(f"{name}: no common volume, Manifold {theirs!r}")
        return
    if contact["depth_certainty"].startswith("estimate"):
        run.disagree(f"{name}: {contact['depth_certainty']}")
    ours = contact["volume"]
    # Of slivers the rounding of Manifold's new vertices is more than a millionth.
    if ours < 1e-6:
        run.count("slivers below a cubic centimetre")
        allowed = 1e-10
    else:
        run.count("volumes")
        run.count(f"volumes, {contact['kind']}")
        allowed = 1e-6 * theirs
        run.worst = max(run.worst, abs(ours - theirs) / theirs)
    if abs(ours - theirs) > allowed:
        error = contact["volume_error"]
        run.disagree(f"{name}: volume {ours!r} ± {error:.1e}, Manifold {theirs!r}")


def main():
    run = Run()
    run.worst = 0.0
    kept = shapes(run)
    names = list(kept)
    for turn in range(ROUNDS):
        solids, kinds = [], []
        for i in range(MESHES):
            kind = names[run.rng.integers(len(names))]
            scale = run.rng.choice([0.15, 1.0, 1.0])
            vertices, triangles = kept[kind]
            # Small ones in the middle, where they are often inside another.
            shift = run.rng.uniform(-0.6, 0.6, size=3) * (0.4 if scale < 1 else 1)
            vertices = scale * vertices @ rotation(run.rng).T + shift
            write_obj(run.path(f"s{i}.obj"), vertices, triangles)
            solids.append(solid(run, vertices, triangles))
            kinds.append(kind)
        result = run.check([f"s{i}.obj" for i in range(MESHES)], "--split", "none", "--depth")
        contacts = {(c["a"], c["b"]): c for c in result["contacts"]}
        for i in range(MESHES):
            for j in range(i + 1, MESHES):
                if solids[i] is None or solids[j] is None:
                    continue
                name = f"round {turn}, {kinds[i]} s{i} and {kinds[j]} s{j}"
                compare(run, name, contacts.get((f"s{i}", f"s{j}")), solids[i], solids[j])
    print(f"  largest relative difference of volumes: {run.worst:.1e}")
    run.finish(
        {
            "meshes": 7,
            "volumes, crossing": 120,
            "volumes, containment": 4,
            "pairs apart": 100,
        }
    )


main()
