use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use num_traits::ToPrimitive;

use super::checkpoint::HiddenCheckpoint;
use super::finder::found::Found;
use super::finder::interior_point::{InteriorPoint, Listener};
use super::finder::lexicographic::TremblingBasis;
#[cfg(feature = "lp")]
use super::finder::programme::{Plans, optimal_plans};
use super::finder::regret::RegretMinimisers;
use super::finder::schedule::{Proofs, Widths};
#[cfg(feature = "lp")]
use super::finder::vertex::exact_plan;
use super::finder::vertex::trembling_plan;
use super::proof::Judgement;
use super::rules::HiddenRules;
use super::sequence_form::SequenceForm;
use super::solution::HiddenSolution;
use super::strategy::BehaviourStrategy;
use super::test_sequence::TestSequence;
use super::tree::GameTree;
use crate::bounds::Enclosure;
use crate::error::{Error, HiddenError, MethodError};
use crate::game::{ByPlayer, Player};
use crate::work::{Callback, Checkpointing, Clock, Threads, WorkError, setters};

type WriteCheckpoint<'p> = dyn FnMut(&HiddenCheckpoint) + 'p;

/// Solves a game with hidden information.
#[derive(Debug)]
pub struct HiddenSolver<'p> {
    tree: Arc<GameTree>,
    method: Option<HiddenMethod>,
    refinement: Option<HiddenRefinement>,
    gap: f64,
    time_limit: Option<Duration>,
    memory_limit: u64,
    threads: Option<usize>,
    resumed: Option<HiddenCheckpoint>,
    checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    progress: Callback<dyn FnMut(HiddenProgress) -> ControlFlow<()> + 'p>,
}

/// How strategies are found. The proof of their bounds is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HiddenMethod {
    /// Two linear programmes in sequence form (Koller, Megiddo and von Stengel 1996). Needs the feature `lp`.
    Programme,
    /// A primal-dual interior-point method for both players' plans at once (Mehrotra 1992).
    InteriorPoint,
    /// Predictive CFR+ (Farina, Kroer and Sandholm 2021).
    Regret,
}

/// Which optimal strategies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HiddenRefinement {
    /// Quasi-perfect strategies (van Damme 1984), by the programme of Miltersen and Sørensen (2010): at every information set a best
    /// reply to an opponent who makes every mistake with a very small probability. The player may have made mistakes before, and
    /// makes none later. They are undominated, and sequentially rational.
    QuasiPerfect,
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

/// The span of payoffs in the sequence form, which scales them to −1..1.
const SPAN: f64 = 2.0;

/// Solves report at least this often, so that they can be cancelled.
const BREATH: Duration = Duration::from_millis(100);

