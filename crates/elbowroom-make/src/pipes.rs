//! Pipes that wind through a cube at right angles.
//!
//! The OBB tree's authors let two such tangles fall into each other (Gottschalk, Lin and Manocha,
//! `OBBTree`, 1996). Their models are not archived; these are random walks of their kind. Each cell
//! of a lattice is used once at most, and a pipe keeps within its cells, so pipes never touch each
//! other or themselves.
//!
//! ```text
//!      +-------+-------+
//!      |   |   |       |     straight through a cell: one band
//!      |   |   |  _____|     a bend: a quarter circle from the middle of one face
//!      |   |   | /     |             to the middle of the next
//!      +---|---+-|-----+
//! ```

use std::f64::consts::FRAC_PI_2;

use elbowroom::Mesh;
use glam::{DVec3, IVec3};

use crate::join;
use crate::random::Random;
use crate::sheet::{assert_countable, between_poles};

/// The measures of a tangle of pipes.
///
/// ```
/// use elbowroom_make::{Pipes, pipes};
///
/// let tangle = pipes(&Pipes { seed: 7, ..Pipes::default() });
/// assert!(tangle.seams().is_closed() && tangle.seams().is_manifold());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pipes {
    /// Cells along each side of the cube. A cell has length 1.
    pub cells: u32,
    /// The number of pipes that are begun.
    pub pipes: u32,
    /// The most cells that one pipe runs through.
    pub longest: u32,
    /// The radius of a pipe; below half a cell.
    pub radius: f64,
    /// Flat strips around a pipe.
    pub sectors: u32,
    /// Bands of a bend.
    pub bend: u32,
    /// The seed of the tangle.
    pub seed: u64,
}

impl Default for Pipes {
    fn default() -> Self {
        Self { cells: 12, pipes: 24, longest: 60, radius: 0.3, sectors: 12, bend: 5, seed: 1 }
    }
}

/// How likely a pipe is to go straight on where it can.
const STRAIGHT: f64 = 0.55;
const WAYS: [IVec3; 6] = [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y, IVec3::Z, IVec3::NEG_Z];

/// A tangle of closed pipes around the origin. A pipe that finds no way on is shorter; one that
/// finds no room to begin is left out.
///
/// # Panics
/// If there are no pipes or cells, fewer than 3 sectors, 1 band or 2 cells a pipe, a radius that is
/// not between 0 and 0.5, or more than u32 can number.
pub fn pipes(what: &Pipes) -> Mesh {
    assert!(
        what.cells >= 2 && what.pipes >= 1 && what.longest >= 2 && what.bend >= 1,
        "no pipe can be laid of {what:?}"
    );
    assert!(what.sectors >= 3, "a pipe has 3 sectors at least, not {}", what.sectors);
    assert!(
        what.radius > 0.0 && what.radius < 0.5,
        "a pipe of radius {} leaves its cell",
        what.radius
    );
    assert!(what.cells <= 512, "{} cells a side are too many", what.cells);
    let rings = u64::from(what.pipes) * u64::from(what.longest) * u64::from(what.bend + 1);
    assert_countable(rings * u64::from(what.sectors));
    let mut lattice = Lattice::new(what.cells, what.seed);
    let walks = (0..what.pipes).filter_map(|_| lattice.walk(what.longest));
    let tubes: Vec<Mesh> = walks.map(|walk| tube(what, &walk)).collect();
    join(&tubes)
}

struct Lattice {
    cells: usize,
    is_taken: Vec<bool>,
    random: Random,
}

impl Lattice {
    fn new(cells: u32, seed: u64) -> Self {
        let is_taken = vec![false; (cells * cells * cells) as usize];
        Self { cells: cells as usize, is_taken, random: Random::new(seed) }
    }

    fn pick(&mut self, count: usize) -> usize {
        crate::whole(self.random.uniform(0.0, count as f64)).min(count - 1)
    }

    fn slot(&self, cell: IVec3) -> Option<usize> {
        let [x, y, z] = cell.to_array().map(|at| usize::try_from(at).ok());
        let inside = |at: Option<usize>| at.filter(|&at| at < self.cells);
        Some((inside(x)? * self.cells + inside(y)?) * self.cells + inside(z)?)
    }

