//! A canvas as a PNG file of at most 256 colours.
//!
//! Pictures of a few hues need no more: a third of the bytes, and what is lost is below a step of
//! shading. Colours are chosen by median cut (Heckbert, *Color image quantization for frame buffer
//! display*, 1982), weighed by how many pixels have them, in colours times cover, so that what is
//! hardly seen hardly counts. Smooth shades are dithered by a fixed pattern (Bayer, *An optimum
//! method for two-level rendition of continuous-tone pictures*, 1973), so that they show no steps.
//!
//! The rows are deflated by `miniz_oxide`. The encoder's own way goes through a deflate that other
//! crates of a build may swap for a faster one, whose bytes are others; so only header and chunks
//! are its work.

use std::collections::BTreeMap;

use miniz_oxide::deflate::compress_to_vec_zlib;
use png::{BitDepth, ColorType, Encoder, EncodingError, chunk};

/// Red, green, blue and cover.
type Pixel = [u8; 4];

/// Of the palette, the transparent one included.
const COLORS: usize = 256;

/// Writes pixels of red, green, blue and cover.
pub(super) fn png(size: [u32; 2], pixels: &[u8]) -> Result<Vec<u8>, EncodingError> {
    let mut palette = Palette::of(pixels.as_chunks().0);
    let mut rows = Vec::with_capacity(pixels.len() / 4 + size[1] as usize);
    for (y, row) in pixels.chunks_exact(4 * size[0] as usize).enumerate() {
        // Places in a palette are no numbers whose differences are small, so there is no filter.
        rows.push(0);
        let row = row.as_chunks().0.iter().enumerate();
        rows.extend(row.map(|(x, pixel)| palette.place(*pixel, DITHER[y % 4][x % 4])));
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    let color = |[red, green, blue, _]: &Pixel| [*red, *green, *blue];
    encoder.set_palette(palette.colors.iter().flat_map(color).collect::<Vec<u8>>());
    encoder.set_trns(palette.colors.iter().map(|pixel| pixel[3]).collect::<Vec<u8>>());
    let mut writer = encoder.write_header()?;
    writer.write_chunk(chunk::IDAT, &compress_to_vec_zlib(&rows, 9))?;
    writer.finish()?;
    Ok(bytes)
}

/// How much is added to the channels of a pixel, by its place in a square of four by four: the
/// pattern in steps of two thirds.
const DITHER: [[i32; 4]; 4] = [[-5, 1, -4, 2], [3, -2, 4, -1], [-3, 2, -4, 1], [5, 0, 4, -1]];

struct Palette {
    /// The first is transparent.
    colors: Vec<Pixel>,
    /// The colours of the palette as the eye sees them.
    seen: Vec<[i32; 4]>,
    /// The nearest to colours that were asked about.
    places: BTreeMap<Pixel, u8>,
}

/// A colour, the same times its cover, and how many pixels have it.
#[derive(Clone, Copy)]
struct Used {
    pixel: Pixel,
    seen: [i32; 4],
    count: u64,
}

impl Palette {
    fn of(pixels: &[Pixel]) -> Self {
        let mut counts: BTreeMap<Pixel, u64> = BTreeMap::new();
        for pixel in pixels.iter().filter(|pixel| pixel[3] > 0) {
            *counts.entry(*pixel).or_default() += 1;
        }
        let used =
            counts.into_iter().map(|(pixel, count)| Used { pixel, seen: seen(pixel), count });
        let mut groups = vec![used.collect::<Vec<Used>>()];
        while groups.len() + 1 < COLORS {
            let widest = (0..groups.len()).max_by_key(|&group| (cost(&groups[group]), group));
            let Some(widest) = widest.filter(|&group| cost(&groups[group]) > 0) else { break };
            let upper = cut(&mut groups[widest]);
            groups.push(upper);
        }
        let mut colors = vec![[0; 4]];
        colors.extend(groups.iter().filter(|group| !group.is_empty()).map(|group| mean(group)));
        let seen = colors.iter().map(|&color| seen(color)).collect();
        Self { colors, seen, places: BTreeMap::new() }
    }

    /// The place of the colour that is nearest to a pixel, some shade up or down.
    fn place(&mut self, pixel: Pixel, shade: i32) -> u8 {
        if pixel[3] == 0 {
            return 0;
        }
        let [red, green, blue, cover] = pixel.map(|part| shaded(part, shade));
        // What covers wholly goes on doing so.
        let pixel = [red, green, blue, if pixel[3] == 255 { 255 } else { cover }];
        let (wanted, known) = (seen(pixel), &self.seen);
        *self.places.entry(pixel).or_insert_with(|| nearest(known, wanted))
    }
}

fn shaded(part: u8, shade: i32) -> u8 {
    // In steps of two, so that fewer colours are asked about.
    u8::try_from((i32::from(part) + shade).clamp(0, 255)).unwrap_or(u8::MAX) & !1
}

/// A colour times its cover, and its cover.
fn seen(pixel: Pixel) -> [i32; 4] {
    let [red, green, blue, cover] = pixel.map(i32::from);
    [red * cover / 255, green * cover / 255, blue * cover / 255, cover]
}

/// The first of the nearest.
fn nearest(known: &[[i32; 4]], wanted: [i32; 4]) -> u8 {
    let far = |color: &[i32; 4]| -> i32 {
        color.iter().zip(wanted).map(|(part, wanted)| (part - wanted) * (part - wanted)).sum()
    };
    let best = known.iter().enumerate().min_by_key(|(_, color)| far(color));
    best.map_or(0, |(place, _)| place as u8)
}

/// The channel in which a group spreads most, and how far.
fn widest(group: &[Used]) -> (i32, usize) {
    let spread = |channel: usize| {
        let values = || group.iter().map(|used| used.seen[channel]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    (0..4).map(|channel| (spread(channel), channel)).max().unwrap_or_default()
}

/// What is lost if a group is one colour: rare colours that are far from others count as well.
fn cost(group: &[Used]) -> u64 {
    let spread = u64::from(widest(group).0.unsigned_abs());
    let count: u64 = group.iter().map(|used| used.count).sum();
    spread * spread * count.isqrt()
}

/// Leaves the lower half, by pixels, and gives the upper one; both have a colour at least.
fn cut(group: &mut Vec<Used>) -> Vec<Used> {
    let (_, channel) = widest(group);
    group.sort_by_key(|used| (used.seen[channel], used.pixel));
    let half = group.iter().map(|used| used.count).sum::<u64>() / 2;
    let mut below = 0;
    let middle = group.iter().position(|used| {
        below += used.count;
        below > half
    });
    group.split_off(middle.unwrap_or(1).clamp(1, group.len() - 1))
}

fn mean(group: &[Used]) -> Pixel {
    // Weighed by cover as well, which is what the eye sees of a colour.
    let cover: u64 = group.iter().map(|used| used.count * u64::from(used.pixel[3])).sum();
    let count: u64 = group.iter().map(|used| used.count).sum();
    let of = |channel: usize| {
        let weighed =
            |used: &Used| used.count * u64::from(used.pixel[3]) * u64::from(used.pixel[channel]);
        (group.iter().map(weighed).sum::<u64>() / cover.max(1)) as u8
    };
    [of(0), of(1), of(2), (cover / count.max(1)) as u8]
}
