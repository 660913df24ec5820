//! W4: a tangle of pipes (143,000 long thin triangles) through which a copy of itself, 15 times
//! smaller, flies on a closed curve.
//!
//! Each pipe is a walk along the axes of a cube: straight pieces of 3 to 12 units and right-angled
//! bends, all of them 16-sided. Pipes pass through each other, as those of careless plants do.

use std::f64::consts::{FRAC_PI_2, TAU};

use elbowroom::Mesh;
use elbowroom_bench_protocol::files::Workload;
use glam::{DMat3, DVec3};

use super::random::{Random, whole};
use super::{checked, pose, rounded, scaled, turn, workload};

const SIDE: f64 = 45.0;
const SIDES: u32 = 16;
const RADIUS: f64 = 0.12;
const BEND: f64 = 0.5;
const TRIANGLES: usize = 143_000;
const SCALE: f64 = 1.0 / 15.0;
const POSES: u32 = 1000;

pub(super) fn pipes() -> Workload {
    let mut random = Random::new(1004);
    let tangle = tangle(&mut random);
    let phases: [f64; 6] = std::array::from_fn(|_| random.uniform(0.0, TAU));
    let poses = (0..POSES).map(|k| {
        let s = TAU * f64::from(k) / f64::from(POSES);
        let wave = |rate: f64, phase: f64| libm::sin(rate * s + phase);
        let at = DVec3::new(wave(3.0, phases[0]), wave(4.0, phases[1]), wave(5.0, phases[2]));
        let axis = DVec3::new(
            wave(2.0, phases[3]),
            libm::cos(3.0 * s + phases[4]),
            wave(1.0, phases[5]) + 0.01,
        );
        [pose(DMat3::IDENTITY, DVec3::ZERO), pose(turn(axis, 4.0 * s), 16.0 * at)]
    });
    let meshes = vec![("pipes", rounded(&tangle)), ("pipes_small", scaled(&tangle, SCALE))];
    workload(meshes, [0, 1], poses)
}

/// Pipes, until there are enough triangles, about the origin.
fn tangle(random: &mut Random) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    while triangles.len() < TRIANGLES {
        let first = vertices.len() as u32;
        let mut walk = Walk::start(random);
        let steps = whole(random, 6, 14);
        let _ = (0..steps).try_for_each(|_| walk.step(random));
        vertices.extend(walk.points.iter().map(|&point| point - DVec3::splat(0.5 * SIDE)));
        let rings = walk.points.len() as u32 / SIDES;
        for ring in 0..rings - 1 {
            for side in 0..SIDES {
                let at = |ring: u32, side: u32| first + ring * SIDES + side % SIDES;
                let [a, b] = [at(ring, side), at(ring + 1, side)];
                let [d, c] = [at(ring, side + 1), at(ring + 1, side + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    checked(vertices, triangles)
}

/// The end of a pipe that is being laid, and the rings behind it.
struct Walk {
    at: DVec3,
    along: DVec3,
    across: [DVec3; 2],
    points: Vec<DVec3>,
}

impl Walk {
    fn start(random: &mut Random) -> Self {
        let corner = [0; 3].map(|_| f64::from(whole(random, 0, SIDE as u32 + 1)));
        let at = DVec3::from_array(corner) + random.point(-0.15, 0.15);
        let along = axis(random);
        let u = if along.z == 0.0 { DVec3::Z } else { DVec3::X };
        let mut walk = Self { at, along, across: [u, along.cross(u)], points: Vec::new() };
        walk.ring();
        walk
    }

    fn ring(&mut self) {
        let [u, v] = self.across;
        self.points.extend((0..SIDES).map(|side| {
            let angle = TAU * f64::from(side) / f64::from(SIDES);
            self.at + RADIUS * (libm::cos(angle) * u + libm::sin(angle) * v)
        }));
    }

    /// A straight piece, if it stays within the cube, and a bend; `None` where the pipe cannot go
    /// on.
    fn step(&mut self, random: &mut Random) -> Option<()> {
        let length = f64::from(whole(random, 3, 13));
        if is_within(self.at + self.along * length) {
            self.at += self.along * (length - BEND);
            self.ring();
        }
        let corner = self.at + self.along * BEND;
        let next = (0..20)
            .map(|_| axis(random))
            .find(|&next| next.dot(self.along) == 0.0 && is_within(corner + next * (3.0 + BEND)))?;
        // A quarter turn about the centre of the bend.
        let centre = self.at + next * BEND;
        let bend = turn(self.along.cross(next), FRAC_PI_2);
        self.at = centre + bend * (self.at - centre);
        self.across = self.across.map(|axis| bend * axis);
        self.along = next;
        self.ring();
        Some(())
    }
}

/// One of the six directions along the axes.
fn axis(random: &mut Random) -> DVec3 {
    const AXES: [DVec3; 6] =
        [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    AXES[whole(random, 0, 6) as usize]
}

fn is_within(point: DVec3) -> bool {
    point.min_element() >= 0.0 && point.max_element() <= SIDE
}
