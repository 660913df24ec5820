//! A warm question about footprints or slabs takes nothing from the heap.

use elbowroom::internal::math::planar::Planar;
use elbowroom_make::torus;
use elbowroom_motion::footprint::{
    Footprint, FootprintConfig, Look, Nearness, Work, ask, ask_counted,
};
use elbowroom_papers::bch::{Sliced, Slices, Stand, ask_sliced};
use elbowroom_testkit::random::Random;
use glam::DVec2;

use crate::counter::Region;

#[test]
fn a_warm_question_allocates_nothing() {
    let (mesh, config) = (torus(1.0, 0.3, 64, 16), FootprintConfig::default());
    let ring = Footprint::of_mesh(&mesh, &config);
    let slabs = Sliced::of_mesh(&mesh, &Slices::new(&[0.0]).expect("a height"), &config);
    let mut work = Work::default();
    let run = |work: &mut Work| {
        let mut random = Random::new(7);
        let mut clear = 0;
        for _ in 0..2000 {
            let at = DVec2::new(random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
            let at = Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place");
            let (here, look) = (Planar::IDENTITY, Look::default());
            let said = ask(&ring, &here, &ring, &at, &look, work);
            assert_eq!(said, ask_counted(&ring, &here, &ring, &at, &look, work));
            let stand = Stand { at, floor: 0.1 };
            ask_sliced(&slabs, &Stand::default(), &slabs, &stand, &look, work);
            clear += u32::from(said == Nearness::Clear);
        }
        clear
    };
    let expected = run(&mut work);
    assert!((200..1800).contains(&expected), "{expected}");
    let region = Region::new();
    let clear = run(&mut work);
    let change = region.change();
    assert_eq!(clear, expected);
    assert_eq!((change.allocations, change.reallocations), (0, 0));
}
