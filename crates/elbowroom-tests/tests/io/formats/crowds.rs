//! Trajectories in the three forms that people use.

use elbowroom_io::{Source, read_trajectories, trajectory};
use glam::DVec3;

use super::common::data;

#[test]
fn tables_with_names() {
    let text = "\u{feff}# a comment, framerate: 12.5 fps\r\nFrame;ID;y [cm];x [cm];heading_deg;speed\r\n\r\n3;7;200;100;90;x\r\n1;7;0;50;-90;y\r\n3; -2 ;1e1;2;0;\r\n";
    let crowd = trajectory::parse(text.as_bytes()).unwrap();
    assert_eq!((crowd.rate.fps, crowd.rate.source), (12.5, Source::File));
    assert_eq!((crowd.units.metres_per_unit, crowd.units.source), (0.01, Source::File));
    let [seven, other] = &crowd.people[..] else { panic!("{crowd:?}") };
    assert_eq!((seven.id, &*seven.frames, other.id), (7, &[1, 3][..], -2));
    assert_eq!(seven.positions, [DVec3::new(50.0, 0.0, 0.0), DVec3::new(100.0, 200.0, 0.0)]);
    assert!((seven.headings[0] + std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(seven.at(2.0), Some(DVec3::new(75.0, 100.0, 0.0)));
    assert_eq!(
        (seven.at(3.0), seven.at(0.5), seven.at(3.1)),
        (Some(seven.positions[1]), None, None)
    );
    assert_eq!((crowd.samples(), crowd.frames()), (3, Some((1, 3))));
    assert_eq!(crowd.to_metres().people[0].positions[0], DVec3::new(0.5, 0.0, 0.0));
}

/// Units behind the names of columns are read, also in comments, or refused.
#[test]
fn units_of_columns_are_read_or_refused() {
    let read = |text: &str| trajectory::parse(text.as_bytes());
    for (names, metres) in [
        ("id,frame,x[ft],y[ft]", 0.3048),
        ("id,frame,x/mm,y", 0.001),
        ("id,frame,x (in),y (in),z (in)", 0.0254),
        ("# id frame x/km y/km", 1000.0),
        ("# Unit: cm\nid,frame,x,y", 0.01),
        ("# framerate: 16, units = mm; from above\nid,frame,x,y", 0.001),
    ] {
        let rest = if names.contains("(in)") { "1,0,1,2,3\n" } else { "1,0,1,2\n" };
        let crowd = read(&format!("{names}\n{rest}")).unwrap();
        assert_eq!((crowd.units.metres_per_unit, crowd.units.source), (metres, Source::File));
    }
    for (names, words) in [
        ("id,frame,x[furlong],y", "the unit \"furlong\" of the column x is not known"),
        ("# first\n# id frame x/furlong y", "the unit \"furlong\" of the column x is not known"),
        ("id,frame,x/cm,y/m", "another unit than x"),
        ("id,frame,x,y,heading[gon]", "the unit \"gon\" of the column heading is not known"),
    ] {
        let error = read(&format!("{names}\n1,0,1,2,3\n")).unwrap_err();
        assert!(error.message().contains(words), "{names}: {error}");
        assert_eq!(error.line(), Some(1 + names.matches('\n').count()), "{names}");
    }
    // The ellipses of JuPedSim turn by degrees; another angle may be anything.
    let quarter = std::f64::consts::FRAC_PI_2;
    for (names, row, heading) in [
        ("id,frame,x,y,heading[deg]", "1,0,1,2,90", Some(quarter)),
        ("id,frame,x,y,heading/rad", "1,0,1,2,0.5", Some(0.5)),
        ("#ID FR X Y A B ANGLE COLOR", "1 0 1 2 0.2 0.3 90 255", Some(quarter)),
        ("id,frame,x,y,angle", "1,0,1,2,90", None),
    ] {
        let crowd = read(&format!("{names}\n{row}\n")).unwrap();
        assert_eq!(crowd.people[0].headings.first().copied(), heading, "{names}");
        let is_told = crowd.notes.iter().any(|note| note.contains("angle does not give its unit"));
        assert_eq!(is_told, heading.is_none(), "{names}: {:?}", crowd.notes);
    }
}

#[test]
fn what_is_not_said_is_assumed_and_noted() {
    let walk = |unit: f64| {
        let row = |frame: i32| format!("1 {frame} {} 0\n", f64::from(frame) * 0.05 * unit);
        (0..50).map(row).collect::<Vec<_>>().concat()
    };
    for (unit, metres) in [(1.0, 1.0), (100.0, 0.01)] {
        let crowd = trajectory::parse(walk(unit).as_bytes()).unwrap();
        assert_eq!((crowd.units.metres_per_unit, crowd.units.source), (metres, Source::Assumed));
        assert_eq!((crowd.rate.source, crowd.notes.len()), (Source::Assumed, 2));
    }
    let obsmat = " 1.0e+00 2.0e+00 -2.5 0.0 1.5e1 0.1 0.0 -1.3 \n";
    let crowd = trajectory::parse(obsmat.as_bytes()).unwrap();
    let person = &crowd.people[0];
    assert_eq!(
        (person.id, person.frames[0], person.positions[0]),
        (2, 1, DVec3::new(-2.5, 15.0, 0.0))
    );
    assert_eq!(person.velocities[0], DVec3::new(0.1, -1.3, 0.0));
    assert_eq!((crowd.rate.fps, crowd.rate.source, crowd.notes.len()), (25.0, Source::File, 0));
}

/// Samples, people, first and last frame, frames a second, and metres a unit, as the list of the
/// folder says.
const LISTED: [(&str, usize, usize, i64, i64, f64); 8] = [
    ("juelich_040_c_56_h-.txt.gz", 63110, 75, 0, 1656, 1.0),
    ("juelich_bi_corr_400_b_03.txt.gz", 120_790, 480, 94, 3340, 0.01),
    ("juelich_traj_UNI_CORR_500_01.txt.gz", 25536, 148, 98, 1986, 1.0),
    ("juelich_uo-100-180-180.txt.gz", 21676, 121, 15, 958, 0.01),
    ("juelich_uo-180-180-070.txt.gz", 75336, 148, 218, 1817, 0.01),
    ("ucy_students03/obsmat.txt.gz", 21846, 428, 1, 5391, 1.0),
    ("ucy_zara01/obsmat.txt.gz", 5024, 148, 1, 9011, 1.0),
    ("ucy_zara02/obsmat.txt.gz", 9537, 204, 7, 10517, 1.0),
];

#[test]
fn every_crowd_of_the_data_folder_loads() {
    let Some(data) = data("every_crowd_of_the_data_folder_loads") else { return };
    let mut loaded = 0;
    for (file, samples, people, first, last, metres) in LISTED {
        let crowd = read_trajectories(&data.join("crowds").join(file))
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (crowd.samples(), crowd.people.len(), crowd.frames()),
            (samples, people, Some((first, last))),
            "{file}"
        );
        assert_eq!((crowd.rate.fps, crowd.units.metres_per_unit), (25.0, metres), "{file}");
        // People walk: the middle one of the speeds is below that of a runner.
        let crowd = crowd.to_metres();
        let mut speeds: Vec<f64> = Vec::new();
        for person in &crowd.people {
            let steps = person.positions.windows(2).zip(person.frames.windows(2));
            speeds.extend(
                steps.map(|(p, f)| (p[1] - p[0]).truncate().length() * 25.0 / (f[1] - f[0]) as f64),
            );
        }
        speeds.sort_by(f64::total_cmp);
        let middle = speeds[speeds.len() / 2];
        assert!((0.05..3.0).contains(&middle), "{file}: {middle}");
        loaded += 1;
    }
    assert_eq!(loaded, LISTED.len());
}
