//! Reserves memory of any size for callers: a failure raises an exception before the work begins
//! instead of aborting in it.

use std::hint::black_box;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::errors::Error;

/// Refuses work that takes this many bytes where the system does not have them.
///
/// The bytes are asked for and given back. Rust's collections end the process where they cannot
/// grow, so that this goes before everything that grows with a number that a caller chooses.
pub(crate) fn check(bytes: u64, what: &str) -> PyResult<()> {
    let mut room = Vec::<u8>::new();
    let asked = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // Otherwise the compiler may omit the unused allocation.
    black_box(&room);
    if asked {
        Ok(())
    } else {
        Err(PyMemoryError::new_err(format!("{what} would take {bytes} bytes, which there are not")))
    }
}

/// Refuses what takes more bytes than its caller allows.
pub(crate) fn check_within(bytes: u64, limit: u64, what: impl FnOnce() -> String) -> PyResult<()> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Error::new_err(format!(
        "{} would take {bytes} bytes of memory, above the limit of {limit}",
        what()
    )))
}

/// The states of a game.
fn states(points: [u32; 2], field: i32) -> u64 {
    let [a, b] = points.map(|points| u64::from(points) + 1);
    a.saturating_mul(b).saturating_mul(2 * u64::from(field.unsigned_abs()) + 1)
}

/// Rejects work on all states of a game if the memory, given in bytes a state, is not available.
pub(crate) fn check_states(points: [u32; 2], field: i32, bytes_per_state: u64) -> PyResult<()> {
    let [a, b] = points;
    check(
        states(points, field).saturating_mul(bytes_per_state),
        &format!("the states of {a}:{b} points"),
    )
}

/// Rejects a policy of both players if the memory, given in bytes a bid, is not available.
pub(crate) fn check_policy(points: [u32; 2], field: i32, bytes_per_bid: u64) -> PyResult<()> {
    let [a, b] = points;
    // On average half of the bids are legal.
    let bids = (u64::from(a) + u64::from(b) + 2).saturating_mul(bytes_per_bid) / 2 + 16;
    check(states(points, field).saturating_mul(bids), &format!("a policy for {a}:{b} points"))
}