impl HiddenSolver<'static> {
    /// A solver for a tree, which may be shared.
    pub fn new(tree: impl Into<Arc<GameTree>>) -> Self {
        Self {
            tree: tree.into(),
            method: None,
            refinement: None,
            gap: Self::GAP,
            time_limit: None,
            memory_limit: Self::MEMORY_LIMIT,
            threads: None,
            resumed: None,
            checkpoint: None,
            progress: Callback(Box::new(|_| ControlFlow::Continue(()))),
        }
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
    /// The default gap, as a share of the span of payoffs: the linear programme is that accurate, and the interior-point method gets
    /// there.
    pub const GAP: f64 = 1e-9;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The most sequences, of both players together, for which linear programmes are tried first unless a method is set. The
    /// programmes' time grows with their cube.
    pub const PROGRAMME_SEQUENCES: usize = 4_000;

    /// The most sequences, of both players together, of a game whose strategies are refined: the tableau takes 16 bytes for each pair of
    /// a row and a column. In all games below it that were tried, Leduc poker with 674 among them, strategies were refined.
    pub const REFINED_SEQUENCES: usize = 2_500;

    setters! {
        /// Sets the method (default: linear programmes for small games; for others, and where bounds stay wider than the gap, the
        /// interior-point method, unless regret minimisation is likely to be faster; whichever fails is followed by the other).
        method(method: HiddenMethod) => method = Some(method);

        /// Asks for the strategies of a refinement. Where they are found and proved, which takes fractions,
        /// [`HiddenSolution::test_sequence`] has the proof; otherwise the strategies are those of a solve without it.
        refinement(refinement: HiddenRefinement) => refinement = Some(refinement);

        /// Sets the width of the proved bounds at which the search ends, as a share of the span of payoffs; it also ends where doubles
        /// are exhausted.
        gap(gap: f64) => gap = gap;

        /// Sets the time after which the search ends with the bounds reached.
        time_limit(limit: Duration) => time_limit = Some(limit);

        /// Sets the bytes that tree and search may take, by an estimate; the proof of exact values may take more.
        memory_limit(bytes: u64) => memory_limit = bytes;

        /// Sets the number of threads (default: all of the machine), on which the result does not depend.
        threads(threads: usize) => threads = Some(threads);

        /// Sets a callback that hears, on the calling thread, of new bounds and about ten times a second between them. If it
        /// breaks, the solve ends with the bounds reached.
        on_progress(progress: impl FnMut(HiddenProgress) -> ControlFlow<()> + 'p) => progress = Callback(Box::new(progress));

        /// Sets a callback that gets the state of regret minimisation, at most once in this interval, and at the end.
        on_checkpoint(every: Duration, write: impl FnMut(&HiddenCheckpoint) + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));

        /// Resumes a checkpoint of this game, to the strategies of a solve without the interruption.
        resume(checkpoint: HiddenCheckpoint) => resumed = Some(checkpoint);
    }

    /// The estimated bytes of tree and search.
    pub fn memory(&self) -> u64 {
        /// A node with its successors, its share of names, and both players' payoffs there.
        const NODE: u64 = 100;
        /// Numbers of regret minimisation, strategies in integers, and bounds of best responses.
        const SEQUENCE: u64 = 300;

        let refinement = if self.refinement.is_some() { self.tableau() } else { 0 };
        self.tree.len() as u64 * NODE + self.sequences() as u64 * SEQUENCE + refinement
    }

    /// The bytes of the tableau that a refinement takes.
    fn tableau(&self) -> u64 {
        let rows = self.tree.information_sets(Player::A).len() + self.tree.sequence_count(Player::B);
        let columns = self.tree.sequence_count(Player::A) + self.tree.information_sets(Player::B).len();
        (rows as u64).saturating_mul(columns as u64).saturating_mul(TremblingBasis::ENTRY_BYTES)
    }

    /// The number of both players' sequences.
    fn sequences(&self) -> usize {
        Player::BOTH.into_iter().map(|player| self.tree.sequence_count(player)).sum()
    }

    fn check(&self) -> Result<(), Error> {
        if !(self.gap >= 0.0 && self.gap.is_finite()) {
            return Err(HiddenError::Gap { gap: self.gap.to_string() }.into());
        }
        if self.method == Some(HiddenMethod::Programme) && !cfg!(feature = "lp") {
            return Err(MethodError::Missing { method: "lp".to_owned() }.into());
        }
        if self.refinement.is_some() && self.sequences() > Self::REFINED_SEQUENCES {
            return Err(HiddenError::RefinedSize { sequences: self.sequences(), limit: Self::REFINED_SEQUENCES }.into());
        }
        let what = || format!("a game of {} nodes", self.tree.len());
        WorkError::check_memory(what, self.memory(), self.memory_limit)?;
        Ok(())
    }

    /// Finds strategies and proves bounds of the value by them.
    ///
    /// # Errors
    /// [`HiddenError::Gap`]; [`HiddenError::RefinedSize`] for a refinement of a large game; [`MethodError::Missing`] for the linear programme without the feature `lp`; [`WorkError::Memory`],
    /// [`WorkError::ThreadCount`]; [`HiddenError::Checkpoint`] for one of another game.
    pub fn solve(mut self) -> Result<HiddenSolution, Error> {
        self.check()?;
        let thread_count = Threads::checked(self.threads)?;
        let threads = Threads::start(thread_count)?;
        let clock = Clock::start();
        let form = SequenceForm::new(&self.tree);
        let [smallest, largest] = self.tree.payoff_range();
        let span = (largest - smallest).to_f64().unwrap_or(f64::INFINITY);
        let width = self.gap * span;
        let [a, b] = Player::BOTH.map(|player| Judgement::bounded(&self.tree, BehaviourStrategy::uniform(&self.tree, player)));
        let learning = match self.resumed.take() {
            Some(checkpoint) => Some(checkpoint.into_learning(&self.tree, &form)?),
            None => None,
        };
        let best = ByPlayer { a, b };
        let mut search = Search {
            solver: self,
            form,
            threads,
            #[cfg(feature = "lp")]
            thread_count,
            width,
            best,
            clock,
            iterations: 0,
        };
        search.run(learning);
        let refined = search.refined();
        let Search { solver, best, iterations, clock, .. } = search;
        let proved = match &refined {
            Some((_, limits)) => limits.clone(),
            None => best.map(Judgement::into_strategy),
        };
        let judgements = proved.map(|strategy| Judgement::new(&solver.tree, strategy));
        let solution = HiddenSolution::new(solver.tree, judgements, iterations, clock.elapsed());
        match refined {
            Some((test_sequence, _)) => Ok(solution.refined(test_sequence)),
            None => Ok(solution),
        }
    }
}

