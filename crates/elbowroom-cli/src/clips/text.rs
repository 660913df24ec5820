//! Findings for people.

use std::io::{self, Write};

use super::findings::{Findings, Offsets};
use super::side::Side;
use super::skins::Skins;
use super::{APART, Report};
use crate::messages::{count, short};

/// More lines than that are for programs.
const MOST_LINES: usize = 40;

pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let Report { sides, findings, .. } = report;
    let width = sides.iter().map(|side| side.name.chars().count()).max().unwrap_or(0);
    for side in sides {
        writeln!(out, "{}  {:width$}  {}", side.letter, side.name, described(side))?;
    }
    writeln!(out)?;
    if let Some(reason) = report.nothing {
        return writeln!(out, "Nothing examined: {reason}.");
    }
    write_contacts(out, findings)?;
    write_nearest(out, findings)?;
    if let Some(skins) = &findings.skins {
        write_skins(out, skins)?;
    }
    findings.offsets.as_ref().map_or(Ok(()), |offsets| write_offsets(out, offsets))
}

fn described(side: &Side) -> String {
    let trace = side.trace();
    let [least, greatest] = side.radii().map(short);
    let radius = if least == greatest {
        format!("radius {least} m")
    } else {
        format!("reach {least} to {greatest} m")
    };
    let text = format!(
        "clip {:?}, {:.3} s, {} at {} per second, {radius}",
        side.clip,
        trace.seconds(),
        count(trace.len() as u64, "sample"),
        short(1.0 / trace.dt())
    );
    [text, standing(side)].concat()
}

/// Where and when, as far as it was said.
fn standing(side: &Side) -> String {
    let spot = side.spot;
    let place = if (spot.x, spot.y, spot.degrees) == (0.0, 0.0, 0.0) {
        String::new()
    } else {
        format!(", at {}, {}", short(spot.x), short(spot.y))
    };
    let turn = if spot.degrees == 0.0 {
        String::new()
    } else {
        format!(" turned by {}°", short(spot.degrees))
    };
    let start = match side.placed.start() {
        0.0 => String::new(),
        start => format!(", from {} s on", short(start)),
    };
    [place, turn, start].concat()
}

fn write_contacts(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    let contacts = &findings.contacts;
    if contacts.is_empty() {
        return match findings.nearest {
            Some(_) => writeln!(out, "They do not collide."),
            None => writeln!(out, "They do not collide: {APART}."),
        };
    }
    let times =
        if contacts.len() == 1 { "once".to_owned() } else { format!("{} times", contacts.len()) };
    writeln!(out, "They collide {times}, for {:.3} s in all.", findings.seconds())?;
    writeln!(out, "      from s        to s       for s   samples A–B, first and last")?;
    for contact in contacts.iter().take(MOST_LINES) {
        let ((a, b), (c, d)) = (contact.first, contact.last);
        let length = contact.to - contact.from;
        writeln!(
            out,
            "  {:10.3}  {:10.3}  {length:10.3}   {a}–{b}, {c}–{d}",
            contact.from, contact.to
        )?;
    }
    write_more(out, contacts.len())
}

fn write_more(out: &mut impl Write, lines: usize) -> io::Result<()> {
    if lines > MOST_LINES {
        writeln!(out, "  and {} more; --json has them all", lines - MOST_LINES)?;
    }
    Ok(())
}

fn write_nearest(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    let Some(nearest) = &findings.nearest else { return Ok(()) };
    let gap = nearest.gap;
    let what = if gap < 0.0 {
        format!("the disks overlap by {:.3} m", -gap)
    } else {
        format!("{gap:.3} m between the disks")
    };
    writeln!(out, "Nearest approach: {what}, at {:.3} s.", nearest.time)
}

fn write_skins(out: &mut impl Write, skins: &Skins) -> io::Result<()> {
    let Skins { contacts, disks, cleared, compared } = skins;
    writeln!(out)?;
    if contacts.is_empty() {
        writeln!(out, "The bodies do not touch.")?;
    } else {
        let seconds = skins.seconds();
        let times = if contacts.len() == 1 {
            "once".to_owned()
        } else {
            format!("{} times", contacts.len())
        };
        writeln!(out, "The bodies touch {times}, for {seconds:.3} s in all.")?;
        writeln!(out, "      from s        to s       for s   samples A–B, first and last")?;
        for contact in contacts.iter().take(MOST_LINES) {
            let ([a, b], [c, d]) = (contact.first, contact.last);
            let length = contact.to - contact.from;
            writeln!(
                out,
                "  {:10.3}  {:10.3}  {length:10.3}   {a}–{b}, {c}–{d}",
                contact.from, contact.to
            )?;
        }
        write_more(out, contacts.len())?;
    }
    let pairs = count(*disks, "pair");
    writeln!(
        out,
        "{pairs} of samples have disks that collide: {cleared} are clear from above, and {compared} had their skins compared."
    )
}

fn write_offsets(out: &mut impl Write, offsets: &Offsets) -> io::Result<()> {
    let Offsets { now, from, to, intervals, .. } = offsets;
    let (now, range) = (short(*now), format!("{} to {} s", short(*from), short(*to)));
    writeln!(out)?;
    if intervals.is_empty() {
        writeln!(out, "They collide at no start offset of B against A from {range}.")?;
    } else {
        let share = 100.0 * offsets.seconds() / (to - from);
        writeln!(
            out,
            "Start offsets of B against A from {range} at which they collide, {share:.1} % of them:"
        )?;
        writeln!(out, "      from s        to s       for s")?;
        for interval in intervals.iter().take(MOST_LINES) {
            let length = interval.to - interval.from;
            writeln!(out, "  {:10.3}  {:10.3}  {length:10.3}", interval.from, interval.to)?;
        }
        write_more(out, intervals.len())?;
    }
    if !offsets.collides_now {
        return writeln!(out, "The offset now, {now} s, is free.");
    }
    writeln!(
        out,
        "The offset now, {now} s, collides. Smallest wait of B: {:.3} s; nearest free offset: {:.3} s.",
        offsets.smallest_wait, offsets.nearest_free
    )
}
