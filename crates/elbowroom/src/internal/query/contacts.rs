//! One entry for all that can be asked about two models.
//!
//! The caller says what the meshes stand for, surfaces or solids, and how much is to be found out;
//! the answer is one small struct, and what was not asked for is empty in it. The less is asked,
//! the sooner it ends: whether they meet stops at the first pair of triangles, their kind as
//! surfaces at the first pair that crosses, a distance at a limit.
//!
//! ```text
//!                     surfaces                          solids
//!   duplicate         the same triangles                the same triangles, or the same solid
//!   containment       –                                 one is a part of the other
//!   crossing          two triangles cross               they have something in common, and each has something for itself
//!   touching          a point in common, nothing of the above
//!   clearance         no point in common, but no farther apart than the clearance that was asked for
//!   clear             none of it
//! ```
//!
//! The first line that holds is the kind. So two boxes that overlap by half along one axis cross as
//! solids and touch as surfaces: their triangles lie in common planes. Where something is crossed
//! that encloses nothing, as a sheet or a ball wound inside out, solids cross, too.

use std::ops::ControlFlow;

use glam::DVec3;

use super::clearance::is_nearer;
use super::collide::{CollisionRequest, Known, TrianglePair, Want, collide, intersects, visit};
use super::contact::contact;
use super::depth::{Penetration, penetration};
use super::distance::{ClosestPoints, distance};
use super::duplicate::is_duplicate_known;
use super::options::{Mode, QueryOptions};
use super::overlap::{Overlap, overlap};
use super::region::{Region, regions_of};
use super::solid::{Certainty, Solids, are_clear, solids_known};
use super::through::{Through, through_known};
use crate::internal::exact::Relation;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The kind of contact of two models; later kinds are stronger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContactKind {
    /// The models have no point in common, and are farther apart than the clearance.
    #[default]
    Clear,
    /// The models have no point in common, and their distance is at most the clearance.
    Clearance,
    /// The models have a point in common, but their interiors have none.
    Touching,
    /// The interiors meet.
    Crossing,
    /// One solid is a part of the other.
    Containment,
    /// Both are the same.
    Duplicate,
}

impl ContactKind {
    /// The lower-case name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Clearance => "clearance",
            Self::Touching => "touching",
            Self::Crossing => "crossing",
            Self::Containment => "containment",
            Self::Duplicate => "duplicate",
        }
    }

    /// Whether they have a point in common.
    pub fn is_contact(self) -> bool {
        self >= Self::Touching
    }
}

/// Which of two solids is a part of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Inside {
    /// The first is a part of the second.
    First,
    /// The second is a part of the first.
    Second,
    /// They are the same solid.
    Each,
}

/// Where two models meet, or are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Spot {
    /// A point in the world that both have in common; in the middle between them if they have
    /// none.
    pub point: DVec3,
    /// A unit vector from the first towards the second.
    pub normal: DVec3,
}

/// The result of a query. What was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use]
pub struct Contacts {
    /// What the meshes stood for.
    pub mode: Mode,
    /// Whether they have a point in common.
    pub is_contact: bool,
    /// Whether the models have a point in common, or are within the clearance.
    pub is_near: bool,
    /// The kind of contact.
    pub kind: Option<ContactKind>,
    /// The solid that is a part of the other, if one is.
    pub inside: Option<Inside>,
    /// Which model goes through which, if they cross; it has a `certainty` of its own.
    pub through: Through,
    /// Whether the result is exact: it is for surfaces, and for solids if both meshes are closed.
    pub certainty: Certainty,
    /// The distance of the surfaces: zero exactly if they have a point in common, and negative if
    /// one solid lies within the other. `None` beyond the clearance, unless a distance was asked
    /// for.
    pub distance: Option<f64>,
    /// The closest points of the surfaces.
    pub closest: Option<ClosestPoints>,
    /// The regions of contact, longest first.
    pub regions: Vec<Region>,
    /// The pairs of triangles that meet, in order.
    pub pairs: Vec<TrianglePair>,
    /// One point of contact: in the first region, or between the closest points. Given with
    /// regions and distances.
    pub spot: Option<Spot>,
    /// The penetration depth.
    pub penetration: Option<Penetration>,
    /// The overlap: the common volume, and areas.
    pub overlap: Option<Overlap>,
}

