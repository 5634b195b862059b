//! What plans secure: best replies in integers, as in the game in which both are blind.
//!
//! The weights that meet at a sequence are of plays that exclude each other, so that they sum to 2⁶² at most, and a payoff has at
//! most 62 bits: nothing overflows, and nothing is rounded but the result and payoffs that the unit does not hold.

use super::super::plan::Pessimist;
use super::{Follows, OneSided};
use crate::game::Player;

/// The bound of the value to A that a plan of the blind player secures, in units: the other's best reply to it.
pub(super) fn bids_secure(game: &OneSided, plan: &[i64]) -> i64 {
    let pessimist = Pessimist { player: game.blind, unit: game.unit };
    let payoffs: Vec<i64> = game.ranks.payoffs().iter().map(|&payoff| pessimist.payoff(payoff)).collect();
    let mut accounts = vec![0_i128; game.accounts.len()];
    for number in game.node_numbers().rev() {
        let node = &game.nodes[number];
        for place in game.node_accounts(number) {
            let replies = game.outcomes(node, &game.accounts[place]).map(|outcomes| {
                let worth = node.sequences().zip(outcomes).map(|(sequence, outcome)| match outcome.follows() {
                    Follows::Account(next) => accounts[next],
                    Follows::Payoff(rank) => i128::from(plan[sequence]) * i128::from(payoffs[rank]),
                });
                worth.sum::<i128>()
            });
            accounts[place] = best(game.blind.opponent(), replies);
        }
    }
    pessimist.bound(accounts[0])
}

/// The bound that a plan of the player who is told secures: the blind player's best reply to it.
pub(super) fn replies_secure(game: &OneSided, plan: &[i64]) -> i64 {
    let pessimist = Pessimist { player: game.blind.opponent(), unit: game.unit };
    let payoffs: Vec<i64> = game.ranks.payoffs().iter().map(|&payoff| pessimist.payoff(payoff)).collect();
    let mut worth = vec![0_i128; game.sequences];
    for number in game.node_numbers().rev() {
        let node = &game.nodes[number];
        for account in &game.accounts[game.node_accounts(number)] {
            for (reply, outcomes) in account.sequences().zip(game.outcomes(node, account)) {
                for (sequence, outcome) in node.sequences().zip(outcomes) {
                    if let Follows::Payoff(rank) = outcome.follows() {
                        worth[sequence] += i128::from(plan[reply]) * i128::from(payoffs[rank]);
                    }
                }
            }
        }
        worth[node.parent as usize] += best(game.blind, worth[node.sequences()].iter().copied());
    }
    pessimist.bound(worth[0])
}

fn best(player: Player, payoffs: impl Iterator<Item = i128>) -> i128 {
    match player {
        Player::A => payoffs.max(),
        Player::B => payoffs.min(),
    }
    .unwrap_or(0)
}
