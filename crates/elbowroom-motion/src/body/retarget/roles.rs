//! Which joint of a skeleton plays which bone.
//!
//! Names alone do not decide: a word may mean different bones in different skeletons, and a bone
//! may be several joints in a row. What the names leave open is decided by what other names there
//! are and by who hangs on whom. Of several joints that could play one bone, the one nearest to the
//! root does. In a file's tree a mesh often has the name of the bone that it shows; so what hangs
//! on the hips comes before what does not, and of joints of one name the one on which something
//! hangs is the bone.

use std::collections::HashMap;

use super::super::skeleton::{JointId, Skeleton};
use super::names::{Bone, Meaning, Side, meaning};
use elbowroom::internal::math::sort::{many_by, many_by_key};

/// A bone of a side; the first, second, … of those that come in a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Role {
    Bone(Option<Side>, Bone, usize),
    /// A joint that we do not know, by its words.
    Other(Option<Side>, String),
}

/// The joints of a skeleton by what they play.
pub(super) struct Cast {
    joints: HashMap<Role, JointId>,
    /// From the hips upward.
    pub(super) spine: Vec<JointId>,
    /// From the spine upward.
    pub(super) neck: Vec<JointId>,
}

impl Cast {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let mut casting = Casting::new(skeleton);
        for side in [Side::Left, Side::Right] {
            casting.arm(side);
            casting.leg(side);
            for finger in Bone::FINGERS {
                let row = casting.row(Some(side), finger);
                casting.assign(Some(side), finger, &row);
            }
        }
        casting.trunk()
    }

    /// Who plays a bone; the first where there is a row.
    pub(super) fn get(&self, side: Option<Side>, bone: Bone) -> Option<JointId> {
        self.joints.get(&Role::Bone(side, bone, 0)).copied()
    }

    /// Every role, in a fixed order, but those of spine and neck.
    pub(super) fn roles(&self) -> Vec<(&Role, JointId)> {
        let mut roles: Vec<_> = self.joints.iter().map(|(role, &joint)| (role, joint)).collect();
        many_by(&mut roles, Ord::cmp);
        roles
    }

    /// Who plays exactly this role.
    pub(super) fn playing(&self, role: &Role) -> Option<JointId> {
        self.joints.get(role).copied()
    }
}

struct Casting<'a> {
    skeleton: &'a Skeleton,
    meanings: Vec<Meaning>,
    depths: Vec<u32>,
    /// Whether anything hangs on a joint.
    carries: Vec<bool>,
    /// Whether a joint hangs on the hips, where the hips have a name.
    below_hips: Vec<bool>,
    joints: HashMap<Role, JointId>,
}

