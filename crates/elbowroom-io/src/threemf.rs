//! 3MF, the 3D manufacturing format: a zip of XML parts.
//!
//! The root part lists objects, each a mesh or an assembly of other objects with transforms, and a
//! build: the items that are to be made. Every mesh that an item reaches becomes one mesh here,
//! placed in the world of the build, in its order. Objects in other parts (the production
//! extension: `p:path`) are followed.
//!
//! Source: 3MF Consortium, Core Specification 1.3 and Production Extension 1.1. We differ: a file
//! without a build gives all its objects; a transform that mirrors turns the triangles about, so
//! that outside stays outside; what other extensions add (colours, lattices, slices) is passed
//! over.
//!
//! Invariants: what is decompressed, nested and placed stays within [`limits`]; assemblies of
//! assemblies double at each level.

mod model;

use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::path::Path;

use elbowroom::Mesh;
use elbowroom_motion::body;
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Rig, Skeleton};
use glam::{DAffine3, DVec3};
use zip::ZipArchive;

use crate::bytes::Growth;
use crate::document::{Axis, Document, ReadOptions, Source, Units, Up};
use crate::error::{Fault, ParseError};
use crate::limits;
use crate::mesh_file::{Format, MeshFile, Part};
use crate::xml;
use model::{Model, Object, Shape};

/// The build of a 3MF file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Build {
    /// The meshes, placed, in the order of the build.
    pub pieces: Vec<BuildPiece>,
    /// The length of the file's unit, in metres; a millimetre by default.
    pub metres_per_unit: f64,
}

/// One placed mesh.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildPiece {
    /// The name of its object, or `object 7` where it has none.
    pub name: String,
    /// The triangles, in the coordinates of the build.
    pub mesh: Mesh,
}

/// Reads the bytes of a 3MF file as one mesh, with a part for each piece of the build.
///
/// # Errors
/// Names the part of the package and the line in it, and what is wrong.
pub fn parse(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    parse_with(bytes, &ReadOptions::default())
}

