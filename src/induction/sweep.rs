//! The backward sweep: states by total remaining points, each from those below.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use super::bases::LayerBases;
use super::driver::{Clock, Threads};
use super::exact_tier::ExactTier;
use super::order::Order;
use super::running_sums::RunningSums;
use super::stage_game::{StageGame, TwoWayStage};
use super::stage_solver::StageSolver;
use super::strategies::{Packed, Strategies};
use super::systems::{LayerSystems, ends_stretch};
use super::table::Table;
use super::unit::Unit;
use super::{Method, Progress};
use crate::Error;
use crate::game::{Outcome, Player, Rules, State};
use crate::matrix_game::exact::ExactEquilibrium;
use crate::matrix_game::{BasisFactorisation, DyadicStrategy};

/// States handled by one task: enough that handing them out costs little.
const STATES_A_TASK: usize = 4;

/// A layer that is expected to take less is not worth waking other threads for.
const WORTH_SHARING_SECONDS: f64 = 1e-4;

/// How often a long solve reports, about.
const REPORT_SECONDS: f64 = 0.5;

/// What a sweep leaves behind.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    pub(crate) rules: Rules,
    pub(crate) order: Order,
    pub(crate) unit: Unit,
    pub(crate) method: Method,
    /// Values to A, as A and as B sees the game, as shares of the largest bound: see [`Unit::middle_share`].
    pub(crate) values: [Table<f64>; 2],
    /// Sums of these values, by which one of several optimal strategies is chosen.
    sums: [RunningSums; 2],
    /// What each player is certain to win, in units, as that player sees the game.
    pub(crate) secured: [Table<i64>; 2],
    /// The strategies of all states solved so far, unless they are to be found again on demand.
    pub(crate) strategies: Option<Strategies>,
    /// The bases of the last two layers.
    pub(crate) bases: [LayerBases; 2],
    /// The largest distance of the two bounds of a state so far, in units.
    pub(crate) widest: i64,
    /// Systems of the last two layers.
    systems: [LayerSystems; 2],
    /// In how many states, mirror images included, a player randomises.
    randomised: u64,
    /// Where a sweep that is interrupted now would be gone on from.
    pub(crate) milestone: Milestone,
    /// What is known exactly, if that was asked for.
    pub(crate) exact: Option<ExactTier>,
    pub(crate) seconds: Seconds,
}

/// Where the time of a solve went, in seconds of wall-clock time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Finding strategies.
    pub solve: f64,
    /// Proving bounds from them.
    pub certify: f64,
    /// Everything.
    pub total: f64,
}

/// What a sweep is gone on from, besides its tables: nothing later than this is needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Milestone {
    /// The totals of points up to which everything is solved.
    pub(crate) layers_done: u32,
    /// In how many of these states, mirror images included, a player randomises.
    pub(crate) randomised: u64,
    /// The bases of the last two of these layers.
    pub(crate) bases: [LayerBases; 2],
}

/// What a sweep is to do and to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) rules: Rules,
    pub(crate) points: [u32; 2],
    pub(crate) method: Method,
    pub(crate) mirrored: bool,
    pub(crate) keep_strategies: bool,
}

/// Who looks on while a sweep runs.
pub(crate) trait Observer {
    /// Hears how far the sweep has come, and may stop it.
    fn progress(&mut self, progress: Progress) -> ControlFlow<()>;

    /// Is shown the sweep at every milestone, and when it is stopped.
    fn milestone(&mut self, sweep: &Sweep, stopped: bool);
}

/// What one task found out about its states.
#[derive(Debug, Default)]
struct Part {
    solved: Vec<Solved>,
    packed: Packed,
    bases: Vec<u16>,
    systems: Vec<(State, Box<BasisFactorisation>)>,
    /// The exact solution of those states that have one within the limit.
    exact: Vec<(State, ExactEquilibrium)>,
    solving: Duration,
    certifying: Duration,
}

/// A state, what A and B secure, and where its strategies and its basis begin in the lists of the part.
#[derive(Clone, Copy, Debug)]
struct Solved {
    state: State,
    secured: [i64; 2],
    strategies: u64,
    randomised: bool,
    basis: usize,
}

