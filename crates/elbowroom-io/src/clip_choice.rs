//! Which clip of several is meant: one rule for all commands and for scene files.
//!
//! Where none is asked for, it is the clip that the file marks as active (FBX has such a mark),
//! else the longest. A clip in which nothing moves is taken only where there is no other: many FBX
//! files begin with an empty take, and to play it is to examine a single pose.
//!
//! A clip that is asked for is found by its name, by its name in other letters (`WALK`), by its
//! number from 0 as `elbowroom info` lists them (`2`, `#2`), or by a piece of its name that no
//! other has.

use elbowroom_motion::body::Clip;

use crate::text::counted;

/// The most clips that a list names.
const LISTED: usize = 20;

/// The place of the clip that is played where none is asked for; `None` if there is no clip.
///
/// ```
/// use elbowroom_motion::body::{Clip, Interpolation, JointId, Target, Track};
/// use elbowroom_io::clip_choice::default_clip;
///
/// let slide = |end: f64| Track {
///     target: Target::Translation(JointId(0)),
///     interpolation: Interpolation::Linear,
///     times: vec![0.0, end],
///     values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
/// };
/// let clips = [
///     Clip::new("Take 001".into(), vec![])?,
///     Clip::new("wave".into(), vec![slide(1.0)])?,
///     Clip::new("dance".into(), vec![slide(9.0)])?,
/// ];
/// assert_eq!(default_clip(&clips), Some(2));
/// # Ok::<(), elbowroom_motion::body::ClipError>(())
/// ```
pub fn default_clip(clips: &[Clip]) -> Option<usize> {
    let moving = |clip: &Clip| clip.seconds() > 0.0 && clip.moves();
    let mut best: Option<usize> = None;
    for (index, clip) in clips.iter().enumerate().filter(|(_, clip)| moving(clip)) {
        let is_better = best.is_none_or(|best: usize| {
            (clip.is_active(), clip.seconds()) > (clips[best].is_active(), clips[best].seconds())
        });
        if is_better {
            best = Some(index);
        }
    }
    let marked = || clips.iter().position(Clip::is_active);
    best.or_else(marked).or((!clips.is_empty()).then_some(0))
}

/// Why [`default_clip`] takes a clip, in words that follow its name.
pub fn why_default(clips: &[Clip], index: usize) -> &'static str {
    match clips.get(index) {
        Some(clip) if clip.is_active() => "which the file marks as active",
        Some(clip) if clip.moves() => "the longest that moves",
        _ => "the first, and none of them moves",
    }
}

/// The place of the clip that is asked for; `None` if there is none.
///
/// # Errors
/// If the words are a piece of several names; names them.
pub fn find_clip(clips: &[Clip], wanted: &str) -> Result<Option<usize>, String> {
    let place = |fits: &dyn Fn(&str) -> bool| clips.iter().position(|clip| fits(clip.name()));
    let small = wanted.to_lowercase();
    let number = || {
        let digits = wanted.strip_prefix('#').unwrap_or(wanted);
        digits.parse().ok().filter(|number: &usize| *number < clips.len())
    };
    let found = place(&|name| name == wanted)
        .or_else(|| place(&|name| name.to_lowercase() == small))
        .or_else(number);
    if found.is_some() || wanted.is_empty() {
        return Ok(found);
    }
    let mut alike = clips.iter().enumerate();
    let mut next = || alike.find(|(_, clip)| clip.name().to_lowercase().contains(&small));
    match (next(), next()) {
        (Some((a, first)), Some((b, second))) => Err(format!(
            "{wanted:?} is a piece of several names, {} and {}; write more of one, or its number",
            named(a, first),
            named(b, second)
        )),
        (first, _) => Ok(first.map(|(index, _)| index)),
    }
}

