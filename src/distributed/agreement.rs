use std::fmt::Display;

use super::ranks::{Gathered, Ranks};
use crate::error::{DistributedError, Error};

/// Checks that all ranks run the same program: the same version of this crate, from the same file.
///
/// # Errors
/// [`DistributedError::OtherProgram`], on all ranks.
pub(crate) fn check_program(ranks: &impl Ranks) -> Result<(), Error> {
    let mut program = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
    // A program that cannot read its own file is identified by its version.
    if let Ok(file) = std::env::current_exe().and_then(std::fs::read) {
        program.extend((file.len() as u64).to_le_bytes());
        program.extend(crc32fast::hash(&file).to_le_bytes());
    }
    match first_other(ranks, &program)? {
        Some(rank) => Err(DistributedError::OtherProgram { rank }.into()),
        None => Ok(()),
    }
}

/// Checks that the task of every rank, as bytes, is that of rank 0.
///
/// # Errors
/// [`DistributedError::OtherGame`], on all ranks.
pub(crate) fn check_same(ranks: &impl Ranks, asked: &[u8]) -> Result<(), Error> {
    match first_other(ranks, asked)? {
        Some(rank) => Err(DistributedError::OtherGame { rank }.into()),
        None => Ok(()),
    }
}

/// The first rank whose bytes differ from those of rank 0.
fn first_other(ranks: &impl Ranks, own: &[u8]) -> Result<Option<usize>, Error> {
    let mut all = Gathered::default();
    ranks.all_gather(own, &mut all)?;
    let first = all.by_rank().next().unwrap_or_default();
    Ok(all.by_rank().position(|bytes| bytes != first))
}

/// Waits until all ranks have finished their preparation; if one failed, fails on all.
///
/// # Errors
/// The rank's own; [`DistributedError::Rank`] if another rank failed.
pub(crate) fn agree<T, E: Display + Into<Error>>(ranks: &impl Ranks, own: Result<T, E>) -> Result<T, Error> {
    let reason = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let mut all = Gathered::default();
    ranks.all_gather(reason.as_bytes(), &mut all)?;
    let failed = all.by_rank().enumerate().find(|(_, reason)| !reason.is_empty());
    match (own, failed) {
        (Err(error), _) => Err(error.into()),
        (Ok(own), None) => Ok(own),
        (Ok(_), Some((rank, reason))) => {
            Err(DistributedError::Rank { rank, reason: String::from_utf8_lossy(reason).into_owned() }.into())
        }
    }
}
