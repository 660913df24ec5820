//! A second reading of glTF, to judge the first: where the standard puts every vertex of a GLB.
//!
//! Written from the text of the standard alone, as plainly as it can be: JSON as it is, one list of
//! numbers an accessor, matrices of sixteen numbers, recursion up to the root for every node. It
//! shares no code with the readers and the bodies that it judges, checks nothing, and
//! panics on what is not right.
//!
//! Source: Khronos, *glTF 2.0 Specification* (2021): 3.6.2 accessors, 3.7.2.2 morph targets, 3.7.3
//! skins, 3.11 animations, appendix C interpolation.

use serde_json::Value;

/// Sixteen numbers, column by column.
type Matrix = [f64; 16];

pub(crate) struct Asset {
    json: Value,
    binary: Vec<u8>,
}

/// A node's translation, rotation, scale and morph weights at some time.
struct Local {
    matrix: Option<Matrix>,
    translation: Vec<f64>,
    rotation: Vec<f64>,
    scale: Vec<f64>,
    weights: Vec<f64>,
}

fn at(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("an index")).expect("a small index")
}

/// A number that was written as an unsigned integer.
#[expect(clippy::cast_sign_loss, reason = "it was unsigned")]
fn whole(number: f64) -> usize {
    number as usize
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    Some(value.as_array()?.iter().map(|number| number.as_f64().expect("a number")).collect())
}

impl Asset {
    pub(crate) fn new(glb: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let end = 20 + word(12);
        let json = serde_json::from_slice(&glb[20..end]).expect("JSON");
        let binary = glb.get(end + 8..).unwrap_or(&[]).to_vec();
        Self { json, binary }
    }