/// Regret minimisation under way.
#[derive(Debug)]
pub(super) struct Learning {
    pub(super) minimisers: RegretMinimisers,
    /// The best strategies so far.
    pub(super) found: ByPlayer<Found>,
    /// Widths in floating point, in scaled payoffs.
    pub(super) widths: Widths,
}

impl Learning {
    fn new(form: &SequenceForm) -> Self {
        Self { minimisers: RegretMinimisers::new(form), found: ByPlayer::new(|_| Found::default()), widths: Widths::default() }
    }

    /// Takes each player's average or last strategy if it secures more than all before. Returns the width of the bounds, as a share of
    /// the span of payoffs.
    fn improve(&mut self, form: &SequenceForm, threads: &Threads) -> f64 {
        for player in Player::BOTH {
            let secured = self.minimisers.secured(form, player, threads);
            let found = &mut self.found[player];
            found.offer(secured.average, self.minimisers.averages()[player]);
            found.offer(secured.last, self.minimisers.last()[player]);
        }
        Found::width(&self.found) / SPAN
    }
}

/// A solve under way.
struct Search<'p> {
    solver: HiddenSolver<'p>,
    form: SequenceForm,
    threads: Threads,
    #[cfg(feature = "lp")]
    thread_count: usize,
    /// The width of bounds that is asked for.
    width: f64,
    /// The strategies that secure most so far.
    best: ByPlayer<Judgement>,
    clock: Clock,
    iterations: u64,
}

