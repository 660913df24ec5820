//! A layer's volumes, of whatever family; the family is looked up once a pass, not once a volume.

use glam::DVec3;

use crate::sbbk::layers::refit::{Plan, Refitted};
use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::volume::{
    Aabb, Family, Fit, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Spatial, Sphere, Volume,
};

/// The volumes of one layer, in the order of the tree's nodes.
#[derive(Clone, Debug)]
pub enum LayerColumn {
    /// Balls.
    Sphere(Refitted<Sphere>),
    /// Boxes along the axes.
    Aabb(Refitted<Aabb>),
    /// Oriented boxes.
    Obb(Refitted<Obb>),
    /// 14-DOPs.
    Kdop14(Refitted<Kdop14>),
    /// 18-DOPs.
    Kdop18(Refitted<Kdop18>),
    /// 24-DOPs.
    Kdop24(Refitted<Kdop24>),
    /// 26-DOPs.
    Kdop26(Refitted<Kdop26>),
}

/// Runs an expression with `$volumes` bound to the column, whatever its family.
macro_rules! by_column {
    ($column:expr, $volumes:ident => $body:expr) => {
        match $column {
            $crate::sbbk::LayerColumn::Sphere($volumes) => $body,
            $crate::sbbk::LayerColumn::Aabb($volumes) => $body,
            $crate::sbbk::LayerColumn::Obb($volumes) => $body,
            $crate::sbbk::LayerColumn::Kdop14($volumes) => $body,
            $crate::sbbk::LayerColumn::Kdop18($volumes) => $body,
            $crate::sbbk::LayerColumn::Kdop24($volumes) => $body,
            $crate::sbbk::LayerColumn::Kdop26($volumes) => $body,
        }
    };
}
pub(crate) use by_column;

/// Runs an expression with `$x` and `$y` bound to two columns, whatever their families.
macro_rules! by_columns {
    ($a:expr, $b:expr, ($x:ident, $y:ident) => $body:expr) => {
        $crate::sbbk::by_column!($a, $x => $crate::sbbk::by_column!($b, $y => $body))
    };
}
pub(crate) use by_columns;

impl LayerColumn {
    pub(super) fn empty(family: Family) -> Self {
        match family {
            Family::Sphere => Self::Sphere(Refitted::empty()),
            Family::Aabb => Self::Aabb(Refitted::empty()),
            Family::Obb => Self::Obb(Refitted::empty()),
            Family::Kdop14 => Self::Kdop14(Refitted::empty()),
            Family::Kdop18 => Self::Kdop18(Refitted::empty()),
            Family::Kdop24 => Self::Kdop24(Refitted::empty()),
            Family::Kdop26 => Self::Kdop26(Refitted::empty()),
            Family::Cylinder | Family::TimeBox | Family::TimeObb => {
                unreachable!("a layering has no cylinders and no motions")
            }
        }
    }

    /// The family.
    pub fn family(&self) -> Family {
        fn of<V: Volume>(_: &[V]) -> Family {
            V::FAMILY
        }
        by_column!(self, volumes => of(volumes.as_slice()))
    }

    /// The number of volumes.
    pub fn len(&self) -> usize {
        by_column!(self, volumes => volumes.as_slice().len())
    }

    /// Whether no node is of this layer: the tree ends above it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The box of a volume along the axes of its frame.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn boxed(&self, slot: u32) -> Obb {
        by_column!(self, volumes => volumes.as_slice()[slot as usize].boxed())
    }

    /// The surface area of a volume.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn area(&self, slot: u32) -> f64 {
        by_column!(self, volumes => volumes.as_slice()[slot as usize].area())
    }

    pub(super) fn reach(&self, slot: u32) -> f64 {
        by_column!(self, volumes => volumes.as_slice()[slot as usize].reach())
    }

    pub(super) fn fit<'a>(
        &mut self,
        plan: &Plan,
        mesh: &Mesh,
        members: impl Iterator<Item = &'a [u32]>,
        fit: Fit,
        reach: f64,
    ) {
        match self {
            Self::Sphere(volumes) => volumes.fit(mesh, members, fit),
            Self::Obb(volumes) => volumes.fit(mesh, members, fit),
            _ => self.refit(plan, mesh.vertices(), reach, SimdLevel::best()),
        }
    }

    pub(super) fn refit(&mut self, plan: &Plan, vertices: &[DVec3], reach: f64, level: SimdLevel) {
        by_column!(self, volumes => volumes.refit(plan, vertices, reach, level));
    }

    /// Boxes and k-DOPs end at a vertex and need no looking at.
    pub(super) fn farthest(&self) -> f64 {
        fn of<V: Spatial>(volumes: &[V]) -> f64 {
            volumes.iter().map(V::farthest).fold(0.0, f64::max)
        }
        match self {
            Self::Sphere(volumes) => of(volumes.as_slice()),
            Self::Obb(volumes) => of(volumes.as_slice()),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::grammar::{Config, Family};
    use crate::sbbk::{HybridTree, Layers, RIGID};

    #[test]
    fn a_box_is_as_large_as_its_mesh_and_nothing_is_larger_than_it_encloses() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        let mesh = elbowroom_make::cuboid(half);
        let of = |family: Family| {
            let layers = Layers::single(family).unwrap();
            let tree = HybridTree::new(mesh.clone(), &layers, &Config::default());
            tree.layers().columns()[0].area(0)
        };
        let exact = 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
        assert!((of(Family::Aabb) - exact).abs() < 1e-9);
        for family in RIGID {
            // Whatever is convex and encloses the box has at least its area.
            assert!(of(family) >= exact * (1.0 - 1e-9), "{family:?} {}", of(family));
        }
    }
}