impl Part {
    /// Forgets everything and keeps the memory.
    fn clear(&mut self) {
        self.solved.clear();
        self.packed.clear();
        self.bases.clear();
        self.systems.clear();
        self.exact.clear();
        (self.solving, self.certifying) = (Duration::ZERO, Duration::ZERO);
    }
}

impl Sweep {
    /// A sweep in which only the ends of the game are known.
    pub(crate) fn new(task: Task, exact_bits: Option<usize>) -> Self {
        let Task { rules, points, method, mirrored, keep_strategies } = task;
        let [a, b] = points;
        let field = rules.field();
        let scoring = rules.scoring();
        let unit = Unit::of(scoring);
        let order = Order { points, field, mirrored };
        let worth = |player: Player, outcome: Outcome| match player {
            Player::A => unit.floor(scoring.payoff(outcome)),
            Player::B => unit.floor(-scoring.payoff(outcome)),
        };
        let middle = |outcome| Unit::middle_share(worth(Player::A, outcome), -worth(Player::B, outcome));
        let out_a = [Outcome::OutByA, Outcome::OutByB];
        let out_b = [Outcome::OutByB, Outcome::OutByA];
        let mut sweep = Self {
            rules,
            order,
            unit,
            method,
            values: [Table::new(field, a, b, f64::NAN, out_a.map(middle)), Table::new(field, b, a, f64::NAN, out_b.map(middle))],
            sums: [RunningSums::new(field, a, b, out_a.map(middle)), RunningSums::new(field, b, a, out_b.map(middle))],
            secured: [
                Table::new(field, a, b, i64::MIN, out_a.map(|outcome| worth(Player::A, outcome))),
                Table::new(field, b, a, i64::MIN, out_b.map(|outcome| worth(Player::B, outcome))),
            ],
            strategies: keep_strategies.then(|| Strategies::new(order.states())),
            bases: Default::default(),
            widest: 0,
            systems: Default::default(),
            randomised: 0,
            milestone: Milestone::default(),
            exact: exact_bits.map(|bits| ExactTier::new(&rules, order, bits)),
            seconds: Seconds::default(),
        };
        for state in order.layer(0) {
            if let Some(outcome) = rules.outcome(state) {
                sweep.store(state, [worth(Player::A, outcome), worth(Player::B, outcome)]);
            }
        }
        sweep
    }

    /// Solves everything beyond the milestone.
    pub(crate) fn run(&mut self, threads: usize, observer: &mut dyn Observer) -> Result<(), Error> {
        self.bases.clone_from(&self.milestone.bases);
        self.randomised = self.milestone.randomised;
        let layers_done = self.milestone.layers_done;
        let clock = Clock::start();
        let threads = Threads::start(threads)?;
        let solvers = Mutex::new(Vec::new());
        let mut parts: Vec<Part> = Vec::new();
        let mut states = Vec::new();
        let (mut solving, mut certifying) = (Duration::ZERO, Duration::ZERO);
        let mut report = Report::new(self.order, layers_done);
        let mut layer_seconds = 0.0;
        for total in layers_done + 1..=self.order.layers() {
            states.clear();
            states.extend(self.order.solved(total));
            let tasks = states.len().div_ceil(STATES_A_TASK);
            parts.resize_with(tasks.max(parts.len()), Part::default);
            // A layer that takes long is done in several goes, so that whoever watches hears of it, and can stop it, about twice a second.
            let goes = (layer_seconds / REPORT_SECONDS).ceil().max(1.0) as usize;
            let tasks_a_go = tasks.div_ceil(goes).max(1);
            let layer_clock = Clock::start();
            let mut systems = LayerSystems::new(self.order, total);
            for (states, parts) in states.chunks(tasks_a_go * STATES_A_TASK).zip(parts.chunks_mut(tasks_a_go)) {
                // Nothing that is found depends on who finds it.
                let tasks = states.chunks(STATES_A_TASK).zip(&mut *parts);
                let shared = layer_seconds > WORTH_SHARING_SECONDS;
                threads.run(shared, &solvers, tasks, |solver, (states, part)| self.solve_task(solver, states, part, clock));
                // At once, so that what there is no memory for does not wait for the end of the layer.
                for (state, system) in parts.iter_mut().flat_map(|part| part.systems.drain(..)) {
                    systems.keep(state, system);
                }
                if observer.progress(report.after(states)).is_break() {
                    observer.milestone(self, true);
                    return Err(Error::Cancelled);
                }
            }
            layer_seconds = layer_clock.elapsed().as_secs_f64();
            self.begin_layer(total, systems);
            for part in &mut parts[..tasks] {
                self.enter(part);
                solving += part.solving;
                certifying += part.certifying;
            }
            if ends_stretch(total) || total == self.order.layers() {
                self.milestone = Milestone { layers_done: total, randomised: self.randomised, bases: self.bases.clone() };
                observer.milestone(self, false);
            }
        }
        let total = clock.elapsed().as_secs_f64();
        // With several threads the tasks' times add up to more than the wall shows; their proportion is what counts.
        let certify = total * certifying.as_secs_f64() / (solving + certifying).as_secs_f64().max(f64::MIN_POSITIVE);
        self.seconds = Seconds { solve: total - certify, certify, total };
        Ok(())
    }

