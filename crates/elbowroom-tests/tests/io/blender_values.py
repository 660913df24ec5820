"""Writes FBX files with Blender, and beside each where Blender itself puts every vertex.

    pip install bpy
    python blender_values.py OUT_FOLDER FILE.glb ...

For each GLB: OUT_FOLDER/NAME.fbx, and OUT_FOLDER/NAME.json, a list of {clip, time, parts: {name: [x, y, z, ...]}} in metres with Y up, at
some frames of some of the actions. Run by hand or by scripts/judges; the tests of FBX read the folder.
"""

import json
import pathlib
import sys

import bpy

ACTIONS = 4
FRACTIONS = (0.0, 0.3, 0.6, 0.9)


def evaluated():
    graph = bpy.context.evaluated_depsgraph_get()
    parts = {}
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        own = thing.evaluated_get(graph)
        mesh = own.to_mesh()
        points = [own.matrix_world @ vertex.co for vertex in mesh.vertices]
        parts[thing.name] = [c for p in points for c in (p.x, p.z, -p.y)]
        own.to_mesh_clear()
    return parts


def rest(armature):
    """What an action does not move is at rest; the exporter takes it so as well."""
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()


def sample(armature, action):
    """The armature in an action, whole frames behind its first: the file is baked at these."""
    scene = bpy.context.scene
    rest(armature)
    armature.animation_data.action = action
    armature.animation_data.action_slot = action.slots[0]
    start, end = action.frame_range
    for fraction in FRACTIONS:
        behind = int(fraction * (end - start))
        scene.frame_set(int(start) + behind, subframe=start - int(start))
        yield {"clip": action.name, "time": behind / scene.render.fps, "parts": evaluated()}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for path in map(pathlib.Path, sys.argv[2:]):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = 30
        bpy.ops.import_scene.gltf(filepath=str(path), disable_bone_shape=True)
        armatures = [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]
        armature = armatures[0]
        # Tracks of other actions would be mixed into the one that is shown.
        for thing in bpy.context.scene.objects:
            if thing.animation_data:
                for track in list(thing.animation_data.nla_tracks):
                    thing.animation_data.nla_tracks.remove(track)
        actions = [action for action in bpy.data.actions if action.slots and action.slots[0].target_id_type == "OBJECT"]
        samples = [one for action in actions[:ACTIONS] for one in sample(armature, action)]
        armature.animation_data.action = None
        rest(armature)
        (out / f"{path.stem}.json").write_text(json.dumps(samples))
        bpy.ops.export_scene.fbx(
            filepath=str(out / f"{path.stem}.fbx"),
            add_leaf_bones=False,
            bake_anim_use_nla_strips=False,
            bake_anim_simplify_factor=0.0,
        )


main()
