//! Classes of defaults: what an element means where it says nothing itself.

use std::collections::HashMap;

use super::tree::{Element, Files, Place, check_attributes};
use crate::error::Fault;
use crate::limits::DEFAULT_NESTING;

/// One class: what it says about each kind of element, and the class that it refines.
struct Class {
    parent: Option<usize>,
    /// By tag, then by name of the attribute.
    values: HashMap<String, HashMap<String, (String, Place)>>,
}

/// All classes of a model; the first is the one that holds everywhere.
pub(super) struct Defaults {
    classes: Vec<Class>,
    by_name: HashMap<String, usize>,
}

/// An attribute's text and where it stands.
pub(super) type Value<'a> = (&'a str, Place);

impl Defaults {
    pub(super) fn read(root: &Element, files: &Files) -> Result<Self, Fault> {
        let main = Class { parent: None, values: HashMap::new() };
        let by_name = HashMap::from([("main".to_owned(), 0)]);
        let mut defaults = Self { classes: vec![main], by_name };
        for top in root.children("default") {
            defaults.class(top, None, 1, files)?;
        }
        Ok(defaults)
    }

    fn class(
        &mut self,
        element: &Element,
        parent: Option<usize>,
        depth: usize,
        files: &Files,
    ) -> Result<(), Fault> {
        if depth > DEFAULT_NESTING {
            let message = format!("default classes nest deeper than {DEFAULT_NESTING}");
            return Err(files.fault(element.place, message));
        }
        let name = element.attribute("class");
        let index = match (parent, name) {
            // The top class may be named anything, and written in several pieces.
            (None, name) => {
                if let Some(name) = name {
                    self.by_name.insert(name.to_owned(), 0);
                }
                0
            }
            (Some(_), None) => {
                return Err(files.fault(
                    element.place,
                    "<default> within another needs the attribute \"class\"",
                ));
            }
            (Some(parent), Some(name)) => {
                let fresh = self.classes.len();
                if self.by_name.insert(name.to_owned(), fresh).is_some() {
                    return Err(
                        files.fault(element.place, format!("a second default class {name:?}"))
                    );
                }
                self.classes.push(Class { parent: Some(parent), values: HashMap::new() });
                fresh
            }
        };
        for child in &element.children {
            if child.tag == "default" {
                self.class(child, Some(index), depth + 1, files)?;
                continue;
            }
            check_attributes(child, files)?;
            let values = self.classes[index].values.entry(child.tag.clone()).or_default();
            for (name, value) in child.attributes() {
                values.insert(name.to_owned(), (value.to_owned(), child.place));
            }
        }
        Ok(())
    }

    /// The class that an element is of: its own, or that of the bodies around it.
    pub(super) fn class_of(
        &self,
        element: &Element,
        around: Option<usize>,
        files: &Files,
    ) -> Result<usize, Fault> {
        match element.attribute("class") {
            Some(name) => self.named(name, element, files),
            None => Ok(around.unwrap_or(0)),
        }
    }

    pub(super) fn named(
        &self,
        name: &str,
        element: &Element,
        files: &Files,
    ) -> Result<usize, Fault> {
        self.by_name.get(name).copied().ok_or_else(|| {
            files.fault(element.place, format!("the default class {name:?} does not exist"))
        })
    }

    /// What an element of a class says, or its class says for it.
    pub(super) fn value<'a>(
        &'a self,
        element: &'a Element,
        class: usize,
        name: &str,
    ) -> Option<Value<'a>> {
        if let Some(value) = element.attribute(name) {
            return Some((value, element.place));
        }
        self.lineage(class).find_map(|class| class.get(&element.tag, name))
    }

    /// What the element and all its classes say, from the first class to the element itself.
    pub(super) fn all_values<'a>(
        &'a self,
        element: &'a Element,
        class: usize,
        name: &str,
    ) -> Vec<Value<'a>> {
        let mut found: Vec<Value<'a>> =
            self.lineage(class).filter_map(|class| class.get(&element.tag, name)).collect();
        found.reverse();
        found.extend(element.attribute(name).map(|value| (value, element.place)));
        found
    }

    fn lineage(&self, class: usize) -> impl Iterator<Item = &Class> {
        let mut next = Some(class);
        std::iter::from_fn(move || {
            let class = &self.classes[next?];
            next = class.parent;
            Some(class)
        })
    }
}

impl Class {
    fn get(&self, tag: &str, name: &str) -> Option<Value<'_>> {
        let (value, place) = self.values.get(tag)?.get(name)?;
        Some((value, *place))
    }
}
