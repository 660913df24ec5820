//! Growing: cuts by surface area, at multiples of a leaf, and eight groups to a block.
//!
//! A group is cut where the two parts have the least area times count, over all three axes; only
//! after multiples of eight triangles, so that all leaves but the last of a group are full. Neither
//! part may be less than an eighth, so that the tree is not deep and does not take long, whatever
//! the mesh. Large groups are halved instead: there it makes little difference where.
//!
//! Source: Goldsmith and Salmon, *Automatic creation of object hierarchies for ray tracing*, 1987,
//! for the cost; blocks are made of binary nodes by opening the largest until there are eight, as
//! in Wald, Benthin and Boulos, *Getting rid of packets*, 2008.

use std::sync::Arc;

use glam::DVec3;

use super::{DeformableChild, DeformableTree, Leaf, Links, MOST};
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::Mesh;

/// Groups of more triangles than this are halved. No record compares other values.
const SWEPT: usize = 1 << 15;

/// A box around some triangles.
#[derive(Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Half its surface.
    fn area(&self) -> f64 {
        let d = self.high - self.low;
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    /// Twice its middle.
    fn middle(&self) -> DVec3 {
        self.low + self.high
    }
}

/// A group of triangles, as a run of the order; its parts, if it was cut.
struct Group {
    first: usize,
    count: usize,
    area: f64,
    parts: Option<[usize; 2]>,
}

pub(super) fn grow(mesh: &Mesh) -> DeformableTree {
    let extents = extents(mesh);
    let mut order: Vec<u32> = (0..extents.len() as u32).collect();
    let groups = cut(&extents, &mut order);
    let triangles = order.iter().map(|&t| mesh.triangles()[t as usize]).collect();
    let mut tree = DeformableTree {
        links: Vec::new(),
        leaves: Vec::new(),
        triangles,
        order,
        leaf_of: vec![0; extents.len()],
        corners: Vec::new(),
        middle: middle(mesh),
        vertices: mesh.vertices().len(),
        of_mesh: Arc::from(mesh.triangles()),
    };
    tree.link(&groups);
    tree
}

/// The boxes of the triangles, in units in which no area overflows.
fn extents(mesh: &Mesh) -> Vec<Extent> {
    let Aabb { min: low, max: high } = mesh.bounds();
    let size = low.abs().max(high.abs()).max_element();
    let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
    // Where one over the size is too large, sizes do not matter.
    let scale = scale.min(f64::MAX);
    let extent = |t: usize| {
        let corners = mesh.triangle(t).map(|corner| corner * scale);
        let point = |corner| Extent { low: corner, high: corner };
        corners.into_iter().map(point).fold(Extent::EMPTY, Extent::with)
    };
    (0..mesh.triangles().len()).map(extent).collect()
}

/// The vertex nearest to the middle of the box around all triangles.
fn middle(mesh: &Mesh) -> u32 {
    let Aabb { min: low, max: high } = mesh.bounds();
    let middle = 0.5 * low + 0.5 * high;
    let far = |&corner: &u32| (mesh.vertices()[corner as usize] - middle).abs().max_element();
    let nearer = |a: &u32, b: &u32| far(a).total_cmp(&far(b)).then(a.cmp(b));
    mesh.triangles().iter().flatten().copied().min_by(nearer).unwrap_or(0)
}

/// Cuts everything into groups of leaf size; the first is the whole.
fn cut(extents: &[Extent], order: &mut [u32]) -> Vec<Group> {
    let of = |order: &[u32]| order.iter().fold(Extent::EMPTY, |e, &t| e.with(extents[t as usize]));
    if order.is_empty() {
        return Vec::new();
    }
    let mut groups =
        vec![Group { first: 0, count: order.len(), area: of(order).area(), parts: None }];
    let mut next = 0;
    let (mut sorted, mut areas) = (Vec::new(), Vec::new());
    while next < groups.len() {
        let Group { first, count, .. } = groups[next];
        if count > MOST {
            let members = &mut order[first..first + count];
            let left = if count > SWEPT {
                halve(extents, members)
            } else {
                sweep(extents, members, &mut sorted, &mut areas)
            };
            groups[next].parts = Some([groups.len(), groups.len() + 1]);
            for (first, count) in [(first, left), (first + left, count - left)] {
                let area = of(&order[first..first + count]).area();
                groups.push(Group { first, count, area, parts: None });
            }
        }
        next += 1;
    }
    groups
}

