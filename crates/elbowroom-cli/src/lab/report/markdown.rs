//! The report's summary as a README, for a code host: every claim with what the paper says and what
//! came out, and one picture a paper. It links to nothing but pictures, so it can be kept alone.

use std::fmt::Write;

use elbowroom_lab::Claim;

use super::book::{self, Book, Chapter, Section, VERDICTS, picture_file};
use super::number::duration;
use super::prose;

const REST: &str = "This is the summary: every claim, what the paper says, and what came out. Beside \
    it `elbowroom lab report` writes `index.html`, one page with every chart, table and picture, \
    and `report.json`, the same for programs. Where they are not kept, it makes them again. \
    `verdicts.json` has the verdicts alone.";

/// The file.
pub(super) fn page(book: &Book) -> String {
    let mut out = String::with_capacity(1 << 18);
    push!(out, "# {}\n\n{}\n\n", prose::TITLE, prose::OPENING);
    push!(out, "{REST}\n\n");
    for line in prose::made(book) {
        push!(out, "{line}  \n");
    }
    summary(&mut out, book);
    for chapter in &book.chapters {
        told(&mut out, book, chapter);
    }
    out
}

fn summary(out: &mut String, book: &Book) {
    push!(out, "\n## Verdicts\n\n{}\n\n| paper |", prose::in_all(book));
    for verdict in VERDICTS {
        push!(out, " {} {} |", book::sign(verdict), book::name(verdict));
    }
    out.push_str("\n|---|---:|---:|---:|---:|---:|\n");
    for chapter in &book.chapters {
        let tally = book::tally(book.entries(chapter).iter().map(book::Entry::verdict));
        push!(out, "| [{}](#{}) |", chapter.paper.name, anchor(chapter));
        for count in tally {
            push!(out, " {} |", if count == 0 { "–".to_owned() } else { count.to_string() });
        }
        out.push('\n');
    }
    out.push('\n');
    for paragraph in prose::HOW {
        push!(out, "{}\n\n", plain(paragraph));
    }
    for verdict in VERDICTS {
        push!(
            out,
            "- {} *{}*: {}\n",
            book::sign(verdict),
            book::name(verdict),
            prose::meaning(verdict)
        );
    }
}

fn anchor(chapter: &Chapter) -> String {
    chapter.paper.prefix.to_lowercase()
}

fn told(out: &mut String, book: &Book, chapter: &Chapter) {
    let paper = chapter.paper;
    push!(out, "\n<a id=\"{}\"></a>\n\n## {}\n\n", anchor(chapter), paper.title);
    if !paper.authors.is_empty() {
        push!(out, "{}, {}. Here: {}.\n\n", paper.authors, paper.appeared, paper.name);
    }
    for (name, text) in prose::introduction(paper) {
        push!(out, "**{name}.** {}\n\n", plain(text));
    }
    all_claims(out, book, chapter);
    if let Some(picture) = chapter.pictures.first() {
        push!(out, "![{}]({})\n\n", plain(&picture.title), picture_file(picture));
        push!(out, "**{}.** {}\n\n", plain(&picture.title), plain(&picture.caption));
    }
    for section in &chapter.sections {
        told_section(out, section);
    }
}

/// Everything that the paper says, in short.
fn all_claims(out: &mut String, book: &Book, chapter: &Chapter) {
    let entries = book.entries(chapter);
    push!(out, "<details><summary>All {} claims in short</summary>\n\n", entries.len());
    out.push_str("| | claim | place | says | verdict |\n|---|---|---|---|---|\n");
    for entry in &entries {
        let (verdict, id) = (entry.verdict(), entry.id);
        let link = if entry.decided.is_some() {
            format!("[{id}](#{})", id.to_lowercase())
        } else {
            id.to_owned()
        };
        push!(out, "| {} | {link} | {} |", book::sign(verdict), cell(entry.place));
        push!(out, " {} | {} |\n", cell(entry.says), book::name(verdict));
    }
    out.push_str("\n</details>\n\n");
}

fn told_section(out: &mut String, section: &Section) {
    let (e, report) = (section.experiment, &section.report);
    push!(out, "<a id=\"{}\"></a>\n\n### {}\n\n", e.id, plain(e.title));
    push!(out, "{} · `elbowroom lab run {}` · took {}\n\n", e.place, e.id, duration(section.secs));
    push!(out, "{}\n\n", plain(&report.what));
    out.push_str("| | claim | paper | here |\n|---|---|---|---|\n");
    for claim in &report.claims {
        told_claim(out, claim);
    }
    out.push('\n');
    for note in &report.notes {
        push!(out, "- {}\n", plain(note));
    }
    out.push('\n');
}

fn told_claim(out: &mut String, claim: &Claim) {
    let verdict = Some(claim.verdict);
    let clock = if claim.timed { ", by the clock" } else { "" };
    let failed = if claim.failed() { ", **but has to**" } else { "" };
    push!(
        out,
        "| {} | <a id=\"{}\"></a>`{}` ",
        book::sign(verdict),
        claim.id.to_lowercase(),
        claim.id
    );
    push!(out, "*{}*{failed}{clock}<br>{} ", book::name(verdict), cell(&claim.claim));
    push!(out, "| {} | {}", cell(&claim.paper), cell(&claim.ours));
    if !claim.why.is_empty() {
        push!(out, "<br>*Why:* {}", cell(&claim.why));
    }
    out.push_str(" |\n");
}

/// Text that says nothing to a renderer but itself, but for `code`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        match c {
            '<' if !is_code => out.push_str("&lt;"),
            '*' | '_' | '[' | ']' | '\\' | '~' if !is_code => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Text for a cell of a table, in which a bar would end the cell.
fn cell(text: &str) -> String {
    plain(text).replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(plain("N_v of AABB* < 3 `a_b*`"), "N\\_v of AABB\\* &lt; 3 `a_b*`");
        assert_eq!(cell("|d|"), "\\|d\\|");
    }
}
