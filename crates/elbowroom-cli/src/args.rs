//! The command lines of `check` and `view` as they were typed.

use std::num::NonZero;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::frames::{self, Frames};
use crate::split::SplitArg;
use crate::time_limit::TimeLimitArgs;
use crate::units::{self, ReadArgs};
use crate::warnings::LeftOutArgs;

const EXAMPLES: &str = "\
Examples:
  elbowroom check                            check a built-in scene, to see it
                                             work; writes elbowroom-report.html
  elbowroom check cup.obj table.stl          do two meshes touch?
  elbowroom check cup.obj table.stl --depth  how deep, and how much of each is
                                             in the other?
  elbowroom check shot.glb                   who goes through whom in an
                                             animated shot?
  elbowroom check shot.glb -o report.html    write a page with a timeline and
                                             the shot in 3-D
  elbowroom view report.html                 open that page in the browser
  elbowroom check shot.glb --continuous      also find what meets only between
                                             two frames
  elbowroom check man.fbx room.glb --clip run --frames 0-120x4
                                             one clip, every fourth frame
  elbowroom check scene.toml --json          a scene file: models, characters,
                                             mocap, crowds
  elbowroom check engine.glb --solid --clearance 2mm
                                             is any part in another, or nearer
                                             to it than 2 mm?
  elbowroom check panda.urdf fixture.stl@mm --clearance 5mm
                                             a robot with its own unit, and a
                                             mesh in millimetres
  elbowroom check world.stl robot.stl --poses path.json
                                             at which poses does the robot hit
                                             the world?
  elbowroom check panda.urdf --self --refit cab --counts
                                             the same contacts found with CAB,
                                             and its cost
  elbowroom check *.obj --json --triangles   every pair, and which triangles,
                                             for programs
  elbowroom check crowd.toml -q -o c.parquet -o c.ndjson
                                             for data frames and programs,
                                             written by frame
  elbowroom check crowd.toml -q -o c.parquet -o c.ndjson --resume
                                             continue after Ctrl-C or a crash

Exit code: 0 no contact, 1 contacts, 2 bad input or usage (nothing was
examined), 3 incomplete (interrupted, a file, a frame or something in a file
could not be read, or there was no pair to examine; the rest is reported).";

const MEANING: &str = "\
What an answer means:
  Everything is decided in exact arithmetic on the numbers in the files. A
  contact has the first kind that holds:
               as surfaces            with --solid, what meshes enclose
  duplicate    the same triangles     the same triangles, or the same solid
  containment  -                      one is a part of the other (the table says
                                      `a in b`)
  crossing     the insides of two     something is in both, and something in
               triangles meet         each alone
  touching     a point in common, and nothing of the above
  clearance    nothing in common, but no farther apart than --clearance
  An object wholly inside another is no contact as a surface. Boxes that overlap
  with their sides in line touch as surfaces and cross as solids. A mesh that is
  not closed encloses nothing for certain: with --solid, its answers are
  estimates and say why. An object of several pieces is part or duplicate of
  another if each of its pieces is of one piece of the other; if only some are,
  they cross. docs/glossary.md explains the words.

Fields of the JSON (docs/check-json.md has all of them):
  mode (surface, solid), clearance; and for each contact kind, distance (with
  --clearance; below zero inside), inside (a, b), through (a, b, both),
  certainty (exact, or estimate: why), point, normal (from a towards b), length,
  regions (--where), depth, depth_upper, depth_point, volume, volume_error,
  area_a, area_b, depth_certainty (--depth). Lengths are in `unit`, areas in its
  square, volumes in its cube.

Units:
  Results are in the unit of --report-unit, else in the one that --units or
  FILE@mm names, else in metres. A length without a unit, as --clearance 0.5, is
  in the same unit. --units and --up apply to files that do not state theirs
  (OBJ, STL, PLY, OFF, NPZ). glTF, FBX, 3MF, URDF and MJCF state theirs, and are
  never overruled. part.stl@mm gives the unit of one file, part.stl@mm,z its up
  axis as well. If no file states a unit and none is given, lengths are the
  numbers of the files and `unit` is null; a length with a unit, as --clearance
  0.5mm, is then refused.

Objects and frames:
  An object is a skinned character with everything that hangs on its joints, a
  robot, a sequence of vertices, or any other node with a mesh. Nothing is
  compared with itself without --self. What moves is examined at every frame of
  its clip, with Y up; the parts that touch are named by their joints. All files
  are on one timeline: key times are those of the files, and frame n is at
  n / fps seconds. Before its first key and after its last, a clip holds still.
  Files of different rates are matched by time.

Poses:
  The file of --poses has one list, with a pose for each frame, numbered from 0:
  [pose, pose, ...]. A pose is a rigid 4x4 matrix row by row that acts on
  columns, as 16 numbers or 4 rows of 4; its last row is 0 0 0 1. It places the
  second mesh of the command line; all others stay where their files put them.";

