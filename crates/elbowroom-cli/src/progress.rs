//! How far a long check has come, on stderr, if a person is there to see it.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;

/// Work that ends before this needs no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// A bar that appears only when the work turns out to be long, and leaves nothing behind.
pub(crate) struct Progress {
    bar: ProgressBar,
    hidden_since: Option<Instant>,
    steps: u64,
}

impl Progress {
    /// A bar over this many objects of one frame.
    pub(crate) fn of_objects(objects: u64, quiet: bool) -> Self {
        Self::over(objects, "{bar:30} {pos}/{len} objects, {eta} left", quiet)
    }

    /// A bar over clips.
    pub(crate) fn of_clips(clips: u64, quiet: bool) -> Self {
        Self::over(clips, "{bar:30} {pos}/{len} clips, {eta} left", quiet)
    }

    /// A bar over this many frames.
    pub(crate) fn of_frames(frames: u64, quiet: bool) -> Self {
        Self::over(frames, "{bar:30} {pos}/{len} frames, {eta} left", quiet)
    }

    fn over(steps: u64, template: &str, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let hidden_since = (!quiet && !terminal::is_here()).then(Instant::now);
        Self { bar, hidden_since, steps }
    }

    /// Adds to the steps that are done.
    pub(crate) fn advance(&mut self, steps: u64) {
        self.bar.inc(steps);
        terminal::progress(self.bar.position(), self.steps);
        if self.hidden_since.is_some_and(|since| since.elapsed() > PATIENCE) {
            self.hidden_since = None;
            // Draws nothing where stderr is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Sets the number of steps that are done.
    pub(crate) fn reach(&mut self, steps: u64) {
        self.advance(steps.saturating_sub(self.bar.position()));
    }

    /// All is done.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
