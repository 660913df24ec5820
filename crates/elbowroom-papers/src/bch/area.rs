//! The area that discs cover together: what a level of a footprint takes up on the floor.
//!
//! Exactly, up to rounding: the edge of the union consists of arcs, those parts of each circle that
//! no other disc covers, and the area within is half of the integral of *x dy − y dx* along them.
//! Discs within others go first; so do all copies but one. And by counting cells of a raster, as
//! the paper does it: slower, simpler, and a judge of the first.
//!
//! Source: Green's theorem on an arrangement of circles; Stüvel and others, *Hierarchical
//! structures for collision checking between virtual characters*, 2014, count pixels, more than six
//! million to a square metre.
//!
//! Invariants: neither depends on the order of the discs but for rounding. Where circles nearly
//! coincide, the angle at which they cross is worked out from differences that are exact, so that
//! both agree on it.

use std::f64::consts::{PI, TAU};

use glam::DVec2;

use elbowroom::internal::math::sort::many_by;

/// The area of the union of discs, each a centre and a radius. Discs whose radius is not positive
/// have none.
///
/// ```
/// use elbowroom_papers::bch::area::union_of_discs;
/// use glam::DVec2;
///
/// let unit = (DVec2::ZERO, 1.0);
/// let beside = (DVec2::new(2.0, 0.0), 1.0);
/// let within = (DVec2::new(0.2, 0.1), 0.5);
/// let area = union_of_discs(&[unit, beside, within, unit]);
/// assert!((area - 2.0 * std::f64::consts::PI).abs() < 1e-14);
/// ```
pub fn union_of_discs(discs: &[(DVec2, f64)]) -> f64 {
    let discs = outermost(discs);
    let Some(&(origin, _)) = discs.first() else { return 0.0 };
    let mut arcs = Vec::new();
    let area = |&(center, radius): &(DVec2, f64)| {
        covered(center, radius, &discs, &mut arcs);
        exposed(center - origin, radius, &mut arcs)
    };
    discs.iter().map(area).sum()
}

/// The area by counting: cells of a square raster whose centres are in a disc, given the number of
/// cells to a unit of length.
///
/// ```
/// use elbowroom_papers::bch::area::union_by_raster;
/// use glam::DVec2;
///
/// let area = union_by_raster(&[(DVec2::ZERO, 1.0)], 500.0);
/// assert!((area - std::f64::consts::PI).abs() < 0.001);
/// ```
///
/// # Panics
/// If there are not more than zero cells to a unit, or it would take more than 2³² rows.
pub fn union_by_raster(discs: &[(DVec2, f64)], cells: f64) -> f64 {
    assert!(cells > 0.0, "{cells} cells to a unit");
    let discs = outermost(discs);
    let rows = |row: &dyn Fn(f64, f64) -> f64| {
        let row = |&(c, r): &(DVec2, f64)| row(c.y * cells, r * cells);
        discs.iter().map(row).collect::<Vec<f64>>()
    };
    let low = rows(&|y, r| y - r).into_iter().fold(f64::INFINITY, f64::min).floor();
    let high = rows(&|y, r| y + r).into_iter().fold(f64::NEG_INFINITY, f64::max).ceil();
    assert!(discs.is_empty() || high - low < 2_f64.powi(32), "{} rows", high - low);
    let (mut count, mut row, mut spans) = (0.0, low, Vec::new());
    while row < high {
        spans.clear();
        for &(center, radius) in &discs {
            let (center, radius) = (center * cells, radius * cells);
            let aside = row + 0.5 - center.y;
            let half = (radius * radius - aside * aside).sqrt();
            // Centres of cells are at a half; NaN where the disc does not reach the row.
            let (from, to) = ((center.x - half - 0.5).ceil(), (center.x + half - 0.5).floor());
            if from <= to {
                spans.push((from, to + 1.0));
            }
        }
        count += together(&mut spans);
        row += 1.0;
    }
    count / (cells * cells)
}

