"""Deep chains, cycles and bombs of every kind: an error that says so, in bounded time and space."""

import gzip
import json

import mutants
import seeds

DEEP = 20_000
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def probe(place):
    for name, make in CASES.items():
        room = place.room(name)
        place.take(room, "box.obj", "box.stl", "ball.ply", "chain.glb")
        first = make(place, room)
        ending = seeds.ending(first)
        if ending != "toml":
            ended = place.run(["info", first, "--json"], room, ending)
        files = [first] if ending in ("toml", "xml", "urdf") else [first, "box.obj"]
        if ending == "json":
            files = ["box.obj", "box.stl", f"--poses={first}"]
        ended = place.run(
            ["check", *files, "--frames=0"]
            if ending not in ("json", "toml")
            else ["check", *files],
            room,
            ending,
        )
        place.expect(
            ended.code in (0, 1, 2, 3), "exit", name, ["check", *files], f"exit code {ended.code}"
        )


def includes(place, room):
    for i in range(DEEP):
        place.write(room, f"i{i}.xml", f'<mujoco><include file="i{i + 1}.xml"/></mujoco>')
    place.write(room, f"i{DEEP}.xml", seeds.MJCF)
    return "i0.xml"


def include_cycle(place, room):
    place.write(room, "a.xml", '<mujoco><include file="b.xml"/></mujoco>')
    place.write(room, "b.xml", '<mujoco><include file="a.xml"/></mujoco>')
    return "a.xml"


def include_fan(place, room):
    # Each names the next twice: two to the thirtieth in all.
    for i in range(30):
        place.write(
            room,
            f"f{i}.xml",
            f'<mujoco><include file="f{i + 1}.xml"/><include file="f{i + 1}.xml"/></mujoco>',
        )
    place.write(room, "f30.xml", "<mujoco/>")
    return "f0.xml"


def bodies(place, room):
    inside = '<geom type="sphere" size="0.1"/>'
    place.write(
        room,
        "d.xml",
        f"<mujoco><worldbody>{'<body>' * DEEP}{inside}{'</body>' * DEEP}</worldbody></mujoco>",
    )
    return "d.xml"


def defaults(place, room):
    deep = "".join(f'<default class="c{i}">' for i in range(DEEP)) + "</default>" * DEEP
    place.write(room, "d.xml", f"<mujoco><default>{deep}</default></mujoco>")
    return "d.xml"


def entities(place, room):
    lines = ['<!ENTITY a "aaaaaaaaaa">'] + [
        f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9)
    ]
    place.write(room, "e.xml", f'<!DOCTYPE mujoco [{"".join(lines)}]><mujoco model="&j;"/>')
    return "e.xml"


def links(place, room):
    parts = [f'<link name="l{i}"/>' for i in range(DEEP + 1)]
    parts += [
        f'<joint name="j{i}" type="fixed"><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        for i in range(DEEP)
    ]
    place.write(room, "l.urdf", f'<robot name="long">{"".join(parts)}</robot>')
    return "l.urdf"


def links_cycle(place, room):
    text = '<robot name="r"><link name="a"/><link name="b"/>'
    for first, second in ("ab", "ba"):
        text += f'<joint name="{first}" type="fixed"><parent link="{first}"/><child link="{second}"/></joint>'
    place.write(room, "c.urdf", text + "</robot>")
    return "c.urdf"


def nodes(place, room, cycle=False):
    root = json.loads(place.read(place.good, "chain.gltf"))
    first = len(root["nodes"])
    root["nodes"] += [{"children": [first + i + 1]} for i in range(DEEP)] + [{"mesh": 0}]
    if cycle:
        root["nodes"][-1]["children"] = [first]
    root["scenes"] = [{"nodes": [first]}]
    root["scene"] = 0
    root.pop("animations", None)
    place.write(room, "n.gltf", json.dumps(root))
    return "n.gltf"


