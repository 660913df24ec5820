//! Meshes by recipe.
//!
//! Round shapes are made without sines: a circle of 4·2ⁿ points by halving quarters, a sphere by
//! subdividing an octahedron, new points being brought to length 1 by a square root. Addition,
//! division and square root are rounded alike everywhere, so that a recipe gives the same bits in
//! every language. The points on the axes are exact, which gives distances along the axes in closed
//! form at every level.

use crate::brute::Soup;
use crate::cases::format::{cuboid, grid};
use serde::Deserialize;
use std::collections::HashMap;

/// How to make a mesh. All closed shapes are wound outward.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum Recipe {
    /// As written.
    Mesh { vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]> },
    /// Corner bit 0, 1, 2 set = x, y, z at `max`; faces −x, +x, −y, +y, −z, +z of two triangles
    /// each.
    Box { min: [f64; 3], max: [f64; 3] },
    /// A box with the other diagonal in every face.
    Rebox { min: [f64; 3], max: [f64; 3] },
    /// Cells spanned by `u` and `v`, two triangles each, `u` fastest.
    Grid { origin: [f64; 3], u: [f64; 3], v: [f64; 3], cells: [u32; 2] },
    /// 8·4^level triangles with their corners on a sphere.
    Sphere { center: [f64; 3], radius: f64, level: u32 },
    /// Around the z axis: `around` times `across` quadrilaterals, both of the form 4·2ⁿ.
    Torus { ring: f64, tube: f64, around: u32, across: u32 },
    /// An upright prism over a polygon of 4·2ⁿ sides, with a fan at either end.
    Column { center: [f64; 2], radius: f64, bottom: f64, top: f64, sides: u32 },
    /// One mesh after the other.
    Union(Vec<Self>),
    /// Wound the other way round.
    Inverted(Box<Self>),
    /// Some triangles wound the other way round.
    Flipped { of: Box<Self>, triangles: Vec<u32> },
    /// Some triangles left out.
    Without { of: Box<Self>, triangles: Vec<u32> },
    /// Every triangle with three vertices of its own.
    Soup(Box<Self>),
    /// Triangles, vertices and corners in another order.
    Reordered(Box<Self>),
    /// All vertices moved; the sums are rounded.
    Moved { of: Box<Self>, by: [f64; 3] },
}

impl Recipe {
    pub(super) fn make(self) -> Result<Soup, String> {
        Ok(match self {
            Self::Mesh { vertices, triangles } => Soup { vertices, triangles },
            Self::Box { min, max } => cuboid(min, max),
            Self::Rebox { min, max } => with_other_diagonals(cuboid(min, max)),
            Self::Grid { origin, u, v, cells } => grid(origin, u, v, cells)?,
            Self::Sphere { center, radius, level } => sphere(center, radius, level)?,
            Self::Torus { ring, tube, around, across } => torus(ring, tube, around, across)?,
            Self::Column { center, radius, bottom, top, sides } => {
                column(center, radius, [bottom, top], sides)?
            }
            Self::Union(parts) => union(parts)?,
            Self::Inverted(of) => {
                let soup = of.make()?;
                let all: Vec<u32> = (0..soup.triangles.len() as u32).collect();
                flipped(soup, &all)?
            }
            Self::Flipped { of, triangles } => flipped(of.make()?, &triangles)?,
            Self::Without { of, triangles } => without(of.make()?, &triangles),
            Self::Soup(of) => split(&of.make()?),
            Self::Reordered(of) => reordered(&of.make()?).0,
            Self::Moved { of, by } => {
                let mut soup = of.make()?;
                for vertex in &mut soup.vertices {
                    *vertex = std::array::from_fn(|k| vertex[k] + by[k]);
                }
                soup
            }
        })
    }

    /// The mesh, which has triangles, indices in range and finite vertices.
    pub(super) fn checked(self) -> Result<Soup, String> {
        let soup = self.make()?;
        if soup.vertices.iter().flatten().any(|x| !x.is_finite()) {
            return Err("a vertex is not finite".to_string());
        }
        let count = soup.vertices.len() as u32;
        if soup.triangles.is_empty() || soup.triangles.iter().flatten().any(|&v| v >= count) {
            return Err("there is no triangle, or one names a vertex that is not there".to_string());
        }
        Ok(soup)
    }
}

fn with_other_diagonals(mut soup: Soup) -> Soup {
    for pair in soup.triangles.chunks_exact_mut(2) {
        // [p, q, r] and [p, r, s], in this order or the other, are the quadrilateral p, q, r, s.
        if pair[0][2] != pair[1][1] {
            pair.swap(0, 1);
        }
        let ([p, q, r], [_, _, s]) = (pair[0], pair[1]);
        pair[0] = [q, r, s];
        pair[1] = [q, s, p];
    }
    soup
}

fn union(parts: Vec<Recipe>) -> Result<Soup, String> {
    let mut whole = Soup::default();
    for part in parts {
        let part = part.make()?;
        let base = whole.vertices.len() as u32;
        whole.vertices.extend(part.vertices);
        whole.triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + base)));
    }
    Ok(whole)
}

fn flipped(mut soup: Soup, which: &[u32]) -> Result<Soup, String> {
    for &i in which {
        let triangle = soup.triangles.get_mut(i as usize);
        triangle.ok_or_else(|| format!("there is no triangle {i} to flip"))?.swap(1, 2);
    }
    Ok(soup)
}

fn without(soup: Soup, which: &[u32]) -> Soup {
    let kept = |i: usize| !which.contains(&(i as u32));
    let triangles =
        soup.triangles.into_iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, t)| t).collect();
    Soup { triangles, ..soup }
}

