//! The stages of a game's solve: a component of states to which play can return, or a single state.

use std::ops::ControlFlow;

use super::{Reached, Solved};
use crate::bounds::{BOUND_BITS, Bounds};
use crate::cycles::{
    CHOICES_OF_NATURE, CheckCancel, Component, CycleControl, CycleProgress, CyclicSolver,
    CyclicState, Lengthened, LocalGame, LongState, ProvedComponent, Turns, reach_best_exits,
};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::gate::Passed;
use crate::matrix_game::DyadicStrategy;
use crate::model::{
    Components, Kind, Node, NumberedGame, NumberedState, Scale, StochasticGame, largest_values,
    size, successor_bounds,
};
use crate::published::Published;
use crate::work::{Threads, Watch, WorkError};

/// The components of a written game, with the longest stay in each.
#[derive(Debug)]
pub(crate) struct Cycles<'g> {
    pub(crate) game: &'g StochasticGame,
    pub(crate) components: Components,
    pub(crate) turns: Turns,
}

/// Bounds have room for 2³⁴ units beyond the largest value; as many as this may be what long plays
/// lose by rounding.
const ROUNDINGS_IN_RESERVE: f64 = (1_u64 << 33) as f64;

impl<'g> Cycles<'g> {
    /// Finds the components of a game; the callback may cancel.
    pub(crate) fn new(game: &'g StochasticGame, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let components = Components::new(game);
        let turns = Turns::new(game, &components, watch)?;
        Ok(Self { game, components, turns })
    }

    /// The components by levels, the long ones of a level last.
    pub(crate) fn levels(&self) -> Vec<Vec<u32>> {
        let mut levels = self.components.levels(self.game);
        for level in &mut levels {
            level.sort_by_key(|&component| self.components.states(component as usize).len() > 1);
        }
        levels
    }

    /// The finest unit in which all bounds of the game fit.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`], [`StochasticGameFault::TooLong`] where not even whole
    /// numbers may fit.
    pub(crate) fn scale(&self) -> Result<Scale, StochasticGameError> {
        if let Some(component) = self.turns.too_long() {
            return Err(self.game.refuse(
                self.components.states(component)[0] as usize,
                StochasticGameFault::TooLong,
            ));
        }
        let scale = self.scale_by(|component| self.turns.most(component, self.game.kind()))?;
        // Of all components that a play may visit.
        let roundings: f64 =
            (0..self.components.len()).map(|component| self.turns.roundings(component)).sum();
        if roundings <= ROUNDINGS_IN_RESERVE {
            Ok(scale)
        } else {
            self.scale_with(roundings, scale)
        }
    }

    /// The finest unit, not finer than a given one, in which bounds fit with this many units more.
    fn scale_with(&self, roundings: f64, mut scale: Scale) -> Result<Scale, StochasticGameError> {
        let largest = largest_values(self.game, &self.components, |component| {
            self.turns.most(component, self.game.kind())
        });
        let most = largest.into_iter().fold(0.0, f64::max);
        while most * f64::from(scale.exponent).exp2() + roundings > f64::from(BOUND_BITS).exp2() {
            let longest = |one: &usize, other: &usize| {
                self.turns.roundings(*one).total_cmp(&self.turns.roundings(*other))
            };
            let component = (0..self.components.len()).max_by(longest).unwrap_or(0);
            let state = self.components.states(component)[0] as usize;
            let coarser = scale.exponent.checked_sub(1);
            scale.exponent =
                coarser.ok_or_else(|| self.game.refuse(state, StochasticGameFault::TooLong))?;
        }
        Ok(scale)
    }

    /// The finest unit in which bounds fit if play stays in a component for this many turns.
    fn scale_by(&self, turns: impl Fn(usize) -> f64) -> Result<Scale, StochasticGameError> {
        let largest = largest_values(self.game, &self.components, turns);
        let (state, &most) = largest
            .iter()
            .enumerate()
            .max_by(|one, other| one.1.total_cmp(other.1))
            .unwrap_or((0, &0.0));
        Scale::of(most).map_err(|fault| self.game.refuse(state, fault))
    }

