use std::ops::ControlFlow;
use std::time::Duration;

use super::build::{Reductions, build};
use super::checkpoint::BlindCheckpoint;
use super::payoff_matrix::PayoffMatrix;
use super::plan::ProvedPlans;
use super::regret::{Proofs, RegretMinimisers, Widths};
use super::size::BlindSize;
use super::solution::{BlindSolution, BlindWork};
use super::tree::Tree;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{BlindError, Error};
use crate::game::{Ball, ByPlayer, Player, Rules, State};
use crate::work::{Callback, Checkpointing, Clock, Threads, setters};
use crate::written_as::written_as;

type WriteCheckpoint<'p> = dyn FnMut(&BlindCheckpoint) + 'p;

/// Solves blind Tennis, in which a player observes only the ball and the own bids.
///
/// ```
/// use pencil_tennis::blind::BlindSolver;
/// use pencil_tennis::Rules;
///
/// let solution = BlindSolver::new(&Rules::tennis()).points([10, 8]).gap(1e-6).solve()?;
/// assert!(solution.enclosure().lower() > 1.184846 && solution.enclosure().upper() < 1.184848);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[must_use = "nothing is solved before `solve`"]
#[derive(Debug)]
pub struct BlindSolver<'p> {
    rules: Rules,
    start: State,
    method: BlindMethod,
    gap: f64,
    time_limit: Option<Duration>,
    memory_limit: u64,
    threads: Option<usize>,
    reductions: Reductions,
    resumed: Option<BlindCheckpoint>,
    progress: Callback<dyn FnMut(BlindProgress) -> ControlFlow<()> + 'p>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
}

/// The least interval between two calls of the progress callback between proofs.
const BREATH: Duration = Duration::from_millis(100);

impl<'p> BlindSolver<'p> {
    /// The most points of a player; memory ends long before.
    pub const MOST_POINTS: u32 = super::size::MOST_POINTS;

    /// The default of [`gap`](Self::gap).
    pub const GAP: f64 = 1e-6;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// A solver for these rules with 8 points each, by regret minimisation.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            start: State::new(8, 8, Ball::NET),
            method: BlindMethod::default(),
            gap: Self::GAP,
            time_limit: None,
            memory_limit: Self::MEMORY_LIMIT,
            threads: None,
            reductions: Reductions::ALL,
            resumed: None,
            progress: Callback(Box::new(|_| ControlFlow::Continue(()))),
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

        method(method: BlindMethod) => method = method;

        /// Sets the width of the enclosure, in payoffs, at which regret minimisation ends; it also ends where doubles are
        /// exhausted.
        gap(gap: f64) => gap = gap;

        /// Sets the time after which regret minimisation ends with the bounds reached.
        time_limit(limit: Duration) => time_limit = Some(limit);

        memory_limit(bytes: u64) => memory_limit = bytes;

        /// Sets the number of threads, on which the result does not depend.
        threads(threads: usize) => threads = Some(threads);

        /// Sets the pruned parts of the tree (default: all possible).
        reductions(reductions: Reductions) => reductions = reductions;

        /// Sets a callback that hears, on the calling thread, of new bounds and about ten times a second between them.
        ///
        /// If it breaks, regret minimisation ends with the bounds reached; a solve without bounds is cancelled.
        on_progress(progress: impl FnMut(BlindProgress) -> ControlFlow<()> + 'p) => progress = Callback(Box::new(progress));

        /// Sets a callback that gets the state of regret minimisation, at most once in this interval, and at the end.
        on_checkpoint(every: Duration, write: impl FnMut(&BlindCheckpoint) + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));
    }

    /// Resumes a checkpoint, whose game overrides the settings, to the same bytes as without the interruption.
    pub fn resume(mut self, checkpoint: BlindCheckpoint) -> Self {
        (self.rules, self.start) = (checkpoint.rules, checkpoint.start);
        self.method = BlindMethod::Cfr;
        self.reductions = Reductions::ALL;
        self.resumed = Some(checkpoint);
        self
    }

    pub fn memory(&self) -> u64 {
        BlindSize::new(&self.rules, self.start).bytes(self.reductions)
    }

    fn check(&self) -> Result<(), Error> {
        if !(self.gap >= 0.0 && self.gap.is_finite()) {
            return Err(BlindError::Gap { gap: self.gap }.into());
        }
        if self.method == BlindMethod::Lp && !cfg!(feature = "lp") {
            return Err(crate::error::MethodError::Missing { method: crate::induction::Method::Lp.to_string() }.into());
        }
        if self.method == BlindMethod::InteriorPoint && !cfg!(feature = "interior-point") {
            return Err(BlindError::InteriorPointMissing.into());
        }
        BlindSize::check(&self.rules, self.start, self.reductions, self.memory_limit)
    }

    /// Solves the game. Time and memory grow about fourfold with every point.
    ///
    /// # Errors
    /// [`super::BlindError`]; [`crate::MethodError::Missing`] without the feature that the method needs.
    pub fn solve(mut self) -> Result<BlindSolution, Error> {
        self.check()?;
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        let clock = Clock::start();
        let (tree, matrix) = build(&self.rules, self.start, self.reductions);
        let game = Game { tree, matrix, threads };
        let (proved, iterations) = match self.method {
            #[cfg(feature = "lp")]
            BlindMethod::Lp | BlindMethod::InteriorPoint => (game.programmes(self.method)?, 0),
            _ => {
                let (minimisers, widths) = match self.resumed.take() {
                    Some(checkpoint) => {
                        let widths = checkpoint.widths;
                        (checkpoint.into_minimisers(&game.tree)?, widths)
                    }
                    None => (RegretMinimisers::new(&game.tree), Widths::default()),
                };
                let proofs = Proofs::new(minimisers.iterations, widths);
                self.learn(&game, minimisers, proofs, clock)
            }
        };
        let bytes = game.tree.bytes() + game.matrix.bytes();
        let work = BlindWork { method: self.method, iterations, leaves: game.matrix.len(), bytes, elapsed: clock.elapsed() };
        Ok(BlindSolution::new(game.tree, proved, work))
    }

    /// Learns until the bounds are close, or time or the callback ends it. Only at proofs that are due anyway it is decided
    /// whether to go on, so that a resumed solve ends with the bytes of an uninterrupted one.
    fn learn(&mut self, game: &Game, mut minimisers: RegretMinimisers, mut proofs: Proofs, clock: Clock) -> (ProvedPlans, u64) {
        let mut proved = game.prove(minimisers.averages());
        let mut heard = None;
        loop {
            let iteration = minimisers.iterations;
            let late = self.time_limit.is_some_and(|limit| clock.elapsed() >= limit);
            let is_due = proofs.are_due(iteration);
            if is_due || late {
                proved = game.prove(minimisers.averages());
            }
            if is_due {
                proofs.note(iteration, proved.enclosure);
            }
            let elapsed = clock.elapsed();
            let mut stop = late || proofs.widths.last <= self.gap || (is_due && proofs.have_ended(iteration));
            if is_due || late || heard.is_none_or(|heard| elapsed.saturating_sub(heard) > BREATH) {
                heard = Some(elapsed);
                let progress = BlindProgress { iterations: iteration, enclosure: proved.enclosure, elapsed };
                stop |= (self.progress.0)(progress).is_break();
            }
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.note(stop, |write| write(&BlindCheckpoint::of(&game.tree, &minimisers, proofs.widths)));
            }
            if stop {
                return (proved, iteration);
            }
            minimisers.iterate(Player::A, &game.tree, &game.matrix, &game.threads);
        }
    }
}