/// Every triangle with three vertices of its own.
pub(super) fn split(soup: &Soup) -> Soup {
    let triangles: Vec<_> = (0..soup.triangles.len()).map(|i| soup.triangle(i)).collect();
    Soup::from_triangles(&triangles)
}

/// Triangles and vertices backwards, each triangle begun at another corner; and where each triangle
/// has gone.
pub(super) fn reordered(soup: &Soup) -> (Soup, Vec<u32>) {
    let last = soup.vertices.len() as u32 - 1;
    let count = soup.triangles.len();
    let turned = |(i, t): (usize, &[u32; 3])| {
        let mut corners = t.map(|v| last - v);
        corners.rotate_left(i % 3);
        corners
    };
    let reordered = Soup {
        vertices: soup.vertices.iter().rev().copied().collect(),
        triangles: soup.triangles.iter().enumerate().rev().map(turned).collect(),
    };
    (reordered, (0..count as u32).rev().collect())
}

fn unit(p: [f64; 3]) -> [f64; 3] {
    // x and y first: a quarter turn about z then changes no bit.
    let length = ((p[0] * p[0] + p[1] * p[1]) + p[2] * p[2]).sqrt();
    p.map(|x| x / length)
}

fn middle(p: [f64; 3], q: [f64; 3]) -> [f64; 3] {
    unit(std::array::from_fn(|k| p[k] + q[k]))
}

/// The points of a circle of radius 1, from +x to +y.
fn circle(points: u32) -> Result<Vec<[f64; 2]>, String> {
    if !(4..=256).contains(&points) || !points.is_power_of_two() {
        return Err(format!("a circle cannot have {points} points"));
    }
    let mut ring = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    while ring.len() < points as usize {
        let next = |i: usize| ring[(i + 1) % ring.len()];
        ring = (0..ring.len()).flat_map(|i| [ring[i], middle(ring[i], next(i))]).collect();
    }
    Ok(ring.into_iter().map(|[x, y, _]| [x, y]).collect())
}

fn sphere(center: [f64; 3], radius: f64, level: u32) -> Result<Soup, String> {
    if level > 5 {
        return Err(format!("level {level} has more triangles than a case may"));
    }
    let mut vertices: Vec<[f64; 3]> = vec![
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles: Vec<[u32; 3]> =
        (0..4).flat_map(|i| [[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]]).collect();
    for _ in 0..level {
        let mut halves: HashMap<[u32; 2], u32> = HashMap::new();
        let mut half = |p: u32, q: u32| {
            *halves.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                vertices.push(middle(vertices[p as usize], vertices[q as usize]));
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[p, q, r]| {
                let (u, v, w) = (half(p, q), half(q, r), half(r, p));
                [[p, u, w], [u, q, v], [w, v, r], [u, v, w]]
            })
            .collect();
    }
    for p in &mut vertices {
        *p = std::array::from_fn(|k| center[k] + radius * p[k]);
    }
    Ok(Soup { vertices, triangles })
}

fn torus(ring: f64, tube: f64, around: u32, across: u32) -> Result<Soup, String> {
    let (long, short) = (circle(around)?, circle(across)?);
    let mut soup = Soup::default();
    for [x, y] in long {
        for [out, up] in &short {
            let radius = ring + tube * out;
            soup.vertices.push([radius * x, radius * y, tube * up]);
        }
    }
    for i in 0..around {
        for j in 0..across {
            let at = |i: u32, j: u32| i % around * across + j % across;
            let (p, q, r, s) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            soup.triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    Ok(soup)
}

fn column(center: [f64; 2], radius: f64, ends: [f64; 2], sides: u32) -> Result<Soup, String> {
    let ring = circle(sides)?;
    let mut soup = Soup::default();
    for z in ends {
        let point = |p: &[f64; 2]| [center[0] + radius * p[0], center[1] + radius * p[1], z];
        soup.vertices.extend(ring.iter().map(point));
        soup.vertices.push([center[0], center[1], z]);
    }
    let top = sides + 1;
    for i in 0..sides {
        let j = (i + 1) % sides;
        soup.triangles.extend([[i, j, top + j], [i, top + j, top + i]]);
        soup.triangles.extend([[sides, j, i], [top + sides, top + i, top + j]]);
    }
    Ok(soup)
}

/// Every triangle in four, at the middles of its edges; `None` if a middle cannot be given exactly.
pub(super) fn refined(soup: &Soup) -> Option<Soup> {
    let mut vertices = soup.vertices.clone();
    let mut halves: HashMap<[u32; 2], u32> = HashMap::new();
    let mut triangles = Vec::with_capacity(4 * soup.triangles.len());
    for &[p, q, r] in &soup.triangles {
        let mut half = |p: u32, q: u32| -> Option<u32> {
            if let Some(&known) = halves.get(&[p.min(q), p.max(q)]) {
                return Some(known);
            }
            let (from, to) = (soup.vertices[p as usize], soup.vertices[q as usize]);
            let mut middle = [0.0; 3];
            for k in 0..3 {
                middle[k] = exact_sum(from[k], to[k])? / 2.0;
            }
            vertices.push(middle);
            let new = vertices.len() as u32 - 1;
            halves.insert([p.min(q), p.max(q)], new);
            Some(new)
        };
        let (u, v, w) = (half(p, q)?, half(q, r)?, half(r, p)?);
        triangles.extend([[p, u, w], [u, q, v], [w, v, r], [u, v, w]]);
    }
    Some(Soup { vertices, triangles })
}

/// The sum, if it is a number without rounding (Knuth, The Art of Computer Programming 2, 1969: the
/// error of a sum).
pub(super) fn exact_sum(x: f64, y: f64) -> Option<f64> {
    let sum = x + y;
    let back = sum - x;
    let error = (x - (sum - back)) + (y - back);
    (error == 0.0).then_some(sum)
}
