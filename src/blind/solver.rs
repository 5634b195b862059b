use std::ops::ControlFlow;
use std::time::Duration;

use super::build::{Reductions, build};
use super::checkpoint::BlindCheckpoint;
use super::payoff_matrix::SequenceForm;
use super::plan::ProvedPlans;
use super::size::BlindSize;
use super::solution::{BlindSolution, BlindWork};
use crate::bounds::{Bounds, Enclosure};
use crate::error::{BlindError, Error};
use crate::game::{Ball, ByPlayer, Player, Rules, State};
use crate::hidden::finder::found::Found as Best;
use crate::hidden::finder::interior_point::InteriorPoint;
#[cfg(feature = "lp")]
use crate::hidden::finder::programme::{self, Plans, optimal_plans};
use crate::hidden::finder::regret::RegretMinimisers;
use crate::hidden::finder::schedule::{Proofs, Widths};
use crate::work::{Callback, Checkpointing, Clock, Threads, setters};
use crate::written_as::written_as;

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
    method: Option<BlindMethod>,
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

    /// The default of [`gap`](Self::gap): a millionth of a payoff in Tennis, whose payoffs span 4.
    pub const GAP: f64 = 2.5e-7;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// A solver for these rules with 8 points each.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            start: State::new(8, 8, Ball::NET),
            method: None,
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

        /// Sets the method (default: regret minimisation, and linear programmes instead once it has taken as long as these are
        /// likely to take).
        method(method: BlindMethod) => method = Some(method);

        /// Sets the width of the enclosure at which regret minimisation ends, as a share of the span of payoffs; it also ends where
        /// doubles are exhausted.
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
        self.method = self.method.filter(|&method| method == BlindMethod::Cfr);
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
        if self.method == Some(BlindMethod::Lp) && !cfg!(feature = "lp") {
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
        let thread_count = Threads::checked(self.threads)?;
        let threads = Threads::start(thread_count)?;
        let clock = Clock::start();
        let form = build(&self.rules, self.start, self.reductions);
        let game = Game {
            form,
            threads,
            #[cfg(feature = "lp")]
            thread_count,
        };
        let (minimisers, widths) = match self.resumed.take() {
            Some(checkpoint) => {
                let widths = checkpoint.widths;
                (checkpoint.into_minimisers(&game.form)?, widths)
            }
            None => (RegretMinimisers::new(&game.form), Widths::default()),
        };
        let Found { proved, method, iterations } = match self.method {
            #[cfg(feature = "lp")]
            Some(method @ BlindMethod::Lp) => {
                let even = game.prove(minimisers.last());
                let programmes = self.programmes(&game, even.enclosure, 0, clock);
                Found { proved: programmes.unwrap_or(Ok(even))?, method, iterations: 0 }
            }
            Some(method @ BlindMethod::InteriorPoint) => {
                let even = game.prove(minimisers.last());
                Found { proved: self.interior_point(&game, even, clock), method, iterations: 0 }
            }
            _ => {
                let proofs = Proofs::new(minimisers.iterations, widths);
                self.learn(&game, minimisers, proofs, clock)
            }
        };
        let bytes = game.form.tree.bytes() + game.form.matrix.bytes();
        let work = BlindWork { method, iterations, leaves: game.form.matrix.len(), bytes, elapsed: clock.elapsed() };
        Ok(BlindSolution::new(game.form.tree, proved, work))
    }

    /// Learns until the bounds are close, or time or the callback ends it. Only at proofs that are due anyway it is decided
    /// whether to go on, so that a resumed solve ends with the bytes of an uninterrupted one.
    fn learn(&mut self, game: &Game, mut minimisers: RegretMinimisers, mut proofs: Proofs, clock: Clock) -> Found {
        let width = self.gap * game.form.span();
        let mut found = Found { proved: game.prove(minimisers.averages()), method: BlindMethod::Cfr, iterations: 0 };
        let mut heard = None;
        // Whether linear programmes are still to be tried.
        #[cfg(feature = "lp")]
        let mut has_programmes = self.method.is_none() && self.programmes_fit(&game.form);
        loop {
            let iteration = minimisers.iterations;
            found.iterations = iteration;
            let late = self.time_limit.is_some_and(|limit| clock.elapsed() >= limit);
            let is_due = proofs.are_due(iteration);
            if is_due || late {
                found.proved = game.prove(minimisers.averages());
            }
            if is_due {
                proofs.note(iteration, found.proved.enclosure.width());
            }
            let elapsed = clock.elapsed();
            let mut stop = late || proofs.widths.last <= width || (is_due && proofs.have_ended(iteration));
            if is_due || late || heard.is_none_or(|heard| elapsed.saturating_sub(heard) > BREATH) {
                heard = Some(elapsed);
                let progress = BlindProgress { iterations: iteration, enclosure: found.proved.enclosure, elapsed };
                stop |= (self.progress.0)(progress).is_break();
            }
            #[cfg(feature = "lp")]
            if has_programmes && is_due && !stop && programme::are_due(&game.form, iteration) {
                has_programmes = false;
                match self.programmes(game, found.proved.enclosure, iteration, clock) {
                    None => stop = true,
                    Some(Ok(proved)) => {
                        stop = true;
                        if proved.enclosure.width() < found.proved.enclosure.width() {
                            found = Found { proved, method: BlindMethod::Lp, iterations: iteration };
                        }
                    }
                    // The backend gives up.
                    Some(Err(_)) => {}
                }
            }
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.note(stop, |write| write(&BlindCheckpoint::of(&game.form, &minimisers, proofs.widths)));
            }
            if stop {
                return found;
            }
            minimisers.iterate(Player::A, &game.form, &game.threads);
        }
    }

    /// Whether there is memory for linear programmes.
    #[cfg(feature = "lp")]
    fn programmes_fit(&self, form: &SequenceForm) -> bool {
        /// The bytes of a coefficient in both programmes: in the maps of their expressions and in the backend's matrices and factors.
        const BYTES: u64 = 400;

        form.matrix.len() as u64 * BYTES <= self.memory_limit
    }

    /// Asks the clock and the callback whether a search goes on.
    fn breath(&mut self, enclosure: Enclosure, iterations: u64, clock: Clock) -> impl FnMut() -> ControlFlow<()> {
        let limit = self.time_limit;
        move || {
            let elapsed = clock.elapsed();
            if limit.is_some_and(|limit| elapsed >= limit) {
                return ControlFlow::Break(());
            }
            (self.progress.0)(BlindProgress { iterations, enclosure, elapsed })
        }
    }

    /// Solves the linear programmes and proves their plans. Progress has the bounds so far. Returns `None` if the time or the callback
    /// ends it.
    #[cfg(feature = "lp")]
    fn programmes(
        &mut self,
        game: &Game,
        enclosure: Enclosure,
        iterations: u64,
        clock: Clock,
    ) -> Option<Result<ProvedPlans, BlindError>> {
        let go_on = self.breath(enclosure, iterations, clock);
        let plans = optimal_plans(&game.form, good_lp::microlp, game.thread_count, go_on);
        let Plans { a, b } = plans.continue_value()?;
        let plans = a.zip(b).ok_or(BlindError::Programme);
        Some(plans.map(|(a, b)| game.prove(ByPlayer { a: &a, b: &b })))
    }

    /// Follows the interior-point method until the bounds are close or gain no more, or the time or the callback ends it, and proves
    /// the best plans. Without any, because its factors take too much memory or it ended before the first, keeps those of even play.
    fn interior_point(&mut self, game: &Game, even: ProvedPlans, clock: Clock) -> ProvedPlans {
        let bytes = self.memory_limit.saturating_sub(self.memory());
        let width = self.gap * game.form.span();
        let mut go_on = self.breath(even.enclosure, 0, clock);
        let mut found = ByPlayer::<Best>::default();
        if let ControlFlow::Continue(Some(mut method)) = InteriorPoint::new(&game.form, bytes, &mut go_on) {
            // Whatever ends it, the best plans are proved.
            let _ = method.narrow(&game.form, width, &mut found, &game.threads, &mut go_on);
        }
        if found.iter().any(|best| best.weights.is_empty()) {
            return even;
        }
        game.prove(found.as_ref().map(|best| &best.weights[..]))
    }
}