/// Queries two placed models.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::query::{Inside, ContactKind, QueryOptions};
/// use elbowroom::Pose;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let crate_ = Model::new(elbowroom_make::cuboid(DVec3::splat(0.5)));
/// let cup = Model::new(elbowroom_make::cuboid(DVec3::splat(0.05)));
/// let here = Pose::IDENTITY;
/// let mut workspace = Workspace::default();
/// let ask = QueryOptions::KIND.distance();
///
/// let surfaces = query::query(&cup, &here, &crate_, &here, &ask, &mut workspace);
/// assert_eq!(surfaces.kind, Some(ContactKind::Clear));
/// let solids = query::query(&cup, &here, &crate_, &here, &ask.solid(), &mut workspace);
/// assert_eq!((solids.kind, solids.inside), (Some(ContactKind::Containment), Some(Inside::First)));
/// assert!((solids.distance.unwrap() + 0.45).abs() < 1e-9);
/// ```
pub fn query(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    query: &QueryOptions,
    workspace: &mut Workspace,
) -> Contacts {
    query_known((a, pose_a), (b, pose_b), None, query, workspace)
}

/// Queries two placed models, as [`query`](query()), with the pairs of triangles that meet if they
/// are known already.
pub fn query_known(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    known: Known,
    query: &QueryOptions,
    workspace: &mut Workspace,
) -> Contacts {
    let pair = Pair { a, pose_a, b, pose_b, known };
    let mut reply = Contacts { mode: query.mode, ..Contacts::default() };
    let surfaces = pair.surfaces(query, &mut reply, workspace);
    reply.is_contact = surfaces.is_some();
    let solids = pair.solids(query, reply.is_contact, workspace);
    if let Some(solids) = &solids {
        reply.is_contact |= solids.both;
        reply.certainty = solids.certainty;
        reply.inside = inside(solids);
    }
    pair.measure(query, surfaces.is_some(), &mut reply, workspace);
    reply.is_near |= reply.is_contact;
    if query.kind {
        reply.kind = Some(pair.kind(surfaces, solids.as_ref(), &reply, workspace));
    }
    // Without a kind, what crosses is found out there.
    if query.through
        && reply.kind.is_none_or(|kind| kind == ContactKind::Crossing)
        && surfaces.is_some()
    {
        reply.through = through_known((a, pose_a), (b, pose_b), known, workspace);
    }
    if query.regions {
        reply.regions = regions_of(a, pose_a, b, pose_b, &reply.pairs);
    }
    if !query.pairs {
        reply.pairs = Vec::new();
    }
    reply.spot = pair.spot(&reply);
    if query.penetration && reply.is_contact {
        reply.penetration = Some(penetration(a, pose_a, b, pose_b, None, workspace));
        reply.overlap = Some(overlap(a, pose_a, b, pose_b, workspace));
    }
    reply
}

#[derive(Clone, Copy)]
struct Pair<'a> {
    a: &'a Model,
    pose_a: &'a Pose,
    b: &'a Model,
    pose_b: &'a Pose,
    known: Known<'a>,
}

