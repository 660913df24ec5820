//! Many who stand on one floor, and who of them may touch.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::detail::{Counts, Detail, Near};
use super::grid::Grid;
use super::member::{CrowdError, CrowdErrorKind, Member};
use super::pool::Pool;
use super::role::Role;
use super::step::Step;
use super::{PartContact, Performer, upright};

/// Configuration of a crowd: the interval of footprints, and the source of meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdConfig {
    /// The time of a clip that one footprint covers, in seconds; at least one sample. Longer
    /// intervals need fewer footprints, which are larger.
    pub interval: f64,
    /// The source of the meshes.
    pub bodies: Bodies,
    /// The lowest level of circles that [`Detail::Exact`] goes down to before it compares meshes;
    /// `None` for all. The answers are the same.
    pub exact_level: Option<u32>,
}

impl Default for CrowdConfig {
    /// A tenth of a second, shared meshes, all circles before them.
    fn default() -> Self {
        Self { interval: 0.1, bodies: Bodies::Shared, exact_level: None }
    }
}

/// The source of the meshes of a crowd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bodies {
    /// One mesh for each sample of each performer, made at its first use, cached, and placed for
    /// every member in that sample. For many people and few clips: a mesh of 2,850 triangles takes
    /// some hundred kilobytes. The query is exact for the mesh in the performer's own frame.
    #[default]
    Shared,
    /// Bodies are skinned in every step, for members whose cluster boxes meet. Takes memory for all
    /// that may touch at once. The query is exact for vertices that are rounded at their place in
    /// the world, so it may differ from [`Bodies::Shared`] if bodies touch within a rounding error.
    Skinned,
}

/// Thousands of characters on one floor.
///
/// Everybody holds the pose of a sample of their clip ([`Performer::sample_at`]) until the next
/// one; how finely clips are sampled is the performers' choice. Bodies of one performer in one
/// sample share their footprint and their mesh, which are made when they are first needed. Warm
/// steps allocate nothing.
///
/// ```
/// use elbowroom_motion::crowd::{Crowd, CrowdConfig, Detail, Member, Performer, Verdict};
/// use elbowroom_motion::footprint::FootprintConfig;
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_motion::space_time::Taking;
/// use glam::DVec2;
///
/// let man = elbowroom_make::body::male();
/// let walk = Performer::in_place(&man, &man.clips[0], &Taking::default(), FootprintConfig::default())?;
/// let mut crowd = Crowd::new(vec![walk], &CrowdConfig::default());
/// for (id, x) in [(7, 0.0), (3, 0.3), (5, 9.0)] {
///     let at = Planar::from_angle(1.0, DVec2::new(x, 0.0))?;
///     crowd.set(id, Member { performer: 0, at, time: 0.5 })?;
/// }
/// let near = crowd.pairs(&Detail::Exact);
/// assert_eq!((near.len(), near[0].ids, near[0].verdict), (1, [3, 7], Verdict::Touching));
/// assert_eq!(crowd.counts().broad, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Crowd<'a> {
    pub(super) roles: Vec<Role<'a>>,
    /// How far any body reaches from its place.
    pub(super) reach: f64,
    slots_by_id: HashMap<u32, u32, BuildHasherDefault<IdHasher>>,
    pub(super) slots: Vec<Slot>,
    free: Vec<u32>,
    pub(super) grid: Grid,
    pub(super) bodies: Bodies,
    pub(super) exact_level: Option<u32>,
    step: Step,
    pool: Pool<'a>,
}

/// A member and what follows from its clip time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) id: u32,
    pub(super) sample: u32,
    pub(super) span: u32,
    pub(super) member: Member,
}

impl<'a> Crowd<'a> {
    /// A crowd without members.
    pub fn new(performers: Vec<Performer<'a>>, config: &CrowdConfig) -> Self {
        let roles: Vec<Role<'a>> =
            performers.into_iter().map(|performer| Role::new(performer, config.interval)).collect();
        let reach = roles.iter().map(Role::reach).fold(0.0, f64::max);
        Self {
            roles,
            reach,
            slots_by_id: HashMap::default(),
            slots: Vec::new(),
            free: Vec::new(),
            grid: Grid::new(2.0 * reach),
            bodies: config.bodies,
            exact_level: config.exact_level,
            step: Step::default(),
            pool: Pool::default(),
        }
    }

