//! The command lines of `check` and `view` as they were typed.

use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::frames::{self, Frames};
use crate::split::SplitArg;
use crate::time_limit::TimeLimitArgs;
use crate::units::{self, ReadArgs};

const EXAMPLES: &str = "\
Examples:
  elbowroom check                            a pavement of generated people, to see it work; writes elbowroom-report.html
  elbowroom check cup.obj table.stl          do they touch?
  elbowroom check shot.glb -o report.html    the same as a page to look at, with a timeline and the shot in 3-D
  elbowroom view report.html                 show it in the browser
  elbowroom check shot.glb                   who goes through whom in an animated shot, frame by frame?
  elbowroom check man.fbx room.glb --clip run --frames 0-120x4
  elbowroom check scene.toml --json          a scene file: models, characters, mocap, crowds
  elbowroom check world.stl robot.stl --poses path.json
                                             at which steps of its path does the robot hit the world?
  elbowroom check engine.glb --solid --clearance 2mm
                                             is any part in another, or nearer to it than 2 mm?
  elbowroom check panda.urdf fixture.stl@mm --clearance 5mm
                                             a robot, which states its unit, and a mesh in millimetres
  elbowroom check shot.glb --continuous      does anything get through something else between two frames?
  elbowroom check *.obj --json --triangles   every pair, and which triangles, for programs
  elbowroom check crowd.toml -q -o c.parquet -o c.ndjson
                                             for data frames and for programs, written as it goes
  elbowroom check crowd.toml -q -o c.parquet -o c.ndjson --resume
                                             go on after Ctrl-C or a crash

Exit code: 0 no contact, 1 contacts, 2 bad input or usage (nothing was examined), 3 incomplete (interrupted, a file or frame
could not be read, or there was no pair to examine; the rest is reported).";

const MEANING: &str = "\
What an answer means:
  All is decided in exact arithmetic on the numbers in the files. The first kind that holds is told:
               as surfaces                      with --solid, what meshes enclose
  duplicate    the same triangles               the same triangles, or the same solid
  containment  -                                one is a part of the other (the table says `a in b`)
  crossing     the insides of two triangles     something is in both, and something in each
               meet                             alone
  touching     a point in common, and nothing of the above
  clearance    nothing in common, but no farther apart than --clearance
  So an object wholly inside another is no contact as a surface, and boxes that overlap with their
  sides in line touch as surfaces and cross as solids. A mesh that is not closed encloses nothing for
  certain: with --solid, its answers are estimates and say why. An object of several pieces is part or
  duplicate of another if each of its pieces is of one piece of the other; if only some are, they cross.

Fields of the JSON (docs/check-json.md has them all):
  mode (surface, solid), clearance; and for each contact kind, distance (with --clearance; below zero
  inside), inside (a, b), through (a, b, both), certainty (exact, or estimate: why), point, normal (from
  a towards b), length, regions (--where), depth, depth_upper, depth_point, volume, volume_error, area_a,
  area_b, depth_certainty (--depth). Lengths are in `unit`, areas in its square, volumes in its cube.

Units:
  Results are in the unit that is asked for: --report-unit, else the one that --units or FILE@mm names, else metres. A bare
  length, as --clearance 0.5, is in the same unit. --units and --up hold for files that do not state theirs (OBJ, STL, PLY,
  OFF, NPZ); glTF, FBX, 3MF, URDF and MJCF do, and are never overruled. part.stl@mm gives the unit of one file,
  part.stl@mm,z its up axis as well. Where no file states a unit and none is given, lengths are the numbers of the files and
  `unit` is null; a length with a unit, as --clearance 0.5mm, is refused then.

Objects and frames:
  An object is a skinned character with all that hangs on its joints, a robot, a sequence of vertices, or any
  other node with a mesh by itself. Nothing is compared with itself unless --self is said. What moves is
  examined at every frame of its clip, with Y up; the parts that touch are named by their joints.
  All files are on one timeline: key times are those of the files, and frame n is at n / fps seconds. Before
  its first key and after its last, a clip holds still. Files of different rates are matched by time.

