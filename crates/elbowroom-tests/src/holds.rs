//! Whether a volume holds a point or another volume, in exact arithmetic on its numbers.

use elbowroom::internal::volume::{Aabb, Cylinder, Kdop, Obb, Spatial, Sphere};

use crate::dyadic::{Dyadic, Point, cross, dot, minus, point};

pub trait Holds: Spatial {
    fn holds(&self, p: &Point) -> bool;

    /// Whether it holds all points of another.
    fn holds_all(&self, other: &Self) -> bool;
}

impl Holds for Aabb {
    fn holds(&self, p: &Point) -> bool {
        let (min, max) = (point(self.min), point(self.max));
        (0..3).all(|i| min[i] <= p[i] && p[i] <= max[i])
    }

    fn holds_all(&self, other: &Self) -> bool {
        self.holds(&point(other.min)) && self.holds(&point(other.max))
    }
}

impl Holds for Sphere {
    fn holds(&self, p: &Point) -> bool {
        let offset = minus(p, &point(self.center));
        dot(&offset, &offset) <= Dyadic::from(self.radius).square()
    }

    fn holds_all(&self, other: &Self) -> bool {
        let offset = minus(&point(other.center), &point(self.center));
        let left = Dyadic::from(self.radius) - Dyadic::from(other.radius);
        left >= Dyadic::from(0.0) && dot(&offset, &offset) <= left.square()
    }
}

impl Holds for Cylinder {
    fn holds(&self, p: &Point) -> bool {
        let disk = Sphere { center: self.center.extend(0.0), radius: self.radius };
        let level = [p[0].clone(), p[1].clone(), Dyadic::from(0.0)];
        disk.holds(&level) && Dyadic::from(self.low) <= p[2] && p[2] <= Dyadic::from(self.high)
    }

    fn holds_all(&self, other: &Self) -> bool {
        let disk = |c: &Self| Sphere { center: c.center.extend(0.0), radius: c.radius };
        disk(self).holds_all(&disk(other)) && self.low <= other.low && other.high <= self.high
    }
}

impl<const N: usize> Holds for Kdop<N> {
    fn holds(&self, p: &Point) -> bool {
        self.slabs.iter().zip(Self::DIRECTIONS).all(|(slab, direction)| {
            let at = dot(&point(direction), p);
            Dyadic::from(slab[0]) <= at && at <= Dyadic::from(slab[1])
        })
    }

    fn holds_all(&self, other: &Self) -> bool {
        self.slabs.iter().zip(other.slabs).all(|(a, b)| a[0] <= b[0] && b[1] <= a[1])
    }
}

impl Holds for Obb {
    fn holds(&self, p: &Point) -> bool {
        let offset = minus(p, &point(self.center));
        (0..3).all(|i| dot(&point(self.axes.col(i)), &offset).abs() <= Dyadic::from(self.half[i]))
    }

    /// A point of the other box is c + A⁻ᵀx with |xᵢ| ≤ hᵢ, and A⁻ᵀ has the cross products of A's
    /// columns as its columns, divided by the determinant; so everything is multiplied by that.
    fn holds_all(&self, other: &Self) -> bool {
        let a = [0, 1, 2].map(|i| point(other.axes.col(i)));
        let inverse = [cross(&a[1], &a[2]), cross(&a[2], &a[0]), cross(&a[0], &a[1])];
        let determinant = dot(&a[0], &inverse[0]);
        assert!(determinant > Dyadic::from(0.0));
        let between = minus(&point(other.center), &point(self.center));
        (0..3).all(|i| {
            let axis = point(self.axes.col(i));
            let radius = (0..3).fold(Dyadic::from(0.0), |sum, j| {
                sum + dot(&axis, &inverse[j]).abs() * Dyadic::from(other.half[j])
            });
            let reach = dot(&axis, &between).abs() * determinant.clone() + radius;
            reach <= Dyadic::from(self.half[i]) * determinant.clone()
        })
    }
}
