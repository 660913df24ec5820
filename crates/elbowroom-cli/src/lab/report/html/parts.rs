//! Tables, charts, claims and pictures of the page.

use std::borrow::Cow;
use std::fmt::Write;

use elbowroom_lab::{Cell, Chart, Claim, Picture, Table, Verdict};

use crate::lab::plot;
use crate::lab::report::book::{self, Section};
use crate::lab::report::number;
use crate::output::base64::base64;

/// Longer tables are folded.
const FOLDED: usize = 14;

/// Text that says nothing to a browser but itself.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Running text, with `code` set as such.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd tick is a tick.
    let is_paired = pieces.len() % 2 == 1;
    for (i, piece) in pieces.iter().enumerate() {
        let piece = escaped(piece);
        match (i % 2 == 1, is_paired) {
            (true, true) => out.extend(["<code>", &piece, "</code>"]),
            (_, false) if i > 0 => out.extend(["`", &piece]),
            _ => out.push_str(&piece),
        }
    }
    out
}

/// What the style calls a verdict.
pub(super) fn class(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Holds) => "holds",
        Some(Verdict::HoldsWithAnotherNumber) => "another",
        Some(Verdict::DoesNotHold) => "not",
        Some(Verdict::NotTestable) => "untestable",
        None => "open",
    }
}

/// All of an experiment but its heading.
pub(super) fn section_body(out: &mut String, section: &Section) {
    let report = &section.report;
    push!(out, "<p>{}</p>\n", prose(&report.what));
    for drawn in &report.charts {
        chart(out, drawn);
    }
    let is_ours = section.experiment.paper == crate::lab::report::OURS;
    let who = if is_ours { "What is asked" } else { "What the paper says" };
    push!(out, "<h4>{who}, and what comes out</h4>\n");
    for told in &report.claims {
        claim(out, told);
    }
    for shown in &report.tables {
        table(out, shown);
    }
    if !report.notes.is_empty() {
        out.push_str("<h4>Notes</h4>\n<ul class=\"notes\">\n");
        for note in &report.notes {
            push!(out, "<li>{}</li>\n", prose(note));
        }
        out.push_str("</ul>\n");
    }
}

fn chart(out: &mut String, chart: &Chart) {
    let svg = base64(plot::svg(chart).as_bytes());
    let (title, svg) = (escaped(&chart.title), String::from_utf8_lossy(&svg));
    push!(
        out,
        "<figure class=\"chart\"><img alt=\"{title}\" src=\"data:image/svg+xml;base64,{svg}\">"
    );
    let clock = if chart.timed { " By the clock: differs from run to run." } else { "" };
    push!(out, "<figcaption><b>{title}.</b>{clock}</figcaption></figure>\n");
}

pub(super) fn picture(out: &mut String, picture: &Picture) {
    let (title, [width, height]) = (escaped(&picture.title), picture.size);
    let png = base64(&picture.png);
    push!(out, "<figure id=\"picture-{}\"><img alt=\"{title}\" ", picture.name);
    push!(out, "width=\"{width}\" height=\"{height}\" loading=\"lazy\" ");
    push!(out, "src=\"data:image/png;base64,{}\">", String::from_utf8_lossy(&png));
    push!(out, "<figcaption><b>{title}.</b> {}</figcaption></figure>\n", prose(&picture.caption));
}

fn claim(out: &mut String, claim: &Claim) {
    let (id, verdict) = (claim.id, Some(claim.verdict));
    let class = class(verdict);
    push!(out, "<article class=\"claim {class}\" id=\"{id}\">\n<p>");
    push!(out, "<span class=\"chip\">{} {}</span> ", book::sign(verdict), book::name(verdict));
    push!(out, "<span class=\"tag id\"><a href=\"#{id}\">{id}</a></span>");
    if claim.timed {
        out.push_str("<span class=\"tag\">by the clock</span>");
    }
    if claim.failed() {
        out.push_str("<span class=\"tag\"><strong>but has to</strong></span>");
    }
    push!(out, "</p>\n<p class=\"says\">{}</p>\n<dl>", prose(&claim.claim));
    if !claim.paper.is_empty() {
        push!(out, "<dt>paper</dt><dd>{}</dd>\n", prose(&claim.paper));
    }
    push!(out, "<dt>here</dt><dd>{}</dd></dl>\n", prose(&claim.ours));
    if !claim.why.is_empty() {
        push!(out, "<p class=\"why\">{}</p>\n", prose(&claim.why));
    }
    out.push_str("</article>\n");
}

fn table(out: &mut String, table: &Table) {
    let title = escaped(&table.title);
    let folded = table.rows.len() > FOLDED;
    if folded {
        let rows = table.rows.len();
        push!(out, "<details><summary>{title} <span>({rows} rows)</span></summary>\n");
    } else {
        push!(out, "<h4>{title}</h4>\n");
    }
    let classes: Vec<String> = (0..table.columns.len()).map(|i| column_class(table, i)).collect();
    out.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for (name, class) in table.columns.iter().zip(&classes) {
        push!(out, "<th{class}>{}</th>", escaped(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (cell, class) in row.iter().zip(&classes) {
            push!(out, "<td{class}>{}</td>", escaped(&number::cell(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if folded {
        out.push_str("</details>\n");
    }
}

/// Numbers end in line, and the paper's own stand on a ground of their own.
fn column_class(table: &Table, column: usize) -> String {
    let is_number =
        |row: &Vec<Cell>| matches!(row.get(column), Some(Cell::Count(_) | Cell::Number(_)));
    let number = if table.rows.iter().any(is_number) { "n" } else { "" };
    let is_theirs = table.columns[column].to_lowercase().contains("paper");
    match (number, if is_theirs { "theirs" } else { "" }) {
        ("", "") => String::new(),
        (number, "") => format!(" class=\"{number}\""),
        (number, theirs) => format!(" class=\"{}\"", format!("{number} {theirs}").trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
        assert_eq!(escaped("plain"), "plain");
        assert_eq!(prose("run `a<b` now"), "run <code>a&lt;b</code> now");
        assert_eq!(prose("one ` tick"), "one ` tick");
    }

    #[test]
    fn the_papers_columns_stand_out() {
        let table = Table {
            title: "t".to_owned(),
            columns: ["way", "time", "paper's time"].map(str::to_owned).to_vec(),
            rows: vec![vec![Cell::Text("x".to_owned()), Cell::Number(1.0), Cell::Missing]],
        };
        let classes: Vec<String> = (0..3).map(|i| column_class(&table, i)).collect();
        assert_eq!(classes, ["", " class=\"n\"", " class=\"theirs\""]);
    }
}
