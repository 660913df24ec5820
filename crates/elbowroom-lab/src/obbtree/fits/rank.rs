//! Groups that are flat, straight or a point.
//!
//! All coordinates are whole numbers on lattices in a plane or line, so that the groups are exactly
//! flat even where they stand askew.

use elbowroom::internal::volume::{Fit, Obb, Spatial};
use glam::{DMat3, DVec3};

use crate::random::Random;
use crate::{Claim, Context, Table};

/// Lattices: two vectors of one length at right angles.
const IN_FRAME: [DVec3; 2] = [DVec3::X, DVec3::Y];
const ASKEW: [DVec3; 2] = [DVec3::new(2.0, 1.0, 2.0), DVec3::new(1.0, 2.0, -2.0)];

/// What came of groups of one kind.
#[derive(Default)]
struct Outcome {
    groups: u32,
    /// Corners that their box does not contain.
    outside: u64,
    /// The largest extent that should be zero, as part of the largest one.
    thickness: f64,
    /// Sizes (area, or length) with the hull of the projection over those without.
    ratios: Vec<f64>,
}

impl Outcome {
    /// `dimension` is that of the group.
    fn meet(&mut self, triangles: &[[DVec3; 3]], dimension: usize) {
        let projected = Obb::of_triangles(triangles, Fit::Hull);
        let skipped = Obb::of_triangles(triangles, Fit::Vertices);
        self.groups += 1;
        for b in [&projected, &skipped] {
            let outside = triangles.as_flattened().iter().filter(|&&corner| !b.contains(corner));
            self.outside += outside.count() as u64;
            let extents = descending(b);
            for &extent in &extents[dimension..] {
                self.thickness = self.thickness.max(extent / extents[0].max(f64::MIN_POSITIVE));
            }
        }
        let size = |b: &Obb| descending(b)[..dimension].iter().product::<f64>();
        if dimension > 0 {
            self.ratios.push(size(&projected) / size(&skipped));
        }
    }

    fn mean(&self) -> Option<f64> {
        (!self.ratios.is_empty())
            .then(|| self.ratios.iter().sum::<f64>() / self.ratios.len() as f64)
    }

    /// How many are no larger with the hull, up to rounding.
    fn no_larger(&self) -> usize {
        self.ratios.iter().filter(|&&ratio| ratio <= 1.0 + 1e-9).count()
    }
}

fn descending(b: &Obb) -> [f64; 3] {
    let mut extents = b.half.to_array();
    extents.sort_unstable_by(|a, b| b.total_cmp(a));
    extents
}

/// A rectangle of 90 × 30 with a dense, tilted stripe in it: the paper's dense patch, in a plane.
fn sheet(random: &mut Random, [u, v]: [DVec3; 2]) -> Vec<[DVec3; 3]> {
    let at = |i: i64, j: i64| u * i as f64 + v * j as f64;
    let (wide, high) = (random.whole(30, 90), random.whole(10, 30));
    let corners = [at(-wide, -high), at(wide, -high), at(wide, high), at(-wide, high)];
    let mut triangles =
        vec![[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]];
    // Small triangles along a line of any slope that stays within the rectangle.
    let (run, rise) = (random.whole(1, 9), random.whole(-9, 9));
    for k in -40..40 {
        let (i, j) = (run * k / 40, rise * k / 40);
        triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
    }
    triangles
}

fn soup(random: &mut Random, [u, v]: [DVec3; 2]) -> Vec<[DVec3; 3]> {
    let mut corner = || u * random.whole(-50, 50) as f64 + v * random.whole(-20, 20) as f64;
    (0..20).map(|_| [corner(), corner(), corner()]).collect()
}

fn line(random: &mut Random, [u, _]: [DVec3; 2]) -> Vec<[DVec3; 3]> {
    let mut corner = || u * random.whole(-50, 50) as f64;
    (0..20).map(|_| [corner(), corner(), corner()]).collect()
}

fn point(random: &mut Random, [u, v]: [DVec3; 2]) -> Vec<[DVec3; 3]> {
    let at = u * random.whole(-50, 50) as f64 + v * 0.1;
    vec![[at; 3]; 5]
}

type Make = fn(&mut Random, [DVec3; 2]) -> Vec<[DVec3; 3]>;

const KINDS: [(&str, usize, Make); 4] = [
    ("sheet with a dense stripe", 2, sheet),
    ("triangles of a plane", 2, soup),
    ("segments of a line", 1, line),
    ("a point", 0, point),
];

pub(super) fn run(context: &Context) -> (Vec<Table>, Claim) {
    context.progress.message("flat and straight groups");
    let groups = if context.quick { 200 } else { 2000 };
    let mut table = Table::new(
        "Groups of lower dimension: the hull of the projection against no hull",
        [
            "group",
            "stands",
            "groups",
            "corners outside",
            "thickness, as part of the length",
            "area or length, mean with/without",
            "no larger",
        ],
    );
    let (mut outside, mut in_frame, mut askew) = (0, 0.0_f64, 0.0_f64);
    let mut sheets = Vec::new();
    let mut soups = Vec::new();
    for (seed, (name, dimension, make)) in (80..).zip(KINDS) {
        for (stands, lattice) in [("in the frame", IN_FRAME), ("askew", ASKEW)] {
            debug_assert!(
                DMat3::from_cols(lattice[0], lattice[1], DVec3::ZERO).determinant() == 0.0
            );
            let mut random = Random::new(seed);
            let mut met = Outcome::default();
            for _ in 0..groups {
                met.meet(&make(&mut random, lattice), dimension);
            }
            table.row([
                name.into(),
                stands.into(),
                met.groups.into(),
                met.outside.into(),
                met.thickness.into(),
                met.mean().into(),
                (dimension > 0).then(|| met.no_larger()).into(),
            ]);
            outside += met.outside;
            let thickest = if stands == "askew" { &mut askew } else { &mut in_frame };
            *thickest = thickest.max(met.thickness);
            match name {
                "sheet with a dense stripe" => sheets.push(met),
                "triangles of a plane" => soups.push(met),
                _ => {}
            }
        }
    }
    let mean =
        |all: &[Outcome]| all.iter().filter_map(Outcome::mean).sum::<f64>() / all.len() as f64;
    let (sheet_mean, soup_mean) = (mean(&sheets), mean(&soups));
    let claim = Claim::gate(
        "OBB-S4-rank",
        "Flat or linear input must bypass the hull; projecting it to the lower dimension would be better.",
    )
    .paper("none")
    .ours(format!(
        "{outside} corners outside; thickness {in_frame:.0} in the frame, {askew:.0e} askew; area with the projected \
         hull {sheet_mean:.2} × that without on sheets, {soup_mean:.2} × on loose triangles"
    ))
    .holds_if(outside == 0 && in_frame == 0.0 && askew < 1e-14 && sheet_mean < 1.0 && soup_mean <= 1.0)
    .why(
        "Nothing has to bypass the hull here: it is computed in the dimension that the points exactly have. A fit by \
         statistics is not the smallest box, so single groups may go the other way; the mean does not.",
    );
    (vec![table], claim)
}
