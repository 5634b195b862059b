//! The states of one strongly connected component, with known bounds of all states outside.

use std::cmp::Reverse;

use dashu_int::IBig;

use super::cycle::Strategy;
use super::cyclic::{LARGEST, middle};
use super::long::{LongState, LongStates};
pub(crate) use crate::bounds::Side;
use crate::bounds::{Bounds, Integer};
use crate::error::StochasticGameError;
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix};
use crate::model::{
    Components, Kind, Node, NumberedGame, Outcome, StochasticGame, successor_bounds,
};
use crate::player::Player;

/// The states of a component, numbered from 0, as a game among themselves.
#[derive(Debug)]
pub(crate) struct LocalGame {
    pub(super) kind: Kind,
    /// The unit of bounds is 2^−this.
    exponent: u32,
    /// The integers next to the payoff of infinite plays.
    pub(super) endless: Bounds,
    states: Vec<LocalState>,
    cells: Vec<LocalCell>,
    outcomes: Vec<Outcome>,
    /// Where states outside are known in longer numbers.
    longer_outside: Option<LongerOutside>,
    largest_paid: f64,
    largest_outside: f64,
}

/// The outside parts of all cells, in parts of their denominators and of the unit, 2^−`finer`.
#[derive(Debug)]
struct LongerOutside {
    finer: usize,
    cells: Vec<[IBig; 2]>,
}

/// Bounds outside are taken as fine as this at most: the longest numbers have thousands of bits, of
/// which no narrow bound needs more.
const MOST_FINER: usize = 128;

#[derive(Clone, Copy, Debug)]
struct LocalState {
    sizes: [usize; 2],
    first_cell: usize,
}

/// A cell: bounds of its reward and of the part that leaves the component, in parts of the
/// denominator, and the offset of its inner successors.
#[derive(Clone, Copy, Debug)]
struct LocalCell {
    first_outcome: usize,
    denominator: i128,
    outside: [i128; 2],
}

/// A cell in parts of its denominator: the successors inside the component, and bounds of what it
/// pays outside.
#[derive(Clone, Copy)]
pub(super) struct CellParts<'g> {
    pub(super) inside: &'g [Outcome],
    pub(super) denominator: i128,
    pub(super) outside: [i128; 2],
    /// The number of the cell, and the outside parts of all cells in longer numbers: looked up only
    /// where these are asked for.
    place: usize,
    longer: Option<&'g LongerOutside>,
}

/// An integer of bounds: short, or of any length.
pub(super) trait BoundInteger: Integer {
    /// The payoff of a cell outside, in parts of its denominator and of the unit, 2^−`finer`,
    /// rounded as a bound of a side.
    fn outside(cell: &CellParts<'_>, side: Side, finer: usize) -> Self;
}

impl BoundInteger for i128 {
    fn outside(cell: &CellParts<'_>, side: Side, finer: usize) -> Self {
        cell.outside[side.index()] << finer
    }
}

impl BoundInteger for IBig {
    fn outside(cell: &CellParts<'_>, side: Side, finer: usize) -> Self {
        let (outside, bits) = cell.longest_outside(side);
        side.rounding().shift(outside << finer, bits)
    }
}

impl CellParts<'_> {
    /// What the cell pays outside by a side's bounds, in parts of its denominator and of the unit,
    /// and the bits by which that is finer than the unit of bounds: as fine as it is known.
    pub(super) fn longest_outside(&self, side: Side) -> (IBig, usize) {
        match self.longer {
            Some(longer) => (longer.cells[self.place][side.index()].clone(), longer.finer),
            None => (self.outside[side.index()].into(), 0),
        }
    }

    /// The weight with which play leaves the component.
    pub(super) fn leaves(&self) -> i128 {
        self.denominator
            - self.inside.iter().map(|outcome| i128::from(outcome.weight)).sum::<i128>()
    }