/// By the middle along an axis, then by number, so that nothing is left to chance.
fn by_middle(extents: &[Extent], axis: usize) -> impl Fn(&u32, &u32) -> std::cmp::Ordering {
    let place = move |t: u32| extents[t as usize].middle()[axis];
    move |&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b))
}

/// Brings one half to the front, along the longest axis.
fn halve(extents: &[Extent], members: &mut [u32]) -> usize {
    let half = (members.len() / 2).next_multiple_of(MOST);
    let middles = members.iter().map(|&t| extents[t as usize].middle());
    let point = |at| Extent { low: at, high: at };
    let spread = middles.map(point).fold(Extent::EMPTY, Extent::with);
    let axis = (spread.high - spread.low).max_position();
    members.select_nth_unstable_by(half, by_middle(extents, axis));
    half
}

/// Brings the members to the front that the cheapest cut has on its left.
fn sweep(
    extents: &[Extent],
    members: &mut [u32],
    sorted: &mut Vec<u32>,
    areas: &mut Vec<f64>,
) -> usize {
    let count = members.len();
    let (least, most) = (count / 8, count - count / 8);
    let mut best = (f64::INFINITY, 0, (count / 2).next_multiple_of(MOST).min(count - 1));
    for axis in 0..3 {
        sorted.clear();
        sorted.extend_from_slice(members);
        sorted.sort_unstable_by(by_middle(extents, axis));
        areas.clear();
        areas.resize(count, 0.0);
        let mut right = Extent::EMPTY;
        for (place, &t) in sorted.iter().enumerate().rev() {
            right = right.with(extents[t as usize]);
            areas[place] = right.area();
        }
        let mut left = Extent::EMPTY;
        for (place, &t) in sorted.iter().enumerate() {
            if place > 0 && place % MOST == 0 && (least..=most).contains(&place) {
                let cost = left.area() * place as f64 + areas[place] * (count - place) as f64;
                if cost < best.0 {
                    best = (cost, axis, place);
                }
            }
            left = left.with(extents[t as usize]);
        }
    }
    members.sort_unstable_by(by_middle(extents, best.1));
    best.2
}

impl DeformableTree {
    /// Makes blocks of groups, each before those below it.
    fn link(&mut self, groups: &[Group]) {
        let mut waiting: Vec<usize> = Vec::new();
        if !groups.is_empty() {
            waiting.push(0);
        }
        let mut next = 0;
        while next < waiting.len() {
            let mut links = Links { under: [DeformableChild::NOTHING; 8], present: 0, leaves: 0 };
            for (lane, group) in opened(groups, waiting[next]).into_iter().enumerate() {
                links.present |= 1 << lane;
                links.under[lane] = if groups[group].parts.is_none() {
                    links.leaves |= 1 << lane;
                    self.push_leaf(&groups[group])
                } else {
                    waiting.push(group);
                    DeformableChild::block(waiting.len() - 1)
                };
            }
            self.links.push(links);
            next += 1;
        }
    }

    fn push_leaf(&mut self, &Group { first, count, .. }: &Group) -> DeformableChild {
        let mut corners = self.triangles[first..first + count].as_flattened().to_vec();
        corners.sort_unstable();
        corners.dedup();
        self.leaves.push(Leaf {
            first: first as u32,
            count: count as u32,
            first_corner: self.corners.len() as u32,
            corners: corners.len() as u32,
        });
        self.corners.extend(corners);
        for &triangle in &self.order[first..first + count] {
            self.leaf_of[triangle as usize] = self.leaves.len() as u32 - 1;
        }
        DeformableChild::leaf(self.leaves.len() - 1)
    }
}

/// Up to eight groups that a group consists of: the largest that can be cut gives way to its parts.
fn opened(groups: &[Group], whole: usize) -> Vec<usize> {
    let mut open = vec![whole];
    while open.len() < 8 {
        let can = |&place: &usize| groups[open[place]].parts.is_some();
        let larger = |&a: &usize, &b: &usize| {
            groups[open[a]].area.total_cmp(&groups[open[b]].area).then(b.cmp(&a))
        };
        let Some(place) = (0..open.len()).filter(can).max_by(larger) else { break };
        let [left, right] = groups[open[place]].parts.expect("only what has parts is opened");
        open[place] = left;
        open.insert(place + 1, right);
    }
    open
}
