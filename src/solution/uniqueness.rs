//! Whether optimal strategies are unique.

use super::{BidStrategy, Solution};
use crate::error::Error;
use crate::game::{Player, SecuredBounds, State};
use crate::induction::{ExactStage, Tables, rational};
use crate::matrix_game::{
    Basis, DyadicStrategy, Uniqueness, decide_uniqueness, proves_strict_complementarity,
};

impl Solution {
    /// Whether A's and B's optimal strategies in the stage game are unique.
    ///
    /// Decided from bounds if a floating-point inverse with an error bound proves strict
    /// complementarity; or exactly if the relevant payoffs are known exactly: from ends, by
    /// [`Solver::exact`](crate::Solver::exact), or because their bounds agree. Otherwise
    /// [`Uniqueness::Unknown`]. With a [smallest bid of 0](crate::Rules::with_min_bid) a strategy
    /// is repeated until the state is left.
    ///
    /// *Complexity.* O(bids³), or that of an exact linear programme.
    ///
    /// ```
    /// use pencil_tennis::Uniqueness;
    ///
    /// let solution = pencil_tennis::solve(10)?;
    /// // The article's example: A may mix 2 and 3, or 1 and 3, or all three.
    /// assert_eq!(solution.uniqueness("4:3@-2".parse()?)?, [Uniqueness::Several, Uniqueness::Unique]);
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn uniqueness(&self, state: State) -> Result<[Uniqueness; 2], Error> {
        self.check(state)?;
        if self.rules().outcome(state).is_some() {
            return Ok([Uniqueness::Unique; 2]);
        }
        let representative = self.tables.order.representative(state);
        let decided = decide(&self.tables, representative, &self.strategies(representative)?);
        // A player with one legal bid has no choice.
        let [a, b] = Player::BOTH.map(|player| {
            let legal = self.rules().legal_bids(representative.points(player));
            if legal.start() == legal.end() { Uniqueness::Unique } else { decided[player as usize] }
        });
        Ok(if representative == state { [a, b] } else { [b, a] })
    }
}

fn decide(tables: &Tables, state: State, strategies: &[BidStrategy; 2]) -> [Uniqueness; 2] {
    let strategies = Player::BOTH.map(|player| {
        strategies[player as usize].dyadic(tables.rules.lowest_bid(state.points(player)))
    });
    let supports = strategies.each_ref().map(DyadicStrategy::support);
    let [rows, columns] = supports
        .map(|support| support.iter().map(|&(index, _)| index as usize).collect::<Vec<_>>());
    let infinite_play_suffices =
        |player| tables.rules.min_bid() > 0 || infinite_play_suffices(tables, player, state);
    let [only_waits_a, only_waits_b] = [&rows, &columns].map(|choices| **choices == [0]);
    let is_doubtful = [
        only_waits_a && !infinite_play_suffices(Player::A),
        only_waits_b && !infinite_play_suffices(Player::B),
    ];
    if proves_strict_complementarity(&tables.enclosed_stage(state), supports) {
        return unless(is_doubtful, [Uniqueness::Unique; 2]);
    }
    let solved =
        tables.exact.as_ref().and_then(|tier| tier.equilibrium(tables.order.space.index(state)));
    let guess = solved.map_or_else(
        || {
            let size = rows.len().min(columns.len());
            Basis { rows: rows[..size].to_vec(), columns: columns[..size].to_vec() }
        },
        |exact| exact.basis.clone(),
    );
    let decided = decide_uniqueness(&ExactStage::new(tables, state).with_equal_bounds(), &guess);
    let [a, b] = unless(is_doubtful, decided.unwrap_or([Uniqueness::Unknown; 2]));
    // The only optimal strategy of the stage game may wait for ever, though the solver's leaves now
    // and then, where the value is approached and not attained. The exact solver's leaves.
    let may_wait = |player| solved.is_none() && !infinite_play_suffices(player);
    let is_doubtful = [(a, Player::A), (b, Player::B)]
        .map(|(found, player)| found == Uniqueness::Unique && may_wait(player));
    unless(is_doubtful, [a, b])
}

/// Replaces what is in doubt by [`Uniqueness::Unknown`].
fn unless(is_doubtful: [bool; 2], mut decided: [Uniqueness; 2]) -> [Uniqueness; 2] {
    for (decided, is_doubtful) in decided.iter_mut().zip(is_doubtful) {
        if is_doubtful {
            *decided = Uniqueness::Unknown;
        }
    }
    decided
}

/// Whether the payoff of infinite plays is proved to give a player the value of the state.
/// Otherwise waiting for ever may be optimal in the stage game, where it has the state's value, and
/// not in the state.
fn infinite_play_suffices(tables: &Tables, player: Player, state: State) -> bool {
    let infinite_payoff = tables.rules.scoring().payoff(tables.rules.end_at(state.ball.position()));
    match (tables.exact_value(state), player) {
        (Some(value), Player::A) => rational(infinite_payoff) >= *value,
        (Some(value), Player::B) => rational(infinite_payoff) <= *value,
        (None, _) => {
            tables.endless(player, state) >= -tables.bounds_at(state).secured_by(player.opponent())
        }
    }
}
