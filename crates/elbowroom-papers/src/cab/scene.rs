//! Hierarchies over the characters and robots of a scene: another way to find which pieces may
//! meet.
//!
//! Each object of several pieces has boxes over them, kept in one way ([`RefitMethod`]); the others
//! have one box each. Objects whose boxes overlap are descended side by side, and one that is
//! compared with itself within itself. A piece that moves rigidly is a link. One that deforms, such
//! as a skin, is a leaf as well, with the box around its vertices in this frame.
//!
//! Invariant: which pairs are left depends on the stage and the way alone.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use glam::DVec3;

use crate::cab::allowed::Allowed;
use crate::cab::ask::Workspace;
use crate::cab::candidates::{candidates_between, candidates_within, candidates_within_box};
use crate::cab::hierarchy::{CabHierarchy, LinkPlace};
use crate::cab::keep::RefitMethod;
use crate::cab::link::{ArticulatedBody, Link};
use elbowroom::internal::broad_phase::{Broad, Method};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::volume::{Aabb, Volume};
use elbowroom::{Mesh, interrupt};
use elbowroom_motion::body::{Hold, JointId, Rig};
use elbowroom_motion::scene::{Candidates, Content, ObjectId, Piece, Scene, Stage};

/// The most pieces of an object of which it is worked out which pairs may touch; of more, all are
/// candidates.
const MOST_PAIRED: usize = 2_000;

/// Boxes over the pieces of a scene's objects, for a [`Finder`](elbowroom_motion::scene::Finder).
///
/// ```
/// use elbowroom_motion::scene::{Finder, Scene, Seek, Stage, Timing};
/// use elbowroom_papers::cab::{CabAxis, LinkBoxes, RefitMethod};
///
/// let scene = Scene::new(Timing::STILL, Vec::new(), &[])?;
/// let boxes = LinkBoxes::new(RefitMethod::Cab(CabAxis::Longest));
/// let mut finder = Finder::new(Seek::default()).with_candidates(Box::new(boxes));
/// let mut stage = Stage::new();
/// scene.at(0, &mut stage)?;
/// let found = finder.find(&scene, &stage);
/// assert_eq!((found.meetings.len(), found.work.box_tests), (0, Some(0)));
/// # Ok::<(), elbowroom_motion::scene::SceneError>(())
/// ```
#[derive(Debug)]
pub struct LinkBoxes {
    method: RefitMethod,
    /// By object; nothing for what is one piece, or was not there yet.
    bodies: Vec<Option<Body>>,
    /// Bodies of one rig and the same shapes share what does not change.
    shared: HashMap<Key, Arc<ArticulatedBody>>,
    /// By object, a box around all of it.
    broad: Broad,
    near: Vec<u32>,
    /// The pieces in this frame of objects without a hierarchy, by object.
    loose: Vec<Vec<(u32, Aabb)>>,
    workspace: Workspace,
    places: Vec<LinkPlace>,
}

/// Where a rig and the shapes of its pieces, at their scales, lie in memory. The scene keeps them
/// there.
type Key = (usize, Vec<Option<usize>>);

/// An object of several pieces.
#[derive(Debug)]
struct Body {
    hierarchy: CabHierarchy,
    /// The first piece of the object; link n is n pieces after it.
    first: u32,
    /// By link, the joint that carries it.
    joints: Vec<JointId>,
    allowed: Allowed,
}

impl LinkBoxes {
    /// Boxes that are kept in a way.
    pub fn new(method: RefitMethod) -> Self {
        Self {
            method,
            bodies: Vec::new(),
            shared: HashMap::new(),
            broad: Broad::new(Method::Tree),
            near: Vec::new(),
            loose: Vec::new(),
            workspace: Workspace::new(),
            places: Vec::new(),
        }
    }

