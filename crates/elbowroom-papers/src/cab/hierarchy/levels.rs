//! One body's boxes node by node, and the answer that all structures of the papers share.

use std::mem::size_of;

use crate::cab::allowed::Allowed;
use crate::cab::ask::{Found, LinkQuestion, Workspace, between, within};
use crate::cab::hierarchy::{CabHierarchy, Kind};
use crate::grammar::{Intersection, LevelBound, LevelShape, Levels, Tally};
use elbowroom::internal::volume::{Aabb, Family, Obb, Spatial};

impl CabHierarchy {
    /// Every pair of links of two bodies that touch, with the number of pairs of boxes that were
    /// tested and, as primitive tests, of exact queries about two links.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elbowroom_make::{Chain, chain};
    /// use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, Config};
    ///
    /// let rig = chain(&Chain::default());
    /// let body = Arc::new(ArticulatedBody::of_rig(&rig)?);
    /// let mut world = Vec::new();
    /// rig.skeleton.world(&rig.rest_pose(), &mut world);
    /// let mut a = CabHierarchy::build(body, &Config::paper());
    /// a.update(&world)?;
    /// let mut b = a.clone();
    /// let found = a.intersect(&mut b);
    /// assert!(found.is_contact() && found.pairs.contains(&[0, 0]));
    /// assert!(found.nodes_visited() > 0 && found.tally.primitives >= found.pairs.len() as u64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn intersect(&mut self, other: &mut Self) -> Intersection<[u32; 2]> {
        let family = self.family();
        shared(between(self, other, &LinkQuestion::default(), &mut Workspace::new()), family)
    }

    /// Every pair of links of one body that touch though they are not allowed to, the lower number
    /// first.
    ///
    /// # Panics
    /// If what is allowed is of a body with fewer links.
    pub fn self_intersect(&mut self, allowed: &Allowed) -> Intersection<[u32; 2]> {
        let family = self.family();
        shared(within(self, allowed, &LinkQuestion::default(), &mut Workspace::new()), family)
    }

    /// The family of its boxes.
    pub fn family(&self) -> Family {
        if self.keep.is_oriented() { Family::Obb } else { Family::Aabb }
    }

    /// The boxes node by node, where they are now. Nodes have none with [`RefitMethod::Brute`], and
    /// where a lazy update left them out.
    ///
    /// [`RefitMethod::Brute`]: crate::cab::RefitMethod::Brute
    pub fn levels(&self) -> Levels {
        let (tree, family) = (self.articulation.tree(), self.family());
        let bytes = match self.boxes {
            Kind::None => 0,
            Kind::Aligned(_) => size_of::<Aabb>(),
            Kind::Oriented(_) => size_of::<Obb>(),
        };
        Levels::of(tree, |node| {
            let seen = self.oriented(node)?;
            let shape = Obb { center: seen.center + self.origin, ..seen };
            Some(LevelBound { family, area: shape.area(), bytes, shape: LevelShape::Box(shape) })
        })
    }
}

/// What was found, as all structures tell it.
pub(crate) fn shared(found: &Found, family: Family) -> Intersection<[u32; 2]> {
    let mut tally = Tally::default();
    tally.count_volumes(family, found.work.box_tests);
    tally.primitives = found.work.calls;
    Intersection::exact(found.contacts.iter().map(|pair| [pair.a, pair.b]).collect(), tally)
}
