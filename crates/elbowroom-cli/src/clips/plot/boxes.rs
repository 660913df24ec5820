//! The boxes of both trees, level by level: an oblique view of the ground and time.
//!
//! Time goes up. The ground lies flat: x to the right, y into the picture, to the upper right.

use elbowroom::internal::bvh::NodeId;
use elbowroom_motion::space_time::BoxShape;
use glam::{DVec2, DVec3};

use super::CLASSES;
use crate::clips::side::Side;
use crate::output::picture::{Anchor, Frame, LEFT, RIGHT, Svg, WIDTH};

const HEIGHT: f64 = 330.0;
const MOST_LEVELS: u32 = 4;
/// How y is seen: so much of it to the right, and so much up.
const LEAN: DVec2 = DVec2::new(0.45, 0.28);
/// The edges of a box that its outline leaves out; corners that an edge joins differ in one bit.
const RISING: [(usize, usize); 3] = [(1, 5), (2, 6), (3, 7)];

/// Draws from a height on; says where it ends.
pub(super) fn draw(svg: &mut Svg, y: f64, sides: &[Side; 2]) -> f64 {
    let kind = sides[0].motion.config().kind;
    let deepest = sides.iter().map(deepest).max().unwrap_or(0);
    let head = format!(
        "Boxes of the trees in space and time, level by level ({}): time goes up, the ground lies flat",
        kind.name()
    );
    svg.text("head", LEFT, y + 24.0, Anchor::Start, &head);
    let levels = levels(deepest);
    let width = (WIDTH - LEFT - RIGHT) / levels.len() as f64;
    let view = View::new(sides, width - 14.0);
    for (place, &level) in levels.iter().enumerate() {
        let x = LEFT + place as f64 * width;
        let frame = Frame { x, y: y + 54.0, width: width - 14.0, height: HEIGHT };
        let name = if level == deepest && level > 0 { " (leaves)" } else { "" };
        svg.text("label", x, y + 46.0, Anchor::Start, &format!("level {level}{name}"));
        view.draw_level(svg, frame, sides, level);
    }
    let text = format!("{:.1} s from bottom to top, {:.1} m across", view.secs(), view.across());
    svg.text("label", WIDTH - RIGHT, y + 54.0 + HEIGHT + 18.0, Anchor::End, &text);
    y + 54.0 + HEIGHT + 22.0
}

/// The first levels, and the leaves.
fn levels(deepest: u32) -> Vec<u32> {
    let mut levels: Vec<u32> = (0..=deepest).take(MOST_LEVELS as usize).collect();
    if deepest >= MOST_LEVELS {
        levels.pop();
        levels.push(deepest);
    }
    levels
}

fn deepest(side: &Side) -> u32 {
    let tree = side.motion.tree();
    let has_box = |node: &NodeId| side.motion.config().kind.shape_at(tree.level(*node)).is_some();
    tree.nodes().filter(has_box).map(|node| tree.level(node)).max().unwrap_or(0)
}

/// The corners of a node's box in the world: x, y and seconds.
fn corners(side: &Side, node: NodeId) -> Option<[DVec3; 8]> {
    let motion = &side.motion;
    let (at, start) = (side.placed.at(), side.placed.start());
    let place = |ground: DVec2, secs: f64| at.apply(ground).extend(secs + start);
    match motion.config().kind.shape_at(motion.tree().level(node))? {
        BoxShape::Upright => {
            let flat = motion.upright()?[node];
            let [p, q, r, s] = flat.corners();
            // In the order of bits, as free boxes have them.
            let ring = [p, q, s, r];
            Some(std::array::from_fn(|i| place(ring[i & 3], flat.time[i >> 2])))
        }
        BoxShape::Free => {
            let scale = motion.config().time_scale;
            Some(motion.free()?[node].corners().map(|c| place(c.truncate(), c.z / scale)))
        }
    }
}

/// From the world to a frame of the picture.
#[derive(Clone, Copy, Debug)]
struct View {
    low: DVec3,
    high: DVec3,
    scale: f64,
    secs_scale: f64,
}

impl View {
    fn new(sides: &[Side; 2], width: f64) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for side in sides {
            let nodes = side.motion.tree().nodes();
            for corner in nodes.filter_map(|node| corners(side, node)).flatten() {
                low = low.min(corner);
                high = high.max(corner);
            }
        }
        let size = high - low;
        let scale = width / (size.x + LEAN.x * size.y).max(1e-9);
        // What lies flat takes some of the height at most.
        let scale = scale.min(0.4 * HEIGHT / (LEAN.y * size.y).max(1e-9));
        let secs_scale = (HEIGHT - scale * LEAN.y * size.y) / size.z.max(1e-9);
        Self { low, high, scale, secs_scale }
    }

    fn secs(&self) -> f64 {
        self.high.z - self.low.z
    }

    fn across(&self) -> f64 {
        self.high.x - self.low.x
    }

    fn place(&self, frame: Frame, point: DVec3) -> (f64, f64) {
        let p = point - self.low;
        let x = frame.x + self.scale * (p.x + LEAN.x * p.y);
        (x, frame.y + frame.height - self.scale * LEAN.y * p.y - self.secs_scale * p.z)
    }

    fn draw_level(&self, svg: &mut Svg, frame: Frame, sides: &[Side; 2], level: u32) {
        let (low, high) = (self.low, self.high);
        let ground =
            [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y), (low.x, low.y)];
        svg.path("grid", ground.map(|(x, y)| self.place(frame, DVec3::new(x, y, low.z))));
        for (side, class) in sides.iter().zip(CLASSES) {
            let tree = side.motion.tree();
            let is_shown = |node: &NodeId| {
                tree.level(*node) == level || tree.level(*node) < level && tree.is_leaf(*node)
            };
            for node in tree.nodes().filter(is_shown) {
                let Some(corners) = corners(side, node) else { continue };
                let points = corners.map(|corner| self.place(frame, corner));
                outline(svg, &format!("{class}-box"), &points);
            }
            let way = side.trace().samples().enumerate().map(|(k, sample)| {
                let secs = side.placed.start() + k as f64 * side.trace().dt();
                self.place(frame, side.placed.at().apply(sample.center).extend(secs))
            });
            svg.path(&format!("{class}-line"), way);
        }
    }
}

/// The edges of a box, as few paths as may be.
fn outline(svg: &mut Svg, class: &str, points: &[(f64, f64); 8]) {
    svg.path(class, [0, 1, 3, 2, 0, 4, 5, 7, 6, 4].map(|corner| points[corner]));
    for (from, to) in RISING {
        svg.line(class, points[from], points[to]);
    }
}