/// Find which meshes, characters and robots touch or pass through each other
///
/// Examines every pair of objects, at every frame. Without files, checks a built-in scene of
/// generated people, and writes its report to elbowroom-report.html unless -o, --json, --ndjson or
/// -q is given.
#[derive(Debug, clap::Args)]
// Each switch of a command line is a bool of its own; the plan turns them into what they mean.
#[allow(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct CheckArgs {
    /// Files to check: meshes, shots, robots, vertices over time; or one scene file (TOML)
    ///
    /// Meshes are OBJ, STL, PLY, OFF and 3MF; shots GLB, glTF and FBX; robots MJCF and URDF;
    /// vertices over time cloth.####.obj and NPZ. Each may be compressed (.obj.gz).
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Split each mesh file into objects: its shells, its named groups, or one object
    ///
    /// By default the named objects (o) of an OBJ are objects if it has several, and every other
    /// mesh is one object; a note says so. A shell is a set of triangles that hang together by
    /// vertices with equal coordinates. Pieces are called FILE/GROUP or FILE#3. Skinned
    /// characters and robots stay whole.
    #[arg(long, value_enum, value_name = "HOW", hide_possible_values = false)]
    pub(crate) split: Option<SplitArg>,

    /// Move the second mesh by a JSON list of poses (4x4 matrices), one for each frame
    #[arg(long, value_name = "FILE.json")]
    pub(crate) poses: Option<PathBuf>,

    /// Play the clip with this name, part of a name, or number in `elbowroom info`
    ///
    /// By default the clip of each file that it marks as active, else its longest.
    #[arg(long, value_name = "NAME|N")]
    pub(crate) clip: Option<String>,

    /// Frames per second [default: the highest rate of the files or their keys, or 30]
    #[arg(long, value_name = "RATE", value_parser = frames::parse_fps)]
    pub(crate) fps: Option<f64>,

    /// Frames to examine: 40, 10-50, or 10-50x5 for every fifth [default: from the earliest key to
    /// the latest]
    #[arg(long, value_name = "A-B[xN]", value_parser = frames::parse)]
    pub(crate) frames: Option<Frames>,

    /// Number of the first frame, such as 1001 [default: frame 0 is at time 0 of the files]
    ///
    /// The numbers in every output and in --frames are then counted from it.
    #[arg(long, value_name = "N")]
    pub(crate) first_frame: Option<u32>,

    /// Also find self-collisions: compare the parts of each object with each other
    ///
    /// Different meshes of a character (shirt, body, hair) are always compared, whatever joints
    /// they hang on. Within a mesh, parts are left out that have a corner of the surface in
    /// common, and links that a robot's file allows to touch. An object with a single part is
    /// compared with itself triangle by triangle, without the corners and edges that its
    /// triangles share. In a scene file, `self = true` does this for one object.
    #[arg(long = "self")]
    pub(crate) with_itself: bool,

    /// With --self: whether triangles that meet in the rest pose count
    ///
    /// Clothes and hair are often modelled a little way into the body. With `count`, each contact
    /// says how many of its triangle pairs also meet at rest. With `ignore`, those pairs are
    /// left out in every frame, and counted in the summary; all other triangles of the same
    /// parts still count. The rest pose is the one that the file gives its joints.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) rest: Option<Rest>,

    /// Compare what meshes enclose, not their surfaces
    ///
    /// Finds what is inside something else, and distinguishes objects that share space from
    /// objects that only touch.
    #[arg(long)]
    pub(crate) solid: bool,

    /// Also report objects no farther apart than this: 2cm, 5mm, 1in, or 0.02 in the unit of the
    /// results
    ///
    /// A length with a unit needs files whose unit is known: give it with --units or FILE@mm if a
    /// file does not state it.
    #[arg(long, value_name = "LENGTH", value_parser = units::parse_length, allow_hyphen_values = true)]
    pub(crate) clearance: Option<units::Length>,

    /// Unit of results, and of lengths that are given without one: m, cm, mm, km, in, ft
    ///
    /// By default the unit of --units or FILE@mm, else m. If no file states its unit and none is
    /// given, results have the numbers of the files, and their unit is reported as unknown.
    #[arg(long, value_name = "UNIT", value_parser = units::parse_units)]
    pub(crate) report_unit: Option<f64>,

    /// Report where objects meet: a point, the normal there, the length of the longest curve of
    /// contact
    ///
    /// With --solid, also which of two objects that cross comes out of the other again.
    #[arg(long = "where")]
    pub(crate) places: bool,

    /// Also find what meets or tunnels between frames, and when (continuous collision detection)
    ///
    /// From each examined frame to the next, every vertex moves in a straight line. Two parts that
    /// do not meet in a frame, but do before the next, are reported with a fractional frame.
    /// Contact counts, clearance does not.
    #[arg(long)]
    pub(crate) continuous: bool,

    /// Measure penetration depth and overlap: how deep and how much solids are in each other
    ///
    /// Depth is that of the deepest point: the farthest that a point of one boundary lies inside
    /// the other solid, measured to that solid's boundary. Overlap is the volume of what is in
    /// both, and the area of each boundary inside the other. Implies --solid.
    #[arg(long)]
    pub(crate) depth: bool,

    /// Hierarchy of boxes over the links of robots and the meshes of characters
    ///
    /// Boxes that do not overlap rule out most pairs of links before any triangles are compared.
    /// The contacts are the same for every method. At least one object needs more than one
    /// link or mesh.
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) refit: Option<Refit>,

    /// Also report the cost: pairs of links, box tests, pairs left for triangles, triangle tests
    #[arg(long)]
    pub(crate) counts: bool,

    /// Whether touching counts as contact
    ///
    /// With `ignore`, triangle pairs that touch without crossing are left out, and so are contacts
    /// that have no others; with --clearance, objects that are near without touching still
    /// count. Boxes that overlap with their sides in line only touch, triangle by triangle; what
    /// two objects enclose is compared then, as with --solid, and these boxes count.
    #[arg(long, value_enum, default_value_t = Touching::Count, value_name = "WHAT")]
    pub(crate) touching: Touching,

    /// Print one JSON object instead of a table
    #[arg(long, conflicts_with = "ndjson")]
    pub(crate) json: bool,

    /// Print one JSON object per line instead of a table, as contacts are found
    ///
    /// The lines are a header, contacts, incidents, and an end with counts.
    #[arg(long)]
    pub(crate) ndjson: bool,

    /// Also write the result to a file: .html, .json, .ndjson, .csv or .parquet; can be repeated
    ///
    /// A .csv or .parquet has one row for each contact; incidents go into a second file beside it
    /// (x.incidents.csv), and with --continuous what meets between frames into a third
    /// (x.between.csv). An existing file is overwritten.
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,

    /// Continue a check that was interrupted; the outputs get the same bytes
    ///
    /// For .ndjson, .csv, .parquet and .html. The record of progress is FILE.progress, beside the
    /// first output, until the check is done.
    #[arg(long, requires = "outputs")]
    pub(crate) resume: bool,

    /// Longest gap, in frames without contact, within one incident
    #[arg(long, value_name = "FRAMES", default_value_t = 2)]
    pub(crate) gap: u32,

    /// Incidents in the table, worst first; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) time: TimeLimitArgs,

    /// List the triangles of each contact, in the JSON
    ///
    /// A pair [i, j] is triangle i of `a` and triangle j of `b`, counted from 0 in the order of
    /// the file, or within its piece if a file is split. A face of n corners counts as n - 2
    /// triangles.
    #[arg(long)]
    pub(crate) triangles: bool,

    /// Exit with code 0 even if there are contacts
    #[arg(long)]
    pub(crate) exit_zero: bool,

    #[command(flatten)]
    pub(crate) left_out: LeftOutArgs,

    /// Print no table and no notes; the exit code has the answer, and --json still prints
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

