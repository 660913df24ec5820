//! Copies of what a file describes once: `<replicate>`, and models that are attached.

use elbowroom_motion::body::Local;
use glam::DVec3;

use super::{At, Builder, compose};
use crate::error::Fault;
use crate::limits::ROBOT_THINGS;
use crate::mjcf::orient;
use crate::mjcf::tree::{Element, check_attributes};

impl Builder<'_> {
    pub(super) fn replicate(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        check_attributes(element, self.files)?;
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

    pub(super) fn attach(&mut self, element: &Element, at: &At<'_>) -> Result<(), Fault> {
        check_attributes(element, self.files)?;
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
        match (element.attribute("body"), element.attribute("frame")) {
            (Some(_), Some(_)) => {
                let message = "<attach> names a body and a frame; it takes one of them";
                return Err(self.files.fault(element.place, message));
            }
            (Some(name), None) => {
                let body = find_body(&model.root, name, &mut self.searched);
                let body = body.ok_or_else(|| self.has_not(element, "body", name, "has not"))?;
                self.search(0, element)?;
                self.body(body, &inside)?;
            }
            (None, Some(name)) => {
                let mut frames = model.root.children("worldbody").flat_map(|w| w.children("frame"));
                let frame = frames.find(|frame| frame.attribute("name") == Some(name));
                let frame = frame
                    .ok_or_else(|| self.has_not(element, "frame", name, "has not in its world"))?;
                self.frame(frame, &inside)?;
            }
            (None, None) => {
                for world in model.root.children("worldbody") {
                    self.walk(world, &inside)?;
                }
            }
        }
        self.built.skipped.attached_keys += model.root.children("keyframe").count();
        self.attached_excludes(&model.root, &inside.prefix, &inside.suffix);
        self.pairs(&model.root, &inside.prefix, &inside.suffix)
    }

    /// What an `<attach>` names and its model does not hold.
    fn has_not(&self, attach: &Element, what: &str, name: &str, has_not: &str) -> Fault {
        let wanted = attach.attribute("model").unwrap_or_default();
        let message =
            format!("<attach> names the {what} {name:?}, which the model {wanted:?} {has_not}");
        self.files.fault(attach.place, message)
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
