//! Fewer triangles for the same surface.
//!
//! Edges are shrunk to points, the cheapest first, where the cost is the squared distance from the
//! planes that once met there (Garland and Heckbert, Surface simplification using quadric error
//! metrics, 1997). We differ in four ways: costs are weighted by a function of the place, so that
//! faces and hands keep their share; each vertex is also held a little where it was, which spreads
//! the triangles evenly over limbs that must bend; an edge is shrunk only if the surface remains a
//! manifold, no triangle turns over and none becomes a sliver; and vertices of the mirror plane
//! stay in it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::Soup;
use super::quadric::Quadric;

/// Triangles thinner than this are not made: area over the square of the longest edge.
const THINNEST: f64 = 0.08;
/// The cosine beyond which a triangle counts as turned over.
const TURN: f64 = 0.3;
/// Vertices off the plane stay this far from it, so that the two halves do not meet elsewhere.
const CLEAR: f64 = 5e-4;

/// What is wanted.
pub(crate) struct Thinning<'a> {
    /// How many triangles may remain.
    pub(crate) triangles: usize,
    /// How much a square metre at a point counts.
    pub(crate) importance: &'a dyn Fn(DVec3) -> f64,
    /// How strongly vertices are held where they were.
    pub(crate) hold: f64,
    /// Edges shorter than this are shrunk first, without asking for the cost: they say nothing
    /// about the shape.
    pub(crate) short: f64,
}

/// The half of a surface on as many triangles as wanted, or as few as can be had.
pub(crate) fn thin(soup: &Soup, wanted: &Thinning) -> Soup {
    let mut work = Work::new(soup, wanted);
    work.shrink_short(wanted);
    let mut before = usize::MAX;
    // What was refused may be welcome once its neighbours have changed.
    while work.alive > wanted.triangles && work.alive < before {
        before = work.alive;
        work.pass(wanted.triangles);
    }
    work.result()
}

/// An edge that may be shrunk, and at what cost.
struct Offer {
    cost: f64,
    /// Where it would be shrunk to, as long as neither end changes.
    place: DVec3,
    edge: [u32; 2],
    stamps: [u32; 2],
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Offer {
    /// The cheapest is the greatest; ties go by number, so that the result has one meaning.
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.edge.cmp(&self.edge))
    }
}

struct Work {
    places: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    /// How often a vertex has changed; the largest number for those that are gone.
    stamps: Vec<u32>,
    /// The triangles around each vertex.
    around: Vec<Vec<u32>>,
    triangles: Vec<[u32; 3]>,
    is_gone: Vec<bool>,
    alive: usize,
}

