//! Trees of pieces that deform, kept from frame to frame.
//!
//! The vertices of a skin are new in every frame, but its triangles are not, and what lay together
//! mostly still does. So the tree of a piece is grown once and refitted to the new vertices when
//! another piece is near, instead of being rebuilt. Pieces of the same triangles share what is
//! grown ([`DeformableBvh`]): only the first of a thousand walkers is waited for.
//!
//! In a crowd there may be more pieces than memory for their boxes: some are kept, and the one that
//! was asked for the longest ago is taken for another piece.
//!
//! Invariant: a tree is of the vertices of the frame that was begun last when it is given away.
//! Trees only cull, so that whose tree it was before does not matter to the answer.

use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;

use super::stage::{Piece, Triangles};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::model::DeformableBvh;

/// The most triangles of all trees that are kept, at some 20 bytes each: a thousand characters, or
/// one large mesh and another.
const MOST_KEPT: usize = 3_000_000;

/// The most copies of one triangle in a mesh that is kept so: copies are compared one by one here,
/// and as one by models.
const MOST_COPIES: u32 = 64;

/// Trees of pieces, and of which frame they are.
#[derive(Debug, Default)]
pub(super) struct Trees {
    kept: Vec<Kept>,
    by_piece: HashMap<u32, usize>,
    turn: u64,
    /// How often a tree was asked for.
    asked: u64,
    /// How many triangles all trees have.
    triangles: usize,
    /// Triangles of which there are too many copies.
    refused: Vec<Triangles>,
}

#[derive(Debug)]
struct Kept {
    piece: u32,
    /// When it was put around vertices last.
    turn: u64,
    /// When it was asked for last.
    asked: u64,
    /// Which triangles it is of.
    triangles: Triangles,
    soft: DeformableBvh,
}

impl Trees {
    /// All vertices are new.
    pub(super) fn begin(&mut self) {
        self.turn += 1;
    }

    /// The trees of two pieces at their places. `None` if one of them moves as one piece, or
    /// consists of copies.
    pub(super) fn pair(
        &mut self,
        a: Piece<'_>,
        b: Piece<'_>,
    ) -> Option<(&DeformableBvh, &DeformableBvh)> {
        if a.is_rigid() || b.is_rigid() || a.number() == b.number() {
            return None;
        }
        let i = self.set(a, None)?;
        let j = self.set(b, Some(i))?;
        Some((&self.kept[i].soft, &self.kept[j].soft))
    }

    /// Puts a tree around a piece, but not the one that is needed.
    fn set(&mut self, piece: Piece<'_>, needed: Option<usize>) -> Option<usize> {
        let (points, triangles) = piece.soft()?;
        self.asked += 1;
        let place = match self.by_piece.get(&piece.number()) {
            Some(&place) => {
                if self.kept[place].turn != self.turn {
                    self.kept[place].soft.refit(points).ok()?;
                }
                place
            }
            None => self.place_for(points, triangles, needed)?,
        };
        let kept = &mut self.kept[place];
        if kept.piece != piece.number() {
            self.by_piece.remove(&kept.piece);
            self.by_piece.insert(piece.number(), place);
        }
        (kept.piece, kept.turn, kept.asked) = (piece.number(), self.turn, self.asked);
        Some(place)
    }

    /// The place of a tree around vertices that no piece owns, or no longer owns.
    fn place_for(
        &mut self,
        points: &[DVec3],
        triangles: &Triangles,
        needed: Option<usize>,
    ) -> Option<usize> {
        let is_alike = |kept: &Kept| Arc::ptr_eq(&kept.triangles, triangles);
        let is_room = self.triangles + triangles.len() <= MOST_KEPT || self.kept.len() < 2;
        if !is_room {
            let free = self.kept.iter().enumerate().filter(|&(place, _)| Some(place) != needed);
            let alike = free.clone().filter(|(_, kept)| is_alike(kept));
            if let Some((place, _)) = alike.min_by_key(|(_, kept)| kept.asked) {
                self.kept[place].soft.refit(points).ok()?;
                return Some(place);
            }
            let (place, _) = free.min_by_key(|(_, kept)| kept.asked)?;
            let kept = Kept::new(self.grown(points, triangles)?, triangles);
            self.triangles += triangles.len();
            self.triangles -= self.kept[place].triangles.len();
            self.by_piece.remove(&self.kept[place].piece);
            self.kept[place] = kept;
            return Some(place);
        }
        let soft = match self.kept.iter().find(|kept| is_alike(kept)) {
            Some(kept) => {
                let mut soft = kept.soft.clone();
                soft.refit(points).ok()?;
                soft
            }
            None => self.grown(points, triangles)?,
        };
        self.kept.push(Kept::new(soft, triangles));
        self.triangles += triangles.len();
        Some(self.kept.len() - 1)
    }

    fn grown(&mut self, points: &[DVec3], triangles: &Triangles) -> Option<DeformableBvh> {
        if self.refused.iter().any(|refused| Arc::ptr_eq(refused, triangles)) {
            return None;
        }
        if most_copies(points, triangles) > MOST_COPIES {
            self.refused.push(Arc::clone(triangles));
            return None;
        }
        let mesh = Mesh::new(points.to_vec(), triangles.to_vec()).ok()?;
        DeformableBvh::new(&mesh).ok()
    }
}

impl Kept {
    /// A tree that no piece owns yet: no piece has this number.
    fn new(soft: DeformableBvh, triangles: &Triangles) -> Self {
        let triangles = Arc::clone(triangles);
        Self { piece: u32::MAX, turn: 0, asked: 0, triangles, soft }
    }
}

/// How often the triangle is there that is there the most often, by the places of its corners in
/// their order.
fn most_copies(points: &[DVec3], triangles: &Triangles) -> u32 {
    let mut copies: HashMap<[[u64; 3]; 3], u32> = HashMap::with_capacity(triangles.len());
    let bits = |corner: u32| points[corner as usize].to_array().map(f64::to_bits);
    for triangle in triangles.iter() {
        *copies.entry(triangle.map(bits)).or_default() += 1;
    }
    copies.into_values().max().unwrap_or_default()
}
