//! The shapes of bodies: solids and meshes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, JointId, Local, Part, Primitive};
use glam::{DQuat, DVec3};

use super::bodies::compose;
use super::built::{Shape, Skipped};
use super::height_field;
use super::masks::Mask;
use super::model::{MeshAsset, Model};
use super::orient;
use super::tree::{Element, Files, check_attributes};
use crate::bytes::read_bytes;
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::mesh_in::read_mesh_with;
use crate::robot::budget::Budget;
use crate::robot::{beside, solid};

pub(super) struct Shapes<'f> {
    files: &'f Files,
    options: &'f ReadOptions,
    budget: Budget,
    /// Meshes as they were read, by file.
    read: HashMap<PathBuf, Rc<Mesh>>,
}

impl<'f> Shapes<'f> {
    pub(super) fn new(files: &'f Files, options: &'f ReadOptions) -> Self {
        Self {
            files,
            options,
            budget: Budget::new(options.max_decoded_bytes),
            read: HashMap::new(),
        }
    }

    /// What a geom becomes, without its name; `None` where it is left out.
    pub(super) fn shape(
        &mut self,
        element: &Element,
        class: usize,
        model: &Model,
        body: usize,
        body_from_here: &Local,
        skipped: &mut Skipped,
    ) -> Result<Option<Shape>, Fault> {
        check_attributes(element, self.files)?;
        let lookup = |name: &str| model.defaults.value(element, class, name);
        let is_paired = element.attribute("name").is_some_and(|name| model.paired.contains(name));
        let Some(mask) = self.mask(&lookup, is_paired, skipped)? else { return Ok(None) };
        let kind = lookup("type").map_or("sphere", |(kind, _)| kind);
        if kind == "sdf" || (kind != "mesh" && lookup("mesh").is_some()) {
            skipped.unread += 1;
            return Ok(None);
        }
        let mut size = self.size(element, class, model)?;
        let mut pose = orient::pose(&lookup, &model.compiler, self.files)?;
        if let Some(ends) = orient::exactly::<6>(&lookup, "fromto", self.files)? {
            pose = self.stretched(element, kind, ends, &mut size)?;
        }
        let pose = compose(body_from_here, &pose);
        let bad_size = || {
            self.files.fault(
                element.place,
                format!(
                    "a {kind} of size {} {} {}; its measures must be above 0",
                    size.x, size.y, size.z
                ),
            )
        };
        let (mesh, primitive) = match kind {
            "mesh" => (self.mesh(element, &lookup, model, &pose)?, None),
            // The size is for drawing alone.
            "plane" => (
                solid::half_space(size.x, size.y, &pose).ok_or_else(bad_size)?,
                Some((pose, Primitive::HalfSpace)),
            ),
            "hfield" => {
                let Some(field) = self.height_field(element, &lookup, model)? else {
                    skipped.height_fields += 1;
                    return Ok(None);
                };
                skipped.height_field_surfaces += 1;
                let placed = solid::placed(&field.0, &field.1, &pose, DVec3::ONE);
                (placed.ok_or_else(bad_size)?, None)
            }
            _ => {
                let primitive = primitive(kind, size).ok_or_else(|| {
                    self.files.fault(element.place, format!("geom type {kind:?} is not known"))
                })?;
                (
                    solid::tessellate(&primitive, &pose).ok_or_else(bad_size)?,
                    Some((pose, primitive)),
                )
            }
        };
        self.budget
            .take(&mesh)
            .map_err(|problem| self.files.fault(element.place, format!("this shape {problem}")))?;
        let mut part = Part::new("", mesh, Hold::Rigid(JointId(body as u32)));
        part.primitive = primitive;
        let margin = orient::exactly::<1>(&lookup, "margin", self.files)?;
        skipped.margins += usize::from(margin.is_some_and(|[margin]| margin > 0.0));
        Ok(Some(Shape { body, part, mask }))
    }

    /// What its contact masks or a pair let it touch; `None` if that is nothing.
    fn mask(
        &self,
        lookup: orient::Lookup<'_, '_>,
        is_paired: bool,
        skipped: &mut Skipped,
    ) -> Result<Option<Mask>, Fault> {
        let bits = |name| {
            let Some((text, place)) = lookup(name) else { return Ok(1) };
            // Masks are written with a sign or without.
            let signed = || text.trim().parse::<i32>().ok().map(i32::cast_unsigned);
            text.trim().parse::<u32>().ok().or_else(signed).ok_or_else(|| {
                self.files.fault(place, format!("\"{name}\" is {text:?}, not 32 bits as a number"))
            })
        };
        let mask = Mask { own: bits("contype")?, meets: bits("conaffinity")? };
        match (mask == Mask::NONE, is_paired) {
            (false, _) => Ok(Some(mask)),
            (true, true) => {
                skipped.paired += 1;
                Ok(Some(Mask::ALL))
            }
            (true, false) => {
                skipped.untouchable += 1;
                Ok(None)
            }
        }
    }