/// Those that no other one holds; of copies one.
fn outermost(discs: &[(DVec2, f64)]) -> Vec<(DVec2, f64)> {
    let mut kept: Vec<_> = discs.iter().copied().filter(|disc| disc.1 > 0.0).collect();
    // The largest first: a disc that holds another is not smaller. Copies lie side by side.
    let key = |&(c, r): &(DVec2, f64)| (-r, c.x, c.y);
    many_by(&mut kept, |a, b| {
        let ((ra, xa, ya), (rb, xb, yb)) = (key(a), key(b));
        ra.total_cmp(&rb).then(xa.total_cmp(&xb)).then(ya.total_cmp(&yb))
    });
    kept.dedup();
    let mut outer: Vec<(DVec2, f64)> = Vec::with_capacity(kept.len());
    for (center, radius) in kept {
        let holds = |&(c, r): &(DVec2, f64)| c.distance(center) <= r - radius;
        if !outer.iter().any(holds) {
            outer.push((center, radius));
        }
    }
    outer
}

/// The angles of a circle that other discs cover, from and to, within a turn.
fn covered(center: DVec2, radius: f64, discs: &[(DVec2, f64)], arcs: &mut Vec<(f64, f64)>) {
    arcs.clear();
    for &(other, other_radius) in discs {
        let apart = other - center;
        let distance = apart.length();
        if distance >= radius + other_radius || distance == 0.0 {
            continue;
        }
        let larger = (radius - other_radius) * (radius + other_radius);
        let cos = 0.5 * (distance / radius + larger / (distance * radius));
        if cos >= 1.0 {
            // This circle holds the other one, nearly, which rounding kept.
            continue;
        }
        let half = libm::acos(cos.max(-1.0));
        let middle = libm::atan2(apart.y, apart.x);
        let (from, to) = (middle - half, middle + half);
        match (from < -PI, to > PI) {
            (true, _) => arcs.extend([(from + TAU, PI), (-PI, to)]),
            (_, true) => arcs.extend([(from, PI), (-PI, to - TAU)]),
            _ => arcs.push((from, to)),
        }
    }
}

/// What the uncovered angles of a circle add to the area.
fn exposed(center: DVec2, radius: f64, covered: &mut [(f64, f64)]) -> f64 {
    sort_spans(covered);
    let arc = |from: f64, to: f64| {
        let (from, to, turn) = (libm::sincos(from), libm::sincos(to), to - from);
        let chord = center.x * (to.0 - from.0) - center.y * (to.1 - from.1);
        0.5 * radius * (radius * turn + chord)
    };
    let (mut area, mut reached) = (0.0, -PI);
    for &(from, to) in covered.iter() {
        if from > reached {
            area += arc(reached, from);
        }
        reached = reached.max(to);
    }
    if reached < PI { area + arc(reached, PI) } else { area }
}

/// Brings spans into the order of their beginnings.
fn sort_spans(spans: &mut [(f64, f64)]) {
    spans.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
}

