//! The reader of trajectories on any bytes: finite positions in the order of their frames or an
//! error, never a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(crowd) = elbowroom_io::trajectory::parse(bytes) {
        for person in &crowd.people {
            assert!(person.frames.is_sorted_by(|a, b| a < b));
            assert_eq!(person.frames.len(), person.positions.len());
            assert!(person.positions.iter().all(|position| position.is_finite()));
        }
    }
});
