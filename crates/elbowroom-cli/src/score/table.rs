//! The figures of a set as a table for a paper: Markdown, LaTeX or CSV.

use elbowroom_motion::metrics::set::{Dimension, Estimate, FIGURES, Figure};

use super::TableFormat;
use super::set::Set;
use crate::messages::{count, printable};
use crate::outcome::Outcome;

/// What is said below each table.
pub(super) struct About {
    /// The program and its version.
    pub(super) version: &'static str,
    /// The options that change numbers.
    pub(super) options: String,
    /// What was assumed of the files.
    pub(super) assumed: Vec<String>,
    /// The name of the reference.
    pub(super) reference: Option<String>,
    /// How the run ended.
    pub(super) outcome: Outcome,
}

impl About {
    /// One line on how the numbers were made.
    pub(super) fn line(&self, set: &Set, against: Option<&Set>) -> String {
        let (pairs, frames) = (count(set.rows as u64, "pair"), count(set.frames, "frame"));
        let (version, options) = (self.version, &self.options);
        let mut facts = vec![format!("elbowroom {version}; {options}; {pairs}, {frames} examined")];
        if set.failed > 0 {
            facts.push(format!("{} NOT scored", count(set.failed as u64, "clip")));
        }
        if set.estimated > 0 {
            facts.push(format!(
                "in {} answers on solids are estimates (a mesh is open or meets itself)",
                count(set.estimated, "frame")
            ));
        }
        facts.extend(self.assumed.iter().map(|assumed| format!("assumed: {assumed}")));
        if let (Some(name), Some(against)) = (&self.reference, against) {
            let (pairs, frames) =
                (count(against.rows as u64, "pair"), count(against.frames, "frame"));
            facts.push(format!("reference {}: {pairs}, {frames}", printable(name)));
        }
        facts.join("; ")
    }
}

/// What people call a figure, and its unit.
fn title(figure: &Figure) -> (&'static str, &'static str) {
    let title = match figure.name {
        "share_contact" => "frames in contact",
        "share_crossing" => "frames crossing",
        "depth_mean" => "depth, mean over all frames",
        "depth_mean_crossing" => "depth, mean over crossing frames",
        "depth_max" => "depth, largest of the clip",
        "volume_mean" => "volume, mean over all frames",
        "volume_mean_crossing" => "volume, mean over crossing frames",
        "volume_max" => "volume, largest of the clip",
        "distance_min" => "distance, smallest of the clip",
        _ => "incidents in the clip",
    };
    let unit = match figure.dimension {
        Dimension::Length => "cm",
        Dimension::Volume => "cm³",
        Dimension::None if figure.name.starts_with("share") => "%",
        Dimension::None => "",
    };
    (title, unit)
}

/// Shares are shown in per cent.
fn shown(figure: &Figure, value: f64) -> String {
    let factor = if figure.name.starts_with("share") { 100.0 } else { 1.0 };
    format!("{:.3}", value * factor)
}

/// The lines of the table as cells.
fn cells(set: &Set, against: Option<&Set>) -> Vec<Vec<String>> {
    let number = |figure: &Figure, value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| shown(figure, value))
    };
    let interval = |figure: &Figure, of: &Estimate| {
        let ends = of.interval.map(|ends| ends.map(|end| shown(figure, end)));
        ends.map_or_else(|| "–".to_owned(), |[low, high]| format!("{low} to {high}"))
    };
    let line = |(at, figure): (usize, &Figure)| {
        let (title, unit) = title(figure);
        let of = &set.figures[at];
        let mut line = vec![title.to_owned(), unit.to_owned(), number(figure, of.mean)];
        line.extend([interval(figure, of), number(figure, of.max), of.clips.to_string()]);
        if let Some(against) = against {
            let reference = &against.figures[at];
            line.extend([number(figure, reference.mean), interval(figure, reference)]);
            line.push(number(figure, set.less(against, at)));
        }
        line
    };
    FIGURES.iter().enumerate().map(line).collect()
}

const HEAD: [&str; 6] = ["metric", "unit", "mean", "95 % interval", "largest", "pairs"];
const AGAINST: [&str; 3] = ["reference", "95 % interval of it", "difference"];

/// The table and the line below it.
pub(super) fn text(format: TableFormat, set: &Set, against: Option<&Set>, about: &About) -> String {
    let mut head: Vec<&str> = HEAD.to_vec();
    if against.is_some() {
        head.extend(AGAINST);
    }
    let (cells, line) = (cells(set, against), about.line(set, against));
    match format {
        TableFormat::Markdown => markdown(&head, &cells, &line),
        TableFormat::Latex => latex(&head, &cells, &line),
        TableFormat::Csv => csv(&head, set, against, &line),
    }
}

fn markdown(head: &[&str], cells: &[Vec<String>], line: &str) -> String {
    let rule = format!("|---|---|{}", "---:|".repeat(head.len() - 2));
    let rows = cells.iter().map(|row| format!("| {} |", row.join(" | ")));
    let lines = [format!("| {} |", head.join(" | ")), rule].into_iter().chain(rows);
    let lines = lines.chain([String::new(), line.to_owned(), String::new()]);
    lines.collect::<Vec<_>>().join("\n")
}

fn latex(head: &[&str], cells: &[Vec<String>], line: &str) -> String {
    let columns = format!("ll{}", "r".repeat(head.len() - 2));
    let row = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut text = "\\begin{table}\n\\centering\n".to_owned();
    text.push_str(&["\\begin{tabular}{", &columns, "}\n\\hline\n"].concat());
    text += &row(head.iter().map(|name| escaped(name)).collect());
    text += "\\hline\n";
    for cells in cells {
        text += &row(cells.iter().map(|cell| escaped(cell)).collect());
    }
    text += "\\hline\n\\end{tabular}\n";
    text + &format!("\\caption{{{}.}}\n\\end{{table}}\n", escaped(line))
}

/// Text that LaTeX shows as it is.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '%' | '&' | '#' | '_' | '{' | '}' | '$' => out.extend(['\\', c]),
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '–' => out += "--",
            '³' => out += "$^3$",
            c => out.push(c),
        }
    }
    out
}

/// Numbers in full, for programs; shares as parts of one.
fn csv(head: &[&str], set: &Set, against: Option<&Set>, line: &str) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:?}"));
    let ends = |of: &Estimate| {
        let [low, high] = of.interval.map_or([None, None], |ends| ends.map(Some));
        [number(low), number(high)]
    };
    let mut names = vec!["metric", "unit", "mean", "low", "high", "largest", "pairs"];
    if head.len() > HEAD.len() {
        names.extend(["reference", "reference_low", "reference_high", "difference"]);
    }
    let mut text = format!("# {}\n{}\n", line.replace('\n', " "), names.join(","));
    for (at, figure) in FIGURES.iter().enumerate() {
        let of = &set.figures[at];
        let unit = if title(figure).1 == "%" { "" } else { title(figure).1 };
        let mut row = vec![figure.name.to_owned(), unit.replace('³', "3"), number(of.mean)];
        row.extend(ends(of));
        row.extend([number(of.max), of.clips.to_string()]);
        if let Some(against) = against {
            row.push(number(against.figures[at].mean));
            row.extend(ends(&against.figures[at]));
            row.push(number(set.less(against, at)));
        }
        text += &row.join(",");
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn latex_is_escaped() {
        assert_eq!(escaped("95 % of a_b, cm³ – {x}"), "95 \\% of a\\_b, cm$^3$ -- \\{x\\}");
    }
}
