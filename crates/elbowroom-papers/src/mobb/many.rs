//! One motion against many.

use elbowroom_motion::space_time::query::{Placed, Workspace, collide};
use elbowroom_motion::space_time::tracked::Tracked;

/// Whether a motion collides with each of many others. `out` gets one entry for each of them.
pub fn collide_many(
    a: &Tracked,
    pa: &Placed,
    others: &[(&Tracked, Placed)],
    workspace: &mut Workspace,
    out: &mut Vec<bool>,
) {
    out.clear();
    out.extend(others.iter().map(|(b, pb)| collide(a, pa, b, pb, workspace)));
}

/// Whether a motion collides with each of many others, on the threads of the current rayon pool;
/// the result is that of [`collide_many`].
#[cfg(feature = "parallel")]
pub fn collide_many_parallel(
    a: &Tracked,
    pa: &Placed,
    others: &[(&Tracked, Placed)],
    out: &mut Vec<bool>,
) {
    use rayon::prelude::*;

    // A query takes less than a microsecond: many at a time, or threads would only meet.
    const MANY: usize = 256;
    out.clear();
    out.resize(others.len(), false);
    out.par_chunks_mut(MANY).zip(others.par_chunks(MANY)).for_each(|(out, others)| {
        let mut workspace = Workspace::new();
        for (hit, (b, pb)) in out.iter_mut().zip(others) {
            *hit = collide(a, pa, b, pb, &mut workspace);
        }
    });
}
