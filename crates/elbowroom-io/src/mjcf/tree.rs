//! The elements of a model, with what it includes in place.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use roxmltree::Node;

use crate::bytes::read_bytes;
use crate::document::ReadOptions;
use crate::error::{Fault, line_at};
use crate::limits::{
    self, INCLUDE_NESTING, INCLUDED_FILES, MJCF_ELEMENTS, ROBOT_XML_BYTES, XML_NESTING,
};
use crate::robot::beside;
use crate::text::{parse_f64, quote};
use crate::xml;

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

/// The attributes that say where something is.
const POSE: [&str; 6] = ["pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// The attributes of what says where things are, how large they are and what may touch, as the
/// reference has them; those of [`POSE`] stand in all but the last six.
const ATTRIBUTES: [(&str, &[&str]); 11] = [
    (
        "geom",
        &[
            "name",
            "class",
            "type",
            "contype",
            "conaffinity",
            "condim",
            "group",
            "priority",
            "size",
            "material",
            "rgba",
            "friction",
            "mass",
            "density",
            "shellinertia",
            "solmix",
            "solref",
            "solimp",
            "margin",
            "gap",
            "surfacevel",
            "adhesion",
            "fromto",
            "hfield",
            "mesh",
            "fitscale",
            "fluidshape",
            "fluidcoef",
            "user",
        ],
    ),
    ("body", &["name", "childclass", "mocap", "gravcomp", "sleep", "simple", "fuse", "user"]),
    ("frame", &["name", "childclass"]),
    (
        "site",
        &["name", "class", "type", "group", "material", "mesh", "size", "fromto", "rgba", "user"],
    ),
    (
        "joint",
        &[
            "name",
            "class",
            "type",
            "group",
            "pos",
            "axis",
            "springdamper",
            "limited",
            "actuatorfrclimited",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "stiffness",
            "range",
            "actuatorfrcrange",
            "actuatorgravcomp",
            "margin",
            "ref",
            "springref",
            "armature",
            "damping",
            "frictionloss",
            "user",
        ],
    ),
    ("freejoint", &["name", "group", "align"]),
    ("replicate", &["count", "sep", "offset", "euler"]),
    ("attach", &["model", "body", "frame", "prefix"]),
    ("exclude", &["name", "body1", "body2"]),
    (
        "pair",
        &[
            "name",
            "class",
            "geom1",
            "geom2",
            "condim",
            "friction",
            "solref",
            "solreffriction",
            "solimp",
            "gap",
            "margin",
            "adhesion",
        ],
    ),
    ("hfield", &["name", "content_type", "file", "nrow", "ncol", "size", "elevation"]),
];

/// How many of these have a pose.
const POSED: usize = 4;

/// Refuses an attribute that is not known of an element that says where something is, how large it
/// is or what may touch.
pub(super) fn check_attributes(element: &Element, files: &Files) -> Result<(), Fault> {
    let Some(at) = ATTRIBUTES.iter().position(|(tag, _)| *tag == element.tag) else {
        return Ok(());
    };
    let is_known =
        |name: &str| ATTRIBUTES[at].1.contains(&name) || (at < POSED && POSE.contains(&name));
    let Some((odd, _)) = element.attributes().find(|(name, _)| !is_known(name)) else {
        return Ok(());
    };
    let tag = &element.tag;
    let message = format!("\"{odd}\" of <{tag}> is not known; check its spelling");
    Err(files.fault(element.place, message))
}

/// The files that a model was read from; the first is the model itself.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<(String, Rc<str>)>,
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
        self.load_one(name, bytes, 0, &mut Include::new(folder, options))
    }

    fn load_one(
        &mut self,
        name: &str,
        bytes: &[u8],
        depth: usize,
        include: &mut Include<'_>,
    ) -> Result<Element, Fault> {
        let file = self.files.len();
        let shown = |fault: Fault| {
            if file == 0 {
                return fault;
            }
            let error = fault.in_text(bytes);
            let line = error.line().map_or_else(String::new, |line| format!(":{line}"));
            Fault::whole(format!("{name}{line}: {}", error.message()))
        };
        if bytes.len() > ROBOT_XML_BYTES {
            let most = limits::size(ROBOT_XML_BYTES as u64);
            return Err(shown(Fault::whole(format!("is larger than {most}, which no model is"))));
        }
        let text: Rc<str> = xml::text(bytes).map_err(&shown)?.into();
        let document = xml::parse(&text).map_err(&shown)?;
        self.files.push((name.to_owned(), Rc::clone(&text)));
        self.element(document.root_element(), file, depth, include)
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
        if self.elements > MJCF_ELEMENTS {
            return Err(
                self.fault(place, format!("more than {MJCF_ELEMENTS} elements; split the model"))
            );
        }
        if depth > XML_NESTING {
            return Err(self.fault(place, format!("elements nest deeper than {XML_NESTING}")));
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
                // What it includes stands in its place.
                let root = self.include(child, place, depth, include)?;
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
        depth: usize,
        include: &mut Include<'_>,
    ) -> Result<Element, Fault> {
        let name = node
            .attribute("file")
            .ok_or_else(|| self.fault(place, "<include> without the attribute \"file\""))?;
        let (path, inside) = include
            .find(name)
            .map_err(|problem| self.fault(place, format!("<include> {problem}")))?;
        if include.nesting >= INCLUDE_NESTING {
            let message = format!(
                "files include each other deeper than {INCLUDE_NESTING}, the last of them {name:?}; does one lead back to itself?"
            );
            return Err(self.fault(place, message));
        }
        if include.included.len() >= INCLUDED_FILES {
            let message = format!("more than {INCLUDED_FILES} files are included");
            return Err(self.fault(place, message));
        }
        // By the file itself: a link may give it another name.
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !include.included.insert(identity) {
            return Err(self.fault(
                place,
                format!(
                    "{name:?} is included twice, or includes itself; each file may be included once"
                ),
            ));
        }
        let bytes = read_bytes(&path, include.options).map_err(|error| {
            self.fault(place, format!("<include> names a file that cannot be read: {error}"))
        })?;
        include.nesting += 1;
        let before = std::mem::replace(&mut include.inside, inside);
        let root = self.load_one(name, &bytes, depth, include)?;
        include.inside = before;
        include.nesting -= 1;
        Ok(root)
    }
}

/// Where includes are looked for, and which were read.
struct Include<'a> {
    folder: Option<&'a Path>,
    /// The folder of the file that includes, from that of the model.
    inside: PathBuf,
    options: &'a ReadOptions,
    included: HashSet<PathBuf>,
    /// How many files that include each other are open.
    nesting: usize,
}

impl<'a> Include<'a> {
    fn new(folder: Option<&'a Path>, options: &'a ReadOptions) -> Self {
        Self { folder, inside: PathBuf::new(), options, included: HashSet::new(), nesting: 0 }
    }

    /// The file that a name means, and its folder from that of the model: from the folder of the
    /// model, or else from that of the file that includes, as the simulator looks for it.
    fn find(&self, name: &str) -> Result<(PathBuf, PathBuf), String> {
        let find = |name: &Path| {
            let shown = name.to_string_lossy();
            let path = beside::find(self.folder, &shown, self.options.allow_outside)?;
            Ok((path, name.parent().unwrap_or(Path::new("")).to_owned()))
        };
        find(Path::new(name)).or_else(|problem: String| {
            if self.inside.as_os_str().is_empty() {
                return Err(problem);
            }
            find(&self.inside.join(name)).map_err(|_| problem)
        })
    }
}
