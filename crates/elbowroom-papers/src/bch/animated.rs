//! Circles that move: one tree for a whole clip, whose circles go in straight lines from key to
//! key.
//!
//! A footprint for every pose of a clip takes much memory, and says nothing about the time between
//! poses. Here the tree is fixed: groups of triangles, cut where they are widest in any key, down
//! to a threshold. Each group has a circle at every key, and between keys its centre and its radius
//! change evenly. At any time the circles make a footprint.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, §6, who leave animated cylinders to
//! future work.
//!
//! Invariants: points go in straight lines from pose to pose. The distance from a point to a centre
//! that both move evenly is a convex function of time, and the radius is a linear one; so a circle
//! that holds its points at all poses holds them at all times. Radii at keys are raised until it
//! does.

use glam::{DVec2, DVec3};

use elbowroom::internal::bvh::{Column, NodeId, Tree, cut_up};
use elbowroom::internal::geom::circle::smallest_circle;
use elbowroom::internal::math::sort::many_by_key;
use elbowroom::internal::volume::Cylinder;
use elbowroom_motion::footprint::{Footprint, height, seen_from_above};

/// Configuration of animated circles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimatedConfig {
    /// Poses from one key to the next.
    pub poses_per_key: usize,
    /// Groups are cut until half of the diagonal of the box around them is smaller than this at
    /// all keys.
    pub threshold: f64,
}

impl Default for AnimatedConfig {
    /// Eight poses a key, groups of 4 cm.
    fn default() -> Self {
        Self { poses_per_key: 8, threshold: 0.04 }
    }
}

/// A clip under circles that move.
///
/// ```
/// use elbowroom_papers::bch::{Animated, AnimatedConfig};
/// use glam::DVec3;
///
/// let ball = elbowroom_make::icosphere(4);
/// let pose = |k: u32| ball.vertices().iter().map(|p| p + f64::from(k) * DVec3::X).collect::<Vec<DVec3>>();
/// let poses: Vec<_> = (0..9).map(pose).collect();
/// let poses: Vec<&[DVec3]> = poses.iter().map(|pose| &pose[..]).collect();
/// let clip = Animated::new(&poses, ball.triangles(), &AnimatedConfig::default())?;
/// let there = clip.at(2.5);
/// assert!((there.whole().center.x - 2.5).abs() < 1e-6 && there.whole().radius < 1.01);
/// # Ok::<(), elbowroom_papers::bch::AnimatedError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Animated {
    tree: Tree,
    /// Key by key, node by node: centre and radius.
    circles: Vec<[f32; 3]>,
    /// Of each key, what centres are counted from.
    origins: Vec<DVec2>,
    /// Lowest and highest z from each key to the next.
    heights: Vec<(f64, f64)>,
    /// The pose of each key.
    keys: Vec<u32>,
}

