//! Heights: a footprint for each slab of a body, so that legs are compared with legs and heads with
//! heads.
//!
//! ```text
//!      ( )   head        A body on a bridge is clear of one below it. Of two that stand side by side, a
//!      /|\   torso       slab of one is compared only with slabs of the other at heights that both reach.
//!      / \   legs
//! ```
//!
//! Triangles are cut by the planes between slabs, and each slab's contour is that of the pieces in
//! it. Cut surfaces are open above and below, so what a ring encloses in a slab counts as body:
//! slabs have no holes.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, §6, who leave it to future work.
//!
//! Invariants: every point of the mesh is in a slab of its height, to within what the slab's
//! circles allow for rounding; a point on a plane is in both. So where slabs are clear, surfaces do
//! not meet. (A wall that stands exactly upright covers nothing: what is within such walls, without
//! touching them, is not found, unlike with whole footprints.)

use glam::DVec3;

use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::footprint::{Footprint, FootprintConfig, Look, Nearness, Work, ask};

/// Heights at which bodies are cut, from the feet up.
///
/// ```
/// use elbowroom_papers::bch::Slices;
///
/// let legs_torso_head = Slices::new(&[0.8, 1.4])?;
/// assert_eq!(legs_torso_head.heights(), [0.8, 1.4]);
/// assert!(Slices::new(&[1.4, 0.8]).unwrap_err().to_string().contains("ascend"));
/// # Ok::<(), elbowroom_papers::bch::SlicesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slices {
    heights: Vec<f64>,
}

impl Slices {
    /// Cuts at heights of the body's own frame. Without any, there is one slab.
    ///
    /// # Errors
    /// If a height is not finite or not above the one before it.
    pub fn new(heights: &[f64]) -> Result<Self, SlicesError> {
        let mut before = f64::NEG_INFINITY;
        for (place, &height) in heights.iter().enumerate() {
            if !height.is_finite() {
                return Err(SlicesErrorKind::NotFinite { place, height }.into());
            }
            if height <= before {
                return Err(SlicesErrorKind::NotAscending { place, height, before }.into());
            }
            before = height;
        }
        Ok(Self { heights: heights.to_vec() })
    }

    /// The heights.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }
}

elbowroom::declare_error! {
    /// Why heights were refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SlicesError;

    /// What was wrong with heights.
    #[derive(Clone, Debug, PartialEq)]
    pub enum SlicesErrorKind {
        /// A height is NaN or infinite.
        #[error("height {place} of the slices is {height}: give a finite number")]
        NotFinite {
            /// Which.
            place: usize,
            /// The height.
            height: f64,
        },
        /// A height is not above the one before it.
        #[error(
            "height {place} of the slices is {height} after {before}: heights must ascend, each \
             above the one before"
        )]
        NotAscending {
            /// Which.
            place: usize,
            /// The height.
            height: f64,
            /// The one before it.
            before: f64,
        },
    }
}

/// The place of a body on the floor, and the height of that floor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stand {
    /// Seen from above.
    pub at: Planar,
    /// Added to the heights of the body.
    pub floor: f64,
}

/// A body in slabs.
///
/// ```
/// use elbowroom_papers::bch::{Sliced, Slices, Stand, ask_sliced};
/// use elbowroom_motion::footprint::{FootprintConfig, Look, Nearness, Work};
///
/// let ball = elbowroom_make::icosphere(8);
/// let sliced = Sliced::of_mesh(&ball, &Slices::new(&[-0.5, 0.5])?, &FootprintConfig::default());
/// assert_eq!(sliced.slabs().len(), 3);
/// let (here, above) = (Stand::default(), Stand { floor: 2.5, ..Stand::default() });
/// let said = ask_sliced(&sliced, &here, &sliced, &above, &Look::default(), &mut Work::default());
/// assert_eq!(said, Nearness::Clear);
/// # Ok::<(), elbowroom_papers::bch::SlicesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sliced {
    slabs: Vec<Footprint>,
}

impl Sliced {
    /// Slabs of a posed mesh.
    pub fn of_mesh(mesh: &Mesh, slices: &Slices, config: &FootprintConfig) -> Self {
        Self::new(mesh.vertices(), mesh.triangles(), slices, config)
    }

    /// Slabs of triangles over finite points, at least one.
    ///
    /// # Panics
    /// If there are no triangles, or one names a point that is not there.
    pub fn new(
        points: &[DVec3],
        triangles: &[[u32; 3]],
        slices: &Slices,
        config: &FootprintConfig,
    ) -> Self {
        assert!(!triangles.is_empty(), "the slabs of nothing");
        let lows = std::iter::once(f64::NEG_INFINITY).chain(slices.heights.iter().copied());
        let highs = slices.heights.iter().copied().chain([f64::INFINITY]);
        let config = FootprintConfig { holes: false, ..*config };
        let size = points.iter().map(|p| p.x.abs().max(p.y.abs())).fold(0.0, f64::max);
        let mut pieces = Pieces { size, ..Pieces::default() };
        let mut slabs = Vec::new();
        for (low, high) in lows.zip(highs) {
            pieces.cut(points, triangles, low, high);
            if !pieces.triangles.is_empty() {
                slabs.push(Footprint::with_margin(
                    &pieces.points,
                    &pieces.triangles,
                    &config,
                    pieces.margin(),
                ));
            }
        }
        Self { slabs }
    }

