//! Walks the world: bodies, frames, copies and attached models, in the order in which `MuJoCo`
//! numbers them.

use std::collections::HashMap;

use elbowroom_motion::body::{FreedomKind, Local, Part};
use glam::{DAffine3, DQuat, DVec3};

use super::model::{Model, check_known};
use super::orient;
use super::shapes::Shapes;
use super::tree::{Element, Files, check_attributes};
use crate::document::ReadOptions;
use crate::error::Fault;
use crate::limits::{self, MJCF_NAME_BYTES, MJCF_SEARCHED, ROBOT_THINGS, XML_NESTING};
use crate::text::counted;

/// What may stand in a body and says nothing about what touches.
const OTHER: [&str; 6] = ["inertial", "site", "camera", "light", "plugin", "user"];

/// A body, placed in its parent.
pub(super) struct Body {
    pub(super) name: String,
    /// `None` for the world alone, which is the first body.
    pub(super) parent: Option<usize>,
    pub(super) rest: Local,
}

/// A joint variable of a body.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) body: usize,
    pub(super) kind: FreedomKind,
    pub(super) axis: DVec3,
    pub(super) anchor: DVec3,
    pub(super) range: Option<(f64, f64)>,
    /// The value at which the body stands as the file places it.
    pub(super) reference: f64,
}

/// What was found, and what was passed over.
#[derive(Default)]
pub(super) struct Built {
    pub(super) bodies: Vec<Body>,
    pub(super) variables: Vec<Variable>,
    /// Parts with the body that holds them.
    pub(super) parts: Vec<(usize, Part)>,
    /// Pairs of bodies that may touch.
    pub(super) excluded: Vec<(usize, usize)>,
    /// Bodies of which shapes are to touch by a `<pair>`, whatever else is said.
    pub(super) paired: Vec<(usize, usize)>,
    pub(super) skipped: Skipped,
}

/// Counts of what was left out or stood in for.
#[derive(Default)]
pub(super) struct Skipped {
    pub(super) untouchable: usize,
    pub(super) unread: usize,
    pub(super) height_fields: usize,
    pub(super) masked: usize,
    pub(super) paired: usize,
    pub(super) attached_keys: usize,
}

