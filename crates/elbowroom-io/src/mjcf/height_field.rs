//! Height fields: a grid of elevations as a closed mesh, from its base up to the surface.
//!
//! Source: the `MuJoCo` documentation, XML reference, `asset/hfield`. Elevations are brought to 0 …
//! 1, then scaled; each cell of the grid is two triangles that share the diagonal from its lowest x
//! and y to its highest, as the simulator has it. PNG images are not read.

use std::collections::HashMap;

use glam::DVec3;

use super::model::base_name;
use super::tree::{Element, Files, Place, check_attributes};
use crate::error::Fault;

/// Vertices and triangles.
pub(super) type Surface = (Vec<DVec3>, Vec<[u32; 3]>);

/// A height field that shapes may name.
pub(super) struct HeightField {
    /// The file, from the folder of the model; `None` if the elevations are in the model.
    pub(super) file: Option<String>,
    pub(super) place: Place,
    rows: usize,
    columns: usize,
    elevations: Vec<f64>,
    /// Half of x and y, the height of the highest elevation, and the depth of the base.
    size: [f64; 4],
}

/// The height fields of a model, by name. `file_of` is where a file of the model lies.
pub(super) fn assets(
    root: &Element,
    file_of: &dyn Fn(&str) -> String,
    files: &Files,
) -> Result<HashMap<String, HeightField>, Fault> {
    let mut fields = HashMap::new();
    for element in root.children("asset").flat_map(|asset| asset.children("hfield")) {
        check_attributes(element, files)?;
        let file = element.attribute("file");
        let stem = file.map(|file| {
            let base = base_name(file);
            base.rsplit_once('.').map_or(base, |(stem, _)| stem)
        });
        let place = element.place;
        let name = element
            .attribute("name")
            .or(stem)
            .ok_or_else(|| files.fault(place, "<hfield> with neither a name nor a file"))?;
        let count = |name: &str| match element.attribute(name).map(|text| text.trim().parse()) {
            None => Ok(0),
            Some(Ok(count)) => Ok(count),
            Some(Err(_)) => {
                Err(files.fault(place, format!("{name:?} of <hfield> is not a whole number")))
            }
        };
        let numbers = |name: &str| {
            element.attribute(name).map_or(Ok(Vec::new()), |text| files.numbers(place, name, text))
        };
        let size = <[f64; 4]>::try_from(numbers("size")?)
            .ok()
            .filter(|size| size.iter().all(|x| x.is_finite() && *x > 0.0))
            .ok_or_else(|| files.fault(place, "\"size\" of <hfield> takes 4 numbers above 0"))?;
        let (rows, columns): (usize, usize) = (count("nrow")?, count("ncol")?);
        let mut elevations = numbers("elevation")?;
        // The text shows the field from above: its first row is the farthest in y.
        if rows > 0 && columns > 0 && elevations.len() == rows.saturating_mul(columns) {
            elevations = elevations.chunks(columns).rev().flatten().copied().collect();
        }
        let file = file.map(file_of);
        let field = HeightField { file, place, rows, columns, elevations, size };
        if fields.insert(name.to_owned(), field).is_some() {
            return Err(files.fault(place, format!("a second height field {name:?}")));
        }
    }
    Ok(fields)
}

impl HeightField {
    /// The closed surface, given what is in its file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the numbers.
    pub(super) fn surface(&self, bytes: Option<&[u8]>, most_bytes: u64) -> Result<Surface, String> {
        let (rows, columns, elevations) = match bytes {
            Some(bytes) => from_bytes(bytes)?,
            None => (self.rows, self.columns, self.elevations.clone()),
        };
        if rows < 2 || columns < 2 {
            return Err(format!("has {rows} × {columns} elevations; 2 × 2 are needed at least"));
        }
        let count = rows.checked_mul(columns).filter(|&n| 96 * n as u64 <= most_bytes);
        let Some(count) = count else {
            return Err(format!("has {rows} × {columns} elevations, which is too many"));
        };
        let elevations = if elevations.is_empty() { vec![0.0; count] } else { elevations };
        if elevations.len() != count {
            let given = elevations.len();
            return Err(format!("has {given} elevations for {rows} × {columns}"));
        }
        if !elevations.iter().all(|z| z.is_finite()) {
            return Err("has an elevation that is not finite".to_owned());
        }
        let low = elevations.iter().copied().fold(f64::INFINITY, f64::min);
        let high = elevations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = if high > low { self.size[2] / (high - low) } else { 0.0 };
        let heights = elevations.iter().map(|z| (z - low) * scale);
        Ok(closed(rows, columns, &heights.collect::<Vec<_>>(), self.size))
    }
}

/// The simulator's own format: rows and columns as i32, then f32.
fn from_bytes(bytes: &[u8]) -> Result<(usize, usize, Vec<f64>), String> {
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).and_then(|b| <[u8; 4]>::try_from(b).ok());
    let count = |i: usize| {
        word(i).and_then(|b| usize::try_from(i32::from_le_bytes(b)).ok()).filter(|&n| n > 0)
    };
    let (Some(rows), Some(columns)) = (count(0), count(1)) else {
        return Err("does not begin with the numbers of its rows and columns".to_owned());
    };
    let rest = &bytes[8..];
    if rows.checked_mul(columns).and_then(|n| n.checked_mul(4)) != Some(rest.len()) {
        let given = rest.len() / 4;
        return Err(format!("has {given} elevations for {rows} × {columns}"));
    }
    let number = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    Ok((rows, columns, rest.chunks_exact(4).map(number).collect()))
}

/// The surface, its copy on the base, and the walls between.
fn closed(rows: usize, columns: usize, heights: &[f64], size: [f64; 4]) -> Surface {
    let [half_x, half_y, _, base] = size;
    let place = |i: usize, z: f64| {
        let step =
            |at: usize, of: usize, half: f64| half * (2.0 * at as f64 / (of - 1) as f64 - 1.0);
        DVec3::new(step(i % columns, columns, half_x), step(i / columns, rows, half_y), z)
    };
    let upper = heights.iter().enumerate().map(|(i, &z)| place(i, z));
    let lower = (0..heights.len()).map(|i| place(i, -base));
    let vertices: Vec<DVec3> = upper.chain(lower).collect();
    let count = heights.len() as u32;
    let mut triangles = Vec::with_capacity(4 * heights.len());
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let a = (row * columns + column) as u32;
            let (b, c) = (a + 1, a + columns as u32);
            let d = c + 1;
            for [p, q, r] in [[a, b, d], [a, d, c]] {
                triangles.push([p, q, r]);
                triangles.push([p + count, r + count, q + count]);
            }
        }
    }
    let mut wall = |to: u32, from: u32| {
        triangles.push([from, from + count, to + count]);
        triangles.push([from, to + count, to]);
    };
    let (last_row, last_column) = (((rows - 1) * columns) as u32, columns as u32 - 1);
    for i in 0..last_column {
        wall(i + 1, i);
        wall(last_row + i, last_row + i + 1);
    }
    for row in 0..rows as u32 - 1 {
        let (here, next) = (row * columns as u32, (row + 1) * columns as u32);
        wall(here, next);
        wall(next + last_column, here + last_column);
    }
    (vertices, triangles)
}
