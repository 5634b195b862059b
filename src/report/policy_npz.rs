//! Policies as arrays for numpy.

use std::io::{self, Write};

use super::PolicyFormat;
use super::npy::{self, NumberArray};
use super::policy_weights;
use crate::error::{Error, PolicyError};
use crate::excerpt::sentence;
use crate::game::{ByPlayer, Player, Rules};
use crate::policy::{Policy, PolicyBuilder, PolicyNumbers};

const ARRAYS: [&str; 2] = ["policy_a", "policy_b"];

const WEIGHTS: &str = "weights";

/// The most numbers that are read: what the memory of a policy allows.
const MOST: usize = (Policy::MEMORY_LIMIT / 8) as usize;

pub(super) fn write(policy: &Policy, out: impl Write) -> io::Result<()> {
    let [a, b] = policy.points().map(|points| points as usize);
    let sides = [a + 1, b + 1, 2 * policy.field() as usize + 1, a.max(b) + 1];
    let covered = ARRAYS.into_iter().zip(Player::BOTH).filter(|&(_, player)| policy.covers(player));
    let arrays: Vec<(&str, NumberArray)> = covered
        .map(|(name, player)| {
            let mut array = NumberArray::zeros(&sides);
            // The states are in the order of the array's rows.
            for (state, row) in policy.states().zip(array.numbers.chunks_exact_mut(sides[3])) {
                for (bid, probability) in policy.probabilities(state, player).into_iter().flatten() {
                    row[bid as usize] = probability;
                }
            }
            (name, array)
        })
        .collect();
    npy::write_archive(arrays.iter().map(|(name, array)| (*name, array)), out)
}

pub(super) fn write_weights(policy: &Policy, out: impl Write) -> io::Result<()> {
    policy_weights::check(policy).map_err(io::Error::other)?;
    let numbers: Vec<f64> = policy_weights::rows(policy).flatten().collect();
    let columns = policy.points()[0] as usize + 1;
    npy::write_archive([(WEIGHTS, &NumberArray { shape: vec![numbers.len() / columns, columns], numbers })], out)
}

pub(super) fn read(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let mut builder = PolicyBuilder::new(rules, points)?;
    let [a, b] = points.map(|points| points as usize + 1);
    let (positions, names) = (rules.positions(), names(bytes)?);
    for (name, player) in ARRAYS.into_iter().zip(Player::BOTH) {
        if !names.iter().any(|other| other == name) {
            continue;
        }
        let NumberArray { shape, numbers } = array(bytes, name)?;
        let bids = ByPlayer::from(points)[player] as usize + 1;
        if shape.len() != 4 || shape[..3] != [a, b, positions] || shape[3] < bids {
            let most = a.max(b);
            let found = npy::shape_text(&shape);
            return Err(refused(format!("the array {name} has shape {found}; expected ({a}, {b}, {positions}, {most})")));
        }
        for (state, row) in builder.space().states().zip(numbers.chunks_exact(shape[3])) {
            for (bid, &number) in (0..).zip(row) {
                builder.set(state, player, bid, number)?;
            }
        }
    }
    builder.finish(PolicyNumbers::Probabilities)
}

pub(super) fn read_weights(bytes: &[u8], rules: &Rules, points: [u32; 2]) -> Result<Policy, Error> {
    let NumberArray { shape, numbers } = array(bytes, WEIGHTS)?;
    let &[_, columns] = shape.as_slice() else {
        return Err(refused(format!("the array {WEIGHTS} has shape {}; expected rows and columns", npy::shape_text(&shape))));
    };
    policy_weights::from_rows(rules, points, numbers.chunks_exact(columns).map(|row| Ok(row.to_vec())))
}

pub(super) fn format_of(bytes: &[u8]) -> Result<PolicyFormat, Error> {
    let names = names(bytes)?;
    if names.iter().any(|name| ARRAYS.contains(&name.as_str())) {
        return Ok(PolicyFormat::Npz);
    }
    if names.iter().any(|name| name == WEIGHTS) {
        return Ok(PolicyFormat::WeightsNpz);
    }
    Err(refused(format!("the archive holds {}; expected policy_a, policy_b or {WEIGHTS}", sentence(&names.join(", ")))))
}

fn names(bytes: &[u8]) -> Result<Vec<String>, Error> {
    npy::names(bytes).map_err(refused)
}

fn array(bytes: &[u8], name: &str) -> Result<NumberArray, Error> {
    npy::read_from_archive(bytes, name, MOST).map_err(refused)
}

fn refused(reason: String) -> Error {
    PolicyError::File { reason }.into()
}