impl Search<'_> {
    fn run(&mut self, resumed: Option<Learning>) {
        let method = self.solver.method;
        #[cfg(feature = "lp")]
        {
            // An interrupted search had left the programmes behind.
            let is_first = method == Some(HiddenMethod::Programme) || (method.is_none() && self.is_small());
            if resumed.is_none() && is_first && (self.solve_programmes().is_break() || self.is_close()) {
                return;
            }
        }
        let learning = resumed.unwrap_or_else(|| Learning::new(&self.form));
        match method {
            Some(HiddenMethod::Programme) => {}
            Some(HiddenMethod::Regret) => self.minimise_regret(learning, Interior::Over),
            Some(HiddenMethod::InteriorPoint) => self.follow_interior_point(learning),
            None => self.take_turns(learning),
        }
    }

    fn follow_interior_point(&mut self, mut learning: Learning) {
        if let ControlFlow::Continue(Some(mut method)) = self.interior_point() {
            // The search ends here in any case.
            let _ = self.follow(&mut method, &mut learning.found);
        }
        self.save(&learning);
    }

    /// Follows the interior-point method first if it is likely to be faster than regret minimisation, otherwise once that has taken as
    /// long: whoever changes the method then takes at most twice as long as the better one, whichever it is (the rule of ski rental).
    fn take_turns(&mut self, mut learning: Learning) {
        /// The widths that regret minimisation reached narrowed with the square of the number of iterations at best.
        const SPEED: f64 = 0.5;

        let iterations = self.solver.gap.powf(-SPEED);
        let mut interior = Interior::Unknown;
        if self.follow_if_due(iterations, &mut interior, &mut learning.found).is_break() {
            self.save(&learning);
            return;
        }
        self.minimise_regret(learning, interior);
    }

    /// Follows the interior-point method if it is likely to take less time than this number of iterations of regret minimisation.
    /// Breaks if that ends the search.
    fn follow_if_due(&mut self, iterations: f64, interior: &mut Interior, found: &mut ByPlayer<Found>) -> ControlFlow<()> {
        /// Counting the factors took the time of some 200 to 600 iterations in liar's dice with 5 to 7 sides.
        const ITERATIONS: f64 = 500.0;

        if matches!(interior, Interior::Unknown) && iterations >= ITERATIONS {
            *interior = match self.interior_point()? {
                Some(method) => Interior::Waits(Box::new(method)),
                None => Interior::Over,
            };
        }
        if let Interior::Waits(method) = interior
            && method.iterations() as f64 <= iterations
        {
            let ended = self.follow(method, found);
            *interior = Interior::Over;
            if self.is_close() {
                return ControlFlow::Break(());
            }
            return ended;
        }
        ControlFlow::Continue(())
    }

    /// Writes the last checkpoint of a search that ends before regret minimisation.
    fn save(&mut self, learning: &Learning) {
        if let Some(checkpoint) = &mut self.solver.checkpoint {
            let tree = &self.solver.tree;
            checkpoint.note(true, |write| write(&HiddenCheckpoint::of(tree, learning)));
        }
    }

    /// The refined strategies and their proof, if they are asked for and found before the callback or the time ends the search.
    fn refined(&mut self) -> Option<(TestSequence, ByPlayer<BehaviourStrategy>)> {
        let HiddenRefinement::QuasiPerfect = self.solver.refinement?;
        let tree = self.solver.tree.clone();
        let mut breath = Breath::new(&mut self.solver, self.clock, Judgement::value(&self.best), self.iterations);
        let basis = TremblingBasis::find(&tree, &self.form, &mut || breath.go_on()).continue_value()??;
        let a = trembling_plan(&tree, &self.form, Player::A, &basis, &mut || breath.go_on()).continue_value()??;
        let b = trembling_plan(&tree, &self.form, Player::B, &basis, &mut || breath.go_on()).continue_value()??;
        TestSequence::prove(&tree, ByPlayer { a, b }, &mut || breath.go_on()).continue_value()?.ok()
    }

    fn is_close(&self) -> bool {
        Judgement::value(&self.best).width() <= self.width
    }

    /// Whether linear programmes are likely to be the faster way.
    #[cfg(feature = "lp")]
    fn is_small(&self) -> bool {
        self.form.sequences.a + self.form.sequences.b <= HiddenSolver::PROGRAMME_SEQUENCES
    }

    /// The interior-point method, unless its factors take too much memory. Breaks if the callback or the time ends the search before.
    fn interior_point(&mut self) -> ControlFlow<(), Option<InteriorPoint>> {
        let bytes = self.solver.memory_limit.saturating_sub(self.solver.memory());
        let mut breath = Breath::new(&mut self.solver, self.clock, Judgement::value(&self.best), self.iterations);
        InteriorPoint::new(&self.form, bytes, &mut || breath.go_on())
    }

    /// Follows the interior-point method until the bounds are close or gain no more, and proves the best strategies found so far.
    /// Breaks if the callback or the time ends the search before.
    fn follow(&mut self, method: &mut InteriorPoint, found: &mut ByPlayer<Found>) -> ControlFlow<()> {
        let mut breath = Breath::new(&mut self.solver, self.clock, Judgement::value(&self.best), self.iterations);
        let width = breath.gap * SPAN;
        let ended = method.narrow(&self.form, width, found, &self.threads, &mut breath);
        self.prove(found);
        ended
    }

    /// Solves the linear programmes and proves what they found. Breaks if the callback or the time ends the search before.
    #[cfg(feature = "lp")]
    fn solve_programmes(&mut self) -> ControlFlow<()> {
        let mut breath = Breath::new(&mut self.solver, self.clock, Judgement::value(&self.best), self.iterations);
        let Plans { a, b } = optimal_plans(&self.form, good_lp::microlp, self.thread_count, || breath.go_on())?;
        for (player, plan) in Player::BOTH.into_iter().zip([&a, &b]) {
            if let Some(plan) = plan {
                self.offer(player, plan);
            }
        }
        if let (Some(a), Some(b)) = (a, b) {
            self.refine(&ByPlayer { a, b })?;
        }
        ControlFlow::Continue(())
    }

    /// Replaces the strategies of the linear programmes by their vertices in fractions, if these are optimal. Breaks if the callback or
    /// the time ends the search before.
    #[cfg(feature = "lp")]
    fn refine(&mut self, plans: &ByPlayer<Vec<f64>>) -> ControlFlow<()> {
        let tree = self.solver.tree.clone();
        let mut breath = Breath::new(&mut self.solver, self.clock, Judgement::value(&self.best), self.iterations);
        let mut weights = ByPlayer { a: None, b: None };
        for player in Player::BOTH {
            weights[player] = exact_plan(&tree, &self.form, player, &plans[player], &mut || breath.go_on())?;
        }
        let refined = Player::BOTH.map(|player| {
            let plan = weights[player].as_ref()?;
            let strategy = BehaviourStrategy::from_plan(&tree, plan, self.best[player].strategy()).ok()?;
            Some(Judgement::new(&tree, strategy))
        });
        if let [Some(a), Some(b)] = refined
            && a.exact().is_some()
            && a.exact() == b.exact()
        {
            self.best = ByPlayer { a, b };
        }
        ControlFlow::Continue(())
    }

    /// Proves a found strategy, and keeps it if it secures more than the best one so far.
    fn offer(&mut self, player: Player, weights: &[f64]) {
        let judgement = self.judge(player, weights);
        if judgement.is_better_than(&self.best[player]) {
            self.best[player] = judgement;
        }
    }

    fn judge(&self, player: Player, weights: &[f64]) -> Judgement {
        let strategy = BehaviourStrategy::approximate(&self.solver.tree, player, weights);
        Judgement::bounded(&self.solver.tree, strategy)
    }

    /// Proves the strategies that regret minimisation has found.
    fn prove(&mut self, found: &ByPlayer<Found>) {
        for player in Player::BOTH {
            if !found[player].weights.is_empty() {
                self.offer(player, &found[player].weights);
            }
        }
    }

    /// Learns until the bounds are close or gain no more, or the callback or the time ends it. Only judgements that are due anyway
    /// decide whether to go on, so that a resumed solve finds the strategies of an uninterrupted one.
    fn minimise_regret(&mut self, mut learning: Learning, mut interior: Interior) {
        let mut schedule = Proofs::new(learning.minimisers.iterations, learning.widths);
        let mut pace = Pace::default();
        let mut heard: Option<Duration> = None;
        let mut shown = Judgement::value(&self.best);
        loop {
            let iteration = learning.minimisers.iterations;
            self.iterations = iteration;
            let mut is_done = false;
            let is_due = schedule.are_due(iteration);
            if is_due {
                let gap = learning.improve(&self.form, &self.threads);
                schedule.note(iteration, gap);
                learning.widths = schedule.widths;
                if schedule.have_ended(iteration) || gap <= self.solver.gap {
                    self.prove(&learning.found);
                    is_done = schedule.have_ended(iteration) || self.is_close();
                }
            }
            if is_due && !is_done {
                is_done = self.follow_if_due(iteration as f64, &mut interior, &mut learning.found).is_break();
            }
            let elapsed = self.clock.elapsed();
            is_done |= self.solver.time_limit.is_some_and(|limit| elapsed >= limit);
            if heard.is_none_or(|heard| elapsed.saturating_sub(heard) > BREATH) && !is_done {
                // A proof takes the time of many iterations.
                if pace.is_due(elapsed) && iteration > 0 {
                    let [a, b] = Player::BOTH.map(|player| self.judge(player, &learning.found[player].weights));
                    shown = Judgement::value(&ByPlayer { a, b });
                    pace = Pace { begun: elapsed, ended: self.clock.elapsed() };
                }
                let elapsed = self.clock.elapsed();
                heard = Some(elapsed);
                let progress = HiddenProgress { iterations: iteration, enclosure: shown, elapsed };
                is_done = (self.solver.progress.0)(progress).is_break();
            }
            if let Some(checkpoint) = &mut self.solver.checkpoint {
                let tree = &self.solver.tree;
                checkpoint.note(is_done, |write| write(&HiddenCheckpoint::of(tree, &learning)));
            }
            if is_done {
                // An interrupted run has strategies that are not proved yet, or that are better by now.
                learning.improve(&self.form, &self.threads);
                self.prove(&learning.found);
                return;
            }
            learning.minimisers.iterate(Player::A, &self.form, &self.threads);
        }
    }
}