    /// The elements of an accessor.
    fn accessor(&self, index: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][at(index)];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let count = at(&accessor["count"]);
        let normalized = accessor["normalized"] == true;
        let component = &accessor["componentType"];
        let mut elements = if accessor["bufferView"].is_null() {
            vec![vec![0.0; width]; count]
        } else {
            self.elements(accessor, component, count, width, normalized)
        };
        let sparse = &accessor["sparse"];
        if !sparse.is_null() {
            let count = at(&sparse["count"]);
            let indices = &sparse["indices"];
            let indices = self.elements(indices, &indices["componentType"], count, 1, false);
            let values = self.elements(&sparse["values"], component, count, width, normalized);
            for (index, value) in indices.iter().zip(values) {
                elements[whole(index[0])] = value;
            }
        }
        elements
    }

    /// Elements from what names a buffer view and an offset into it.
    fn elements(
        &self,
        place: &Value,
        component: &Value,
        count: usize,
        width: usize,
        normalized: bool,
    ) -> Vec<Vec<f64>> {
        let view = &self.json["bufferViews"][at(&place["bufferView"])];
        let offset = |of: &Value| of["byteOffset"].as_u64().unwrap_or(0) as usize;
        let start = offset(place) + offset(view);
        let size = match at(component) {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let stride = view["byteStride"].as_u64().map_or(width * size, |stride| stride as usize);
        let number =
            |at: usize| component_value(component, &self.binary[at..at + size], normalized);
        let element =
            |i: usize| (0..width).map(|c| number(start + i * stride + c * size)).collect();
        (0..count).map(element).collect()
    }

    /// The times at which the animation begins and ends.
    pub(crate) fn span(&self, animation: usize) -> (f64, f64) {
        let samplers = list(&self.json["animations"][animation]["samplers"]);
        let times = samplers.iter().flat_map(|sampler| self.accessor(&sampler["input"]));
        times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| {
            (low.min(time[0]), high.max(time[0]))
        })
    }

    pub(crate) fn animations(&self) -> usize {
        list(&self.json["animations"]).len()
    }

    fn locals(&self) -> Vec<Local> {
        let nodes = list(&self.json["nodes"]).iter();
        let local = |node: &Value| {
            let of_mesh = node["mesh"].as_u64().map(|mesh| &self.json["meshes"][mesh as usize]);
            let weights = numbers(&node["weights"])
                .or_else(|| of_mesh.and_then(|mesh| numbers(&mesh["weights"])));
            Local {
                matrix: numbers(&node["matrix"]).map(|matrix| matrix.try_into().unwrap()),
                translation: numbers(&node["translation"]).unwrap_or_else(|| vec![0.0; 3]),
                rotation: numbers(&node["rotation"]).unwrap_or_else(|| vec![0.0, 0.0, 0.0, 1.0]),
                scale: numbers(&node["scale"]).unwrap_or_else(|| vec![1.0; 3]),
                weights: weights.unwrap_or_default(),
            }
        };
        nodes.map(local).collect()
    }

    /// Moves what the channels of an animation move.
    fn animate(&self, animation: usize, time: f64, locals: &mut [Local]) {
        let animation = &self.json["animations"][animation];
        for channel in list(&animation["channels"]) {
            let target = &channel["target"];
            let Some(node) = target["node"].as_u64() else { continue };
            let sampler = &animation["samplers"][at(&channel["sampler"])];
            let path = target["path"].as_str().unwrap();
            let value = self.sample(sampler, time, path == "rotation");
            let local = &mut locals[node as usize];
            match path {
                "translation" => local.translation = value,
                "rotation" => local.rotation = value,
                "scale" => local.scale = value,
                "weights" => local.weights = value,
                other => panic!("{other}"),
            }
        }
    }

    fn sample(&self, sampler: &Value, time: f64, is_rotation: bool) -> Vec<f64> {
        let times: Vec<f64> =
            self.accessor(&sampler["input"]).into_iter().map(|time| time[0]).collect();
        let output = self.accessor(&sampler["output"]).concat();
        let cubic = sampler["interpolation"] == "CUBICSPLINE";
        let width = output.len() / times.len() / if cubic { 3 } else { 1 };
        let part = |place: usize| &output[place * width..(place + 1) * width];
        let value = |key: usize| part(if cubic { 3 * key + 1 } else { key });
        // Clamped at both ends.
        let last = times.len() - 1;
        if time <= times[0] {
            return value(0).to_vec();
        }
        if time >= times[last] {
            return value(last).to_vec();
        }
        let key = (0..last).rfind(|&key| times[key] <= time).unwrap();
        let duration = times[key + 1] - times[key];
        let t = (time - times[key]) / duration;
        let blend = |terms: &[(f64, &[f64])]| {
            (0..width).map(|i| terms.iter().map(|(factor, of)| factor * of[i]).sum()).collect()
        };
        match sampler["interpolation"].as_str().unwrap_or("LINEAR") {
            "STEP" => value(key).to_vec(),
            "CUBICSPLINE" => {
                let (t2, t3) = (t * t, t * t * t);
                blend(&[
                    (2.0 * t3 - 3.0 * t2 + 1.0, value(key)),
                    (duration * (t3 - 2.0 * t2 + t), part(3 * key + 2)),
                    (-2.0 * t3 + 3.0 * t2, value(key + 1)),
                    (duration * (t3 - t2), part(3 * key + 3)),
                ])
            }
            "LINEAR" if is_rotation => {
                let (from, to) = (unit(value(key)), unit(value(key + 1)));
                let dot: f64 = from.iter().zip(&to).map(|(a, b)| a * b).sum();
                let angle = dot.abs().min(1.0).acos();
                if angle < 1e-4 {
                    return blend(&[(1.0 - t, &from), (t * dot.signum(), &to)]);
                }
                let factor = |t: f64| (angle * t).sin() / angle.sin();
                blend(&[(factor(1.0 - t), &from), (dot.signum() * factor(t), &to)])
            }
            "LINEAR" => blend(&[(1.0 - t, value(key)), (t, value(key + 1))]),
            other => panic!("{other}"),
        }
    }

    /// The matrix from a node to the world.
    fn global(&self, node: usize, locals: &[Local]) -> Matrix {
        let own = locals[node].matrix();
        let nodes = list(&self.json["nodes"]);
        let holds =
            |parent: &Value| list(&parent["children"]).iter().any(|child| at(child) == node);
        match nodes.iter().position(holds) {
            Some(parent) => product(&self.global(parent, locals), &own),
            None => own,
        }
    }

    /// The world positions of all vertices: by node of the scene, then primitive.
    pub(crate) fn vertices(&self, sample: Option<(usize, f64)>) -> Vec<[f64; 3]> {
        let mut locals = self.locals();
        if let Some((animation, time)) = sample {
            self.animate(animation, time, &mut locals);
        }
        let globals: Vec<Matrix> = (0..locals.len()).map(|i| self.global(i, &locals)).collect();
        let mut vertices = Vec::new();
        for (index, node) in list(&self.json["nodes"]).iter().enumerate() {
            if node["mesh"].is_null() || !self.is_shown(index) {
                continue;
            }
            for primitive in list(&self.json["meshes"][at(&node["mesh"])]["primitives"]) {
                let points = self.morphed(primitive, &locals[index].weights);
                if node["skin"].is_null() {
                    vertices.extend(points.iter().map(|p| moved(&globals[index], p)));
                } else {
                    let skin = &self.json["skins"][at(&node["skin"])];
                    vertices.extend(self.skinned(primitive, skin, &points, &globals));
                }
            }
        }
        vertices
    }

    fn is_shown(&self, node: usize) -> bool {
        let scene = &self.json["scenes"][self.json["scene"].as_u64().unwrap_or(0) as usize];
        let holds =
            |parent: &Value| list(&parent["children"]).iter().any(|child| at(child) == node);
        list(&scene["nodes"]).iter().any(|root| at(root) == node)
            || list(&self.json["nodes"]).iter().position(holds).is_some_and(|p| self.is_shown(p))
    }

    fn morphed(&self, primitive: &Value, weights: &[f64]) -> Vec<Vec<f64>> {
        let mut points = self.accessor(&primitive["attributes"]["POSITION"]);
        for (target, weight) in list(&primitive["targets"]).iter().zip(weights) {
            if target["POSITION"].is_null() {
                continue;
            }
            for (point, offset) in points.iter_mut().zip(self.accessor(&target["POSITION"])) {
                for (coordinate, offset) in point.iter_mut().zip(offset) {
                    *coordinate += weight * offset;
                }
            }
        }
        points
    }

    /// The skinned mesh goes where its joints are; the transform of its own node does not matter.
    fn skinned(
        &self,
        primitive: &Value,
        skin: &Value,
        points: &[Vec<f64>],
        globals: &[Matrix],
    ) -> Vec<[f64; 3]> {
        let binds = &skin["inverseBindMatrices"];
        let binds = (!binds.is_null()).then(|| self.accessor(binds));
        let joints: Vec<Matrix> = list(&skin["joints"])
            .iter()
            .enumerate()
            .map(|(i, joint)| match &binds {
                Some(binds) => {
                    product(&globals[at(joint)], binds[i].as_slice().try_into().unwrap())
                }
                None => globals[at(joint)],
            })
            .collect();
        let attributes = &primitive["attributes"];
        let mut sets = Vec::new();
        while let joints = &attributes[format!("JOINTS_{}", sets.len())]
            && !joints.is_null()
        {
            let weights = &attributes[format!("WEIGHTS_{}", sets.len())];
            sets.push((self.accessor(joints), self.accessor(weights)));
        }
        let vertex = |(i, point): (usize, &Vec<f64>)| {
            let influences =
                sets.iter().flat_map(|(joints, weights)| joints[i].iter().zip(&weights[i]));
            let (mut sum, mut matrix) = (0.0, [0.0; 16]);
            for (&joint, &weight) in influences.filter(|(_, weight)| **weight != 0.0) {
                sum += weight;
                for (entry, of) in matrix.iter_mut().zip(&joints[whole(joint)]) {
                    *entry += weight * of;
                }
            }
            // Rounded weights need not add up to one: their sum stands in the corner of the matrix
            // and is divided by, as for any point in space.
            moved(&matrix.map(|entry| entry / sum), point)
        };
        points.iter().enumerate().map(vertex).collect()
    }
}

