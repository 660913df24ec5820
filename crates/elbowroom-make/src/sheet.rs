//! How a grid of vertices becomes triangles: open, wrapped both ways, or closed by two poles.
//!
//! ```text
//!   (row, column + 1) d---c (row + 1, column + 1)       a b c   and   a c d
//!                     | / |
//!       (row, column) a---b (row + 1, column)
//! ```
//!
//! Seen from the side on which columns run up while rows run to the right, both triangles are
//! counter-clockwise. Vertex (row, column) has the index `row * columns + column`.

/// A sheet with four borders: `2 (rows − 1)(columns − 1)` triangles.
pub(crate) fn open(rows: u32, columns: u32) -> Vec<[u32; 3]> {
    cells(rows, columns, rows - 1, columns - 1)
}

/// A sheet whose last row meets the first and whose last column meets the first: `2 rows columns`
/// triangles.
pub(crate) fn wrapped(rows: u32, columns: u32) -> Vec<[u32; 3]> {
    cells(rows, columns, rows, columns)
}

fn cells(rows: u32, columns: u32, row_cells: u32, column_cells: u32) -> Vec<[u32; 3]> {
    let index = |row: u32, column: u32| (row % rows) * columns + column % columns;
    let mut triangles = Vec::with_capacity(2 * row_cells as usize * column_cells as usize);
    for row in 0..row_cells {
        for column in 0..column_cells {
            let [a, b] = [index(row, column), index(row + 1, column)];
            let [d, c] = [index(row, column + 1), index(row + 1, column + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// Rings of `sectors` vertices each between two poles: `2 rings sectors` triangles.
///
/// The upper pole has index 0, then come the rings from there, each counter-clockwise seen from the
/// upper pole, and the lower pole is last.
pub(crate) fn between_poles(rings: u32, sectors: u32) -> Vec<[u32; 3]> {
    let index = |ring: u32, sector: u32| 1 + ring * sectors + sector % sectors;
    let lower_pole = 1 + rings * sectors;
    let mut triangles = Vec::with_capacity(2 * rings as usize * sectors as usize);
    triangles.extend((0..sectors).map(|s| [0, index(0, s), index(0, s + 1)]));
    for ring in 1..rings {
        for s in 0..sectors {
            let [a, d] = [index(ring - 1, s), index(ring - 1, s + 1)];
            let [b, c] = [index(ring, s), index(ring, s + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let last = rings - 1;
    triangles.extend((0..sectors).map(|s| [lower_pole, index(last, s + 1), index(last, s)]));
    triangles
}

/// Panics unless `product` of vertices, and some more for poles, can be numbered by u32.
pub(crate) fn assert_countable(product: u64) {
    assert!(
        product < u64::from(u32::MAX / 4),
        "{product} vertices are more than a generated mesh may have"
    );
}