struct Game {
    tree: Tree,
    matrix: PayoffMatrix,
    threads: Threads,
}

impl Game {
    fn prove(&self, weights: ByPlayer<&[f64]>) -> ProvedPlans {
        let mut proved = ProvedPlans::approximate(&self.tree, &self.matrix, weights);
        if self.tree.start.mirrored() == self.tree.start && self.tree.rules.scoring().is_antisymmetric() {
            // The better of the two serves both.
            let Bounds { lower, upper } = proved.enclosure.integers();
            let better = if lower >= -upper { Player::A } else { Player::B };
            proved.plans[better.opponent()] = self.tree.mirrored(better, &proved.plans[better]);
            let secured = lower.max(-upper);
            proved.enclosure = Enclosure::proved(Bounds::new(secured, -secured), self.tree.unit().exponent);
        }
        proved
    }

    #[cfg(feature = "lp")]
    fn programmes(&self, method: BlindMethod) -> Result<ProvedPlans, Error> {
        use super::sequence_form::optimal_plan;
        let optimal = |player| match method {
            #[cfg(feature = "interior-point")]
            BlindMethod::InteriorPoint => optimal_plan(&self.tree, &self.matrix, player, super::sequence_form::interior_point),
            _ => optimal_plan(&self.tree, &self.matrix, player, good_lp::microlp),
        };
        let refusal = BlindError::Programme;
        let [a, b] = Player::BOTH.map(optimal);
        let (a, b) = a.zip(b).ok_or(refusal)?;
        Ok(self.prove(ByPlayer { a: &a, b: &b }))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlindMethod {
    /// Regret minimisation: predictive CFR+ (Farina, Kroer and Sandholm 2021); iteration `t` has weight `t²` in the average.
    #[default]
    Cfr,
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the feature `lp`.
    Lp,
    /// The same programmes by an interior-point method (Clarabel). Needs the feature `interior-point`.
    InteriorPoint,
}

written_as!(
    BlindMethod {
        Cfr => "cfr",
        Lp => "lp",
        InteriorPoint => "ipm",
    },
    |text| BlindError::MethodUnknown { text } => BlindError
);

#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BlindProgress {
    pub iterations: u64,
    pub enclosure: Enclosure,
    pub elapsed: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::plan::Plan;

    /// In a symmetric game the better plan serves both players.
    #[test]
    fn the_better_of_two_plans_serves_both_players() {
        let rules = Rules::tennis();
        let (tree, matrix) = build(&rules, State::new(6, 6, Ball::NET), Reductions::ALL);
        let game = Game { tree, matrix, threads: Threads::start(1).unwrap() };
        let start = RegretMinimisers::new(&game.tree);
        let mut learned = start.clone();
        (0..200).for_each(|_| learned.iterate(Player::A, &game.tree, &game.matrix, &game.threads));
        let [poor, good] = [&start, &learned].map(RegretMinimisers::averages);
        let secures = |player: Player, weights: &[f64]| {
            Plan::approximate(&game.tree.player_trees[player], weights).secures(&game.tree, &game.matrix, player)
        };
        for (a, b) in [(good.a, poor.b), (poor.a, good.b), (good.a, good.b)] {
            let ProvedPlans { plans, enclosure } = game.prove(ByPlayer { a, b });
            let better = secures(Player::A, a).max(-secures(Player::B, b));
            assert_eq!(enclosure.integers(), Bounds::new(better, -better));
            assert_eq!(plans.a.secures(&game.tree, &game.matrix, Player::A), better);
            assert_eq!(plans.b.secures(&game.tree, &game.matrix, Player::B), -better);
        }
        assert!(secures(Player::A, good.a) > secures(Player::A, poor.a) + (1 << 50), "one plan is better");
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
