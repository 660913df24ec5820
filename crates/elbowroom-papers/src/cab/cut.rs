//! From joints to a binary tree over links.
//!
//! The joints that carry links are a tree, or several. Taking away one edge of it leaves two parts,
//! each in one piece; so a group of links is cut where that leaves the most even numbers of links,
//! and again, until every link is alone. Each inner node of the binary tree remembers the joint at
//! which it was cut.
//!
//! ```text
//!   joints   0 ─ 1 ─ 2 ─ 3 ─ 4 ─ 5 ─ 6 ─ 7     a chain of eight is cut at joint 4, then at 2 and 6, …
//!
//!            wrist ┬ thumb                     branches of one joint: in order, half of them and half of
//!                  ├ index   (thumb index)     the rest are gathered by a twig without links, so that
//!                  ├ middle                    a cut may also fall between the first two fingers
//!                  └ ring    (middle ring)     and the last two
//! ```
//!
//! Why even cuts: every group is one piece of the body, so that its box is about as long as the
//! piece is whatever the pose, and a body of n links is log n deep instead of n (a chain merged
//! link by link, from its root, would be a list). Why in order: it does not depend on a pose, and
//! files name neighbours in order.
//!
//! Ties go to the cut nearest to the root, then to the first branch. Joints without links are
//! passed over. Several links of one joint are halved in order, last of all. Several roots are
//! gathered like branches, and met at no joint.

use crate::cab::Link;
use elbowroom::internal::bvh::{Tree, cut_up};
use elbowroom_motion::body::{JointId, Skeleton};

/// A place of the skeleton where something is held together: a joint with links, or a gathering of
/// branches.
#[derive(Debug)]
struct Twig {
    parent: Option<u32>,
    children: Vec<u32>,
    /// How many links it carries itself.
    links: u32,
    /// The joint that it stands for; `None` if roots are gathered.
    joint: Option<JointId>,
    /// The joint at which it meets its parent; nothing for one of several roots.
    meets: Option<JointId>,
    /// Whether it was cut from its parent.
    is_cut: bool,
}

/// The tree over links, and for each of its nodes the joint at which its two children meet.
pub(super) fn binary(skeleton: &Skeleton, links: &[Link]) -> (Tree, Vec<Option<JointId>>) {
    let (mut twigs, twig_of) = twigs(skeleton, links);
    let mut joints = vec![None; 2 * links.len() - 1];
    let tree = cut_up(links.len(), |node, members| {
        let (left, joint) = twigs.cut(&twig_of, members)?;
        joints[node.index()] = joint;
        Some(left)
    });
    (tree, joints)
}

#[derive(Debug, Default)]
struct Twigs {
    all: Vec<Twig>,
    /// The twigs of a group, each followed by all that is below it.
    group: Vec<u32>,
    /// By twig: its place in the group, and how many twigs and links it and what is below it are.
    place: Vec<u32>,
    below: Vec<[u32; 2]>,
}

impl Twigs {
    fn add(&mut self, links: usize, joint: Option<JointId>) -> u32 {
        let links = links as u32;
        let children = Vec::new();
        let twig = Twig { parent: None, children, links, joint, meets: joint, is_cut: false };
        self.all.push(twig);
        self.all.len() as u32 - 1
    }

    /// Hangs branches on a twig: two at most, so that more are gathered in halves first.
    fn hang(&mut self, twig: u32, branches: &[u32], hub: Option<JointId>) {
        let mut waiting = vec![(twig, branches)];
        while let Some((twig, branches)) = waiting.pop() {
            let halves = branches.split_at(branches.len().div_ceil(2));
            for half in [halves.0, halves.1] {
                let child = match half {
                    [] => continue,
                    &[only] => only,
                    _ => {
                        let gathering = self.add(0, hub);
                        waiting.push((gathering, half));
                        gathering
                    }
                };
                self.all[twig as usize].children.push(child);
                self.all[child as usize].parent = Some(twig);
            }
        }
    }

