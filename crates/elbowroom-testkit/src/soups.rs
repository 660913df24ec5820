//! Random triangle soups by kind: the shapes on which a hierarchy can go wrong.
//!
//! Closed, finely meshed models hide faults of a tree: their triangles lie side by side, so a box
//! that is too small still touches what its neighbour would find. These soups are sparse, thin,
//! degenerate, repeated, of mixed sizes or far away, and of any number of triangles from one up,
//! so that every node of a small tree decides an answer alone.
//!
//! Soups of one kind share a scale ([`Kind::size`]), and [`pair`] places two of them so that some
//! of their triangles meet and most do not.

use crate::brute::Soup;
use crate::nasty::turn::{random_rotation, undo};
use crate::oracle::PlainPose;
use crate::random::Random;

/// What a soup is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Small triangles in a cloud.
    Sparse,
    /// Triangles as large as the cloud.
    Dense,
    /// Triangles a thousand to a billion times as long as wide.
    Thin,
    /// Corners on a small integer lattice, many triangles degenerate.
    Lattice,
    /// Points and segments among triangles.
    Degenerate,
    /// Few different triangles, each several times, with corners in any order.
    Copies,
    /// Triangles of sizes from a millionth to a whole.
    MixedScales,
    /// A sparse cloud a million times its size from the origin.
    FarAway,
    /// A sparse cloud of a hundred-thousandth of a unit.
    Tiny,
    /// A sparse cloud of 10¹² units, beyond what f32 boxes are made for.
    Huge,
    /// Small clusters with wide gaps between them.
    Clusters,
    /// A surface of neighbours that share their corners, with a boundary.
    Patch,
    /// Everything in one plane.
    Flat,
    /// Equal triangles at equal steps along a line.
    Row,
    /// Closed boxes, some inside of others.
    Boxes,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 15] = [
        Self::Sparse,
        Self::Dense,
        Self::Thin,
        Self::Lattice,
        Self::Degenerate,
        Self::Copies,
        Self::MixedScales,
        Self::FarAway,
        Self::Tiny,
        Self::Huge,
        Self::Clusters,
        Self::Patch,
        Self::Flat,
        Self::Row,
        Self::Boxes,
    ];

    /// About how large a soup of this kind is, whatever its number of triangles.
    pub fn size(self) -> f64 {
        match self {
            Self::Tiny => 1e-5,
            Self::Huge => 1e12,
            _ => 1.0,
        }
    }
}

/// Two placed soups.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The first soup.
    pub a: Soup,
    /// The pose of the first soup.
    pub pose_a: PlainPose,
    /// The second soup.
    pub b: Soup,
    /// The pose of the second soup.
    pub pose_b: PlainPose,
}

/// Two soups of a kind with up to `most` triangles each, as they are, shifted or turned.
pub fn pair(kind: Kind, random: &mut Random, most: u64) -> Pair {
    let mut number = || match random.below(4) {
        0 => 1 + random.below(most.min(4)),
        1 => 1 + random.below(most.min(17)),
        _ => 1 + random.below(most),
    };
    let (of_a, of_b) = (number(), number());
    let a = soup(kind, random, of_a as usize);
    let b = soup(kind, random, of_b as usize);
    let far = if kind == Kind::FarAway { offset() } else { [0.0; 3] };
    let (pose_a, pose_b) = match random.below(3) {
        0 => (PlainPose::IDENTITY, PlainPose::IDENTITY),
        1 => (shifted(random, kind), shifted(random, kind)),
        _ => (turned(random, kind, far), turned(random, kind, far)),
    };
    let mut pair = Pair { a, pose_a, b, pose_b };
    if !matches!(kind, Kind::Patch | Kind::Boxes) {
        for _ in 0..random.below(4) {
            plant(&mut pair, random);
        }
    }
    pair
}

/// Moves a triangle of the second soup so that it meets one of the first, up to rounding: at a
/// corner of both, or at inner points of both.
fn plant(pair: &mut Pair, random: &mut Random) {
    let i = random.below(pair.a.triangles.len() as u64) as usize;
    let j = random.below(pair.b.triangles.len() as u64) as usize;
    let at_a_corner = random.one_in(3);
    let mut point = |corners: [[f64; 3]; 3]| -> [f64; 3] {
        if at_a_corner {
            return corners[0];
        }
        let (u, v) = (random.uniform(0.1, 0.4), random.uniform(0.1, 0.4));
        std::array::from_fn(|k| {
            (1.0 - u - v) * corners[0][k] + u * corners[1][k] + v * corners[2][k]
        })
    };
    let goal = undo(&pair.pose_b, &pair.pose_a.rounded(&point(pair.a.triangle(i))));
    let from = point(pair.b.triangle(j));
    for corner in pair.b.triangles[j] {
        let vertex = &mut pair.b.vertices[corner as usize];
        // The corner that is put on another is the very same point where nothing is rounded.
        *vertex = if at_a_corner && *vertex == from {
            goal
        } else {
            std::array::from_fn(|k| vertex[k] + (goal[k] - from[k]))
        };
    }
}