    /// Puts the boxes around the pieces of one object.
    fn set(&mut self, scene: &Scene, pieces: &[Piece<'_>], reach: f64) {
        let object = pieces[0].object();
        let whole = pieces.iter().map(Piece::bounds).reduce(|a, b| a.merged(&b));
        let Some(whole) = whole else { return };
        // Each grows by half, and by a little more than distances are rounded. A stage has finite
        // boxes only.
        let _ = self.broad.set(object.0, whole.grown(reach * (0.5 + 1e-8)));
        let known = &mut self.bodies[object.index()];
        let is_known = known.as_ref().is_some_and(|body| body.joints.len() == pieces.len());
        if pieces.len() > 1 && !is_known {
            *known = None;
            self.bodies[object.index()] = self.body(scene, pieces);
        }
        let Some(body) = &mut self.bodies[object.index()] else {
            let loose = pieces.iter().map(|piece| (piece.number(), piece.bounds()));
            self.loose[object.index()].extend(loose);
            return;
        };
        let place = |piece: &Piece<'_>| {
            if piece.is_rigid() {
                LinkPlace::Rigid(*piece.placement())
            } else {
                LinkPlace::Within(piece.bounds())
            }
        };
        self.places.clear();
        self.places.extend(pieces.iter().map(place));
        // A piece that moves rigidly stands where its joint is.
        let (places, joints) = (&self.places, &body.joints);
        let at_joint = |joint: JointId| -> Option<DVec3> {
            let stands = |(place, at): (&LinkPlace, &JointId)| match place {
                LinkPlace::Rigid(pose) if *at == joint => Some(pose.translation()),
                _ => None,
            };
            places.iter().zip(joints).find_map(stands)
        };
        body.hierarchy.update_links(places, at_joint);
    }

    /// The tree over an object's pieces. `None` if they are not those of a rig.
    fn body(&mut self, scene: &Scene, pieces: &[Piece<'_>]) -> Option<Body> {
        let object = pieces[0].object();
        let Content::Actor(actor) = &scene.objects()[object.index()].content else { return None };
        let rig = &*actor.rig;
        let joint = |piece: &Piece<'_>| joint_of(rig, piece.rig_part());
        let joints: Vec<JointId> = pieces.iter().map(joint).collect();
        let shape = |piece: &Piece<'_>| Some(Arc::as_ptr(piece.rigid_model()?).addr());
        let key = (Arc::as_ptr(&actor.rig).addr(), pieces.iter().map(shape).collect());
        let articulation = match self.shared.entry(key) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(new) => {
                let links = pieces.iter().zip(&joints).map(|(piece, &joint)| link(piece, joint));
                let body = ArticulatedBody::new(&rig.skeleton, links.collect()).ok()?;
                Arc::clone(new.insert(Arc::new(body)))
            }
        };
        let allowed = allowed(scene, &articulation, pieces);
        let hierarchy = CabHierarchy::new(articulation, self.method);
        Some(Body { hierarchy, first: pieces[0].number(), joints, allowed })
    }

    /// The pairs of pieces of two objects.
    fn between(&mut self, a: usize, b: usize, pairs: &mut Vec<(u32, u32)>) -> u64 {
        let workspace = &mut self.workspace;
        let (low, high) = self.bodies.split_at_mut(b);
        match (&mut low[a], &mut high[0]) {
            (Some(x), Some(y)) => {
                let (first_x, first_y) = (x.first, y.first);
                let (found, work) =
                    candidates_between(&mut x.hierarchy, &mut y.hierarchy, workspace);
                pairs.extend(found.iter().map(|&(i, j)| (first_x + i, first_y + j)));
                work.box_tests
            }
            (Some(body), None) => body.near(&self.loose[b], workspace, pairs),
            (None, Some(body)) => body.near(&self.loose[a], workspace, pairs),
            (None, None) => {
                let (of_a, of_b) = (&self.loose[a], &self.loose[b]);
                let both = of_a.iter().flat_map(|(i, _)| of_b.iter().map(move |(j, _)| (*i, *j)));
                pairs.extend(both);
                0
            }
        }
    }

    /// The pairs of pieces of one object.
    fn within(&mut self, object: usize, pairs: &mut Vec<(u32, u32)>) -> u64 {
        if let Some(Body { hierarchy, first, allowed, .. }) = &mut self.bodies[object] {
            let first = *first;
            let (found, work) = candidates_within(hierarchy, allowed, &mut self.workspace);
            pairs.extend(found.iter().map(|&(i, j)| (first + i, first + j)));
            return work.box_tests;
        }
        let loose = &self.loose[object];
        let below = |(place, (i, _)): (usize, &(u32, Aabb))| {
            let i = *i;
            loose[place + 1..].iter().map(move |(j, _)| (i, *j))
        };
        pairs.extend(loose.iter().enumerate().flat_map(below));
        0
    }
}

