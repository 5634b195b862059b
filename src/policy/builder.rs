//! Makes policies from numbers of any origin, and rounds them to integer weights.

use crate::error::{BidsFault, Error, PolicyError, TableFault};
use crate::game::{ByPlayer, Player, Rules, State, StateSpace, check_bid};
use crate::matrix_game::DyadicStrategy;
use crate::work::Watch;

pub use stochastic_game::PolicyNumbers;

use super::Policy;
use super::behaviour::BehaviourStrategy;

const STATES_NAMED: usize = 5;

/// Builds a policy from numbers for single bids, in any order; the whole is checked at the end.
///
/// ```
/// use pencil_tennis::{Player, PolicyBuilder, PolicyNumbers, Rules, unwatched};
///
/// let mut builder = PolicyBuilder::new(&Rules::tennis(), [1, 1])?;
/// for ball in -2..=2 {
///     for b in 0..=1 {
///         builder.set(format!("1:{b}@{ball}").parse()?, Player::A, 1, 0.5)?;
///     }
/// }
/// let refusal = builder.clone().finish(PolicyNumbers::Probabilities, &mut unwatched).unwrap_err();
/// assert!(refusal.to_string().starts_with("A's policy at 1:0@-2: the probabilities sum to 0.5; expected 1"));
/// let policy = builder.finish(PolicyNumbers::Weights, &mut unwatched)?;
/// assert_eq!(policy.probability("1:1@0".parse()?, Player::A, 1)?, 1.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolicyBuilder {
    pub(crate) space: StateSpace,
    /// For each player mentioned, a row of bids from 0 for every state; NaN where none was set.
    given: ByPlayer<Option<Vec<f64>>>,
}

impl PolicyBuilder {
    pub fn new(rules: &Rules, points: [u32; 2]) -> Result<Self, Error> {
        Ok(Self { space: super::checked_space(rules, points)?, given: ByPlayer::default() })
    }

    /// Sets the number of one bid; illegal bids may be set to 0.
    ///
    /// # Errors
    /// [`PolicyError::Distribution`] for a negative or infinite number, and for an illegal bid or
    /// one set twice.
    pub fn set(
        &mut self,
        state: State,
        player: Player,
        bid: u32,
        number: f64,
    ) -> Result<(), Error> {
        self.space.check(state)?;
        let refuse = |reason| PolicyError::Distribution { player, state, reason };
        if !(number.is_finite() && number >= 0.0) {
            return Err(refuse(BidsFault::Number { bid, number }).into());
        }
        if let Err(fault) = check_bid(player, bid, self.space.legal_bids(state.points(player))) {
            return if number == 0.0 {
                Ok(())
            } else {
                Err(refuse(BidsFault::Illegal { bid, number, fault }).into())
            };
        }
        let stride = self.stride(player);
        let given =
            self.given[player].get_or_insert_with(|| vec![f64::NAN; self.space.len() * stride]);
        let entry = &mut given[self.space.index(state) * stride + bid as usize];
        if !entry.is_nan() {
            return Err(refuse(BidsFault::Twice { bid }).into());
        }
        *entry = number;
        Ok(())
    }