    /// The cell's bound of the same side and in the same unit as those of the states.
    fn bound<N: BoundInteger>(&self, bounds: StateBounds<impl Fn(usize) -> N>) -> N {
        let StateBounds { side, finer, of } = bounds;
        let later = self
            .inside
            .iter()
            .map(|outcome| N::from(outcome.weight) * of(outcome.state as usize))
            .sum::<N>();
        side.rounding().quotient(N::outside(self, side, finer) + later, self.denominator.into())
    }

    /// What the cell pays on leaving, on average, in units from the payoff of infinite plays.
    pub(super) fn leaving(&self, endless: i64) -> f64 {
        let [lower, upper] = self.outside;
        let middle = lower + (upper - lower) / 2;
        (middle - self.leaves() * i128::from(endless)) as f64 / self.denominator as f64
    }

    /// The sum of the inner successors' values.
    pub(super) fn later(&self, values: &[f64]) -> f64 {
        let later = |outcome: &Outcome| {
            outcome.weight as f64 / self.denominator as f64 * values[outcome.state as usize]
        };
        self.inside.iter().map(later).sum()
    }

    /// Whether the cell certainly leads to states for which `inside` holds, without a reward.
    fn stays(&self, inside: &dyn Fn(usize) -> bool) -> bool {
        // Of a cell that nothing leaves `outside` is the reward alone.
        self.leaves() == 0
            && self.outside[0] == 0
            && self.inside.iter().all(|outcome| inside(outcome.state as usize))
    }
}

impl From<Player> for Side {
    fn from(player: Player) -> Self {
        match player {
            Player::A => Self::Lower,
            Player::B => Self::Upper,
        }
    }
}

/// An average of bounds, from their sum with weights out of 2⁶², rounded outward.
pub(super) fn average(side: Side, sum: i128) -> i64 {
    side.rounding().shift(sum, DyadicStrategy::WHOLE_BITS as usize) as i64
}

/// A mixed action of a side's player at a state.
#[derive(Debug)]
pub(super) struct MixedAction<'s, W> {
    pub(super) state: usize,
    pub(super) side: Side,
    /// The actions, rising, with their weights.
    pub(super) weights: &'s [(u32, W)],
}

// Derived, they would ask the same of the weights.
impl<W> Clone for MixedAction<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for MixedAction<'_, W> {}

impl<'s, W> MixedAction<'s, W> {
    /// The mixed action that a side's strategies, by state, have at a state.
    pub(super) fn of(side: Side, strategies: &'s [Strategy<W>], state: usize) -> Self {
        Self { state, side, weights: &strategies[state] }
    }
}

/// The bounds of all states for one side, by state.
#[derive(Clone, Copy)]
pub(super) struct StateBounds<F> {
    pub(super) side: Side,
    /// Bounds are in parts of the component's unit, 2^−this.
    pub(super) finer: usize,
    pub(super) of: F,
}

impl<F> StateBounds<F> {
    /// Bounds in whole units.
    pub(super) const fn in_units(side: Side, of: F) -> Self {
        Self { side, finer: 0, of }
    }
}

impl LocalGame {
    /// The component with the bounds of all states outside, in units of 2^−`exponent`; infinite
    /// plays pay `endless`.
    pub(crate) fn new<N: NumberedGame>(
        game: &N,
        components: &Components,
        component: usize,
        exponent: u32,
        outside: &[Bounds],
        endless: Bounds,
    ) -> Result<Self, StochasticGameError> {
        let is_inside = |state: usize| components.of(state) == component;
        Self::among(
            game,
            components.states(component),
            is_inside,
            exponent,
            |next| successor_bounds::<N>(next, outside),
            endless,
        )
    }

