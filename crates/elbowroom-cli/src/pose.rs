//! `elbowroom pose`: one moment of a character or robot, as a mesh.

mod values;

use std::path::PathBuf;

use elbowroom_io::{Axis, FileFacts};

use crate::bake::Still;
use crate::convert::{Written, end, flags, save_still, write_mesh};
use crate::messages::Refusal;
use crate::outcome::Outcome;
use crate::retarget::{self, Carrier, MotionArgs};
use crate::save::{self, Failure, SaveArgs, Target, check_free, refusal};
use crate::time_arg::MomentArgs;
use crate::units::{ReadArgs, parse_axis};
use crate::warnings::LeftOutArgs;

const EXAMPLES: &str = "\
Examples:
  elbowroom pose man.glb --clip walk --time 0.4 -o step.obj
  elbowroom pose man.glb --clip 2 --frame 12 --fps 30 -o step.glb
  elbowroom pose man.glb --motion walk.bvh --frame 60 -o walking.obj
                                             mocap on a character, by the names
                                             of the joints
  elbowroom pose panda.urdf --values 0,-0.8,0,-2.4,0,1.6,0.8,0.04 -o ready.glb
  elbowroom pose hand.xml --set thumb=0.4 --set index=1.1 -o grip.obj

Exit code: 0 written, 2 bad input or usage (nothing was written), 3 incomplete:
written without something that could touch.";

const MEANING: &str = "\
Motion:
  With --motion, the clip and the moment are those of the motion file. Joints
  are matched by what their names mean (LeftUpLeg, thigh_l, lfemur); a joint
  without a match keeps its rest pose. As in a scene file, a rest pose in front
  of mocap is left out (--keep-rest-frame keeps it), and the motion over the
  floor is scaled by the ratio of the legs' lengths (--root-scale sets another
  factor).

Robots:
  --values gives all joint variables in the order of `info --all`: a hinge has
  one value, in radians; a slide one, in units of the file; a ball four
  (quaternion x,y,z,w); a free joint seven (x,y,z, then the quaternion). A joint
  that follows another has none. --set gives single values and leaves the other
  joints at rest. Ranges are not enforced; a note names each value that is out
  of its range.";

/// Write a character or robot in one pose, as a mesh
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MEANING}\n\n{EXAMPLES}"))]
pub(crate) struct PoseArgs {
    /// Character or robot: .glb, .fbx, .urdf, .xml and others
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// File to write: .glb, .obj, .stl, .ply or .off
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Values of all joint variables, separated by commas
    #[arg(long, value_name = "V,V,…", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["clip", "time", "frame", "motion"])]
    values: Vec<f64>,

    /// Value of one joint variable; can be repeated
    #[arg(long, value_name = "JOINT=V", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["values", "clip", "time", "frame", "motion"])]
    set: Vec<String>,

    /// Robot that the values are for, if the file has several
    #[arg(long, value_name = "NAME")]
    rig: Option<String>,

    /// Convert lengths to metres
    #[arg(long)]
    metres: bool,

    /// Rotate the output so that this axis points up: x, y or z
    #[arg(long, value_name = "AXIS", value_parser = parse_axis)]
    to_up: Option<Axis>,

    #[command(flatten)]
    motion: MotionArgs,

    #[command(flatten)]
    moment: MomentArgs,

    #[command(flatten)]
    left_out: LeftOutArgs,

    #[command(flatten)]
    save: SaveArgs,

    #[command(flatten)]
    read: ReadArgs,
}

impl PoseArgs {
    pub(crate) fn take_units(&mut self) -> Result<(), Refusal> {
        self.read.take([&mut self.file].into_iter().chain(&mut self.motion.motion))
    }
}

pub(crate) fn run(args: &PoseArgs) -> Outcome {
    end(pose(args), args.save.quiet, args.left_out)
}

fn pose(args: &PoseArgs) -> Result<Written, Failure> {
    let target = Target::of(&args.output)?;
    if !matches!(target, Target::Glb | Target::Mesh(_)) {
        let what = format!("a single pose is not written as {}", target.name());
        let hint = "let the name end in .glb, .obj, .stl, .ply or .off; `elbowroom convert` writes all frames";
        return Err(refusal(&args.output, &what, hint).into());
    }
    flags::check_target(&target, (args.save.ascii, args.to_up.is_some()))?;
    check_free(&args.output, args.save.force)?;
    if args.rig.is_some() && args.values.is_empty() && args.set.is_empty() {
        let problems = vec![
            "--rig names the robot that --values and --set are for, and there are none".to_owned(),
        ];
        return Err(
            Refusal { problems, hint: "add --set JOINT=V, or leave out --rig".to_owned() }.into()
        );
    }
    let mut document = retarget::read(&args.file, &args.read.options())?;
    save::check_outputs([args.output.as_path()])?;
    // A motion beside it may be what they are given for.
    if args.motion.motion.is_none() {
        let (path, units, up) = (args.file.clone(), document.units, document.up);
        args.read.heed(&[FileFacts { path, units, up }])?;
    }
    let mut notes = std::mem::take(&mut document.notes);
    let glb = target == Target::Glb;
    notes.retain(|note| !note.contains("--units") && !note.contains("--up"));
    let mut still = Still::at_rest(document);
    let pose = set(&mut still, args, &mut notes)?;
    if args.metres || glb {
        still = still.in_metres()?;
    }
    if let Some(axis) = if glb { Some(Axis::Y) } else { args.to_up } {
        still = still.turned(axis)?;
    }
    if glb {
        return save_still(&args.output, &still, &pose, notes);
    }
    write_mesh(&args.output, &target, &still.mesh()?, &args.save, &format!(", {pose}"), notes)
}

/// Poses the rigs as asked; says how.
fn set(still: &mut Still, args: &PoseArgs, notes: &mut Vec<String>) -> Result<String, Refusal> {
    let Still { document, poses } = still;
    if let Some(carrier) = Carrier::new(&args.motion, &args.read.options(), document, notes)? {
        return carrier.pose(&document.rigs, poses, &args.moment, notes);
    }
    if !args.values.is_empty() || !args.set.is_empty() {
        return values::set(still, &args.values, &args.set, args.rig.as_deref(), notes);
    }
    if !args.moment.is_asked() {
        notes.push(
            "no pose is given, so this is the rest pose; --clip or --set give another".to_owned(),
        );
        return Ok("rest pose".to_owned());
    }
    notes.extend(args.moment.choice_notes(&still.document.rigs));
    still.set(&args.moment)
}
