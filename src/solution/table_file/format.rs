use std::path::PathBuf;

use crate::error::{Error, TableFileError};
use crate::game::State;
use crate::game::codec::{Bytes, CodecError, GameHeader};
use crate::induction::{Method, Task};
use crate::sealed::{Format, SealFault};

pub(super) const FORMAT: Format = Format { magic: *b"TENNISTB", version: 1, name: "a table file" };

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
        out.push(match method {
            Method::Simplex => 0,
            Method::Tableau => 1,
            Method::Lp => 2,
        });
        out.push(u8::from(keep_strategies));
        out.extend(self.layers_done.to_le_bytes());
        out.extend(self.randomised.to_le_bytes());
        out
    }

    pub(in crate::solution) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut bytes = Bytes(bytes);
        let own = |error: CodecError| refusal(error.to_string());
        let GameHeader { rules, points, mirrored } = GameHeader::read(&mut bytes).map_err(own)?;
        let [method, strategies] = bytes.take().map_err(own)?;
        let method = match method {
            0 => Method::Simplex,
            1 => Method::Tableau,
            2 => Method::Lp,
            other => return Err(refusal(format!("there is no method {other}"))),
        };
        rules.check_even_handed("a table file").map_err(|error| refusal(error.to_string()))?;
        if rules.min_bid() == 0 && method != Method::Simplex {
            return Err(refusal("its game has a smallest bid of 0, which its method does not solve"));
        }
        if strategies > 1 {
            return Err(refusal(format!("the flag for strategies is {strategies} instead of 0 or 1")));
        }
        let task = Task { rules, points, method, mirrored, keep_strategies: strategies == 1 };
        let layers_done = bytes.u32().map_err(own)?;
        if layers_done > points[0] + points[1] {
            return Err(refusal(format!("it claims {layers_done} layers of {}", points[0] + points[1])));
        }
        let randomised = bytes.u64().map_err(own)?;
        Ok(Self { task, layers_done, randomised })
    }
}

/// A reason to reject a table file, to be [named](super::named) later.
pub(super) fn refusal(reason: impl Into<String>) -> Error {
    Error::TableFile(TableFileError::Refused { path: PathBuf::new(), reason: reason.into() })
}

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
pub(super) fn damaged(fault: SealFault) -> Error {
    refusal(format!("it {fault}"))
}

/// Rejects a table file for its entry of one state.
pub(super) fn refusal_at(state: State, reason: impl std::fmt::Display) -> Error {
    refusal(format!("at {state} {reason}"))
}
