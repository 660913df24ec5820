//! Draws pictures into a folder: all of them, or those whose names are given. Real bodies are left
//! to the program.
//!
//! ```text
//! cargo run -p elbowroom-lab --example pictures -- pictures obbtree-torus
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use elbowroom_lab::{Context, NoData, SKETCHES, Silent};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder, then pictures")?);
    let wanted: Vec<String> = arguments.collect();
    fs::create_dir_all(&folder)?;
    let context = Context { quick: true, progress: &Silent, data: &NoData };
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    for sketch in SKETCHES.iter().filter(|sketch| is_wanted(sketch.name)) {
        let picture = sketch.draw(&context);
        let path = folder.join(picture.name).with_extension("png");
        println!("{} ({} bytes): {}", path.display(), picture.png.len(), picture.caption);
        fs::write(path, picture.png)?;
    }
    Ok(())
}
