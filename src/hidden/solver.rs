use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use num_traits::ToPrimitive;

#[cfg(feature = "lp")]
use super::finder::programme::maximin_plan;
use super::finder::regret::{RegretMinimisers, Secured};
#[cfg(feature = "lp")]
use super::finder::vertex::exact_plan;
use super::proof::Judgement;
use super::rules::HiddenRules;
use super::sequence_form::SequenceForm;
use super::solution::HiddenSolution;
use super::strategy::BehaviourStrategy;
use super::tree::GameTree;
use crate::bounds::Enclosure;
use crate::error::{Error, HiddenError, MethodError};
use crate::game::{ByPlayer, Player};
use crate::work::{Callback, Clock, setters};

/// Solves a game with hidden information.
#[derive(Debug)]
pub struct HiddenSolver<'p> {
    tree: Arc<GameTree>,
    method: Option<HiddenMethod>,
    gap: f64,
    time_limit: Option<Duration>,
    progress: Callback<dyn FnMut(HiddenProgress) -> ControlFlow<()> + 'p>,
}

/// How strategies are found. The proof of their bounds is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HiddenMethod {
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the feature `lp`.
    Programme,
    /// Predictive CFR+ (Farina, Kroer and Sandholm 2021).
    Regret,
}

/// The state of a solve.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HiddenProgress {
    /// Iterations of regret minimisation so far.
    pub iterations: u64,
    /// The narrowest bounds of the value so far.
    pub enclosure: Enclosure,
    pub elapsed: Duration,
}

/// Regret minimisation reports at least this often, so that it can be cancelled.
const BREATH: Duration = Duration::from_millis(100);

impl HiddenSolver<'static> {
    /// A solver for a tree, which may be shared.
    pub fn new(tree: impl Into<Arc<GameTree>>) -> Self {
        let progress = Callback(Box::new(|_| ControlFlow::Continue(())) as Box<_>);
        Self { tree: tree.into(), method: None, gap: Self::GAP, time_limit: None, progress }
    }

    /// A solver for the tree that rules describe.
    ///
    /// # Errors
    /// Those of [`GameTree::from_rules`].
    pub fn from_rules<R: HiddenRules>(rules: &R) -> Result<Self, HiddenError> {
        Ok(Self::new(GameTree::from_rules(rules)?))
    }
}

impl<'p> HiddenSolver<'p> {
    /// The default gap, as a share of the span of payoffs: the linear programme is that accurate, and regret minimisation gets
    /// there in most games.
    pub const GAP: f64 = 1e-9;

    /// The most sequences, of both players together, for which the linear programme is tried unless a method is set. The
    /// programme's time grows with their cube.
    pub const PROGRAMME_SEQUENCES: usize = 4_000;

