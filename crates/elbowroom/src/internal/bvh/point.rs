//! A packed tree around one point, so that what is asked of two trees can be asked of a point and a
//! tree.

use glam::{DVec3, Vec3};

use super::packed::{ChildRef, Island, Packed, empty_block, set_lane};
use crate::internal::exact::pack_triangle;
use crate::internal::volume::SmallObb;

impl Packed {
    /// A tree of one box without extent, around one triangle without extent.
    pub(crate) fn of_point(point: DVec3) -> Self {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let volume = SmallObb { axes, centre: Vec3::ZERO, half: Vec3::ZERO };
        let mut block = empty_block();
        set_lane(&mut block, 0, &volume, ChildRef::leaf(0, 1));
        Self {
            blocks: vec![block],
            records: vec![pack_triangle([point; 3])],
            ids: vec![0],
            starts: Vec::new(),
            islands: vec![Island { origin: point, reach: 0.0, radius: 0.0, root: 0 }],
        }
    }

    /// Brings a tree that [`of_point`](Self::of_point) made to another point.
    pub(crate) fn move_to(&mut self, point: DVec3) {
        self.islands[0].origin = point;
        self.records[0] = pack_triangle([point; 3]);
    }
}
