//! The search for strategies, for any game in sequence form: which method when, time, progress, and
//! the proof of what was found.

use std::ops::ControlFlow;
use std::time::Duration;

use super::finder::best_strategy::BestStrategy;
use super::finder::interior_point::{InteriorPoint, Listener};
#[cfg(feature = "lp")]
use super::finder::programme::{Plans, optimal_plans};
use super::finder::schedule::Proofs;
use super::finder::sequence_game::SequenceGame;
use super::learning::Learning;
use super::method::{HiddenMethod, HiddenProgress};
use super::settings::{Resources, SaveLearning, SearchSettings};
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, Player};
use crate::work::{CheckpointKind, Clock, Threads};

/// A game whose strategies are searched: finders see its sequence form, and a check that shares no
/// code with them proves what they found.
pub(crate) trait SearchedGame {
    type Form: SequenceGame;

    /// A strategy with what it was proved to secure.
    type Judgement;

    /// The most sequences, of both players together, for which linear programmes are tried first.
    #[cfg(feature = "lp")]
    const PROGRAMME_SEQUENCES: usize;

    /// The iterations of regret minimisation before the interior-point method is considered, whose
    /// factors take time to count.
    const REGRET_ITERATIONS: f64;

    fn form(&self) -> &Self::Form;

    /// The game as linear programmes and the interior-point method see it: smaller where decisions
    /// are alike.
    fn merged(&self) -> &Self::Form {
        self.form()
    }

    /// The weights of all sequences, by those of the merged game.
    fn unfolded(&self, _player: Player, weights: &[f64]) -> Vec<f64> {
        weights.to_vec()
    }

    /// The iterations of regret minimisation that this gap, a share of the span of payoffs, is
    /// likely to take; 0 without a guess.
    fn likely_iterations(&self, gap: f64) -> f64;

    /// The difference of the largest and the smallest payoff.
    fn span(&self) -> f64;

    /// The same in the unit of the sequence form.
    fn scaled_span(&self) -> f64 {
        self.span()
    }

    /// Proves what a player's strategy secures that chooses all actions of a decision alike.
    fn judge_uniform(&self, player: Player) -> Self::Judgement {
        self.judge(player, &vec![1.0; self.form().sequences(player)])
    }

    /// Proves what the strategy secures that chooses in proportion to non-negative numbers by
    /// sequences.
    fn judge(&self, player: Player, weights: &[f64]) -> Self::Judgement;

    /// Whether a player's strategy secures more than another one.
    fn is_better(
        &self,
        player: Player,
        judgement: &Self::Judgement,
        other: &Self::Judgement,
    ) -> bool;

    /// Proved bounds of the value: what A's strategy secures at least and B's at most.
    fn value(&self, judgements: &ByPlayer<Self::Judgement>) -> Enclosure;

    /// Whether both players have the same game, so that either can play the other's strategies.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// A player's strategy in the opponent's part of a symmetric game.
    fn mirrored(&self, _player: Player, weights: &[f64]) -> Vec<f64> {
        weights.to_vec()
    }

    /// Optimal strategies in fractions at the vertices of these plans of the merged game, if there
    /// are any. Breaks if `check_cancel` does.
    #[cfg(feature = "lp")]
    fn vertices(
        &self,
        _plans: &ByPlayer<Vec<f64>>,
        _go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<ByPlayer<Self::Judgement>>> {
        ControlFlow::Continue(None)
    }

    /// The width of the bounds that found strategies secure, but for rounding, as a share of the
    /// span of payoffs.
    fn gap(&self, strategies: &ByPlayer<BestStrategy>) -> f64 {
        let width = if self.is_symmetric() {
            // The better strategy serves both players.
            -2.0 * strategies.a.secures.max(strategies.b.secures)
        } else {
            BestStrategy::width(strategies)
        };
        // Of a game with one payoff, all bounds are close.
        width / self.scaled_span().max(f64::MIN_POSITIVE)
    }
}

/// Searches report at least this often, so that they can be cancelled.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A search under way.
pub(crate) struct Search<'s, 'p, G: SearchedGame> {
    pub(crate) game: &'s G,
    pub(crate) settings: &'s mut SearchSettings<'p>,
    threads: &'s Threads,
    clock: Clock,
    /// The strategies that secure most so far.
    pub(crate) best: ByPlayer<G::Judgement>,
    /// The method that found the last of them.
    pub(crate) method: HiddenMethod,
    /// Iterations of regret minimisation.
    pub(crate) iterations: u64,
}

impl<'s, 'p, G: SearchedGame> Search<'s, 'p, G> {
    /// A search that begins with even play.
    pub(crate) fn new(
        game: &'s G,
        settings: &'s mut SearchSettings<'p>,
        resources: &'s Resources,
    ) -> Self {
        let Resources { threads, clock } = resources;
        let method = settings.method.unwrap_or_default();
        let best = ByPlayer::new(|player| game.judge_uniform(player));
        Self { game, settings, threads, clock: *clock, best, method, iterations: 0 }
    }

