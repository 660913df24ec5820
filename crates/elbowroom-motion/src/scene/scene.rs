//! The scene: what was checked once, and asked for frame by frame.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::allow::{Allowed, Leave};
use super::cast::{Casting, Cut, Role, tell_shells};
use super::error::{SceneError, SceneErrorKind};
use super::object::{Object, ObjectId};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::Aabb;

/// The frames of a scene, and their times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Frames in a second.
    pub fps: f64,
    /// The number of the first frame.
    pub first: u32,
    /// The number of the last frame.
    pub last: u32,
    /// The number of the frame at time 0, whether it is in the scene or not: 0 unless frames are
    /// numbered otherwise, as in a shot that begins with frame 1001.
    pub zero: i64,
}

impl Timing {
    /// One frame, at time 0.
    pub const STILL: Self = Self { fps: 30.0, first: 0, last: 0, zero: 0 };

    /// Frames from a number to another, of which number 0 is at time 0.
    pub const fn new(fps: f64, first: u32, last: u32) -> Self {
        Self { fps, first, last, zero: 0 }
    }

    /// The frames, in order.
    pub fn frames(&self) -> std::ops::RangeInclusive<u32> {
        self.first..=self.last
    }

    /// The time of a frame, in seconds.
    pub fn secs(&self, frame: u32) -> f64 {
        (i64::from(frame) - self.zero) as f64 / self.fps
    }

    /// How many frames after time 0 a frame is; 0 for those before. It is the place in a list that
    /// has an entry for each frame.
    pub fn index(&self, frame: u32) -> usize {
        usize::try_from(i64::from(frame) - self.zero).unwrap_or(0)
    }

    /// The [`index`](Self::index) of the last frame that is not after a time.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casts hold at the ends"
    )]
    pub(super) fn index_at(&self, secs: f64) -> usize {
        (secs * self.fps + 1e-6).floor().max(0.0) as usize
    }

    fn check(&self) -> Result<(), SceneError> {
        let Self { fps, first, last, .. } = *self;
        if !(fps.is_finite() && fps > 0.0) {
            return Err(SceneErrorKind::Fps { fps }.into());
        }
        // One less than all, so that frames can be counted.
        if first > last || last == u32::MAX {
            return Err(SceneErrorKind::Range { first, last }.into());
        }
        Ok(())
    }
}

/// The most pairs of parts that rules are compared with one by one.
const MOST_COUNTED: u64 = 1 << 20;

/// Checked objects over frames.
#[derive(Debug)]
pub struct Scene {
    timing: Timing,
    pub(super) objects: Vec<Object>,
    pub(super) roles: Vec<Role>,
    /// By object, its first piece in the numbering of the scene; and one more, how many there are.
    pub(super) first_piece: Vec<u32>,
    allowed: Allowed,
    /// By object, how many pairs of its parts would be compared.
    own_pairs: Vec<u64>,
    /// Tells this scene from others, for stages.
    pub(super) token: Arc<()>,
}

impl Scene {
    /// Checks objects and works out what holds for all frames. Each pair of `allowed` names two
    /// objects or parts that may touch: `cup`, `ann/LeftHand`, or either with a star at its
    /// beginning or its end (`crowd*`).
    ///
    /// # Errors
    /// Names the object and what is wrong with it: a name that is taken, a scale of zero, a rig
    /// that is not sound, a clip of another rig; or the pattern that names nothing.
    pub fn new(
        timing: Timing,
        objects: Vec<Object>,
        allowed: &[(String, String)],
    ) -> Result<Self, SceneError> {
        timing.check()?;
        if u32::try_from(objects.len()).is_err() {
            return Err(SceneErrorKind::TooMany.into());
        }
        check_names(&objects)?;
        let mut casting = Casting::default();
        let mut roles = Vec::with_capacity(objects.len());
        let (mut pieces, mut first_piece) = (0_u32, vec![0]);
        for object in &objects {
            let role = casting.role(object).map_err(|what| {
                SceneError::from(SceneErrorKind::Object { name: object.name.clone(), what })
            })?;
            let count = u32::try_from(role.cuts.len()).ok();
            let sum = count.and_then(|count| pieces.checked_add(count));
            pieces = sum.ok_or(SceneError::from(SceneErrorKind::TooMany))?;
            first_piece.push(pieces);
            roles.push(role);
        }
        tell_shells(&objects, &mut roles);
        let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
        let allowed = Allowed::new(allowed, &names, &roles)?;
        let own_pairs = roles.iter().enumerate();
        let own_pairs = own_pairs.map(|(object, role)| own_pairs_left(&allowed, object, role));
        let own_pairs = own_pairs.collect();
        Ok(Self { timing, objects, roles, first_piece, allowed, own_pairs, token: Arc::new(()) })
    }

    /// A scene of the same objects over other frames.
    ///
    /// # Errors
    /// If the rate or the range makes no sense.
    pub fn retimed(mut self, timing: Timing) -> Result<Self, SceneError> {
        timing.check()?;
        self.timing = timing;
        // Stages that know frames of the old rate must not take them for ours.
        self.token = Arc::new(());
        Ok(self)
    }

