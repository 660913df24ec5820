//! Trees of pieces that deform, kept from frame to frame.
//!
//! The vertices of a skin are new in every frame, but its triangles are not, and what lay together mostly still does. So the tree of a piece is
//! grown once and put around the new vertices when somebody is near it, instead of being built anew. The layers are those of *SBBK*: spheres, boxes,
//! then k-DOPs.
//!
//! In a crowd there are more pieces than memory for their trees: some are kept, and those that nobody asks for are taken for other pieces of the same
//! triangles.
//!
//! Invariant: a tree is of the vertices of the frame that was begun last when it is given away. Trees only cull, so that whose tree it was before does not
//! matter to the answer.

use std::collections::HashMap;
use std::sync::Arc;

use super::stage::{Piece, Triangles};
use crate::geom::mesh::Mesh;
use crate::model::Layered;
use crate::tree::{Config, Layering};

/// The most trees that are kept: each takes some hundred bytes a triangle.
const MOST: usize = 128;

/// Trees of pieces, and of which frame they are.
#[derive(Debug, Default)]
pub(super) struct Soft {
    trees: Vec<Kept>,
    by_piece: HashMap<u32, usize>,
    turn: u64,
}

#[derive(Debug)]
struct Kept {
    piece: u32,
    /// When it was put around vertices last.
    turn: u64,
    /// Which triangles it is of.
    triangles: Triangles,
    layered: Layered,
}

impl Soft {
    /// All vertices are new.
    pub(super) fn begin(&mut self) {
        self.turn += 1;
    }

    /// The trees of two pieces as they stand; nothing if one of them moves as one piece, or there is no room.
    pub(super) fn pair(&mut self, a: Piece<'_>, b: Piece<'_>) -> Option<(&Layered, &Layered)> {
        if a.is_rigid() || b.is_rigid() || a.number() == b.number() {
            return None;
        }
        let (i, j) = (self.set(a)?, self.set(b)?);
        Some((&self.trees[i].layered, &self.trees[j].layered))
    }

    /// Puts a tree around a piece.
    fn set(&mut self, piece: Piece<'_>) -> Option<usize> {
        let (points, triangles) = piece.soft()?;
        if let Some(&place) = self.by_piece.get(&piece.number()) {
            let kept = &mut self.trees[place];
            if kept.turn != self.turn {
                kept.layered.refit(points).ok()?;
                kept.turn = self.turn;
            }
            return Some(place);
        }
        if self.trees.len() < MOST {
            let mesh = Mesh::new(points.to_vec(), triangles.to_vec()).ok()?;
            let layering = Layering::sbbk(18, 1, 4).ok()?;
            let layered = Layered::new(mesh, &layering, &Config::default());
            let triangles = Arc::clone(triangles);
            let (number, turn) = (piece.number(), self.turn);
            self.by_piece.insert(number, self.trees.len());
            self.trees.push(Kept { piece: number, turn, triangles, layered });
            return Some(self.trees.len() - 1);
        }
        self.take_over(piece)
    }

    /// Takes the tree that was not asked for the longest, of another piece of the same triangles.
    fn take_over(&mut self, piece: Piece<'_>) -> Option<usize> {
        let (points, triangles) = piece.soft()?;
        let is_free =
            |kept: &Kept| kept.turn < self.turn && Arc::ptr_eq(&kept.triangles, triangles);
        let free = self.trees.iter().enumerate().filter(|(_, kept)| is_free(kept));
        let (place, _) = free.min_by_key(|(_, kept)| kept.turn)?;
        let kept = &mut self.trees[place];
        kept.layered.refit(points).ok()?;
        kept.turn = self.turn;
        self.by_piece.remove(&kept.piece);
        kept.piece = piece.number();
        self.by_piece.insert(piece.number(), place);
        Some(place)
    }
}
