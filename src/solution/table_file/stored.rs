use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::format::{refusal, refusal_at};
use super::named;
use super::read::{seek, unreadable};
use crate::error::Error;
use crate::game::{Player, State};
use crate::induction::Order;
use crate::matrix_game::DyadicStrategy;
use crate::sealed::unsealed;
use crate::solution::BidStrategy;

#[derive(Debug)]
pub(in crate::solution) struct StoredTable {
    pub(super) path: PathBuf,
    pub(super) strategies: Option<Strategies>,
}

impl StoredTable {
    pub(in crate::solution) const fn strategies(&self) -> Option<&Strategies> {
        self.strategies.as_ref()
    }

    pub(in crate::solution) fn named<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| named(error, &self.path))
    }
}

#[derive(Debug)]
pub(in crate::solution) struct Strategies {
    input: Mutex<BufReader<File>>,
    begin: u64,
    end: u64,
    order: Order,
    /// The offset of a state's record from `begin`.
    starts: Vec<u64>,
}

impl Strategies {
    pub(super) fn new(input: BufReader<File>, begin: u64, end: u64, order: Order, starts: Vec<u64>) -> Self {
        Self { input: Mutex::new(input), begin, end, order, starts }
    }

    pub(in crate::solution) fn read(&self, state: State) -> Result<[BidStrategy; 2], Error> {
        let start = self.begin.checked_add(self.starts[self.order.space.index(state)]);
        let start = start.filter(|&start| start < self.end).ok_or_else(|| refusal("its index points beyond its end"))?;
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        seek(&mut input, start)?;
        let mut record = Vec::new();
        let legal = |player| self.order.space.legal_bids(state.points(player));
        let a = read_strategy(&mut *input, &mut record, state, legal(Player::A))?;
        let b = read_strategy(&mut *input, &mut record, state, legal(Player::B))?;
        let mut stated = [0; 4];
        input.read_exact(&mut stated).map_err(|error| unreadable(&error))?;
        record.extend(stated);
        unsealed(&record).map_err(|_| refusal_at(state, "the checksum is wrong"))?;
        Ok([a, b])
    }
}

fn read_strategy(
    input: &mut impl Read,
    record: &mut Vec<u8>,
    state: State,
    legal: RangeInclusive<u32>,
) -> Result<BidStrategy, Error> {
    let mut take = |bytes: &mut [u8]| {
        input.read_exact(bytes).map_err(|error| unreadable(&error))?;
        record.extend_from_slice(bytes);
        Ok::<_, Error>(())
    };
    let mut size = [0; 2];
    take(&mut size)?;
    let (mut bids, mut weights): (Vec<u16>, Vec<u64>) = (Vec::new(), Vec::new());
    for _ in 0..u16::from_le_bytes(size) {
        let (mut bid, mut weight) = ([0; 2], [0; 8]);
        take(&mut bid)?;
        take(&mut weight)?;
        bids.push(u16::from_le_bytes(bid));
        weights.push(u64::from_le_bytes(weight));
    }
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let possible = bids.iter().all(|&bid| legal.contains(&u32::from(bid)))
        && bids.windows(2).all(|pair| pair[0] < pair[1])
        && weights.iter().all(|&weight| weight > 0)
        && sum == u128::from(DyadicStrategy::WHOLE);
    if possible { Ok(BidStrategy::new(&bids, &weights)) } else { Err(refusal_at(state, "a strategy is impossible")) }
}
