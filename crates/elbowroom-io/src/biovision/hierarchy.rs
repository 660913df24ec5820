//! The first half of the file: joints in braces.

use std::collections::{HashMap, HashSet};

use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use glam::DVec3;

use crate::error::Fault;
use crate::text::{Word, Words, counted, parse_f64, quote};

/// What one number of a frame says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// Along x, y or z.
    Position(usize),
    /// About x, y or z.
    Rotation(usize),
}

pub(super) struct Hierarchy {
    pub(super) skeleton: Skeleton,
    /// The channels of each joint, in order.
    pub(super) channels: Vec<Vec<Channel>>,
    pub(super) ends: Vec<(JointId, DVec3)>,
    pub(super) notes: Vec<String>,
}

/// A brace that is open.
enum Open {
    Joint { joint: usize, has_offset: bool },
    End { joint: usize, offset: Option<DVec3> },
}

struct Reader<'w, 'a> {
    words: &'w mut Words<'a>,
    size: usize,
    joints: Vec<Joint>,
    channels: Vec<Vec<Channel>>,
    ends: Vec<(JointId, DVec3)>,
    names: HashSet<String>,
    /// Up to which number a name was given again.
    again: HashMap<String, usize>,
    notes: Vec<String>,
    open: Vec<Open>,
}

/// Reads up to and including the word `MOTION`.
pub(super) fn read(words: &mut Words<'_>, size: usize) -> Result<Hierarchy, Fault> {
    let mut reader = Reader {
        words,
        size,
        joints: Vec::new(),
        channels: Vec::new(),
        ends: Vec::new(),
        names: HashSet::new(),
        again: HashMap::new(),
        notes: Vec::new(),
        open: Vec::new(),
    };
    let first = reader.word("HIERARCHY")?;
    if !is(first, "HIERARCHY") {
        let message = format!(
            "not a Biovision file: it begins with {}, not \"HIERARCHY\"",
            quote(first.bytes)
        );
        return Err(Fault::at(first.offset, message));
    }
    reader.joints()?;
    let skeleton = Skeleton::new(reader.joints).map_err(|error| Fault::whole(error.to_string()))?;
    Ok(Hierarchy { skeleton, channels: reader.channels, ends: reader.ends, notes: reader.notes })
}