impl<'a> Casting<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let meanings = skeleton.joints().iter().map(|joint| meaning(&joint.name)).collect();
        let (mut depths, mut carries) = (vec![0; skeleton.len()], vec![false; skeleton.len()]);
        for id in skeleton.parents_first() {
            if let Some(parent) = skeleton.joints()[id.index()].parent {
                depths[id.index()] = depths[parent.index()] + 1;
                carries[parent.index()] = true;
            }
        }
        let (below_hips, joints) = (vec![false; skeleton.len()], HashMap::new());
        let mut casting = Self { skeleton, meanings, depths, carries, below_hips, joints };
        if let Some(&hips) = casting.row(None, Bone::Hips).first() {
            casting.below_hips = casting.below(hips);
        }
        casting
    }

    /// The joints whose names say this, those on the hips first, then by how near they are to the
    /// root; of joints of one name only one.
    fn row(&self, side: Option<Side>, bone: Bone) -> Vec<JointId> {
        let says = |meaning: &Meaning| meaning.side == side && meaning.bone == Some(bone);
        let mut row: Vec<JointId> = (0..self.meanings.len())
            .filter(|&i| says(&self.meanings[i]))
            .map(|i| JointId(i as u32))
            .collect();
        let name = |id: &JointId| self.skeleton.joints()[id.index()].name.as_str();
        let place = |id: &JointId| {
            let i = id.index();
            (!self.below_hips[i], self.depths[i], id.0)
        };
        many_by_key(&mut row, |&id| (name(&id), !self.carries[id.index()], place(&id)));
        row.dedup_by(|a, b| name(a) == name(b));
        many_by_key(&mut row, place);
        row
    }

    /// Gives a row of joints the first, second, … part of a bone.
    fn assign(&mut self, side: Option<Side>, bone: Bone, row: &[JointId]) {
        for (place, &joint) in row.iter().enumerate() {
            self.joints.insert(Role::Bone(side, bone, place), joint);
        }
    }

    /// Gives joints one bone each, as far as they go; only the first joint of a name.
    fn deal(&mut self, side: Side, bones: &[Bone], row: &[JointId]) {
        for (&bone, joint) in bones.iter().zip(row) {
            self.assign(Some(side), bone, &[*joint]);
        }
    }

    fn first(&mut self, side: Side, bone: Bone) -> bool {
        let row = self.row(Some(side), bone);
        self.deal(side, &[bone], &row);
        !row.is_empty()
    }

    fn arm(&mut self, side: Side) {
        let shoulders = self.row(Some(side), Bone::Shoulder);
        let arms = self.row(Some(side), Bone::Arm);
        let has_forearm = self.first(side, Bone::Forearm);
        let has_upper = self.first(side, Bone::UpperArm);
        self.first(side, Bone::Hand);
        let mut shoulder_is_free = true;
        if !has_upper && has_forearm {
            // A shoulder that an elbow follows is the upper arm's.
            let row = if arms.is_empty() { &shoulders } else { &arms };
            shoulder_is_free = !arms.is_empty();
            self.deal(side, &[Bone::UpperArm], row);
        } else if !has_upper {
            self.deal(side, &[Bone::UpperArm, Bone::Forearm, Bone::Hand], &arms);
        }
        if shoulder_is_free {
            self.deal(side, &[Bone::Shoulder], &shoulders);
        }
    }

    fn leg(&mut self, side: Side) {
        let legs = self.row(Some(side), Bone::Leg);
        let hip_joints = self.row(Some(side), Bone::HipJoint);
        let mut has_thigh = self.first(side, Bone::Thigh);
        let has_shin = self.first(side, Bone::Shin);
        let has_foot = self.first(side, Bone::Foot);
        self.first(side, Bone::Toe);
        // A hip joint that neither thigh nor leg follows is the thigh's own.
        if !has_thigh && legs.is_empty() {
            self.deal(side, &[Bone::Thigh], &hip_joints);
            has_thigh = !hip_joints.is_empty();
        } else {
            self.deal(side, &[Bone::HipJoint], &hip_joints);
        }
        match (has_thigh, has_shin) {
            (true, false) => self.deal(side, &[Bone::Shin], &legs),
            (false, true) => self.deal(side, &[Bone::Thigh], &legs),
            (false, false) if has_foot => self.deal(side, &[Bone::Thigh, Bone::Shin], &legs),
            (false, false) => {
                self.deal(side, &[Bone::Thigh, Bone::Shin, Bone::Foot, Bone::Toe], &legs);
            }
            (true, true) => {}
        }
    }

    /// Hips, spine, neck and head, and whatever else has a name.
    fn trunk(mut self) -> Cast {
        let mut spine = self.row(None, Bone::Spine);
        let hips = self.row(None, Bone::Hips).first().copied();
        let root = || self.row(None, Bone::Root).first().copied();
        let legs = self.joints.get(&Role::Bone(Some(Side::Left), Bone::Thigh, 0)).copied();
        let first_of_spine = spine.first().copied().filter(|&first| {
            // A trunk that carries the legs is the hips.
            legs.is_some_and(|leg| self.below(first)[leg.index()])
        });
        let hips = hips.or(first_of_spine).or_else(root);
        if let Some(hips) = hips {
            self.assign(None, Bone::Hips, &[hips]);
            let below = self.below(hips);
            spine.retain(|&joint| joint != hips && below[joint.index()]);
        }
        let neck = self.row(None, Bone::Neck);
        let head = self.row(None, Bone::Head);
        self.assign(None, Bone::Head, head.get(..1).unwrap_or_default());
        self.others();
        Cast { joints: self.joints, spine, neck }
    }

    /// For every joint whether it is another or hangs on it.
    fn below(&self, ancestor: JointId) -> Vec<bool> {
        let mut below = vec![false; self.skeleton.len()];
        for id in self.skeleton.parents_first() {
            let parent = self.skeleton.joints()[id.index()].parent;
            below[id.index()] = id == ancestor || parent.is_some_and(|p| below[p.index()]);
        }
        below
    }

    /// Joints that are no bone we know take the motion of the joint with the same name, if that
    /// name is unique.
    fn others(&mut self) {
        let mut named: HashMap<Role, Option<JointId>> = HashMap::new();
        for (index, meaning) in self.meanings.iter().enumerate() {
            if meaning.bone.is_none() && !meaning.words.is_empty() {
                let digits: String = digits(&self.skeleton.joints()[index].name);
                let role = Role::Other(meaning.side, format!("{}{digits}", meaning.words));
                let seen = named.contains_key(&role);
                named.insert(role, (!seen).then_some(JointId(index as u32)));
            }
        }
        self.joints.extend(named.into_iter().filter_map(|(role, joint)| Some((role, joint?))));
    }
}

/// `Tail1` and `Tail2` are different, `tail_01` and `Tail1` are not.
fn digits(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let numbers = own.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.flat_map(|number| ["_", number.trim_start_matches('0')]).collect()
}
