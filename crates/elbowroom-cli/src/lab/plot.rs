//! Charts as pictures.
//!
//! A picture stands by itself: an SVG of 720 by about 420 pixels that scales, on no ground of its own. Text and axes take the colour
//! of the text around them; opened alone it is dark on light or light on dark as the reader's system has it. What was measured
//! here is solid, what the paper prints dashed or hatched, in the same colour where it is the same thing.
//!
//! Drawn by plotters, which knows axes and marks. It knows no dashes, hatches or colours of the page: those are put in
//! when the picture is whole.
//!
//! Invariants:
//! * The same chart gives the same bytes.
//! * No chart is refused: what has no place, as 0 on a logarithmic axis, is left out.

mod frame;
mod ink;
mod marks;
mod scale;
mod sheet;

use elbowroom_lab::{Chart, Marks};

use self::frame::{Frame, Plane};
use self::sheet::{Drawn, STEPS, Sheet};

/// The chart as a picture that stands by itself.
pub(crate) fn svg(chart: &Chart) -> String {
    let mut picture = String::new();
    let drawn = match &chart.marks {
        Marks::Lines(lines) => draw(&mut picture, marks::lines(chart, lines)),
        Marks::Bars { groups, bars } => draw(&mut picture, marks::bars(chart, groups, bars)),
        Marks::Boxes(spreads) => draw(&mut picture, marks::boxes(chart, spreads)),
        Marks::Map { columns, rows, cells } => {
            draw(&mut picture, marks::map(chart, columns, rows, cells))
        }
    };
    // Memory does not refuse to be written; if it did, there would be no picture, but its title.
    let size = drawn.unwrap_or_else(|_| {
        picture.clear();
        [frame::WIDTH, 30.0]
    });
    whole(chart, &picture, size)
}

fn draw(
    picture: &mut String,
    (frame, marks): (Frame<'_>, impl Fn(&Plane) -> Drawn),
) -> Drawn<[f64; 2]> {
    let size = frame.size();
    let sheet = Sheet::new(picture, size);
    let plane = frame.draw(&sheet)?;
    marks(&plane)?;
    drop(plane);
    sheet.area.present()?;
    drop(sheet);
    Ok(size)
}

/// With a head of its own in place of the library's, which fixes the size.
fn whole(chart: &Chart, picture: &str, [width, height]: [f64; 2]) -> String {
    let inside = picture.split_once(">\n").map_or("", |(_, inside)| inside);
    let inside = inside.trim_end().strip_suffix("</svg>").unwrap_or(inside);
    let (inside, patterns) = ink::dressed(inside.to_owned());
    let title = escaped(&chart.title);
    // Only where the picture is the whole document: in a page the page's colours count.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>{title}</title>\n\
         <style>svg:root {{ color: #1f2328; color-scheme: light dark }} \
         @media (prefers-color-scheme: dark) {{ svg:root {{ color: #e6edf3 }} }}</style>\n\
         <defs>\n{patterns}</defs>\n\
         <g transform=\"scale({})\">\n{inside}</g>\n</svg>\n",
        1.0 / STEPS
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
