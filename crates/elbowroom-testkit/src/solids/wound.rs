//! The winding number of a whole-numbered mesh around a whole-numbered point, by looking up from
//! it.
//!
//! Seen from above, each triangle that covers the point and is higher counts, up or down as it is
//! turned. A point on the outline of a triangle is taken to be moved aside by (ε, ε²), so that of
//! all triangles on an edge the right ones cover it. The library shoots rays that avoid edges
//! instead.

/// The winding number; `None` if the point is on the surface.
pub fn winding(triangles: &[[[i64; 3]; 3]], point: [i64; 3]) -> Option<i32> {
    let mut number = 0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| std::array::from_fn(|k| i128::from(p[k] - point[k])));
        if is_on([a, b, c]) {
            return None;
        }
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        if turns == [1; 3] || turns == [-1; 3] {
            // Above the point if the volume over it is positive for a triangle that is seen turning
            // left.
            let above = height([a, b, c], turns[0]) > 0;
            number += if above { turns[0] } else { 0 };
        }
    }
    Some(number)
}

/// Which way the origin moved by (ε, ε²) sees two points turn; 0 if they are one above the other.
fn turn(p: [i128; 3], q: [i128; 3]) -> i32 {
    // (p − m) × (q − m) = p×q − m×(q − p), m = (ε, ε²).
    let area = p[0] * q[1] - p[1] * q[0];
    let (along_x, along_y) = (-(q[1] - p[1]), q[0] - p[0]);
    [area, along_x, along_y].into_iter().map(i128::signum).find(|&s| s != 0).unwrap_or(0) as i32
}

/// How high a triangle that covers the origin is there, in sign; the triangle does not go through
/// it.
fn height([a, b, c]: [[i128; 3]; 3], turned: i32) -> i128 {
    let volume: i128 = (0..3)
        .map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            a[k] * (b[i] * c[j] - b[j] * c[i])
        })
        .sum();
    volume * i128::from(turned)
}

/// Whether the origin is on a triangle: in its plane, and on no outer side, seen along some axis
/// that shows its area.
fn is_on([a, b, c]: [[i128; 3]; 3]) -> bool {
    if height([a, b, c], 1) != 0 {
        return false;
    }
    let area = |p: [i128; 3], q: [i128; 3], k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        p[i] * q[j] - p[j] * q[i]
    };
    let axis = (0..3).find(|&k| area(a, b, k) + area(b, c, k) + area(c, a, k) != 0);
    axis.is_some_and(|k| {
        let parts = [area(a, b, k), area(b, c, k), area(c, a, k)];
        parts.iter().all(|&x| x >= 0) || parts.iter().all(|&x| x <= 0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Pile};
    use super::*;
    use crate::random::Random;

    #[test]
    fn agrees_with_counting_boxes() {
        let mut random = Random::new(5);
        let (mut within, mut on) = (0, 0);
        for _ in 0..60 {
            let pile = Pile::random(&mut random, 3, 4, true);
            // At twice the scale the middles of cubes are whole.
            let soup = pile.soup(&mut random);
            let doubled: Vec<[[i64; 3]; 3]> = (0..soup.triangles.len())
                .map(|t| soup.triangle(t).map(|p| p.map(|x| 2 * x as i64)))
                .collect();
            for _ in 0..40 {
                let cube: [i64; 3] = std::array::from_fn(|_| random.range(-1, 4));
                let number = winding(&doubled, cube.map(|x| 2 * x + 1));
                assert_eq!(number, Some(pile.winding(cube)));
                within += u32::from(number != Some(0));
                on += u32::from(winding(&doubled, cube.map(|x| 2 * x)).is_none());
            }
        }
        assert!(within > 150 && on > 250, "{within} {on}");
    }

    #[test]
    fn above_an_edge_is_covered_once() {
        let pile = Pile { blocks: vec![Block::new([0; 3], [2; 3])] };
        let soup = pile.soup(&mut Random::new(1));
        let triangles: Vec<[[i64; 3]; 3]> = (0..soup.triangles.len())
            .map(|t| soup.triangle(t).map(|p| p.map(|x| x as i64)))
            .collect();
        assert_eq!(winding(&triangles, [1, 1, 1]), Some(1));
        assert_eq!(winding(&triangles, [0, 0, -1]), Some(0));
        assert_eq!(winding(&triangles, [2, 0, 1]), None);
    }
}
