//! The bytes of a certificate.

use crate::game::{Motion, Rules, Scoring, State};
use crate::{Error, Payoff, StateEquilibrium};

/// The version of the format that is written; the only one that is read.
pub const VERSION: u32 = 1;

/// The first bytes of every certificate.
pub(super) const MAGIC: [u8; 8] = *b"TENNISPF";

/// The most points a bid of two bytes can spend.
const MOST_POINTS: u32 = 0xffff;

/// The bytes that say which game it is.
pub(crate) const GAME: usize = 4 + 1 + 1 + 4 + 4 + 5 * 16;

/// The bytes before the strategies.
pub(super) const HEADER: usize = 8 + 4 + GAME;

/// The bytes of the checksum at the end.
pub(super) const CHECKSUM: usize = 4;

/// What a certificate says about its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) rules: Rules,
    pub(crate) points: [u32; 2],
    /// Whether a state may stand for its mirror image.
    pub(crate) mirrored: bool,
}

impl Header {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        self.write_game(out);
    }

    /// Writes what comes after the version: the rules, the points and the mirror flag.
    pub(crate) fn write_game(&self, out: &mut Vec<u8>) {
        out.extend((self.rules.field() as u32).to_le_bytes());
        out.push(match self.rules.motion() {
            Motion::Net => 0,
            Motion::Step => 1,
        });
        out.push(u8::from(self.mirrored));
        for points in self.points {
            out.extend(points.to_le_bytes());
        }
        for payoff in self.rules.scoring().payoffs() {
            out.extend(payoff.numer().to_le_bytes());
            out.extend(payoff.denom().to_le_bytes());
        }
    }

    pub(super) fn read(bytes: &mut Bytes<'_>) -> Result<Self, Error> {
        if bytes.take::<8>()? != MAGIC {
            return Err(refusal("it does not begin as a certificate does"));
        }
        let version = bytes.u32()?;
        if version != VERSION {
            return Err(refusal(format!("its format has version {version}, and only version {VERSION} is known")));
        }
        Self::read_game(bytes)
    }

    /// Reads what comes after the version.
    pub(crate) fn read_game(bytes: &mut Bytes<'_>) -> Result<Self, Error> {
        let field = bytes.u32()?;
        let motion = match bytes.take()? {
            [0] => Motion::Net,
            [1] => Motion::Step,
            [other] => return Err(refusal(format!("there is no motion {other}"))),
        };
        let mirrored = match bytes.take()? {
            [0] => false,
            [1] => true,
            [other] => return Err(refusal(format!("the mirror flag is {other} instead of 0 or 1"))),
        };
        let points = [bytes.u32()?, bytes.u32()?];
        let mut payoffs = [Payoff::default(); 5];
        for payoff in &mut payoffs {
            let (numerator, denominator) = (i64::from_le_bytes(bytes.take()?), i64::from_le_bytes(bytes.take()?));
            // Scoring checks that it is a proper fraction in lowest terms.
            *payoff = Payoff::new_raw(numerator, denominator);
        }
        let scoring = Scoring::new(payoffs).map_err(|error| refusal(error.to_string()))?;
        let rules = Rules::new(field, motion, scoring).map_err(|error| refusal(error.to_string()))?;
        if points.iter().any(|points| !(1..=MOST_POINTS).contains(points)) {
            return Err(refusal(format!("its players start with {}:{} points", points[0], points[1])));
        }
        if mirrored && !scoring.is_antisymmetric() {
            return Err(refusal("it uses the mirror symmetry although the scoring does not have it"));
        }
        Ok(Self { rules, points, mirrored })
    }
}

/// Writes the certificate of a game; `equilibria` in the order of the format, only states that are not mirror images of others.
pub(crate) fn write(
    rules: Rules,
    points: [u32; 2],
    mirrored: bool,
    equilibria: impl Iterator<Item = StateEquilibrium>,
) -> Vec<u8> {
    let mut out = Vec::new();
    Header { rules, points, mirrored }.write(&mut out);
    for equilibrium in equilibria {
        for strategy in [&equilibrium.a, &equilibrium.b] {
            out.extend((strategy.support_size() as u16).to_le_bytes());
            for (index, (bid, weight)) in strategy.weights().enumerate() {
                out.extend((bid as u16).to_le_bytes());
                // The last weight follows from the others: they sum to the whole.
                if index + 1 < strategy.support_size() {
                    out.extend(weight.to_le_bytes());
                }
            }
        }
    }
    let checksum = crc32fast::hash(&out);
    out.extend(checksum.to_le_bytes());
    out
}

/// Bytes still to be read.
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl Bytes<'_> {
    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.0.split_first_chunk().ok_or_else(|| refusal("it ends too early"))?;
        self.0 = rest;
        Ok(*head)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.take()?))
    }
}

/// A reason not to accept a certificate.
pub(super) fn refusal(reason: impl Into<String>) -> Error {
    Error::Certificate { reason: reason.into() }
}

/// A reason not to accept what a certificate says about a state.
pub(super) fn refusal_at(state: State, reason: impl std::fmt::Display) -> Error {
    refusal(format!("at {state} {reason}"))
}
