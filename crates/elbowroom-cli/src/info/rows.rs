//! Tables of text: columns as wide as their widest cell, numbers to the right.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Where the cells of a column stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Writes rows under their heads, indented by two; columns in which no row says anything are left
/// out.
pub(crate) fn write(
    out: &mut dyn Write,
    heads: &[(&str, Side)],
    rows: &[Vec<String>],
) -> io::Result<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        let widest = cells.max().unwrap_or(0);
        if widest == 0 { 0 } else { widest.max(heads[column].0.chars().count()) }
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let names: Vec<String> = heads.iter().map(|(name, _)| (*name).to_owned()).collect();
    for row in std::iter::once(&names).chain(rows) {
        let mut line = String::new();
        for ((cell, &width), (_, side)) in row.iter().zip(&widths).zip(heads) {
            if width == 0 {
                continue;
            }
            // Strings take what is written.
            let _ = match side {
                Side::Left => write!(line, "  {cell:<width$}"),
                Side::Right => write!(line, "  {cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Rows from the first on, and how many more there are unless all are asked for.
pub(crate) fn cut<T>(all: &[T], wanted: bool, most: usize) -> (&[T], usize) {
    // One row too many is shown rather than spoken of.
    if wanted || all.len() <= most + 1 { (all, 0) } else { (&all[..most], all.len() - most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_columns_vanish_and_numbers_stand_right() {
        let mut out = Vec::new();
        let heads = [("name", Side::Left), ("none", Side::Left), ("n", Side::Right)];
        let row = |name: &str, n: &str| vec![name.to_owned(), String::new(), n.to_owned()];
        write(&mut out, &heads, &[row("a", "1"), row("bé", "1,000")]).unwrap();
        let expected = "  name      n\n  a         1\n  bé    1,000\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(cut(&[1, 2, 3], false, 1), (&[1][..], 2));
        assert_eq!(cut(&[1, 2], false, 1), (&[1, 2][..], 0));
    }
}
