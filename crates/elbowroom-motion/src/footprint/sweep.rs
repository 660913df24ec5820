//! The outline of a body that moves: of all its poses, and of what is between them.
//!
//! Points go in straight lines from pose to pose. Between two poses a body is near one of them: no
//! point of it is farther off than half of the longest step of a corner. So poses are put in
//! between until that is small against the threshold, the contour is that of all of them together,
//! and what remains is a margin.
//!
//! Invariants: at every time, every point of the body is within contour and margins.

use glam::DVec2;

use super::{FootprintConfig, Outline};

use elbowroom::internal::geom::Contour;

/// Poses that are put between two.
const MOST_BETWEEN: u32 = 32;

/// Of one or more poses: the contour, and how far the body may be off.
pub(super) fn outline(
    poses: &[Vec<DVec2>],
    triangles: &[[u32; 3]],
    config: &FootprintConfig,
) -> (Contour, f64) {
    let contour = match config.outline {
        Outline::Silhouette => Contour::of,
        Outline::Union => Contour::of_all,
    };
    if let [only] = poses {
        return (contour(only, triangles), 0.0);
    }
    let mut is_used = vec![false; poses[0].len()];
    for &corner in triangles.as_flattened() {
        is_used[corner as usize] = true;
    }
    let mut points = poses[0].clone();
    let mut off = 0.0_f64;
    for pair in poses.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let steps = from.iter().zip(to).zip(&is_used).filter(|(_, used)| **used);
        let longest = steps.map(|((p, q), _)| p.distance(*q)).fold(0.0, f64::max);
        let parts = (longest / config.threshold).ceil().min(f64::from(MOST_BETWEEN));
        let parts = if parts > 1.0 { parts } else { 1.0 };
        off = off.max(0.5 * longest / parts);
        let steps = (1..=MOST_BETWEEN).map(f64::from).take_while(|&step| step <= parts);
        for share in steps.map(|step| step / parts) {
            points.extend(from.iter().zip(to).map(|(p, q)| p.lerp(*q, share)));
        }
    }
    let (each, size) = (poses[0].len() as u32, points.iter().map(|p| p.abs().max_element()));
    // Poses in between are rounded.
    off += 8.0 * f64::EPSILON * size.fold(0.0, f64::max);
    let count = points.len() as u32 / each;
    let all = |k: u32| triangles.iter().map(move |corners| corners.map(|corner| corner + k * each));
    let triangles: Vec<[u32; 3]> = (0..count).flat_map(all).collect();
    (contour(&points, &triangles), off)
}