impl Body {
    /// The pairs with pieces of an object without a hierarchy.
    fn near(
        &mut self,
        loose: &[(u32, Aabb)],
        workspace: &mut Workspace,
        pairs: &mut Vec<(u32, u32)>,
    ) -> u64 {
        let (mut tests, first) = (0, self.first);
        for (piece, bounds) in loose {
            let (found, work) =
                candidates_within_box(&mut self.hierarchy, bounds, *piece, workspace);
            let of_two = |&(link, piece): &(u32, u32)| (first + link, piece);
            pairs.extend(found.iter().map(of_two).map(|(i, j)| (i.min(j), i.max(j))));
            tests += work.box_tests;
        }
        tests
    }
}

impl Candidates for LinkBoxes {
    fn forget(&mut self) {
        *self = Self::new(self.method);
    }

    fn begin(&mut self, scene: &Scene, stage: &Stage, reach: f64) {
        let objects = scene.objects().len();
        self.bodies.resize_with(objects, || None);
        self.loose.resize_with(objects, Vec::new);
        self.loose.iter_mut().for_each(Vec::clear);
        self.workspace = std::mem::take(&mut self.workspace).with_margin(reach * (1.0 + 1e-8));
        let pieces: Vec<Piece<'_>> = stage.pieces().collect();
        let mut is_there = vec![false; objects];
        for own in pieces.chunk_by(|a, b| a.object() == b.object()) {
            interrupt::checkpoint();
            is_there[own[0].object().index()] = true;
            self.set(scene, own, reach);
        }
        for absent in (0..objects).filter(|&object| !is_there[object]) {
            self.broad.remove(absent as u32);
        }
        self.broad.refresh();
    }

    fn of(&mut self, scene: &Scene, object: ObjectId, pairs: &mut Vec<(u32, u32)>) -> u64 {
        pairs.clear();
        let Some(bounds) = self.broad.get(object.0) else { return 0 };
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        self.broad.near_from(object.0 + 1, bounds, &mut near);
        let mut tests = 0;
        for &other in &near {
            interrupt::checkpoint();
            if scene.compares(object, ObjectId(other)) {
                tests += self.between(object.index(), other as usize, pairs);
            }
        }
        self.near = near;
        if scene.compares(object, object) {
            tests += self.within(object.index(), pairs);
        }
        pairs.sort_unstable();
        tests
    }
}

/// A piece as a link; of one that never moves rigidly only the box of each frame is used.
fn link(piece: &Piece<'_>, joint: JointId) -> Link {
    let nothing =
        || Arc::new(Model::new(Mesh::new(vec![DVec3::ZERO], vec![[0; 3]]).expect("a point")));
    let model = piece.rigid_model().map_or_else(nothing, Arc::clone);
    Link { joint, model, joint_from_link: Pose::IDENTITY, name: String::new() }
}

/// The joint that carries a part of a rig; of a skin the first that it follows.
fn joint_of(rig: &Rig, part: u32) -> JointId {
    match &rig.parts[part as usize].hold {
        Hold::Rigid(joint) => *joint,
        Hold::Skinned(skin) => skin.joints().first().copied().unwrap_or(JointId(0)),
    }
}

/// The pairs of an object's pieces that are of one part each, and these may touch.
fn allowed(scene: &Scene, body: &ArticulatedBody, pieces: &[Piece<'_>]) -> Allowed {
    let nothing = Allowed::nothing(body);
    if pieces.len() > MOST_PAIRED || !scene.compares(pieces[0].object(), pieces[0].object()) {
        return nothing;
    }
    let parts: Vec<Option<u32>> = pieces.iter().map(Piece::only_part).collect();
    let object = pieces[0].object();
    let mut pairs = Vec::new();
    for (i, p) in parts.iter().enumerate() {
        for (j, q) in parts.iter().enumerate().skip(i + 1) {
            if let (Some(p), Some(q)) = (p, q)
                && scene.may_touch(object, *p, object, *q)
            {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    nothing.with(&pairs).unwrap_or(nothing)
}
