//! Volumes of two families against each other, as trees with layers need them.
//!
//! A pair is written for the family in whose frame it is simplest; the other order looks at the
//! same space from the other side, but for boxes, whose slack has no room for that turn.
//!
//! | first | second | how |
//! |---|---|---|
//! | box | ball | distance of the centre, clamped to the box, from the centre |
//! | AABB | OBB | fifteen directions |
//! | k-DOP | ball | distance of the centre from each slab |
//! | k-DOP | AABB | the box along each direction of the k-DOP; in one frame the first three are common |
//! | k-DOP | OBB | fifteen directions, with the box of the k-DOP's first three slabs |
//! | cylinder | ball | distance of the centre from the cylinder |

use glam::DVec3;

use super::round::longer;
use super::{Aabb, Cylinder, Kdop, Meet, Obb, ObbPair, Rigid, Sphere};

/// A space seen from its second object.
#[derive(Clone, Copy, Debug)]
pub struct Mirrored(Rigid);

impl From<&Rigid> for Mirrored {
    fn from(space: &Rigid) -> Self {
        Self(space.inverse())
    }
}

/// The overlap test with the arguments exchanged.
macro_rules! mirror {
    ($first:ty, $second:ty $(, $n:ident)?) => {
        impl $(<const $n: usize>)? Meet<$second> for $first {
            type Space = Mirrored;

            #[inline]
            fn may_meet(&self, other: &$second, space: &Mirrored) -> bool {
                other.may_meet(self, &space.0)
            }
        }
    };
}

mirror!(Sphere, Aabb);
mirror!(Sphere, Obb);
mirror!(Sphere, Cylinder);
mirror!(Sphere, Kdop<N>, N);
mirror!(Aabb, Kdop<N>, N);

/// A ball whose centre is here, seen from the box's centre along its axes.
fn box_meets_ball(half: DVec3, center: DVec3, radius: f64) -> bool {
    !longer((center.abs() - half).max(DVec3::ZERO), radius)
}

impl Meet<Sphere> for Aabb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Sphere, space: &Rigid) -> bool {
        let center = space.apply(other.center) - self.center();
        box_meets_ball(self.half(), center, other.radius + space.allowance())
    }
}

impl Meet<Sphere> for Obb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Sphere, space: &Rigid) -> bool {
        let center = self.axes.transpose() * (space.apply(other.center) - self.center);
        box_meets_ball(self.half, center, other.radius + space.allowance())
    }
}

impl Meet<Sphere> for Cylinder {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Sphere, space: &Rigid) -> bool {
        let gap = self.gap(space.apply(other.center));
        !longer(gap, other.radius + space.allowance())
    }
}

impl Meet<Obb> for Aabb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Obb, space: &Rigid) -> bool {
        let r = space.rotation * other.axes;
        let t = space.apply(other.center) - self.center();
        !ObbPair::new(r, t, self.half(), other.half).apart(space.allowance())
    }
}

impl Meet<Aabb> for Obb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Aabb, space: &Rigid) -> bool {
        let turn = self.axes.transpose();
        let t = turn * (space.apply(other.center()) - self.center);
        !ObbPair::new(turn * space.rotation, t, self.half, other.half()).apart(space.allowance())
    }
}

impl<const N: usize> Meet<Kdop<N>> for Obb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Kdop<N>, space: &Rigid) -> bool {
        self.may_meet(&other.bounds(), space)
    }
}

impl<const N: usize> Meet<Obb> for Kdop<N> {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Obb, space: &Rigid) -> bool {
        self.bounds().may_meet(other, space)
    }
}

impl<const N: usize> Meet<Sphere> for Kdop<N> {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Sphere, space: &Rigid) -> bool {
        let center = space.apply(other.center);
        let radius = other.radius + space.allowance();
        (0..N).all(|i| {
            let (direction, [low, high]) = (Self::DIRECTIONS[i], self.slabs[i]);
            let at = direction.dot(center);
            let limit = radius * Self::LENGTHS[i];
            !(at - high > limit || low - at > limit)
        })
    }
}

impl<const N: usize> Meet<Aabb> for Kdop<N> {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Aabb, space: &Rigid) -> bool {
        let (center, half) = (space.apply(other.center()), other.half());
        let turn = space.rotation.transpose();
        (0..N).all(|i| {
            let (direction, [low, high]) = (Self::DIRECTIONS[i], self.slabs[i]);
            let at = direction.dot(center);
            let radius = (turn * direction).abs().dot(half);
            let limit = radius + space.allowance() * Self::LENGTHS[i];
            !(at - high > limit || low - at > limit)
        })
    }
}

/// Two k-DOPs with different directions: the boxes of the axes.
macro_rules! unlike {
    ($($n:literal, $m:literal;)*) => {$(
        impl Meet<Kdop<$m>> for Kdop<$n> {
            type Space = Rigid;

            #[inline]
            fn may_meet(&self, other: &Kdop<$m>, space: &Rigid) -> bool {
                self.bounds().may_meet(&other.bounds(), space)
            }
        }
    )*};
}

unlike! {
    7, 9; 7, 12; 7, 13; 9, 7; 9, 12; 9, 13; 12, 7; 12, 9; 12, 13; 13, 7; 13, 9; 13, 12;
}
