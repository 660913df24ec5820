//! A part's mesh: positions, corners, morph targets, joints and weights.

use std::cmp::Reverse;

use elbowroom_motion::body::{Hold, Influence, Part, Skin};
use serde_json::{Map, Value, json};

use super::WriteError;
use super::bin::{Bin, Use, singles};

pub(super) fn mesh(
    part: &Part,
    mirrored: bool,
    bin: &mut Bin,
    place: &str,
) -> Result<Value, WriteError> {
    let vertices = part.mesh.vertices();
    let positions = singles(vertices, place)?;
    let mut attributes = Map::new();
    let position = bin.floats("VEC3", Use::Vertices, &positions, true);
    attributes.insert("POSITION".to_owned(), json!(position));
    if let Hold::Skinned(skin) = &part.hold {
        weights(skin, bin, &mut attributes);
    }
    // What the joints mirror goes the other way round in a file.
    let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    let triangles: Vec<[u32; 3]> = part.mesh.triangles().iter().map(turn).collect();
    let indices = bin.indices(triangles.as_flattened(), vertices.len());
    let mut primitive = Map::new();
    primitive.insert("attributes".to_owned(), Value::Object(attributes));
    primitive.insert("indices".to_owned(), json!(indices));
    let mut mesh = super::named(&part.name);
    if !part.morphs.is_empty() {
        let mut targets = Vec::new();
        for morph in &part.morphs {
            let offsets = singles(&morph.offsets, &format!("{place}, morph {:?}", morph.name))?;
            let target = bin.floats("VEC3", Use::Vertices, &offsets, true);
            targets.push(json!({ "POSITION": target }));
        }
        primitive.insert("targets".to_owned(), Value::Array(targets));
        mesh.insert("weights".to_owned(), json!(part.morph_weights));
        let names: Vec<_> = part.morphs.iter().map(|morph| &morph.name).collect();
        mesh.insert("extras".to_owned(), json!({ "targetNames": names }));
    }
    mesh.insert("primitives".to_owned(), json!([primitive]));
    Ok(Value::Object(mesh))
}

/// Writes as many sets of four influences as the vertex with the most of them needs.
fn weights(skin: &Skin, bin: &mut Bin, attributes: &mut Map<String, Value>) {
    let vertices: Vec<Vec<Influence>> =
        (0..skin.vertices_len() as u32).map(|vertex| tidy(skin.influences(vertex))).collect();
    let most = vertices.iter().map(Vec::len).max().unwrap_or(0);
    for set in 0..most.div_ceil(4) {
        let padding = Influence { joint: 0, weight: 0.0 };
        let four = |own: &Vec<Influence>| -> [Influence; 4] {
            std::array::from_fn(|i| own.get(4 * set + i).copied().unwrap_or(padding))
        };
        let influences: Vec<Influence> = vertices.iter().flat_map(four).collect();
        let joints: Vec<u16> = influences.iter().map(|influence| influence.joint).collect();
        let weights: Vec<f32> = influences.iter().map(|influence| influence.weight).collect();
        let joints = bin.joints(&joints, skin.joints().len());
        attributes.insert(format!("JOINTS_{set}"), json!(joints));
        let weights = bin.floats("VEC4", Use::Vertices, &weights, false);
        attributes.insert(format!("WEIGHTS_{set}"), json!(weights));
    }
}

/// The influences of a vertex, each joint once, none of no weight, adding up to one in f32.
///
/// Where there are more than four the heaviest come first, since many viewers read only the first
/// set.
fn tidy(own: &[Influence]) -> Vec<Influence> {
    let mut tidy: Vec<Influence> = Vec::new();
    for influence in own.iter().filter(|influence| influence.weight > 0.0) {
        match tidy.iter_mut().find(|known| known.joint == influence.joint) {
            Some(known) => known.weight += influence.weight,
            None => tidy.push(*influence),
        }
    }
    if tidy.len() > 4 {
        tidy.sort_by_key(|influence| Reverse(influence.weight.to_bits()));
    }
    let total = |tidy: &[Influence]| tidy.iter().map(|i| f64::from(i.weight)).sum::<f64>();
    let sum = total(&tidy);
    // As near to one as f32 can be: a file that is read and written again keeps its numbers.
    if (sum - 1.0).abs() <= f64::from(f32::EPSILON) {
        return tidy;
    }
    for influence in &mut tidy {
        influence.weight = (f64::from(influence.weight) / sum) as f32;
    }
    // What rounding took goes to the heaviest, which feels it least.
    let missing = 1.0 - total(&tidy);
    if let Some(heaviest) = tidy.iter_mut().max_by(|a, b| a.weight.total_cmp(&b.weight)) {
        heaviest.weight = (f64::from(heaviest.weight) + missing) as f32;
    }
    // A share that is nothing in f32 is padding by now.
    tidy.retain(|influence| influence.weight > 0.0);
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn influences_are_tidied() {
        let own = [(3, 0.25), (1, 0.0), (3, 0.25), (2, 0.1)];
        let own = own.map(|(joint, weight)| Influence { joint, weight });
        let tidied = tidy(&own);
        let joints: Vec<u16> = tidied.iter().map(|influence| influence.joint).collect();
        assert_eq!(joints, [3, 2]);
        let sum: f64 = tidied.iter().map(|influence| f64::from(influence.weight)).sum();
        assert!((sum - 1.0).abs() <= f64::from(f32::EPSILON) / 2.0, "{sum}");
    }
}