const VIEW_EXAMPLES: &str = "\
Examples:
  elbowroom view report.html                 a report that `elbowroom check -o
                                             report.html` wrote
  elbowroom view shot.glb --depth            check first, with the options of
                                             `check`, then show the report
  elbowroom view                             the built-in scene
  elbowroom view report.html --no-open --port 8000
                                             for a browser elsewhere, behind
                                             ssh -L 8000:127.0.0.1:8000 HOST

The program listens on 127.0.0.1, which only this machine can reach, and serves
this one page until Ctrl-C.

Exit code: 0 for a report that was there; else that of the check, after the
report was shown.";

/// Show a report in the browser, or check files and show their report
#[derive(Debug, clap::Args)]
#[command(after_help = VIEW_EXAMPLES, after_long_help = VIEW_EXAMPLES)]
pub(crate) struct ViewArgs {
    #[command(flatten)]
    pub(crate) check: CheckArgs,

    /// Port of the page [default: any free port]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Print the address, and do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rest {
    /// They count, and contacts say so (the default)
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

/// A hierarchy of boxes over links. All lead to the same contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Refit {
    /// No hierarchy, but an axis-aligned box around each link: the others were not faster
    #[default]
    Auto,
    /// CAB of Schmidl, Walker and Lin: oriented boxes along the longest axes of their children
    Cab,
    /// CAB along the sum of both axes if they have nearly the same direction
    CabSum,
    /// Oriented boxes along the covariance of their children's corners
    Obb,
    /// Axis-aligned boxes around the rotated box of each link
    Aabb,
    /// Axis-aligned boxes around all vertices of each link
    AabbVertices,
}

impl Refit {
    /// As it is typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cab => "cab",
            Self::CabSum => "cab-sum",
            Self::Obb => "obb",
            Self::Aabb => "aabb",
            Self::AabbVertices => "aabb-vertices",
        }
    }
}