    /// Checks the policy: every player mentioned needs numbers for every state with a choice, and
    /// [probabilities](PolicyNumbers::Probabilities) must sum to 1 within
    /// [`Policy::SUM_TOLERANCE`].
    ///
    /// # Errors
    /// [`PolicyError::Distribution`], [`PolicyError::Incomplete`], [`PolicyError::File`] where
    /// nothing was set. Where the smallest bid is 0, a positive probability below 2⁻⁶³ is refused,
    /// since the values of leaving a state rarely and never may differ arbitrarily.
    pub fn finish(self, numbers: PolicyNumbers, watch: &mut Watch<'_>) -> Result<Policy, Error> {
        let players: Vec<Player> =
            Player::BOTH.into_iter().filter(|&player| self.given[player].is_some()).collect();
        if players.is_empty() {
            return Err(PolicyError::File { reason: TableFault::NoBids }.into());
        }
        let mut missing: Vec<(Player, State)> = Vec::new();
        let policy =
            Policy::by_states(
                self.space,
                &players,
                watch,
                |strategy, state, player| match missing.first() {
                    // The states of one player are enough to refuse the policy.
                    Some(&(other, _)) if other != player => Ok(()),
                    _ => self.push(strategy, state, player, numbers, &mut missing),
                },
            )?;
        let Some(&(player, _)) = missing.first() else { return Ok(policy) };
        let more = (missing.len() > STATES_NAMED).then(|| "…".to_owned());
        let named: Vec<String> = missing
            .iter()
            .take(STATES_NAMED)
            .map(|(_, state)| state.to_string())
            .chain(more)
            .collect();
        Err(PolicyError::Incomplete { player, missing: missing.len(), named: named.join(", ") }
            .into())
    }

    /// Appends the distribution of one state, unless it is missing.
    fn push(
        &self,
        strategy: &mut BehaviourStrategy,
        state: State,
        player: Player,
        numbers: PolicyNumbers,
        missing: &mut Vec<(Player, State)>,
    ) -> Result<(), Error> {
        let (account, stride) = (state.points(player), self.stride(player));
        let bids = self.space.legal_bids(account);
        let (lowest, given) = (*bids.start(), self.given[player].as_deref().unwrap_or_default());
        let legal = &given[self.space.index(state) * stride..][..stride]
            [lowest as usize..=account as usize];
        let row: Vec<f64> =
            legal.iter().map(|number| if number.is_nan() { 0.0 } else { *number }).collect();
        if account == 0 && row == [0.0] {
            strategy.push_certain(0);
        } else if legal.iter().all(|number| number.is_nan()) {
            missing.push((player, state));
        } else {
            let refuse = |reason| PolicyError::Distribution { player, state, reason };
            push(strategy, lowest, &row, numbers).map_err(refuse)?;
            if lowest == 0 {
                check_kept(strategy.last_bids(), &row).map_err(refuse)?;
            }
        }
        Ok(())
    }

    fn stride(&self, player: Player) -> usize {
        let [points, _] = player.own_first(self.space.points());
        points as usize + 1
    }
}

/// Checks that no bid has lost its probability. Where bids of 0 may repeat a state, leaving it
/// rarely and never may differ arbitrarily.
fn check_kept(kept: &[u16], row: &[f64]) -> Result<(), BidsFault> {
    for (bid, &probability) in (0_u16..).zip(row) {
        if probability > 0.0 && !kept.contains(&bid) {
            return Err(BidsFault::TooSmall { bid: bid.into(), number: probability });
        }
    }
    Ok(())
}

/// Appends the distribution of one state, or describes its fault.
fn push(
    strategy: &mut BehaviourStrategy,
    lowest_bid: u32,
    row: &[f64],
    numbers: PolicyNumbers,
) -> Result<(), BidsFault> {
    if numbers == PolicyNumbers::Probabilities {
        let sum: f64 = row.iter().sum();
        if (sum - 1.0).abs() > Policy::SUM_TOLERANCE {
            return Err(BidsFault::Sum { sum, tolerance: Policy::SUM_TOLERANCE });
        }
        // Each probability, rounded to double precision, and each step of the sum is off by at most
        // 2^-54. Sums closer to 1 are accepted unchanged, so that integer weights survive writing
        // and reading, except for the largest's last bits.
        let rounding = row.len() as f64 * f64::EPSILON;
        if (sum - 1.0).abs() <= rounding {
            let probabilities: Vec<(usize, f64)> = row.iter().copied().enumerate().collect();
            let mut dyadic = DyadicStrategy::default();
            dyadic.approximate(&probabilities);
            strategy
                .push(dyadic.support().iter().map(|&(index, weight)| (lowest_bid + index, weight)));
            return Ok(());
        }
    }
    strategy.push_shares(lowest_bid, row)
}
