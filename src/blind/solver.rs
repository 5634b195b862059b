use std::ops::ControlFlow;
use std::time::Duration;

use super::build::{Reductions, build};
use super::checkpoint::BlindCheckpoint;
use super::size::BlindSize;
use super::solution::{BlindSolution, BlindWork};
use super::{BlindMethod, BlindProgress};
use crate::error::{BlindError, Error};
use crate::game::{Ball, Rules, State};
use crate::hidden::search::{Search, SearchSettings};
use crate::work::{Callback, Checkpointing, Clock, Threads, setters};

type WriteCheckpoint<'p> = dyn FnMut(&BlindCheckpoint) + 'p;

/// Solves blind Tennis, in which a player observes only the ball and the own bids.
///
/// ```
/// use pencil_tennis::blind::BlindSolver;
/// use pencil_tennis::Rules;
///
/// // To a millionth of a payoff: payoffs are from -2 to 2.
/// let solution = BlindSolver::new(&Rules::tennis()).points([10, 8]).gap(2.5e-7).solve()?;
/// assert!(solution.enclosure().lower() > 1.184846 && solution.enclosure().upper() < 1.184848);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[must_use = "nothing is solved before `solve`"]
#[derive(Debug)]
pub struct BlindSolver<'p> {
    rules: Rules,
    start: State,
    search: SearchSettings<'p>,
    memory_limit: u64,
    threads: Option<usize>,
    reductions: Reductions,
    resumed: Option<BlindCheckpoint>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
}

impl<'p> BlindSolver<'p> {
    /// The most points of a player; memory ends long before.
    pub const MOST_POINTS: u32 = super::size::MOST_POINTS;

