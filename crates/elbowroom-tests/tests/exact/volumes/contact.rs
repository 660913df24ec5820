//! Two shapes in the world that touch in one point and lie on either side of a plane through it.
//!
//! The touching points are vertices, p of the first shape and q of the second. No f64 translation
//! makes the placed points coincide exactly, so the translation is the nearest one, their distance
//! is worked out in exact arithmetic, and the margin is just that: with it, no test may say
//! *apart*.

use elbowroom::Pose;
use elbowroom::internal::volume::{Fit, Meet, Rigid, Spatial};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

use super::shapes::{Triangle, rotation, vector};
use elbowroom_tests::dyadic::{minus, placed};

pub(crate) struct Contact {
    pub(crate) a: Vec<Triangle>,
    pub(crate) b: Vec<Triangle>,
    pub(crate) place_a: Pose,
    pub(crate) place_b: Pose,
    pub(crate) margin: f64,
    /// From the first to the second, in the world.
    pub(crate) normal: DVec3,
    pub(crate) fit: Fit,
}

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    Points,
    FaceAndCorner,
    CornerAndFace,
    Edges,
    Corners,
}

impl Touch {
    pub(crate) const ALL: [Self; 5] =
        [Self::Points, Self::FaceAndCorner, Self::CornerAndFace, Self::Edges, Self::Corners];
}

/// How far from a rotation the poses are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Turn {
    /// By rounding only.
    Rigid,
    /// By as much as is let in.
    Skewed,
    /// About z.
    Upright,
}

impl Contact {
    pub(crate) fn random(touch: Touch, turn: Turn, random: &mut Random) -> Self {
        let normal = vector(random).normalize();
        let along = normal.cross(vector(random)).normalize();
        let [turn_a, turn_b] = [(); 2].map(|()| turned(turn, random));
        // Far from the origin against their size, and from the other origin.
        let [far_a, far_b, far_t] = [(); 3].map(|()| 10_f64.powf(random.uniform(-2.0, 2.0)));
        let (p, q) = (vector(random) * far_a, vector(random) * far_b);
        let place_a = Pose::new(turn_a, vector(random) * far_t).expect("a rotation");
        let reversed = match touch {
            Touch::FaceAndCorner => Touch::CornerAndFace,
            Touch::CornerAndFace => Touch::FaceAndCorner,
            other => other,
        };
        let second_along = normal.cross(along + vector(random) * 0.3).normalize();
        let a = side(touch, p, turn_a.transpose(), -normal, along, random);
        let b = side(reversed, q, turn_b.transpose(), normal, second_along, random);
        let mut shift = place_a.apply(p) - turn_b * q;
        let apart = |shift: DVec3| {
            let target = placed(turn_a, place_a.translation(), p);
            minus(&target, &placed(turn_b, shift, q))
        };
        shift += DVec3::from_array(apart(shift).map(|w| w.near()));
        let margin = apart(shift).map(|w| w.abs().up()).iter().sum::<f64>().next_up();
        let place_b = Pose::new(turn_b, shift).expect("a rotation");
        let fit = *random.choice(&Fit::ALL);
        Self { a, b, place_a, place_b, margin, normal, fit }
    }

    /// Where the second stands, moved along the normal.
    pub(crate) fn moved(&self, by: f64) -> Pose {
        let shift = self.place_b.translation() + self.normal * by;
        Pose::new(self.place_b.rotation(), shift).expect("a rotation")
    }

    pub(crate) fn rigid(&self) -> Rigid {
        self.rigid_at(&self.place_b, self.margin)
    }

    pub(crate) fn rigid_at(&self, place_b: &Pose, margin: f64) -> Rigid {
        Rigid::new(&self.place_a, reach(&self.a), place_b, reach(&self.b), margin)
    }

    pub(crate) fn size(&self) -> f64 {
        let shift = self.place_b.translation() - self.place_a.translation();
        reach(&self.a) + reach(&self.b) + shift.abs().element_sum() + self.margin
    }

    pub(crate) fn volumes<V: Spatial, W: Spatial>(&self) -> (V, W) {
        (V::of_triangles(&self.a, self.fit), W::of_triangles(&self.b, self.fit))
    }
}

pub(crate) fn may_meet<V: Meet<W> + Spatial, W: Spatial>((v, w): &(V, W), rigid: &Rigid) -> bool {
    v.may_meet(w, &V::Space::from(rigid))
}

fn turned(turn: Turn, random: &mut Random) -> DMat3 {
    match turn {
        Turn::Rigid => rotation(random),
        Turn::Upright => DMat3::from_rotation_z(random.uniform(-4.0, 4.0)),
        Turn::Skewed => {
            // Up to 6 entries of 2e-10, those beside the diagonal twice: below 1e-9 in norm.
            let [d, e] = [(); 2].map(|()| vector(random).signum() * 2.8e-10);
            let skew = DMat3::from_cols(
                DVec3::new(d.x, e.x, e.y),
                DVec3::new(e.x, d.y, e.z),
                DVec3::new(e.y, e.z, d.z),
            );
            rotation(random) * (DMat3::IDENTITY + skew)
        }
    }
}

/// A shape in its own frame on the side of a plane that `outward` (in the world) points to.
fn side(
    touch: Touch,
    tip: DVec3,
    frame: DMat3,
    outward: DVec3,
    along: DVec3,
    random: &mut Random,
) -> Vec<Triangle> {
    let across = outward.cross(along);
    let mut corner = || {
        let at = vector(random);
        let offset = match touch {
            Touch::Points => DVec3::ZERO,
            Touch::FaceAndCorner => along * at.x + across * at.y,
            Touch::CornerAndFace | Touch::Corners => {
                at + outward * (at.dot(outward).abs() - at.dot(outward))
            }
            Touch::Edges => along * at.x,
        };
        tip + frame * offset
    };
    (0..3).map(|_| [tip, corner(), corner()]).collect()
}

fn reach(triangles: &[Triangle]) -> f64 {
    triangles.as_flattened().iter().map(|p| p.abs().element_sum()).fold(0.0, f64::max)
}

/// Calls a generic function for every pair of families that can be tested.
macro_rules! for_every_pair {
    ($function:ident $arguments:tt) => {{
        use elbowroom::internal::volume::{Aabb, Cylinder, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Sphere};
        for_every_pair!(@ $function $arguments
            (Sphere Sphere) (Aabb Aabb) (Obb Obb) (Cylinder Cylinder)
            (Kdop14 Kdop14) (Kdop18 Kdop18) (Kdop24 Kdop24) (Kdop26 Kdop26)
            (Sphere Aabb) (Aabb Sphere) (Sphere Obb) (Obb Sphere) (Aabb Obb) (Obb Aabb)
            (Sphere Cylinder) (Cylinder Sphere) (Sphere Kdop18) (Kdop18 Sphere)
            (Aabb Kdop18) (Kdop18 Aabb) (Obb Kdop18) (Kdop18 Obb)
            (Sphere Kdop14) (Kdop26 Sphere) (Aabb Kdop24) (Kdop14 Aabb) (Obb Kdop26) (Kdop24 Obb))
    }};
    (@ $function:ident $arguments:tt $(($a:ident $b:ident))*) => {
        { $($function::<$a, $b> $arguments;)* }
    };
}
pub(crate) use for_every_pair;

/// How many pairs [`for_every_pair`] knows.
pub(crate) const PAIRS: usize = 28;
