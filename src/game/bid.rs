//! Bids: what a player may spend in one turn.

use std::fmt;
use std::ops::RangeInclusive;

use super::{GameError, Player};

/// A bid that was legal for the account it was made from: positive while points remain, 0 with none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid(u32);

impl Bid {
    /// The bid `points` of `player`, whose account holds `account`.
    ///
    /// # Errors
    /// [`GameError::BidIllegal`] when the bid is not in [`Bid::legal`].
    pub fn new(player: Player, bid: u32, account: u32) -> Result<Self, GameError> {
        let legal = Self::legal(account);
        if legal.contains(&bid) {
            Ok(Self(bid))
        } else {
            Err(GameError::BidIllegal { player, bid, lowest: *legal.start(), highest: *legal.end() })
        }
    }

    /// The bids an account allows: `1..=account`, or `0..=0` when it is empty.
    ///
    /// ```
    /// use pencil_tennis::Bid;
    ///
    /// assert_eq!(Bid::legal(3), 1..=3);
    /// assert_eq!(Bid::legal(0), 0..=0);
    /// ```
    pub fn legal(account: u32) -> RangeInclusive<u32> {
        account.min(1)..=account
    }

    /// The points spent.
    pub const fn points(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