impl Local {
    /// Scale, then rotation, then translation.
    fn matrix(&self) -> Matrix {
        if let Some(matrix) = self.matrix {
            return matrix;
        }
        let q = unit(&self.rotation);
        let (x, y, z, w) = (q[0], q[1], q[2], q[3]);
        let (s, t) = (&self.scale, &self.translation);
        let columns = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let mut matrix = [0.0; 16];
        for (c, column) in columns.iter().enumerate() {
            for (r, entry) in column.iter().enumerate() {
                matrix[4 * c + r] = entry * s[c];
            }
        }
        matrix[12..15].copy_from_slice(t);
        matrix[15] = 1.0;
        matrix
    }
}

fn unit(quaternion: &[f64]) -> Vec<f64> {
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter().map(|x| x / length).collect()
}

fn component_value(component: &Value, bytes: &[u8], normalized: bool) -> f64 {
    let (value, most) = match at(component) {
        5120 => (f64::from(bytes[0].cast_signed()), 127.0),
        5121 => (f64::from(bytes[0]), 255.0),
        5122 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
        5123 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
        5125 => (f64::from(u32::from_le_bytes(bytes.try_into().unwrap())), 4_294_967_295.0),
        5126 => return f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        other => panic!("{other}"),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| {
        let (column, row) = (i / 4, i % 4);
        (0..4).map(|k| a[4 * k + row] * b[4 * column + k]).sum()
    })
}

fn moved(matrix: &Matrix, point: &[f64]) -> [f64; 3] {
    std::array::from_fn(|row| {
        (0..3).map(|k| matrix[4 * k + row] * point[k]).sum::<f64>() + matrix[12 + row]
    })
}
