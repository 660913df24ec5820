"""Random command lines: every command that reads files, with any of its options.

The first two values of an option are good ones: most runs are to get past the command line and into
the work.
"""

LENGTHS = ["0.02", "2cm", "5mm", "0", "1e-9", "100", "1e300", "-1", "nan", "inf", "1e-320m", "x"]
RATES = ["1", "5", "24", "30", "0", "-1", "nan", "1e9", "1e-9", "inf", "1000"]
FRAMES = [
    "0",
    "0-2",
    "0-3x2",
    "5-1",
    "0-4",
    "3-99999999999",
    "-1",
    "0-2x0",
    "18446744073709551615",
    "1-",
    "0-0",
]
UNITS = ["m", "cm", "mm", "in", "ft", "km", "0.0254", "0", "-1", "nan", "1e300", "1e-300", "parsec"]
AXES = ["x", "y", "z", "w"]
CLIPS = ["walk", "swing", "0", "1", "", "99999999999999999999", "\x1b[31m"]
TIMES = ["0", "0.1", "-1", "1e9", "nan", "inf", "1e308"]
FEW = ["0", "1", "2", "20", "4294967295", "18446744073709551616", "-1"]
SIZES = ["1GiB", "512MiB", "0", "1", "-1", "1e300", "x"]
DURATIONS = ["10s", "2m", "1ms", "0", "-1", "nan", "1e300h", "x"]
READ = [
    ("--units", UNITS),
    ("--up", AXES),
    ("--allow-outside", None),
    ("--max-size", SIZES),
]
MOMENT = [
    ("--clip", ["0", "1", *CLIPS]),
    ("--time", TIMES),
    ("--frame", ["0", "1", *FRAMES]),
    ("--fps", RATES),
]

CHECK = [
    ("--time-limit", DURATIONS),
    ("--clip", CLIPS),
    ("--fps", RATES),
    ("--frames", FRAMES),
    ("--self", None),
    ("--solid", None),
    ("--clearance", LENGTHS),
    ("--where", None),
    ("--continuous", None),
    ("--depth", None),
    ("--touching", ["count", "ignore"]),
    ("--refit", ["auto", "cab", "cab-sum", "obb", "aabb", "aabb-vertices"]),
    ("--counts", None),
    ("--ndjson", None),
    ("--resume", None),
    ("--gap", FEW),
    ("--top", FEW),
    ("--threads", ["1", "2", "5"]),
    ("--triangles", None),
    ("--exit-zero", None),
    ("-q", None),
    *READ,
]
INFO = [("--all", None), ("--fps", RATES), *READ]
CONVERT = [("--metres", None), ("--to-up", AXES), ("--ascii", None), ("-q", None), *MOMENT, *READ]
POSE = [
    ("--values", ["0", "0,0,0", "nan", "1e308,1", "", "1,2,3,4,5,6,7,8,9"]),
    ("--set", ["j1=0.3", "turn=nan", "x=", "=1", "a=1e308"]),
    ("--rig", CLIPS),
    *CONVERT,
]
CLIPS_OPTIONS = [
    ("--clip-a", CLIPS),
    ("--clip-b", CLIPS),
    ("--fps", [*RATES, "own"]),
    ("--radius", LENGTHS),
    ("--reach", None),
    ("--place-a", ["0,0,0", "1,2,90", "nan,0,0", "1e308,1e308,1e308", "1"]),
    ("--place-b", ["0.2,0,180", "inf,0,0"]),
    ("--start-a", TIMES),
    ("--start-b", TIMES),
    ("--offsets", None),
    ("--from", TIMES),
    ("--to", TIMES),
    ("--exact", None),
    ("--body", ["make:man", "chain.glb", "none.glb"]),
    ("--level", FEW),
    ("--between", ["held", "linear"]),
    ("--method", ["circles", "mobb", "umobb", "hybrid1", "hybrid2", "one-level"]),
    ("--n-min", FEW),
    ("--counts", None),
    ("--exit-zero", None),
    ("-q", None),
    *READ,
]
CROWD = [
    ("--body", ["make:woman", "chain.glb", "none.glb"]),
    ("--clip", CLIPS),
    ("--fps", RATES),
    ("--frames", FRAMES),
    ("--every", ["1", "7", "0", "-1", "4294967296"]),
    ("--radius", LENGTHS),
    ("--levels", ["0,1", "all", "", "99", "3,3,0"]),
    ("--threshold", LENGTHS),
    ("--split", ["centroid", "centre", "covariance"]),
    ("--parts", ["contour", "outline", "triangles", "single"]),
    ("--level", FEW),
    ("--no-exact", None),
    ("--camera", ["0,0,10", "nan,0,0", "1e308,0,0"]),
    ("--units", UNITS),
    ("--exit-zero", None),
    ("-q", None),
]
# Which commands take a file of which ending, beside `info`, `check` and `convert`, which take
# nearly all.
MOVING = {"bvh", "glb", "gltf", "fbx", "npz", "bvh.gz"}
POSED = {"glb", "gltf", "fbx", "xml", "urdf"}
WALKED = {"csv", "txt", "txt.gz"}
MESHES = {"obj", "stl", "ply", "off", "obj.gz", "stl.gz", "ply.gz"}
OUTPUTS = ["x.html", "x.json", "x.ndjson", "x.csv", "x.parquet"]


