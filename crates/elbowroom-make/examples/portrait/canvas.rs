//! A picture: flat triangles, a depth for each pixel and one lamp, saved as a PNG file without
//! compression.

use std::io;
use std::path::Path;

use glam::{DVec2, DVec3, Vec3Swizzles as _};

/// Of the light, from above on the left, in front.
const LAMP: DVec3 = DVec3::new(-0.45, -0.55, 0.7);
const PAPER: [u8; 3] = [236, 238, 242];
const SKIN: [f64; 3] = [224.0, 176.0, 150.0];

/// The camera of a picture.
pub(crate) struct View {
    /// The point that is in the middle.
    pub(crate) look: DVec3,
    /// How far it is turned to its right; 0 looks into its face.
    pub(crate) yaw: f64,
    /// Pixels a metre.
    pub(crate) scale: f64,
    /// Where on the picture, in pixels from the left and from above.
    pub(crate) place: [f64; 2],
}

/// A picture.
pub(crate) struct Canvas {
    width: usize,
    depth: Vec<f64>,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// An empty picture.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let depth = vec![f64::NEG_INFINITY; width * height];
        Self { width, depth, pixels: vec![PAPER; width * height] }
    }

    /// Draws the triangles that face the viewer.
    pub(crate) fn draw(&mut self, points: &[DVec3], triangles: &[[u32; 3]], view: &View) {
        let (sin, cos) = view.yaw.sin_cos();
        let seen: Vec<DVec3> = points
            .iter()
            .map(|&point| {
                let from = (point - view.look) * view.scale;
                // To the right, down, and towards the viewer.
                let turned =
                    DVec3::new(cos * from.x - sin * from.z, -from.y, sin * from.x + cos * from.z);
                turned + DVec3::new(view.place[0], view.place[1], 0.0)
            })
            .collect();
        for triangle in triangles {
            self.fill(triangle.map(|corner| seen[corner as usize]));
        }
    }

    fn fill(&mut self, [a, b, c]: [DVec3; 3]) {
        // Down is positive, so what faces the viewer runs clockwise.
        let normal = (c - a).cross(b - a);
        if normal.z <= 0.0 {
            return;
        }
        let light = 0.25 + 0.75 * normal.normalize().dot(LAMP.normalize()).max(0.0);
        let colour = SKIN.map(|part| whole(part * light) as u8);
        let height = self.pixels.len() / self.width;
        let low = a.min(b).min(c).floor().max(DVec3::ZERO);
        let high = a.max(b).max(c).ceil().max(DVec3::ZERO);
        for y in whole(low.y)..whole(high.y).min(height) {
            for x in whole(low.x)..whole(high.x).min(self.width) {
                let pixel = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                let share =
                    |p: DVec3, q: DVec3| (q.xy() - p.xy()).perp_dot(pixel - p.xy()) / -normal.z;
                let shares = [share(b, c), share(c, a), share(a, b)];
                let depth = shares[0] * a.z + shares[1] * b.z + shares[2] * c.z;
                let at = y * self.width + x;
                if shares.iter().all(|&share| share >= 0.0) && depth > self.depth[at] {
                    self.depth[at] = depth;
                    self.pixels[at] = colour;
                }
            }
        }
    }

    /// Writes the picture.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let height = self.pixels.len() / self.width;
        let mut head = Vec::new();
        head.extend((self.width as u32).to_be_bytes());
        head.extend((height as u32).to_be_bytes());
        head.extend([8, 2, 0, 0, 0]);
        let mut rows = Vec::new();
        for row in self.pixels.chunks(self.width) {
            rows.push(0);
            rows.extend(row.iter().flatten());
        }
        let mut file = vec![0x89, b'P', b'N', b'G', 13, 10, 26, 10];
        for (kind, data) in [(b"IHDR", head), (b"IDAT", stored(&rows)), (b"IEND", Vec::new())] {
            file.extend((data.len() as u32).to_be_bytes());
            let body = [kind.as_slice(), &data].concat();
            file.extend(&body);
            file.extend(crc(&body).to_be_bytes());
        }
        std::fs::write(path, file)
    }
}

#[expect(clippy::cast_sign_loss, reason = "nothing is drawn above or left of the picture")]
fn whole(number: f64) -> usize {
    number as usize
}

/// A zlib stream of blocks that are stored as they are.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