/// The interior-point method beside regret minimisation.
enum Interior {
    /// Its factors have not been counted.
    Unknown,
    /// It is likely to take longer than regret minimisation has so far.
    Waits(Box<InteriorPoint>),
    /// It was followed, is not asked for, or takes too much memory.
    Over,
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

/// Asks the clock and the callback whether to go on, at most ten times a second.
struct Breath<'s, 'p> {
    tree: Arc<GameTree>,
    pace: Pace,
    progress: &'s mut Callback<dyn FnMut(HiddenProgress) -> ControlFlow<()> + 'p>,
    time_limit: Option<Duration>,
    gap: f64,
    clock: Clock,
    enclosure: Enclosure,
    iterations: u64,
    heard: Duration,
}

impl<'s, 'p> Breath<'s, 'p> {
    fn new(solver: &'s mut HiddenSolver<'p>, clock: Clock, enclosure: Enclosure, iterations: u64) -> Self {
        let heard = clock.elapsed();
        let HiddenSolver { tree, progress, time_limit, gap, .. } = solver;
        Self {
            tree: tree.clone(),
            pace: Pace::default(),
            progress,
            time_limit: *time_limit,
            gap: *gap,
            clock,
            enclosure,
            iterations,
            heard,
        }
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        let elapsed = self.clock.elapsed();
        if self.time_limit.is_some_and(|limit| elapsed >= limit) {
            return ControlFlow::Break(());
        }
        if elapsed.saturating_sub(self.heard) < BREATH {
            return ControlFlow::Continue(());
        }
        self.heard = elapsed;
        (self.progress.0)(HiddenProgress { iterations: self.iterations, enclosure: self.enclosure, elapsed })
    }
}

impl Listener for Breath<'_, '_> {
    fn go_on(&mut self) -> ControlFlow<()> {
        Breath::go_on(self)
    }

    /// Proves the plans from time to time, so that progress shows their bounds.
    fn hear(&mut self, found: &ByPlayer<Found>) {
        let begun = self.clock.elapsed();
        if !self.pace.is_due(begun) {
            return;
        }
        let judged = ByPlayer::new(|player| {
            let strategy = BehaviourStrategy::approximate(&self.tree, player, &found[player].weights);
            Judgement::bounded(&self.tree, strategy)
        });
        let proved = Judgement::value(&judged);
        if proved.width() < self.enclosure.width() {
            self.enclosure = proved;
        }
        self.pace = Pace { begun, ended: self.clock.elapsed() };
    }
}