Poses:
  The file holds a list, one frame each, numbered from 0: [pose, pose, ...]. A pose is a rigid 4x4
  matrix row by row that acts on columns, as 16 numbers or 4 rows of 4; its last row is 0 0 0 1. It
  places the second mesh as given on the command line; all others stay where their files put them.";

/// Find which of some meshes, characters and robots touch or pass through each other
///
/// Every pair of objects is examined, at every frame. With no files, a built-in scene of generated people is, and its report is written to
/// elbowroom-report.html unless -o, --json, --ndjson or -q is said.
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own; the plan turns them into what they mean.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct CheckArgs {
    /// Meshes (OBJ, STL, PLY, OFF, 3MF), shots (GLB, glTF, FBX), robots (MJCF, URDF), vertices over time
    /// (cloth.####.obj, NPZ), each also packed (.obj.gz); or one scene file (TOML)
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What one mesh file is: its shells, its named groups, or one object
    ///
    /// Otherwise the named objects (o) of an OBJ are objects where there are several, and every other mesh is one object;
    /// a note says so. A shell is a set of triangles that hang together by vertices with equal coordinates. Pieces are called
    /// FILE/GROUP or FILE#3. Skinned characters and robots stay whole.
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = false)]
    pub(crate) split: Option<SplitArg>,

    /// Move the second mesh: a JSON list of 4x4 placements, one frame each
    #[arg(long, value_name = "FILE.json")]
    pub(crate) poses: Option<PathBuf>,

    /// The clip to play, by name, a piece of it, or number as `info` lists them; otherwise of each file the one
    /// that it marks as active, else its longest
    #[arg(long, value_name = "NAME|N")]
    pub(crate) clip: Option<String>,

    /// Frames in a second; otherwise the highest rate of the files or their keys, or 30
    #[arg(long, value_name = "RATE", value_parser = frames::parse_fps)]
    pub(crate) fps: Option<f64>,

    /// The frames to examine: 40, 10-50, or 10-50x5 for every fifth; otherwise from the earliest key to the latest
    #[arg(long, value_name = "A-B[xN]", value_parser = frames::parse)]
    pub(crate) frames: Option<Frames>,

    /// What the first frame is called, such as 1001; otherwise frame 0 is at time 0 of the files
    ///
    /// The numbers in every output and of --frames are then counted from it.
    #[arg(long, value_name = "N")]
    pub(crate) first_frame: Option<u32>,

    /// Compare the parts of each object with each other as well
    ///
    /// Different meshes of a character (shirt, body, hair) are always compared, on whatever joints. Within a mesh, parts are left out
    /// that have a corner of the surface in common, and links that a robot's file allows to touch. An object of one part only is
    /// compared with itself, triangle by triangle, but for what its triangles share. In a scene file, `self = true` does it for one object.
    #[arg(long = "self")]
    pub(crate) with_itself: bool,

    /// Whether what meets in the rest pose already counts, with --self
    ///
    /// Clothes and hair are often modelled a little way into the body. With `count`, each contact says how many of its
    /// triangle pairs meet at rest, too. With `ignore` those pairs are left out in every frame, and counted in the summary; all
    /// other triangles of the same parts still count. The rest pose is the one that the file gives its joints.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) rest: Option<Rest>,

    /// Compare what meshes enclose, not their surfaces
    ///
    /// Finds what is inside something else, and tells objects that share space from those that only touch.
    #[arg(long)]
    pub(crate) solid: bool,

    /// Also report objects no farther apart than this: 2cm, 5mm, 1in, or 0.02 in the unit of the results
    ///
    /// A length with a unit needs files whose unit is known: give it with --units or FILE@mm where they do not state it.
    #[arg(long, value_name = "LENGTH", value_parser = units::parse_length, allow_hyphen_values = true)]
    pub(crate) clearance: Option<units::Length>,

    /// The unit of results, and of lengths that are given without one: m, cm, mm, km, in, ft
    ///
    /// Otherwise the unit that --units or FILE@mm names, else metres. Where no file states its unit and none is given, results have
    /// the numbers of the files, and their unit is said to be unknown.
    #[arg(long, value_name = "UNIT", value_parser = units::parse_units)]
    pub(crate) report_unit: Option<f64>,

    /// Say where objects meet: a point, the normal there, the length of the longest curve in which they do
    ///
    /// With --solid also which of two that cross comes out of the other again.
    #[arg(long = "where")]
    pub(crate) places: bool,

    /// Look between frames, too: what comes together or tunnels there, and when
    ///
    /// From each frame to the next that is examined every vertex moves in a straight line. Two parts that do not meet in a frame, but do before the
    /// next, are reported with a fractional frame. Contact counts, clearance does not.
    #[arg(long)]
    pub(crate) continuous: bool,

    /// Measure how deep and how much objects are in each other, as solids
    ///
    /// Depth is that of the deepest point: the farthest that a point of one boundary lies inside the other solid, measured to
    /// that solid's boundary. Also the volume of what is in both, and the area of each boundary inside the other. Implies --solid.
    #[arg(long)]
    pub(crate) depth: bool,

    /// Whether what only touches counts
    ///
    /// With `ignore`, triangle pairs that touch without crossing are left out, and contacts that have no
    /// others; with --clearance, objects that are near without touching still count. Beware: boxes that overlap with their sides in line only touch, triangle by triangle. With
    /// --solid, objects that only touch are left out, and these boxes are not.
    #[arg(long, value_enum, default_value_t = Touching::Count, value_name = "WHAT")]
    pub(crate) touching: Touching,

    /// Print one JSON object instead of a table
    #[arg(long, conflicts_with = "ndjson")]
    pub(crate) json: bool,

    /// Stream one JSON object a line instead: a header, contacts as they are found, incidents, an end with counts
    #[arg(long)]
    pub(crate) ndjson: bool,

    /// Also write the result to a file, by its ending: .html, .json, .ndjson, .csv or .parquet; may be said several times
    ///
    /// Contacts go into a .csv or .parquet line by line; incidents go beside it (x.incidents.csv), and with --continuous what is between frames
    /// (x.between.csv). A file that is there is written over.
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Go on with a check that was interrupted, to the same bytes
    ///
    /// For .ndjson, .csv, .parquet and .html. Beside the first of them lies FILE.progress until the check is done.
    #[arg(long, requires = "outputs")]
    pub(crate) resume: bool,

    /// Contacts of a pair up to so many frames without one apart are one incident
    #[arg(long, value_name = "FRAMES", default_value_t = 2)]
    pub(crate) gap: u32,

    /// The most incidents in the table, the worst ones; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,

    /// How many cores work at it; all otherwise
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) time: TimeLimitArgs,

    /// List the triangles of each contact, in the JSON
    ///
    /// Pairs [i, j] of triangle i of `a` and j of `b`, counted from 0 in the order of the file, within its
    /// piece where a file is split. A face of n corners counts as n - 2 triangles.
    #[arg(long)]
    pub(crate) triangles: bool,

    /// Exit with 0 even if there are contacts
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Print no table and no notes; the exit code tells, and --json still prints
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

const VIEW_EXAMPLES: &str = "\
Examples:
  elbowroom view report.html                 a report that `elbowroom check -o report.html` has written
  elbowroom view shot.glb --depth            checks first, with the options of `check`, and shows what comes of it
  elbowroom view                             the built-in scene
  elbowroom view report.html --no-open --port 8000
                                             for a browser elsewhere, through a forwarded port: ssh -L 8000:127.0.0.1:8000 HOST

Only this machine can reach it: it listens on 127.0.0.1 and serves this one page. Ctrl-C ends it.

Exit code: 0 for a report; else that of the check, once it was shown.";

/// Show a report in the browser, or check files and show what comes of it
#[derive(Debug, clap::Args)]
#[command(after_help = VIEW_EXAMPLES)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(crate) check: CheckArgs,

    /// The port to serve it on; any that is free otherwise
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Do not open the browser, only say the address
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rest {
    /// It counts, and contacts say so (the default)
    #[default]
    Count,
    /// Only other triangles count
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Touching {
    /// Touching is contact
    Count,
    /// Only crossing is contact
    Ignore,
}