    fn is_free(&self, cell: IVec3) -> bool {
        self.slot(cell).is_some_and(|slot| !self.is_taken[slot])
    }

    fn take(&mut self, cell: IVec3) {
        if let Some(slot) = self.slot(cell) {
            self.is_taken[slot] = true;
        }
    }

    /// A walk through free cells, which are then taken; none if no place to begin was found.
    fn walk(&mut self, longest: u32) -> Option<Vec<IVec3>> {
        let start = (0..64).find_map(|_| {
            let cell = [0; 3].map(|_: i32| (self.pick(self.cells) as u32).cast_signed());
            let cell = IVec3::from(cell);
            let has_way = WAYS.iter().any(|&way| self.is_free(cell + way));
            (self.is_free(cell) && has_way).then_some(cell)
        })?;
        self.take(start);
        let mut walk = vec![start];
        let mut way = IVec3::ZERO;
        while (walk.len() as u32) < longest {
            let here = walk[walk.len() - 1];
            let open: Vec<IVec3> =
                WAYS.into_iter().filter(|&next| self.is_free(here + next)).collect();
            if open.is_empty() {
                break;
            }
            let goes_on = open.contains(&way) && self.random.uniform(0.0, 1.0) < STRAIGHT;
            way = if goes_on { way } else { open[self.pick(open.len())] };
            walk.push(here + way);
            self.take(here + way);
        }
        Some(walk)
    }
}

/// A ring around a pipe: its centre, and two directions across.
#[derive(Clone, Copy)]
struct Ring {
    centre: DVec3,
    u: DVec3,
    v: DVec3,
}

fn tube(what: &Pipes, walk: &[IVec3]) -> Mesh {
    let middle = 0.5 * f64::from(what.cells - 1);
    let rings = rings(walk, what.bend);
    let mut vertices = vec![rings[0].centre - middle];
    for ring in &rings {
        vertices.extend((0..what.sectors).map(|sector| {
            let (cos, sin) = crate::circle::on_circle(sector, what.sectors);
            ring.centre + what.radius * (ring.u * cos + ring.v * sin) - middle
        }));
    }
    vertices.push(rings[rings.len() - 1].centre - middle);
    crate::mesh(vertices, between_poles(rings.len() as u32, what.sectors))
}

fn rings(walk: &[IVec3], bend: u32) -> Vec<Ring> {
    let way = (walk[1] - walk[0]).as_dvec3();
    let u = DVec3::new(way.y.abs(), way.z.abs(), way.x.abs());
    // Seen from the start the ring runs counter-clockwise.
    let mut ring = Ring { centre: walk[0].as_dvec3(), u, v: u.cross(way) };
    let mut rings = vec![ring];
    for window in walk.windows(3) {
        let [from, to] = [window[1] - window[0], window[2] - window[1]].map(IVec3::as_dvec3);
        ring.centre = window[1].as_dvec3() - 0.5 * from;
        rings.push(ring);
        if from != to {
            turn(&mut rings, ring, [from, to], bend);
            // A quarter turn takes one direction to the other; the third stays.
            let quarter = |w: DVec3| {
                w - w.dot(from) * from - w.dot(to) * to + w.dot(from) * to - w.dot(to) * from
            };
            (ring.u, ring.v) = (quarter(ring.u), quarter(ring.v));
        }
    }
    let last = walk.len() - 1;
    let way = (walk[last] - walk[last - 1]).as_dvec3();
    for centre in [walk[last].as_dvec3() - 0.5 * way, walk[last].as_dvec3()] {
        rings.push(Ring { centre, ..ring });
    }
    rings
}

/// The rings of a bend but for the first and the last.
fn turn(rings: &mut Vec<Ring>, first: Ring, [from, to]: [DVec3; 2], bend: u32) {
    let hub = first.centre + 0.5 * to;
    for band in 1..bend {
        let angle = FRAC_PI_2 * f64::from(band) / f64::from(bend);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let along = from * cos + to * sin;
        let out = to * cos - from * sin;
        let turned = |w: DVec3| {
            w - w.dot(from) * from - w.dot(to) * to + w.dot(from) * along + w.dot(to) * out
        };
        rings.push(Ring { centre: hub - 0.5 * out, u: turned(first.u), v: turned(first.v) });
    }
}
