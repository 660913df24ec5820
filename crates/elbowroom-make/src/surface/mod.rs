//! Closed meshes of smooth solids: a field of distances, cut up and thinned out.
//!
//! A [`Solid`](field::Solid) is a list of simple pieces that flow into each other.
//! [`polygonise`](polygonise::polygonise) cuts its surface out of a grid of tetrahedra, which
//! always gives a closed manifold, with far too many triangles; [`thin`](thin::thin) takes them
//! away again where they matter least. Only the half of a solid where x is positive is ever made:
//! [`mirrored`](mirror::mirrored) adds the other half, so both sides are equal to the last bit.

mod field;
mod loft;
mod mirror;
mod polygonise;
mod quadric;
mod thin;

#[cfg(test)]
mod tests;

pub(crate) use field::{Piece, Shape, Solid};
pub(crate) use loft::{Key, Loft};
pub(crate) use mirror::mirrored;
pub(crate) use polygonise::{Grid, polygonise};
pub(crate) use thin::{Thinning, thin};

use glam::DVec3;

/// Points and triangles on the way to a mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// How a smooth solid becomes a mesh.
pub(crate) struct Recipe<'a> {
    /// The length of a cell of the grid.
    pub(crate) step: f64,
    /// Triangles of the whole mesh, both halves: an even number.
    pub(crate) triangles: usize,
    /// How much a square metre at a point counts when triangles are taken away.
    pub(crate) importance: &'a dyn Fn(DVec3) -> f64,
    /// How strongly vertices are held where they were; spreads triangles evenly.
    pub(crate) hold: f64,
}

/// The closed surface of a solid that is the same on both sides of the plane x = 0.
pub(crate) fn skin_of(solid: &Solid, recipe: &Recipe) -> Soup {
    let fine = polygonise(solid, &Grid::half_around(solid, recipe.step));
    let thinning = Thinning {
        triangles: recipe.triangles / 2,
        importance: recipe.importance,
        hold: recipe.hold,
        short: 0.8 * recipe.step,
    };
    mirrored(&thin(&fine, &thinning))
}