/// The result of a search.
struct Found {
    proved: ProvedPlans,
    /// The method that found the plans.
    method: BlindMethod,
    /// Iterations of regret minimisation.
    iterations: u64,
}

struct Game {
    form: SequenceForm,
    threads: Threads,
    #[cfg(feature = "lp")]
    thread_count: usize,
}

impl Game {
    fn prove(&self, weights: ByPlayer<&[f64]>) -> ProvedPlans {
        let tree = &self.form.tree;
        let mut proved = ProvedPlans::approximate(tree, &self.form.matrix, weights);
        if tree.start.mirrored() == tree.start && tree.rules.scoring().is_antisymmetric() {
            // The better of the two serves both.
            let Bounds { lower, upper } = proved.enclosure.integers();
            let better = if lower >= -upper { Player::A } else { Player::B };
            proved.plans[better.opponent()] = tree.mirrored(better, &proved.plans[better]);
            let secured = lower.max(-upper);
            proved.enclosure = Enclosure::proved(Bounds::new(secured, -secured), tree.unit().exponent);
        }
        proved
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
    /// An interior-point method for both players' plans at once (Mehrotra 1992).
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
        let form = build(&rules, State::new(6, 6, Ball::NET), Reductions::ALL);
        let game = Game {
            form,
            threads: Threads::start(1).unwrap(),
            #[cfg(feature = "lp")]
            thread_count: 1,
        };
        let start = RegretMinimisers::new(&game.form);
        let mut learned = start.clone();
        (0..200).for_each(|_| learned.iterate(Player::A, &game.form, &game.threads));
        let SequenceForm { tree, matrix } = &game.form;
        let [poor, good] = [&start, &learned].map(RegretMinimisers::averages);
        let secures = |player: Player, weights: &[f64]| {
            Plan::approximate(&tree.player_trees[player], weights).secures(tree, matrix, player)
        };
        for (a, b) in [(good.a, poor.b), (poor.a, good.b), (good.a, good.b)] {
            let ProvedPlans { plans, enclosure } = game.prove(ByPlayer { a, b });
            let better = secures(Player::A, a).max(-secures(Player::B, b));
            assert_eq!(enclosure.integers(), Bounds::new(better, -better));
            assert_eq!(plans.a.secures(tree, matrix, Player::A), better);
            assert_eq!(plans.b.secures(tree, matrix, Player::B), -better);
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
