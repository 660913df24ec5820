//! Two objects whose frames are parallel: only a step lies between them.
//!
//! Bodies that deform are refitted where they stand, and so their boxes and k-DOPs have their
//! directions in common. Then a test along a direction is a comparison of two intervals, and no
//! direction has to be looked at that one of the two was not measured along.
//!
//! | first | second | how |
//! |---|---|---|
//! | ball | ball | distance of the centres |
//! | AABB | ball | distance of the centre, clamped to the box, from the centre |
//! | AABB, k-DOP | AABB, k-DOP | the directions that both have; the three axes are always among them |
//! | anything else | | as if it were turned, by nothing |
//!
//! The slack is that of a [`Rigid`] space. It has room for the rotation that is left out here: if
//! both rotations are the same matrix R, points coincide where a − b = R⁻¹·(tb − ta), and the
//! turned step is off by no more than R is from a rotation.
//!
//! Invariant: the caller that makes a [`Shifted`] space knows that the two rotations are equal, bit
//! for bit.

use glam::{DMat3, DVec3};

use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::aabb::overlap_aabb_aabb;
use elbowroom::internal::volume::mixed::Mirrored;
use elbowroom::internal::volume::round::longer;
use elbowroom::internal::volume::{Aabb, Kdop, Meet, Obb, Rigid, Sphere, Volume};

/// The second object's place in the first one's frame, which is parallel to its own.
#[derive(Clone, Copy, Debug)]
pub struct Shifted {
    /// The second object's origin in the first one's frame.
    pub translation: DVec3,
    /// The distance beyond the slack that two volumes must have to count as apart.
    pub margin: f64,
    /// Bounds every error of a volume test in this space, as a length.
    pub slack: f64,
}

impl Shifted {
    /// The space of two objects, as by [`Rigid::new`]. `None` if the objects are turned against
    /// each other.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use elbowroom_papers::sbbk::{MeetShifted, Shifted};
    /// use elbowroom::internal::volume::Aabb;
    /// use glam::DVec3;
    ///
    /// let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
    /// let aside = Pose::from_translation(DVec3::X * 1.5)?;
    /// let space = Shifted::new(&Pose::IDENTITY, 3.0, &aside, 3.0, 0.0).expect("parallel");
    /// assert!(!unit.may_meet_shifted(&unit, &space));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    pub fn new(a: &Pose, reach_a: f64, b: &Pose, reach_b: f64, margin: f64) -> Option<Self> {
        (a.rotation() == b.rotation()).then(|| {
            let Rigid { translation, margin, slack, .. } =
                Rigid::new(a, reach_a, b, reach_b, margin);
            Self { translation, margin, slack }
        })
    }

    /// Margin and slack together: what a test adds to the sum of two radii.
    pub fn allowance(&self) -> f64 {
        self.margin + self.slack
    }
}

/// Two families that can be tested against each other where their frames are parallel.
pub trait MeetShifted<Other: Volume = Self>: Meet<Other> {
    /// What a query prepares once from where the two stand.
    type ShiftedSpace: for<'a> From<&'a Shifted>;

    /// False only if this volume and the other are certainly farther apart than the space's margin.
    fn may_meet_shifted(&self, other: &Other, space: &Self::ShiftedSpace) -> bool;
}

impl From<&Self> for Shifted {
    fn from(space: &Self) -> Self {
        *space
    }
}

impl From<&Shifted> for Rigid {
    fn from(&Shifted { translation, margin, slack }: &Shifted) -> Self {
        Self { rotation: DMat3::IDENTITY, translation, margin, slack }
    }
}

impl From<&Shifted> for Mirrored {
    fn from(space: &Shifted) -> Self {
        Self::from(&Rigid::from(space))
    }
}

impl MeetShifted<Self> for Sphere {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Self, space: &Shifted) -> bool {
        let apart = other.center + space.translation - self.center;
        !longer(apart, self.radius + other.radius + space.allowance())
    }
}

impl MeetShifted<Sphere> for Aabb {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Sphere, space: &Shifted) -> bool {
        let center = other.center + space.translation;
        let gap = (self.min - center).max(center - self.max).max(DVec3::ZERO);
        !longer(gap, other.radius + space.allowance())
    }
}

impl MeetShifted<Aabb> for Sphere {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Aabb, space: &Shifted) -> bool {
        let center = self.center - space.translation;
        let gap = (other.min - center).max(center - other.max).max(DVec3::ZERO);
        !longer(gap, self.radius + space.allowance())
    }
}

impl MeetShifted<Self> for Aabb {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Self, space: &Shifted) -> bool {
        let step = space.translation;
        let moved = Self { min: other.min + step, max: other.max + step };
        overlap_aabb_aabb(self, &moved, space.allowance())
    }
}

/// The step between two k-DOPs in parallel frames, along every direction.
#[derive(Clone, Copy, Debug)]
pub struct ShiftedKdop<const N: usize> {
    sides: [ShiftedSide; N],
}

