//! Both paths from above.

use elbowroom_motion::space_time::{Contact, Sample};
use glam::DVec2;

use super::CLASSES;
use crate::clips::findings::Findings;
use crate::clips::side::Side;
use crate::output::picture::{Anchor, Frame, LEFT, Plane, RIGHT, Svg, WIDTH};

const MOST_HEIGHT: f64 = 420.0;
/// Disks are drawn this many at most, evenly in time.
const MOST_DISKS: f64 = 24.0;
const HEAD: &str = "From above, in metres: the ways and where they begin (ring), a disk every so often, collisions in red";

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, sides: &[Side; 2], findings: &Findings) -> f64 {
    svg.text("head", LEFT, y + 24.0, Anchor::Start, HEAD);
    let (low, high) = bounds(sides);
    let room = Frame { x: LEFT, y: y + 38.0, width: WIDTH - LEFT - RIGHT, height: MOST_HEIGHT };
    let plane = Plane::map(room, low, high);
    plane.draw(svg, ["", ""]);
    let at = |point: DVec2| plane.at(point.x, point.y);
    for (side, class) in sides.iter().zip(CLASSES) {
        for disk in disks(side) {
            svg.circle(
                &format!("{class}-disk"),
                at(disk.center),
                disk.radius * plane.across.scale(),
            );
        }
    }
    for (which, (side, class)) in sides.iter().zip(CLASSES).enumerate() {
        svg.path(&format!("{class}-line"), placed(side).map(|disk| at(disk.center)));
        for contact in &findings.contacts {
            let samples = range(contact, which, side.trace().len());
            let hit = samples.map(|k| side.placed.at().apply(side.trace().sample(k).center));
            svg.path("hit-line", hit.map(at));
        }
        if let Some(first) = placed(side).next() {
            svg.circle(&format!("{class}-line"), at(first.center), 5.0);
        }
    }
    plane.frame.y + plane.frame.height + 28.0
}

/// The samples of one side during a contact; one more, so that a single one is seen.
fn range(contact: &Contact, which: usize, len: usize) -> std::ops::Range<usize> {
    let (first, last): ([usize; 2], [usize; 2]) = (contact.first.into(), contact.last.into());
    first[which]..(last[which] + 2).min(len)
}

fn placed(side: &Side) -> impl Iterator<Item = Sample> + '_ {
    side.trace()
        .samples()
        .map(|sample| Sample { center: side.placed.at().apply(sample.center), ..sample })
}

/// The first disk, the last, and one at every half second or more between.
#[expect(clippy::cast_sign_loss, reason = "it is clamped to what is not negative")]
fn disks(side: &Side) -> impl Iterator<Item = Sample> + '_ {
    let trace = side.trace();
    let secs = (trace.seconds() / MOST_DISKS).ceil().max(0.5);
    let every = (secs / trace.dt()).round().clamp(1.0, 1e9) as usize;
    let last = trace.len() - 1;
    placed(side)
        .enumerate()
        .filter(move |(k, _)| k.is_multiple_of(every) || *k == last)
        .map(|(_, disk)| disk)
}

/// A box around all that is drawn, never flat.
fn bounds(sides: &[Side; 2]) -> (DVec2, DVec2) {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for disk in sides.iter().flat_map(placed) {
        low = low.min(disk.center - disk.radius);
        high = high.max(disk.center + disk.radius);
    }
    let room = DVec2::splat(0.02 * (high - low).max_element() + 1e-3);
    (low - room, high + room)
}