    /// Up to three measures; each class and the element itself say the first few, and leave the
    /// others as they were.
    fn size(&self, element: &Element, class: usize, model: &Model) -> Result<DVec3, Fault> {
        let mut size = DVec3::ZERO;
        for (text, place) in model.defaults.all_values(element, class, "size") {
            let given = self.files.numbers(place, "size", text)?;
            if given.len() > 3 {
                return Err(self.files.fault(
                    place,
                    format!("\"size\" has {} numbers; it takes 3 at most", given.len()),
                ));
            }
            for (axis, value) in given.into_iter().enumerate() {
                size[axis] = value;
            }
        }
        Ok(size)
    }

    /// A shape between two points: its pose, and its length put into the size.
    fn stretched(
        &self,
        element: &Element,
        kind: &str,
        [ax, ay, az, bx, by, bz]: [f64; 6],
        size: &mut DVec3,
    ) -> Result<Local, Fault> {
        let (from, to) = (DVec3::new(ax, ay, az), DVec3::new(bx, by, bz));
        let along = from - to;
        let direction = along.try_normalize().ok_or_else(|| {
            self.files
                .fault(element.place, "\"fromto\" names the same point twice; a shape has a length")
        })?;
        let half = 0.5 * along.length();
        *size = match kind {
            "box" | "ellipsoid" => DVec3::new(size.x, size.x, half),
            _ => DVec3::new(size.x, half, 0.0),
        };
        Ok(Local::from_rotation_translation(orient::from_z(direction), 0.5 * (from + to)))
    }

    fn mesh(
        &mut self,
        element: &Element,
        lookup: orient::Lookup<'_, '_>,
        model: &Model,
        pose: &Local,
    ) -> Result<Mesh, Fault> {
        let name = lookup("mesh").map_or("", |(name, _)| name);
        let asset = model.meshes.get(name).ok_or_else(|| {
            self.files.fault(element.place, format!("the mesh {name:?} is not among the assets"))
        })?;
        let mesh = self.load(name, asset, model)?;
        // The reference frame is taken off before the mesh is scaled.
        let still = asset.ref_position == DVec3::ZERO && asset.ref_turn == DQuat::IDENTITY;
        let turn_back = asset.ref_turn.conjugate();
        let from_reference = |&v: &DVec3| turn_back * (v - asset.ref_position);
        let vertices = if still {
            Cow::Borrowed(mesh.vertices())
        } else {
            mesh.vertices().iter().map(from_reference).collect()
        };
        solid::placed(&vertices, mesh.triangles(), pose, asset.scale).ok_or_else(|| {
            self.files.fault(
                element.place,
                format!("the mesh {name:?} leaves the numbers when it is placed"),
            )
        })
    }

    /// The vertices and triangles of a height field; `None` if it is an image, which is not read.
    fn height_field(
        &self,
        element: &Element,
        lookup: orient::Lookup<'_, '_>,
        model: &Model,
    ) -> Result<Option<height_field::Surface>, Fault> {
        let name = lookup("hfield").map_or("", |(name, _)| name);
        let asset = model.height_fields.get(name).ok_or_else(|| {
            self.files
                .fault(element.place, format!("the height field {name:?} is not among the assets"))
        })?;
        let bytes = match &asset.file {
            Some(file) if file.to_lowercase().ends_with(".png") => return Ok(None),
            Some(file) => {
                let path = beside::find(model.folder.as_deref(), file, self.options.allow_outside)
                    .map_err(|problem| {
                        self.files
                            .fault(asset.place, format!("the height field {name:?} {problem}"))
                    })?;
                let bytes = read_bytes(&path, self.options).map_err(|error| {
                    self.files.fault(
                        asset.place,
                        format!("the height field {name:?} cannot be read: {error}"),
                    )
                })?;
                Some(bytes)
            }
            None => None,
        };
        asset.surface(bytes.as_deref(), self.options.max_decoded_bytes).map(Some).map_err(
            |problem| self.files.fault(asset.place, format!("the height field {name:?} {problem}")),
        )
    }

    fn load(&mut self, name: &str, asset: &MeshAsset, model: &Model) -> Result<Rc<Mesh>, Fault> {
        let Some(file) = &asset.file else {
            let message = format!(
                "the mesh {name:?} is written into the model, which is not read; save it as a file"
            );
            return Err(self.files.fault(asset.place, message));
        };
        let path = beside::find(model.folder.as_deref(), file, self.options.allow_outside)
            .map_err(|problem| {
                self.files.fault(asset.place, format!("the mesh {name:?} {problem}"))
            })?;
        if let Some(mesh) = self.read.get(&path) {
            return Ok(Rc::clone(mesh));
        }
        let file = read_mesh_with(&path, self.options).map_err(|error| {
            self.files.fault(asset.place, format!("the mesh {name:?} cannot be read: {error}"))
        })?;
        let mesh = Rc::new(file.mesh);
        self.read.insert(path, Rc::clone(&mesh));
        Ok(mesh)
    }
}

fn primitive(kind: &str, size: DVec3) -> Option<Primitive> {
    Some(match kind {
        "sphere" => Primitive::Sphere { radius: size.x },
        "capsule" => Primitive::Capsule { radius: size.x, half_length: size.y },
        "cylinder" => Primitive::Cylinder { radius: size.x, half_length: size.y },
        "box" => Primitive::Cuboid { half: size },
        "ellipsoid" => Primitive::Ellipsoid { half: size },
        _ => return None,
    })
}