    /// Searches until the bounds are close or gain no more, or the callback or the time ends it.
    /// `save` hears of the state of regret minimisation before every iteration, and at the end.
    pub(crate) fn run(&mut self, resumed: Option<Learning>, save: SaveLearning<'_>) {
        let method = self.settings.method;
        #[cfg(feature = "lp")]
        {
            // An interrupted search had left the programmes behind.
            let is_first =
                method == Some(HiddenMethod::Programme) || (method.is_none() && self.is_small());
            if resumed.is_none()
                && is_first
                && (self.solve_programmes().is_break() || self.is_close())
            {
                return;
            }
        }
        let learning = resumed.unwrap_or_else(|| Learning::new(self.game.form()));
        match method {
            Some(HiddenMethod::Programme) => {}
            Some(HiddenMethod::Regret) => self.minimise_regret(learning, Interior::Over, save),
            Some(HiddenMethod::InteriorPoint) => self.follow_interior_point(learning, save),
            None => self.take_turns(learning, save),
        }
    }

    fn follow_interior_point(&mut self, mut learning: Learning, save: SaveLearning<'_>) {
        if let ControlFlow::Continue(Some(mut method)) = self.interior_point() {
            // The search ends here in any case.
            let _ = self.follow(&mut method, &mut learning.best);
        }
        save(CheckpointKind::Last, &learning);
    }

    /// Follows the interior-point method first if it is likely to be faster than regret
    /// minimisation, otherwise once that has taken as long: whoever changes the method then takes
    /// at most twice as long as the better one, whichever it is (the rule of ski rental).
    fn take_turns(&mut self, mut learning: Learning, save: SaveLearning<'_>) {
        let iterations = self.game.likely_iterations(self.settings.gap);
        let mut interior = Interior::Unknown;
        if self.follow_if_due(iterations, &mut interior, &mut learning.best).is_break() {
            save(CheckpointKind::Last, &learning);
            return;
        }
        self.minimise_regret(learning, interior, save);
    }

    /// Follows the interior-point method if it is likely to take less time than this number of
    /// iterations of regret minimisation. Breaks if that ends the search.
    fn follow_if_due(
        &mut self,
        iterations: f64,
        interior: &mut Interior,
        strategies: &mut ByPlayer<BestStrategy>,
    ) -> ControlFlow<()> {
        if matches!(interior, Interior::Unknown) && iterations >= G::REGRET_ITERATIONS {
            *interior = match self.interior_point()? {
                Some(method) => Interior::Waits(Box::new(method)),
                None => Interior::Over,
            };
        }
        if let Interior::Waits(method) = interior
            && method.iterations() as f64 <= iterations
        {
            let ended = self.follow(method, strategies);
            *interior = Interior::Over;
            if self.is_close() {
                return ControlFlow::Break(());
            }
            return ended;
        }
        ControlFlow::Continue(())
    }

    fn is_close(&self) -> bool {
        let value = self.value();
        // Bounds of a number between two units come no closer.
        value.integers().width() <= 1 || value.width() <= self.settings.gap * self.game.span()
    }

    /// Whether linear programmes are likely to be the faster way.
    #[cfg(feature = "lp")]
    fn is_small(&self) -> bool {
        let sequences: usize =
            Player::BOTH.into_iter().map(|player| self.game.merged().sequences(player)).sum();
        sequences <= G::PROGRAMME_SEQUENCES
    }

    /// Proved bounds of the value so far.
    pub(crate) fn value(&self) -> Enclosure {
        self.game.value(&self.best)
    }

    /// Asks whether to go on, for methods that do not report themselves.
    pub(crate) fn monitor(&mut self) -> Monitor<'_, 'p, G> {
        Monitor {
            enclosure: self.value(),
            game: self.game,
            proof_times: ProofTimes::default(),
            settings: self.settings,
            clock: self.clock,
            iterations: self.iterations,
            reported: self.clock.elapsed(),
        }
    }

