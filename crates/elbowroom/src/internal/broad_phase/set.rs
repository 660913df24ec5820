//! The boxes, what has changed about them, and the pairs.
//!
//! The pairs are kept. When few boxes have changed, pairs of the others stay, and the tree tells
//! those of the changed ones; the two are merged. Else all pairs are searched again.

use super::choose::{Method, Scene, choose, is_little};
use super::grid::Grid;
use super::sweep::Sweep;
use super::tree::{BroadFault, Tree};
use super::{BoxError, BoxPair, PAIR, overlap, pair_of};
use crate::internal::math::sort::{PairScratch, pairs as sort_pairs};
use crate::internal::volume::Aabb;
use crate::interrupt::hold;

/// Boxes by number, and which of them overlap.
///
/// ```
/// use elbowroom::internal::broad_phase::{Broad, Method};
/// use elbowroom::internal::volume::Aabb;
/// use glam::DVec3;
///
/// let cube = |x: f64| Aabb { min: DVec3::new(x, 0.0, 0.0), max: DVec3::new(x + 1.0, 1.0, 1.0) };
/// let mut broad = Broad::new(Method::Auto);
/// for (id, x) in [0.0, 0.5, 1.5, 9.0].into_iter().enumerate() {
///     broad.set(id as u32, cube(x))?;
/// }
/// assert_eq!(broad.pairs(), [(0, 1), (1, 2)]);
/// broad.set(3, cube(-1.0))?;
/// broad.remove(1);
/// assert_eq!(broad.pairs(), [(0, 3)]);
/// # Ok::<(), elbowroom::internal::broad_phase::BoxError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Broad {
    method: Method,
    margin: f64,
    /// By number; where there is none, a box that overlaps nothing.
    boxes: Vec<Aabb>,
    len: usize,
    /// Absent, or as of the boxes but for those in `unplanted`.
    tree: Option<Tree>,
    unplanted: Changes,
    /// Overlapping pairs, but for those of boxes in `unpaired`.
    pairs: Vec<BoxPair>,
    unpaired: Changes,
    last: Method,
    scratch: Scratch,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    ids: Vec<u32>,
    sweep: Sweep,
    grid: Grid,
    nodes: Vec<u32>,
    stack: Vec<BoxPair>,
    found: Vec<BoxPair>,
    merged: Vec<BoxPair>,
    order: PairScratch,
}

impl Scratch {
    /// The numbers of the boxes that are there.
    fn list(&mut self, boxes: &[Aabb]) {
        self.ids.clear();
        self.ids.extend(live(boxes));
    }
}

/// Numbers of boxes that have changed, each once.
#[derive(Clone, Debug, Default)]
struct Changes {
    ids: Vec<u32>,
    is_in: Vec<bool>,
}

impl Changes {
    fn add(&mut self, id: u32) {
        if self.is_in.len() <= id as usize {
            self.is_in.resize(id as usize + 1, false);
        }
        if !std::mem::replace(&mut self.is_in[id as usize], true) {
            self.ids.push(id);
        }
    }

    fn contains(&self, id: u32) -> bool {
        self.is_in.get(id as usize) == Some(&true)
    }

    fn clear(&mut self) {
        for id in self.ids.drain(..) {
            self.is_in[id as usize] = false;
        }
    }
}

impl Default for Broad {
    fn default() -> Self {
        Self::new(Method::Auto)
    }
}

impl Broad {
    /// No boxes yet.
    pub fn new(method: Method) -> Self {
        Self::with_margin(method, 0.0)
    }

