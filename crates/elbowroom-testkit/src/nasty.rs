//! Triangle pairs that break naive code, by named class.
//!
//! Most classes start from a *lattice pair*: two triangles with small integer corners in a special
//! position (a shared edge, a corner exactly on a face, …). The others disguise such a pair by maps
//! that are exact in f64 (signed permutations, powers of two, integer offsets, one common pose for
//! both), by maps that round (and so leave it a hair from the special position), or draw numbers
//! freely.
//!
//! Where the construction itself proves the relation, and every step after it was exact, the pair
//! carries it as `known`: a check of the oracle that owes nothing to the oracle.

use crate::oracle::{PlainPose, Relation};
use crate::random::Random;

mod lattice;
pub(crate) mod turn;

use turn::{product, random_rotation, three_four_five};

/// Two placed triangles.
#[derive(Clone, Copy, Debug)]
pub struct PairCase {
    /// The first triangle.
    pub a: [[f64; 3]; 3],
    /// Where the first triangle stands.
    pub pose_a: PlainPose,
    /// The second triangle.
    pub b: [[f64; 3]; 3],
    /// Where the second triangle stands.
    pub pose_b: PlainPose,
    /// The relation, where the construction proves it.
    pub known: Option<Relation>,
}

/// What is nasty about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Uniform floats in a small cube.
    Random,
    /// Corners in {0, 1, 2}³, degenerate triangles among them.
    Grid,
    /// One common corner.
    SharedVertex,
    /// A common edge.
    SharedEdge,
    /// Both in one tilted plane with integer normal.
    CoplanarTilted,
    /// Both in one plane across an axis.
    CoplanarAxis,
    /// A segment against a triangle, often aimed at it.
    SegmentTriangle,
    /// A point against a triangle, often on it.
    PointTriangle,
    /// Two segments, often aimed at each other.
    SegmentSegment,
    /// One triangle twice, corners in any order.
    Identical,
    /// An edge that crosses an edge at an inner point of both.
    EdgeOnEdge,
    /// A corner exactly on the other's face.
    VertexOnFace,
    /// Apart, touching or crossing by construction.
    Known,
    /// A touching lattice pair with one coordinate moved by one unit in its last place.
    OneUlpOff,
    /// A lattice pair behind two signed permutations, exactly undone.
    SignedPermutation,
    /// A lattice pair turned by 3-4-5 rotations whose entries are rounded.
    ThreeFourFive,
    /// A lattice pair with corners 1e6 to 1e15 from the origin.
    FarVertices,
    /// A lattice pair whose poses stand 1e6 to 1e15 from the origin.
    FarPose,
    /// A lattice pair of size 1e-300.
    Tiny,
    /// A lattice pair of size 1e300.
    Huge,
    /// A lattice pair in multiples of the smallest subnormal.
    Subnormal,
    /// Coordinates from 1e-300 to 1e300 in one pair.
    MixedMagnitudes,
    /// Triangles 1e-9 to 1e-16 times as wide as long.
    Sliver,
    /// Copies of one triangle standing on the floor y = 0, turned about y.
    Floor,
    /// Free rotations on both sides, often nearly touching.
    GeneralPoses,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 25] = [
        Self::Random,
        Self::Grid,
        Self::SharedVertex,
        Self::SharedEdge,
        Self::CoplanarTilted,
        Self::CoplanarAxis,
        Self::SegmentTriangle,
        Self::PointTriangle,
        Self::SegmentSegment,
        Self::Identical,
        Self::EdgeOnEdge,
        Self::VertexOnFace,
        Self::Known,
        Self::OneUlpOff,
        Self::SignedPermutation,
        Self::ThreeFourFive,
        Self::FarVertices,
        Self::FarPose,
        Self::Tiny,
        Self::Huge,
        Self::Subnormal,
        Self::MixedMagnitudes,
        Self::Sliver,
        Self::Floor,
        Self::GeneralPoses,
    ];

    /// The classes whose pairs are lattice pairs, from which the others are made.
    const LATTICE: [Self; 12] = [
        Self::Grid,
        Self::SharedVertex,
        Self::SharedEdge,
        Self::CoplanarTilted,
        Self::CoplanarAxis,
        Self::SegmentTriangle,
        Self::PointTriangle,
        Self::SegmentSegment,
        Self::Identical,
        Self::EdgeOnEdge,
        Self::VertexOnFace,
        Self::Known,
    ];
}

