//! Learning curves as csv.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::FileError;
use super::tables::{TableFormat, write_rows};
use crate::{CurvePoint, Error};

/// A point of a curve as a row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CurveRow {
    /// The games played.
    pub games: u64,
    /// The seconds spent on playing and learning.
    pub seconds: f64,
    /// The numbers read, if the learner counts them.
    pub entries_read: Option<u64>,
    /// What a player gains by responding best.
    pub exploitability: f64,
    /// What the policy wins against optimal play.
    pub against_optimum: f64,
    /// What the policy wins against a player at random.
    pub against_uniform: f64,
}

impl From<CurvePoint> for CurveRow {
    fn from(point: CurvePoint) -> Self {
        let CurvePoint { games, seconds, entries_read, exploitability, against_optimum, against_uniform } = point;
        Self { games, seconds, entries_read, exploitability, against_optimum, against_uniform }
    }
}

impl From<CurveRow> for CurvePoint {
    fn from(row: CurveRow) -> Self {
        let CurveRow { games, seconds, entries_read, exploitability, against_optimum, against_uniform } = row;
        Self { games, seconds, entries_read, exploitability, against_optimum, against_uniform }
    }
}

/// Writes a curve as csv: `games,seconds,entries_read,exploitability,against_optimum,against_uniform`.
///
/// # Errors
/// What the writer reports.
pub fn write_curve(points: &[CurvePoint], out: impl Write) -> io::Result<()> {
    write_rows(TableFormat::Csv, out, points.iter().map(|&point| CurveRow::from(point)))
}

/// Reads a curve: rows in which games rise and all numbers are finite.
///
/// # Errors
/// [`FileError::Unreadable`], and [`FileError::Content`] with [`Error::CurveFile`].
pub fn read_curve(path: &Path) -> Result<Vec<CurvePoint>, FileError> {
    let bytes = fs::read(path).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    parse(&bytes).map_err(|reason| FileError::Content { path: path.to_owned(), source: Error::CurveFile { reason } })
}

fn parse(bytes: &[u8]) -> Result<Vec<CurvePoint>, String> {
    let mut points: Vec<CurvePoint> = Vec::new();
    for (row, line) in csv::Reader::from_reader(bytes).deserialize::<CurveRow>().zip(2..) {
        let row = row.map_err(|error| error.to_string())?;
        let numbers = [row.seconds, row.exploitability, row.against_optimum, row.against_uniform];
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(format!("line {line} has a number that is not finite"));
        }
        if points.last().is_some_and(|last| last.games >= row.games) {
            return Err(format!("line {line} has {} games, no more than the line before", row.games));
        }
        points.push(row.into());
    }
    if points.is_empty() { Err("there is no point in it".to_owned()) } else { Ok(points) }
}
