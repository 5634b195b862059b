//! Certificates of Tennis that are refused.

use crate::game::{HeaderFault, Player, State};
use stochastic_game::internal::codec::EndsEarly;

/// Why a certificate of Tennis is refused: its bytes, or the first strategy that its rules do not
/// allow. Wrong bounds cannot be written in it, since a reader computes them from the strategies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateFault {
    /// The first bytes name no game.
    #[error(transparent)]
    Header(HeaderFault),
    #[error("it is too short")]
    Short,
    #[error("it ends too early")]
    Ends,
    #[error("its checksum does not fit its content")]
    Checksum,
    #[error("it does not begin as a certificate does")]
    Letters,
    #[error("its format has version {version}, and only versions 1 to {latest} are known")]
    Version { version: u32, latest: u32 },
    #[error("its format has version {version}, and its rules need version {needed}")]
    RulesVersion { version: u32, needed: u32 },
    #[error("it is too short for its number of points")]
    FewStates,
    #[error("{bytes} bytes are left over at its end")]
    Surplus { bytes: usize },
    #[error("at {state} {player} has {size} bids to choose from")]
    Size { state: State, player: Player, size: u32 },
    #[error("at {state} {player}'s bid {bid} is not legal or not in rising order")]
    Bid { state: State, player: Player, bid: u32 },
    #[error("at {state} {player}'s weights are not positive with the sum 2^62")]
    Weights { state: State, player: Player },
}

impl From<HeaderFault> for CertificateFault {
    fn from(fault: HeaderFault) -> Self {
        Self::Header(fault)
    }
}

impl From<EndsEarly> for CertificateFault {
    fn from(EndsEarly: EndsEarly) -> Self {
        Self::Ends
    }
}