impl Animated {
    /// Animated circles around the poses of one mesh.
    ///
    /// # Errors
    /// If there are no poses or no triangles, poses differ in their number of points, a triangle
    /// names a point that is not there, a number is not finite, or there are no poses to a key.
    pub fn new(
        poses: &[&[DVec3]],
        triangles: &[[u32; 3]],
        config: &AnimatedConfig,
    ) -> Result<Self, AnimatedError> {
        check(poses, triangles, config)?;
        let flat: Vec<Vec<DVec2>> = poses.iter().map(|points| seen_from_above(points)).collect();
        let last = poses.len() - 1;
        let mut keys: Vec<usize> = (0..last).step_by(config.poses_per_key).collect();
        keys.push(last);
        let groups = Groups { flat: &flat, triangles };
        let tree =
            cut_up(triangles.len(), |_, members| groups.cut(&keys, config.threshold, members));
        let origins: Vec<DVec2> = keys.iter().map(|&key| groups.middle(key)).collect();
        let mut circles = vec![[0.0; 3]; keys.len() * tree.len()];
        for node in tree.nodes() {
            let points = groups.points(tree.members(node));
            for (k, circle) in groups.moving(&points, &keys, &origins).into_iter().enumerate() {
                circles[k * tree.len() + node.index()] = circle;
            }
        }
        let of_poses = |from: usize, to: usize| {
            let heights = poses[from..=to].iter().map(|points| height(points, triangles));
            let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), join)
        };
        let next = keys[1..].iter().chain([&last]);
        let heights = keys.iter().zip(next).map(|(&from, &to)| of_poses(from, to)).collect();
        let keys = keys.into_iter().map(|key| key as u32).collect();
        Ok(Self { tree, circles, origins, heights, keys })
    }

    /// The tree under the circles.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Keys of the clip, as numbers of poses.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Bytes that circles take, keys and all; the tree not counted.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.circles[..])
            + size_of_val(&self.origins[..])
            + size_of_val(&self.keys[..])
    }

    /// The footprint at a time in poses; before the first and after the last it stands still.
    pub fn at(&self, time: f64) -> Footprint {
        let last = self.keys.len() - 1;
        let key = self.keys.partition_point(|&key| f64::from(key) <= time).saturating_sub(1);
        let next = (key + 1).min(last);
        let (from, to) = (f64::from(self.keys[key]), f64::from(self.keys[next]));
        let share = if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        let circle = |node: NodeId| {
            let [(a, r), (b, s)] = [key, next].map(|key| self.circle(key, node));
            let center = a.lerp(b, share);
            let size = a.abs().max(b.abs()).element_sum() + r.max(s);
            let radius = r + (s - r) * share + 16.0 * f64::EPSILON * size;
            Cylinder::infinite(center, radius)
        };
        let column = Column::by_node(&self.tree, circle);
        Footprint::of_circles(self.tree.clone(), column, None, self.heights[key])
    }

    /// A circle at a key.
    fn circle(&self, key: usize, node: NodeId) -> (DVec2, f64) {
        let [x, y, radius] = self.circles[key * self.tree.len() + node.index()].map(f64::from);
        (self.origins[key] + DVec2::new(x, y), radius)
    }
}

/// Triangles in all poses.
struct Groups<'a> {
    flat: &'a [Vec<DVec2>],
    triangles: &'a [[u32; 3]],
}

impl Groups<'_> {
    /// The middle of the box around a pose.
    fn middle(&self, pose: usize) -> DVec2 {
        let (low, high) = around(self.triangles.as_flattened().iter(), &self.flat[pose]);
        0.5 * low + 0.5 * high
    }

    /// The points of some triangles, each once.
    fn points(&self, members: &[u32]) -> Vec<u32> {
        let corners = members.iter().flat_map(|&id| self.triangles[id as usize]);
        let mut points: Vec<u32> = corners.collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// At the mean across the longer side of the widest box at any key.
    fn cut(&self, keys: &[usize], threshold: f64, members: &mut [u32]) -> Option<usize> {
        if members.len() == 1 {
            return None;
        }
        let points = self.points(members);
        let width = |&key: &usize| {
            let (low, high) = around(points.iter(), &self.flat[key]);
            (0.5 * (high - low).length(), key, high - low)
        };
        let widest = keys.iter().map(width).reduce(|a, b| if b.0 > a.0 { b } else { a });
        let (_, key, sides) = widest.filter(|widest| widest.0 >= threshold)?;
        let axis = if sides.y > sides.x { DVec2::Y } else { DVec2::X };
        let middle = |id: u32| {
            let corners = self.triangles[id as usize];
            axis.dot(corners.map(|corner| self.flat[key][corner as usize] / 3.0).iter().sum())
        };
        let share = 1.0 / members.len() as f64;
        let mean: f64 = members.iter().map(|&id| share * middle(id)).sum();
        many_by_key(members, |&id| (middle(id) >= mean, id));
        let left = members.iter().filter(|&&id| middle(id) < mean).count();
        // Copies cannot be told apart.
        let half = members.len() / 2;
        Some(if left > 0 && left < members.len() { left } else { half })
    }

    /// The circle around points at every key, so that it holds them at all poses.
    fn moving(&self, points: &[u32], keys: &[usize], origins: &[DVec2]) -> Vec<[f32; 3]> {
        let at = |pose: usize| points.iter().map(move |&p| self.flat[pose][p as usize]);
        let center = |(&key, &origin): (&usize, &DVec2)| {
            let (center, _) = smallest_circle(&at(key).collect::<Vec<DVec2>>());
            let local = center - origin;
            [local.x as f32, local.y as f32]
        };
        let centers: Vec<[f32; 2]> = keys.iter().zip(origins).map(center).collect();
        let place = |k: usize| origins[k] + DVec2::from(centers[k].map(f64::from));
        let reach = |pose: usize, center: DVec2| {
            let far = at(pose).map(|p| p.distance(center)).fold(0.0, f64::max);
            // Rounding of the distance and of the centre between keys, of which footprints allow
            // for a part.
            far + 16.0 * f64::EPSILON * (far + center.abs().element_sum())
        };
        let radii: Vec<f64> =
            keys.iter().enumerate().map(|(k, &key)| reach(key, place(k))).collect();
        let mut raised = radii.clone();
        for k in 1..keys.len() {
            let (from, to) = (keys[k - 1], keys[k]);
            let lack = (from + 1..to).map(|pose| {
                let share = (pose - from) as f64 / (to - from) as f64;
                let needed = reach(pose, place(k - 1).lerp(place(k), share));
                needed - (radii[k - 1] + (radii[k] - radii[k - 1]) * share)
            });
            let lack = lack.fold(0.0, f64::max);
            raised[k - 1] = raised[k - 1].max(radii[k - 1] + lack);
            raised[k] = raised[k].max(radii[k] + lack);
        }
        let outward = |radius: f64| ((radius * (1.0 + 8.0 * f64::EPSILON)) as f32).next_up();
        centers.iter().zip(raised).map(|(&[x, y], radius)| [x, y, outward(radius)]).collect()
    }
}

