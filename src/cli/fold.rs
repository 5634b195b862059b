//! Tables for people: lines of cells, and blocks that fit on a screen.

use std::fmt::Display;
use std::io::{self, Write};

/// The least width of a screen.
pub(super) const WIDTH: usize = 80;

/// Writes a table in blocks of as many columns as fit; every block repeats the heads of the rows.
///
/// `head` is the width of the heads of the rows, `cell` that of a cell.
pub(super) fn write_folded(
    out: &mut impl Write,
    (head, cell): (usize, usize),
    columns: &[String],
    rows: &[(String, Vec<String>)],
) -> io::Result<()> {
    let room = ((WIDTH - head) / cell).max(1);
    for first in (0..columns.len()).step_by(room) {
        let last = (first + room).min(columns.len());
        if first > 0 {
            writeln!(out)?;
        }
        write_line(out, (head, cell), "", &columns[first..last])?;
        for (name, cells) in rows {
            write_line(out, (head, cell), name, &cells[first..last])?;
        }
    }
    Ok(())
}

fn write_line(out: &mut impl Write, (head, cell): (usize, usize), name: &str, cells: &[String]) -> io::Result<()> {
    write!(out, "{name:>head$}")?;
    for text in cells {
        write!(out, "{text:>cell$}")?;
    }
    writeln!(out)
}

/// Writes the lines of a table: cells of these widths, to the right, or to the left where the width is below 0.
pub(super) fn columns<const N: usize>(between: &'static str, widths: [i8; N]) -> impl Fn([&dyn Display; N]) -> String {
    move |cells| {
        let cell = |(width, cell): (i8, &dyn Display)| {
            let (cell, room) = (cell.to_string(), usize::from(width.unsigned_abs()));
            if width < 0 { format!("{cell:<room$}") } else { format!("{cell:>room$}") }
        };
        let line = widths.into_iter().zip(cells).map(cell).collect::<Vec<_>>().join(between);
        line.trim_end().to_owned()
    }
}

/// A name, its probability, and that as a fraction where it is known.
pub(super) type Bar<'b> = (String, f64, Option<&'b str>);

/// Writes probabilities as bars of at most `most` blocks behind names of this width; a column for fractions that are not too long,
/// if there are any, takes its room from the bars.
pub(super) fn write_bars(out: &mut impl Write, bars: &[Bar<'_>], name: usize, fraction: usize, most: f64) -> io::Result<()> {
    let short = |exact: Option<&'_ str>| exact.filter(|exact| exact.len() <= fraction).unwrap_or_default().to_owned();
    let widest = bars.iter().map(|&(.., exact)| short(exact).len()).max().filter(|&widest| widest > 0);
    let room = most.min((WIDTH - 15 - name - widest.map_or(0, |widest| widest + 2)) as f64);
    for (label, probability, exact) in bars {
        let percent = match 100.0 * probability {
            percent if percent >= 0.01 => format!("{percent:.2} %"),
            _ => format!("{probability:.1e}"),
        };
        let exact = widest.map_or(String::new(), |widest| format!("{:>widest$}  ", short(*exact)));
        writeln!(out, "  {label:>name$}  {percent:>9}  {exact}{}", bar(probability * room))?;
    }
    Ok(())
}

/// A bar of this many blocks, in eighths.
fn bar(length: f64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (length * 8.0).round() as usize;
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}
