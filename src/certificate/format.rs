//! The header of a certificate, and the bounds that a checked one proves.

use crate::bounds::{Bounds, Enclosure};
use crate::error::{CertificateFault, Error};
use crate::game::codec::GameHeader;
use crate::game::{Ball, Rules, State, StateSpace};
use stochastic_game::internal::codec::Bytes;

/// The version for smallest bid 1.
pub const VERSION: u32 = 1;

/// The version for smallest bid 0: the same bytes, with different arithmetic for the bounds.
pub(crate) const ZERO_BIDS_VERSION: u32 = 2;

/// The version for rules that favour a player: the same bytes and arithmetic, other rules.
pub(crate) const FAVOURED_VERSION: u32 = 3;

pub(crate) const MAGIC: [u8; 8] = *b"TENNISPF";

pub(super) const HEADER: usize = 8 + 4 + GameHeader::BYTES;

pub(super) const CHECKSUM: usize = 4;

pub(super) fn read_header(bytes: &mut Bytes<'_>) -> Result<GameHeader, Error> {
    if bytes.take::<8>().map_err(refusal)? != MAGIC {
        return Err(refusal(CertificateFault::Letters));
    }
    let version = bytes.u32().map_err(refusal)?;
    if !(VERSION..=FAVOURED_VERSION).contains(&version) {
        return Err(refusal(CertificateFault::Version { version, latest: FAVOURED_VERSION }));
    }
    let header = GameHeader::read(bytes).map_err(refusal)?;
    if version != version_of(&header.rules) {
        let needed = version_of(&header.rules);
        return Err(refusal(CertificateFault::RulesVersion { version, needed }));
    }
    Ok(header)
}

pub(crate) fn version_of(rules: &Rules) -> u32 {
    match (rules.favoured(), rules.min_bid()) {
        (Some(_), _) => FAVOURED_VERSION,
        (None, 0) => ZERO_BIDS_VERSION,
        _ => VERSION,
    }
}

pub(super) fn refusal(fault: impl Into<CertificateFault>) -> Error {
    Error::Certificate { reason: fault.into() }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    rules: Rules,
    space: StateSpace,
    exponent: u32,
    bounds: Vec<Bounds>,
}

impl Proof {
    /// Bounds of all states, in order, which the caller has proved.
    pub(crate) const fn new(
        rules: Rules,
        points: [u32; 2],
        exponent: u32,
        bounds: Vec<Bounds>,
    ) -> Self {
        Self { rules, space: StateSpace::new(&rules, points), exponent, bounds }
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn points(&self) -> [u32; 2] {
        self.space.points()
    }

    /// The exponent of the unit 2^−exponent.
    pub const fn exponent(&self) -> u32 {
        self.exponent
    }

    pub const fn start(&self) -> State {
        let [a, b] = self.space.points();
        State::new(a, b, Ball::NET)
    }

    /// The proved bounds of a state's value.
    pub fn enclosure(&self, state: State) -> Result<Enclosure, Error> {
        self.space.check(state)?;
        Ok(Enclosure::proved(self.get(state), self.exponent))
    }

    /// The width of the widest bounds, rounded up as [`Enclosure::width`] is.
    pub fn widest_enclosure(&self) -> f64 {
        let widths = self.bounds.iter().map(|bounds| bounds.upper - bounds.lower);
        Enclosure::of_width(widths.max().unwrap_or(0), self.exponent).width()
    }

    /// All states, by A's points, then B's, then the ball, with the bounds in units.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (State, Bounds)> {
        self.space.states().map(|state| (state, self.get(state)))
    }

    pub(super) fn get(&self, state: State) -> Bounds {
        self.bounds[self.space.index(state)]
    }

    pub(super) fn set(&mut self, state: State, bounds: Bounds) {
        let index = self.space.index(state);
        self.bounds[index] = bounds;
    }
}
