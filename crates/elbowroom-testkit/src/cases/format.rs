//! The JSON of a case file, checked.

use super::{Case, Pair};
use crate::brute::Soup;
use crate::oracle::{PlainPose, Relation};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    cases: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    shows: String,
    a: Shape,
    #[serde(default)]
    pose_a: Placement,
    b: Shape,
    #[serde(default)]
    pose_b: Placement,
    expected: Vec<Pair>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Placement {
    r: Option<[f64; 9]>,
    t: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum Shape {
    Mesh { vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]> },
    Box { min: [f64; 3], max: [f64; 3] },
    Grid { origin: [f64; 3], u: [f64; 3], v: [f64; 3], cells: [u32; 2] },
    Strip { origin: [f64; 3], along: [f64; 3], across: [f64; 3], count: u32 },
}

/// The cases of one file; errors name the file and the case.
pub(super) fn parse(theme: &str, text: &str) -> Result<Vec<Case>, String> {
    let file: File = serde_json::from_str(text).map_err(|e| format!("{theme}.json: {e}"))?;
    if file.about.is_empty() {
        return Err(format!("{theme}.json: \"about\" is empty"));
    }
    let case = |value: serde_json::Value| {
        let name = value["name"].as_str().unwrap_or("without a name").to_string();
        let entry: Result<Entry, _> = serde_json::from_value(value);
        let made = entry.map_err(|e| e.to_string()).and_then(|entry| entry.check(theme));
        made.map_err(|problem| format!("{theme}.json, case \"{name}\": {problem}"))
    };
    file.cases.into_iter().map(case).collect()
}

impl Entry {
    fn check(self, theme: &str) -> Result<Case, String> {
        let case = Case {
            theme: theme.to_string(),
            name: self.name,
            shows: self.shows,
            a: self.a.soup().map_err(|e| format!("a: {e}"))?,
            pose_a: self.pose_a.pose().map_err(|e| format!("pose_a: {e}"))?,
            b: self.b.soup().map_err(|e| format!("b: {e}"))?,
            pose_b: self.pose_b.pose().map_err(|e| format!("pose_b: {e}"))?,
            expected: self.expected,
        };
        if case.name.is_empty() || case.shows.is_empty() {
            return Err("\"name\" and \"shows\" must not be empty".to_string());
        }
        for &(i, j, relation) in &case.expected {
            let exists =
                (i as usize) < case.a.triangles.len() && (j as usize) < case.b.triangles.len();
            if !exists || relation == Relation::Apart {
                return Err(format!("expected pair [{i}, {j}, {relation:?}] cannot be"));
            }
        }
        let increasing = |w: &[Pair]| (w[0].0, w[0].1) < (w[1].0, w[1].1);
        if !case.expected.windows(2).all(increasing) {
            return Err("expected pairs are not sorted, or one is there twice".to_string());
        }
        Ok(case)
    }
}

impl Placement {
    pub(crate) fn pose(&self) -> Result<PlainPose, String> {
        let mut pose = PlainPose::at(self.t.unwrap_or_default());
        if let Some(r) = self.r {
            pose.r = std::array::from_fn(|i| std::array::from_fn(|j| r[3 * i + j]));
        }
        if pose.t.iter().any(|x| !x.is_finite()) {
            return Err("t is not finite".to_string());
        }
        for i in 0..3 {
            for j in 0..3 {
                let dot: f64 = (0..3).map(|k| pose.r[i][k] * pose.r[j][k]).sum();
                let wanted = f64::from(u8::from(i == j));
                if (dot - wanted).abs().partial_cmp(&1e-9) != Some(std::cmp::Ordering::Less) {
                    return Err(format!("rows {i} and {j} of r are not those of a rotation"));
                }
            }
        }
        let [u, v, w] = pose.r;
        let minor = |i: usize, j: usize| v[i] * w[j] - v[j] * w[i];
        if u[0] * minor(1, 2) + u[1] * minor(2, 0) + u[2] * minor(0, 1) < 0.0 {
            return Err("r mirrors, so it is not a rotation".to_string());
        }
        Ok(pose)
    }
}

impl Shape {
    fn soup(self) -> Result<Soup, String> {
        let soup = match self {
            Self::Mesh { vertices, triangles } => Soup { vertices, triangles },
            Self::Box { min, max } => cuboid(min, max),
            Self::Grid { origin, u, v, cells } => grid(origin, u, v, cells)?,
            Self::Strip { origin, along, across, count } => strip(origin, along, across, count)?,
        };
        if let Some(i) = soup.vertices.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
            return Err(format!("vertex {i} is not finite"));
        }
        let inside = |t: &[u32; 3]| t.iter().all(|&v| (v as usize) < soup.vertices.len());
        if let Some(i) = soup.triangles.iter().position(|t| !inside(t)) {
            return Err(format!("triangle {i} names a vertex that is not there"));
        }
        if soup.triangles.is_empty() {
            return Err("there is no triangle".to_string());
        }
        Ok(soup)
    }
}

/// Cases are small, and a mistyped count must not fill the memory.
const LIMIT: u32 = 10_000;

pub(crate) fn cuboid(min: [f64; 3], max: [f64; 3]) -> Soup {
    let corner =
        |bits: u32| std::array::from_fn(|k| if bits >> k & 1 == 1 { max[k] } else { min[k] });
    let mut triangles = Vec::with_capacity(12);
    for axis in 0..3 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        triangles.extend([[0, u | v, u], [0, v, u | v]]);
        let base = 1 << axis;
        triangles.extend([[base, base | u, base | u | v], [base, base | u | v, base | v]]);
    }
    Soup { vertices: (0..8).map(corner).collect(), triangles }
}

pub(crate) fn grid(
    origin: [f64; 3],
    u: [f64; 3],
    v: [f64; 3],
    cells: [u32; 2],
) -> Result<Soup, String> {
    let [columns, rows] = cells;
    if columns.max(rows) > LIMIT / 100 {
        return Err(format!("{columns} by {rows} cells are more than a case may have"));
    }
    let mut soup = Soup::default();
    for j in 0..=rows {
        for i in 0..=columns {
            let (s, t) = (f64::from(i), f64::from(j));
            soup.vertices.push(std::array::from_fn(|k| origin[k] + s * u[k] + t * v[k]));
        }
    }
    for j in 0..rows {
        for i in 0..columns {
            let p = j * (columns + 1) + i;
            let q = p + columns + 1;
            soup.triangles.extend([[p, p + 1, q + 1], [p, q + 1, q]]);
        }
    }
    Ok(soup)
}

fn strip(origin: [f64; 3], along: [f64; 3], across: [f64; 3], count: u32) -> Result<Soup, String> {
    if count > LIMIT {
        return Err(format!("{count} triangles are more than a case may have"));
    }
    let vertex = |i: u32| {
        let (s, t) = (f64::from(i / 2), f64::from(i % 2));
        std::array::from_fn(|k| origin[k] + s * along[k] + t * across[k])
    };
    // Every other triangle is turned round, so that all face the same way.
    let triangle = |i: u32| if i.is_multiple_of(2) { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] };
    Ok(Soup {
        vertices: (0..count + 2).map(vertex).collect(),
        triangles: (0..count).map(triangle).collect(),
    })
}