    /// The finest unit in which all ends and single rewards fit.
    pub(crate) fn finest(&self) -> Result<Scale, StochasticGameError> {
        let ends = (0..self.game.len())
            .filter_map(|state| self.game.end_value(state))
            .map(size)
            .fold(0.0, f64::max);
        Scale::of(ends + self.largest_paid()).map_err(|fault| self.game.refuse(0, fault))
    }

    fn largest_paid(&self) -> f64 {
        let cells = (0..self.game.len()).flat_map(|state| self.game.all_cells(state));
        cells.map(|cell| cell.reward_size()).fold(0.0, f64::max)
    }

    /// Whether rewards may cancel each other or rarely be paid, so that values fit a finer unit
    /// than is known before.
    pub(crate) fn may_be_finer(&self, scale: Scale) -> bool {
        // Where play cannot return, every reward is counted once, and all of them are looked at.
        let has_cycles =
            (0..self.components.len()).any(|component| self.components.is_cyclic(component));
        has_cycles && self.scale_by(|_| 1.0).is_ok_and(|once| once > scale)
    }

    /// The finest unit in which all values fit by these bounds, if it is finer and some bounds are
    /// wider than a double shows.
    pub(crate) fn finer(&self, scale: Scale, bounds: &[Bounds]) -> Option<Scale> {
        if !self.may_be_finer(scale) {
            return None;
        }
        let size =
            |bounds: &Bounds| bounds.lower.unsigned_abs().max(bounds.upper.unsigned_abs()) as f64;
        let most = bounds.iter().map(size).fold(0.0, f64::max) * (1.0 + 1e-12);
        let widest = bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0);
        let finer =
            Scale::of(most * (-f64::from(scale.exponent)).exp2() + self.largest_paid()).ok()?;
        (finer > scale && widest as f64 > most * f64::EPSILON).then_some(finer)
    }
}

/// A game in stages: components, where they are known, or single states.
pub(crate) struct GameStages<'g, N> {
    pub(crate) game: &'g N,
    pub(crate) cycles: Option<&'g Cycles<'g>>,
    pub(crate) scale: Scale,
    /// The stages in the order of solving; those of a level depend on earlier levels alone.
    pub(crate) levels: &'g [Vec<u32>],
    /// Whether all bounds are known to fit the unit.
    pub(crate) fits: bool,
    /// All states as they were solved in a coarser unit.
    pub(crate) coarse: Option<Coarse<'g>>,
    /// How wide bounds may stay.
    pub(crate) tolerance: Option<&'g Tolerance>,
}

/// The width that bounds may have. Bounds rest on those of earlier levels, so that every level with
/// a cycle adds its share: a state of the first of three may be a third as wide, one of the last as
/// wide as was asked for.
#[derive(Debug)]
pub(crate) struct Tolerance {
    width: f64,
    /// By component.
    shares: Vec<f64>,
}

impl Tolerance {
    pub(crate) fn new(width: f64, components: &Components, levels: &[Vec<u32>]) -> Self {
        let is_cyclic = |level: &&Vec<u32>| {
            level.iter().any(|&component| components.is_cyclic(component as usize))
        };
        let count = levels.iter().filter(is_cyclic).count();
        let mut shares = vec![0.0; components.len()];
        for (number, level) in levels.iter().filter(is_cyclic).enumerate() {
            for &component in level {
                shares[component as usize] = (number + 1) as f64 / count as f64;
            }
        }
        Self { width, shares }
    }
}

/// A game that was solved before, in this unit or a coarser one.
#[derive(Clone, Copy)]
pub(crate) struct Coarse<'g> {
    pub(crate) reached: &'g Reached,
    pub(crate) exponent: u32,
    /// The bits by which this unit is finer than what is known before solving.
    pub(crate) finer: u32,
    /// If the unit is the same, the width, in payoffs, beyond which states are narrowed in longer
    /// numbers, each by those of earlier stages.
    pub(crate) least_wide: Option<f64>,
}