    /// The interior-point method, unless its factors take too much memory. Breaks if the callback
    /// or the time ends the search before.
    fn interior_point(&mut self) -> ControlFlow<(), Option<InteriorPoint>> {
        let game = self.game;
        let bytes = self.settings.factor_bytes;
        let mut monitor = self.monitor();
        InteriorPoint::new(game.merged(), bytes, &mut || monitor.check_cancel())
    }

    /// Follows the interior-point method until the bounds are close or gain no more, and proves the
    /// best strategies found so far. Breaks if the callback or the time ends the search before.
    fn follow(
        &mut self,
        method: &mut InteriorPoint,
        strategies: &mut ByPlayer<BestStrategy>,
    ) -> ControlFlow<()> {
        let game = self.game;
        let width = self.settings.gap * game.scaled_span();
        let threads = self.threads;
        // Progress shows the bounds that have been reached until the new plans are better.
        self.prove(HiddenMethod::Regret, strategies);
        let mut monitor = self.monitor();
        // Its first plans are worse than what regret minimisation has found, which must not count
        // as steps without gain.
        let mut plans = ByPlayer::<BestStrategy>::default();
        let ended = method.narrow(game.merged(), width, &mut plans, threads, &mut monitor);
        for player in Player::BOTH {
            let BestStrategy { secures, weights } = &plans[player];
            if !weights.is_empty() {
                strategies[player].offer(*secures, &game.unfolded(player, weights));
            }
        }
        self.prove(HiddenMethod::InteriorPoint, strategies);
        ended
    }

    /// Solves the linear programmes and proves what they found. Breaks if the callback or the time
    /// ends the search before.
    #[cfg(feature = "lp")]
    fn solve_programmes(&mut self) -> ControlFlow<()> {
        let game = self.game;
        let thread_count = self.settings.thread_count;
        let mut monitor = self.monitor();
        let Plans { a, b } = optimal_plans(game.merged(), good_lp::microlp, thread_count, || {
            monitor.check_cancel()
        })?;
        for (player, plan) in Player::BOTH.into_iter().zip([&a, &b]) {
            if let Some(plan) = plan {
                self.offer(HiddenMethod::Programme, player, &game.unfolded(player, plan));
            }
        }
        if let (Some(a), Some(b)) = (a, b) {
            let mut monitor = self.monitor();
            if let Some(exact) =
                game.vertices(&ByPlayer { a, b }, &mut || monitor.check_cancel())?
            {
                self.best = exact;
            }
        }
        ControlFlow::Continue(())
    }

    /// Proves a found strategy, and keeps it if it secures more than the best one so far; in a
    /// symmetric game also for the opponent.
    fn offer(&mut self, method: HiddenMethod, player: Player, weights: &[f64]) {
        self.keep(method, player, self.game.judge(player, weights));
        if self.game.is_symmetric() {
            let opponent = player.opponent();
            self.keep(
                method,
                opponent,
                self.game.judge(opponent, &self.game.mirrored(player, weights)),
            );
        }
    }

    fn keep(&mut self, method: HiddenMethod, player: Player, judgement: G::Judgement) {
        if self.game.is_better(player, &judgement, &self.best[player]) {
            self.best[player] = judgement;
            self.method = method;
        }
    }

    /// Proves the strategies that were found.
    fn prove(&mut self, method: HiddenMethod, strategies: &ByPlayer<BestStrategy>) {
        for player in Player::BOTH {
            if !strategies[player].weights.is_empty() {
                self.offer(method, player, &strategies[player].weights);
            }
        }
    }

