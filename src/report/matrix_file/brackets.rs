//! Matrices in brackets: JSON, arrays as numpy prints them, `[3 -1; -2 1]`.

use num_rational::BigRational;
use serde_json::value::RawValue;

use super::{WrittenMatrix, no_number, parse, refused, unnamed};
use crate::error::MatrixError;
use stochastic_game::internal::{Quoted, sentence};

pub(super) fn read(text: &str) -> Result<WrittenMatrix, MatrixError> {
    let rows = match serde_json::from_str::<Vec<Vec<&RawValue>>>(text) {
        Ok(rows) => rows
            .iter()
            .map(|row| row.iter().map(|entry| entry.get().trim_matches('"').to_owned()).collect())
            .collect(),
        Err(error) => printed(text).map_err(|reason| {
            refused(format!(
                "it is no JSON array of rows ({}), nor a printed array: {reason}",
                sentence(&error)
            ))
        })?,
    };
    let payoffs =
        rows.iter().zip(1..).map(|(row, number)| numbers(row, number)).collect::<Result<_, _>>()?;
    Ok(unnamed(payoffs))
}

fn numbers(row: &[String], number: usize) -> Result<Vec<BigRational>, MatrixError> {
    let mut numbers = Vec::with_capacity(row.len());
    for (entry, column) in row.iter().zip(1..) {
        let number = parse(entry).ok_or_else(|| {
            refused(format!("row {number}, column {column}: {}", no_number(entry)))
        })?;
        numbers.push(number);
    }
    Ok(numbers)
}

/// The entries of an array of rows in brackets, separated by spaces or commas; rows may also be
/// separated by semicolons.
fn printed(text: &str) -> Result<Vec<Vec<String>>, String> {
    let inside = ["array(", "matrix("].iter().find_map(|begin| text.strip_prefix(begin));
    let mut rest = inside.unwrap_or(text).trim_start();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut depth, mut has_semicolons) = (0, false);
    loop {
        rest = rest.trim_start_matches(|space: char| space.is_whitespace() || space == ',');
        let Some(first) = rest.chars().next() else {
            return Err("a bracket is not closed".to_owned());
        };
        match first {
            '[' if depth < 2 => {
                depth += 1;
                if depth == 2 {
                    rows.push(Vec::new());
                }
            }
            ']' => depth -= 1,
            ';' if depth == 1 && !rows.is_empty() => {
                has_semicolons = true;
                rows.push(Vec::new());
            }
            '[' | ';' => {
                return Err(format!(
                    "{} stands where an entry is expected",
                    Quoted(&first.to_string())
                ));
            }
            _ => {
                let end = rest
                    .find(|next: char| next.is_whitespace() || "[],;".contains(next))
                    .unwrap_or(rest.len());
                if depth == 1 && rows.is_empty() {
                    rows.push(Vec::new());
                }
                if let Some(row) = rows.last_mut() {
                    row.push(rest[..end].to_owned());
                }
                rest = &rest[end..];
                continue;
            }
        }
        rest = &rest[first.len_utf8()..];
        if depth == 0 {
            break;
        }
    }
    // Only rows in brackets of their own, or separated by semicolons, make a matrix.
    if text.matches('[').count() < 2 && !has_semicolons {
        return Err("it is a list; expected rows in brackets of their own".to_owned());
    }
    let after = rest.trim();
    let is_end = if inside.is_some() {
        after.ends_with(')') && !after.contains('[')
    } else {
        after.is_empty()
    };
    if is_end { Ok(rows) } else { Err(format!("{} stands after the array", Quoted(after))) }
}