impl<N: NumberedGame> GameStages<'_, N> {
    /// The states of a stage, rising.
    pub(crate) fn states<'s>(&'s self, stage: &'s u32) -> &'s [u32] {
        match self.cycles {
            Some(cycles) => cycles.components.states(*stage as usize),
            None => std::slice::from_ref(stage),
        }
    }

    /// Whether play can return to the states of a stage.
    pub(crate) fn is_cyclic(&self, stage: u32) -> bool {
        self.cycles.is_some_and(|cycles| cycles.components.is_cyclic(stage as usize))
    }

    /// The units by which bounds of a stage may be apart.
    pub(super) fn enough(&self, stage: u32) -> i64 {
        let units = |tolerance: &Tolerance| {
            let width = tolerance.width * tolerance.shares[stage as usize];
            (width * f64::from(self.scale.exponent).exp2()) as i64
        };
        self.tolerance.map_or(0, units)
    }

    /// The integers next to the payoff of infinite plays in a stage.
    fn endless(&self, stage: u32) -> Bounds {
        let first = self.states(&stage)[0] as usize;
        let endless = |cycles: &Cycles<'_>| {
            cycles.turns.endless(self.game.kind(), self.scale.bounds(&self.game.endless(first)))
        };
        self.cycles.filter(|_| self.is_cyclic(stage)).map_or(Bounds::default(), endless)
    }

    /// The first bounds of the states of a cyclic stage, which have passed the gate if they may not
    /// fit the unit.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`]; [`StochasticGameFault::TooLong`] where nothing proves them in the
    /// unit.
    fn start(
        &self,
        turns: &Turns,
        stage: u32,
        component: &Component<'_>,
        local: &LocalGame,
        check_cancel: &mut CheckCancel<'_>,
    ) -> Result<Vec<CyclicState>, Error> {
        let start = self.start_alone(turns, stage, component, local, check_cancel)?;
        if !self.fits && component.check(&start).is_err() {
            return Err(self
                .game
                .refuse(component.states[0] as usize, StochasticGameFault::TooLong)
                .into());
        }
        Ok(start)
    }

    /// As [`start`](Self::start), without the gate.
    fn start_alone(
        &self,
        turns: &Turns,
        stage: u32,
        component: &Component<'_>,
        local: &LocalGame,
        check_cancel: &mut CheckCancel<'_>,
    ) -> Result<Vec<CyclicState>, Error> {
        let mut start = turns.start(stage as usize, component.states, local);
        let is_found = match turns.payer() {
            Some(payer) => CyclicSolver::prove(local, payer, &mut start, check_cancel)
                .map_continue(|rounds| rounds.is_some()),
            None => ControlFlow::Continue(true),
        };
        let first = component.states[0] as usize;
        if !is_found.continue_value().ok_or(WorkError::Cancelled)? {
            return Err(self.game.refuse(first, StochasticGameFault::TooLong).into());
        }
        Ok(start)
    }

    /// The relative cost of a stage: its cells.
    pub(super) fn work(&self, stage: u32) -> f64 {
        let cells = |&state: &u32| match self.game.node(state as usize) {
            Ok(Node::Choose { a, b }) => (a * b + 1) as f64,
            _ => 1.0,
        };
        self.states(&stage).iter().map(cells).sum()
    }

    /// Whether a stage is so long that it is solved alone and can be stopped.
    pub(crate) fn is_long(&self, stage: u32) -> bool {
        self.states(&stage).len() > 1
    }

    /// States as they were solved in a coarser unit.
    fn known(&self, states: &[u32]) -> Option<Vec<CyclicState>> {
        let Coarse { reached, exponent, .. } = self.coarse?;
        let finer = |&state: &u32| {
            let CyclicState { bounds: Bounds { lower, upper }, weights } = reached.state(state);
            let shift = self.scale.exponent - exponent;
            CyclicState { bounds: Bounds::new(lower << shift, upper << shift), weights }
        };
        Some(states.iter().map(finer).collect())
    }

    /// Solves a stage by the bounds of the states before. Bounds are stored once they have passed
    /// the gate: of a cycle in [`Component::check`], of a state by its own matrix game in
    /// [`ProvedPair::prove`](crate::matrix_game::ProvedPair).
    pub(super) fn solve(
        &self,
        worker: &mut StateSolver<N::Row>,
        stage: u32,
        published: &Published,
        solved: &mut Solved,
        control: &mut CycleControl<'_>,
    ) -> Result<(), Error> {
        let again = self.coarse.filter(|coarse| coarse.least_wide.is_some());
        if let (Some(cycles), Some(coarse)) = (self.cycles, again) {
            return self.lengthen_wide(cycles, stage, coarse, published, solved, control);
        }
        let bounds = published.bounds();
        match self.cycles.filter(|_| self.is_cyclic(stage)) {
            Some(cycles) => self.solve_cycle(cycles, worker, stage, published, solved, control),
            None => {
                let state = self.states(&stage)[0];
                let StateSolution { proved, strategies } =
                    worker.solve(self.game, state as usize, self.scale, bounds)?;
                let (bounds, passed) =
                    self.proved_by_nature(stage, proved, strategies, published, control)?;
                solved.push(state, bounds, passed, strategies);
                Ok(())
            }
        }
    }

    /// The bounds of a state to which play cannot return, with the receipt of the gate if
    /// probabilities are uncertain: its matrix rests on what nature chooses, which the gate finds
    /// again.
    ///
    /// # Errors
    /// The gate's refusal, with the state.
    fn proved_by_nature(
        &self,
        stage: u32,
        proved: (Bounds, Passed),
        strategies: Weights<'_>,
        published: &Published,
        control: &CycleControl<'_>,
    ) -> Result<(Bounds, Passed), StochasticGameError> {
        let Some(cycles) = self.cycles.filter(|cycles| cycles.game.nature().is_some()) else {
            return Ok(proved);
        };
        let component = self.component(cycles, &stage, published, control.threads);
        let (bounds, _) = proved;
        let found = CyclicState { bounds, weights: strategies.map(<[_]>::to_vec) };
        let passed = component.check(&[found]).map_err(|refusal| not_proved(&refusal))?;
        Ok((bounds, passed))
    }

    /// Solves a cycle in which nature chooses: by value iteration, or else by policy iteration of
    /// nature, whose choice is fixed while the players' game is solved (Hoffman and Karp 1966).
    ///
    /// # Errors
    /// [`WorkError::Cancelled`]; [`StochasticGameFault::NotProved`] where no bounds pass the gate.
    fn solve_uncertain(
        &self,
        cycles: &Cycles<'_>,
        solver: &mut CyclicSolver,
        stage: u32,
        component: &Component<'_>,
        solved: &mut Solved,
        control: &mut CycleControl<'_>,
    ) -> Result<(), Error> {
        let coarse = self.known(component.states);
        let found = component.solve(coarse.as_deref(), control);
        let found = control.finished(found, None)?;
        if let Some(ProvedComponent { states, passed, .. }) = found {
            solved.push_all(component.states, states, passed);
            return Ok(());
        }
        // Bounds for one choice of nature would be no start for another one.
        control.on_progress = None;
        let mut known = component.outside.to_vec();
        for &state in component.states {
            known[state as usize] = component.endless;
        }
        for _ in 0..CHOICES_OF_NATURE {
            let local = self.local_game_among(cycles, stage, &known)?;
            let mut found = control.first(|control| {
                self.start_alone(&cycles.turns, stage, component, &local, control.check_cancel)
            })?;
            let solved_game = solver.solve(&local, &mut found, control);
            control.finished(solved_game, ())?;
            if let Some((proved, passed)) = component.proved_outward(&found) {
                solved.push_all(component.states, proved, passed);
                return Ok(());
            }
            let mut has_changed = false;
            for (&state, found) in component.states.iter().zip(&found) {
                let before = std::mem::replace(&mut known[state as usize], found.bounds);
                has_changed |= before != found.bounds;
            }
            if !has_changed {
                break;
            }
        }
        let reason = "policy iteration of nature, which chooses the uncertain probabilities, does not converge";
        let fault = StochasticGameFault::NotProved { reason: reason.to_owned() };
        Err(self.game.refuse(component.states[0] as usize, fault).into())
    }

    fn solve_cycle(
        &self,
        cycles: &Cycles<'_>,
        worker: &mut StateSolver<N::Row>,
        stage: u32,
        published: &Published,
        solved: &mut Solved,
        control: &mut CycleControl<'_>,
    ) -> Result<(), Error> {
        let component = self.component(cycles, &stage, published, control.threads);
        let states = component.states;
        if cycles.game.nature().is_some() {
            return self.solve_uncertain(
                cycles,
                &mut worker.cyclic,
                stage,
                &component,
                solved,
                control,
            );
        }
        let mut start = self.known(states);
        let Component { exponent, .. } = component;
        let local = || self.local_game(cycles, stage, published);
        let is_behind_values =
            matches!(control.begun, Some(CycleProgress::Rounds(_) | CycleProgress::Long(_)));
        if states.len() > 1 && !is_behind_values {
            let found = component.solve(start.as_deref(), control);
            match control.finished(found, None)? {
                Some(ProvedComponent { states: found, passed, is_tight: true }) => {
                    let is_wide =
                        CyclicSolver::is_wide(self.game.kind(), &found, exponent, control.enough);
                    let longer = if is_wide {
                        lengthen(&component, &local()?, &found, control)?
                    } else {
                        None
                    };
                    match longer {
                        Some((longer, passed)) => solved.push_lengthened(states, longer, passed),
                        None if self.game.kind() == Kind::Recursive => {
                            let (found, passed) =
                                with_exits_reached(&component, &local()?, found, passed);
                            solved.push_all(states, found, passed);
                        }
                        None => solved.push_all(states, found, passed),
                    }
                    return Ok(());
                }
                found => start = start.or(found.map(|found| found.states)),
            }
        }
        let local = local()?;
        // Bounds found in a coarser unit may rest on bounds that are a little wider now.
        let start = match start.filter(|start| component.check(start).is_ok()) {
            Some(start) => start,
            None if is_behind_values => Vec::new(),
            None => match control.first(|control| {
                self.start(&cycles.turns, stage, &component, &local, control.check_cancel)
            }) {
                Ok(start) => start,
                Err(Error::StochasticGame(refusal))
                    if *refusal.fault() == StochasticGameFault::TooLong =>
                {
                    let begun = control.first(|control| {
                        begin_long(&cycles.turns, stage, &component, &local, control)
                    })?;
                    let (begun, passed) = begun.ok_or(refusal)?;
                    solved.push_lengthened(states, begun, passed);
                    return Ok(());
                }
                Err(refusal) => return Err(refusal),
            },
        };
        let mut narrowed = start;
        let solved_game = worker.cyclic.solve(&local, &mut narrowed, control);
        control.finished(solved_game, ())?;
        if CyclicSolver::is_wide(local.kind(), &narrowed, exponent, control.enough)
            && let Some((lengthened, passed)) = lengthen(&component, &local, &narrowed, control)?
        {
            solved.push_lengthened(states, lengthened, passed);
            return Ok(());
        }
        let refusal = match component.check(&narrowed) {
            Ok(passed) => {
                solved.push_all(states, narrowed, passed);
                return Ok(());
            }
            Err(refusal) => refusal,
        };
        // The next method: bounds that are wide, and rest on no guess.
        let start = control.first(|control| {
            self.start(&cycles.turns, stage, &component, &local, control.check_cancel)
        })?;
        let passed = component.check(&start).map_err(|_| not_proved(&refusal))?;
        solved.push_all(states, start, passed);
        Ok(())
    }

    /// Solves a stage of which bounds are known: in longer numbers if some are wide.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`]; [`StochasticGameFault::NotProved`] if the known bounds rest on
    /// bounds that are no longer there.
    fn lengthen_wide(
        &self,
        cycles: &Cycles<'_>,
        stage: u32,
        coarse: Coarse<'_>,
        published: &Published,
        solved: &mut Solved,
        control: &mut CycleControl<'_>,
    ) -> Result<(), Error> {
        let (states, reached) = (self.states(&stage), coarse.reached);
        let component = self.component(cycles, &stage, published, control.threads);
        let known = Lengthened {
            states: states.iter().map(|&state| reached.state(state)).collect(),
            long: states.iter().map(|state| reached.published.long().get(state).cloned()).collect(),
        };
        let width = |&state: &u32| {
            let state = NumberedState::canonical(state as usize);
            reached.published.enclosure(state, self.scale.exponent).width()
        };
        if states.iter().any(|state| coarse.least_wide.is_some_and(|least| width(state) > least))
            && let Some((found, passed)) =
                self.lengthened_again(cycles, stage, &component, &known, published, control)?
        {
            solved.push_lengthened(states, found, passed);
            return Ok(());
        }
        let reason = "longer numbers of other states do not prove its bounds".to_owned();
        let refusal =
            || self.game.refuse(states[0] as usize, StochasticGameFault::NotProved { reason });
        let passed = passed(&component, &known).ok_or_else(refusal)?;
        solved.push_lengthened(states, known, passed);
        Ok(())
    }

    /// A stage with wide bounds in longer numbers; `None` where these have nothing more to begin
    /// with, or prove nothing.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    fn lengthened_again(
        &self,
        cycles: &Cycles<'_>,
        stage: u32,
        component: &Component<'_>,
        known: &Lengthened,
        published: &Published,
        control: &mut CycleControl<'_>,
    ) -> Result<Option<(Lengthened, Passed)>, Error> {
        let end = cycles.game.end_value(component.states[0] as usize);
        let found = if let Some(value) = end {
            Some(Lengthened {
                states: known.states.clone(),
                long: Some(vec![LongState::of_end(self.scale, value)]),
            })
        } else {
            let local = self.local_game(cycles, stage, published)?;
            // A cycle was narrowed as far as its numbers allow, but for long plays that end by
            // themselves.
            if self.is_cyclic(stage) && local.kind().may_last() && !local.has_longer_outside() {
                return Ok(None);
            }
            let found = CyclicSolver::lengthen_again(&local, known, control).map_continue(Some);
            control.finished(found, None)?
        };
        Ok(found.and_then(|found| passed(component, &found).map(|passed| (found, passed))))
    }

    /// The game of a stage's states, in integers.
    ///
    /// # Errors
    /// A fault of the rules.
    pub(crate) fn local_game(
        &self,
        cycles: &Cycles<'_>,
        stage: u32,
        published: &Published,
    ) -> Result<LocalGame, StochasticGameError> {
        let bounds = published.bounds();
        let local = self.local_game_among(cycles, stage, bounds)?;
        Ok(local.with_longer_outside(cycles.game, self.states(&stage), bounds, published.long()))
    }

    /// As [`Self::local_game`], with the bounds of all states of the game.
    fn local_game_among(
        &self,
        cycles: &Cycles<'_>,
        stage: u32,
        bounds: &[Bounds],
    ) -> Result<LocalGame, StochasticGameError> {
        LocalGame::new(
            cycles.game,
            &cycles.components,
            stage as usize,
            self.scale.exponent,
            bounds,
            self.endless(stage),
        )
    }

    /// The states of a stage as a component.
    pub(crate) fn component<'s>(
        &'s self,
        cycles: &'s Cycles<'_>,
        stage: &'s u32,
        published: &'s Published,
        threads: &'s Threads,
    ) -> Component<'s> {
        let (endless, Scale { exponent }) = (self.endless(*stage), self.scale);
        let (outside, long) = (published.bounds(), published.long());
        Component {
            game: cycles.game,
            states: self.states(stage),
            endless,
            exponent,
            outside,
            long,
            threads,
        }
    }
}

