use crate::error::{CertificateError, Error};
use crate::game::codec::{Bytes, CodecError, GameHeader};
use crate::game::{Rules, State};

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
    if bytes.take::<8>().map_err(|error| unreadable(&error))? != MAGIC {
        return Err(refusal("it does not begin as a certificate does"));
    }
    let version = bytes.u32().map_err(|error| unreadable(&error))?;
    if !(VERSION..=FAVOURED_VERSION).contains(&version) {
        let known = format!("only versions {VERSION} to {FAVOURED_VERSION} are known");
        return Err(refusal(format!("its format has version {version}, and {known}")));
    }
    let header = GameHeader::read(bytes).map_err(|error| unreadable(&error))?;
    if version != version_of(&header.rules) {
        let needed = version_of(&header.rules);
        return Err(refusal(format!("its format has version {version}, and its rules need version {needed}")));
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

pub(super) fn refusal(reason: impl Into<String>) -> Error {
    CertificateError::Refused { reason: reason.into() }.into()
}

pub(super) fn refusal_at(state: State, reason: impl std::fmt::Display) -> Error {
    refusal(format!("at {state} {reason}"))
}

pub(super) fn unreadable(error: &CodecError) -> Error {
    refusal(error.to_string())
}
