//! The items of a run, shared out among the cores.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::item::Item;
use super::record::Record;
use super::work::{Bench, Scored};
use super::{Faces, ScoreArgs};
use crate::progress::Progress;
use crate::stop::Stop;

/// What a run came to: the rows of clips, by item.
#[derive(Default)]
pub(super) struct Done {
    pub(super) items: BTreeMap<usize, Scored>,
    /// Whether some are left, because the program was stopped.
    pub(super) was_stopped: bool,
}

/// Scores all items that are not known yet.
///
/// # Errors
/// If the record cannot be written.
pub(super) fn all(
    args: &ScoreArgs,
    faces: &Faces,
    items: &[Item],
    known: Vec<Scored>,
    mut record: Option<&mut Record>,
    stop: &Stop,
) -> Result<Done, String> {
    let mut done = Done::default();
    done.items.extend(known.into_iter().map(|scored| (scored.item, scored)));
    let left: Vec<usize> = (0..items.len()).filter(|at| !done.items.contains_key(at)).collect();
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(cores, NonZero::get);
    let workers = threads.min(left.len()).max(1);
    let helpers = (threads / workers).max(1);
    let with_frames = record.is_some();
    let bench = Bench { args, faces, stop, helpers, with_frames };
    let (sender, receiver) = mpsc::channel();
    let next = AtomicUsize::new(0);
    let mut progress = Progress::of_clips(items.len() as u64, args.quiet);
    progress.advance(done.items.len() as u64);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, bench, left, next) = (sender.clone(), &bench, &left, &next);
            scope.spawn(move || {
                while let Some(&at) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(scored) = bench.score(at, &items[at]) else { return };
                    if sender.send(scored).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(MOMENT) {
                Ok(scored) => keep(scored, &mut done, record.as_deref_mut())?,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    stop.look();
                    continue;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            progress.advance(1);
        }
        Ok::<(), String>(())
    })?;
    progress.finish();
    done.was_stopped = done.items.len() < items.len();
    Ok(done)
}

/// How long to wait before looking whether to stop.
const MOMENT: std::time::Duration = std::time::Duration::from_millis(50);

fn keep(mut scored: Scored, done: &mut Done, record: Option<&mut Record>) -> Result<(), String> {
    if let Some(record) = record {
        record.add(&scored).map_err(|error| format!("the record cannot be written: {error}"))?;
    }
    // Rows of frames are in the record, and there alone.
    scored.frames = Vec::new();
    done.items.insert(scored.item, scored);
    Ok(())
}
