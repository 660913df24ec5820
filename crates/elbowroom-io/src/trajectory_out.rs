//! Where people walk, out: a CSV of `id,frame,x/m,y/m` with the frame rate in a comment, as `PedPy`
//! and our own reader take it.
//!
//! Positions are in metres, with as few digits as give the same f64 back; z and headings are
//! columns where anybody has them.

use std::fmt::Write;

use crate::mesh_out::push_number;
use crate::trajectory::Trajectories;

/// Writes the text of a table, in metres. Velocities are left out: positions say them.
pub fn to_bytes(crowd: &Trajectories) -> Vec<u8> {
    let crowd = crowd.clone().to_metres();
    let high = crowd.people.iter().any(|person| person.positions.iter().any(|p| p.z != 0.0));
    let headed = crowd.people.iter().all(|person| person.headings.len() == person.frames.len());
    let mut text = String::from("# framerate: ");
    push_number(&mut text, crowd.rate.fps);
    text.push_str("\nid,frame,x/m,y/m");
    text.push_str(if high { ",z/m" } else { "" });
    text.push_str(if headed { ",heading\n" } else { "\n" });
    for person in &crowd.people {
        for (sample, (frame, place)) in person.frames.iter().zip(&person.positions).enumerate() {
            let _ = write!(text, "{},{frame}", person.id);
            let heading = headed.then(|| person.headings[sample]);
            let z = high.then_some(place.z);
            for value in [Some(place.x), Some(place.y), z, heading].into_iter().flatten() {
                text.push(',');
                push_number(&mut text, value);
            }
            text.push('\n');
        }
    }
    text.into_bytes()
}