    /// The slabs that hold anything, from the feet up. Each knows its [height](Footprint::height).
    pub fn slabs(&self) -> &[Footprint] {
        &self.slabs
    }
}

/// What is between two heights.
#[derive(Default)]
struct Pieces {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Where a point of the mesh is among the points here.
    places: Vec<u32>,
    /// The largest coordinate of the mesh, seen from above.
    size: f64,
}

impl Pieces {
    fn cut(&mut self, points: &[DVec3], triangles: &[[u32; 3]], low: f64, high: f64) {
        const NOWHERE: u32 = u32::MAX;
        self.points.clear();
        self.triangles.clear();
        self.places.clear();
        self.places.resize(points.len(), NOWHERE);
        for corners in triangles {
            let heights = corners.map(|corner| points[corner as usize].z);
            if heights.iter().all(|&z| z < low) || heights.iter().all(|&z| z > high) {
                continue;
            }
            if heights.iter().all(|&z| low <= z && z <= high) {
                // Whole triangles keep their neighbours, so that their edges cancel.
                let place = |corner: u32| {
                    let place = &mut self.places[corner as usize];
                    if *place == NOWHERE {
                        *place = self.points.len() as u32;
                        self.points.push(points[corner as usize]);
                    }
                    *place
                };
                self.triangles.push(corners.map(place));
                continue;
            }
            let (ring, count) = clipped(corners.map(|corner| points[corner as usize]), low, high);
            let first = self.points.len() as u32;
            self.points.extend_from_slice(&ring[..count]);
            let fan = (2..count as u32).map(|k| [first, first + k - 1, first + k]);
            self.triangles.extend(fan);
        }
    }

    /// Points on planes are rounded, less than eight times, each time by no more than the mesh is
    /// large.
    fn margin(&self) -> f64 {
        8.0 * f64::EPSILON * self.size
    }
}

/// A triangle between two heights, that it reaches: three to five corners, in order. A point or an
/// edge comes as a flat triangle.
fn clipped(corners: [DVec3; 3], low: f64, high: f64) -> ([DVec3; 5], usize) {
    let (above, count) = half(&corners, low, |z| z - low);
    let (both, count) = half(&above[..count], high, |z| high - z);
    let mut ring = [both[0]; 5];
    let kept = count.clamp(1, 5);
    ring[..kept].copy_from_slice(&both[..kept]);
    (ring, kept.max(3))
}

/// The part of a convex ring on the side of a plane where a difference of heights is not negative:
/// at most one corner more.
fn half(ring: &[DVec3], plane: f64, side: impl Fn(f64) -> f64) -> ([DVec3; 6], usize) {
    let (mut out, mut count) = ([ring[0]; 6], 0);
    let mut put = |p: DVec3| {
        out[count] = p;
        count += 1;
    };
    for (k, &p) in ring.iter().enumerate() {
        let q = ring[(k + 1) % ring.len()];
        let (from, to) = (side(p.z), side(q.z));
        if from >= 0.0 {
            put(p);
        }
        if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
            // Halves, because the difference of the largest numbers overflows.
            let share = (0.5 * from) / (0.5 * from - 0.5 * to);
            let crossing = 2.0 * (0.5 * p).lerp(0.5 * q, share);
            put(DVec3 { z: plane, ..crossing });
        }
    }
    (out, count)
}

/// Whether two bodies are apart by their heights alone, farther than the margin: certain.
///
/// ```
/// use elbowroom_papers::bch::are_above;
/// use elbowroom_motion::footprint::{Footprint, FootprintConfig};
///
/// let ball = Footprint::of_mesh(&elbowroom_make::icosphere(4), &FootprintConfig::default());
/// assert!(are_above(&ball, 0.0, &ball, 2.5, 0.4) && !are_above(&ball, 0.0, &ball, 2.5, 0.6));
/// ```
pub fn are_above(a: &Footprint, floor_a: f64, b: &Footprint, floor_b: f64, margin: f64) -> bool {
    let ((low_a, high_a), (low_b, high_b)) = (a.height(), b.height());
    let size = [low_a, high_a, low_b, high_b, floor_a, floor_b, margin];
    let slack = 8.0 * f64::EPSILON * size.iter().map(|value| value.abs()).sum::<f64>();
    let gap = ((low_a + floor_a) - (high_b + floor_b)).max((low_b + floor_b) - (high_a + floor_a));
    // False where a floor is no number.
    gap > margin + slack
}

/// Whether two footprints are clear of each other, as by [`ask`], on floors with heights: bodies
/// one above the other are clear.
pub fn ask_standing(
    a: &Footprint,
    at_a: &Stand,
    b: &Footprint,
    at_b: &Stand,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    if are_above(a, at_a.floor, b, at_b.floor, look.margin) {
        return Nearness::Clear;
    }
    ask(a, &at_a.at, b, &at_b.at, look, work)
}

/// Whether two bodies in slabs are clear of each other: only slabs that share heights are compared.
pub fn ask_sliced(
    a: &Sliced,
    at_a: &Stand,
    b: &Sliced,
    at_b: &Stand,
    look: &Look,
    work: &mut Work,
) -> Nearness {
    let meets = |p: &Footprint, q: &Footprint, work: &mut Work| {
        ask_standing(p, at_a, q, at_b, look, work) == Nearness::MayTouch
    };
    let any = a.slabs.iter().any(|p| b.slabs.iter().any(|q| meets(p, q, work)));
    if any { Nearness::MayTouch } else { Nearness::Clear }
}