def joints(place, room):
    text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    text += (
        "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 0\n" * DEEP
        + "End Site\n{\nOFFSET 0 1 0\n}\n"
        + "}\n" * (DEEP + 1)
    )
    place.write(room, "j.bvh", text + "MOTION\nFrames: 1\nFrame Time: 0.03\n0 0 0\n")
    return "j.bvh"


def tables(place, room):
    place.write(room, "t.toml", "a = " + "[" * DEEP * 5 + "]" * DEEP * 5)
    return "t.toml"


def dotted(place, room):
    place.write(room, "d.toml", ".".join(["a"] * DEEP * 5) + " = 1\n")
    return "d.toml"


def scenes(place, room):
    for i in range(200):
        place.write(room, f"s{i}.toml", f'[[model]]\nfile = "s{i + 1}.toml"\n')
    return "s0.toml"


def lists(place, room):
    place.write(room, "p.json", "[" * DEEP * 50)
    return "p.json"


def json_lists(place, room):
    place.write(room, "g.gltf", '{"asset":{"version":"2.0"},"extras":' + "[" * DEEP * 50)
    return "g.gltf"


def fbx_nodes(place, room):
    place.write(room, "f.fbx", "; FBX 7.4.0 project file\n" + "A:  {\n" * DEEP + "}\n" * DEEP)
    return "f.fbx"


def components(place, room):
    chain = "".join(
        f'<object id="{i}"><components><component objectid="{i - 1}"/></components></object>'
        for i in range(2, DEEP)
    )
    return package(place, room, chain, DEEP - 1)


def component_fan(place, room):
    fan = '<component objectid="{0}"/>' * 10
    chain = "".join(
        f'<object id="{i}"><components>{fan.format(i - 1)}</components></object>'
        for i in range(2, 12)
    )
    return package(place, room, chain, 11)


def package(place, room, chain, last):
    model = (
        seeds.THREEMF.split('<object id="2"')[0]
        + chain
        + f'</resources><build><item objectid="{last}"/></build></model>'
    )
    place.write(
        room,
        "c.3mf",
        mutants.packed([("_rels/.rels", seeds.RELATIONS), ("3D/3dmodel.model", model)]),
    )
    return "c.3mf"


def bomb(place, room):
    # A kilobyte of lines that unpacks to two hundred megabytes.
    place.write(
        room,
        "b.obj.gz",
        gzip.compress(TRIANGLE.encode() + b"f 1 2 3\n" + b"\n" * (200 << 20), mtime=0),
    )
    return "b.obj.gz"


def zip_bomb(place, room):
    model = seeds.THREEMF.replace("<resources>", " " * (100 << 20) + "<resources>")
    place.write(
        room,
        "b.3mf",
        mutants.packed([("_rels/.rels", seeds.RELATIONS), ("3D/3dmodel.model", model)]),
    )
    return "b.3mf"


def long_line(place, room):
    place.write(room, "l.obj", TRIANGLE + "f" + " 1 2 3" * 300_000)
    return "l.obj"


def groups(place, room):
    place.write(room, "g.obj", TRIANGLE + "".join(f"g g{i}\nf 1 2 3\n" for i in range(DEEP)))
    return "g.obj"


CASES = {
    "includes": includes,
    "include-cycle": include_cycle,
    "include-fan": include_fan,
    "bodies": bodies,
    "defaults": defaults,
    "entities": entities,
    "links": links,
    "links-cycle": links_cycle,
    "nodes": nodes,
    "nodes-cycle": lambda place, room: nodes(place, room, True),
    "joints": joints,
    "tables": tables,
    "dotted": dotted,
    "scenes": scenes,
    "lists": lists,
    "json-lists": json_lists,
    "fbx-nodes": fbx_nodes,
    "components": components,
    "component-fan": component_fan,
    "bomb": bomb,
    "zip-bomb": zip_bomb,
    "long-line": long_line,
    "groups": groups,
}