    /// Learns until the bounds are close or gain no more, or the callback or the time ends it. Only
    /// judgements that are due anyway decide whether to go on, so that a resumed solve finds the
    /// strategies of an uninterrupted one.
    fn minimise_regret(
        &mut self,
        mut learning: Learning,
        mut interior: Interior,
        save: SaveLearning<'_>,
    ) {
        /// Sums of products of probabilities and payoffs are rounded by less, as a share of the
        /// span of payoffs.
        const ROUNDING: f64 = 1e-14;

        let game = self.game;
        let mut schedule = Proofs::new(learning.minimisers.iterations, learning.widths);
        let mut proof_times = ProofTimes::default();
        let mut reported: Option<Duration> = None;
        let mut shown = self.value();
        loop {
            let iteration = learning.minimisers.iterations;
            self.iterations = iteration;
            let mut is_done = false;
            let is_due = schedule.are_due(iteration);
            let is_first = reported.is_none();
            if is_due {
                learning.improve(game.form(), self.threads);
                schedule.note(iteration, game.gap(&learning.best));
                learning.widths = schedule.widths;
            }
            let have_ended = is_due && schedule.have_ended(iteration);
            // A resumed run may be close enough for a wider gap. The proof decides, so that a solve
            // down to the bounds of another one ends where that did.
            let may_be_close =
                (is_due || is_first) && learning.widths.last <= self.settings.gap + ROUNDING;
            if have_ended || may_be_close {
                self.prove(HiddenMethod::Regret, &learning.best);
                is_done = have_ended || self.is_close();
            }
            if is_due && !is_done {
                is_done = self
                    .follow_if_due(iteration as f64, &mut interior, &mut learning.best)
                    .is_break();
            }
            let elapsed = self.clock.elapsed();
            is_done |= self.settings.time_limit.is_some_and(|limit| elapsed >= limit);
            let is_report_due = is_due
                || reported
                    .is_none_or(|reported| elapsed.saturating_sub(reported) > REPORT_INTERVAL);
            if is_report_due && !is_done {
                // A proof takes the time of many iterations.
                if proof_times.is_due(elapsed) && iteration > 0 {
                    shown = game.value(&judged(game, &learning.best));
                    proof_times = ProofTimes { begun: elapsed, ended: self.clock.elapsed() };
                }
                let elapsed = self.clock.elapsed();
                reported = Some(elapsed);
                let progress = HiddenProgress { iterations: iteration, enclosure: shown, elapsed };
                is_done = (self.settings.progress.get())(progress).is_break();
            }
            if is_done {
                save(CheckpointKind::Last, &learning);
                // An interrupted run has strategies that are not proved yet, or that are better by
                // now.
                learning.improve(game.form(), self.threads);
                self.prove(HiddenMethod::Regret, &learning.best);
                return;
            }
            save(CheckpointKind::Periodic, &learning);
            learning.minimisers.iterate(Player::A, game.form(), self.threads);
        }
    }
}

/// Proves both players' strategies.
fn judged<G: SearchedGame>(
    game: &G,
    strategies: &ByPlayer<BestStrategy>,
) -> ByPlayer<G::Judgement> {
    ByPlayer::new(|player| game.judge(player, &strategies[player].weights))
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
struct ProofTimes {
    begun: Duration,
    ended: Duration,
}

impl ProofTimes {
    /// Proofs for progress take at most this share of the time.
    const SHARE: u32 = 20;

    /// Whether enough time has passed for another proof, whose bounds are reported.
    fn is_due(self, now: Duration) -> bool {
        now.saturating_sub(self.ended)
            > self.ended.saturating_sub(self.begun) * Self::SHARE + REPORT_INTERVAL
    }
}

/// Checks the time limit and asks the callback for cancellation, at most ten times a second.
pub(crate) struct Monitor<'s, 'p, G> {
    game: &'s G,
    proof_times: ProofTimes,
    settings: &'s mut SearchSettings<'p>,
    clock: Clock,
    enclosure: Enclosure,
    iterations: u64,
    reported: Duration,
}

impl<G> Monitor<'_, '_, G> {
    pub(crate) fn check_cancel(&mut self) -> ControlFlow<()> {
        let elapsed = self.clock.elapsed();
        if self.settings.time_limit.is_some_and(|limit| elapsed >= limit) {
            return ControlFlow::Break(());
        }
        if elapsed.saturating_sub(self.reported) < REPORT_INTERVAL {
            return ControlFlow::Continue(());
        }
        self.reported = elapsed;
        (self.settings.progress.get())(HiddenProgress {
            iterations: self.iterations,
            enclosure: self.enclosure,
            elapsed,
        })
    }
}

impl<G: SearchedGame> Listener for Monitor<'_, '_, G> {
    fn check_cancel(&mut self) -> ControlFlow<()> {
        Monitor::check_cancel(self)
    }

    /// Proves the plans of the merged game from time to time, so that progress shows their bounds.
    fn on_step(&mut self, strategies: &ByPlayer<BestStrategy>) {
        let begun = self.clock.elapsed();
        if !self.proof_times.is_due(begun) {
            return;
        }
        let judged = ByPlayer::new(|player| {
            self.game.judge(player, &self.game.unfolded(player, &strategies[player].weights))
        });
        let proved = self.game.value(&judged);
        if proved.width() < self.enclosure.width() {
            self.enclosure = proved;
        }
        self.proof_times = ProofTimes { begun, ended: self.clock.elapsed() };
    }
}
