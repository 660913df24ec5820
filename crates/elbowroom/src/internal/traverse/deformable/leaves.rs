//! From pairs of leaves to pairs of triangles.
//!
//! The tree keeps no boxes of single triangles: most leaves are never looked at. Those that are get
//! them here, once a question, all measured from one origin. A triangle that may meet one of the
//! other mesh is then packed as [`relate_batch`](crate::internal::exact::relate_batch) reads it;
//! most of a leaf never are.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::DVec3;

use super::DeformableSide;
use crate::internal::arch::{F32x8, F32x8Kernel, F64x4, F64x4Kernel, PackedTriangle};
use crate::internal::bvh::deformable::MOST;
use crate::internal::exact::pack_triangle;
use crate::internal::volume::aabb8::{Aabb8, Faces, Probe, merged, rounded};

/// The leaves of one side that were visited.
#[derive(Clone, Debug, Default)]
pub(super) struct Packs {
    /// By leaf: its place below, and one; zero if it is not there.
    places: Vec<u32>,
    seen: Vec<Pack>,
    /// Eight for each.
    records: Vec<PackedTriangle>,
}

#[derive(Clone, Copy, Debug)]
struct Pack {
    /// Of the triangles.
    boxes: Aabb8,
    /// Around all of them.
    whole: Faces,
    leaf: u32,
    /// A bit for each triangle: boxes without end are not apart from nothing.
    present: u32,
    /// A bit for each triangle whose record has been made.
    made: u32,
}

impl Packs {
    pub(super) fn start(&mut self, leaves: usize) {
        for pack in self.seen.drain(..) {
            self.places[pack.leaf as usize] = 0;
        }
        if self.places.len() < leaves {
            self.places.resize(leaves, 0);
        }
    }

    /// Which leaf is at a place.
    #[inline(always)]
    pub(super) fn leaf(&self, place: usize) -> usize {
        self.seen[place].leaf as usize
    }

    pub(super) fn records(&self) -> &[PackedTriangle] {
        &self.records
    }

    /// Where a leaf is, after its triangles have got their boxes if they had none yet.
    #[inline(always)]
    fn place<F: F64x4>(&mut self, side: &DeformableSide<'_>, leaf: u32, origin: F) -> u32 {
        if let Some(place) = self.places[leaf as usize].checked_sub(1) {
            return place;
        }
        let mut boxes = Aabb8::EMPTY;
        let mut whole = [f32::NEG_INFINITY; 6];
        let triangles = side.tree.triangles_of(leaf as usize);
        for (lane, corners) in triangles.iter().enumerate() {
            let [p, q, r] = *corners;
            let [p, q, r] = [
                F::three(side.vertices[p as usize].as_ref()),
                F::three(side.vertices[q as usize].as_ref()),
                F::three(side.vertices[r as usize].as_ref()),
            ];
            let faces = rounded(p.min(q).min(r), p.max(q).max(r), origin);
            boxes.set(lane, &faces);
            whole = merged(&whole, &faces);
        }
        let place = self.seen.len() as u32;
        let present = (1 << triangles.len()) - 1;
        self.seen.push(Pack { boxes, whole, leaf, present, made: 0 });
        self.places[leaf as usize] = place + 1;
        let room = MOST * self.seen.len();
        // What is in there from before is written over before it is read.
        if self.records.len() < room {
            self.records.resize(room, PackedTriangle::default());
        }
        place
    }

    /// Makes the record of a triangle, if it was not yet.
    #[inline(always)]
    fn make(&mut self, side: &DeformableSide<'_>, index: u32) {
        let (place, lane) = (index as usize / MOST, index as usize % MOST);
        let pack = &mut self.seen[place];
        if pack.made >> lane & 1 == 0 {
            pack.made |= 1 << lane;
            let corners = side.tree.triangles_of(pack.leaf as usize)[lane];
            let corners = corners.map(|corner| side.vertices[corner as usize]);
            self.records[index as usize] = pack_triangle(corners);
        }
    }
}

/// Gives the triangles of leaves their boxes, and puts places for the leaves' numbers.
pub(super) struct Enclose<'a> {
    pub(super) sides: [DeformableSide<'a>; 2],
    pub(super) origin: DVec3,
    pub(super) leaves: &'a mut [[u32; 2]],
    pub(super) packs: &'a mut [Packs; 2],
}

impl F64x4Kernel for Enclose<'_> {
    #[inline(always)]
    fn run<F: F64x4>(self) {
        let origin = F::three(self.origin.as_ref());
        let ([a, b], [packs_a, packs_b]) = (&self.sides, self.packs);
        for [leaf_a, leaf_b] in self.leaves {
            *leaf_a = packs_a.place(a, *leaf_a, origin);
            *leaf_b = packs_b.place(b, *leaf_b, origin);
        }
    }
}

/// Tests the boxes of triangles of leaves that may meet, and lists the records of pairs; gives the
/// number of tests.
pub(super) struct Triangles<'a> {
    pub(super) sides: [DeformableSide<'a>; 2],
    /// By place.
    pub(super) leaves: &'a [[u32; 2]],
    pub(super) packs: &'a mut [Packs; 2],
    pub(super) first: &'a mut Vec<u32>,
    pub(super) second: &'a mut Vec<u32>,
}

impl F32x8Kernel for Triangles<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<O: F32x8>(mut self) -> u64 {
        // Loops: a closure need not become part of the function that switches the instruction set
        // on.
        let mut tests = 0;
        for &[a, b] in self.leaves {
            tests += self.pair::<O>(a, b);
        }
        let ([a, b], [packs_a, packs_b]) = (&self.sides, self.packs);
        for &index in &*self.first {
            packs_a.make(a, index);
        }
        for &index in &*self.second {
            packs_b.make(b, index);
        }
        tests
    }
}

impl Triangles<'_> {
    #[inline(always)]
    fn pair<O: F32x8>(&mut self, place_a: u32, place_b: u32) -> u64 {
        let [packs_a, packs_b] = &*self.packs;
        let (a, b) = (&packs_a.seen[place_a as usize], &packs_b.seen[place_b as usize]);
        let near = a.boxes.may_meet::<O>(&Probe::here(&b.whole)) & a.present;
        let (mut left, mut tests) = (near, a.present.count_ones());
        while left != 0 {
            let i = left.trailing_zeros();
            left &= left - 1;
            let probe = Probe::here(&a.boxes.faces(i as usize));
            let mut meets = b.boxes.may_meet::<O>(&probe) & b.present;
            tests += b.present.count_ones();
            while meets != 0 {
                let j = meets.trailing_zeros();
                meets &= meets - 1;
                self.first.push(MOST as u32 * place_a + i);
                self.second.push(MOST as u32 * place_b + j);
            }
        }
        u64::from(tests)
    }
}