    /// The frames of the scene, and their times.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// The objects, as given.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object of that name.
    pub fn find(&self, name: &str) -> Option<ObjectId> {
        let place = self.objects.iter().position(|object| object.name == name)?;
        Some(ObjectId(place as u32))
    }

    /// The names of an object's parts.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn parts(&self, object: ObjectId) -> &[String] {
        &self.roles[object.index()].parts
    }

    /// The numbers of vertices and of triangles of an object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn size(&self, object: ObjectId) -> (u32, u32) {
        let role = &self.roles[object.index()];
        (role.vertices, role.triangles)
    }

    /// A box that holds an object at a pose, in constant time; `None` unless it is one rigid piece.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn bounds_at(&self, object: ObjectId, pose: &Pose) -> Option<Aabb> {
        let [cut] = self.roles[object.index()].cuts.as_slice() else { return None };
        cut.rigid.as_ref().map(|rigid| rigid.support.placed(pose))
    }

    /// Whether nothing ever moves, so that all frames are alike.
    pub fn is_still(&self) -> bool {
        self.roles.iter().flat_map(|role| &role.cuts).all(|cut| cut.is_still)
    }

    /// Whether two parts of two objects, or of one, may touch: the scene allows it, or they are
    /// links of a robot that are joined, or one link. Neighbours on a skin are not told here:
    /// what is left out of them depends on the triangles.
    ///
    /// # Panics
    /// If there is no such object or part.
    pub fn may_touch(&self, a: ObjectId, part_a: u32, b: ObjectId, part_b: u32) -> bool {
        let (i, j) = (a.index(), b.index());
        if i == j && self.are_joined(i, (part_a, part_b)) {
            return true;
        }
        self.allowed.parts((i, part_a), (j, part_b))
    }

    /// Whether two parts of one object are one link of a robot, or two that are joined.
    pub(super) fn are_joined(&self, object: usize, (p, q): (u32, u32)) -> bool {
        let own = &self.roles[object].own;
        (own.is_robot && p == q) || own.joined.contains(&(p.min(q), p.max(q)))
    }

    /// The number of pairs of an object's own parts that are compared: none unless that is asked
    /// for, or if the scene allows all of them to touch.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn own_pairs(&self, object: ObjectId) -> u64 {
        if self.objects[object.index()].with_itself { self.own_pairs[object.index()] } else { 0 }
    }

    /// The pieces of an object, by their numbers: meshes of a character, links of a robot; one of
    /// any other object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn pieces(&self, object: ObjectId) -> Range<u32> {
        self.first_piece[object.index()]..self.first_piece[object.index() + 1]
    }

    /// Also compares every object with itself.
    #[must_use]
    pub fn with_itself(mut self) -> Self {
        self.objects.iter_mut().for_each(|object| object.with_itself = true);
        tell_shells(&self.objects, &mut self.roles);
        self.token = Arc::new(());
        self
    }

    /// How many pairs of some objects may touch, or are of half-spaces, and are not compared.
    pub(super) fn pairs_left_out(&self, objects: &[usize]) -> u64 {
        let is_plane = |object: &&usize| self.roles[**object].cuts.iter().all(Cut::is_plane);
        let planes: Vec<usize> = objects.iter().filter(is_plane).copied().collect();
        let mut pairs = 0;
        for (i, &a) in planes.iter().enumerate() {
            let others = planes[i + 1..].iter();
            pairs += others.filter(|&&b| self.leave(a, b) != Leave::All).count() as u64;
        }
        pairs + self.allowed.pairs_left_out(objects)
    }

    /// Whether anything of two objects is compared, or of one with itself.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn compares(&self, a: ObjectId, b: ObjectId) -> bool {
        self.leave(a.index(), b.index()) != Leave::All
    }

    /// How much of two objects may touch.
    pub(super) fn leave(&self, a: usize, b: usize) -> Leave {
        if a == b {
            return if self.objects[a].with_itself { Leave::Parts } else { Leave::All };
        }
        self.allowed.objects(a, b)
    }
}

/// How many pairs of an object's own parts are compared under some rules. Where these allow some
/// pairs only, it matters but whether any is left.
fn own_pairs_left(allowed: &Allowed, object: usize, role: &Role) -> u64 {
    let (pairs, parts) = (role.own.pairs, role.parts.len() as u32);
    let is_left = |i: u32, j: u32| {
        !role.own.joined.contains(&(i, j)) && !allowed.parts((object, i), (object, j))
    };
    let first = |i: u32| if parts == 1 { i } else { i + 1 };
    match allowed.objects(object, object) {
        Leave::None => pairs,
        Leave::All => 0,
        Leave::Parts if u64::from(parts) * u64::from(parts) > MOST_COUNTED => pairs,
        Leave::Parts => {
            let is_any = (0..parts).any(|i| (first(i)..parts).any(|j| is_left(i, j)));
            if is_any { pairs } else { 0 }
        }
    }
}

fn check_names(objects: &[Object]) -> Result<(), SceneError> {
    let mut seen = HashSet::new();
    for (index, object) in objects.iter().enumerate() {
        if object.name.is_empty() {
            return Err(SceneErrorKind::NoName { object: index }.into());
        }
        if !seen.insert(object.name.as_str()) {
            return Err(SceneErrorKind::SameName { name: object.name.clone() }.into());
        }
    }
    Ok(())
}
