//! Tables that fit on a screen: columns that have no room go into another block below.

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
