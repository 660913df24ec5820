"""The same bytes for any number of threads and any instruction set, and the same contacts for any
order of arguments."""

import json
import os

import limits

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
THREADS = [1, 2, 5]
LEVELS = ["portable", "sse2", "avx2", "avx512"]
OPTIONS = [[], ["--solid", "--where"], ["--clearance=0.5", "--where"], ["--depth"]]


def probe(place):
    pairs = list(cases(place))
    for number, room in enumerate(pairs):
        options = OPTIONS[number % len(OPTIONS)]
        everywhere(place, room, ["check", "a.obj", "b.obj", "--json", "--triangles", *options])
        swapped(place, room, options)
    room = place.room("built-in")
    place.take(
        room, "scene.toml", "box.obj", "chain.glb", "arm.xml", "crowd.csv", "box.stl", "man.glb"
    )
    for options in OPTIONS:
        everywhere(place, room, ["check", "--json", "--frames=100-102", *options])
        everywhere(place, room, ["check", "scene.toml", "--json", *options])
    everywhere(place, room, ["check", "man.glb", "--self", "--json", "--fps=2", "--frames=0-4"])
    everywhere(place, room, ["check", "--json", "--frames=100-102", "--continuous"])


def cases(place):
    """The pairs of meshes of testdata/cases as files, a sample of them."""
    folder = os.path.join(ROOT, "testdata", "cases")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            found = [
                c
                for c in json.load(file)["cases"]
                if all("mesh" in c.get(side, {}) for side in "ab")
            ]
        for number, case in enumerate(place.rng.sample(found, min(len(found), 4))):
            room = place.room(f"{name[:-5]}-{number}")
            for side in "ab":
                mesh = case[side]["mesh"]
                lines = ["v " + " ".join(repr(float(x)) for x in v) for v in mesh["vertices"]]
                lines += ["f " + " ".join(str(i + 1) for i in t) for t in mesh["triangles"]]
                place.write(room, f"{side}.obj", "\n".join(lines) + "\n")
            yield room


def everywhere(place, room, arguments):
    """One thread on the portable level against the others: every level, and every number of
    threads with one of them."""
    expected = place.run(
        [*arguments, "--threads=1"],
        room,
        "same",
        environment={"ELBOWROOM_SIMD": "portable"},
        seconds=100,
    )
    ways = [(level, count) for level in LEVELS for count in THREADS]
    if place.rounds <= 2:
        ways = [(level, THREADS[number % len(THREADS)]) for number, level in enumerate(LEVELS, 1)]
    for level, count in ways:
        ended = place.run(
            [*arguments, f"--threads={count}"],
            room,
            "same",
            environment={"ELBOWROOM_SIMD": level},
            seconds=100,
        )
        same = (ended.code, ended.out, ended.err) == (expected.code, expected.out, expected.err)
        place.expect(
            same,
            "same",
            f"{level} {count}",
            arguments,
            f"other bytes on {level} with {count} threads than on one portable",
        )


def swapped(place, room, options):
    """The contacts of b and a are those of a and b, with the sides exchanged."""
    sides = []
    for files in (["a.obj", "b.obj"], ["b.obj", "a.obj"]):
        arguments = ["check", *files, "--json", "--triangles", *options]
        ended = place.run(arguments, room, "order")
        if ended.code not in (0, 1):
            return
        sides.append(limits.as_json(ended.out))
    found = [contacts(side, turn) for side, turn in zip(sides, (False, True))]
    place.expect(
        found[0] == found[1],
        "same",
        "order",
        ["check", "a.obj", "b.obj", *options],
        f"{found[0]} and {found[1]}"[:400],
    )


def contacts(result, turn):
    """What must not depend on the order: kinds, pairs of triangles, certainty, distances."""
    listed = []
    for contact in result["contacts"]:
        one, two = ("b", "a") if turn else ("a", "b")
        triangles = [
            tuple(reversed(pair)) if turn else tuple(pair) for pair in contact.get("triangles", [])
        ]
        inside = contact.get("inside")
        inside = {one: two, two: one}.get(inside, inside) if turn and inside else inside
        listed.append(
            (
                sorted([str(contact["a"]), str(contact["b"])]),
                contact["kind"],
                sorted(triangles),
                inside,
                contact.get("distance"),
            )
        )
    return sorted(listed, key=repr)
