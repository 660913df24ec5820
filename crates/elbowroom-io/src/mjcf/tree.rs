//! The elements of a model, with what it includes in place.

use std::path::Path;

use roxmltree::Node;

use crate::document::ReadOptions;
use crate::error::{Fault, line_at};
use crate::read::read_bytes;
use crate::robot::beside;
use crate::text::{parse_f64, quote};
use crate::xml;

/// How deep elements may nest: far beyond any robot, and far from the end of the stack.
pub(super) const MAX_NESTING: usize = 200;

/// How many elements all files of a model may have together.
const MAX_ELEMENTS: usize = 2_000_000;

/// How large each of its XML files may be: 64 MiB.
const MAX_FILE_BYTES: usize = 64 << 20;

/// An element, and where it stands.
pub(super) struct Element {
    pub(super) tag: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) place: Place,
}

/// A byte of one of the files.
#[derive(Clone, Copy)]
pub(super) struct Place {
    file: usize,
    offset: usize,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn children<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.tag == tag)
    }
}

/// The files that a model was read from; the first is the model itself.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<(String, String)>,
    elements: usize,
}

impl Files {
    /// A fault at an element: by its place in the model, or by name and line in another file.
    pub(super) fn fault(&self, place: Place, message: impl AsRef<str>) -> Fault {
        let message = message.as_ref();
        match self.files.get(place.file) {
            Some((name, text)) if place.file > 0 => {
                let line = line_at(text.as_bytes(), place.offset);
                Fault::whole(format!("{name}:{line}: {message}"))
            }
            _ => Fault::at(place.offset, message),
        }
    }

    /// Numbers that were written in an attribute of an element.
    pub(super) fn numbers(&self, place: Place, name: &str, text: &str) -> Result<Vec<f64>, Fault> {
        let number = |word: &str| {
            parse_f64(word.as_bytes()).filter(|value| value.is_finite()).ok_or_else(|| {
                let word = quote(word.as_bytes());
                self.fault(place, format!("{word} in \"{name}\" is not a finite number"))
            })
        };
        text.split_ascii_whitespace().map(number).collect()
    }

    /// The root of a model, from its bytes.
    pub(super) fn load(
        &mut self,
        name: &str,
        bytes: &[u8],
        folder: Option<&Path>,
        options: &ReadOptions,
    ) -> Result<Element, Fault> {
        let mut included = Vec::new();
        let (root, _) =
            self.load_one(name, bytes, &mut Include { folder, options, included: &mut included })?;
        Ok(root)
    }

    fn load_one(
        &mut self,
        name: &str,
        bytes: &[u8],
        include: &mut Include<'_>,
    ) -> Result<(Element, usize), Fault> {
        let file = self.files.len();
        let shown = |fault: Fault| {
            if file == 0 {
                return fault;
            }
            let error = fault.in_text(bytes);
            let line = error.line().map_or_else(String::new, |line| format!(":{line}"));
            Fault::whole(format!("{name}{line}: {}", error.message()))
        };
        if bytes.len() > MAX_FILE_BYTES {
            let limit = MAX_FILE_BYTES >> 20;
            return Err(shown(Fault::whole(format!(
                "is larger than {limit} MiB, which no model is"
            ))));
        }
        let text = xml::text(bytes).map_err(&shown)?.to_owned();
        let document = xml::parse(&text).map_err(&shown)?;
        self.files.push((name.to_owned(), text.clone()));
        let root = self.element(document.root_element(), file, 0, include)?;
        Ok((root, file))
    }

    fn element(
        &mut self,
        node: Node<'_, '_>,
        file: usize,
        depth: usize,
        include: &mut Include<'_>,
    ) -> Result<Element, Fault> {
        let place = Place { file, offset: xml::place(node) };
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(
                self.fault(place, format!("more than {MAX_ELEMENTS} elements; split the model"))
            );
        }
        if depth > MAX_NESTING {
            return Err(self.fault(place, format!("elements nest deeper than {MAX_NESTING}")));
        }
        let attributes = node
            .attributes()
            .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
            .collect();
        let mut element = Element {
            tag: node.tag_name().name().to_owned(),
            attributes,
            children: Vec::new(),
            place,
        };
        for child in node.children().filter(Node::is_element) {
            if child.tag_name().name() == "include" {
                let place = Place { file, offset: xml::place(child) };
                let root = self.include(child, place, include)?;
                element.children.extend(root.children);
            } else {
                element.children.push(self.element(child, file, depth + 1, include)?);
            }
        }
        Ok(element)
    }

    fn include(
        &mut self,
        node: Node<'_, '_>,
        place: Place,
        include: &mut Include<'_>,
    ) -> Result<Element, Fault> {
        let name = node
            .attribute("file")
            .ok_or_else(|| self.fault(place, "<include> without the attribute \"file\""))?;
        let path = beside::find(include.folder, name, include.options.allow_outside)
            .map_err(|problem| self.fault(place, format!("<include> {problem}")))?;
        if include.included.contains(&path) {
            return Err(self.fault(
                place,
                format!(
                    "{name:?} is included twice, or includes itself; each file may be included once"
                ),
            ));
        }
        let bytes = read_bytes(&path).map_err(|error| {
            self.fault(place, format!("<include> names a file that cannot be read: {error}"))
        })?;
        include.included.push(path);
        let (root, _) = self.load_one(name, &bytes, include)?;
        Ok(root)
    }
}

/// Where includes are looked for, and which were read.
struct Include<'a> {
    folder: Option<&'a Path>,
    options: &'a ReadOptions,
    included: &'a mut Vec<std::path::PathBuf>,
}
