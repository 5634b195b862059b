//! The settings of a solve of blind Tennis.

use std::ops::ControlFlow;
use std::time::Duration;

use super::BlindMethod;
use super::build::{Reductions, build};
use super::checkpoint::BlindCheckpoint;
use super::size::BlindSize;
use super::solution::{BlindSolution, BlindWork};
use crate::error::{BlindError, Error};
use crate::game::{Ball, Rules, State};
use crate::hidden::HiddenProgress;
use crate::hidden::search::Search;
use crate::hidden::settings::{Checkpoints, SolverSettings, search_setters};
use crate::work::{Callback, setters};

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
    reductions: Reductions,
    settings: SolverSettings<'p, BlindCheckpoint>,
}

impl<'p> BlindSolver<'p> {
    /// The most points of a player; memory ends long before.
    pub const MOST_POINTS: u32 = super::size::MOST_POINTS;

    /// The default of [`gap`](Self::gap): a millionth of a payoff in Tennis, whose payoffs span 4.
    pub const GAP: f64 = 2.5e-7;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = SolverSettings::<BlindCheckpoint>::MEMORY_LIMIT;

    /// A solver for these rules with 8 points each.
    pub fn new(rules: &Rules) -> Self {
        let start = State::new(8, 8, Ball::NET);
        Self {
            rules: *rules,
            start,
            reductions: Reductions::ALL,
            settings: SolverSettings::new(Self::GAP),
        }
    }

    /// Sets the points at the start, with the ball on the net.
    pub fn points(self, points: [u32; 2]) -> Self {
        self.start(State::new(points[0], points[1], Ball::NET))
    }

    setters! {
        /// Sets the state at the start, known to both.
        start(start: State) => start = start;

        /// Sets the method (default: regret minimisation, and the interior-point method once that
        /// is likely to be faster).
        method(method: BlindMethod) => settings.search.method = Some(method);
    }

    search_setters!(BlindCheckpoint);

    /// Resumes a checkpoint, whose game overrides the settings, to the same bytes as without the
    /// interruption.
    pub fn resume(mut self, checkpoint: BlindCheckpoint) -> Self {
        (self.rules, self.start) = (checkpoint.rules, checkpoint.start);
        self.settings.search.method.take_if(|method| *method != BlindMethod::Regret);
        self.reductions = Reductions::ALL;
        self.settings.resumed = Some(checkpoint);
        self
    }

    /// The estimated peak memory of the game in bytes.
    pub fn memory(&self) -> u64 {
        BlindSize::new(&self.rules, self.start).bytes(self.reductions)
    }

    fn check(&self) -> Result<(), Error> {
        if !self.settings.is_gap_possible() {
            return Err(BlindError::Gap { gap: self.settings.search.gap }.into());
        }
        self.settings.check_method()?;
        BlindSize::check(&self.rules, self.start, self.reductions, self.settings.memory_limit)
    }

    /// Solves the game. Time and memory grow about fourfold with every point.
    ///
    /// # Errors
    /// [`super::BlindError`]; [`crate::MethodError::Missing`] without the feature that the method
    /// needs.
    pub fn solve(mut self) -> Result<BlindSolution, Error> {
        self.check()?;
        let resources = self.settings.start(self.memory())?;
        let form = build(&self.rules, self.start, self.reductions);
        let learning = match self.settings.resumed.take() {
            Some(checkpoint) => Some(checkpoint.into_learning(&form)?),
            None => None,
        };
        let SolverSettings { search, checkpoint, .. } = &mut self.settings;
        let mut search = Search::new(&form, search, &resources);
        search
            .run(learning, &mut checkpoint.saver(|learning| BlindCheckpoint::of(&form, learning)));
        let Search { best, method, iterations, .. } = search;
        let bytes = form.tree.bytes() + form.matrix.bytes();
        let work = BlindWork { method, iterations, bytes, elapsed: resources.clock.elapsed() };
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
    use crate::work::Threads;

    /// Games of all kinds: on both motions, and one that is neither fair nor in the natural order,
    /// so that more points may be worse.
    #[cfg(feature = "lp")]
    const GAMES: [&str; 4] = [
        "field 2 motion net scoring 2,1,0,-1,-2",
        "field 1 motion step scoring 1,1,0,-1,-1",
        "field 2 motion step scoring 1,0,0,0,-1",
        "field 1 motion net scoring 1/3,2,-1/2,5/7,-1",
    ];

    /// Every set of reductions but the one without any.
    const SOME: [Reductions; 3] = [
        Reductions { decided: true, dominated: false },
        Reductions { decided: false, dominated: true },
        Reductions::ALL,
    ];

    fn with_reductions(
        rules: &Rules,
        start: State,
        reductions: Reductions,
    ) -> BlindSolver<'static> {
        BlindSolver { reductions, ..BlindSolver::new(rules).start(start) }
    }