/// The box around some points.
fn around<'a>(ids: impl Iterator<Item = &'a u32>, points: &[DVec2]) -> (DVec2, DVec2) {
    ids.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), &id| {
        (low.min(points[id as usize]), high.max(points[id as usize]))
    })
}

fn check(
    poses: &[&[DVec3]],
    triangles: &[[u32; 3]],
    config: &AnimatedConfig,
) -> Result<(), AnimatedError> {
    let count = poses.first().ok_or(AnimatedErrorKind::NoPoses)?.len();
    if triangles.is_empty() {
        return Err(AnimatedErrorKind::NoTriangles.into());
    }
    if config.poses_per_key == 0 {
        return Err(AnimatedErrorKind::NoPosesPerKey.into());
    }
    for (pose, points) in poses.iter().enumerate() {
        if points.len() != count {
            return Err(AnimatedErrorKind::Points { pose, points: points.len(), count }.into());
        }
        // Squares of what f32 holds must be finite.
        let is_fit = |p: &DVec3| p.is_finite() && p.abs().max_element() < 1e30;
        if let Some(point) = points.iter().position(|p| !is_fit(p)) {
            return Err(AnimatedErrorKind::Size { pose, point }.into());
        }
    }
    match triangles.iter().position(|corners| corners.iter().any(|&c| c as usize >= count)) {
        Some(triangle) => Err(AnimatedErrorKind::Corner { triangle, count }.into()),
        None => Ok(()),
    }
}

elbowroom::declare_error! {
    /// Why a clip was not animated.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AnimatedError;

    /// What was wrong with a clip.
    #[derive(Clone, Debug, PartialEq)]
    pub enum AnimatedErrorKind {
        /// There are no poses.
        #[error("the clip has no poses: give at least one")]
        NoPoses,
        /// There are no triangles.
        #[error("the mesh has no triangles: give at least one")]
        NoTriangles,
        /// The configuration asks for no poses to a key.
        #[error("keys are no poses apart: give at least one pose to a key")]
        NoPosesPerKey,
        /// A pose has another number of points than the first.
        #[error(
            "pose {pose} has {points} points and the first has {count}: give all points of one \
             mesh in every pose"
        )]
        Points {
            /// Which pose.
            pose: usize,
            /// How many points it has.
            points: usize,
            /// How many the first has.
            count: usize,
        },
        /// A coordinate is not finite or beyond 10³⁰.
        #[error(
            "point {point} of pose {pose} is not finite or beyond 1e30: give finite numbers, in a \
             larger unit if need be"
        )]
        Size {
            /// Of which pose.
            pose: usize,
            /// Of which point.
            point: usize,
        },
        /// A triangle names a point that is not there.
        #[error("triangle {triangle} names a point that is not among the {count} of a pose")]
        Corner {
            /// Which triangle.
            triangle: usize,
            /// How many points there are.
            count: usize,
        },
    }
}
