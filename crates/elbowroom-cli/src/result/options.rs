//! What is asked about each two objects beyond the triangles that meet, and the words for what is
//! found.

use elbowroom::Mesh;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Certainty, Doubt, Mode, Through};
use elbowroom_motion::scene::{ContactSummary, Object, PenetrationSummary, Scene};

use crate::args::{CheckArgs, Touching};
use crate::measure::Unit;
use crate::messages::{Refusal, count, printable, short};
use crate::result::cast::{Cast, Entry};
use crate::warnings::{WINDING, Warning};

/// What is to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wanted {
    /// What meshes stand for.
    pub(crate) mode: Mode,
    /// How near is too near, in the unit of the scene; `None` if only contact counts.
    pub(crate) clearance: Option<f64>,
    /// Where on them objects meet, and of solids which goes through which.
    pub(crate) places: bool,
    /// How deep and how much solids are in each other.
    pub(crate) depth: bool,
    /// Which pairs of triangles meet.
    pub(crate) triangles: bool,
}

impl Wanted {
    /// What was asked for.
    pub(crate) fn new(args: &CheckArgs, unit: &Unit) -> Self {
        let clearance = args.clearance.map(|length| unit.given(length));
        let is_solid = args.solid || args.depth;
        let mode = if is_solid { Mode::Solid } else { Mode::Surface };
        let (places, depth, triangles) = (args.places, args.depth, args.triangles);
        Self { mode, clearance, places, depth, triangles }
    }

    /// Whether objects are compared as solids.
    pub(crate) fn is_solid(&self) -> bool {
        self.mode == Mode::Solid
    }
}

/// Whether a contact is exact, in words; `None` for surfaces of which all is exact.
pub(crate) fn certainty_words(wanted: &Wanted, contact: &ContactSummary) -> Option<String> {
    match contact.certainty {
        Certainty::Exact if !wanted.is_solid() => None,
        Certainty::Estimate(Doubt::Enclosure) if contact.bound > 0.0 => {
            let (bound, reason) = (short(contact.bound), reason(Doubt::Enclosure));
            Some(format!("estimate: ±{bound}, {reason}"))
        }
        known => Some(certainty(known)),
    }
}

/// Whether an answer is exact, in words.
pub(crate) fn certainty(certainty: Certainty) -> String {
    match certainty {
        Certainty::Exact => "exact".to_owned(),
        Certainty::Estimate(doubt) => format!("estimate: {}", reason(doubt)),
    }
}

/// Whether a depth is exact, in words: `bounds` if they hold, but are farther apart than they
/// should be.
pub(crate) fn depth_certainty(overlap: &PenetrationSummary) -> String {
    match overlap.certainty {
        Certainty::Exact if overlap.is_loose => "bounds".to_owned(),
        other => certainty(other),
    }
}

fn reason(doubt: Doubt) -> String {
    match doubt {
        Doubt::Boundary(edges) => count(edges as u64, "boundary edge"),
        Doubt::Inconsistent(edges) => {
            format!("{} wound against its neighbours", count(edges as u64, "edge"))
        }
        Doubt::Unbalanced(edges) => format!("{} of uneven sides", count(edges as u64, "edge")),
        Doubt::NoSurface => "no surface".to_owned(),
        Doubt::MeetsItself => "it meets itself there".to_owned(),
        Doubt::Enclosure => "the mesh around a curved shape".to_owned(),
        _ => "not closed".to_owned(),
    }
}

/// Which of two goes right through the other, as `a` or `b` or `both`.
pub(crate) fn through(through: Through) -> Option<&'static str> {
    match (through.a_through_b, through.b_through_a) {
        (true, true) => Some("both"),
        (true, false) => Some("a"),
        (false, true) => Some("b"),
        (false, false) => None,
    }
}

/// What depth means, for people.
pub(crate) const DEPTH: &str =
    "the farthest that a point of one boundary lies inside the other solid";

/// Objects that are not closed and that a note names; `elbowroom info` has all.
const NAMED: usize = 3;

