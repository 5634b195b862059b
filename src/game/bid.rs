//! Bids: what a player may spend in one turn.

use std::ops::RangeInclusive;

use super::{GameError, Player};

/// The bids an account allows: `1..=account`, or `0..=0` when it is empty.
///
/// ```
/// use pencil_tennis::legal_bids;
///
/// assert_eq!(legal_bids(3), 1..=3);
/// assert_eq!(legal_bids(0), 0..=0);
/// ```
pub fn legal_bids(account: u32) -> RangeInclusive<u32> {
    account.min(1)..=account
}

/// Checks that `player`, whose account holds `account`, may bid `bid`.
///
/// # Errors
/// [`GameError::BidIllegal`] when the bid is not in [`legal_bids`].
pub fn check_bid(player: Player, bid: u32, account: u32) -> Result<(), GameError> {
    let legal = legal_bids(account);
    if legal.contains(&bid) {
        Ok(())
    } else {
        Err(GameError::BidIllegal { player, bid, lowest: *legal.start(), highest: *legal.end() })
    }
}