    /// The leaves of a tree are larger than their boxes by a margin on all sides, so that boxes
    /// that move less than that need not be moved in it. The pairs are the same. A margin below
    /// zero, or NaN, counts as zero.
    pub fn with_margin(method: Method, margin: f64) -> Self {
        Self {
            method,
            margin: margin.max(0.0),
            boxes: Vec::new(),
            len: 0,
            tree: None,
            unplanted: Changes::default(),
            pairs: Vec::new(),
            unpaired: Changes::default(),
            last: method,
            scratch: Scratch::default(),
        }
    }

    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The box with a number.
    pub fn get(&self, id: u32) -> Option<&Aabb> {
        self.boxes.get(id as usize).filter(|bounds| is_there(bounds))
    }

    /// Puts in a box, or moves the one with this number. Numbers are places in an array: let them
    /// be dense.
    ///
    /// # Errors
    /// If the box is not finite or inside out. Then nothing has changed.
    pub fn set(&mut self, id: u32, bounds: Aabb) -> Result<(), BoxError> {
        BoxError::check(&bounds)?;
        let place = id as usize;
        if self.boxes.len() <= place {
            self.boxes.resize(place + 1, Aabb::of_points(&[]));
        }
        if self.boxes[place] != bounds {
            self.len += usize::from(!is_there(&self.boxes[place]));
            self.boxes[place] = bounds;
            self.changed(id);
        }
        Ok(())
    }

    /// Takes out a box, and says whether there was one.
    pub fn remove(&mut self, id: u32) -> bool {
        let is_known = self.get(id).is_some();
        if is_known {
            self.boxes[id as usize] = Aabb::of_points(&[]);
            self.len -= 1;
            self.changed(id);
        }
        is_known
    }

    fn changed(&mut self, id: u32) {
        self.unpaired.add(id);
        if self.tree.is_some() {
            self.unplanted.add(id);
        }
    }

    /// All pairs of boxes that overlap, touching included, in order. Without changes since the last
    /// time it costs nothing. (When most boxes overlap most others this is a long list;
    /// [`near`](Self::near) makes do with a short one for each box.)
    pub fn pairs(&mut self) -> &[BoxPair] {
        if !self.unpaired.ids.is_empty() {
            let is_little = is_little(self.unpaired.ids.len(), self.len);
            if is_little && matches!(self.method, Method::Auto | Method::Tree) {
                self.last = Method::Tree;
                self.plant();
                self.pair_changed();
            } else {
                self.pair_all();
            }
            self.unpaired.clear();
        }
        &self.pairs
    }

    /// The structure that found the pairs the last time something had changed.
    pub fn last_method(&self) -> Method {
        self.last
    }

    fn pair_all(&mut self) {
        self.scratch.list(&self.boxes);
        let scene = Scene::of(&self.boxes, &self.scratch.ids, self.unpaired.ids.len());
        self.last = if self.method == Method::Auto { choose(&scene) } else { self.method };
        if self.last == Method::Tree {
            self.plant();
        } else {
            self.tree = None;
            self.unplanted.clear();
        }
        let Self { boxes, pairs, tree, scratch, .. } = self;
        pairs.clear();
        match (self.last, tree) {
            (Method::Sweep, _) => {
                scratch.sweep.pairs(boxes, &scratch.ids, &scene.bounds, scene.axis, pairs);
            }
            (Method::Tree, Some(tree)) => tree.pairs(boxes, &mut scratch.stack, pairs),
            _ => scratch.grid.pairs(boxes, &scratch.ids, &scene.bounds, pairs),
        }
        sort_pairs(pairs, boxes.len(), &mut scratch.order);
    }

    /// Keeps the pairs of boxes that have not changed and finds those of the others.
    fn pair_changed(&mut self) {
        let Self { boxes, pairs, unpaired, scratch, .. } = self;
        let Some(tree) = &self.tree else { return };
        pairs.retain(|&(a, b)| !unpaired.contains(a) && !unpaired.contains(b));
        scratch.found.clear();
        for &id in &unpaired.ids {
            let bounds = boxes[id as usize];
            if !is_there(&bounds) {
                continue;
            }
            tree.near(&bounds, &mut scratch.nodes, |other| {
                // Of two changed boxes, the lower one reports.
                let is_mine = other != id && (other > id || !unpaired.contains(other));
                if is_mine && overlap(&bounds, &boxes[other as usize]) {
                    scratch.found.push(pair_of(id, other));
                    hold(scratch.found.len(), PAIR);
                }
            });
        }
        sort_pairs(&mut scratch.found, boxes.len(), &mut scratch.order);
        merge(pairs, &scratch.found, &mut scratch.merged);
        std::mem::swap(pairs, &mut scratch.merged);
    }