/// Reads as [`parse`] does, with limits of the caller's.
pub(crate) fn parse_with(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ParseError> {
    joined(read_with(bytes, options)?).map_err(Fault::in_bytes)
}

/// Reads the bytes of a 3MF file as the pieces that it builds.
///
/// # Errors
/// Names the part of the package and the line in it, and what is wrong.
pub fn read(bytes: &[u8]) -> Result<Build, ParseError> {
    read_with(bytes, &ReadOptions::default())
}

fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Build, ParseError> {
    Package::open(bytes, options).and_then(|mut package| package.build()).map_err(Fault::in_bytes)
}

/// Reads the bytes of a 3MF file as a document: one rig, with a joint and a part for each piece, so
/// that each is an object by itself.
///
/// # Errors
/// Names the part of the package and the line in it, and what is wrong.
pub fn document(
    bytes: &[u8],
    _folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<Document, ParseError> {
    let build = read_with(bytes, options)?;
    let root = Joint { name: "build".to_owned(), parent: None, rest: Local::IDENTITY };
    let of_piece = |piece: &BuildPiece| Joint {
        name: piece.name.clone(),
        parent: Some(JointId(0)),
        rest: Local::IDENTITY,
    };
    let joints = std::iter::once(root).chain(build.pieces.iter().map(of_piece)).collect();
    let skeleton =
        Skeleton::new(joints).map_err(|error| Fault::whole(error.to_string()).in_bytes())?;
    let mut rig = Rig::new("build", skeleton);
    let pieces = build.pieces.into_iter().zip(1..);
    rig.parts = pieces
        .map(|(piece, joint)| body::Part::new(piece.name, piece.mesh, Hold::Rigid(JointId(joint))))
        .collect();
    Ok(Document {
        rigs: vec![rig],
        units: Units { metres_per_unit: build.metres_per_unit, source: Source::File },
        // The specification: z is up from the plate.
        up: Up { axis: Axis::Z, source: Source::File },
        notes: Vec::new(),
    })
}

fn joined(build: Build) -> Result<MeshFile, Fault> {
    let (mut vertices, mut triangles, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for piece in build.pieces {
        let first = u32::try_from(vertices.len())
            .map_err(|_| Fault::whole("more vertices than 32 bits can number; split the file"))?;
        let faces = piece.mesh.triangles().len();
        parts.push(Part { name: piece.name, first_face: triangles.len(), faces });
        vertices.extend(piece.mesh.vertices());
        let shifted = piece.mesh.triangles().iter().map(|t| t.map(|i| i.saturating_add(first)));
        triangles.extend(shifted);
    }
    let faces = triangles.len();
    let mesh = Mesh::new(vertices, triangles).map_err(|e| Fault::whole(e.to_string()))?;
    Ok(MeshFile { parts, ..MeshFile::new(mesh, Format::ThreeMf, faces) })
}

/// The opened zip, and the parts that were read so far.
struct Package<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    models: HashMap<String, Model>,
    growth: Growth,
    xml_left: u64,
    placed_objects: usize,
    placed_triangles: usize,
}

impl<'a> Package<'a> {
    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self, Fault> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            Fault::whole(format!(
                "cannot be opened as a zip ({error}); it is truncated, damaged or not a 3MF file"
            ))
        })?;
        let growth = Growth::of(bytes.len() as u64, options);
        let xml_left = growth.most.min(limits::THREEMF_XML_BYTES);
        let models = HashMap::new();
        Ok(Self { zip, models, growth, xml_left, placed_objects: 0, placed_triangles: 0 })
    }

    /// Decompresses one part.
    fn decompress(&mut self, name: &str) -> Result<Vec<u8>, Fault> {
        let file = self.zip.by_name(name).map_err(|error| {
            Fault::whole(format!("the package has no readable part \"{name}\" ({error})"))
        })?;
        let mut bytes = Vec::new();
        // The size in the directory may lie; what comes out is what counts.
        let read = file.take(self.xml_left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| {
            Fault::whole(format!(
                "the part \"{name}\" cannot be decompressed ({error}); the file is damaged"
            ))
        })? as u64;
        if read > self.xml_left && self.growth.most < limits::THREEMF_XML_BYTES {
            return Err(Fault::whole(self.growth.exceeded()));
        }
        if read > self.xml_left {
            return Err(Fault::whole(format!(
                "decompresses to more than {} of XML; split the model, or save it as PLY",
                limits::size(limits::THREEMF_XML_BYTES)
            )));
        }
        self.xml_left -= read;
        Ok(bytes)
    }

    /// The part that the package says is its model.
    fn root(&mut self) -> Result<String, Fault> {
        const USUAL: &str = "3D/3dmodel.model";
        if self.zip.index_for_name("_rels/.rels").is_none() {
            return Ok(USUAL.to_owned());
        }
        let bytes = self.decompress("_rels/.rels")?;
        let in_part = |fault: Fault| model::in_part("_rels/.rels", &bytes, fault);
        let text = xml::text(&bytes).map_err(in_part)?;
        let document = xml::parse(text).map_err(in_part)?;
        let target = document.descendants().find_map(|node| {
            let kind = node.attribute("Type")?;
            kind.ends_with("/3dmodel").then(|| node.attribute("Target"))?
        });
        Ok(target.unwrap_or(USUAL).trim_start_matches('/').to_owned())
    }

    fn load(&mut self, part: &str) -> Result<&Model, Fault> {
        if !self.models.contains_key(part) {
            let bytes = self.decompress(part)?;
            let model = model::read(&bytes).map_err(|fault| model::in_part(part, &bytes, fault))?;
            self.models.insert(part.to_owned(), model);
        }
        Ok(&self.models[part])
    }

    fn build(&mut self) -> Result<Build, Fault> {
        let root = self.root()?;
        let model = self.load(&root)?;
        let metres_per_unit = model.metres_per_unit;
        let items = model.items.clone();
        let mut pieces = Vec::new();
        for item in items {
            let part = item.path.unwrap_or_else(|| root.clone());
            self.place(&part, item.object, item.transform, &mut pieces)?;
        }
        if pieces.is_empty() {
            return Err(Fault::whole(
                "the build places no triangles; export the model with meshes",
            ));
        }
        Ok(Build { pieces, metres_per_unit })
    }

    /// Places an object and what it is assembled of, in order, without recursion.
    fn place(
        &mut self,
        part: &str,
        object: u32,
        transform: DAffine3,
        pieces: &mut Vec<BuildPiece>,
    ) -> Result<(), Fault> {
        let mut todo = vec![(part.to_owned(), object, transform, 0_usize)];
        while let Some((part, id, build_from_object, depth)) = todo.pop() {
            // Over all items of the build, since each may place the same assembly.
            self.placed_objects += 1;
            if depth > limits::ASSEMBLY_NESTING {
                return Err(Fault::whole(format!(
                    "object {id} of \"{part}\" is assembled of itself, or assemblies nest deeper than {}",
                    limits::ASSEMBLY_NESTING
                )));
            }
            if self.placed_objects > limits::PLACED_OBJECTS {
                return Err(Fault::whole(format!(
                    "the build places more than {} objects, the last of them object {id} of \"{part}\"; split it",
                    limits::PLACED_OBJECTS
                )));
            }
            let already = self.placed_triangles;
            let model = self.load(&part)?;
            let object = model.objects.get(&id).ok_or_else(|| {
                Fault::whole(format!(
                    "\"{part}\" names object {id}, which is not among its resources"
                ))
            })?;
            match &object.shape {
                Shape::Assembly(components) => {
                    for component in components.iter().rev() {
                        let part = component.path.clone().unwrap_or_else(|| part.clone());
                        let transform = build_from_object * component.transform;
                        todo.push((part, component.object, transform, depth + 1));
                    }
                }
                Shape::Mesh { triangles, .. } => {
                    let placed = already + triangles.len();
                    if placed > limits::PLACED_TRIANGLES {
                        return Err(Fault::whole(format!(
                            "the build places more than {} triangles; split it",
                            limits::PLACED_TRIANGLES
                        )));
                    }
                    if !triangles.is_empty() {
                        pieces.push(placed_piece(object, id, build_from_object)?);
                    }
                    self.placed_triangles = placed;
                }
            }
        }
        Ok(())
    }
}

fn placed_piece(
    object: &Object,
    id: u32,
    build_from_object: DAffine3,
) -> Result<BuildPiece, Fault> {
    let Shape::Mesh { vertices, triangles } = &object.shape else {
        return Err(Fault::whole("an assembly is no mesh"));
    };
    let name = object.name.clone().unwrap_or_else(|| format!("object {id}"));
    // Where nothing moves, the file's own numbers stay.
    let still = build_from_object == DAffine3::IDENTITY;
    let place = |&v: &DVec3| if still { v } else { build_from_object.transform_point3(v) };
    let mirrored = build_from_object.matrix3.determinant() < 0.0;
    let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    let (vertices, triangles) =
        (vertices.iter().map(place).collect(), triangles.iter().map(turn).collect());
    let mesh = Mesh::new(vertices, triangles)
        .map_err(|error| Fault::whole(format!("object {id} ({name}): {error}")))?;
    Ok(BuildPiece { name, mesh })
}