/// A sentence about which clips there are: their numbers, names and lengths.
pub fn clip_list<'c>(clips: impl IntoIterator<Item = &'c Clip>) -> String {
    let mut clips = clips.into_iter().enumerate();
    let shown: Vec<String> =
        clips.by_ref().take(LISTED).map(|(index, clip)| named(index, clip)).collect();
    let more = clips.count();
    match shown.len() + more {
        0 => "there are no clips".to_owned(),
        1 => format!("there is one clip: {}", shown[0]),
        count => {
            let dots = if more > 0 { ", …" } else { "" };
            let count = counted(count, "clip", "clips");
            format!("there are {count}: {}{dots}", shown.join(", "))
        }
    }
}

/// A clip by number, name and length.
fn named(index: usize, clip: &Clip) -> String {
    format!("{index} {:?} ({})", clip.name(), length(clip))
}

/// How long a clip is, or that it is a single pose or nothing.
pub fn length(clip: &Clip) -> String {
    if clip.tracks().is_empty() {
        "empty".to_owned()
    } else if clip.seconds() > 0.0 {
        format!("{:.2} s", clip.seconds())
    } else {
        "a single pose".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_motion::body::{Interpolation, JointId, Target, Track};

    use super::*;

    fn clip(name: &str, end: f64, moved: f64) -> Clip {
        let track = Track {
            target: Target::Translation(JointId(0)),
            interpolation: Interpolation::Linear,
            times: vec![0.0, end],
            values: vec![0.0, 0.0, 0.0, moved, 0.0, 0.0],
        };
        Clip::new(name.to_owned(), vec![track]).unwrap()
    }

    fn empty(name: &str) -> Clip {
        Clip::new(name.to_owned(), Vec::new()).unwrap()
    }

    #[test]
    fn the_clip_that_moves_is_played() {
        let of = |clips: &[Clip]| default_clip(clips).map(|index| clips[index].name().to_owned());
        let is = |clips: &[Clip], name: &str| assert_eq!(of(clips).as_deref(), Some(name));
        assert_eq!(of(&[]), None);
        is(&[empty("a"), clip("b", 2.0, 1.0)], "b");
        is(&[clip("a", 1.0, 1.0), clip("b", 2.0, 1.0), clip("c", 2.0, 1.0)], "b");
        // Nine seconds in which nothing moves are not the longest motion.
        is(&[clip("still", 9.0, 0.0), clip("b", 2.0, 1.0)], "b");
        is(&[clip("a", 1.0, 1.0).with_active(true), clip("b", 2.0, 1.0)], "a");
        // A mark on an empty take does not count while something else moves.
        is(&[empty("a").with_active(true), clip("b", 2.0, 1.0)], "b");
        is(&[empty("a"), empty("b").with_active(true)], "b");
        is(&[empty("a"), clip("b", 0.0, 1.0)], "a");
    }

    #[test]
    fn clips_are_found_by_name_and_number() {
        let clips = ["Run", "walk", "walk slowly", "2", "Armature|mixamo.com|Layer0"].map(empty);
        let find = |wanted| find_clip(&clips, wanted);
        let cases = [
            ("walk", Some(1)),
            ("run", Some(0)),
            ("WALK", Some(1)),
            ("2", Some(3)),
            ("#2", Some(2)),
            ("1", Some(1)),
            ("slow", Some(2)),
            ("mixamo", Some(4)),
            ("fly", None),
            ("9", None),
            ("", None),
        ];
        for (wanted, place) in cases {
            assert_eq!(find(wanted), Ok(place), "{wanted}");
        }
        let two = find("wal").unwrap_err();
        assert!(two.contains("1 \"walk\"") && two.contains("2 \"walk slowly\""), "{two}");
    }

    #[test]
    fn lists_say_how_long_clips_are() {
        let clips = [empty("Take 001"), clip("dance", 18.2, 1.0), clip("pose", 0.0, 1.0)];
        let list = clip_list(&clips);
        assert_eq!(
            list,
            "there are 3 clips: 0 \"Take 001\" (empty), 1 \"dance\" (18.20 s), 2 \"pose\" (a single pose)"
        );
        let many: Vec<Clip> = (0..30).map(|_| empty("x")).collect();
        assert!(clip_list(&many).ends_with(", …"));
        assert_eq!(clip_list(&[]), "there are no clips");
    }
}