/// A component with bounds that are narrower than wide ones, and pass the gate.
///
/// # Errors
/// [`WorkError::Cancelled`].
fn lengthen(
    component: &Component<'_>,
    local: &LocalGame,
    wide: &[CyclicState],
    control: &mut CycleControl<'_>,
) -> Result<Option<(Lengthened, Passed)>, WorkError> {
    let found = CyclicSolver::lengthen(local, wide, control).map_continue(Some);
    let found = control.finished(found, None)?;
    Ok(found.and_then(|found| passed(component, &found).map(|passed| (found, passed))))
}

/// Bounds that have passed the gate, with those that the graph alone gives, if the gate accepts
/// these, too.
fn with_exits_reached(
    component: &Component<'_>,
    local: &LocalGame,
    found: Vec<CyclicState>,
    passed: Passed,
) -> (Vec<CyclicState>, Passed) {
    let mut reached = found.clone();
    reach_best_exits(local, &mut reached);
    match component.check(&reached) {
        Ok(passed) => (reached, passed),
        Err(_) => (found, passed),
    }
}

/// A component solved in long numbers from the first strategies on, where short ones prove nothing
/// of these; `None` where that fails, too. Such a solve reports no progress: its start is not
/// proved in short numbers, which a checkpoint asks for.
///
/// # Errors
/// [`WorkError::Cancelled`].
fn begin_long(
    turns: &Turns,
    stage: u32,
    component: &Component<'_>,
    local: &LocalGame,
    control: &mut CycleControl<'_>,
) -> Result<Option<(Lengthened, Passed)>, WorkError> {
    let start = turns.start(stage as usize, component.states, local);
    control.on_progress = None;
    let found = CyclicSolver::begin_long(local, turns.payer(), &start, control)
        .continue_value()
        .ok_or(WorkError::Cancelled)?;
    let Some(found) = found else { return Ok(None) };
    Ok(passed(component, &found).map(|passed| (found, passed)))
}

