//! A body compared with itself: its parts, cut apart by their labels.
//!
//! Parts that have a vertex in common are neighbours and are not compared: they meet where they are
//! joined, always. A part that was cut from a body has a hole where the cut is, so parts are always
//! capped.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use elbowroom::{Certainty, Mesh, MeshError};
use glam::DVec3;

use super::frame::{Body, FrameError, FrameErrorKind, measure};

/// A body that is cut into parts.
#[derive(Clone, Debug)]
pub struct Dissected {
    vertices: usize,
    parts: Vec<Part>,
    /// The parts that are compared, by their places in the list.
    pairs: Vec<[usize; 2]>,
}

#[derive(Clone, Debug)]
struct Part {
    label: u32,
    body: Body,
    /// The body's vertices that the part has, in order.
    corners: Vec<u32>,
}

/// What is measured of a body and itself in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfFrame {
    /// Whether the surfaces of two parts meet that are not neighbours.
    pub contact: bool,
    /// Whether the interiors of two such parts meet.
    pub crossing: bool,
    /// The depth of the deepest two parts, at least.
    pub depth: f64,
    /// The depth of the deepest two parts, at most.
    pub depth_upper: f64,
    /// The sum of the volumes that two parts have in common.
    pub volume: f64,
    /// A bound of the rounding error of the volume.
    pub volume_error: f64,
    /// The labels of the deepest two parts, if any cross.
    pub deepest: Option<[u32; 2]>,
    /// Whether all parts are closed.
    pub certainty: Certainty,
}

/// The label of each triangle from those of its vertices: that of most of its corners, or the
/// smallest if all differ.
pub fn face_labels(triangles: &[[u32; 3]], of_vertices: &[u32]) -> Vec<u32> {
    let label = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| of_vertices[corner as usize]);
        if a == b || a == c {
            a
        } else if b == c {
            b
        } else {
            a.min(b).min(c)
        }
    };
    triangles.iter().map(label).collect()
}

impl Dissected {
    /// Cuts a mesh into parts, by a label for each triangle.
    ///
    /// # Errors
    /// If a part has more triangles than can be numbered.
    ///
    /// # Panics
    /// If there are not as many labels as triangles.
    pub fn new(mesh: &Mesh, labels: &[u32]) -> Result<Self, MeshError> {
        assert_eq!(labels.len(), mesh.triangles().len(), "a label for each triangle");
        let mut faces: BTreeMap<u32, Vec<[u32; 3]>> = BTreeMap::new();
        for (&label, &triangle) in labels.iter().zip(mesh.triangles()) {
            faces.entry(label).or_default().push(triangle);
        }
        let parts = faces.into_iter().map(|(label, faces)| Part::new(mesh, label, &faces));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let places: Vec<BTreeSet<[u64; 3]>> = parts.iter().map(|part| part.places(mesh)).collect();
        let pairs = (0..parts.len()).flat_map(|i| (i + 1..parts.len()).map(move |j| [i, j]));
        let pairs = pairs.filter(|&[i, j]| places[i].is_disjoint(&places[j])).collect();
        Ok(Self { vertices: mesh.vertices().len(), parts, pairs })
    }

    /// The labels of the parts, in order.
    pub fn labels(&self) -> impl Iterator<Item = u32> + '_ {
        self.parts.iter().map(|part| part.label)
    }

    /// The number of pairs of parts that are compared.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Measures all pairs of parts in a frame.
    ///
    /// # Errors
    /// If there are not as many vertices as the mesh has, or one is not finite.
    pub fn measure(&self, points: &[DVec3]) -> Result<SelfFrame, FrameError> {
        if points.len() != self.vertices {
            let (found, expected) = (points.len(), self.vertices);
            return Err(FrameErrorKind::Count { found, expected }.into());
        }
        let own = |part: &Part| {
            let points: Vec<DVec3> = part.corners.iter().map(|&at| points[at as usize]).collect();
            part.body.at(&points)
        };
        let models = self.parts.iter().map(own).collect::<Result<Vec<_>, _>>()?;
        let boxes: Vec<_> = models.iter().map(|model| model.posed().bounds()).collect();
        let mut all = SelfFrame::default();
        for model in &models {
            all.certainty = all.certainty.and(model.solid_profile().certainty);
        }
        for &[i, j] in &self.pairs {
            let (a, b) = (&boxes[i], &boxes[j]);
            // Boxes are closed: those that touch are compared.
            if a.min.cmpgt(b.max).any() || b.min.cmpgt(a.max).any() {
                continue;
            }
            let found = measure(&models[i], &models[j], false);
            all.contact |= found.contact;
            all.crossing |= found.crossing;
            if found.overlap.depth > all.depth {
                all.depth = found.overlap.depth;
                all.deepest = Some([self.parts[i].label, self.parts[j].label]);
            }
            all.depth_upper = all.depth_upper.max(found.overlap.depth_upper);
            all.volume += found.overlap.volume;
            all.volume_error += found.overlap.volume_error;
        }
        Ok(all)
    }
}

impl Part {
    fn new(mesh: &Mesh, label: u32, faces: &[[u32; 3]]) -> Result<Self, MeshError> {
        let corners: BTreeSet<u32> = faces.iter().flatten().copied().collect();
        let corners: Vec<u32> = corners.into_iter().collect();
        let places: HashMap<u32, u32> =
            corners.iter().enumerate().map(|(place, &corner)| (corner, place as u32)).collect();
        let faces = faces.iter().map(|face| face.map(|corner| places[&corner])).collect();
        let points = corners.iter().map(|&corner| mesh.vertices()[corner as usize]).collect();
        let body = Body::capped(&Mesh::new(points, faces)?);
        Ok(Self { label, body, corners })
    }

    fn places(&self, mesh: &Mesh) -> BTreeSet<[u64; 3]> {
        let place = |&corner: &u32| {
            let point = mesh.vertices()[corner as usize] + DVec3::ZERO;
            point.to_array().map(f64::to_bits)
        };
        self.corners.iter().map(place).collect()
    }
}