    /// Brings the tree up to date, so that [`near`](Self::near) is fast. With [`Method::Sweep`] or
    /// [`Method::Grid`] there is no tree, and nothing happens.
    pub fn refresh(&mut self) {
        if matches!(self.method, Method::Auto | Method::Tree) {
            self.plant();
        }
    }

    /// Brings the tree up to date, or grows one.
    fn plant(&mut self) {
        let Self { boxes, tree, unplanted, scratch, margin, .. } = self;
        let planted = tree.get_or_insert_with(|| Tree::new(*margin));
        let is_new = planted.len() == 0;
        let mut is_worn = is_new || unplanted.ids.len() > boxes.len() / 4;
        if !is_worn {
            for &id in &unplanted.ids {
                match &boxes[id as usize] {
                    bounds if is_there(bounds) => planted.set(id, bounds),
                    _ => planted.remove(id),
                }
            }
            is_worn = planted.is_worn();
        }
        if is_worn {
            scratch.list(boxes);
            planted.build(boxes, &scratch.ids);
        }
        unplanted.clear();
    }

    /// Replaces the contents of `found` by the numbers of the boxes that overlap a box, touching
    /// included, in order. Fast after [`refresh`](Self::refresh) or if the last
    /// [`pairs`](Self::pairs) were found by a tree; else every box is tested.
    pub fn near(&self, bounds: &Aabb, found: &mut Vec<u32>) {
        self.near_from(0, bounds, found);
    }

    /// The numbers of the boxes that overlap a box, as by [`near`](Self::near), from a number on:
    /// with the number of the box itself plus one, each pair is found once.
    pub fn near_from(&self, first: u32, bounds: &Aabb, found: &mut Vec<u32>) {
        found.clear();
        let is_near = |id: u32| id >= first && overlap(&self.boxes[id as usize], bounds);
        match &self.tree {
            Some(tree) if self.unplanted.ids.is_empty() => {
                tree.near(bounds, &mut Vec::new(), |id| {
                    if is_near(id) {
                        found.push(id);
                    }
                });
                found.sort_unstable();
            }
            _ => found.extend(live(&self.boxes).filter(|&id| is_near(id))),
        }
    }

    /// Checks that the tree, if there is one and it is up to date, keeps what it promises.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), BroadFault> {
        match &self.tree {
            Some(tree) if self.unplanted.ids.is_empty() => {
                tree.validate(&self.boxes, &live(&self.boxes).collect::<Vec<_>>())
            }
            _ => Ok(()),
        }
    }
}

/// The numbers of the boxes that are there.
fn live(boxes: &[Aabb]) -> impl Iterator<Item = u32> {
    boxes.iter().enumerate().filter(|(_, bounds)| is_there(bounds)).map(|(id, _)| id as u32)
}

fn is_there(bounds: &Aabb) -> bool {
    bounds.min.x <= bounds.max.x
}

/// Merges two sorted lists into a third.
fn merge(a: &[BoxPair], b: &[BoxPair], merged: &mut Vec<BoxPair>) {
    merged.clear();
    merged.reserve(a.len() + b.len());
    let mut rest = a;
    for &pair in b {
        let before = rest.partition_point(|&other| other < pair);
        merged.extend_from_slice(&rest[..before]);
        merged.push(pair);
        rest = &rest[before..];
    }
    merged.extend_from_slice(rest);
}