impl<'a> Reader<'_, 'a> {
    fn joints(&mut self) -> Result<(), Fault> {
        loop {
            let word = self.word("MOTION")?;
            if self.open.is_empty() {
                if is(word, "MOTION") {
                    if self.joints.is_empty() {
                        return Err(Fault::at(
                            word.offset,
                            "no joints before \"MOTION\"; a file begins with a ROOT",
                        ));
                    }
                    return Ok(());
                }
                if !is(word, "ROOT") {
                    return Err(unexpected(word, "\"ROOT\" or \"MOTION\""));
                }
            }
            self.statement(word)?;
        }
    }

    fn statement(&mut self, word: Word<'a>) -> Result<(), Fault> {
        let keyword = word.bytes.to_ascii_uppercase();
        let in_end = matches!(self.open.last(), Some(Open::End { .. }));
        match &*keyword {
            b"ROOT" | b"JOINT" if !in_end => self.open_joint(word),
            b"END" if !in_end => self.open_end(word),
            b"OFFSET" => self.offset(),
            b"CHANNELS" if !in_end => self.channels(word),
            b"}" => self.close(word),
            _ => {
                Err(unexpected(word, "\"OFFSET\", \"CHANNELS\", \"JOINT\", \"End Site\" or \"}\""))
            }
        }
    }

    fn open_joint(&mut self, word: Word<'a>) -> Result<(), Fault> {
        let parent = match self.open.last() {
            Some(Open::Joint { joint, .. }) => Some(JointId(*joint as u32)),
            _ => None,
        };
        if is(word, "ROOT") && parent.is_some() {
            return Err(Fault::at(
                word.offset,
                "a ROOT within a joint; a brace is not closed, or JOINT is meant",
            ));
        }
        let written = self.name_and_brace()?;
        let name = self.fresh_name(written, word);
        let joint = self.joints.len();
        self.joints.push(Joint { name, parent, rest: Local::IDENTITY });
        self.channels.push(Vec::new());
        self.open.push(Open::Joint { joint, has_offset: false });
        Ok(())
    }

    fn open_end(&mut self, word: Word<'a>) -> Result<(), Fault> {
        let Some(&Open::Joint { joint, .. }) = self.open.last() else {
            return Err(unexpected(word, "a joint"));
        };
        self.name_and_brace()?;
        self.open.push(Open::End { joint, offset: None });
        Ok(())
    }

    /// What stands between the keyword and the opening brace, on one line or two.
    fn name_and_brace(&mut self) -> Result<String, Fault> {
        let start = self.words.offset();
        let mut parts = Vec::new();
        for word in self.words.by_ref() {
            if let Some(before) = word.bytes.strip_suffix(b"{") {
                parts.push(String::from_utf8_lossy(before));
                parts.retain(|part| !part.is_empty());
                return Ok(parts.join(" "));
            }
            // A name has a few words; a brace that never comes must not eat the file.
            if parts.len() >= 8 || is(word, "OFFSET") || is(word, "CHANNELS") {
                break;
            }
            parts.push(String::from_utf8_lossy(word.bytes));
        }
        Err(Fault::at(start, "no \"{\" behind the name of this joint"))
    }

    /// The name as written, or with a number where another joint has it already.
    fn fresh_name(&mut self, written: String, word: Word<'_>) -> String {
        let base =
            if written.is_empty() { format!("joint {}", self.joints.len()) } else { written };
        if self.names.insert(base.clone()) {
            return base;
        }
        // Counted on from where the last one of this name ended, past names that are written so.
        let mut count = self.again.get(&base).copied().unwrap_or(1);
        let fresh = loop {
            count += 1;
            let fresh = format!("{base}.{count}");
            if self.names.insert(fresh.clone()) {
                break fresh;
            }
        };
        if self.notes.len() < 20 {
            self.notes
                .push(format!("a second joint {base} (byte {}) is called {fresh}", word.offset));
        }
        self.again.insert(base, count);
        fresh
    }

    fn offset(&mut self) -> Result<(), Fault> {
        let mut xyz = [0.0; 3];
        for value in &mut xyz {
            let word = self.word("three numbers of an OFFSET")?;
            *value = parse_f64(word.bytes).filter(|value| value.is_finite()).ok_or_else(|| {
                let shown = quote(word.bytes);
                Fault::at(
                    word.offset,
                    format!(
                        "{shown} is no finite number; an OFFSET has three, like OFFSET 0 10.5 0"
                    ),
                )
            })?;
        }
        let given = DVec3::from_array(xyz);
        match self.open.last_mut() {
            Some(Open::Joint { joint, has_offset }) => {
                self.joints[*joint].rest.translation = given;
                *has_offset = true;
            }
            Some(Open::End { offset, .. }) => *offset = Some(given),
            None => {}
        }
        Ok(())
    }

    fn channels(&mut self, keyword: Word<'a>) -> Result<(), Fault> {
        let Some(&Open::Joint { joint, .. }) = self.open.last() else { return Ok(()) };
        if !self.channels[joint].is_empty() {
            return Err(Fault::at(
                keyword.offset,
                "a second CHANNELS of the same joint; join them into one",
            ));
        }
        let count = self.word("the number of channels")?;
        let count: usize = std::str::from_utf8(count.bytes)
            .ok()
            .and_then(|digits| digits.parse().ok())
            .ok_or_else(|| unexpected(count, "the number of channels"))?;
        for found in 0..count {
            let word = self.word("the name of a channel")?;
            let channel = channel(word).ok_or_else(|| {
                let message = format!(
                    "{} is no channel, and {} of {count} were named; known are Xposition … Zrotation",
                    quote(word.bytes),
                    counted(found, "channel", "channels"),
                );
                Fault::at(word.offset, message)
            })?;
            self.channels[joint].push(channel);
        }
        Ok(())
    }

    fn close(&mut self, word: Word<'a>) -> Result<(), Fault> {
        match self.open.pop() {
            Some(Open::End { joint, offset: Some(offset) }) => {
                self.ends.push((JointId(joint as u32), offset));
                Ok(())
            }
            Some(Open::Joint { has_offset: true, .. }) => Ok(()),
            _ => Err(Fault::at(
                word.offset,
                "this brace closes a joint without an OFFSET; give it one, like OFFSET 0 0 0",
            )),
        }
    }

    fn word(&mut self, awaited: &str) -> Result<Word<'a>, Fault> {
        let (joints, size) = (self.joints.len(), self.size);
        self.words.next().ok_or_else(|| {
            let joints = counted(joints, "joint", "joints");
            Fault::at(
                size,
                format!(
                    "the file ends where {awaited} should follow, after {joints}; it is truncated"
                ),
            )
        })
    }
}

fn channel(word: Word<'_>) -> Option<Channel> {
    let name = word.bytes.to_ascii_lowercase();
    let (&axis, kind) = name.split_first()?;
    let axis = b"xyz".iter().position(|&known| known == axis)?;
    match kind {
        b"position" => Some(Channel::Position(axis)),
        b"rotation" => Some(Channel::Rotation(axis)),
        _ => None,
    }
}

pub(super) fn is(word: Word<'_>, keyword: &str) -> bool {
    word.bytes.eq_ignore_ascii_case(keyword.as_bytes())
}

#[cold]
fn unexpected(word: Word<'_>, expected: &str) -> Fault {
    let message =
        format!("{expected} should stand here, not {}; the file is damaged", quote(word.bytes));
    Fault::at(word.offset, message)
}