impl Pair<'_> {
    /// The strongest relation of two triangles, as far as it matters. `None` if no two meet.
    fn surfaces(
        self,
        query: &QueryOptions,
        reply: &mut Contacts,
        workspace: &mut Workspace,
    ) -> Option<Relation> {
        let Self { a, pose_a, b, pose_b, .. } = self;
        if let Some(known) = self.known {
            if query.pairs || query.regions {
                reply.pairs = known.to_vec();
            }
            return known.iter().map(|pair| pair.relation).max();
        }
        if query.pairs || query.regions {
            let question = CollisionRequest { want: Want::All, ..CollisionRequest::default() };
            reply.pairs = collide(a, pose_a, b, pose_b, &question, workspace).pairs;
            return reply.pairs.iter().map(|pair| pair.relation).max();
        }
        if !query.kind && !query.through {
            return intersects(a, pose_a, b, pose_b).then_some(Relation::Touching);
        }
        let mut strongest = None;
        let flow = visit(a, pose_a, b, pose_b, workspace, |pair| {
            strongest = strongest.max(Some(pair.relation));
            match pair.relation {
                Relation::Crossing => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        if flow.is_break() { Some(Relation::Crossing) } else { strongest }
    }

    /// What the solids have in common, if that is to be known.
    fn solids(
        self,
        query: &QueryOptions,
        do_meet: bool,
        workspace: &mut Workspace,
    ) -> Option<Solids> {
        let (a, b) = ((self.a, self.pose_a), (self.b, self.pose_b));
        let is_wanted = query.mode == Mode::Solid && (query.kind || query.distance || !do_meet);
        is_wanted.then(|| {
            if !do_meet && are_clear(a, b, workspace) {
                return Solids::default();
            }
            solids_known(a, b, self.known, workspace)
        })
    }

    /// How far apart they are, if that is asked for or says whether they are clear.
    fn measure(
        self,
        query: &QueryOptions,
        do_meet: bool,
        reply: &mut Contacts,
        workspace: &mut Workspace,
    ) {
        let Self { a, pose_a, b, pose_b, .. } = self;
        // The larger of NaN and zero is zero.
        let clearance = query.clearance.max(0.0);
        let asks_near = clearance > 0.0 && !do_meet;
        if query.distance || (asks_near && query.kind) {
            let limit = if query.distance { f64::INFINITY } else { clearance };
            reply.closest = distance(a, pose_a, b, pose_b, limit, workspace);
            reply.is_near = reply.closest.is_some_and(|nearest| nearest.distance <= clearance);
            let sign = if reply.inside.is_some() && !do_meet { -1.0 } else { 1.0 };
            reply.distance = reply.closest.map(|nearest| sign * nearest.distance);
        } else if asks_near {
            reply.is_near = is_nearer(a, pose_a, b, pose_b, clearance, workspace);
        }
    }

    fn kind(
        self,
        surfaces: Option<Relation>,
        solids: Option<&Solids>,
        reply: &Contacts,
        workspace: &mut Workspace,
    ) -> ContactKind {
        let (a, b) = ((self.a, self.pose_a), (self.b, self.pose_b));
        let crosses = surfaces == Some(Relation::Crossing);
        match solids {
            Some(solids) if solids.is_same() => ContactKind::Duplicate,
            _ if surfaces.is_some() && is_duplicate_known(a, b, self.known, workspace) => {
                ContactKind::Duplicate
            }
            Some(solids) if solids.is_crossing() => ContactKind::Crossing,
            Some(solids) if solids.both => ContactKind::Containment,
            _ if crosses => ContactKind::Crossing,
            _ if surfaces.is_some() => ContactKind::Touching,
            _ if reply.is_near => ContactKind::Clearance,
            _ => ContactKind::Clear,
        }
    }

    fn spot(self, reply: &Contacts) -> Option<Spot> {
        if let Some(region) = reply.regions.first() {
            return Some(Spot { point: region.point, normal: region.normal });
        }
        let nearest = reply.closest.as_ref()?;
        let Self { a, pose_a, b, pose_b, .. } = self;
        let relation = if nearest.distance > 0.0 { Relation::Apart } else { Relation::Touching };
        let pair = TrianglePair { a: nearest.a, b: nearest.b, relation };
        let way = nearest.point_b - nearest.point_a;
        match way.try_normalize() {
            Some(normal) if nearest.distance > 0.0 => {
                let point = 0.5 * nearest.point_a + 0.5 * nearest.point_b;
                Some(Spot { point, normal })
            }
            // Points that are nearer than f64 can tell have a direction all the same.
            _ => {
                let found = contact(a, pose_a, b, pose_b, pair);
                Some(Spot { point: nearest.point_a, normal: found.normal })
            }
        }
    }
}

fn inside(solids: &Solids) -> Option<Inside> {
    if solids.is_same() {
        return Some(Inside::Each);
    }
    let second = solids.is_b_within_a().then_some(Inside::Second);
    if solids.is_a_within_b() { Some(Inside::First) } else { second }
}