    /// Cuts a group of links: how many are above the cut, brought to the front, and where it is.
    fn cut(&mut self, twig_of: &[u32], members: &mut [u32]) -> Option<(usize, Option<JointId>)> {
        let home = twig_of[members[0] as usize];
        if members.len() == 1 {
            return None;
        }
        if members.iter().all(|&link| twig_of[link as usize] == home) {
            return Some((members.len().div_ceil(2), self.all[home as usize].joint));
        }
        self.gather(home);
        let at = self.most_even(members.len() as u32);
        self.all[at as usize].is_cut = true;
        let first = self.place[at as usize];
        let under = first..first + self.below[at as usize][0];
        let is_above =
            |link: &&u32| !under.contains(&self.place[twig_of[**link as usize] as usize]);
        let (front, back): (Vec<u32>, Vec<u32>) = members.iter().partition(is_above);
        let (left, right) = members.split_at_mut(front.len());
        left.copy_from_slice(&front);
        right.copy_from_slice(&back);
        Some((front.len(), self.all[at as usize].meets))
    }

    /// Finds all twigs that are still joined to one.
    fn gather(&mut self, mut top: u32) {
        while let Twig { parent: Some(parent), is_cut: false, .. } = self.all[top as usize] {
            top = parent;
        }
        self.place.resize(self.all.len(), 0);
        self.below.resize(self.all.len(), [0; 2]);
        self.group.clear();
        let mut waiting = vec![top];
        while let Some(at) = waiting.pop() {
            let Twig { children, links, .. } = &self.all[at as usize];
            self.place[at as usize] = self.group.len() as u32;
            self.below[at as usize] = [1, *links];
            self.group.push(at);
            let joined = children.iter().rev().filter(|&&child| !self.all[child as usize].is_cut);
            waiting.extend(joined);
        }
        for &at in self.group[1..].iter().rev() {
            let [twigs, links] = self.below[at as usize];
            if let Some(parent) = self.all[at as usize].parent {
                let sum = &mut self.below[parent as usize];
                *sum = [sum[0] + twigs, sum[1] + links];
            }
        }
    }

    /// The twig of the group below which there are most nearly half of its links.
    fn most_even(&self, links: u32) -> u32 {
        let below = |at: u32| self.below[at as usize][1];
        let is_cut_of = |at: &u32| (1..links).contains(&below(*at));
        let uneven = |at: &u32| (2 * below(*at)).abs_diff(links);
        // The first of equal ones. A group of two twigs with links has a cut between them.
        self.group[1..]
            .iter()
            .copied()
            .filter(is_cut_of)
            .min_by_key(uneven)
            .unwrap_or(self.group[0])
    }
}

