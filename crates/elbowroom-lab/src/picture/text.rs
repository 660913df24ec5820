//! Words of straight strokes, for the few labels that a picture needs.
//!
//! A letter is some strokes on a grid of four by six steps: pairs of digits are points, x from the
//! left and y from above; a space lifts the pen. There are capitals only.

use glam::DVec2;

use super::canvas::{Canvas, Color, FINE, Ink, Seen, Window};

/// Grey that is read on white and on black.
pub(super) const GREY: Color = [0.50, 0.52, 0.56];

/// Of a letter, in pixels.
const HEIGHT: f64 = 9.0;
/// From one letter to the next, in steps of the grid.
const ADVANCE: f64 = 6.0;

/// Nearer than anything.
const BEFORE: f64 = 1e30;

/// What a strip for labels takes, in pixels.
pub(super) const STRIP: usize = 24;

/// Writes in the middle of a strip above a window.
pub(super) fn above(canvas: &mut Canvas, window: Window, words: &str) {
    let width = words.chars().count() as f64 * ADVANCE - 2.0;
    let middle = window.x as f64 + 0.5 * window.width as f64;
    let left = middle - 0.5 * width * HEIGHT / 6.0;
    write(canvas, words, DVec2::new(left, window.y as f64 + 8.0));
}

/// Writes to the right of and below a point, in pixels.
pub(super) fn write(canvas: &mut Canvas, words: &str, at: DVec2) {
    let step = HEIGHT / 6.0 * FINE as f64;
    let ink = Ink::new(GREY, 1.0);
    for (place, c) in words.chars().enumerate() {
        let from = at * FINE as f64 + DVec2::new(ADVANCE * step * place as f64, 0.0);
        for stroke in strokes(c).split(' ') {
            let points = stroke.as_bytes().chunks_exact(2).map(|pair| {
                let [x, y] = [pair[0], pair[1]].map(|digit| f64::from(digit - b'0'));
                Seen { at: from + step * DVec2::new(x, y), near: BEFORE }
            });
            let points: Vec<Seen> = points.collect();
            for pair in points.windows(2) {
                canvas.line([pair[0], pair[1]], 1.35 * FINE as f64, &ink);
            }
        }
    }
}

/// The strokes of a character.
fn strokes(c: char) -> &'static str {
    match c.to_ascii_uppercase() {
        'A' => "062046 1434",
        'B' => "003041423303 334445360600",
        'C' => "4130100105163645",
        'D' => "00204244260600",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "2026",
        'J' => "4045361605",
        'K' => "0006 400346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' | '0' => "103041453616050110",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        '1' => "112026",
        '2' => "01103041420646",
        '3' => "011030414233 13334445361605",
        '4' => "36300444",
        '5' => "400003334445361605",
        '6' => "3010010516364544331304",
        '7' => "004016",
        '8' => "13020110304142331304051636454433",
        '9' => "1636454130100102133342",
        '-' => "1333",
        '+' => "0343 2125",
        '=' => "0242 0444",
        '.' => "2526",
        ',' => "2517",
        ':' => "2223 2526",
        '/' => "4006",
        _ => "",
    }
}