/// A pair of the class; either triangle may come first.
pub fn generate(class: Class, random: &mut Random) -> PairCase {
    let mut case = match class {
        Class::Random => free(random),
        Class::OneUlpOff => one_ulp_off(random),
        Class::SignedPermutation => signed_permutation(random),
        Class::ThreeFourFive => rounded_rotation(random),
        Class::FarVertices => far_vertices(random),
        Class::FarPose => far_pose(random),
        Class::Tiny => sized(random, 2_f64.powi(-1000), 1e-300),
        Class::Huge => sized(random, 2_f64.powi(1000), 1e300),
        Class::Subnormal => sized(random, 5e-324, 5e-324),
        Class::MixedMagnitudes => mixed(random),
        Class::Sliver => sliver(random),
        Class::Floor => floor(random),
        Class::GeneralPoses => general_poses(random),
        _ => lattice::pair(class, random),
    };
    if random.one_in(2) {
        std::mem::swap(&mut case.a, &mut case.b);
        std::mem::swap(&mut case.pose_a, &mut case.pose_b);
    }
    case
}

impl PairCase {
    fn unplaced(a: [[f64; 3]; 3], b: [[f64; 3]; 3], known: Option<Relation>) -> Self {
        Self { a, pose_a: PlainPose::IDENTITY, b, pose_b: PlainPose::IDENTITY, known }
    }

    fn map(mut self, mut change: impl FnMut([f64; 3]) -> [f64; 3]) -> Self {
        self.a = self.a.map(&mut change);
        self.b = self.b.map(&mut change);
        self
    }
}

fn any_lattice(random: &mut Random) -> PairCase {
    let class = *random.choice(&Class::LATTICE);
    lattice::pair(class, random)
}

fn cube(random: &mut Random, half: f64) -> [f64; 3] {
    std::array::from_fn(|_| random.uniform(-half, half))
}

fn free(random: &mut Random) -> PairCase {
    let a = std::array::from_fn(|_| cube(random, 1.0));
    let b = std::array::from_fn(|_| cube(random, 1.0));
    PairCase::unplaced(a, b, None)
}

fn one_ulp_off(random: &mut Random) -> PairCase {
    let touching = [
        Class::SharedVertex,
        Class::SharedEdge,
        Class::CoplanarTilted,
        Class::PointTriangle,
        Class::EdgeOnEdge,
        Class::VertexOnFace,
    ];
    let class = *random.choice(&touching);
    let mut case = lattice::pair(class, random);
    // Away from zero the last place is of ordinary size; at zero it is a subnormal number. Both are
    // wanted.
    let shift = *random.choice(&[0.0, 128.0, -512.0]);
    case = case.map(|p| p.map(|x| x + shift));
    let corner = random.below(3) as usize;
    let axis = random.below(3) as usize;
    let side = if random.one_in(2) { &mut case.a } else { &mut case.b };
    let x = &mut side[corner][axis];
    *x = if random.one_in(2) { x.next_up() } else { x.next_down() };
    case.known = None;
    case
}

fn signed_permutation(random: &mut Random) -> PairCase {
    let mut case = any_lattice(random);
    let mut place = || PlainPose {
        r: turn::signed_permutation(random),
        t: std::array::from_fn(|_| random.range(-9, 9) as f64),
    };
    (case.pose_a, case.pose_b) = (place(), place());
    // All numbers are small integers, so nothing is rounded.
    case.a = case.a.map(|p| turn::undo(&case.pose_a, &p));
    case.b = case.b.map(|p| turn::undo(&case.pose_b, &p));
    case
}

fn rounded_rotation(random: &mut Random) -> PairCase {
    let mut case = any_lattice(random);
    let mut r = three_four_five(random);
    if random.one_in(2) {
        r = product(&r, &three_four_five(random));
    }
    let pose = PlainPose { r, t: std::array::from_fn(|_| random.range(-3, 3) as f64) };
    case.pose_a = pose;
    if random.one_in(2) {
        // One pose for both is one affine map for both: the relation stays, whatever was rounded in
        // it.
        case.pose_b = pose;
    } else {
        // One turned exactly, the other turned and rounded: equal in name, a hair apart in truth.
        let factor = if random.one_in(2) { 25.0 } else { 1.0 };
        case = case.map(|p| p.map(|x| x * factor));
        case.b = case.b.map(|p| pose.rounded(&p));
        case.known = None;
    }
    case
}

fn far_vertices(random: &mut Random) -> PairCase {
    let mut case = any_lattice(random);
    let whole = random.one_in(2);
    let offset: [f64; 3] = std::array::from_fn(|_| far(random, whole));
    case = case.map(|p| std::array::from_fn(|k| p[k] + offset[k]));
    if !whole {
        case.known = None;
    }
    case
}

fn far_pose(random: &mut Random) -> PairCase {
    let mut case = any_lattice(random);
    let whole = random.one_in(2);
    let offset: [f64; 3] = std::array::from_fn(|_| far(random, whole));
    case.pose_a = PlainPose::at(offset);
    if random.one_in(2) {
        case.pose_b = PlainPose::at(offset);
    } else {
        case.b = case.b.map(|p| std::array::from_fn(|k| p[k] + offset[k]));
        if !whole {
            case.known = None;
        }
    }
    case
}

