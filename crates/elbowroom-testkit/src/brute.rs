//! The oracle on every pair of triangles of two soups.
//!
//! A pair is left out only where the coordinate intervals of its triangles are certainly disjoint.
//! The intervals are those of the rounded placed points, widened by more than the rounding can have
//! cost; the oracle sees all the rest.

use crate::oracle::{PlainPose, Relation, relation};

/// Triangles without any connectivity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soup {
    /// The points.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of three points each.
    pub triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// The corners of triangle `index`.
    ///
    /// # Panics
    ///
    /// If the triangle or one of its vertices does not exist.
    pub fn triangle(&self, index: usize) -> [[f64; 3]; 3] {
        self.triangles[index].map(|v| self.vertices[v as usize])
    }

    /// A soup in which every triangle has three vertices of its own.
    pub fn from_triangles(triangles: &[[[f64; 3]; 3]]) -> Self {
        Self {
            vertices: triangles.iter().flatten().copied().collect(),
            triangles: (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
        }
    }

    /// The soup with its vertices moved and rounded by [`PlainPose::rounded`].
    #[must_use]
    pub fn baked(&self, pose: &PlainPose) -> Self {
        Self {
            vertices: self.vertices.iter().map(|v| pose.rounded(v)).collect(),
            triangles: self.triangles.clone(),
        }
    }
}

/// All pairs that touch or cross, sorted by (a, b).
///
/// # Panics
///
/// If a coordinate is not finite or an index is out of range.
pub fn all_pairs(
    a: &Soup,
    pose_a: &PlainPose,
    b: &Soup,
    pose_b: &PlainPose,
) -> Vec<(u32, u32, Relation)> {
    let mut pairs = Vec::new();
    for (i, j) in candidates(a, pose_a, b, pose_b) {
        let found = relation(&a.triangle(i as usize), pose_a, &b.triangle(j as usize), pose_b);
        if found != Relation::Apart {
            pairs.push((i, j, found));
        }
    }
    pairs
}

/// All pairs that are not certainly apart by their coordinate intervals, sorted by (a, b).
///
/// # Panics
///
/// If an index is out of range.
pub fn candidates(a: &Soup, pose_a: &PlainPose, b: &Soup, pose_b: &PlainPose) -> Vec<(u32, u32)> {
    let boxes_a = intervals(a, pose_a);
    let boxes_b = intervals(b, pose_b);
    let mut pairs = Vec::new();
    for (i, box_a) in boxes_a.iter().enumerate() {
        for (j, box_b) in boxes_b.iter().enumerate() {
            if !disjoint(box_a, box_b) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Per axis, an interval that certainly contains the placed triangle.
type Intervals = [[f64; 2]; 3];

fn intervals(soup: &Soup, pose: &PlainPose) -> Vec<Intervals> {
    let placed: Vec<Intervals> = soup.vertices.iter().map(|v| enclose(v, pose)).collect();
    let union = |corners: &[u32; 3], axis: usize| {
        let [p, q, r] = corners.map(|v| placed[v as usize][axis]);
        [p[0].min(q[0]).min(r[0]), p[1].max(q[1]).max(r[1])]
    };
    let per_triangle = |corners: &[u32; 3]| std::array::from_fn(|axis| union(corners, axis));
    soup.triangles.iter().map(per_triangle).collect()
}

fn enclose(v: &[f64; 3], pose: &PlainPose) -> Intervals {
    let centre = pose.rounded(v);
    std::array::from_fn(|k| {
        if pose.r == PlainPose::IDENTITY.r && pose.t[k] == 0.0 {
            return [v[k]; 2];
        }
        let r = &pose.r[k];
        let size =
            (r[0] * v[0]).abs() + (r[1] * v[1]).abs() + (r[2] * v[2]).abs() + pose.t[k].abs();
        // Six roundings cost at most about 4·2^-53 of `size`; we allow 8·2^-52, and what underflow
        // can lose.
        let slack = size * (8.0 * f64::EPSILON) + 1e-300;
        let (low, high) = (centre[k] - slack, centre[k] + slack);
        if low.is_finite() && high.is_finite() {
            [low, high]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY]
        }
    })
}

fn disjoint(a: &Intervals, b: &Intervals) -> bool {
    (0..3).any(|k| a[k][1] < b[k][0] || b[k][1] < a[k][0])
}

#[cfg(test)]
mod tests {
    use super::{Soup, all_pairs};
    use crate::oracle::{PlainPose, Relation};
    use crate::random::Random;

    fn soup(random: &mut Random) -> Soup {
        let mut coordinate = || random.range(0, 8) as f64;
        let vertices = (0..24).map(|_| std::array::from_fn(|_| coordinate())).collect();
        let triangles = (0..22).map(|i| [i, i + 1, i + 2]).collect();
        Soup { vertices, triangles }
    }

    #[test]
    fn intervals_leave_out_no_pair() {
        let mut random = Random::new(5);
        let (a, b) = (soup(&mut random), soup(&mut random));
        let turned = PlainPose {
            r: [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
            t: [0.5, 1e-17, -3.0],
        };
        let mut met = [0; 3];
        for pose in [PlainPose::IDENTITY, turned] {
            let pairs = all_pairs(&a, &PlainPose::IDENTITY, &b, &pose);
            assert!(pairs.is_sorted());
            let mut all = Vec::new();
            for i in 0..a.triangles.len() {
                for j in 0..b.triangles.len() {
                    let found = crate::oracle::relation(
                        &a.triangle(i),
                        &PlainPose::IDENTITY,
                        &b.triangle(j),
                        &pose,
                    );
                    met[found as usize] += 1;
                    if found != Relation::Apart {
                        all.push((i as u32, j as u32, found));
                    }
                }
            }
            assert_eq!(pairs, all);
        }
        assert!(met.iter().all(|&n| n > 5), "{met:?}");
    }
}
