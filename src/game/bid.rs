use std::ops::RangeInclusive;

use super::{GameError, Player, Rules};

impl Rules {
    /// The bids an account allows: `1..=account`, or `0..=0` when it is empty; `0..=account` where the smallest bid is 0. A
    /// player whom the rules [favour](Self::favouring) may also bid 0.
    #[inline]
    pub fn legal_bids(&self, account: u32) -> RangeInclusive<u32> {
        self.lowest_bid(account)..=account
    }

    #[inline]
    pub fn lowest_bid(&self, account: u32) -> u32 {
        account.min(self.min_bid())
    }

    #[inline]
    pub(crate) fn lowest_bid_of(&self, player: Player, account: u32) -> u32 {
        if self.favoured() == Some(player) { 0 } else { self.lowest_bid(account) }
    }

    /// Checks that `player`, whose account holds `account`, may bid `bid`.
    ///
    /// # Errors
    /// [`GameError::BidIllegal`] when the bid is not one of the [legal ones](Self::legal_bids).
    #[inline]
    pub fn check_bid(&self, player: Player, bid: u32, account: u32) -> Result<(), GameError> {
        check_bid(player, bid, self.lowest_bid_of(player, account)..=account)
    }
}

#[inline]
pub(crate) fn check_bid(player: Player, bid: u32, legal: RangeInclusive<u32>) -> Result<(), GameError> {
    if legal.contains(&bid) {
        Ok(())
    } else {
        Err(GameError::BidIllegal { player, bid, lowest: *legal.start(), highest: *legal.end() })
    }
}