    setters! {
        /// Sets the method (default: the linear programme for small games, and regret minimisation where its bounds are wider than
        /// the gap).
        method(method: HiddenMethod) => method = Some(method);

        /// Sets the width of the proved bounds at which regret minimisation ends, as a share of the span of payoffs; it also ends
        /// where doubles are exhausted.
        gap(gap: f64) => gap = gap;

        /// Sets the time after which regret minimisation ends with the bounds reached.
        time_limit(limit: Duration) => time_limit = Some(limit);

        /// Sets a callback that hears, on the calling thread, of new bounds and about ten times a second between them. If it
        /// breaks, the solve ends with the bounds reached.
        on_progress(progress: impl FnMut(HiddenProgress) -> ControlFlow<()> + 'p) => progress = Callback(Box::new(progress));
    }

    /// Finds strategies and proves bounds of the value by them.
    ///
    /// # Errors
    /// [`HiddenError::Gap`]; [`MethodError::Missing`] for the linear programme without the feature `lp`.
    pub fn solve(self) -> Result<HiddenSolution, Error> {
        if !(self.gap >= 0.0 && self.gap.is_finite()) {
            return Err(HiddenError::Gap { gap: self.gap.to_string() }.into());
        }
        if self.method == Some(HiddenMethod::Programme) && !cfg!(feature = "lp") {
            return Err(MethodError::Missing { method: "lp".to_owned() }.into());
        }
        let clock = Clock::start();
        let form = SequenceForm::new(&self.tree);
        let [smallest, largest] = self.tree.payoff_range();
        let span = (largest - smallest).to_f64().unwrap_or(f64::INFINITY);
        let best = Player::BOTH.map(|player| Judgement::bounded(&self.tree, BehaviourStrategy::uniform(&self.tree, player)));
        let [a, b] = best;
        let mut search = Search { solver: self, form, width: 0.0, best: ByPlayer { a, b }, clock, iterations: 0 };
        search.width = search.solver.gap * span;
        search.run();
        let Search { solver, best, iterations, clock, .. } = search;
        let best = best.map(|judgement| Judgement::new(&solver.tree, judgement.into_strategy()));
        Ok(HiddenSolution::new(solver.tree, best, iterations, clock.elapsed()))
    }
}

/// A solve under way.
struct Search<'p> {
    solver: HiddenSolver<'p>,
    form: SequenceForm,
    /// The width of bounds that is asked for.
    width: f64,
    /// The strategies that secure most so far.
    best: ByPlayer<Judgement>,
    clock: Clock,
    iterations: u64,
}

impl Search<'_> {
    fn run(&mut self) {
        let method = self.solver.method;
        #[cfg(feature = "lp")]
        if method == Some(HiddenMethod::Programme) || (method.is_none() && self.is_small()) {
            self.solve_programmes();
        }
        let is_close = Judgement::value(&self.best).width() <= self.width;
        if method != Some(HiddenMethod::Programme) && !is_close {
            self.minimise_regret();
        }
    }

    /// Whether linear programmes are likely to be the faster way.
    #[cfg(feature = "lp")]
    fn is_small(&self) -> bool {
        self.form.sequences.a + self.form.sequences.b <= HiddenSolver::PROGRAMME_SEQUENCES
    }

    #[cfg(feature = "lp")]
    fn solve_programmes(&mut self) {
        let [a, b] = Player::BOTH.map(|player| maximin_plan(&self.form, player));
        for (player, plan) in Player::BOTH.into_iter().zip([&a, &b]) {
            if let Some(plan) = plan {
                self.offer(player, plan);
            }
        }
        if let (Some(a), Some(b)) = (a, b) {
            self.refine(&ByPlayer { a, b });
        }
    }

    /// Replaces the strategies of the linear programmes by their vertices in fractions, if these are optimal.
    #[cfg(feature = "lp")]
    fn refine(&mut self, plans: &ByPlayer<Vec<f64>>) {
        let tree = &self.solver.tree;
        let refined = Player::BOTH.map(|player| {
            let plan = exact_plan(tree, &self.form, player, &plans[player])?;
            let strategy = BehaviourStrategy::from_plan(tree, &plan, self.best[player].strategy()).ok()?;
            Some(Judgement::new(tree, strategy))
        });
        let [Some(a), Some(b)] = refined else { return };
        if a.exact().is_some() && a.exact() == b.exact() {
            self.best = ByPlayer { a, b };
        }
    }

    /// Proves a found strategy, and keeps it if it secures more than the best one so far.
    fn offer(&mut self, player: Player, weights: &[f64]) {
        let strategy = BehaviourStrategy::approximate(&self.solver.tree, player, weights);
        let judgement = Judgement::bounded(&self.solver.tree, strategy);
        if judgement.is_better_than(&self.best[player]) {
            self.best[player] = judgement;
        }
    }

    fn minimise_regret(&mut self) {
        let mut minimisers = RegretMinimisers::new(&self.form);
        let mut schedule = Schedule::default();
        let mut found = ByPlayer::new(|_| Found { secures: f64::NEG_INFINITY, weights: Vec::new() });
        let mut proof = Pace::default();
        let mut heard = Duration::ZERO;
        loop {
            minimisers.iterate(&self.form);
            self.iterations = minimisers.iterations;
            let mut elapsed = self.clock.elapsed();
            let mut is_done = self.solver.time_limit.is_some_and(|limit| elapsed >= limit);
            let is_due = is_done || schedule.is_due(self.iterations);
            if is_due {
                for player in Player::BOTH {
                    found[player].improve(&mut minimisers, &self.form, player);
                }
                // Payoffs are scaled to −1..1.
                let gap = -(found.a.secures + found.b.secures) / 2.0;
                is_done |= schedule.has_ended(self.iterations, gap);
                // A proof takes the time of many iterations.
                if is_done || gap <= self.solver.gap || proof.is_due(elapsed) {
                    for player in Player::BOTH {
                        self.offer(player, &found[player].weights);
                    }
                    is_done |= Judgement::value(&self.best).width() <= self.width;
                    proof = Pace { begun: elapsed, ended: self.clock.elapsed() };
                    elapsed = proof.ended;
                }
            }
            if is_done || elapsed.saturating_sub(heard) > BREATH {
                heard = elapsed;
                let enclosure = Judgement::value(&self.best);
                let progress = HiddenProgress { iterations: self.iterations, enclosure, elapsed };
                let is_cancelled = (self.solver.progress.0)(progress).is_break();
                if is_cancelled && !is_done {
                    for player in Player::BOTH {
                        found[player].improve(&mut minimisers, &self.form, player);
                        self.offer(player, &found[player].weights);
                    }
                }
                is_done |= is_cancelled;
            }
            if is_done {
                return;
            }
        }
    }
}