    /// Makes room for the bases of a layer and takes over its systems; those of the layer before stay.
    fn begin_layer(&mut self, total: u32, systems: LayerSystems) {
        self.bases.swap(0, 1);
        self.bases[0].reset(self.order, total);
        self.systems.swap(0, 1);
        self.systems[0] = systems;
    }

    /// The system of a state of the last two layers, if it was kept and may be used.
    pub(crate) fn system_of(&self, state: State) -> Option<&BasisFactorisation> {
        self.systems.iter().find_map(|layer| layer.of(state))
    }

    /// Keeps the strategies of a solved state, if strategies are kept.
    pub(crate) fn keep(&mut self, state: State, pair: &Packed) {
        if let Some(kept) = &mut self.strategies {
            let start = kept.append(pair);
            kept.set(self.order.index(state), start);
        }
    }

    /// What a player is certain to win at a state inside the field, in units.
    pub(crate) fn secured_at(&self, player: Player, state: State) -> i64 {
        let position = state.ball.position() * player.direction();
        self.secured[player as usize].get(state.points(player), state.points(player.opponent()), position)
    }

    /// Enters what a task has found.
    fn enter(&mut self, part: &mut Part) {
        let shift = self.strategies.as_mut().map_or(0, |kept| kept.append(&part.packed));
        for &Solved { state, secured, strategies, randomised, basis } in &part.solved {
            if let Some(kept) = &mut self.strategies {
                kept.set(self.order.index(state), shift + strategies);
            }
            self.randomised += u64::from(randomised) * self.order.images(state);
            let size = usize::from(part.bases[basis]);
            self.bases[0].set(self.order, state, &part.bases[basis..][..=2 * size]);
            self.store(state, secured);
        }
        if let Some(tier) = &mut self.exact {
            for (state, equilibrium) in part.exact.drain(..) {
                tier.store(self.order, state, equilibrium);
            }
        }
    }

    fn solve_task(&self, solver: &mut StageSolver, states: &[State], part: &mut Part, clock: Clock) {
        part.clear();
        solver.proof.clock = clock;
        for &state in states {
            let start = clock.elapsed();
            let secured = solver.solve(self, state, self.widest);
            part.solving += clock.elapsed().saturating_sub(start + solver.proof.certifying);
            part.certifying += solver.proof.certifying;
            // The first row and column of a stage game are the bid 1, or 0 with an empty account.
            let lowest_bids = Player::BOTH.map(|player| state.points(player).min(1) as usize);
            let [a, b] = &solver.proof.strategies;
            let randomised = [a, b].iter().any(|strategy| strategy.support().len() > 1);
            let begin = match &self.strategies {
                Some(_) => part.packed.push_pair([a, b], lowest_bids),
                None => 0,
            };
            let basis = part.bases.len();
            solver.pack_basis(lowest_bids, &mut part.bases);
            part.solved.push(Solved { state, secured, strategies: begin, randomised, basis });
            part.systems.extend(solver.system_to_keep(self, state).map(|system| (state, system)));
            part.exact.extend(solver.solve_exactly(self, state).map(|equilibrium| (state, equilibrium)));
        }
    }