/// The receipt of a component that passes the gate: in longer numbers if it has them, whose
/// roundings its short bounds are.
fn passed(component: &Component<'_>, found: &Lengthened) -> Option<Passed> {
    let Lengthened { states, long } = found;
    let is_rounding =
        |(long, short): (&LongState, &CyclicState)| long.rounded() == Some(short.bounds);
    match long {
        Some(long) => {
            component.check_long(long).ok().filter(|_| long.iter().zip(states).all(is_rounding))
        }
        None => component.check(states).ok(),
    }
}

/// The fault of a state that the gate refuses.
fn not_proved(refusal: &StochasticGameError) -> StochasticGameError {
    let reason = refusal.fault().to_string();
    let fault = StochasticGameError::from(StochasticGameFault::NotProved { reason });
    match refusal.state() {
        Some(state) => fault.in_state(state),
        None => fault,
    }
}

/// The weights of A's and of B's actions out of 2⁶².
pub(crate) type Weights<'s> = [&'s [(u32, u64)]; 2];

#[derive(Default)]
pub(crate) struct StateSolver<Row> {
    row: Row,
    cyclic: CyclicSolver,
}

/// A solved state to which play cannot return.
pub(crate) struct StateSolution<'s> {
    pub(crate) proved: (Bounds, Passed),
    /// None of an end.
    pub(crate) strategies: Weights<'s>,
}

impl<Row> StateSolver<Row> {
    /// Solves a state to which play cannot return, by the bounds of its successors.
    pub(crate) fn solve<N: NumberedGame<Row = Row>>(
        &mut self,
        game: &N,
        state: usize,
        scale: Scale,
        bounds: &[Bounds],
    ) -> Result<StateSolution<'_>, StochasticGameError> {
        let actions = match game.node(state)? {
            Node::Over(value) => {
                return Ok(StateSolution {
                    proved: Passed::of_end(scale, &value),
                    strategies: [&[], &[]],
                });
            }
            Node::Choose { a, b } => [a, b],
        };
        let Self { row, cyclic: CyclicSolver { matrix, simplex, .. } } = self;
        matrix.resize(actions);
        game.cells(state, actions, row, |_, cell| {
            matrix.put(cell.bounds(scale.exponent, |next| successor_bounds::<N>(next, bounds)));
        })?;
        let proved = simplex.solve(matrix);
        let strategies = proved.strategies.each_ref().map(DyadicStrategy::support);
        Ok(StateSolution { proved: Passed::of_pair(proved), strategies })
    }
}
