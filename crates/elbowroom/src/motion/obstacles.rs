//! Motions among what stands still: disks, walls, polygons.
//!
//! A sample hits an obstacle if its centre is nearer to it than its radius (or as near, where touching counts). Distances to segments are to
//! the nearest point, in f64; a polygon is what its ring encloses by the even-odd rule, and its edges. When does not matter: an obstacle is there
//! all the time. Samples are held; the way between two is not looked at.
//!
//! The motion's circles say where to look.

use glam::DVec2;

use super::error::{TraceError, TraceErrorKind};
use super::query::Workspace;
use super::tracked::Tracked;
use crate::math::planar::Planar;

/// Something that stands still.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// A pillar.
    Disk {
        /// Its centre.
        center: DVec2,
        /// Its radius.
        radius: f64,
    },
    /// A thin wall.
    Segment {
        /// From here.
        from: DVec2,
        /// To here.
        to: DVec2,
    },
    /// What a closed ring of at least three points encloses, by the even-odd rule.
    Polygon(Vec<DVec2>),
}

/// Obstacles in the world.
///
/// ```
/// use elbowroom::math::planar::Planar;
/// use elbowroom::motion::{Config, Obstacle, Obstacles, Sample, Trace, Tracked, Workspace};
/// use glam::DVec2;
///
/// let wall = Obstacle::Segment { from: DVec2::new(3.0, -1.0), to: DVec2::new(3.0, 1.0) };
/// let room = Obstacles::new(vec![wall])?;
/// let walk: Vec<Sample> = (0..50).map(|k| Sample::new(0.125 * f64::from(k), 0.0, 0.5)).collect();
/// let walk = Tracked::new(Trace::new(&walk, 1.0 / 30.0)?, Config::default())?;
/// let workspace = Workspace::new();
/// // After sample 20 the disk is nearer than half a metre.
/// assert_eq!(room.first_hit(&walk, &Planar::IDENTITY, &workspace), Some((21, 0)));
/// let aside = Planar::new(1.0, 0.0, DVec2::new(0.0, 2.0))?;
/// assert_eq!(room.first_hit(&walk, &aside, &workspace), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    shapes: Vec<Obstacle>,
    /// A circle around each: centre, radius.
    around: Vec<(DVec2, f64)>,
}

impl Obstacles {
    /// Checks the obstacles.
    ///
    /// # Errors
    /// If a number is not finite or too large, or a radius is negative; `sample` is the obstacle's number. A polygon without points is
    /// refused as empty.
    pub fn new(shapes: Vec<Obstacle>) -> Result<Self, TraceError> {
        for (sample, shape) in shapes.iter().enumerate() {
            check(sample, shape)?;
        }
        let around = shapes.iter().map(enclosing).collect();
        Ok(Self { shapes, around })
    }

    /// The obstacles, as given.
    pub fn shapes(&self) -> &[Obstacle] {
        &self.shapes
    }

    /// The first sample of a motion that hits an obstacle, and which: the first of several.
    pub fn first_hit(
        &self,
        clip: &Tracked,
        at: &Planar,
        _workspace: &Workspace,
    ) -> Option<(usize, usize)> {
        let super::rings::Around { x, y, outer: radius, .. } = clip.rings().circles(0);
        let size = clip.reach() + at.translation().abs().element_sum();
        let slack = size * (256.0 * f64::EPSILON + 4.0 * at.deviation()) + 1e-150;
        for chunk in 0..x.len() {
            let center = at.apply(DVec2::new(x[chunk], y[chunk]));
            let near = |&(middle, reach): &(DVec2, f64)| {
                center.distance(middle) <= radius[chunk] + reach + slack
            };
            if self.around.iter().any(near)
                && let Some(hit) = self.hit_in(clip, at, chunk)
            {
                return Some(hit);
            }
        }
        None
    }

    fn hit_in(&self, clip: &Tracked, at: &Planar, chunk: usize) -> Option<(usize, usize)> {
        let first = chunk * super::rings::CHUNK;
        (first..(first + super::rings::CHUNK).min(clip.trace().len())).find_map(|k| {
            let sample = clip.trace().sample(k);
            let center = at.apply(sample.center);
            let hits =
                |shape: &Obstacle| hits(shape, center, sample.radius, clip.config().touching);
            self.shapes.iter().position(hits).map(|shape| (k, shape))
        })
    }
}

fn check(sample: usize, shape: &Obstacle) -> Result<(), TraceError> {
    let (points, radius): (Vec<DVec2>, f64) = match shape {
        Obstacle::Disk { center, radius } => (vec![*center], *radius),
        Obstacle::Segment { from, to } => (vec![*from, *to], 0.0),
        Obstacle::Polygon(ring) => (ring.clone(), 0.0),
    };
    if points.is_empty() {
        return Err(TraceErrorKind::Empty.into());
    }
    for point in points {
        for (name, value) in [("x", point.x), ("y", point.y), ("radius", radius)] {
            if value.is_nan() || value.abs() > Planar::MOST {
                return Err(TraceErrorKind::Size { sample, name, value }.into());
            }
        }
    }
    if radius < 0.0 {
        return Err(TraceErrorKind::NegativeRadius { sample, radius }.into());
    }
    Ok(())
}

/// A circle around an obstacle, rounded up.
fn enclosing(shape: &Obstacle) -> (DVec2, f64) {
    let about = |points: &[DVec2], radius: f64| {
        let center = points.iter().map(|&p| p / points.len() as f64).sum::<DVec2>();
        let reach = points.iter().map(|p| p.distance(center)).fold(0.0, f64::max) + radius;
        let size = center.abs().element_sum() + reach;
        (center, reach + 64.0 * f64::EPSILON * size + 1e-150)
    };
    match shape {
        Obstacle::Disk { center, radius } => about(&[*center], *radius),
        Obstacle::Segment { from, to } => about(&[*from, *to], 0.0),
        Obstacle::Polygon(ring) => about(ring, 0.0),
    }
}

/// The square of the distance of a point from a segment.
fn square_from_segment(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let (along, apart) = (to - from, point - from);
    let length = along.length_squared();
    let share = if length > 0.0 { (apart.dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (apart - share * along).length_squared()
}

fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

/// Whether a ray to the right crosses an odd number of edges.
fn is_inside(point: DVec2, ring: &[DVec2]) -> bool {
    edges(ring).fold(false, |inside, (p, q)| {
        let spans = (p.y > point.y) != (q.y > point.y);
        inside ^ (spans && point.x < p.x + (point.y - p.y) / (q.y - p.y) * (q.x - p.x))
    })
}

fn hits(shape: &Obstacle, center: DVec2, radius: f64, touching: bool) -> bool {
    let near =
        |square: f64, reach: f64| square < reach * reach || touching && square == reach * reach;
    match shape {
        Obstacle::Disk { center: middle, radius: more } => {
            near((center - middle).length_squared(), radius + more)
        }
        Obstacle::Segment { from, to } => near(square_from_segment(center, *from, *to), radius),
        Obstacle::Polygon(ring) => {
            edges(ring).any(|(p, q)| near(square_from_segment(center, p, q), radius))
                || is_inside(center, ring)
        }
    }
}
