//! What readers of large, foreign files share: a list of what was odd, and an end to what is
//! decoded.

use crate::error::Fault;

/// Words of a note that says that something which can touch is missing from the document, so that a
/// check of it is not complete.
pub const LEFT_OUT: &str = "left out of the check";

/// A word of every note on what a file does not say and a reader took for granted: its unit, its up
/// axis, its rate.
pub const ASSUMED: &str = "assumed";

/// What was odd; a damaged file may be odd in a million places, of which the first say enough.
#[derive(Default)]
pub(crate) struct Notes(pub(crate) Vec<String>);

impl Notes {
    const MOST: usize = 50;

    pub(crate) fn add(&mut self, note: impl FnOnce() -> String) {
        if self.0.len() < Self::MOST {
            self.0.push(note());
        } else if self.0.len() == Self::MOST {
            // However long the list is: a check must not pass for complete.
            self.0.extend(Some(note()).filter(|note| note.contains(LEFT_OUT)));
        }
    }
}

/// A file that decodes to more bytes than the caller allows.
#[cold]
pub(crate) fn too_large(limit: u64) -> Fault {
    let most = crate::limits::size(limit);
    Fault::whole(format!(
        "decodes to more than {most}; allow it with --max-size if it is meant to be that large"
    ))
}

#[cfg(test)]
mod tests {
    use super::{LEFT_OUT, Notes};

    #[test]
    fn what_is_left_out_is_said_after_any_number_of_notes() {
        let mut notes = Notes::default();
        for number in 0..1000 {
            notes.add(|| format!("node {number} is odd"));
        }
        assert_eq!(notes.0.len(), Notes::MOST);
        for number in 0..1000 {
            notes.add(|| format!("mesh {number} is {LEFT_OUT}"));
        }
        assert_eq!(notes.0.len(), Notes::MOST + 1);
        assert_eq!(notes.0[Notes::MOST], format!("mesh 0 is {LEFT_OUT}"));
    }
}
