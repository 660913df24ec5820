//! What a scene file says, checked by itself: keys, kinds of values, and numbers that make sense.

use std::ops::Range;

use glam::{DQuat, DVec3};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Trouble;
use super::fields::{Fields, Said, items, numbers, text, whole, wrong};
use crate::document::Axis;
use crate::limits;
use crate::split::Split;

/// The statements of a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    pub(super) fps: Option<f64>,
    pub(super) frames: Option<(u32, u32)>,
    pub(super) up: Axis,
    /// Metres in a unit of the numbers of this file.
    pub(super) units: f64,
    pub(super) allow: Vec<[Said<String>; 2]>,
    pub(super) models: Vec<Model>,
    pub(super) characters: Vec<Character>,
    pub(super) crowds: Vec<Crowd>,
}

/// What models, characters and crowds have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) position: DVec3,
    pub(super) turn: Turn,
    pub(super) scale: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// A heading to the left, in radians.
    Heading(f64),
    Rotation(DQuat),
}

/// A file, and what is said about how to read it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub(super) file: Said<String>,
    pub(super) units: Option<f64>,
    pub(super) up: Option<Axis>,
}

/// When something is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Play {
    pub(super) start: Option<f64>,
    pub(super) speed: f64,
    pub(super) repeats: bool,
}

/// An entry `[[model]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) name: Option<Said<String>>,
    pub(super) source: Source,
    pub(super) place: Place,
    pub(super) poses: Option<Said<String>>,
    pub(super) play: Play,
    pub(super) fps: Option<f64>,
    pub(super) split: Option<Said<Split>>,
    pub(super) with_itself: bool,
    pub(super) span: Range<usize>,
}

/// What a character does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    /// Not given.
    Unsaid,
    Clip(Said<String>),
    Motion(MotionFile),
    /// Joint values of a robot, by frame.
    Values(Said<Vec<Vec<f64>>>),
}

/// A motion from another file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MotionFile {
    pub(super) file: Said<String>,
    pub(super) clip: Option<Said<String>>,
    pub(super) root_scale: Option<f64>,
    pub(super) keep_rest_frame: bool,
}

/// An entry `[[character]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Character {
    pub(super) name: Option<Said<String>>,
    pub(super) source: Source,
    pub(super) place: Place,
    pub(super) act: Act,
    pub(super) play: Play,
    pub(super) with_itself: bool,
    pub(super) span: Range<usize>,
}

/// An entry `[[crowd]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crowd {
    pub(super) name: Option<Said<String>>,
    pub(super) trajectories: Said<String>,
    pub(super) characters: Vec<Said<String>>,
    pub(super) clip: Option<Said<String>>,
    pub(super) seed: u64,
    pub(super) people: Option<usize>,
    pub(super) start: f64,
    pub(super) place: Place,
    pub(super) units: Option<f64>,
    pub(super) fps: Option<f64>,
    pub(super) with_itself: bool,
    pub(super) span: Range<usize>,
}

const SCENE: [&str; 8] = ["fps", "frames", "up", "units", "allow", "model", "character", "crowd"];
const MODEL: [&str; 15] = [
    "name", "file", "position", "heading", "rotation", "scale", "units", "up", "poses", "start",
    "speed", "loop", "fps", "split", "self",
];
const CHARACTER: [&str; 15] = [
    "name", "file", "position", "heading", "rotation", "scale", "units", "up", "clip", "motion",
    "values", "start", "speed", "loop", "self",
];
const MOTION: [&str; 4] = ["file", "clip", "root_scale", "keep_rest_frame"];
const CROWD: [&str; 13] = [
    "name",
    "trajectories",
    "characters",
    "clip",
    "seed",
    "people",
    "start",
    "position",
    "heading",
    "scale",
    "units",
    "fps",
    "self",
];

impl Outline {
    /// Checks the text of a scene file. No file is opened.
    ///
    /// # Errors
    /// The first problem, with its place.
    pub fn parse(text: &str) -> Result<Self, Trouble> {
        let root = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = error.message();
            if message.contains("recursion") {
                let most = limits::TOML_NESTING;
                return Trouble::new(&span, format!("keys or values nest deeper than {most}"));
            }
            Trouble::new(&span, format!("this is not TOML: {message}"))
        })?;
        let whole = 0..0;
        let fields = Fields::new(root.get_ref(), &whole, "a scene", &SCENE)?;
        let outline = Self {
            fps: fields.positive("fps")?.map(|said| said.value),
            frames: fields.any("frames").map(frames).transpose()?,
            up: fields.axis("up")?.unwrap_or(Axis::Y),
            units: fields.units("units")?.unwrap_or(1.0),
            allow: fields.list("allow")?.iter().map(allowed).collect::<Result<_, _>>()?,
            models: entries(&fields, "model", &MODEL, model)?,
            characters: entries(&fields, "character", &CHARACTER, character)?,
            crowds: entries(&fields, "crowd", &CROWD, crowd)?,
        };
        if outline.models.is_empty() && outline.characters.is_empty() && outline.crowds.is_empty() {
            let message = "nothing is in the scene; write [[model]], [[character]] or [[crowd]]";
            return Err(Trouble::new(&whole, message));
        }
        Ok(outline)
    }
}