    /// Some states, with the bounds of those that do not count as inside. Nature chooses uncertain
    /// probabilities by the middles of the bounds of all states; those of the states inside are not
    /// read otherwise.
    pub(super) fn among<N: NumberedGame>(
        game: &N,
        members: &[u32],
        is_inside: impl Fn(usize) -> bool,
        exponent: u32,
        outside: impl Fn(u32) -> Bounds,
        endless: Bounds,
    ) -> Result<Self, StochasticGameError> {
        let mut local = Self {
            kind: game.kind(),
            exponent,
            endless,
            states: Vec::with_capacity(members.len()),
            cells: Vec::new(),
            outcomes: Vec::new(),
            longer_outside: None,
            largest_paid: 0.0,
            largest_outside: 0.0,
        };
        let mut row = N::Row::default();
        for &state in members {
            let Node::Choose { a, b } = game.node(state as usize)? else { continue };
            let sizes = [a, b];
            local.states.push(LocalState { sizes, first_cell: local.cells.len() });
            local.cells.reserve(a * b + 1);
            game.cells(state as usize, sizes, &mut row, |_, cell| {
                let first_outcome = local.outcomes.len();
                let [mut lower, mut upper] = [cell.reward << exponent; 2];
                let paid = lower.unsigned_abs() as f64 / cell.denominator as f64 * (1.0 + 1e-12);
                local.largest_paid = local.largest_paid.max(paid);
                for outcome in &*cell.outcomes_by_nature(|next| middle(outside(next))) {
                    if is_inside(N::successor(outcome.state).number) {
                        let place =
                            members.partition_point(|&member| member < outcome.state) as u32;
                        local.outcomes.push(Outcome { state: place, ..*outcome });
                    } else {
                        let next = outside(outcome.state);
                        lower += i128::from(outcome.weight) * i128::from(next.lower);
                        upper += i128::from(outcome.weight) * i128::from(next.upper);
                        let size = next.lower.unsigned_abs().max(next.upper.unsigned_abs());
                        local.largest_outside =
                            local.largest_outside.max(size as f64 * (1.0 + 1e-12));
                    }
                }
                local.cells.push(LocalCell {
                    first_outcome,
                    denominator: cell.denominator.into(),
                    outside: [lower, upper],
                });
            })?;
        }
        local.cells.push(LocalCell {
            first_outcome: local.outcomes.len(),
            denominator: 1,
            outside: [0; 2],
        });
        Ok(local)
    }

    /// The game of these states of a written game, rising, with bounds outside in longer numbers
    /// where there are some.
    pub(crate) fn with_longer_outside(
        mut self,
        game: &StochasticGame,
        members: &[u32],
        outside: &[Bounds],
        long: &LongStates,
    ) -> Self {
        let cells = || members.iter().flat_map(|&state| game.all_cells(state as usize));
        let is_outside = |outcome: &&Outcome| members.binary_search(&outcome.state).is_err();
        let finest = long_outside(cells().flat_map(|cell| cell.outcomes), is_outside, long)
            .map(|state| state.finer)
            .max();
        let Some(finer) = finest.map(|finest| finest.min(MOST_FINER)) else { return self };
        let bound = |state: u32, side: Side| match long.get(&state) {
            Some(state) => state.bound_in(side, finer),
            None => IBig::from(side.bound(outside[state as usize])) << finer,
        };
        let longer = cells().map(|cell| {
            let reward = IBig::from(cell.reward) << (self.exponent as usize + finer);
            Side::BOTH.map(|side| {
                let outcomes = cell.outcomes.iter().filter(is_outside);
                &reward
                    + outcomes
                        .map(|outcome| IBig::from(outcome.weight) * bound(outcome.state, side))
                        .sum::<IBig>()
            })
        });
        self.longer_outside = Some(LongerOutside { finer, cells: longer.collect() });
        self
    }

    /// Whether bounds of states outside are known in longer numbers.
    pub(crate) const fn has_longer_outside(&self) -> bool {
        self.longer_outside.is_some()
    }

