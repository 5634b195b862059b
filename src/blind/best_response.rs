//! Best responses in blind Tennis, in integers.

use super::build::{Reductions, build};
use super::plan::{Plan, WHOLE};
use super::policy::BlindPolicy;
use super::tree::Tree;
use super::view::BlindView;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::game::{Player, nearest_double};

/// One player's best response to the other's half of a blind policy, with the loss of every legal
/// bid at every information set. Takes the time and memory of [`BlindPolicy::enclosure`].
///
/// ```
/// use pencil_tennis::blind::{BlindBestResponse, BlindPolicy};
/// use pencil_tennis::{Player, Rules};
///
/// // B bids 1 or 2, each with probability 1/2. A wins 1/2 on average by bidding 1, and loses 1/2 by bidding 2.
/// let uniform = BlindPolicy::uniform(&Rules::tennis(), "2:2@0".parse()?)?;
/// let losses = BlindBestResponse::new(&uniform, Player::A).losses(&[], &[0])?.expect("it begins so");
/// assert_eq!(losses, [(1, 0.0), (2, 1.0)]);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlindBestResponse {
    player: Player,
    tree: Tree,
    plan: Plan,
    /// The payoff to A of every sequence of the player with best continuation, weighted by the
    /// plan: in units times 2⁶².
    payoffs: Vec<i128>,
}

/// The largest loss, 2^−this of the largest payoff, that is attributed to the gap of an optimal
/// strategy.
///
/// At 10:8, solved to a gap of 1e-6, 228 of the 8,799 sets that A reaches have bids that lose more
/// than 1e-6 on average, and 224 more than 1e-5: arbitrary bids lose far more.
const NEARLY_BEST_BITS: u32 = 16;

impl BlindBestResponse {
    pub fn new(policy: &BlindPolicy, player: Player) -> Self {
        let form = build(policy.rules(), policy.start(), Reductions::NONE);
        let plan = policy.plan(&form.tree, player.opponent());
        let payoffs = plan.replies(&form, player.opponent());
        Self { player, tree: form.tree, plan, payoffs }
    }

    /// The player's best-response value against the policy, as a payoff to A.
    pub fn value(&self) -> f64 {
        self.payoff(self.payoffs[0], WHOLE)
    }

    /// The loss of each legal bid against the best one, after these bids and balls (the one at the
    /// start first); `None` at unreached information sets.
    ///
    /// # Errors
    /// [`super::BlindError::History`] for an impossible history, or one that ends the game.
    pub fn losses(&self, bids: &[u32], balls: &[i32]) -> Result<Option<Vec<(u32, f64)>>, Error> {
        let opponent = self.player.opponent();
        let others = &self.tree.player_trees[opponent].entries;
        let mut at = Tree::AT_START;
        let mut compatible: Vec<(usize, usize)> = at.into_iter().collect();
        let view = BlindView::followed(
            &self.tree.rules,
            self.tree.start,
            self.player,
            bids,
            balls,
            |bid, relation| {
                at = self.tree.follow(self.player, at, bid, relation);
                let fits = |&reply: &u32| {
                    let [a, b] = self.player.own_first([bid, reply]);
                    a.cmp(&b) == relation
                };
                let after = |&other: &(usize, usize)| {
                    let replies = others[other.1].bids().filter(fits);
                    replies.filter_map(move |reply| {
                        self.tree.follow(opponent, Some(other), reply, relation)
                    })
                };
                compatible = compatible.iter().flat_map(after).collect();
            },
        )?;
        let Some((_, index)) = at else { return Ok(None) };
        let entry = &self.tree.player_trees[self.player].entries[index];
        // With both accounts empty the game is over.
        let open = compatible
            .iter()
            .map(|&(_, other)| &others[other])
            .filter(|other| view.points > 0 || other.account > 0);
        let reach: i64 = open
            .flat_map(|other| other.bids().map(|bid| self.plan.0[other.sequence_of(bid)]))
            .sum();
        if reach == 0 {
            return Ok(None);
        }
        let sign = i128::from(self.player.direction());
        let payoff = |bid: u32| sign * self.payoffs[entry.sequence_of(bid)];
        let best = entry.bids().map(payoff).max().unwrap_or(0);
        Ok(Some(entry.bids().map(|bid| (bid, self.payoff(best - payoff(bid), reach))).collect()))
    }

    /// The best bids in a strategy's support after these bids and balls, rising, in the strategy's
    /// proportions; the lowest best bid if the support has none.
    ///
    /// An optimal strategy is arbitrary where it is hardly ever reached. These bids are
    /// sequentially rational: best at every information set that the policy lets the player reach,
    /// up to a loss of 2⁻¹⁶ of the largest payoff, for the gap. At other sets the strategy's own
    /// bids are returned.
    pub fn best_bids(
        &self,
        strategy: &BlindPolicy,
        bids: &[u32],
        balls: &[i32],
    ) -> Result<Vec<(u32, f64)>, Error> {
        let mut made = strategy.bids(self.player, bids, balls)?;
        made.retain(|&(_, probability)| probability > 0.0);
        let Some(losses) = self.losses(bids, balls)? else { return Ok(made) };
        let tolerance = nearest_double(self.tree.rules.scoring().magnitude())
            * (-f64::from(NEARLY_BEST_BITS)).exp2();
        made.retain(|&(bid, _)| {
            losses.iter().any(|&(other, loss)| other == bid && loss <= tolerance)
        });
        let whole: f64 = made.iter().map(|&(_, probability)| probability).sum();
        if whole > 0.0 {
            return Ok(made
                .into_iter()
                .map(|(bid, probability)| (bid, probability / whole))
                .collect());
        }
        Ok(losses
            .into_iter()
            .find(|&(_, loss)| loss == 0.0)
            .map(|(bid, _)| (bid, 1.0))
            .into_iter()
            .collect())
    }

    /// Divides a sum of weights times payoffs by the weight of the place.
    fn payoff(&self, sum: i128, weight: i64) -> f64 {
        let units = (sum / i128::from(weight)) as i64;
        self.tree.unit().middle(Bounds::new(units, units))
    }
}