    /// Finds the strategies of a solved state again, from the values of its successors.
    ///
    /// They are as good as those that the sweep found, up to a few units, and the same where the sweep's bases are still there.
    pub(crate) fn solve_again(&self, state: State) -> [DyadicStrategy; 2] {
        let mut solver = StageSolver::default();
        solver.solve(self, state, self.widest);
        solver.proof.strategies
    }

    /// The stage game of a state in floating-point shares, as A sees it.
    pub(crate) fn stage_game(&self, state: State) -> StageGame<'_> {
        self.two_way_stage(state).rows
    }

    /// The same, readable in both directions.
    pub(crate) fn two_way_stage(&self, state: State) -> TwoWayStage<'_> {
        let [rows, columns] = Player::BOTH.map(|player| self.seen_by(player, &self.values[player as usize], state));
        let sums = Player::BOTH.map(|player| self.seen_by(player, self.sums[player as usize].table(), state));
        TwoWayStage { rows, columns, sums }
    }

    /// The stage game of a state in what is proved for `player`, as that player sees it.
    pub(crate) fn secured_stage(&self, player: Player, state: State) -> StageGame<'_, i64> {
        self.seen_by(player, &self.secured[player as usize], state)
    }

    fn seen_by<'t, T: Copy>(&self, player: Player, table: &'t Table<T>, state: State) -> StageGame<'t, T> {
        let position = state.ball.position() * player.direction();
        StageGame::new(table, self.rules.motion(), state.points(player), state.points(player.opponent()), position)
    }

    /// Enters what is proved about a state, and the value that follows, in all tables; its mirror image, too.
    pub(crate) fn store(&mut self, state: State, secured: [i64; 2]) {
        self.widest = self.widest.max(-(secured[0] + secured[1]));
        self.store_one(state, secured);
        let mirror = state.mirrored();
        if self.order.mirrored && self.order.contains(mirror) {
            self.store_one(mirror, [secured[1], secured[0]]);
        }
    }

    fn store_one(&mut self, state: State, [secured_a, secured_b]: [i64; 2]) {
        let State { a, b, ball } = state;
        let value = Unit::middle_share(secured_a, -secured_b);
        self.values[0].set(a, b, ball.position(), value);
        self.values[1].set(b, a, -ball.position(), value);
        self.sums[0].enter(a, b, ball.position(), value);
        self.sums[1].enter(b, a, -ball.position(), value);
        self.secured[0].set(a, b, ball.position(), secured_a);
        self.secured[1].set(b, a, -ball.position(), secured_b);
    }
}

/// Counts the work done.
struct Report {
    order: Order,
    states: u64,
    work: f64,
    of_work: f64,
}

impl Report {
    fn new(order: Order, layers_done: u32) -> Self {
        let of_work = (1..=order.layers()).flat_map(|total| order.solved(total)).map(work).sum();
        let mut report = Self { order, states: order.layer(0).count() as u64, work: 0.0, of_work };
        for total in 1..=layers_done {
            report.count(order.solved(total));
        }
        report
    }

    /// Counts states that have been solved, and their mirror images.
    fn after(&mut self, solved: &[State]) -> Progress {
        self.count(solved.iter().copied());
        Progress { states: self.states, of_states: self.order.states() as u64, work: self.work / self.of_work }
    }

    fn count(&mut self, solved: impl Iterator<Item = State>) {
        for state in solved {
            self.states += self.order.images(state);
            self.work += work(state);
        }
    }
}

/// What a state costs, in proportion: the bids of both times a support of the size of their root.
///
/// Measured at 200 and 400 points, the share of the time spent is at no time farther than 0.06 from the share of the work done.
fn work(state: State) -> f64 {
    (f64::from(state.a + 1) * f64::from(state.b + 1)).powf(1.5)
}
