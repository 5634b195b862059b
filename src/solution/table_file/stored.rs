//! The layout of table files, and strategies that are read on demand.

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::game::codec::GameHeader;
use crate::game::{Player, State};
use crate::induction::{Method, Order, Task};
use crate::solution::BidStrategy;
use stochastic_game::internal::codec::Bytes;
use stochastic_game::internal::sealed::{Format, SealFault, SealedReader};

/// The file of a solution, from which strategies are read on demand.
#[derive(Debug)]
pub(in crate::solution) struct StoredTable {
    pub(in crate::solution) path: PathBuf,
    pub(super) input: Mutex<SealedReader<File>>,
    pub(super) begin: u64,
    pub(super) order: Order,
    /// The offset of a state's record from `begin`, and that of the next one; empty without
    /// strategies.
    pub(super) records: Vec<[u64; 2]>,
}

impl StoredTable {
    pub(in crate::solution) const fn has_strategies(&self) -> bool {
        !self.records.is_empty()
    }

    pub(in crate::solution) fn read(&self, state: State) -> Result<[BidStrategy; 2], Error> {
        let [start, end] =
            self.records[self.order.space.index(state)].map(|offset| self.begin + offset);
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.seek(start).map_err(damaged)?;
        let mut strategy = |player| {
            read_strategy(&mut input, state, self.order.space.legal_bids(state.points(player)))
        };
        let pair = [strategy(Player::A)?, strategy(Player::B)?];
        input.end_part().map_err(|fault| match fault {
            SealFault::Checksum => refusal_at(state, "the checksum is wrong"),
            other => damaged(other),
        })?;
        if input.place().map_err(damaged)? != end {
            return Err(refusal_at(
                state,
                "the strategies have another length than the index says",
            ));
        }
        Ok(pair)
    }
}

/// Skips a record; returns the place behind it.
pub(super) fn record_end(input: &mut SealedReader<File>) -> Result<u64, SealFault> {
    const CHECKSUM: u64 = 4;
    for _ in Player::BOTH {
        let size = input.take().map(u16::from_le_bytes)?;
        for _ in 0..size {
            input.take::<10>()?;
        }
    }
    Ok(input.place()? + CHECKSUM)
}

fn read_strategy(
    input: &mut SealedReader<File>,
    state: State,
    legal: RangeInclusive<u32>,
) -> Result<BidStrategy, Error> {
    let size = input.take().map(u16::from_le_bytes).map_err(damaged)?;
    let support = (0..size)
        .map(|_| Ok((u16::from_le_bytes(input.take()?).into(), input.u64()?)))
        .collect::<Result<_, _>>();
    BidStrategy::checked(support.map_err(damaged)?, legal)
        .ok_or_else(|| refusal_at(state, "a strategy is impossible"))
}

pub(super) const FORMAT: Format =
    Format { magic: *b"TENNISTB", versions: [1, 1], name: "a table file" };

#[derive(Clone, Copy, Debug)]
pub(in crate::solution) struct Header {
    pub(in crate::solution) task: Task,
    /// The total of points up to which the file is complete.
    pub(in crate::solution) layers_done: u32,
    /// The number of these states in which a player randomises.
    pub(in crate::solution) randomised: u64,
}

impl Header {
    pub(super) const BYTES: usize = GameHeader::BYTES + 1 + 1 + 4 + 8;

    pub(in crate::solution) fn write(&self) -> Vec<u8> {
        let Task { rules, points, method, mirrored, keep_strategies } = self.task;
        let mut out = Vec::with_capacity(Self::BYTES);
        GameHeader { rules, points, mirrored }.write(&mut out);
        out.push(method.code());
        out.push(u8::from(keep_strategies));
        out.extend(self.layers_done.to_le_bytes());
        out.extend(self.randomised.to_le_bytes());
        out
    }

    pub(in crate::solution) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut bytes = Bytes(bytes);
        let GameHeader { rules, points, mirrored } =
            GameHeader::read(&mut bytes).map_err(refusal)?;
        let [method, strategies] = bytes.take().map_err(refusal)?;
        let method = Method::of_code(method.into())
            .ok_or_else(|| refusal(format!("there is no method {method}")))?;
        rules.check_even_handed("a table file").map_err(|error| refusal(error.to_string()))?;
        if strategies > 1 {
            return Err(refusal(format!(
                "the flag for strategies is {strategies} instead of 0 or 1"
            )));
        }
        let task = Task { rules, points, method, mirrored, keep_strategies: strategies == 1 };
        let layers_done = bytes.u32().map_err(refusal)?;
        if layers_done > points[0] + points[1] {
            return Err(refusal(format!(
                "it claims {layers_done} layers of {}",
                points[0] + points[1]
            )));
        }
        let randomised = bytes.u64().map_err(refusal)?;
        Ok(Self { task, layers_done, randomised })
    }
}

/// A reason to reject a table file, to be [named](super::named) later.
pub(super) fn refusal(reason: impl Into<String>) -> Error {
    Error::TableFile { path: PathBuf::new(), reason: reason.into() }
}

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
pub(super) fn damaged(fault: SealFault) -> Error {
    refusal(format!("it {fault}"))
}

/// Rejects a table file for its entry of one state.
pub(super) fn refusal_at(state: State, reason: impl std::fmt::Display) -> Error {
    refusal(format!("at {state} {reason}"))
}
