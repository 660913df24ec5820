//! Every picture, drawn twice without data: it decodes, is not blank, is small enough and the same
//! both times.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::OnceLock;
use std::thread;

use elbowroom_lab::{Context, NoData, Picture, SKETCHES, Silent};

/// All pictures, drawn by two threads at once.
fn drawn() -> &'static [Vec<Picture>; 2] {
    static DRAWN: OnceLock<[Vec<Picture>; 2]> = OnceLock::new();
    DRAWN.get_or_init(|| {
        let draw = || -> Vec<Picture> {
            let context = Context { quick: true, progress: &Silent, data: &NoData };
            SKETCHES.iter().map(|sketch| sketch.draw(&context)).collect()
        };
        thread::scope(|scope| {
            let other = scope.spawn(draw);
            [draw(), other.join().expect("sketches do not panic")]
        })
    })
}

/// Red, green, blue and cover of all pixels.
fn pixels(picture: &Picture) -> Vec<u8> {
    let mut decoder = png::Decoder::new(Cursor::new(&picture.png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG file");
    let size = reader.output_buffer_size().expect("a size that fits");
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).expect("pixels");
    assert_eq!([frame.width, frame.height], picture.size, "{}", picture.name);
    assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    bytes
}

#[test]
fn pictures_show_something_and_are_small() {
    let mut seen = 0;
    for picture in &drawn()[0] {
        let bytes = pixels(picture);
        let all = bytes.len() / 4;
        let covered = bytes.chunks_exact(4).filter(|pixel| pixel[3] > 8).count();
        let share = covered as f64 / all as f64;
        assert!((0.06..0.9).contains(&share), "{} covers {share}", picture.name);
        let colors: BTreeSet<&[u8]> =
            bytes.chunks_exact(4).filter(|pixel| pixel[3] > 8).map(|pixel| &pixel[..3]).collect();
        assert!(colors.len() > 50, "{} has {} colours", picture.name, colors.len());
        assert!(picture.png.len() <= 150_000, "{}: {} bytes", picture.name, picture.png.len());
        seen += 1;
    }
    assert_eq!(seen, SKETCHES.len());
    assert!(seen >= 17);
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let [first, second] = drawn();
    for (a, b) in first.iter().zip(second) {
        assert!(a == b, "{} differs", a.name);
    }
}

#[test]
fn every_picture_says_what_it_is() {
    let names: BTreeSet<&str> = SKETCHES.iter().map(|sketch| sketch.name).collect();
    assert_eq!(names.len(), SKETCHES.len());
    let papers: BTreeSet<&str> = SKETCHES.iter().map(|sketch| sketch.paper).collect();
    assert!(["OBBTree", "CAB", "SBBK", "BCH", "MOBB"].iter().all(|paper| papers.contains(paper)));
    for (sketch, picture) in SKETCHES.iter().zip(&drawn()[0]) {
        assert_eq!((sketch.name, sketch.paper), (picture.name, picture.paper));
        assert_eq!(sketch.title, picture.title);
        assert!(
            picture.caption.len() > 80 && picture.caption.ends_with('.'),
            "{}",
            picture.caption
        );
    }
}
