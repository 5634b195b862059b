use std::io::{self, Write};
use std::path::Path;

use super::rows::{Columns, WHOLE, read_csv};
use super::tables::{TableFormat, write_rows};
use super::{FileError, read_file};
use crate::agents::CurvePoint;
use crate::error::AgentError;

/// Writes a curve as csv: `games,seconds,entries_read,exploitability,against_optimum,against_uniform`.
pub fn write_curve(points: &[CurvePoint], out: impl Write) -> io::Result<()> {
    write_rows(TableFormat::Csv, out, points.iter())
}

/// The longest curve file: far more evaluations than a curve has.
const MOST_BYTES: u64 = 1 << 26;

/// Reads a curve: rows in which games rise and all numbers are finite.
///
/// # Errors
/// [`FileError::Unreadable`], and [`FileError::Content`] with [`AgentError::CurveFile`].
pub fn read_curve(path: &Path) -> Result<Vec<CurvePoint>, FileError> {
    let bytes = read_file(path, MOST_BYTES)?;
    parse(&bytes).map_err(|reason| FileError::Content { path: path.to_owned(), source: AgentError::CurveFile { reason }.into() })
}

const COLUMNS: &Columns = &[
    ("games", WHOLE),
    ("seconds", "a number"),
    ("entries_read", WHOLE),
    ("exploitability", "a number"),
    ("against_optimum", "a number"),
    ("against_uniform", "a number"),
];

fn parse(bytes: &[u8]) -> Result<Vec<CurvePoint>, String> {
    let mut points: Vec<CurvePoint> = Vec::new();
    for point in read_csv::<CurvePoint>(bytes, csv::Trim::All, COLUMNS)? {
        let (line, point) = point?;
        let numbers = [point.seconds, point.exploitability, point.against_optimum, point.against_uniform];
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(format!("line {line} has a number that is not finite"));
        }
        if points.last().is_some_and(|last| last.games >= point.games) {
            return Err(format!("line {line} has {} games, no more than the line before", point.games));
        }
        points.push(point);
    }
    if points.is_empty() { Err("there is no point in it".to_owned()) } else { Ok(points) }
}
