//! The text of a scene file: an outline, or an error at a place within it; never a panic.
#![no_main]

use elbowroom_io::scene_file::Outline;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(trouble) = Outline::parse(text) {
        let (line, column) = trouble.place(text);
        assert!(line >= 1 && column >= 1 && line <= text.len() + 1);
        assert!(!trouble.message().is_empty());
    }
});
