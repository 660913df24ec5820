//! Walks the world: bodies, frames, copies and attached models, in the order in which `MuJoCo`
//! numbers them.

mod caps;
mod contact;
mod copies;
mod joint;

use std::collections::HashMap;

use elbowroom_motion::body::Local;
use glam::{DAffine3, DQuat};

use super::built::{Body, Built};
use super::model::{Model, check_known};
use super::orient;
use super::shapes::Shapes;
use super::tree::{Element, Files, check_attributes};
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::limits::XML_NESTING;

/// What may stand in a body and says nothing about what touches.
const OTHER: [&str; 6] = ["inertial", "site", "camera", "light", "plugin", "user"];

/// Where the walk is.
#[derive(Clone)]
struct At<'m> {
    model: &'m Model,
    body: usize,
    /// Of the body, around which frames and copies have moved things.
    body_from_here: Local,
    class: Option<usize>,
    prefix: String,
    suffix: String,
    depth: usize,
}

pub(super) struct Builder<'f> {
    files: &'f Files,
    built: Built,
    shapes: Shapes<'f>,
    names: HashMap<String, usize>,
    copies: usize,
    searched: usize,
    name_bytes: usize,
}

impl<'f> Builder<'f> {
    pub(super) fn new(files: &'f Files, options: &'f ReadOptions) -> Self {
        let shapes = Shapes::new(files, options);
        Self {
            files,
            built: Built::default(),
            shapes,
            names: HashMap::new(),
            copies: 0,
            searched: 0,
            name_bytes: 0,
        }
    }

    pub(super) fn finish(self) -> Built {
        self.built
    }

    /// Walks a whole model.
    pub(super) fn world(&mut self, model: &Model) -> Result<(), Fault> {
        let world = Body { name: "world".to_owned(), parent: None, rest: Local::IDENTITY };
        self.built.bodies.push(world);
        self.names.insert("world".to_owned(), 0);
        let at = At {
            model,
            body: 0,
            body_from_here: Local::IDENTITY,
            class: None,
            prefix: String::new(),
            suffix: String::new(),
            depth: 0,
        };
        for world in model.root.children("worldbody") {
            self.walk(world, &at)?;
        }
        self.excludes(&model.root)?;
        let flexes = model.root.children("deformable").map(|all| all.children("flex").count());
        self.built.skipped.unread += flexes.sum::<usize>();
        self.pairs(&model.root, "", "")
    }

    fn walk(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        if at.depth > XML_NESTING {
            return Err(self.files.fault(
                element.place,
                format!("bodies, copies and models nest deeper than {XML_NESTING}"),
            ));
        }
        self.search(element.children.len(), element)?;
        self.count_name_bytes(at.prefix.len() + at.suffix.len(), element)?;
        for child in &element.children {
            match child.tag.as_str() {
                "body" => self.body(child, at)?,
                "frame" => self.frame(child, at)?,
                "replicate" => self.replicate(child, at)?,
                "attach" => self.attach(child, at)?,
                "joint" | "freejoint" => self.joint(child, at)?,
                "geom" => self.geom(child, at)?,
                "composite" | "flexcomp" => self.built.skipped.unread += 1,
                _ => {
                    check_known(&element.tag, child, &OTHER, self.files)?;
                    check_attributes(child, self.files)?;
                }
            }
        }
        Ok(())
    }

    fn body(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        let body = self.built.bodies.len();
        self.check_count(element)?;
        check_attributes(element, self.files)?;
        let name = match element.attribute("name") {
            Some(name) => self.full_name(name, element, at)?,
            None => format!("body {body}"),
        };
        let parent_from_body = compose(&at.body_from_here, &self.pose(element, at.model)?);
        if !parent_from_body.is_finite() {
            return Err(self.files.fault(element.place, "this body stands beyond the numbers"));
        }
        self.names.insert(name.clone(), body);
        self.built.bodies.push(Body { name, parent: Some(at.body), rest: parent_from_body });
        let class = self.child_class(element, at)?;
        let inside =
            At { body, body_from_here: Local::IDENTITY, class, depth: at.depth + 1, ..at.clone() };
        self.walk(element, &inside)
    }

    fn frame(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        check_attributes(element, self.files)?;
        let body_from_here = compose(&at.body_from_here, &self.pose(element, at.model)?);
        let class = self.child_class(element, at)?;
        self.walk(element, &At { body_from_here, class, depth: at.depth + 1, ..at.clone() })
    }

    fn geom(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        self.check_count(element)?;
        let class = at.model.defaults.class_of(element, at.class, self.files)?;
        let number = self.built.shapes.len();
        let shape = self.shapes.shape(
            element,
            class,
            at.model,
            at.body,
            &at.body_from_here,
            &mut self.built.skipped,
        )?;
        let Some(mut shape) = shape else { return Ok(()) };
        shape.part.name = match element.attribute("name") {
            Some(name) => self.full_name(name, element, at)?,
            None => format!("{} geom {number}", self.built.bodies[at.body].name),
        };
        self.built.shapes.push(shape);
        Ok(())
    }

    fn pose(&self, element: &Element, model: &Model) -> Result<Local, Fault> {
        let lookup = |name: &str| element.attribute(name).map(|value| (value, element.place));
        orient::pose(&lookup, &model.compiler, self.files)
    }

    fn child_class(&self, element: &Element, at: &At<'_>) -> Result<Option<usize>, Fault> {
        match element.attribute("childclass") {
            Some(name) => at.model.defaults.named(name, element, self.files).map(Some),
            None => Ok(at.class),
        }
    }
}

/// One pose after another, both without scale.
pub(super) fn compose(outer: &Local, inner: &Local) -> Local {
    if *outer == Local::IDENTITY {
        return *inner;
    }
    let rotation: DQuat = outer.rotation * inner.rotation;
    let placed: DAffine3 = outer.affine();
    Local::from_rotation_translation(
        rotation.normalize(),
        placed.transform_point3(inner.translation),
    )
}
