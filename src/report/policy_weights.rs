//! Policies as the article keeps them: one matrix of weights for both players.

use std::io::{self, Write};

use super::tables::system_error;
use crate::error::{Error, PolicyError};
use crate::excerpt::sentence;
use crate::game::{Player, Rules};
use crate::policy::{Policy, PolicyBuilder, PolicyNumbers};

pub(super) fn check(policy: &Policy) -> Result<(), Error> {
    let [a, b] = policy.points();
    if a != b {
        return Err(PolicyError::Mirror { a, b }.into());
    }
    if !policy.covers(Player::A) {
        return Err(PolicyError::LacksPlayer { player: Player::A }.into());
    }
    if policy.covers(Player::B) && policy.mirrored() != *policy {
        return Err(PolicyError::Lopsided.into());
    }
    Ok(())
}

pub(super) fn rows(policy: &Policy) -> impl Iterator<Item = Vec<f64>> {
    let columns = policy.points()[0] as usize + 1;
    policy.states().map(move |state| {
        let mut row = vec![0.0; columns];
        for (bid, probability) in policy.probabilities(state, Player::A).into_iter().flatten() {
            row[bid as usize] = probability;
        }
        row
    })
}

pub(super) fn from_rows(
    rules: &Rules,
    points: [u32; 2],
    rows: impl Iterator<Item = Result<Vec<f64>, Error>>,
) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let [a, b] = points;
    if a != b {
        return Err(PolicyError::Mirror { a, b }.into());
    }
    let columns = a as usize + 1;
    let mut states = builder.space().states();
    let expected = builder.space().len();
    let mut found = 0;
    for row in rows {
        let row = row?;
        found += 1;
        if row.len() != columns {
            let reason = format!("row {found} of the weights has {} columns; expected {columns}", row.len());
            return Err(PolicyError::File { reason }.into());
        }
        // Rows too many are counted, to say how many there are.
        let Some(state) = states.next() else { continue };
        for (bid, &weight) in (0..).zip(&row) {
            builder.set(state, Player::A, bid, weight)?;
        }
    }
    if found != expected {
        return Err(PolicyError::File {
            reason: format!("the weights have {found} rows; expected {expected}, one for every state"),
        }
        .into());
    }
    builder.finish(PolicyNumbers::Weights)?.completed_by_mirror()
}

pub(super) fn write_csv(policy: &Policy, out: impl Write) -> io::Result<()> {
    check(policy).map_err(io::Error::other)?;
    let mut writer = csv::Writer::from_writer(out);
    for row in rows(policy) {
        writer.serialize(row).map_err(system_error)?;
    }
    writer.flush()
}

pub(super) fn read_csv(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(bytes);
    let rows = reader.records().enumerate().map(|(index, record)| {
        let refuse = |reason| Error::from(PolicyError::File { reason });
        let record = record.map_err(|error| refuse(sentence(&error)))?;
        let number = |text: &str| {
            text.parse().map_err(|_| refuse(format!("row {} of the weights: `{}` is not a number", index + 1, sentence(&text))))
        };
        record.iter().map(number).collect()
    });
    from_rows(rules, points, rows)
}