/// A soup of a kind. Boxes have twelve triangles each, and all other kinds the number asked for.
pub fn soup(kind: Kind, random: &mut Random, triangles: usize) -> Soup {
    match kind {
        Kind::Patch => patch(random, triangles),
        Kind::Boxes => boxes(random, triangles),
        _ => loose(kind, random, triangles),
    }
}

fn loose(kind: Kind, random: &mut Random, count: usize) -> Soup {
    let different = if kind == Kind::Copies { 1 + count / 3 } else { count };
    // A cloud grows with its number of triangles, so that it stays as sparse as it is.
    let spread = 0.16 * (1.0 + different as f64).cbrt();
    let normal = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
    let mut triangles: Vec<[[f64; 3]; 3]> = (0..different)
        .map(|i| match kind {
            Kind::Sparse | Kind::FarAway | Kind::Tiny | Kind::Huge | Kind::Copies => {
                let middle = cloud(random, spread);
                around(random, middle, 0.2)
            }
            Kind::Dense => around(random, [0.0; 3], 1.0),
            Kind::Thin => thin(random, spread),
            Kind::Lattice => std::array::from_fn(|_| lattice(random)),
            Kind::Degenerate => degenerate(random, spread),
            Kind::MixedScales => {
                let (middle, size) = (cloud(random, 0.5), power_of_ten(-random.range(0, 6)));
                around(random, middle, size)
            }
            Kind::Clusters => {
                let cluster = random.range(-2, 2) as f64 * 8.0;
                let middle = cloud(random, 0.3);
                around(random, [middle[0] + cluster, middle[1], middle[2] - cluster], 0.2)
            }
            Kind::Flat => {
                let middle = cloud(random, spread);
                around(random, middle, 0.3).map(|p| flattened(p, &normal, random))
            }
            _ => {
                let step = i as f64 * 0.25;
                [[step, 0.0, 0.0], [step + 0.25, 0.0, 0.0], [step, 0.5, 0.125]]
            }
        })
        .collect();
    if kind == Kind::Copies {
        triangles = (0..count)
            .map(|_| {
                let mut copy = *random.choice(&triangles);
                random.shuffle(&mut copy);
                copy
            })
            .collect();
    }
    let (size, far) = (kind.size(), offset());
    let place = |p: [f64; 3]| match kind {
        Kind::FarAway => std::array::from_fn(|k| p[k] + far[k]),
        Kind::Tiny | Kind::Huge => p.map(|x| x * size),
        _ => p,
    };
    let placed: Vec<_> = triangles.iter().map(|corners| corners.map(place)).collect();
    Soup::from_triangles(&placed)
}

/// Where far clouds are. Exact in f32, so that rounding to it is not what hides a fault.
fn offset() -> [f64; 3] {
    [1_048_576.0, -524_288.0, 262_144.0]
}

/// A point of a cloud that is denser in the middle.
fn cloud(random: &mut Random, spread: f64) -> [f64; 3] {
    std::array::from_fn(|_| {
        (random.uniform(-1.0, 1.0) + random.uniform(-1.0, 1.0) + random.uniform(-1.0, 1.0)) * spread
    })
}

fn around(random: &mut Random, middle: [f64; 3], size: f64) -> [[f64; 3]; 3] {
    std::array::from_fn(|_| std::array::from_fn(|k| middle[k] + random.uniform(-size, size)))
}

fn lattice(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|_| random.range(-2, 2) as f64)
}

fn thin(random: &mut Random, spread: f64) -> [[f64; 3]; 3] {
    let from = cloud(random, spread);
    let to: [f64; 3] = std::array::from_fn(|k| from[k] + random.uniform(-1.0, 1.0));
    let width = power_of_ten(-random.range(3, 9));
    [from, to, std::array::from_fn(|k| from[k] + random.uniform(-width, width))]
}

