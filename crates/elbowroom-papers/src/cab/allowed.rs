//! Pairs of links that may touch.

use crate::cab::error::{ArticulatedBodyError, ArticulatedBodyErrorKind};
use crate::cab::link::ArticulatedBody;
use elbowroom_motion::body::Rig;

/// Pairs of links of one body that may touch, so that they are not asked about.
///
/// ```
/// use elbowroom_papers::cab::Allowed;
/// # use std::sync::Arc;
/// # use elbowroom_papers::cab::{ArticulatedBody, Link};
/// # use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
/// # use elbowroom::{Mesh, Pose};
/// # use elbowroom::internal::model::Model;
/// # let joint = |parent: Option<u32>| Joint { name: String::new(), parent: parent.map(JointId), rest: Local::IDENTITY };
/// # let skeleton = Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1))])?;
/// # let model = Arc::new(Model::new(Mesh::new(vec![glam::DVec3::ZERO], vec![[0; 3]])?));
/// # let link = |joint| Link { joint: JointId(joint), model: Arc::clone(&model), joint_from_link: Pose::IDENTITY, name: String::new() };
/// # let articulation = ArticulatedBody::new(&skeleton, vec![link(0), link(1), link(2)])?;
/// let allowed = Allowed::adjacent(&articulation).with(&[(2, 0)])?;
/// assert!(allowed.has(0, 1) && allowed.has(0, 2) && allowed.has(2, 1));
/// assert!(!Allowed::nothing(&articulation).has(0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// By link: where its partners begin in the list of all; one more for the end.
    first: Vec<u32>,
    /// The partners of each link that have a higher number, in order.
    partners: Vec<u32>,
}

impl Allowed {
    /// All contact counts, also where links are joined.
    pub fn nothing(articulation: &ArticulatedBody) -> Self {
        Self { first: vec![0; articulation.links().len() + 1], partners: Vec::new() }
    }

    /// Links that are joined may touch (see [`ArticulatedBody::adjacent`]).
    pub fn adjacent(articulation: &ArticulatedBody) -> Self {
        Self::of(articulation.links().len(), articulation.adjacent().to_vec())
    }

    /// Links may touch where the rig allows it to their joints, and where they are joined.
    pub fn of_rig(articulation: &ArticulatedBody, rig: &Rig) -> Self {
        let mut on = vec![Vec::new(); articulation.joints_len()];
        for (index, link) in articulation.links().iter().enumerate() {
            on[link.joint.index()].push(index as u32);
        }
        let mut pairs = articulation.adjacent().to_vec();
        for &(a, b) in &rig.allowed {
            // What is not of this articulation carries none of its links.
            let [a, b] = [a, b].map(|joint| on.get(joint as usize).map_or(&[][..], Vec::as_slice));
            pairs.extend(a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))));
        }
        Self::of(articulation.links().len(), pairs)
    }

    /// Adds pairs that are allowed to touch, in any order.
    ///
    /// # Errors
    /// Names a pair with a link that is not there.
    pub fn with(&self, pairs: &[(u32, u32)]) -> Result<Self, ArticulatedBodyError> {
        let links = self.links_len();
        if let Some(&pair) = pairs.iter().find(|&&(a, b)| a.max(b) as usize >= links) {
            return Err(ArticulatedBodyErrorKind::NoSuchLink { pair, links }.into());
        }
        Ok(Self::of(links, self.pairs().chain(pairs.iter().copied()).collect()))
    }

    /// Whether two links may touch; a link may always touch itself.
    ///
    /// # Panics
    /// If one of them is not there.
    #[inline]
    pub fn has(&self, a: u32, b: u32) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        low == high || self.above(low).binary_search(&high).is_ok()
    }

    /// The pairs, the lower number first, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let links = 0..self.links_len() as u32;
        links.flat_map(|a| self.above(a).iter().map(move |&b| (a, b)))
    }

    fn links_len(&self) -> usize {
        self.first.len() - 1
    }

    #[inline]
    fn above(&self, link: u32) -> &[u32] {
        let [from, to] = [link, link + 1].map(|link| self.first[link as usize] as usize);
        &self.partners[from..to]
    }

    fn of(links: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.retain(|pair| pair.0 != pair.1);
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; links + 1];
        for &(a, _) in &pairs {
            first[a as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Self { first, partners: pairs.into_iter().map(|(_, b)| b).collect() }
    }
}