def some(rng, options):
    """A few options, each at most once, in any order."""
    chosen, moment = [], 0
    for name, values in rng.sample(options, min(len(options), rng.choice([0, 1, 1, 2, 3, 5]))):
        # One moment only is asked for, mostly, so that the command line is not all that is tried.
        moment += name in ("--time", "--frame", "--values", "--set")
        if moment > 1 and name in ("--time", "--frame", "--values", "--set") and rng.random() < 0.9:
            continue
        if values is not None:
            value = rng.choice(values[:2] if rng.random() < 0.9 else values)
            name = f"{name}={value}"
        chosen.append([name])
    return chosen


def command(rng, ending, name):
    """Groups of arguments for a file: the command, its files, then options that can be left out
    one by one."""
    kinds = ["info", "check", "check", "check", "convert"]
    if ending in MOVING:
        kinds.append("clips")
    if ending in POSED:
        kinds.append("pose")
    if ending in WALKED:
        kinds = ["crowd"] * 6 + ["info", "info", "convert", "convert", "clips", "check"]
    if ending in ("toml", "json"):
        kinds = ["check"] * 12 + ["info", "convert"]
    kind = rng.choice(kinds)
    machine = [["--json"]] if rng.random() < 0.5 else []
    if kind == "info":
        return [["info", name], *machine, *some(rng, INFO)]
    if kind == "convert":
        out = rng.choice(
            ["o.glb", "o.obj", "o.stl", "o.ply", "o.off", "o.npz", "o.####.obj"] * 3
            + ["o.csv", name]
        )
        return [["convert", name, out, "--force"], *some(rng, CONVERT)]
    if kind == "pose":
        return [
            ["pose", name, "-o", rng.choice(["o.glb", "o.obj", "o.stl", name]), "--force"],
            *some(rng, POSE),
        ]
    if kind == "clips":
        other = rng.choice([name, "chain.glb", "walk.bvh"])
        picture = (
            [["-o", rng.choice(["o.svg", "o.html", name]), "--force"]] if rng.random() < 0.2 else []
        )
        return [
            ["clips", *rng.sample([name, other], 2)],
            *machine,
            *picture,
            *some(rng, CLIPS_OPTIONS),
        ]
    if kind == "crowd":
        picture = (
            [["-o", rng.choice(["o.svg", "o.html", "o.csv", name]), "--force"]]
            if rng.random() < 0.2
            else []
        )
        # Bodies take long to compare, and files of crowds are long.
        return [
            ["crowd", name, "--every=50"],
            *machine,
            *picture,
            *(o for o in some(rng, CROWD) if not o[0].startswith("--every")),
        ]
    return check(rng, ending, name, machine)


def check(rng, ending, name, machine):
    files, alone = [name], ending in MESHES
    if ending == "json":
        files = ["box.obj", "ball.ply", f"--poses={name}"]
    elif ending != "toml" and rng.random() < 0.75:
        alone = False
        files = rng.sample([name, rng.choice(["box.obj", "ball.ply", name, "chain.glb"])], 2)
    options = some(rng, CHECK)
    taken = {option[0] for option in options}
    if "--ndjson" in taken:
        machine = []
    if alone and "--self" not in taken:
        options.append(["--self"])
    if "--triangles" in taken and "--ndjson" not in taken:
        machine = [["--json"]]
    outputs = rng.sample(OUTPUTS, rng.choice([0, 0, 0, 1, 2]))
    if "--resume" in taken:
        outputs = outputs or ["x.ndjson"]
    for output in outputs:
        options.append(["-o", output if rng.random() < 0.95 else name])
    # Long clips are not what is looked for.
    moves = ending in MOVING or "chain.glb" in files
    if moves and not any(o.startswith("--frames") for o in taken):
        options.append(["--frames=0-3"])
    return [["check", *files], *machine, *options]
