//! Motions among what stands still: disks, walls, polygons.
//!
//! A sample hits an obstacle if its centre is nearer to it than its radius (or as near, where
//! touching counts). Distances to segments are to the nearest point, in f64; a polygon is what its
//! ring encloses by the even-odd rule, and its edges. When does not matter: an obstacle is there
//! all the time.
//!
//! Where a motion moves between samples, the disk on its way to the next is compared as well: at
//! both ends, and wherever its distance from the obstacle less its radius may be least. That is
//! convex in time, and its least place is nearest to an end of a segment, above one, or on it. A
//! centre that goes through an edge of a polygon hits it, whatever its radius.
//!
//! The motion's circles say where to look.

use glam::DVec2;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::error::{TraceError, TraceErrorKind};
use elbowroom_motion::space_time::query::Workspace;
use elbowroom_motion::space_time::side::{Disk, Sides};
use elbowroom_motion::space_time::tracked::Tracked;

/// Something that stands still.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// A pillar.
    Disk {
        /// The centre.
        center: DVec2,
        /// The radius.
        radius: f64,
    },
    /// A thin wall.
    Segment {
        /// From here.
        from: DVec2,
        /// To here.
        to: DVec2,
    },
    /// The inside of a closed ring of at least three points, by the even-odd rule.
    Polygon(Vec<DVec2>),
}

/// Obstacles in the world.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_papers::mobb::{Obstacle, Obstacles};
/// use elbowroom_motion::space_time::{Config, Sample, Trace, Tracked, Workspace};
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
    /// If a number is not finite or too large, or a radius is negative; `sample` is the obstacle's
    /// number. A polygon without points is refused as empty.
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

    /// The first sample of a motion that hits an obstacle, where it stands or on its way to the
    /// next, and which: the first of several.
    pub fn first_hit(
        &self,
        clip: &Tracked,
        at: &Planar,
        _workspace: &Workspace,
    ) -> Option<(usize, usize)> {
        let elbowroom_motion::space_time::rings::Around { x, y, outer: radius, .. } =
            clip.rings().circles(0);
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
        let first = chunk * elbowroom_motion::space_time::rings::CHUNK;
        (first..(first + elbowroom_motion::space_time::rings::CHUNK).min(clip.trace().len()))
            .find_map(|k| {
                let disk = |k: usize| {
                    let sample = clip.trace().sample(k);
                    let center = at.apply(sample.center);
                    Disk { x: center.x, y: center.y, radius: sample.radius }
                };
                let moves = clip.is_linear() && k + 1 < clip.trace().len();
                let way = [disk(k), disk(if moves { k + 1 } else { k })];
                let touching = clip.config().touching;
                let hits = |shape: &Obstacle| {
                    hits(shape, way[0], touching) || moves && hits_moving(shape, way, touching)
                };
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

fn near(square: f64, reach: f64, touching: bool) -> bool {
    square < reach * reach || touching && square == reach * reach
}

fn hits(shape: &Obstacle, disk: Disk, touching: bool) -> bool {
    let (center, radius) = (DVec2::new(disk.x, disk.y), disk.radius);
    match shape {
        Obstacle::Disk { center: middle, radius: more } => {
            near((center - middle).length_squared(), radius + more, touching)
        }
        Obstacle::Segment { from, to } => {
            near(square_from_segment(center, *from, *to), radius, touching)
        }
        Obstacle::Polygon(ring) => {
            edges(ring).any(|(p, q)| near(square_from_segment(center, p, q), radius, touching))
                || is_inside(center, ring)
        }
    }
}

/// Whether a disk hits on its way from one place to another; at the first it does not.
fn hits_moving(shape: &Obstacle, way: [Disk; 2], touching: bool) -> bool {
    match shape {
        Obstacle::Disk { center, radius } => {
            let share = nearest(way, *center, *radius).unwrap_or(1.0);
            [share, 1.0].into_iter().any(|share| hits(shape, on_way(way, share), touching))
        }
        Obstacle::Segment { from, to } => passes(way, *from, *to, touching),
        Obstacle::Polygon(ring) => {
            edges(ring).any(|(p, q)| passes(way, p, q, touching) || goes_through(way, p, q))
                || hits(shape, way[1], touching)
        }
    }
}

fn on_way([from, to]: [Disk; 2], share: f64) -> Disk {
    from.towards(to, share)
}

/// The share of the way at which a disk is nearest to another that stands, beside the ends.
fn nearest([from, to]: [Disk; 2], center: DVec2, radius: f64) -> Option<f64> {
    let stands = Disk { x: center.x, y: center.y, radius };
    Sides::nearest(&[(from, stands), (to, stands)])
}

/// Whether a disk comes too near to a segment on its way.
fn passes(way: [Disk; 2], p: DVec2, q: DVec2, touching: bool) -> bool {
    let [from, to] = way.map(|disk| DVec2::new(disk.x, disk.y));
    let (step, along) = (to - from, q - p);
    // Where it passes an end of the segment, and where it goes through its line.
    let passing = |end: DVec2| (end - from).dot(along) / step.dot(along);
    let through = (p - from).perp_dot(along) / step.perp_dot(along);
    let beside = [Some(passing(p)), Some(passing(q)), Some(through)];
    let shares = [nearest(way, p, 0.0), nearest(way, q, 0.0)].into_iter().chain(beside).flatten();
    shares.chain([1.0]).filter(|share| (0.0..=1.0).contains(share)).any(|share| {
        let Disk { x, y, radius } = on_way(way, share);
        near(square_from_segment(DVec2::new(x, y), p, q), radius, touching)
    })
}

/// Whether the centre of a disk goes through a segment, from one side to the other.
fn goes_through(way: [Disk; 2], p: DVec2, q: DVec2) -> bool {
    let [from, to] = way.map(|disk| DVec2::new(disk.x, disk.y));
    let side = |a: DVec2, b: DVec2, point: DVec2| (b - a).perp_dot(point - a);
    let opposite = |a: f64, b: f64| a < 0.0 && b > 0.0 || a > 0.0 && b < 0.0;
    opposite(side(p, q, from), side(p, q, to)) && opposite(side(from, to, p), side(from, to, q))
}
