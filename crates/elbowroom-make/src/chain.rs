//! Chains of rigid links that swing.
//!
//! The authors of the articulated hierarchy (CAB) let chains of eight links swing against each
//! other: convex links three and six times as long as wide, links like the hull of a boat, and
//! braids. Their motions are lost; ours are sums of sines, drawn by a seed. Rings are here as well:
//! each passes through the next, and they do not touch while the chain hangs straight.

use std::f64::consts::TAU;

use elbowroom::Mesh;
use elbowroom_motion::body::{FreedomKind, Local, Rig};
use glam::{DQuat, DVec3};

use crate::random::Random;
use crate::rigid::{Links, about, turning};
use crate::{join, lat_long_sphere, torus};

/// The shape of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Link {
    /// A long ball.
    #[default]
    Convex,
    /// A long ball with a hollow, like the hull of a boat.
    Hull,
    /// Three strands wound around each other.
    Braid,
    /// A long ring through which the next one passes.
    Ring,
}

/// The measures of a chain.
///
/// ```
/// use elbowroom_make::{Chain, Link, chain};
///
/// let rings = chain(&Chain { link: Link::Ring, links: 12, ..Chain::default() });
/// assert_eq!((rings.parts.len(), rings.clips[0].name()), (12, "swing"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// The number of links, along -y from the origin.
    pub links: u32,
    /// The shape of the links.
    pub link: Link,
    /// The distance from joint to joint, in metres.
    pub length: f64,
    /// The ratio of length to width; rings need 2.5 at least.
    pub aspect: f64,
    /// The largest swing of a joint, in radians.
    pub swing: f64,
    /// The seed of the swing.
    pub seed: u64,
}

impl Default for Chain {
    fn default() -> Self {
        Self { links: 8, link: Link::Convex, length: 0.3, aspect: 3.0, swing: 0.9, seed: 1 }
    }
}

/// Seconds after which the swing begins again.
const PERIOD: f64 = 10.0;

/// A chain that hangs from the origin: one closed part a link, each on a joint that turns in any
/// way, and the clip `swing`.
///
/// # Panics
/// If there is no link or more than 65,535, or a length, aspect or swing that no chain has.
pub fn chain(what: &Chain) -> Rig {
    assert!((1..=65_535).contains(&what.links), "a chain of {} links", what.links);
    let least = if what.link == Link::Ring { 2.5 } else { 1.0 };
    assert!(
        what.length > 0.0 && what.length.is_finite() && (least..=50.0).contains(&what.aspect),
        "a link {} long and {} times as long as wide",
        what.length,
        what.aspect
    );
    assert!(what.swing.is_finite(), "a swing of {}", what.swing);
    let mesh = link(what);
    let mut links = Links::new("chain");
    for index in 0..what.links {
        let offset = if index == 0 { 0.0 } else { -what.length };
        let mut rest = Local::from_translation(DVec3::new(0.0, offset, 0.0));
        if what.link == Link::Ring && index > 0 {
            // Each ring stands across the one before it.
            rest.rotation = about(DVec3::Y, 0.25 * TAU);
        }
        let parent = index.checked_sub(1);
        let joint = links.add(format!("link{index}"), parent, rest, mesh.clone());
        links.free(format!("joint{index}"), joint, FreedomKind::Ball, DVec3::X, None);
    }
    let mut rig = links.rig();
    let swings = swings(what);
    let turns: Vec<(u32, &dyn Fn(f64) -> DQuat)> = swings
        .iter()
        .enumerate()
        .map(|(joint, swing)| (joint as u32, swing as &dyn Fn(f64) -> DQuat))
        .collect();
    rig.clips = vec![turning(&rig, "swing", PERIOD, &turns)];
    rig
}

/// How each joint turns: about x and about z, two sines each, with whole numbers of them in the
/// period.
fn swings(what: &Chain) -> Vec<impl Fn(f64) -> DQuat + use<>> {
    let mut random = Random::new(what.seed);
    let most = what.swing;
    (0..what.links)
        .map(|_| {
            let waves: [[f64; 3]; 4] = [0; 4].map(|_: u8| {
                let often = random.uniform(1.0, 6.0).floor();
                [often, random.uniform(0.0, TAU), random.uniform(0.2, 0.5) * most]
            });
            move |time: f64| {
                let wave = |[often, start, size]: [f64; 3]| {
                    size * libm::sin(TAU * often * time / PERIOD + start)
                };
                about(DVec3::X, wave(waves[0]) + wave(waves[1]))
                    * about(DVec3::Z, wave(waves[2]) + wave(waves[3]))
            }
        })
        .collect()
}

/// A link from the origin down, in its joint's frame.
fn link(what: &Chain) -> Mesh {
    let half = 0.5 * what.length;
    let wide = half / what.aspect;
    let middle = DVec3::new(0.0, -half, 0.0);
    match what.link {
        // A little short of the joints: neighbours do not touch while the chain is straight.
        Link::Convex => {
            shaped(&lat_long_sphere(10, 12), |p| middle + p * DVec3::new(wide, 0.98 * half, wide))
        }
        Link::Hull => shaped(&lat_long_sphere(15, 20), |p| {
            // What faces +z is folded in.
            let z = if p.z > 0.0 { -0.72 * p.z } else { p.z };
            middle + DVec3::new(p.x * wide, p.y * 0.98 * half, 2.0 * wide * z)
        }),
        Link::Braid => braid(half, wide),
        Link::Ring => ring(what.length, wide),
    }
}

pub(crate) fn shaped(mesh: &Mesh, place: impl Fn(DVec3) -> DVec3) -> Mesh {
    crate::mesh(mesh.vertices().iter().map(|&p| place(p)).collect(), mesh.triangles().to_vec())
}

/// Three long balls, bent into screws a third of a turn apart.
fn braid(half: f64, wide: f64) -> Mesh {
    let strand = |third: u32| {
        shaped(&lat_long_sphere(24, 8), |p| {
            let angle = TAU * (f64::from(third) / 3.0 + 0.75 * p.y);
            let out = 0.55 * wide;
            DVec3::new(
                out * libm::cos(angle) + 0.4 * wide * p.x,
                half * (0.98 * p.y - 1.0),
                out * libm::sin(angle) + 0.4 * wide * p.z,
            )
        })
    };
    join(&[strand(0), strand(1), strand(2)])
}

/// A ring in the plane z = 0 whose straight sides run down; it reaches beyond the joints at both
/// ends to hold its neighbours.
fn ring(length: f64, wide: f64) -> Mesh {
    let wire = 0.28 * wide;
    let bend = wide - wire;
    // The ends of neighbours hook behind each other, with 0.6 wires of play on a straight chain.
    let reach = 0.5 * length + 2.3 * wire;
    let straight = reach - wire - bend;
    let flat = torus(bend, wire, 24, 8);
    shaped(&flat, |p| {
        // From around the y axis to around the z axis, then pulled apart.
        let up = if p.x >= 0.0 { straight } else { -straight };
        DVec3::new(p.z, p.x + up - 0.5 * length, p.y)
    })
}
