//! The bytes of a certificate.

use crate::error::{CertificateError, Error};
use crate::game::State;
use crate::game::codec::{Bytes, CodecError, GameHeader};

/// The version of the format where the smallest bid is 1.
pub const VERSION: u32 = 1;

/// The version of the format where the smallest bid is 0: the same bytes, of which bounds follow by another line of arithmetic.
pub(crate) const ZERO_BIDS_VERSION: u32 = 2;

pub(crate) const MAGIC: [u8; 8] = *b"TENNISPF";

pub(super) const HEADER: usize = 8 + 4 + GameHeader::BYTES;

pub(super) const CHECKSUM: usize = 4;

pub(super) fn read_header(bytes: &mut Bytes<'_>) -> Result<GameHeader, Error> {
    if bytes.take::<8>().map_err(|error| unreadable(&error))? != MAGIC {
        return Err(refusal("it does not begin as a certificate does"));
    }
    let version = bytes.u32().map_err(|error| unreadable(&error))?;
    if ![VERSION, ZERO_BIDS_VERSION].contains(&version) {
        let known = format!("only versions {VERSION} and {ZERO_BIDS_VERSION} are known");
        return Err(refusal(format!("its format has version {version}, and {known}")));
    }
    let header = GameHeader::read(bytes).map_err(|error| unreadable(&error))?;
    let min_bid = header.rules.min_bid();
    if (version == ZERO_BIDS_VERSION) != (min_bid == 0) {
        return Err(refusal(format!("its format has version {version}, and the smallest bid is {min_bid}")));
    }
    Ok(header)
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
