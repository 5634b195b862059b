//! Rows of csv about blind Tennis.

use std::io::{self, Write};

use super::rows::TableFormat;
use super::rows::{Columns, WHOLE, format_of, read_rows};
use super::tables::write_rows;
use crate::blind::BlindPolicy;
use crate::error::{BlindError, Error, TableFault};
use crate::game::{Rules, State};

const COLUMNS: &Columns = &[
    ("player", "A or B"),
    ("bids", "numbers separated by spaces"),
    ("balls", "numbers separated by spaces"),
    ("bid", WHOLE),
    ("probability", "a number from 0 to 1 such as 0.25 or 1/3"),
];

/// Writes a row for every legal bid at every information set, A's first.
pub fn write_blind_policy(
    policy: &BlindPolicy,
    format: TableFormat,
    out: impl Write,
) -> io::Result<()> {
    write_rows(format, out, policy.rows())
}

/// Reads a policy as [`write_blind_policy`] writes it, in csv or JSON, and checks that it covers
/// every information set.
///
/// # Errors
/// [`BlindError::File`](BlindError::File), and as for [`BlindPolicy::from_rows`].
pub fn read_blind_policy(bytes: &[u8], rules: &Rules, start: State) -> Result<BlindPolicy, Error> {
    let refuse = |fault: TableFault| Error::from(BlindError::File { reason: fault.to_string() });
    let rows =
        read_rows(bytes, format_of(bytes), COLUMNS).map_err(refuse)?.collect::<Result<Vec<_>, _>>();
    BlindPolicy::from_rows(rules, start, rows.map_err(refuse)?)
}