/// A line on the objects that are not closed, if there are such.
pub(crate) fn open_note(objects: &[(&str, Vec<&Model>)]) -> Option<String> {
    let open = objects.iter().filter_map(|(name, models)| {
        let doubts = models.iter().filter_map(|model| doubt(model)).collect::<Vec<_>>();
        let total = doubts.len();
        let first = doubts.into_iter().next()?;
        let more =
            if total > 1 { format!(", {} more open pieces", total - 1) } else { String::new() };
        Some(format!("{} ({}{more})", printable(name), reason(first)))
    });
    let open: Vec<String> = open.collect();
    let more = open.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    let are = if open.len() == 1 { "is" } else { "are" };
    (!open.is_empty()).then(|| {
        format!(
            "{} of {} {are} not closed, so their solid answers are estimates: {}{more}",
            open.len(),
            count(objects.len() as u64, "object"),
            open[..open.len().min(NAMED)].join(", ")
        )
    })
}

/// Which closed objects have faces that are turned inwards, all of them or some. They enclose
/// nothing, or not what is meant, so that nothing is found inside of them: a clear answer about
/// them is right by the definition and wrong by what is meant.
pub(crate) fn inside_out(objects: &[(&str, Vec<&Model>)]) -> Option<Warning> {
    let is_turned = |model: &&Model| match doubt(model) {
        None => signed_volume(model.mesh()) < 0.0,
        Some(Doubt::Inconsistent(_)) => true,
        Some(_) => false,
    };
    let turned = objects.iter().filter(|(_, models)| models.iter().any(&is_turned));
    let names: Vec<String> = turned.map(|(name, _)| printable(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    let (is, its) = if names.len() == 1 { ("is", "its") } else { ("are", "their") };
    (!names.is_empty()).then(|| Warning {
        kind: WINDING,
        text: format!(
            "{}{more} {is} wound inside out, or in part: {its} faces do not enclose what is inside, so \
             nothing is found there; flip {its} faces",
            names[..names.len().min(NAMED)].join(", ")
        ),
    })
}

/// The volume within a closed mesh; below zero if its faces look inwards.
fn signed_volume(mesh: &Mesh) -> f64 {
    let Some(&from) = mesh.vertices().first() else { return 0.0 };
    let at = |corner: u32| mesh.vertices()[corner as usize] - from;
    mesh.triangles().iter().map(|&[p, q, r]| at(p).dot(at(q).cross(at(r)))).sum::<f64>() / 6.0
}

/// Why a model encloses nothing for certain.
fn doubt(model: &Model) -> Option<Doubt> {
    let seams = model.shell().seams();
    match (seams.boundary, seams.inconsistent, seams.unbalanced) {
        _ if seams.is_closed() => None,
        (edges @ 1.., ..) => Some(Doubt::Boundary(edges)),
        (_, edges @ 1.., _) => Some(Doubt::Inconsistent(edges)),
        (.., edges @ 1..) => Some(Doubt::Unbalanced(edges)),
        _ => Some(Doubt::NoSurface),
    }
}

/// What cannot be asked together.
///
/// # Errors
/// If touching is not to count: between frames things touch first, and then they may be through.
pub(crate) fn check_between(args: &CheckArgs) -> Result<(), Refusal> {
    if args.continuous && args.touching == Touching::Ignore {
        let problem = "--continuous finds when objects first touch, and --touching ignore leaves touching out";
        return Err(Refusal {
            problems: vec![problem.to_owned()],
            hint: "use one of them".to_owned(),
        });
    }
    Ok(())
}

/// The kind of warnings about what is not asked of one shell.
pub(crate) const SELF: &str = "self";

/// What is asked for and not found out about an object of one part that is compared with itself:
/// its shells are compared with each other, and each with itself as a surface.
pub(crate) fn unmeasured_self(cast: &Cast, scene: &Scene) -> Option<Warning> {
    let Wanted { mode, clearance, depth, .. } = cast.wanted;
    let asked = [
        (mode == Mode::Solid && !depth, "--solid"),
        (depth, "--depth"),
        (clearance.is_some(), "--clearance"),
    ];
    let asked: Vec<&str> = asked.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    let is_one = |(entry, object): &(&Entry, &Object)| object.with_itself && entry.parts.len() == 1;
    let (entry, _) = cast.entries.iter().zip(scene.objects()).find(is_one)?;
    (!asked.is_empty()).then(|| Warning {
        kind: SELF,
        text: format!(
            "{}: --self compares what hangs together with itself as a surface: {} is not asked of one shell, \
             only of different ones",
            printable(&entry.name),
            asked.join(" and ")
        ),
    })
}
