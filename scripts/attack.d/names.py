"""Names that mean something elsewhere: to a terminal, a browser, a spreadsheet, a shell, a line
reader."""

import csv
import io
import json
import os

import limits

NAMES = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<!--",
    "&lt;b&gt;",
    "a\x1b[31mred\x1b[0m",
    "a\x1b]0;title\x07",
    "two\nlines",
    "carriage\rreturn",
    "tab\tstop",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://x")',
    'quote"s',
    "it's",
    "a,b;c",
    "back\\slash",
    "\u202egnp",
    "\u2028line",
    "a\u0000b",
    "%s%n",
    "${HOME}",
    "$(id)",
    "`id`",
    "a" * 200,
    "é\u0301",
    "\ufeffbom",
    " ",
    "",
    "{}",
    "null",
    "\x7f",
    "\x9b31m",
]
SHEET = ("=", "+", "-", "@", "\t", "\r")


def probe(place):
    for number, name in enumerate(NAMES):
        as_node(place, name, number)
        as_file(place, name, number)
    as_bytes(place)


def as_node(place, name, number):
    """As the name of a node, a mesh and a clip in a glTF."""
    room = place.room(f"node-{number}")
    place.take(room, "box.obj")
    root = json.loads(place.read(place.good, "chain.gltf"))
    for part in ("nodes", "meshes", "animations", "skins", "materials"):
        for one in root.get(part, []):
            one["name"] = name
    place.write(room, "n.gltf", json.dumps(root))
    look(place, room, ["n.gltf", "box.obj"], name)
    ended = place.run(["info", "n.gltf"], room, "gltf")
    plain(place, ended, name, ["info", "n.gltf"])
    place.run(["convert", "n.gltf", "o.obj", "-q", "--force"], room, "gltf")
    if place.read(room, "o.obj") is not None:
        ended = place.run(["info", "o.obj", "--json"], room, "obj")
        place.expect(
            ended.code == 0,
            "unreadable",
            "obj",
            ["info", "o.obj"],
            f"a node called {name!r} gives an OBJ that is not read",
        )


def as_file(place, name, number):
    """As the name of a file."""
    room = place.room(f"file-{number}")
    place.take(room, "box.obj")
    path = f"{name}.obj"
    try:
        with open(os.path.join(room, path), "wb") as file:
            file.write(place.read(place.good, "box.obj"))
    except (OSError, ValueError):
        place.tally.skip("file names that the system does not take")
        return
    look(place, room, ["--", path, "box.obj"], name)


def as_bytes(place):
    """Names that are no UTF-8."""
    room = place.room("bytes")
    place.take(room, "box.obj")
    path = b"a\xff\xfe.obj"
    with open(os.path.join(os.fsencode(room), path), "wb") as file:
        file.write(place.read(place.good, "box.obj"))
    place.run(["check", "box.obj", os.fsdecode(path), "--json", "-o", "x.html"], room, "obj")


def look(place, room, files, name):
    outputs = ["x.html", "x.csv", "x.ndjson", "x.json"]
    options = [o for output in outputs for o in ("-o", output)]
    arguments = (
        ["check", *options, "--top=0", "--frames=0", *files]
        if "n.gltf" in files
        else ["check", *options, *files]
    )
    ended = place.run(arguments, room, "names")
    plain(place, ended, name, arguments)
    text = place.read(room, "x.html")
    if text is not None:
        for bad in (b"<img src=x", b"<script>alert", b"\x1b"):
            place.expect(
                bad not in text,
                "markup",
                "html",
                arguments,
                f"{bad!r} stands in the page, from the name {name!r}",
            )
    for table in ("x.csv", "x.incidents.csv"):
        rows = place.read(room, table)
        if rows is None:
            continue
        rows = rows.decode("utf-8")
        for row in csv.reader(io.StringIO(rows, newline="")):
            for cell in row:
                formula = cell.startswith(SHEET) and not is_number(cell)
                place.expect(
                    not formula, "formula", "csv", arguments, f"a spreadsheet computes {cell!r}"
                )
    for line in (place.read(room, "x.ndjson") or b"").splitlines():
        try:
            limits.as_json(line)
        except ValueError as error:
            place.find("json", "ndjson", arguments, f"{error} with the name {name!r}")


def plain(place, ended, name, arguments):
    """No name breaks a line of the table or turns the text round."""
    for stream in (ended.out, ended.err):
        text = stream.decode("utf-8", errors="replace")
        for bad in ("\r", "\u202e", "\u2028", "\x9b", "two\nlines"):
            place.expect(
                bad not in text,
                "control",
                "terminal",
                arguments,
                f"{bad!r} is printed, from the name {name!r}",
            )


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False
