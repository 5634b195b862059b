//! Reads csv by the names of columns, with the line of each fault.

use serde::de::DeserializeOwned;

use crate::error::TableFault;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFormat {
    /// A header line and comma-separated numbers, each with all its digits.
    Csv,
    /// An array of objects with the names of the csv header.
    Json,
}

/// The names and contents of the columns that a table needs.
pub(super) type Columns = [(&'static str, &'static str)];

pub(super) const WHOLE: &str = "a whole number from 0";

pub(super) type Row<'b, T> = Result<(Line<'b>, T), TableFault>;

/// The line of a record, from 1, as an editor counts lines: also after empty lines, and whatever
/// ends a line. It is counted when it is written; the reader's own position is where the record
/// before ended.
#[derive(Clone, Copy)]
pub(super) struct Line<'b> {
    bytes: &'b [u8],
    after_last: usize,
}

impl<'b> Line<'b> {
    pub(super) fn of(position: Option<&csv::Position>, bytes: &'b [u8]) -> Self {
        let after_last = position.map_or(0, |position| position.byte() as usize);
        Self { bytes, after_last: after_last.min(bytes.len()) }
    }
}

impl Line<'_> {
    pub(super) fn number(&self) -> u64 {
        let empty =
            self.bytes[self.after_last..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
        let mut line = 1_u64;
        let mut last = b' ';
        for &byte in &self.bytes[..self.after_last + empty] {
            // A line ends with a line feed, a carriage return, or both.
            if byte == b'\r' || (byte == b'\n' && last != b'\r') {
                line += 1;
            }
            last = byte;
        }
        line
    }
}

/// The rows of a csv file with these columns, in any order and among others; an error names the
/// line, the column, its content and the expected one. For names with spaces of their own, only the
/// header is trimmed.
pub(super) fn read_csv<'b, T: DeserializeOwned>(
    bytes: &'b [u8],
    trim: csv::Trim,
    columns: &'static Columns,
) -> Result<impl Iterator<Item = Row<'b, T>>, TableFault> {
    let mut reader = csv::ReaderBuilder::new().trim(trim).from_reader(bytes);
    let names = reader.headers().map_err(|error| unreadable(&error, bytes))?.clone();
    if let Some(&(column, _)) =
        columns.iter().find(|(column, _)| !names.iter().any(|name| name == *column))
    {
        let expected = columns.iter().map(|&(column, _)| column).collect::<Vec<_>>().join(",");
        return Err(TableFault::Column { column, expected });
    }
    Ok(reader.into_records().map(move |record| {
        let record = record.map_err(|error| unreadable(&error, bytes))?;
        let line = Line::of(record.position(), bytes);
        let row = record
            .deserialize(Some(&names))
            .map_err(|error| wrong(&error, &names, &record, line, columns))?;
        Ok((line, row))
    }))
}

pub(super) fn read_rows<'b, T: DeserializeOwned + 'b>(
    bytes: &'b [u8],
    format: TableFormat,
    columns: &'static Columns,
) -> Result<Box<dyn Iterator<Item = Result<T, TableFault>> + 'b>, TableFault> {
    match format {
        TableFormat::Csv => {
            Ok(Box::new(read_csv(bytes, csv::Trim::All, columns)?.map(|row| Ok(row?.1))))
        }
        TableFormat::Json => {
            let rows: Vec<T> = serde_json::from_slice(bytes)
                .map_err(|error| TableFault::Unreadable { reason: error.to_string() })?;
            Ok(Box::new(rows.into_iter().map(Ok)))
        }
    }
}

pub(super) fn format_of(bytes: &[u8]) -> TableFormat {
    let is_json = bytes.trim_ascii_start().first().is_some_and(|first| b"[{".contains(first));
    if is_json { TableFormat::Json } else { TableFormat::Csv }
}

fn wrong(
    error: &csv::Error,
    names: &csv::StringRecord,
    record: &csv::StringRecord,
    line: Line<'_>,
    columns: &'static Columns,
) -> TableFault {
    let line = line.number();
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
        return TableFault::Line { line, reason: error.to_string() };
    };
    match err.field().and_then(|field| names.get(field as usize).zip(record.get(field as usize))) {
        Some((name, text)) => {
            let expected = columns
                .iter()
                .find(|(column, _)| *column == name)
                .map_or("text", |(_, expected)| expected);
            TableFault::Entry { line, column: name.to_owned(), text: text.to_owned(), expected }
        }
        None => TableFault::Line { line, reason: err.kind().to_string() },
    }
}

/// Why a record cannot be read.
pub(super) fn unreadable(error: &csv::Error, bytes: &[u8]) -> TableFault {
    let line = Line::of(error.position(), bytes);
    match (error.kind(), error.position()) {
        (&csv::ErrorKind::UnequalLengths { expected_len: expected, len: found, .. }, Some(_)) => {
            TableFault::Fields { line: line.number(), found, expected }
        }
        (csv::ErrorKind::Utf8 { .. }, Some(_)) => TableFault::NotText { line: line.number() },
        _ => TableFault::Unreadable { reason: error.to_string() },
    }
}