fn entries<T>(
    fields: &Fields<'_>,
    key: &str,
    known: &[&str],
    read: impl Fn(&Fields<'_>) -> Result<T, Trouble>,
) -> Result<Vec<T>, Trouble> {
    let tables = fields.tables(key)?;
    let what = format!("[[{key}]]");
    tables.iter().map(|(table, span)| read(&Fields::new(table, span, &what, known)?)).collect()
}

/// `[first, last]`, or how many from 0.
fn frames(value: &Spanned<DeValue<'_>>) -> Result<(u32, u32), Trouble> {
    if value.get_ref().is_integer() {
        let count = whole(value, "frames")?;
        let last = count.value.checked_sub(1);
        let problem = || Trouble::new(&count.span, "`frames` is 0; there has to be one at least");
        return Ok((0, last.ok_or_else(problem)?));
    }
    let expected = "a number of frames, or [first, last]";
    match items(value, "frames", expected)? {
        [first, last] => {
            let (first, last) = (whole(first, "frames")?.value, whole(last, "frames")?.value);
            if first > last {
                let message = format!("`frames` goes from {first} to {last}, backwards");
                return Err(Trouble::new(&value.span(), message));
            }
            Ok((first, last))
        }
        _ => Err(Trouble::new(&value.span(), format!("`frames` is {expected}"))),
    }
}

/// `["a", "b"]`.
fn allowed(value: &Spanned<DeValue<'_>>) -> Result<[Said<String>; 2], Trouble> {
    match items(value, "allow", "a list of pairs, [[\"a\", \"b\"], ...]")? {
        [a, b] => Ok([text(a, "allow")?, text(b, "allow")?]),
        _ => Err(Trouble::new(&value.span(), "a pair of `allow` is two names, [\"a\", \"b\"]")),
    }
}

fn place(fields: &Fields<'_>) -> Result<Place, Trouble> {
    let heading = fields.number("heading")?;
    let rotation = fields.numbers("rotation")?;
    let turn = match (heading, rotation) {
        (Some(_), Some(rotation)) => {
            let message = "`rotation` and `heading` are both given; one of them is enough";
            return Err(Trouble::new(&rotation.span, message));
        }
        (Some(heading), None) => Turn::Heading(heading.value.to_radians()),
        (None, Some(said)) => match said.value[..] {
            [x, y, z, w] if [x, y, z, w].iter().any(|&value| value != 0.0) => {
                Turn::Rotation(DQuat::from_xyzw(x, y, z, w))
            }
            _ => {
                let message = "`rotation` is a quaternion [x, y, z, w], not all of them 0";
                return Err(Trouble::new(&said.span, message));
            }
        },
        (None, None) => Turn::Heading(0.0),
    };
    Ok(Place {
        position: fields.point("position")?.unwrap_or(DVec3::ZERO),
        turn,
        scale: fields.positive("scale")?.map_or(1.0, |said| said.value),
    })
}

fn source(fields: &Fields<'_>, what: &str) -> Result<Source, Trouble> {
    let file = fields.text("file")?;
    Ok(Source {
        file: fields.needed("file", file, what)?,
        units: fields.units("units")?,
        up: fields.axis("up")?,
    })
}

fn play(fields: &Fields<'_>) -> Result<Play, Trouble> {
    Ok(Play {
        start: fields.number("start")?.map(|said| said.value),
        speed: fields.positive("speed")?.map_or(1.0, |said| said.value),
        repeats: fields.flag("loop")?.unwrap_or(false),
    })
}

fn model(fields: &Fields<'_>) -> Result<Model, Trouble> {
    Ok(Model {
        name: fields.text("name")?,
        source: source(fields, "[[model]]")?,
        place: place(fields)?,
        poses: fields.text("poses")?,
        play: play(fields)?,
        fps: fields.positive("fps")?.map(|said| said.value),
        split: fields.any("split").map(split).transpose()?,
        with_itself: fields.flag("self")?.unwrap_or(false),
        span: fields.span().clone(),
    })
}

/// `"shells"`, `"groups"` or `"none"`.
fn split(value: &Spanned<DeValue<'_>>) -> Result<Said<Split>, Trouble> {
    let split = match value.get_ref().as_str() {
        Some("shells") => Split::Shells,
        Some("groups") => Split::Groups,
        Some("none") => Split::None,
        _ => {
            let message = "`split` is \"shells\", \"groups\" or \"none\"";
            return Err(Trouble::new(&value.span(), message));
        }
    };
    Ok(Said { value: split, span: value.span() })
}

fn character(fields: &Fields<'_>) -> Result<Character, Trouble> {
    let clip = fields.any("clip").map(clip_name).transpose()?;
    let motion = fields.any("motion").map(motion).transpose()?;
    let values = fields.any("values").map(values).transpose()?;
    let act = match (clip, motion, values) {
        (None, None, None) => Act::Unsaid,
        (Some(clip), None, None) => Act::Clip(clip),
        (None, Some(motion), None) => Act::Motion(motion),
        (None, None, Some(values)) => Act::Values(values),
        _ => {
            let message = "`clip`, `motion` and `values` are three ways to move; use one of them";
            return Err(Trouble::new(fields.span(), message));
        }
    };
    Ok(Character {
        name: fields.text("name")?,
        source: source(fields, "[[character]]")?,
        place: place(fields)?,
        act,
        play: play(fields)?,
        with_itself: fields.flag("self")?.unwrap_or(false),
        span: fields.span().clone(),
    })
}

/// The name of a clip; empty for none.
fn clip_name(value: &Spanned<DeValue<'_>>) -> Result<Said<String>, Trouble> {
    let name = value.get_ref().as_str().ok_or_else(|| wrong(value, "clip", "text in quotes"))?;
    Ok(Said { value: name.to_owned(), span: value.span() })
}

/// `"walk.bvh"` or `{ file = "walk.bvh", ... }`.
fn motion(value: &Spanned<DeValue<'_>>) -> Result<MotionFile, Trouble> {
    let Some(table) = value.get_ref().as_table() else {
        let file = text(value, "motion")?;
        return Ok(MotionFile { file, clip: None, root_scale: None, keep_rest_frame: false });
    };
    let span = value.span();
    let fields = Fields::new(table, &span, "`motion`", &MOTION)?;
    let file = fields.text("file")?;
    Ok(MotionFile {
        file: fields.needed("file", file, "`motion`")?,
        clip: fields.text("clip")?,
        root_scale: fields.positive("root_scale")?.map(|said| said.value),
        keep_rest_frame: fields.flag("keep_rest_frame")?.unwrap_or(false),
    })
}

/// `[0.1, 0.2]` for all frames, or `[[0.1, 0.2], [0.2, 0.3]]` frame by frame.
fn values(value: &Spanned<DeValue<'_>>) -> Result<Said<Vec<Vec<f64>>>, Trouble> {
    let list = items(value, "values", "a list of numbers, or one list for each frame")?;
    let span = value.span();
    if list.is_empty() {
        return Err(Trouble::new(&span, "`values` is empty"));
    }
    let by_frame = if list[0].get_ref().is_array() {
        let rows = list.iter().map(|row| numbers(row, "values").map(|said| said.value));
        rows.collect::<Result<_, _>>()?
    } else {
        vec![numbers(value, "values")?.value]
    };
    Ok(Said { value: by_frame, span })
}

fn crowd(fields: &Fields<'_>) -> Result<Crowd, Trouble> {
    let trajectories = fields.text("trajectories")?;
    let characters = fields.texts("characters")?;
    if characters.is_empty() {
        let message = "[[crowd]] needs `characters`, such as [\"make:man\", \"make:woman\"]";
        return Err(Trouble::new(fields.span(), message));
    }
    Ok(Crowd {
        name: fields.text("name")?,
        trajectories: fields.needed("trajectories", trajectories, "[[crowd]]")?,
        characters,
        clip: fields.any("clip").map(clip_name).transpose()?,
        seed: fields.whole("seed")?.map_or(0, |said| u64::from(said.value)),
        people: fields.whole("people")?.map(|said| said.value as usize),
        start: fields.number("start")?.map_or(0.0, |said| said.value),
        place: place(fields)?,
        units: fields.units("units")?,
        fps: fields.positive("fps")?.map(|said| said.value),
        with_itself: fields.flag("self")?.unwrap_or(false),
        span: fields.span().clone(),
    })
}