fn degenerate(random: &mut Random, spread: f64) -> [[f64; 3]; 3] {
    let on_lattice = random.one_in(2);
    let middle = cloud(random, spread);
    let [p, q, r] = if on_lattice {
        std::array::from_fn(|_| lattice(random))
    } else {
        around(random, middle, 0.4)
    };
    match random.below(4) {
        0 => [p; 3],
        1 => [p, q, p],
        2 => [p, q, std::array::from_fn(|k| 0.5 * (p[k] + q[k]))],
        _ => [p, q, r],
    }
}

/// Across the axis along which the normal is largest, or in a slanted plane.
fn flattened(p: [f64; 3], normal: &[f64; 3], random: &mut Random) -> [f64; 3] {
    // On a lattice of sixteenths, so that points of a slanted plane are exactly in it.
    let mut flat = p.map(|x| (x * 16.0).round() / 16.0);
    let slant = if normal[0] > 0.0 { 2.0 } else { 0.0 };
    flat[2] = slant * flat[0] - slant * flat[1];
    if random.one_in(64) {
        // Seldom one that leaves the plane.
        flat[2] += 0.0625;
    }
    flat
}

fn patch(random: &mut Random, triangles: usize) -> Soup {
    let rows = 1 + random.below(6) as usize;
    let columns = triangles.div_ceil(2 * rows).max(1);
    let mut vertices = Vec::new();
    for i in 0..=columns {
        for j in 0..=rows {
            let height = random.uniform(-0.1, 0.1);
            vertices.push([i as f64 * 0.2 - 0.5, j as f64 * 0.2 - 0.5, height]);
        }
    }
    let at = |i: usize, j: usize| (i * (rows + 1) + j) as u32;
    let mut faces = Vec::new();
    for i in 0..columns {
        for j in 0..rows {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend([[p, q, r], [p, r, s]]);
        }
    }
    faces.truncate(triangles);
    Soup { vertices, triangles: faces }
}

fn boxes(random: &mut Random, triangles: usize) -> Soup {
    let mut soup = Soup::default();
    let spread = 1 + (triangles as f64 / 12.0).cbrt() as i64;
    for _ in 0..triangles.div_ceil(12).max(1) {
        let mut side = || {
            let low = random.range(-2 * spread, 2 * spread) as f64 * 0.25;
            [low, low + random.range(1, 4) as f64 * 0.25]
        };
        let sides = [side(), side(), side()];
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(
            (0..8_usize)
                .map(|corner| -> [f64; 3] { std::array::from_fn(|k| sides[k][corner >> k & 1]) }),
        );
        let faces: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        for [p, q, r, s] in faces.map(|face| face.map(|corner| corner + first)) {
            soup.triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    soup
}

fn shifted(random: &mut Random, kind: Kind) -> PlainPose {
    let step = 0.5 * kind.size();
    PlainPose::at(std::array::from_fn(|_| random.uniform(-step, step)))
}

/// Turned about a point, with a small step beside it.
fn turned(random: &mut Random, kind: Kind, about: [f64; 3]) -> PlainPose {
    let r = random_rotation(random);
    let step = 0.3 * kind.size();
    let t = std::array::from_fn(|k| {
        let moved: f64 = (0..3).map(|j| r[k][j] * about[j]).sum();
        about[k] - moved + random.uniform(-step, step)
    });
    PlainPose { r, t }
}

/// By repeated division: the same on every machine.
fn power_of_ten(exponent: i64) -> f64 {
    (0..-exponent).fold(1.0, |x, _| x / 10.0)
}

#[cfg(test)]
mod tests {
    use super::{Kind, pair};
    use crate::brute::all_pairs;
    use crate::oracle::Relation;
    use crate::random::Random;

    /// Every kind has pairs that meet and pairs that do not, of single triangles and of many.
    #[test]
    fn every_kind_meets_and_parts() {
        let mut random = Random::new(77);
        for kind in Kind::ALL {
            let (mut meeting, mut apart, mut single, mut crossing) = (0, 0, 0, 0);
            for _ in 0..120 {
                let pair = pair(kind, &mut random, 24);
                let found = all_pairs(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
                let all = pair.a.triangles.len() * pair.b.triangles.len();
                meeting += found.len();
                crossing += found.iter().filter(|pair| pair.2 == Relation::Crossing).count();
                apart += all - found.len();
                single += usize::from(pair.a.triangles.len() == 1);
            }
            let met = (meeting, crossing, apart, single);
            assert!(meeting > 80 && crossing > 40 && apart > 5000, "{kind:?}: {met:?}");
            assert!(single > 3 || kind == Kind::Boxes, "{kind:?}: {met:?}");
        }
    }
}
