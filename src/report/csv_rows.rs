//! Rows of csv, and what is wrong with them.

use crate::excerpt::sentence;
use serde::de::DeserializeOwned;

/// A row and its line, or what is wrong with it.
pub(super) type Row<T> = Result<(u64, T), String>;

/// The header and the rows of a csv file; a refusal names the line, the column, its content and what `expected` says of
/// that column. Names that may have spaces of their own want only the header trimmed.
pub(super) fn read_rows<T: DeserializeOwned>(
    bytes: &[u8],
    trim: csv::Trim,
    expected: fn(&str) -> &'static str,
) -> Result<(csv::StringRecord, impl Iterator<Item = Row<T>>), String> {
    let mut reader = csv::ReaderBuilder::new().trim(trim).from_reader(bytes);
    let header = reader.headers().map_err(|error| sentence(&error))?.clone();
    let names = header.clone();
    let rows = reader.into_records().map(move |record| {
        let record = record.map_err(|error| unreadable(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = record.deserialize(Some(&names)).map_err(|error| wrong(&error, &names, &record, line, expected))?;
        Ok((line, row))
    });
    Ok((header, rows))
}

fn wrong(
    error: &csv::Error,
    names: &csv::StringRecord,
    record: &csv::StringRecord,
    line: u64,
    expected: fn(&str) -> &'static str,
) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return format!("line {line}: {}", sentence(error)) };
    match err.field().and_then(|field| names.get(field as usize).zip(record.get(field as usize))) {
        Some((name, found)) => format!("line {line}, {}: `{}`; expected {}", sentence(&name), sentence(&found), expected(name)),
        None => format!("line {line}: {}", sentence(err.kind())),
    }
}

fn unreadable(error: &csv::Error) -> String {
    match (error.kind(), error.position()) {
        (csv::ErrorKind::UnequalLengths { expected_len, len, .. }, Some(position)) => {
            format!("line {} has {len} fields; expected {expected_len}", position.line())
        }
        (csv::ErrorKind::Utf8 { .. }, Some(position)) => format!("line {} is not text", position.line()),
        _ => sentence(error),
    }
}