impl Work {
    fn new(soup: &Soup, wanted: &Thinning) -> Self {
        let count = soup.vertices.len();
        let mut around = vec![Vec::new(); count];
        let mut quadrics = vec![Quadric::ZERO; count];
        for (t, corners) in soup.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|v| soup.vertices[v as usize]);
            let cross = (b - a).cross(c - a);
            let double = cross.length();
            let weight = double * (wanted.importance)((a + b + c) / 3.0);
            let flat = Quadric::plane(cross / double.max(f64::MIN_POSITIVE), a, weight);
            for &v in corners {
                around[v as usize].push(t as u32);
                let held = Quadric::point(soup.vertices[v as usize], weight * wanted.hold);
                quadrics[v as usize] = quadrics[v as usize].plus(&flat).plus(&held);
            }
        }
        Self {
            places: soup.vertices.clone(),
            quadrics,
            stamps: vec![0; count],
            around,
            triangles: soup.triangles.clone(),
            is_gone: vec![false; soup.triangles.len()],
            alive: soup.triangles.len(),
        }
    }

    /// Goes once over all edges.
    fn shrink_short(&mut self, wanted: &Thinning) {
        let [mut near_u, mut near_v] = [Vec::new(), Vec::new()];
        for u in 0..self.places.len() as u32 {
            self.neighbours(u, &mut near_u);
            let mut next = 0;
            while let Some(&v) = near_u.get(next) {
                next += 1;
                let gap = self.places[u as usize] - self.places[v as usize];
                if self.alive <= wanted.triangles || gap.length() > wanted.short {
                    continue;
                }
                self.neighbours(v, &mut near_v);
                let Some(place) = self.place(u, v) else { continue };
                if self.may_shrink([u, v], place, [&near_u, &near_v]) {
                    self.shrink([u, v], place);
                    self.neighbours(u, &mut near_u);
                    next = 0;
                }
            }
        }
    }

    /// Offers every edge once, and those of changed vertices again.
    fn pass(&mut self, wanted: usize) {
        let [mut near_u, mut near_v] = [Vec::new(), Vec::new()];
        let mut offers = Vec::new();
        for u in 0..self.places.len() as u32 {
            self.neighbours(u, &mut near_u);
            offers.extend(near_u.iter().filter(|&&v| u < v).filter_map(|&v| self.offer(u, v)));
        }
        let mut heap = BinaryHeap::from(offers);
        while self.alive > wanted {
            let Some(offer) = heap.pop() else { return };
            let [u, v] = offer.edge;
            let is_stale = [u, v].map(|w| self.stamps[w as usize]) != offer.stamps;
            if is_stale {
                continue;
            }
            self.neighbours(u, &mut near_u);
            self.neighbours(v, &mut near_v);
            if self.may_shrink(offer.edge, offer.place, [&near_u, &near_v]) {
                self.shrink(offer.edge, offer.place);
                self.neighbours(u, &mut near_u);
                heap.extend(near_u.iter().filter_map(|&w| self.offer(u.min(w), u.max(w))));
            }
        }
    }

    fn is_in_plane(&self, v: u32) -> bool {
        self.places[v as usize].x == 0.0
    }

    /// The vertices around a vertex, each once.
    fn neighbours(&self, v: u32, into: &mut Vec<u32>) {
        into.clear();
        for &t in &self.around[v as usize] {
            for w in self.triangles[t as usize] {
                if w != v && !into.contains(&w) {
                    into.push(w);
                }
            }
        }
    }

    fn offer(&self, u: u32, v: u32) -> Option<Offer> {
        let place = self.place(u, v)?;
        let cost = self.quadrics[u as usize].error(place) + self.quadrics[v as usize].error(place);
        let stamps = [u, v].map(|w| self.stamps[w as usize]);
        Some(Offer { cost, place, edge: [u, v], stamps })
    }

    /// Where an edge would be shrunk to; none if that is too near to the mirror.
    fn place(&self, u: u32, v: u32) -> Option<DVec3> {
        let quadric = self.quadrics[u as usize].plus(&self.quadrics[v as usize]);
        let middle = 0.5 * (self.places[u as usize] + self.places[v as usize]);
        if self.is_in_plane(u) || self.is_in_plane(v) {
            return Some(quadric.best_in_plane().unwrap_or(DVec3::new(0.0, middle.y, middle.z)));
        }
        Some(quadric.best().unwrap_or(middle)).filter(|place| place.x > CLEAR)
    }

    fn may_shrink(&self, [u, v]: [u32; 2], place: DVec3, near: [&[u32]; 2]) -> bool {
        let common = near[0].iter().filter(|w| near[1].contains(w)).count();
        let shared = self.around[u as usize]
            .iter()
            .filter(|&&t| self.triangles[t as usize].contains(&v))
            .count();
        // Two triangles share an edge, one at the boundary; more common neighbours would be pinched
        // together.
        let on_boundary = self.is_in_plane(u) && self.is_in_plane(v);
        shared == if on_boundary { 1 } else { 2 }
            && common == shared
            && !self.makes_chord([u, v], near)
            && self.stays_fair(u, v, place)
            && self.stays_fair(v, u, place)
    }

    /// Whether a vertex that moves into the mirror plane brings an edge with it that would lie in
    /// the plane but not on the boundary: its mirror image would be itself, with four triangles
    /// around it.
    fn makes_chord(&self, [u, v]: [u32; 2], [near_u, near_v]: [&[u32]; 2]) -> bool {
        let (stays, comes) = match (self.is_in_plane(u), self.is_in_plane(v)) {
            (true, false) => (near_u, near_v),
            (false, true) => (near_v, near_u),
            _ => return false,
        };
        let mut others = comes.iter().filter(|&&w| w != u && w != v && self.is_in_plane(w));
        others.any(|w| !stays.contains(w))
    }

    /// Whether the triangles around `moved` but not around `other` stay upright and fat.
    fn stays_fair(&self, moved: u32, other: u32, place: DVec3) -> bool {
        self.around[moved as usize].iter().all(|&t| {
            let corners = self.triangles[t as usize];
            if corners.contains(&other) {
                return true;
            }
            let before = corners.map(|w| self.places[w as usize]);
            let after = corners.map(|w| if w == moved { place } else { self.places[w as usize] });
            let (old, new) = (normal(before), normal(after));
            let fair = fatness(after) > THINNEST.min(0.5 * fatness(before));
            fair && old.dot(new) > TURN * old.length() * new.length()
        })
    }

    fn shrink(&mut self, [u, v]: [u32; 2], place: DVec3) {
        let gone = std::mem::take(&mut self.around[v as usize]);
        for t in gone {
            let corners = self.triangles[t as usize];
            if corners.contains(&u) {
                self.is_gone[t as usize] = true;
                self.alive -= 1;
                for w in corners {
                    self.around[w as usize].retain(|&other| other != t);
                }
            } else {
                self.triangles[t as usize] = corners.map(|w| if w == v { u } else { w });
                self.around[u as usize].push(t);
            }
        }
        let sum = self.quadrics[u as usize].plus(&self.quadrics[v as usize]);
        self.quadrics[u as usize] = sum;
        self.places[u as usize] = place;
        self.stamps[u as usize] += 1;
        self.stamps[v as usize] = u32::MAX;
    }

    fn result(self) -> Soup {
        let mut numbers = vec![u32::MAX; self.places.len()];
        let mut vertices = Vec::new();
        for (v, place) in self.places.iter().enumerate() {
            if !self.around[v].is_empty() {
                numbers[v] = vertices.len() as u32;
                vertices.push(*place);
            }
        }
        let left = self.triangles.iter().zip(&self.is_gone).filter(|&(_, &gone)| !gone);
        let triangles = left.map(|(t, _)| t.map(|w| numbers[w as usize])).collect();
        Soup { vertices, triangles }
    }
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

fn fatness(corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let longest =
        (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    0.5 * normal(corners).length() / longest.max(f64::MIN_POSITIVE)
}
