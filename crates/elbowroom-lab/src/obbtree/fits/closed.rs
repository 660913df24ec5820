//! The covariance of infinitely dense samples: closed form, quadrature, sampling.

use elbowroom::internal::math::moments::Moments;
use elbowroom_make::bumpy_sphere;
use glam::{DMat3, DVec3};

use super::super::curve::Curve;
use crate::random::Random;
use crate::{Claim, Context, Table};

/// The paper's formula to the letter: Aⁱ/12A (9cc + pp + qq + rr), summed, less the square of the
/// mean.
fn as_printed(triangles: &[[DVec3; 3]]) -> DMat3 {
    let square = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let (mut sum, mut mean, mut total) = (DMat3::ZERO, DVec3::ZERO, 0.0);
    for &[p, q, r] in triangles {
        let area = 0.5 * (p - q).cross(p - r).length();
        let c = (p + q + r) / 3.0;
        sum += (9.0 * square(c) + square(p) + square(q) + square(r)) * (area / 12.0);
        mean += c * area;
        total += area;
    }
    sum * (1.0 / total) - square(mean / total)
}

/// The midpoints of a triangle's edges, a third of the area each, integrate squares without error.
fn by_quadrature(triangles: &[[DVec3; 3]]) -> DMat3 {
    let points = triangles.iter().flat_map(|&[p, q, r]| {
        let area = 0.5 * (p - q).cross(p - r).length();
        [p + q, q + r, r + p].map(|twice| Moments::of_point(0.5 * twice, area / 3.0))
    });
    points.sum::<Moments>().covariance()
}

/// Points on the surface, every part of it alike.
struct Sampler<'a> {
    triangles: &'a [[DVec3; 3]],
    /// The area of all triangles up to each.
    up_to: Vec<f64>,
}

impl<'a> Sampler<'a> {
    fn new(triangles: &'a [[DVec3; 3]]) -> Self {
        let mut total = 0.0;
        let up_to = triangles.iter().map(|&[p, q, r]| {
            total += 0.5 * (p - q).cross(p - r).length();
            total
        });
        Self { triangles, up_to: up_to.collect() }
    }

    fn point(&self, random: &mut Random) -> DVec3 {
        let at = random.uniform(0.0, self.up_to[self.up_to.len() - 1]);
        let [p, q, r] = self.triangles[self.up_to.partition_point(|&area| area <= at)];
        let (mut s, mut t) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
        if s + t > 1.0 {
            (s, t) = (1.0 - s, 1.0 - t);
        }
        p + (q - p) * s + (r - p) * t
    }

    fn covariance(&self, count: u32, random: &mut Random) -> DMat3 {
        (0..count).map(|_| Moments::of_point(self.point(random), 1.0)).sum::<Moments>().covariance()
    }
}

/// The largest difference of two entries, as a part of the spread.
fn difference(a: DMat3, b: DMat3) -> f64 {
    let spread = b.x_axis.x + b.y_axis.y + b.z_axis.z;
    let most = (a - b).to_cols_array().iter().fold(0.0, |most: f64, e| most.max(e.abs()));
    most / spread
}

pub(super) fn run(context: &Context) -> (Vec<Table>, Claim) {
    context.progress.message("the closed form");
    let mesh = bumpy_sphere(8, 0.3, 4);
    let triangles: Vec<[DVec3; 3]> =
        (0..mesh.triangles().len()).map(|i| mesh.triangle(i)).collect();
    let closed = as_printed(&triangles);
    let moments: Moments = triangles.iter().map(|&t| Moments::of_triangle(t)).sum();
    let quadrature = difference(closed, by_quadrature(&triangles));
    let ours = difference(closed, moments.covariance());
    let mut table = Table::new(
        "Covariance of a bumpy sphere's surface: how far from the printed closed form",
        ["by", "points", "largest error, as part of the spread"],
    );
    table.row([
        "quadrature, exact for squares".into(),
        (3 * triangles.len()).into(),
        quadrature.into(),
    ]);
    table.row([
        "moments that add up, as boxes are fitted here".into(),
        crate::Cell::Missing,
        ours.into(),
    ]);
    let sizes: &[u32] =
        if context.quick { &[100, 1000, 10_000] } else { &[100, 1000, 10_000, 100_000, 1_000_000] };
    let repeats = if context.quick { 30 } else { 50 };
    let (mut random, sampler) = (Random::new(70), Sampler::new(&triangles));
    let mut curve = Curve::default();
    for &size in sizes {
        let squares: f64 = (0..repeats)
            .map(|_| {
                let error = difference(sampler.covariance(size, &mut random), closed);
                error * error
            })
            .sum();
        let error = (squares / f64::from(repeats)).sqrt();
        table.row(["random samples, root mean square".into(), size.into(), error.into()]);
        curve.points.push((f64::from(size), error));
    }
    let slope = curve.slope().unwrap_or(f64::NAN);
    let claim = Claim::gate(
        "OBB-S4-closed",
        "The covariance of infinitely dense samples of a surface has the printed closed form.",
    )
    .paper("the formula")
    .ours(format!(
        "equals exact quadrature to {quadrature:.0e}; samples come near it as n to the power {slope:.2}"
    ))
    .holds_if(quadrature < 1e-14 && ours < 1e-14 && (-0.6..=-0.4).contains(&slope))
    .why("Random samples err as 1/√n, so the power is −1/2 where the limit is right.");
    (vec![table], claim)
}