    /// Whether no state leads to a state inside.
    pub(super) fn is_left_at_once(&self) -> bool {
        self.outcomes.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The numbers of A's and of B's actions at a state.
    pub(crate) fn actions(&self, state: usize) -> [usize; 2] {
        self.states[state].sizes
    }

    /// The number of replies of the opponent of a side.
    pub(crate) fn replies(&self, state: usize, side: Side) -> usize {
        self.states[state].sizes[side.other().index()]
    }

    /// The cell of an action of a side's player and a reply.
    pub(super) fn cell(
        &self,
        state: usize,
        side: Side,
        action: u32,
        reply: usize,
    ) -> CellParts<'_> {
        let [a, b] =
            if side.is_upper() { [reply, action as usize] } else { [action as usize, reply] };
        self.pair(state, a, b)
    }

    /// The cell of an action of A and one of B.
    pub(super) fn pair(&self, state: usize, a: usize, b: usize) -> CellParts<'_> {
        let LocalState { sizes: [_, columns], first_cell } = self.states[state];
        self.cell_at(first_cell + a * columns + b)
    }

    fn cell_at(&self, place: usize) -> CellParts<'_> {
        let (LocalCell { first_outcome, denominator, outside }, next) =
            (self.cells[place], self.cells[place + 1]);
        let inside = &self.outcomes[first_outcome..next.first_outcome];
        CellParts { inside, denominator, outside, place, longer: self.longer_outside.as_ref() }
    }

    /// The cells of a state, row by row.
    pub(super) fn cells(&self, state: usize) -> impl Iterator<Item = CellParts<'_>> {
        let LocalState { sizes: [rows, columns], first_cell } = self.states[state];
        (first_cell..first_cell + rows * columns).map(|place| self.cell_at(place))
    }

    /// The matrix game of a state for these bounds of the states.
    pub(crate) fn fill(
        &self,
        state: usize,
        of: impl Fn(usize) -> Bounds,
        matrix: &mut EnclosedMatrix,
    ) {
        matrix.resize(self.states[state].sizes);
        for cell in self.cells(state) {
            let [lower, upper] = Side::BOTH.map(|side| {
                let bounds = StateBounds::in_units(side, |next| i128::from(side.bound(of(next))));
                cell.bound(bounds) as i64
            });
            matrix.put(Bounds::new(lower, upper));
        }
    }

    /// The cells of a mixed action against a reply, with their weights.
    pub(super) fn cells_against<'s, W>(
        &'s self,
        mixed: MixedAction<'s, W>,
        reply: usize,
    ) -> impl Iterator<Item = (&'s W, CellParts<'s>)> {
        let MixedAction { state, side, weights } = mixed;
        weights.iter().map(move |(action, weight)| (weight, self.cell(state, side, *action, reply)))
    }

    /// The expected payoff of a mixed action against a reply, as a bound of the same side and in
    /// the same unit as those of the states, times the sum of the weights.
    pub(super) fn expected_payoff<W: Clone, N: BoundInteger + From<W>>(
        &self,
        mixed: MixedAction<'_, W>,
        reply: usize,
        bounds: StateBounds<impl Fn(usize) -> N + Copy>,
    ) -> N {
        let cells = self.cells_against(mixed, reply);
        cells.map(|(weight, cell)| N::from(weight.clone()) * cell.bound(bounds)).sum()
    }

    /// The opponent's best response to a mixed action by the bounds of the states, in units, and
    /// the bound of the expected payoff against it.
    pub(super) fn best_response(
        &self,
        mixed: MixedAction<'_, u64>,
        bound: Side,
        of: impl Fn(usize) -> i64 + Copy,
    ) -> (i64, usize) {
        let bounds = StateBounds::in_units(bound, |next| i128::from(of(next)));
        let replies = (0..self.replies(mixed.state, mixed.side))
            .map(|reply| (self.expected_payoff(mixed, reply, bounds), reply));
        // There is at least one.
        let (payoff, reply) = match mixed.side {
            Side::Lower => replies.min_by_key(|&(payoff, _)| payoff),
            Side::Upper => replies.max_by_key(|&(payoff, reply)| (payoff, Reverse(reply))),
        }
        .unwrap_or_default();
        (average(bound, payoff), reply)
    }

    /// The unit of bounds is 2^−this.
    pub(super) const fn exponent(&self) -> u32 {
        self.exponent
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether a mixed action and a reply certainly lead to states for which `inside` holds,
    /// without a reward.
    pub(super) fn stays<W>(
        &self,
        mixed: MixedAction<'_, W>,
        reply: usize,
        inside: &dyn Fn(usize) -> bool,
    ) -> bool {
        self.cells_against(mixed, reply).all(|(_, cell)| cell.stays(inside))
    }

    /// The replies to a mixed action by which play stays among states for which `inside` holds,
    /// each as its successors.
    pub(super) fn staying<W>(
        &self,
        mixed: MixedAction<'_, W>,
        inside: &dyn Fn(usize) -> bool,
    ) -> Vec<Vec<u32>> {
        (0..self.replies(mixed.state, mixed.side))
            .filter(|&reply| self.stays(mixed, reply, inside))
            .map(|reply| self.successors(mixed, reply))
            .collect()
    }

    /// The successors inside the component of a mixed action and a reply.
    pub(super) fn successors<W>(&self, mixed: MixedAction<'_, W>, reply: usize) -> Vec<u32> {
        self.cells_against(mixed, reply)
            .flat_map(|(_, cell)| cell.inside)
            .map(|outcome| outcome.state)
            .collect()
    }

    /// The least lower and the largest upper bound of all exits from the component; `None` without
    /// exits. Where cells pay, it is that of their rewards until play leaves by them, too; bounds
    /// beyond the largest are cut, which widens them.
    pub(crate) fn outside(&self) -> Option<Bounds> {
        let cut =
            |bound: i128| bound.clamp(i128::from(LARGEST.lower), i128::from(LARGEST.upper)) as i64;
        let mut outside: Option<Bounds> = None;
        for cell in (0..self.cells.len() - 1).map(|place| self.cell_at(place)) {
            let left = cell.leaves();
            if left == 0 {
                continue;
            }
            // The mean over the successors outside, which needs no bounds of the parts.
            let [lower, upper] = cell.outside;
            let mean = Bounds::new(cut(lower.div_euclid(left)), cut(-(-upper).div_euclid(left)));
            let widest = outside.unwrap_or(mean);
            outside = Some(Bounds::new(widest.lower.min(mean.lower), widest.upper.max(mean.upper)));
        }
        outside
    }

    /// The largest size of a cell's reward, and of its successors outside, in units, rounded up.
    pub(crate) fn sizes(&self) -> (f64, f64) {
        (self.largest_paid, self.largest_outside)
    }
}

/// The states in longer numbers among outcomes that lead outside.
pub(super) fn long_outside<'l, 'o>(
    outcomes: impl Iterator<Item = &'o Outcome>,
    is_outside: impl Fn(&&Outcome) -> bool,
    long: &'l LongStates,
) -> impl Iterator<Item = &'l LongState> {
    // Mostly there are none.
    let outcomes = (!long.is_empty()).then_some(outcomes).into_iter().flatten();
    outcomes
        .filter(move |outcome| is_outside(outcome))
        .filter_map(|outcome| long.get(&outcome.state))
}

/// The only cycle of a game that tests write down, all of whose ends have these bounds, in units of
/// 2^−50.
#[cfg(all(test, feature = "files"))]
pub(super) fn only_cycle(
    text: &str,
    ends: Bounds,
) -> (StochasticGame, Components, usize, LocalGame) {
    let game = StochasticGame::read(text.as_bytes()).unwrap();
    let components = Components::new(&game);
    let cycle = (0..components.len()).find(|&component| components.is_cyclic(component)).unwrap();
    let local =
        LocalGame::new(&game, &components, cycle, 50, &vec![ends; game.len()], Bounds::default())
            .unwrap();
    (game, components, cycle, local)
}