/// 1e6 to 1e15 with either sign; a whole number stays exact under addition of a lattice coordinate.
fn far(random: &mut Random, whole: bool) -> f64 {
    let size = power_of_ten(random.range(6, 15)) * random.uniform(0.5, 1.0);
    let signed = if random.one_in(2) { -size } else { size };
    if whole { signed.round() } else { signed }
}

fn sized(random: &mut Random, exact: f64, rounded: f64) -> PairCase {
    let mut case = any_lattice(random);
    let scale = if random.one_in(2) { exact } else { rounded };
    case = case.map(|p| p.map(|x| x * scale));
    if scale != exact {
        case.known = None;
    }
    case
}

fn mixed(random: &mut Random) -> PairCase {
    match random.below(3) {
        0 => {
            let mut point = || -> [f64; 3] {
                std::array::from_fn(|_| {
                    random.uniform(-1.0, 1.0) * power_of_ten(random.range(-300, 300))
                })
            };
            let (a, b) = ([point(), point(), point()], [point(), point(), point()]);
            PairCase::unplaced(a, b, None)
        }
        1 => {
            // A power of two for each axis is exact and keeps the relation.
            let scale: [f64; 3] =
                std::array::from_fn(|_| 2_f64.powi(random.range(-990, 990) as i32));
            any_lattice(random).map(|p| std::array::from_fn(|k| p[k] * scale[k]))
        }
        _ => {
            // A lattice pair of ordinary size with one coordinate off by next to nothing.
            let mut case = any_lattice(random);
            let side = if random.one_in(2) { &mut case.a } else { &mut case.b };
            let x = &mut side[random.below(3) as usize][random.below(3) as usize];
            *x = *random.choice(&[1e-300, -1e-300, 5e-324, -5e-324, 1e300, -1e300]);
            case.known = None;
            case
        }
    }
}

fn sliver(random: &mut Random) -> PairCase {
    let mut thin = |through: [f64; 3]| {
        let along = cube(random, 1.0);
        let width = power_of_ten(-random.range(9, 16));
        let across = cube(random, width);
        let (ahead, behind) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
        let tip = std::array::from_fn(|k| through[k] + ahead * along[k]);
        let tail = std::array::from_fn(|k| through[k] - behind * along[k]);
        let beside = std::array::from_fn(|k| tail[k] + across[k]);
        [tip, tail, beside]
    };
    let a = thin([0.5, 0.25, 0.125]);
    let b = thin([0.5, 0.25, 0.125]);
    PairCase::unplaced(a, b, None)
}

fn floor(random: &mut Random) -> PairCase {
    let height = if random.one_in(2) { 0.0 } else { random.uniform(-0.5, 1.0) };
    let mut triangle: [[f64; 3]; 3] = std::array::from_fn(|_| cube(random, 1.0));
    for (corner, y) in triangle.iter_mut().zip([0.0, 0.0, height]) {
        corner[1] = y;
    }
    let mut stand = || {
        let (sin, cos) = match random.below(4) {
            0 => *random.choice(&[(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]),
            1 => (0.6, 0.8),
            _ => {
                // The half-angle form needs no sine, whose last bit would differ from machine to
                // machine.
                let half = random.uniform(-3.0, 3.0);
                let norm = 1.0 + half * half;
                (2.0 * half / norm, (1.0 - half * half) / norm)
            }
        };
        PlainPose {
            r: [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]],
            t: [random.uniform(-0.5, 0.5), 0.0, random.uniform(-0.5, 0.5)],
        }
    };
    PairCase { a: triangle, pose_a: stand(), b: triangle, pose_b: stand(), known: None }
}

fn general_poses(random: &mut Random) -> PairCase {
    let mut place = || PlainPose { r: random_rotation(random), t: cube(random, 0.5) };
    let (pose_a, pose_b) = (place(), place());
    match random.below(3) {
        0 => PairCase { pose_a, pose_b, ..free(random) },
        // One pose for both keeps the relation.
        1 => PairCase { pose_a, pose_b: pose_a, ..any_lattice(random) },
        _ => {
            let case = any_lattice(random);
            PairCase {
                pose_a,
                // Seen from B's own frame, rounded: where the lattice pair touched, this comes
                // within rounding of it.
                b: case.b.map(|p| turn::undo(&pose_b, &pose_a.rounded(&p))),
                pose_b,
                known: None,
                ..case
            }
        }
    }
}

/// A power of ten by repeated multiplication: not always the nearest, but the same everywhere.
fn power_of_ten(exponent: i64) -> f64 {
    let step = |x: f64, _| if exponent < 0 { x / 10.0 } else { x * 10.0 };
    (0..exponent.abs()).fold(1.0, step)
}

#[cfg(test)]
mod tests;