    /// The default of [`gap`](Self::gap): a millionth of a payoff in Tennis, whose payoffs span 4.
    pub const GAP: f64 = 2.5e-7;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// A solver for these rules with 8 points each.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            start: State::new(8, 8, Ball::NET),
            search: SearchSettings::new(Self::GAP),
            memory_limit: Self::MEMORY_LIMIT,
            threads: None,
            reductions: Reductions::ALL,
            resumed: None,
            checkpoint: None,
        }
    }

    /// Sets the points at the start, with the ball on the net.
    pub fn points(self, [a, b]: [u32; 2]) -> Self {
        self.start(State::new(a, b, Ball::NET))
    }

    setters! {
        /// Sets the state at the start, known to both.
        start(start: State) => start = start;

        /// Sets the method (default: regret minimisation, and the interior-point method once that is likely to be faster).
        method(method: BlindMethod) => search.method = Some(method);

        /// Sets the width of the enclosure at which the search ends, as a share of the span of payoffs; it also ends where
        /// doubles are exhausted.
        gap(gap: f64) => search.gap = gap;

        /// Sets the time after which the search ends with the bounds reached.
        time_limit(limit: Duration) => search.time_limit = Some(limit);

        memory_limit(bytes: u64) => memory_limit = bytes;

        /// Sets the number of threads, on which the result does not depend.
        threads(threads: usize) => threads = Some(threads);

        /// Sets the pruned parts of the tree (default: all possible).
        reductions(reductions: Reductions) => reductions = reductions;

        /// Sets a callback that hears, on the calling thread, of new bounds and about ten times a second between them.
        ///
        /// If it breaks, the search ends with the bounds reached.
        on_progress(progress: impl FnMut(BlindProgress) -> ControlFlow<()> + 'p) =>
            search.progress = Callback(Box::new(progress));

        /// Sets a callback that gets the state of regret minimisation, at most once in this interval, and at the end.
        on_checkpoint(every: Duration, write: impl FnMut(&BlindCheckpoint) + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));
    }

    /// Resumes a checkpoint, whose game overrides the settings, to the same bytes as without the interruption.
    pub fn resume(mut self, checkpoint: BlindCheckpoint) -> Self {
        (self.rules, self.start) = (checkpoint.rules, checkpoint.start);
        self.search.method = self.search.method.filter(|&method| method == BlindMethod::Regret);
        self.reductions = Reductions::ALL;
        self.resumed = Some(checkpoint);
        self
    }

    pub fn memory(&self) -> u64 {
        BlindSize::new(&self.rules, self.start).bytes(self.reductions)
    }

    fn check(&self) -> Result<(), Error> {
        if !(self.search.gap >= 0.0 && self.search.gap.is_finite()) {
            return Err(BlindError::Gap { gap: self.search.gap }.into());
        }
        if self.search.method == Some(BlindMethod::Programme) && !cfg!(feature = "lp") {
            return Err(crate::error::MethodError::Missing { method: crate::induction::Method::Lp.to_string() }.into());
        }
        BlindSize::check(&self.rules, self.start, self.reductions, self.memory_limit)
    }

    /// Solves the game. Time and memory grow about fourfold with every point.
    ///
    /// # Errors
    /// [`super::BlindError`]; [`crate::MethodError::Missing`] without the feature that the method needs.
    pub fn solve(mut self) -> Result<BlindSolution, Error> {
        self.check()?;
        self.search.thread_count = Threads::checked(self.threads)?;
        self.search.factor_bytes = self.memory_limit.saturating_sub(self.memory());
        let threads = Threads::start(self.search.thread_count)?;
        let clock = Clock::start();
        let form = build(&self.rules, self.start, self.reductions);
        let learning = match self.resumed.take() {
            Some(checkpoint) => Some(checkpoint.into_learning(&form)?),
            None => None,
        };
        let mut search = Search::new(&form, &mut self.search, &threads, clock);
        let checkpoint = &mut self.checkpoint;
        search.run(learning, &mut |is_last, learning| {
            if let Some(checkpoint) = checkpoint {
                checkpoint.note(is_last, |write| write(&BlindCheckpoint::of(&form, learning)));
            }
        });
        let Search { best, method, iterations, .. } = search;
        let bytes = form.tree.bytes() + form.matrix.bytes();
        let work = BlindWork { method, iterations, leaves: form.matrix.len(), bytes, elapsed: clock.elapsed() };
        Ok(BlindSolution::new(form.tree, best, work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::plan::Plan;
    use crate::game::{ByPlayer, Player};
    use crate::hidden::finder::regret::RegretMinimisers;
    use crate::hidden::search::SearchedGame;

    /// In a symmetric game either player secures as much with the other's strategy.
    #[test]
    fn a_mirrored_strategy_secures_as_much() {
        let form = build(&Rules::tennis(), State::new(6, 6, Ball::NET), Reductions::ALL);
        let start = RegretMinimisers::new(&form);
        let mut learned = start.clone();
        (0..200).for_each(|_| learned.iterate(Player::A, &form, &Threads::alone()));
        let secures = |player: Player, weights: &[f64]| {
            let plan = Plan::approximate(&form.tree.player_trees[player], weights);
            plan.secures(&form.tree, &form.matrix, player)
        };
        assert!(form.is_symmetric());
        for weights in [start.last(), learned.averages(), learned.last()] {
            let ByPlayer { a, b } = weights;
            assert_eq!(secures(Player::B, &form.mirrored(Player::A, a)), -secures(Player::A, a));
            assert_eq!(secures(Player::A, &form.mirrored(Player::B, b)), -secures(Player::B, b));
        }
        let [poor, good] = [start.last().a, learned.averages().a].map(|weights| secures(Player::A, weights));
        assert!(good > poor + (1 << 50), "one plan is better");
    }

    /// The weights of a strategy sum to the whole exactly, for any rounding of shares.
    #[test]
    fn strategies_are_whole() {
        let solution = BlindSolver::new(&Rules::tennis()).points([8, 6]).gap(1e-3).solve().unwrap();
        for player in Player::BOTH {
            let policy = solution.policy();
            for row in policy.rows().filter(|row| row.player == player) {
                let strategy = solution.strategy(player, &row.bids, &row.balls).unwrap();
                assert_eq!(strategy.weights().map(|(_, weight)| weight).sum::<u64>(), 1 << 62);
            }
        }
    }
}