    /// Puts a member there, or moves it.
    ///
    /// # Errors
    /// If the performer is not there, the time is not finite, the place is too far away or the
    /// heading is not a turn; then nothing has changed.
    pub fn set(&mut self, id: u32, member: Member) -> Result<(), CrowdError> {
        let role = self.check(id, &member)?;
        let sample = role.performer.sample_at(member.time);
        let span = role.span_of(sample) as u32;
        let now = Slot { id, sample: sample as u32, span, member };
        let (slots, free) = (&mut self.slots, &mut self.free);
        let slot = *self.slots_by_id.entry(id).or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                slots.push(now);
                slots.len() as u32 - 1
            })
        });
        self.slots[slot as usize] = now;
        self.grid.place(slot, Some(member.at.translation()));
        Ok(())
    }

    fn check(&self, id: u32, member: &Member) -> Result<&Role<'a>, CrowdError> {
        let &Member { performer, at, time } = member;
        let Some(role) = self.roles.get(performer as usize) else {
            let performers = self.roles.len();
            return Err(CrowdErrorKind::NoSuchPerformer { id, performer, performers }.into());
        };
        if !time.is_finite() {
            return Err(CrowdErrorKind::Time { id, time }.into());
        }
        let most = self.grid.most();
        for (axis, value) in [('x', at.translation().x), ('y', at.translation().y)] {
            if value.abs() > most {
                return Err(CrowdErrorKind::TooFar { id, axis, value, most }.into());
            }
        }
        // A pose in space is a little stricter than one on the ground.
        let distance = at.deviation();
        if distance > 1e-12 && upright(&at).is_err() {
            return Err(CrowdErrorKind::NotATurn { id, distance }.into());
        }
        Ok(role)
    }

    /// Takes a member away; whether it was there.
    pub fn remove(&mut self, id: u32) -> bool {
        let Some(slot) = self.slots_by_id.remove(&id) else { return false };
        self.free.push(slot);
        self.grid.place(slot, None);
        true
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.slots_by_id.len()
    }

    /// Whether the crowd has no members.
    pub fn is_empty(&self) -> bool {
        self.slots_by_id.is_empty()
    }

    /// A member as it was set.
    pub fn get(&self, id: u32) -> Option<&Member> {
        self.slots_by_id.get(&id).map(|&slot| &self.slots[slot as usize].member)
    }

    /// The performers, as given.
    pub fn performers(&self) -> impl ExactSizeIterator<Item = &Performer<'a>> {
        self.roles.iter().map(|role| &role.performer)
    }

    /// All who are not clear of each other, as closely as asked, ordered by their ids. The list
    /// does not depend on the order in which they came, nor on what was asked before.
    pub fn pairs(&mut self, detail: &Detail) -> &[Near] {
        self.run(detail, false)
    }

    /// The pairs, computed on rayon's threads; answer and counts are those of
    /// [`pairs`](Self::pairs).
    #[cfg(feature = "parallel")]
    pub fn pairs_parallel(&mut self, detail: &Detail) -> &[Near] {
        self.run(detail, true)
    }

    fn run(&mut self, detail: &Detail, parallel: bool) -> &[Near] {
        self.grid.settle();
        let (mut step, mut pool) = (std::mem::take(&mut self.step), std::mem::take(&mut self.pool));
        step.run(self, &mut pool, detail, parallel);
        (self.step, self.pool) = (step, pool);
        &self.step.found
    }

    /// Where two members touch, by the regions of their joints: the first's and the second's, in
    /// the skeletons of their performers. Nothing for who is not there. Exact for shared
    /// meshes, whatever the crowd's bodies are.
    pub fn between(&mut self, a: u32, b: u32) -> Vec<PartContact> {
        let [Some(a), Some(b)] = [a, b].map(|id| self.slots_by_id.get(&id).copied()) else {
            return Vec::new();
        };
        self.step.between(&self.roles, &self.slots[a as usize], &self.slots[b as usize])
    }

    /// The counts of the last query.
    pub fn counts(&self) -> Counts {
        self.step.counts
    }

    /// The number of circle tests that this crowd does in a number of seconds on this machine, in
    /// wall-clock time: a number for [`Detail::Budget`]. Everything that a step needs is included.
    /// Each call measures again, so call it once.
    pub fn tests_within(&mut self, seconds: f64) -> u64 {
        // The first makes what is not there yet.
        self.pairs(&Detail::Full);
        let mut least = f64::INFINITY;
        for _ in 0..5 {
            let start = std::time::Instant::now();
            self.pairs(&Detail::Full);
            least = least.min(start.elapsed().as_secs_f64());
        }
        let tests = self.counts().tests.max(1) as f64;
        // Casts stop at 0, for NaN too, and at the largest number.
        #[expect(clippy::cast_sign_loss, reason = "what is below zero is zero")]
        let tests = (tests * seconds / least.max(1e-9)) as u64;
        tests
    }
}

/// Ids come from files, not from enemies: one product spreads them well enough (Knuth's
/// multiplicative hashing), and a step looks up everybody.
#[derive(Clone, Copy, Debug, Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 << 8 | u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn write_u32(&mut self, id: u32) {
        // The table takes its places from the low bits and its tags from the high ones.
        let spread = u64::from(id).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = spread ^ (spread >> 32);
    }
}