/// A direction.
#[derive(Clone, Copy, Debug)]
struct ShiftedSide {
    /// Where the second object's origin is along it.
    shift: f64,
    /// How much farther than touching counts as apart.
    allowance: f64,
}

impl<const N: usize> From<&Shifted> for ShiftedKdop<N> {
    fn from(space: &Shifted) -> Self {
        let sides = std::array::from_fn(|i| ShiftedSide {
            shift: Kdop::<N>::DIRECTIONS[i].dot(space.translation),
            allowance: space.allowance() * Kdop::<N>::LENGTHS[i],
        });
        Self { sides }
    }
}

impl ShiftedSide {
    /// Whether two slabs are farther apart than what is allowed; NaN is not. Along an axis the
    /// roundings are those of two AABBs, so that a k-DOP never lets through what its box does
    /// not.
    #[inline]
    fn parts(self, [low, high]: [f64; 2], [from, to]: [f64; 2]) -> bool {
        (from + self.shift) - high > self.allowance || low - (to + self.shift) > self.allowance
    }
}

impl<const N: usize> MeetShifted<Self> for Kdop<N> {
    type ShiftedSpace = ShiftedKdop<N>;

    #[inline]
    fn may_meet_shifted(&self, other: &Self, space: &ShiftedKdop<N>) -> bool {
        (0..N).all(|i| !space.sides[i].parts(self.slabs[i], other.slabs[i]))
    }
}

impl<const N: usize> MeetShifted<Aabb> for Kdop<N> {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Aabb, space: &Shifted) -> bool {
        self.bounds().may_meet_shifted(other, space)
    }
}

impl<const N: usize> MeetShifted<Kdop<N>> for Aabb {
    type ShiftedSpace = Shifted;

    #[inline]
    fn may_meet_shifted(&self, other: &Kdop<N>, space: &Shifted) -> bool {
        self.may_meet_shifted(&other.bounds(), space)
    }
}

/// For each direction of N, where it is among those of M; the number of all where it is not.
const fn common<const N: usize, const M: usize>() -> [usize; N] {
    let mut places = [M; N];
    let (mut i, mut j) = (0, 0);
    while i < N {
        let (d, e) = (Kdop::<N>::DIRECTIONS[i], Kdop::<M>::DIRECTIONS[j]);
        if d.x == e.x && d.y == e.y && d.z == e.z {
            places[i] = j;
        }
        j += 1;
        if j == M {
            (i, j) = (i + 1, 0);
        }
    }
    places
}

/// Two k-DOPs with different directions: those that they have in common where their frames are
/// parallel, and the boxes of the axes where they are not.
macro_rules! unlike {
    ($($n:literal, $m:literal;)*) => {$(
        impl MeetShifted<Kdop<$m>> for Kdop<$n> {
            type ShiftedSpace = ShiftedKdop<$n>;

            #[inline]
            fn may_meet_shifted(&self, other: &Kdop<$m>, space: &ShiftedKdop<$n>) -> bool {
                const PLACES: [usize; $n] = common::<$n, $m>();
                (0..$n).all(|i| {
                    PLACES[i] == $m
                        || !space.sides[i].parts(self.slabs[i], other.slabs[PLACES[i]])
                })
            }
        }
    )*};
}

unlike! {
    7, 9; 7, 12; 7, 13; 9, 7; 9, 12; 9, 13; 12, 7; 12, 9; 12, 13; 13, 7; 13, 9; 13, 12;
}

/// As in a space with a rotation, which is none.
macro_rules! as_rigid {
    ($($first:ty, $second:ty $(, $n:ident)?;)*) => {$(
        impl $(<const $n: usize>)? MeetShifted<$second> for $first {
            type ShiftedSpace = <Self as Meet<$second>>::Space;

            #[inline]
            fn may_meet_shifted(&self, other: &$second, space: &Self::ShiftedSpace) -> bool {
                self.may_meet(other, space)
            }
        }
    )*};
}

as_rigid! {
    Sphere, Obb;
    Obb, Sphere;
    Aabb, Obb;
    Obb, Aabb;
    Obb, Obb;
    Sphere, Kdop<N>, N;
    Kdop<N>, Sphere, N;
    Obb, Kdop<N>, N;
    Kdop<N>, Obb, N;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_directions_are_found() {
        assert_eq!(common::<7, 9>()[..3], [0, 1, 2]);
        assert!(common::<7, 9>()[3..].iter().all(|&place| place == 9));
        assert!(common::<9, 12>().iter().enumerate().all(|(i, &place)| place == i));
        assert_eq!(common::<7, 13>(), [0, 1, 2, 9, 10, 11, 12]);
        assert_eq!(common::<7, 12>(), [0, 1, 2, 9, 10, 11, 12]);
    }

    #[test]
    fn turned_objects_are_not_parallel() {
        let turned = Pose::from_quat(glam::DQuat::from_rotation_x(0.5), DVec3::ZERO).unwrap();
        assert!(Shifted::new(&turned, 1.0, &turned, 1.0, 0.0).is_some());
        assert!(Shifted::new(&Pose::IDENTITY, 1.0, &turned, 1.0, 0.0).is_none());
    }
}
