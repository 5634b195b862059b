//! The solver of blind Tennis, with its settings.

use std::ops::ControlFlow;
use std::time::Duration;

use super::build::{Builder, Reductions};
use super::checkpoint::BlindCheckpoint;
use super::method::{BlindMethod, BlindProgress};
use super::payoff_matrix::PayoffMatrix;
use super::plan::ProvedPlans;
use super::regret::{ProofProgress, RegretMinimisers, after_proof};
use super::size::BlindSize;
use super::solution::{BlindSolution, BlindWork};
use super::tree::Tree;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{BlindError, Error};
use crate::game::{Ball, ByPlayer, Player, Rules, State};
use crate::work::{Callback, Checkpointing, Clock, Threads, setters};

type WriteCheckpoint<'p> = dyn FnMut(&BlindCheckpoint) + 'p;

/// Solves blind Tennis: only the ball is announced, a player knows the own bids and the balls seen.
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
    /// The most points a player can start with; memory ends long before.
    pub const MOST_POINTS: u32 = super::size::MOST_POINTS;

    /// The gap between the bounds at which regret minimisation ends unless [`gap`](Self::gap) says otherwise.
    pub const GAP: f64 = 1e-6;

    /// The memory a solve may take unless [`memory_limit`](Self::memory_limit) says otherwise: 8 GiB.
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

    /// The points both players start with, the ball on the net.
    pub fn points(self, [a, b]: [u32; 2]) -> Self {
        self.start(State::new(a, b, Ball::NET))
    }

    setters! {
        /// The state the game starts from, known to both.
        start(start: State) => start = start;

        /// The method that solves it.
        method(method: BlindMethod) => method = method;

        /// The width of the enclosure, in payoffs, at which regret minimisation ends; it also ends where more iterations bring no
        /// narrower bounds, since doubles hold no more.
        gap(gap: f64) => gap = gap;

        /// The time after which regret minimisation ends with the bounds it has reached.
        time_limit(limit: Duration) => time_limit = Some(limit);

        /// The memory it may take, in bytes.
        memory_limit(bytes: u64) => memory_limit = bytes;

        /// The number of threads. The result is the same, to the byte, for any number.
        threads(threads: usize) => threads = Some(threads);

        /// The parts of the tree that are left out (default: all that can be).
        reductions(reductions: Reductions) => reductions = reductions;

        /// A callback that hears, on the calling thread, of new bounds and about ten times a second besides.
        ///
        /// Where it breaks, regret minimisation ends with the bounds reached; a solve that has not come to any is cancelled.
        on_progress(progress: impl FnMut(BlindProgress) -> ControlFlow<()> + 'p) => progress = Callback(Box::new(progress));

        /// A callback that is shown, not more often than this, what regret minimisation can go on from; also when it ends.
        on_checkpoint(every: Duration, write: impl FnMut(&BlindCheckpoint) + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));
    }

    /// Goes on from a checkpoint: the game and the rule of learning are those of the checkpoint, whatever was said before.
    ///
    /// The strategies are the same, to the byte, as without the interruption.
    pub fn resume(mut self, checkpoint: BlindCheckpoint) -> Self {
        (self.rules, self.start) = (checkpoint.rules, checkpoint.start);
        self.method = BlindMethod::Cfr(checkpoint.rule);
        self.reductions = Reductions::ALL;
        self.resumed = Some(checkpoint);
        self
    }

    /// About how many bytes a solve takes at the most.
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

    /// Solves the game.
    ///
    /// Time and memory grow about fourfold with every point.
    ///
    /// # Errors
    /// [`crate::GameError::NoPoints`], [`crate::GameError::TooManyPoints`], [`crate::GameError::BallOutside`],
    /// [`super::BlindError::Gap`], [`super::BlindError::Memory`],
    /// [`crate::WorkError::ThreadCount`], [`crate::WorkError::Threads`], [`crate::MethodError::Missing`],
    /// [`super::BlindError::Programme`] where the backend of the linear programmes gives up,
    /// [`super::BlindError::File`] where a checkpoint is of another size, and [`crate::WorkError::Cancelled`].
    pub fn solve(mut self) -> Result<BlindSolution, Error> {
        self.check()?;
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        let clock = Clock::start();
        let mut tree = Builder::build(&self.rules, self.start, self.reductions);
        let matrix = PayoffMatrix::new(&tree);
        tree.forget_pairs();
        let game = Game { tree, matrix, threads };
        let (proved, iterations) = match self.method {
            BlindMethod::Lp | BlindMethod::InteriorPoint => (game.programmes(self.method)?, 0),
            BlindMethod::Cfr(rule) => {
                let minimisers = match self.resumed.take() {
                    Some(checkpoint) => checkpoint.into_minimisers(&game.tree)?,
                    None => RegretMinimisers::new(&game.tree, rule),
                };
                self.learn(&game, minimisers, clock)
            }
        };
        let bytes = game.tree.bytes() + game.matrix.bytes();
        let work = BlindWork { method: self.method, iterations, leaves: game.matrix.len(), bytes, elapsed: clock.elapsed() };
        Ok(BlindSolution::new(game.tree, proved, work))
    }

    fn learn(&mut self, game: &Game, mut minimisers: RegretMinimisers, clock: Clock) -> (ProvedPlans, u64) {
        let mut proved = game.prove(minimisers.averages());
        // The same iterations are proved after a resumption, so that its end is that of an uninterrupted run, to the byte.
        let mut next_proof = 0;
        while next_proof < minimisers.iterations {
            next_proof = after_proof(next_proof);
        }
        let mut progress = ProofProgress::default();
        let mut heard = Duration::ZERO;
        loop {
            let late = self.time_limit.is_some_and(|limit| clock.elapsed() >= limit);
            let proof = minimisers.iterations >= next_proof || late;
            if proof {
                if minimisers.iterations > 0 {
                    proved = game.prove(minimisers.averages());
                }
                if minimisers.iterations >= next_proof {
                    next_proof = after_proof(next_proof);
                }
            }
            let elapsed = clock.elapsed();
            let mut stop =
                late || proved.enclosure.width() <= self.gap || progress.has_ended(minimisers.iterations, proved.enclosure);
            if proof || elapsed.saturating_sub(heard) > BREATH {
                heard = elapsed;
                let progress = BlindProgress { iterations: minimisers.iterations, enclosure: proved.enclosure, elapsed };
                stop |= (self.progress.0)(progress).is_break();
            }
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.note(stop, |write| write(&BlindCheckpoint::of(&game.tree, &minimisers)));
            }
            if stop {
                return (proved, minimisers.iterations);
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
        if self.tree.is_symmetric() {
            // The better of the two serves both.
            let Bounds { lower, upper } = proved.enclosure.integers();
            let better = if lower >= -upper { Player::A } else { Player::B };
            proved.plans[better.opponent()] = self.tree.mirrored(better, &proved.plans[better]);
            let secured = lower.max(-upper);
            proved.enclosure = Enclosure::new(Bounds::new(secured, -secured), self.tree.unit());
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

    #[cfg(not(feature = "lp"))]
    #[expect(clippy::unused_self, reason = "with the feature it takes the tree")]
    fn programmes(&self, _: BlindMethod) -> Result<ProvedPlans, Error> {
        Err(crate::error::MethodError::Missing { method: crate::induction::Method::Lp.to_string() }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::plan::Plan;

    /// In a game that looks the same from either side the better plan serves both players, whosever it is.
    #[test]
    fn the_better_of_two_plans_serves_both_players() {
        let rules = Rules::tennis();
        let tree = Builder::build(&rules, State::new(6, 6, Ball::NET), Reductions::ALL);
        let matrix = PayoffMatrix::new(&tree);
        let game = Game { tree, matrix, threads: Threads::start(1).unwrap() };
        let start = RegretMinimisers::new(&game.tree, crate::blind::RegretRule::Predictive);
        let mut learned = start.clone();
        (0..200).for_each(|_| learned.iterate(Player::A, &game.tree, &game.matrix, &game.threads));
        let [poor, good] = [&start, &learned].map(RegretMinimisers::averages);
        let secures = |player: Player, weights: &[f64]| {
            Plan::approximate(game.tree.player_tree(player), weights).secures(&game.tree, &game.matrix, player)
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

    /// What a strategy says sums to certainty exactly, whatever the rounding of its shares.
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
