//! What is said about a motion that is carried over to another skeleton.

use elbowroom_motion::body::Retarget;

use crate::text::counted;

/// A sentence about how many joints follow and what the root's motion over the floor is multiplied
/// by; `how` is what to write in order to keep the distances of the capture.
pub fn note(retarget: &Retarget, name: &str, scale_is_given: bool, how: &str) -> String {
    let follow = counted(retarget.matched().len(), "joint", "joints");
    let whose = if name.is_empty() { String::new() } else { format!(" of {name:?}") };
    let rest = retarget.only_in_target().len();
    let scale = retarget.root_scale();
    let why = if scale_is_given {
        "as given".to_owned()
    } else {
        format!(
            "the ratio of the legs' lengths, or 1 where these are not known; {how} keeps people who were captured \
             together at their distances"
        )
    };
    format!(
        "{follow}{whose} follow the motion, {rest} keep their rest; the root's motion over the floor is \
         multiplied by {scale:.3}, {why}"
    )
}