    /// Where anything stays in the tree, its memory is twice that of the reduced one, to the byte.
    #[test]
    fn whole_trees_take_twice_the_memory() {
        for start in [State::new(6, 5, Ball::NET), State::new(3, 8, Ball::NET)] {
            let rules = Rules::tennis();
            let of = |reductions| with_reductions(&rules, start, reductions);
            let least = of(Reductions::ALL).memory();
            for reductions in [Reductions::NONE, SOME[0], SOME[1]] {
                let bytes = of(reductions).memory();
                assert_eq!(bytes, 2 * least, "{start}");
                assert!(of(reductions).gap(1.0).memory_limit(bytes).solve().is_ok(), "{start}");
                let refused = of(reductions).memory_limit(bytes - 1).solve();
                assert!(matches!(refused, Err(Error::Blind(BlindError::Memory { .. }))), "{start}");
            }
        }
    }

    #[cfg(feature = "lp")]
    #[test]
    fn what_is_left_out_does_not_change_the_value() {
        for rules in GAMES.map(|game| game.parse::<Rules>().unwrap()) {
            for start in ["5:5@0", "6:4@1", "4:6@0", "3:5@-1"].map(|start| start.parse().unwrap()) {
                let solve = |reductions| {
                    let solver = with_reductions(&rules, start, reductions);
                    solver.method(BlindMethod::Programme).solve().unwrap()
                };
                let whole = solve(Reductions::NONE);
                let sets = whole.decisions();
                for reductions in SOME {
                    let reduced = solve(reductions);
                    let [one, other] = [&whole, &reduced].map(BlindSolution::enclosure);
                    assert!(one.width() < 1e-9 && other.width() < 1e-9);
                    assert!(
                        one.lower() <= other.upper() && other.lower() <= one.upper(),
                        "{rules} {start}: {one:?} {other:?}"
                    );
                    assert!(
                        reduced.decisions() < sets || sets == [0, 0],
                        "{rules} {start}: nothing was left out"
                    );
                }
            }
        }
    }

    /// In a symmetric game either player secures as much with the other's strategy.
    #[test]
    fn a_mirrored_strategy_secures_as_much() {
        let form = build(&Rules::tennis(), State::new(6, 6, Ball::NET), Reductions::ALL);
        let start = RegretMinimisers::new(&form);
        let mut learned = start.clone();
        (0..200).for_each(|_| learned.iterate(Player::A, &form, &Threads::alone()));
        let secures = |player: Player, weights: &[f64]| {
            let plan = Plan::approximate(&form.tree.player_trees[player], weights);
            plan.secures(&form, player)
        };
        assert!(form.is_symmetric());
        for weights in [start.last(), learned.averages(), learned.last()] {
            let ByPlayer { a, b } = weights;
            assert_eq!(secures(Player::B, &form.mirrored(Player::A, a)), -secures(Player::A, a));
            assert_eq!(secures(Player::A, &form.mirrored(Player::B, b)), -secures(Player::B, b));
        }
        let [poor, good] =
            [start.last().a, learned.averages().a].map(|weights| secures(Player::A, weights));
        assert!(good > poor + (1 << 50), "one plan is better");
    }
}
