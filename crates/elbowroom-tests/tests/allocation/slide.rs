//! Asking boxes and sliding allocate nothing once they are warm: their memory is the caller's.

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::footprint::{
    BoxParts, BoxWork, Boxes, Footprint, FootprintConfig, Look, SlideShape, SlideWork, ask_boxes,
    slide,
};
use glam::DVec2;

use crate::counter::Region;

#[test]
fn warm_boxes_and_slides_allocate_nothing() {
    let mesh = elbowroom_make::wrinkled_torus(24, 16);
    let circles = Footprint::of_mesh(&mesh, &FootprintConfig::default());
    let boxes = [BoxParts::Full, BoxParts::Contour, BoxParts::Projected]
        .map(|parts| Boxes::of_mesh(&mesh, parts).expect("a mesh"));
    let shapes: Vec<SlideShape> =
        boxes.iter().map(SlideShape::from).chain([SlideShape::from(&circles)]).collect();
    let (mut box_work, mut slide_work) = (BoxWork::default(), SlideWork::default());
    let (mut asked, mut met) = (0, 0);
    for step in 0..8 {
        let angle = 0.3 * f64::from(step);
        let there = Planar::from_angle(angle, DVec2::new(8.0, 0.6 * f64::from(step)));
        let there = there.expect("a place");
        let mut ask = || {
            let (here, look) = (Planar::IDENTITY, Look::default());
            for boxes in &boxes {
                ask_boxes(boxes, &here, boxes, &there, &look, &mut box_work);
            }
            let mut met = 0;
            for &a in &shapes {
                for &b in &shapes {
                    let way = slide(a, &here, b, &there, DVec2::X, &look, &mut slide_work);
                    met += u32::from(way.is_some());
                }
            }
            met
        };
        ask();
        let region = Region::new();
        met += ask();
        assert_eq!(region.change().allocations, 0, "{step}");
        asked += 16;
    }
    assert!(asked == 128 && met > 16, "{asked} {met}");
}
