//! What is found, in the unit of the results.

use std::collections::HashMap;
use std::sync::Arc;

use elbowroom_motion::scene::{ContactSummary, Meeting, PenetrationSummary, Place};

use crate::measure::Unit;
use crate::result::frame::{FrameReport, Passing};

/// Brings what is found from the scene's unit to that of the results.
pub(crate) struct Converter {
    factor: f64,
    /// What frames and copies share, as it was and as it is; what is in here stays, so that nothing
    /// else takes its address.
    shared: HashMap<*const ContactSummary, (Arc<ContactSummary>, Arc<ContactSummary>)>,
}

impl Converter {
    pub(crate) fn new(unit: &Unit) -> Self {
        Self { factor: unit.factor(), shared: HashMap::new() }
    }

    pub(crate) fn frame(&mut self, mut report: FrameReport) -> FrameReport {
        if self.factor == 1.0 {
            return report;
        }
        for Meeting { contact, .. } in &mut report.found.meetings {
            self.convert_shared(contact);
        }
        for passing in &mut report.between {
            let Passing { frame: _, a: _, b: _, stays: _, point, parts: _ } = passing;
            *point = point.map(|value| value * self.factor);
        }
        report
    }

    fn convert_shared(&mut self, contact: &mut Arc<ContactSummary>) {
        if let Some(own) = Arc::get_mut(contact) {
            return convert(self.factor, own);
        }
        let (_, new) = self.shared.entry(Arc::as_ptr(contact)).or_insert_with(|| {
            let mut new = ContactSummary::clone(contact);
            convert(self.factor, &mut new);
            (Arc::clone(contact), Arc::new(new))
        });
        *contact = Arc::clone(new);
    }
}

// All fields are named here, so that a new one does not compile before it is converted.
fn convert(by: f64, contact: &mut ContactSummary) {
    let ContactSummary {
        kind: _,
        inside: _,
        through: _,
        certainty: _,
        bound,
        distance,
        touching: _,
        crossing: _,
        parts: _,
        at_rest: _,
        triangles: _,
        place,
        overlap,
    } = contact;
    *bound *= by;
    *distance = distance.map(|distance| distance * by);
    if let Some(place) = place {
        let Place { point, normal: _, length, area, regions: _ } = &mut **place;
        *point *= by;
        *length *= by;
        *area *= by.powi(2);
    }
    if let Some(overlap) = overlap {
        let PenetrationSummary {
            depth,
            depth_upper,
            deepest,
            volume,
            volume_error,
            areas,
            certainty: _,
            is_loose: _,
        } = &mut **overlap;
        *depth *= by;
        *depth_upper *= by;
        *deepest = deepest.map(|points| points.map(|point| point * by));
        *volume *= by.powi(3);
        *volume_error *= by.powi(3);
        *areas = areas.map(|area| area * by.powi(2));
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_motion::scene::{Found, ObjectId};
    use glam::DVec3;

    use super::*;

    #[test]
    fn findings_are_brought_to_the_unit_of_the_results() {
        let overlap = PenetrationSummary {
            depth: 0.5,
            depth_upper: 0.75,
            volume: 2.0,
            volume_error: 0.25,
            areas: [3.0, 4.0],
            deepest: Some([DVec3::X, DVec3::Y]),
            ..PenetrationSummary::default()
        };
        let place =
            Place { point: DVec3::Z, normal: DVec3::X, length: 2.5, area: 3.0, regions: Some(1) };
        let contact = Arc::new(ContactSummary {
            kind: elbowroom::internal::query::ContactKind::Crossing,
            distance: Some(-1.5),
            place: Some(Box::new(place)),
            overlap: Some(Box::new(overlap)),
            crossing: 6,
            ..ContactSummary::default()
        });
        let report = |contact: &Arc<ContactSummary>| {
            let (a, b) = (ObjectId(0), ObjectId(1));
            let meeting = || Meeting { frame: 0, a, b, contact: Arc::clone(contact) };
            let found = Found { meetings: vec![meeting(), meeting()], ..Found::default() };
            FrameReport { found, ..FrameReport::default() }
        };
        let mut converter = Converter { factor: 1000.0, shared: HashMap::new() };
        let converted = converter.frame(report(&contact)).found.meetings;
        let shared = |i: &Meeting, j: &Meeting| Arc::ptr_eq(&i.contact, &j.contact);
        assert!(shared(&converted[0], &converted[1]));
        assert!(shared(&converted[0], &converter.frame(report(&contact)).found.meetings[0]));
        let found = &converted[0];
        assert_eq!(found.distance, Some(-1500.0));
        let place = found.place.as_deref().unwrap();
        assert_eq!((place.point.z, place.normal.x, place.length), (1000.0, 1.0, 2500.0));
        let overlap = found.overlap.as_deref().unwrap();
        assert_eq!((overlap.depth, overlap.depth_upper), (500.0, 750.0));
        assert_eq!((overlap.volume, overlap.volume_error), (2e9, 0.25e9));
        assert_eq!(overlap.areas, [3e6, 4e6]);
        assert_eq!(overlap.deepest.unwrap()[1].y, 1000.0);
    }
}