impl Built {
    /// A sentence for everything that was left out.
    pub(super) fn notes(&self) -> Vec<String> {
        let skipped = &self.skipped;
        let rows = [
            (
                skipped.untouchable,
                "cannot touch anything (contype and conaffinity 0) and are left out",
            ),
            (
                skipped.unread,
                "are flexes, composites, signed distance fields or fits to a mesh and are left out of the check",
            ),
            (
                skipped.height_fields,
                "are height fields of PNG images, which are not read, and are left out of the check",
            ),
            (skipped.masked, "have contact masks other than all or none, which are not kept"),
            (
                skipped.paired,
                "touch nothing but the other of a <pair>, and are compared with everything",
            ),
        ];
        let mut notes: Vec<String> = rows
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", counted(count, "shape", "shapes")))
            .collect();
        if skipped.attached_keys > 0 {
            notes.push("the keyframes of attached models are left out".to_owned());
        }
        notes
    }
}

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
        for exclude in
            model.root.children("contact").flat_map(|contact| contact.children("exclude"))
        {
            let mut bodies = [0; 2];
            for (body, attribute) in bodies.iter_mut().zip(["body1", "body2"]) {
                let name = exclude.attribute(attribute).unwrap_or_default();
                *body = *self.names.get(name).ok_or_else(|| {
                    self.files.fault(
                        exclude.place,
                        format!("<exclude> names the body {name:?}, which does not exist"),
                    )
                })?;
            }
            self.built.excluded.push((bodies[0], bodies[1]));
        }
        let flexes = model.root.children("deformable").map(|all| all.children("flex").count());
        self.built.skipped.unread += flexes.sum::<usize>();
        self.pairs(&model.root, "", "");
        Ok(())
    }

    /// The bodies of shapes that are to touch. A pair of shapes that are not there is passed over:
    /// nothing can touch.
    fn pairs(&mut self, root: &Element, prefix: &str, suffix: &str) {
        let parts = self.built.parts.iter();
        let body_of: HashMap<&str, usize> =
            parts.map(|(body, part)| (part.name.as_str(), *body)).collect();
        let pairs = root.children("contact").flat_map(|contact| contact.children("pair"));
        let bodies = pairs.filter_map(|pair| {
            let [a, b] = ["geom1", "geom2"].map(|geom| {
                let name = format!("{prefix}{}{suffix}", pair.attribute(geom)?);
                body_of.get(name.as_str()).copied()
            });
            Some((a?, b?))
        });
        self.built.paired.extend(bodies);
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
                _ => check_known(&element.tag, child, &OTHER, self.files)?,
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
        let body_from_here = compose(&at.body_from_here, &self.pose(element, at.model)?);
        let class = self.child_class(element, at)?;
        self.walk(element, &At { body_from_here, class, depth: at.depth + 1, ..at.clone() })
    }

    fn replicate(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        let text = element.attribute("count").unwrap_or_default();
        let count: usize = text
            .trim()
            .parse()
            .ok()
            .filter(|count| (1..=ROBOT_THINGS).contains(count))
            .ok_or_else(|| {
                self.files.fault(
                    element.place,
                    format!(
                        "<replicate> {text:?} times; the count should be from 1 to {ROBOT_THINGS}"
                    ),
                )
            })?;
        let lookup = |name: &str| element.attribute(name).map(|value| (value, element.place));
        let offset = orient::vector(&lookup, "offset", self.files)?.unwrap_or(DVec3::ZERO);
        let angles = orient::exactly::<3>(&lookup, "euler", self.files)?.unwrap_or_default();
        let separator = element.attribute("sep").unwrap_or_default();
        let digits = count.to_string().len();
        let mut translation = DVec3::ZERO;
        for copy in 0..count {
            self.copies += 1;
            self.check_count(element)?;
            // Each angle grows by itself, which about several axes is not the same as one step
            // after the other.
            let turn = orient::euler(angles.map(|angle| copy as f64 * angle), &at.model.compiler);
            let placed = Local::from_rotation_translation(turn, translation);
            let body_from_here = compose(&at.body_from_here, &placed);
            translation += turn * offset;
            let suffix = format!("{separator}{copy:0digits$}{}", at.suffix);
            let inside = At { body_from_here, suffix, depth: at.depth + 1, ..at.clone() };
            self.walk(element, &inside)?;
        }
        Ok(())
    }

    fn attach(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        let wanted = element.attribute("model").unwrap_or_default();
        let model = at.model.models.get(wanted).ok_or_else(|| {
            self.files.fault(
                element.place,
                format!("<attach> names the model {wanted:?}, which is not among the assets"),
            )
        })?;
        let inside = At {
            model,
            class: None,
            prefix: format!("{}{}", at.prefix, element.attribute("prefix").unwrap_or_default()),
            depth: at.depth + 1,
            ..at.clone()
        };
        let excludes = model.root.children("contact").map(|contact| contact.children.len());
        self.search(model.root.children.len() + excludes.sum::<usize>(), element)?;
        match element.attribute("body") {
            Some(name) => {
                let body = find_body(&model.root, name, &mut self.searched);
                let body = body.ok_or_else(|| {
                    self.files.fault(
                        element.place,
                        format!(
                            "<attach> names the body {name:?}, which the model {wanted:?} has not"
                        ),
                    )
                })?;
                self.search(0, element)?;
                self.body(body, &inside)?;
            }
            None => {
                for world in model.root.children("worldbody") {
                    self.walk(world, &inside)?;
                }
            }
        }
        self.built.skipped.attached_keys += model.root.children("keyframe").count();
        for exclude in
            model.root.children("contact").flat_map(|contact| contact.children("exclude"))
        {
            let bodies = ["body1", "body2"].map(|attribute| {
                let name = exclude.attribute(attribute).unwrap_or_default();
                self.names.get(&format!("{}{name}{}", inside.prefix, inside.suffix)).copied()
            });
            // A pair that is not in the attached part excludes nothing here.
            if let [Some(a), Some(b)] = bodies {
                self.built.excluded.push((a, b));
            }
        }
        self.pairs(&model.root, &inside.prefix, &inside.suffix);
        Ok(())
    }

    fn joint(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        if at.body == 0 {
            return Err(self.files.fault(
                element.place,
                "a joint of the world, which does not move; put it into a body",
            ));
        }
        let Model { compiler, defaults, .. } = at.model;
        let class = defaults.class_of(element, at.class, self.files)?;
        let free = element.tag == "freejoint";
        let lookup = |name: &str| {
            if free { None } else { defaults.value(element, class, name) }
        };
        let kind =
            match lookup("type").map_or(if free { "free" } else { "hinge" }, |(kind, _)| kind) {
                "hinge" => FreedomKind::Hinge,
                "slide" => FreedomKind::Slide,
                "ball" => FreedomKind::Ball,
                "free" => FreedomKind::Free,
                other => {
                    return Err(self.files.fault(
                        element.place,
                        format!("joint type {other:?} is none of hinge, slide, ball and free"),
                    ));
                }
            };
        if kind == FreedomKind::Free && self.built.bodies[at.body].parent != Some(0) {
            return Err(self.files.fault(
                element.place,
                "a free joint below another body; only bodies of the world float freely",
            ));
        }
        let axis = orient::vector(&lookup, "axis", self.files)?.unwrap_or(DVec3::Z);
        let axis = axis.try_normalize().ok_or_else(|| {
            self.files.fault(element.place, "the axis of this joint has no direction")
        })?;
        let anchor = orient::vector(&lookup, "pos", self.files)?.unwrap_or(DVec3::ZERO);
        let angle =
            |value: f64| if kind == FreedomKind::Slide { value } else { compiler.radians(value) };
        let reference =
            orient::exactly::<1>(&lookup, "ref", self.files)?.map_or(0.0, |[value]| angle(value));
        let limited = match lookup("limited").map(|(value, _)| value) {
            Some("true") => true,
            Some("false") => false,
            _ => compiler.auto_limits,
        };
        let range = orient::exactly::<2>(&lookup, "range", self.files)?
            .filter(|_| limited && kind != FreedomKind::Free)
            .map(|[low, high]| (angle(low) - reference, angle(high) - reference));
        if range.is_some_and(|(low, high)| low > high) {
            return Err(self
                .files
                .fault(element.place, "the range of this joint ends before it begins"));
        }
        let name = match element.attribute("name") {
            Some(name) => self.full_name(name, element, at)?,
            None => format!("joint {}", self.built.variables.len()),
        };
        let here = at.body_from_here.affine();
        self.built.variables.push(Variable {
            name,
            body: at.body,
            kind,
            axis: here.transform_vector3(axis),
            anchor: here.transform_point3(anchor),
            range,
            reference,
        });
        Ok(())
    }

    fn geom(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        self.check_count(element)?;
        let class = at.model.defaults.class_of(element, at.class, self.files)?;
        let number = self.built.parts.len();
        let part = self.shapes.part(
            element,
            class,
            at.model,
            at.body,
            &at.body_from_here,
            &mut self.built.skipped,
        )?;
        let Some(mut part) = part else { return Ok(()) };
        part.name = match element.attribute("name") {
            Some(name) => self.full_name(name, element, at)?,
            None => format!("{} geom {number}", self.built.bodies[at.body].name),
        };
        self.built.parts.push((at.body, part));
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

    fn check_count(&self, element: &Element) -> Result<(), Fault> {
        let built = &self.built;
        let things = built.bodies.len() + built.parts.len() + built.variables.len() + self.copies;
        if things <= ROBOT_THINGS {
            return Ok(());
        }
        let message =
            format!("more than {ROBOT_THINGS} bodies, joints, shapes and copies; split the model");
        Err(self.files.fault(element.place, message))
    }

    /// A name within prefixes and suffixes. Long ones on many copies would outgrow any memory.
    fn full_name(&mut self, name: &str, element: &Element, at: &At<'_>) -> Result<String, Fault> {
        self.count_name_bytes(at.prefix.len() + name.len() + at.suffix.len(), element)?;
        Ok(format!("{}{name}{}", at.prefix, at.suffix))
    }

    fn count_name_bytes(&mut self, bytes: usize, element: &Element) -> Result<(), Fault> {
        self.name_bytes += bytes;
        if self.name_bytes <= MJCF_NAME_BYTES {
            return Ok(());
        }
        let most = limits::size(MJCF_NAME_BYTES as u64);
        let message = format!("the names of the model take more than {most}; shorten them");
        Err(self.files.fault(element.place, message))
    }

    /// Counts visited elements: copies and attached models can make them far more than the file
    /// has.
    fn search(&mut self, elements: usize, element: &Element) -> Result<(), Fault> {
        self.searched += elements;
        if self.searched <= MJCF_SEARCHED {
            return Ok(());
        }
        let message = "too much is copied or attached too often; split the model";
        Err(self.files.fault(element.place, message))
    }
}

/// The first body of that name in the world of a model, within frames and other bodies too.
fn find_body<'m>(root: &'m Element, name: &str, searched: &mut usize) -> Option<&'m Element> {
    let mut todo: Vec<&Element> = root.children("worldbody").collect();
    while let Some(element) = todo.pop() {
        *searched += 1;
        if element.tag == "body" && element.attribute("name") == Some(name) {
            return Some(element);
        }
        todo.extend(element.children.iter().rev());
    }
    None
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