/// How long spans are together.
fn together(spans: &mut [(f64, f64)]) -> f64 {
    sort_spans(spans);
    let (mut length, mut reached) = (0.0, f64::NEG_INFINITY);
    for &(from, to) in spans.iter() {
        if to > reached {
            length += to - from.max(reached);
            reached = to;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    /// Two discs, by the formula for their lens.
    fn of_two(distance: f64, a: f64, b: f64) -> f64 {
        let segment = |r: f64, other: f64| {
            let cos = (distance * distance + r * r - other * other) / (2.0 * distance * r);
            let half = cos.clamp(-1.0, 1.0).acos();
            r * r * (half - half.sin() * half.cos())
        };
        PI * (a * a + b * b) - segment(a, b) - segment(b, a)
    }

    #[test]
    fn closed_forms() {
        let near = |discs: &[(DVec2, f64)], expected: f64| {
            let area = union_of_discs(discs);
            assert!((area - expected).abs() <= 1e-13 * expected.max(1.0), "{area} {expected}");
        };
        let at = |x: f64, y: f64, r: f64| (DVec2::new(x, y), r);
        near(&[], 0.0);
        near(&[at(3.0, 1.0, 0.0), at(1.0, 1.0, -2.0)], 0.0);
        near(&[at(3.0, -2.0, 2.0)], 4.0 * PI);
        near(&[at(3.0, -2.0, 2.0); 7], 4.0 * PI);
        // Nested, at the middle and at the edge; tangent from within and from outside.
        near(&[at(0.0, 0.0, 2.0), at(0.0, 0.0, 1.0), at(0.3, 0.4, 1.0)], 4.0 * PI);
        near(&[at(0.0, 0.0, 2.0), at(1.0, 0.0, 1.0)], 4.0 * PI);
        near(&[at(0.0, 0.0, 2.0), at(3.0, 0.0, 1.0)], 5.0 * PI);
        // Four around a point leave a square with round sides open where they are tangent.
        let cross = [at(1.0, 0.0, 1.0), at(-1.0, 0.0, 1.0), at(0.0, 1.0, 1.0), at(0.0, -1.0, 1.0)];
        near(&cross, 2.0 * PI + 4.0);
        let ring = [at(1.0, 1.0, 1.0), at(-1.0, 1.0, 1.0), at(1.0, -1.0, 1.0), at(-1.0, -1.0, 1.0)];
        near(&ring, 4.0 * PI);
        let mut random = Random::new(71);
        let mut met = [0; 3];
        for _ in 0..20_000 {
            let (a, b) = (random.uniform(0.1, 1.0), random.uniform(0.1, 1.0));
            let (angle, distance) = (random.uniform(-4.0, 4.0), random.uniform(0.0, 2.2));
            let center = DVec2::new(random.uniform(-5.0, 5.0), random.uniform(-5.0, 5.0));
            let discs = [(center, a), (center + distance * DVec2::from_angle(angle), b)];
            let (kind, expected) = if distance > a + b {
                (0, PI * (a * a + b * b))
            } else if distance < (a - b).abs() {
                (1, PI * a.max(b).powi(2))
            } else {
                (2, of_two(distance, a, b))
            };
            let area = union_of_discs(&discs);
            assert!((area - expected).abs() < 2e-13, "{area} {expected} {discs:?}");
            met[kind] += 1;
        }
        assert!(met.iter().all(|&count| count > 2000), "{met:?}");
    }

    #[test]
    fn discs_that_nearly_coincide() {
        let mut random = Random::new(72);
        let mut lenses = 0;
        for round in 0..20_000 {
            let size = 10_f64.powi(-(round % 17) - 1);
            let mut shift = || random.uniform(-size, size);
            let near = (DVec2::new(1.0 + shift(), 0.5 + shift()), 1.0 + shift());
            let discs = [(DVec2::new(1.0, 0.5), 1.0), near, (DVec2::new(1.0 + shift(), 0.5), 1.0)];
            let area = union_of_discs(&discs);
            // Between the largest and the one around all.
            let largest = discs.iter().map(|d| d.1).fold(0.0, f64::max);
            assert!(area >= PI * largest * largest - 1e-13, "{area} {discs:?}");
            assert!(area <= PI * (1.0 + 4.0 * size).powi(2) + 1e-13, "{area} {discs:?}");
            lenses += u32::from(outermost(&discs).len() > 1);
        }
        assert!(lenses > 10_000, "{lenses}");
    }

    #[test]
    fn heaps_of_discs_as_the_raster_counts_them() {
        let mut random = Random::new(73);
        let mut holes = 0;
        for round in 0..60 {
            let count = 1 + random.below(120) as usize;
            let mut disc = || {
                let at = DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
                (at, random.uniform(0.0, 0.3) * at.x.abs())
            };
            let mut discs: Vec<_> = (0..count).map(|_| disc()).collect();
            discs.extend_from_within(..count / 4);
            let exact = union_of_discs(&discs);
            let counted = union_by_raster(&discs, 1000.0);
            assert!((exact - counted).abs() < 2e-3, "round {round}: {exact} {counted}");
            discs.reverse();
            assert!((exact - union_of_discs(&discs)).abs() < 1e-12);
            holes += u32::from(exact > 0.5);
        }
        assert!(holes > 20, "{holes}");
    }
}