/// The twigs of a skeleton, and the one that each link is carried by.
fn twigs(skeleton: &Skeleton, links: &[Link]) -> (Twigs, Vec<u32>) {
    let mut carried = vec![0_usize; skeleton.len()];
    for link in links {
        carried[link.joint.index()] += 1;
    }
    let mut twigs = Twigs::default();
    let mut twig_at = vec![0; skeleton.len()];
    // What hangs on each joint, in the order of the joints; the last ones are the roots.
    let mut branches: Vec<Vec<(u32, u32)>> = vec![Vec::new(); skeleton.len() + 1];
    for JointId(joint) in skeleton.parents_first().rev() {
        let index = joint as usize;
        let mut under = std::mem::take(&mut branches[index]);
        under.sort_unstable();
        let under: Vec<u32> = under.into_iter().map(|(_, twig)| twig).collect();
        let top = match *under.as_slice() {
            [] if carried[index] == 0 => continue,
            [only] if carried[index] == 0 => only,
            _ => {
                let twig = twigs.add(carried[index], Some(JointId(joint)));
                twigs.hang(twig, &under, Some(JointId(joint)));
                twig
            }
        };
        twig_at[index] = top;
        let above = skeleton.joints()[index].parent.map_or(skeleton.len(), JointId::index);
        branches[above].push((joint, top));
    }
    let mut roots = std::mem::take(&mut branches[skeleton.len()]);
    if roots.len() > 1 {
        roots.sort_unstable();
        let roots: Vec<u32> = roots.into_iter().map(|(_, twig)| twig).collect();
        // Roots meet at no joint, whatever their own is.
        for &root in &roots {
            twigs.all[root as usize].meets = None;
        }
        let gathering = twigs.add(0, None);
        twigs.hang(gathering, &roots, None);
    }
    let twig_of = links.iter().map(|link| twig_at[link.joint.index()]).collect();
    (twigs, twig_of)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use elbowroom::internal::bvh::NodeId;
    use elbowroom::internal::model::Model;
    use elbowroom::{Mesh, Pose};
    use elbowroom_motion::body::{Joint, Local};

    fn skeleton(parents: &[Option<u32>]) -> Skeleton {
        let joint = |(i, parent): (usize, &Option<u32>)| Joint {
            name: format!("j{i}"),
            parent: parent.map(JointId),
            rest: Local::from_translation(DVec3::X),
        };
        Skeleton::new(parents.iter().enumerate().map(joint).collect()).unwrap()
    }

    /// The tree as brackets around links, each pair with the joint at which it meets.
    fn shown(parents: &[Option<u32>], at: &[u32]) -> String {
        let mesh = Mesh::new(vec![DVec3::ZERO], vec![[0; 3]]).unwrap();
        let model = Arc::new(Model::new(mesh));
        let link = |&joint: &u32| Link {
            joint: JointId(joint),
            model: Arc::clone(&model),
            joint_from_link: Pose::IDENTITY,
            name: String::new(),
        };
        let links: Vec<Link> = at.iter().map(link).collect();
        let (tree, joints) = binary(&skeleton(parents), &links);
        let mut text = vec![String::new(); tree.len()];
        for node in tree.nodes().rev() {
            text[node.index()] = match tree.children(node) {
                None => format!("{}", tree.members(node)[0]),
                Some([left, right]) => {
                    let joint = joints[node.index()].map_or("-".into(), |JointId(j)| j.to_string());
                    format!("({} {joint}: {})", text[left.index()], text[right.index()])
                }
            };
        }
        text.swap_remove(NodeId::ROOT.index())
    }

    #[test]
    fn chains_are_halved() {
        let chain = |n: u32| (0..n).map(|i| i.checked_sub(1)).collect::<Vec<_>>();
        assert_eq!(shown(&chain(4), &[0, 1, 2, 3]), "((0 1: 1) 2: (2 3: 3))");
        assert_eq!(shown(&chain(3), &[0, 1, 2]), "(0 1: (1 2: 2))");
        assert_eq!(shown(&chain(1), &[0]), "0");
        // Joints 1, 2 and 4 carry nothing.
        assert_eq!(shown(&chain(6), &[0, 3, 5]), "(0 3: (1 5: 2))");
    }

    #[test]
    fn branches_are_gathered_in_order() {
        let hand = [None, Some(0), Some(0), Some(0), Some(0)];
        assert_eq!(shown(&hand, &[0, 1, 2, 3, 4]), "((0 0: (4 3: 3)) 0: (2 1: 1))");
        // Without a palm.
        assert_eq!(shown(&hand, &[1, 2, 3, 4]), "((3 3: 2) 0: (1 1: 0))");
    }

    #[test]
    fn links_of_one_joint_and_several_roots() {
        assert_eq!(shown(&[None], &[0, 0, 0]), "((0 0: 1) 0: 2)");
        assert_eq!(shown(&[None, None, None], &[2, 1, 0]), "(0 -: (1 -: 2))");
        assert_eq!(shown(&[None, None, Some(1)], &[0, 1, 2]), "((1 2: 2) -: 0)");
    }
}
