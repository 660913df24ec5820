//! A sphere with bumps: every seed another, all of them star-shaped, so none meets itself.

use elbowroom::Mesh;
use glam::DVec3;

use crate::icosphere;
use crate::random::Random;

/// Waves of random direction, length and phase are added to the radius.
const WAVES: usize = 12;

/// A ball whose radius varies by less than `amplitude` about 1, with `20 frequency²` triangles.
///
/// # Panics
/// If the frequency is 0 or too large (see [`icosphere`]), or the amplitude is not within 0..1.
pub fn bumpy_sphere(frequency: u32, amplitude: f64, seed: u64) -> Mesh {
    assert!(
        (0.0..1.0).contains(&amplitude),
        "the amplitude of the bumps is a fraction of the radius, not {amplitude}"
    );
    let mut random = Random::new(seed);
    let waves: [Wave; WAVES] = std::array::from_fn(|_| Wave::new(&mut random));
    let height = |direction: DVec3| {
        let sum: f64 = waves.iter().map(|wave| wave.at(direction)).sum();
        sum / WAVES as f64
    };
    let ball = icosphere(frequency);
    let vertices = ball.vertices().iter().map(|&d| d * (1.0 + amplitude * height(d)));
    crate::mesh(vertices.collect(), ball.triangles().to_vec())
}

/// A plane wave through space, of which the sphere sees its part.
struct Wave {
    number: DVec3,
    phase: f64,
}

impl Wave {
    fn new(random: &mut Random) -> Self {
        let mut number = || random.uniform(-7.0, 7.0);
        Self {
            number: DVec3::new(number(), number(), number()),
            phase: random.uniform(0.0, std::f64::consts::TAU),
        }
    }

    fn at(&self, point: DVec3) -> f64 {
        libm::sin(self.number.dot(point) + self.phase)
    }
}