/// The best strategy of a player so far in floating point, which is not proved yet.
struct Found {
    secures: f64,
    /// Non-negative numbers by sequences.
    weights: Vec<f64>,
}

impl Found {
    /// Takes the average or the last strategy if it secures more.
    fn improve(&mut self, minimisers: &mut RegretMinimisers, form: &SequenceForm, player: Player) {
        let Secured { average, last } = minimisers.secured(form, player);
        if average > self.secures {
            self.secures = average;
            self.weights.clear();
            self.weights.extend_from_slice(minimisers.average(player));
        }
        if last > self.secures {
            self.secures = last;
            self.weights.clear();
            self.weights.extend_from_slice(minimisers.last(player));
        }
    }
}

/// When the last proof began and ended.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    begun: Duration,
    ended: Duration,
}

impl Pace {
    /// Proofs for progress take at most this share of the time.
    const SHARE: u32 = 20;

    /// Whether enough time has passed for another proof, whose bounds are reported.
    fn is_due(self, now: Duration) -> bool {
        now.saturating_sub(self.ended) > self.ended.saturating_sub(self.begun) * Self::SHARE + BREATH
    }
}

/// The iterations at which strategies are judged, and the rule by which a run ends that no longer narrows the gap.
#[derive(Debug)]
struct Schedule {
    next: u64,
    /// The narrowest gap, but for later ones that are hardly narrower, and its iteration.
    narrowest: f64,
    since: u64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { next: 1, narrowest: f64::INFINITY, since: 0 }
    }
}

impl Schedule {
    /// The fewest iterations before the rule applies, however slowly a game begins.
    const PATIENCE: u64 = 1 << 12;

    /// Whether a judgement is due, which costs as much as two iterations.
    fn is_due(&mut self, iteration: u64) -> bool {
        if iteration < self.next {
            return false;
        }
        self.next = iteration + iteration / 8 + 16;
        true
    }

    /// Whether four times the iterations narrowed the gap by less than an eighth.
    fn has_ended(&mut self, iteration: u64, gap: f64) -> bool {
        if gap < 0.875 * self.narrowest {
            self.narrowest = gap;
            self.since = iteration;
        }
        iteration >= Self::PATIENCE && iteration / 4 >= self.since
    }
}
