//! The states of one strongly connected component, with known bounds of all states outside.

use dashu_int::IBig;

use crate::bounds::{Bounds, Rounding};
use crate::error::StochasticGameError;
use crate::game::Player;
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix};
#[cfg(all(test, feature = "report"))]
use crate::stochastic_game::model::StochasticGame;
use crate::stochastic_game::model::{Components, Node, NumberedGame, Outcome, seen};

/// The states of a component, numbered from 0, as a game among themselves.
#[derive(Debug)]
pub(crate) struct LocalGame {
    states: Vec<LocalState>,
    cells: Vec<LocalCell>,
    outcomes: Vec<Outcome>,
    largest_paid: f64,
    largest_outside: f64,
}

#[derive(Clone, Copy, Debug)]
struct LocalState {
    rows: usize,
    columns: usize,
    first_cell: usize,
}

/// A cell: its reward and the part that leaves the component, in parts of the denominator, and the offset of its inner
/// successors.
#[derive(Clone, Copy, Debug)]
struct LocalCell {
    first_outcome: usize,
    denominator: i128,
    lower: i128,
    upper: i128,
}

/// A cell in parts of its denominator: the successors inside the component, and bounds of what it pays outside.
pub(super) struct CellParts<'g> {
    pub(super) inside: &'g [Outcome],
    pub(super) denominator: i128,
    pub(super) outside: [i128; 2],
}

impl CellParts<'_> {
    /// The weight with which play leaves the component.
    pub(super) fn leaves(&self) -> i128 {
        self.denominator - self.inside.iter().map(|outcome| i128::from(outcome.weight)).sum::<i128>()
    }
}

/// The side of a player: A's security levels are lower bounds, B's are upper bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Lower,
    Upper,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Lower, Self::Upper];

    pub(crate) const fn of(player: Player) -> Self {
        match player {
            Player::A => Self::Lower,
            Player::B => Self::Upper,
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// An average of bounds, from their sum with weights out of 2⁶²; rounded outward: down for A, up for B.
    const fn average(self, sum: i128) -> i64 {
        match self {
            Self::Lower => (sum >> DyadicStrategy::WHOLE_BITS) as i64,
            Self::Upper => -((-sum) >> DyadicStrategy::WHOLE_BITS) as i64,
        }
    }

    pub(crate) const fn is_upper(self) -> bool {
        matches!(self, Self::Upper)
    }
}

impl LocalGame {
    /// The component with the bounds of all states outside, in units of 2^−`exponent`.
    pub(crate) fn new(
        game: &impl NumberedGame,
        components: &Components,
        component: usize,
        exponent: u32,
        outside: &[Bounds],
    ) -> Result<Self, StochasticGameError> {
        let is_inside = |state: usize| components.of(state) == component;
        Self::among(game, components.states(component), is_inside, exponent, outside)
    }

    /// A state alone, with the bounds of all states, in units of 2^−`exponent`.
    pub(crate) fn of_state(
        game: &impl NumberedGame,
        state: usize,
        exponent: u32,
        bounds: &[Bounds],
    ) -> Result<Self, StochasticGameError> {
        Self::among(game, &[state as u32], |_| false, exponent, bounds)
    }

    fn among<N: NumberedGame>(
        game: &N,
        members: &[u32],
        is_inside: impl Fn(usize) -> bool,
        exponent: u32,
        outside: &[Bounds],
    ) -> Result<Self, StochasticGameError> {
        let mut local = Self {
            states: Vec::with_capacity(members.len()),
            cells: Vec::new(),
            outcomes: Vec::new(),
            largest_paid: 0.0,
            largest_outside: 0.0,
        };
        let mut row = N::Row::default();
        for &state in members {
            let Node::Choose { a: rows, b: columns } = game.node(state as usize)? else { continue };
            local.states.push(LocalState { rows, columns, first_cell: local.cells.len() });
            game.cells(state as usize, [rows, columns], &mut row, |_, cell| {
                let first_outcome = local.outcomes.len();
                let (mut lower, mut upper) = (cell.reward << exponent, cell.reward << exponent);
                let paid = lower.unsigned_abs() as f64 / cell.denominator as f64 * (1.0 + 1e-12);
                local.largest_paid = local.largest_paid.max(paid);
                for outcome in cell.outcomes {
                    if is_inside(N::place(outcome.state).0) {
                        let place = members.partition_point(|&member| member < outcome.state) as u32;
                        local.outcomes.push(Outcome { state: place, ..*outcome });
                    } else {
                        let next = seen::<N>(outcome.state, outside);
                        lower += i128::from(outcome.weight) * i128::from(next.lower);
                        upper += i128::from(outcome.weight) * i128::from(next.upper);
                        let size = next.lower.unsigned_abs().max(next.upper.unsigned_abs());
                        local.largest_outside = local.largest_outside.max(size as f64 * (1.0 + 1e-12));
                    }
                }
                local.cells.push(LocalCell { first_outcome, denominator: cell.denominator.into(), lower, upper });
            })?;
        }
        local.cells.push(LocalCell { first_outcome: local.outcomes.len(), denominator: 1, lower: 0, upper: 0 });
        Ok(local)
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The bounds of a cell, by those of the states.
    fn bounds(&self, place: usize, of: impl Fn(usize) -> Bounds) -> Bounds {
        let [lower, upper] = Side::BOTH.map(|side| self.bound(place, side, |state| of(state).side(side.is_upper())));
        Bounds::new(lower, upper)
    }

    /// The bound of a side of a cell, by those of the states.
    fn bound(&self, place: usize, side: Side, of: impl Fn(usize) -> i64) -> i64 {
        let (cell, (outcomes, _)) = (&self.cells[place], self.inside(place));
        let later = |outcome: &Outcome| i128::from(outcome.weight) * i128::from(of(outcome.state as usize));
        let inside: i128 = outcomes.iter().map(later).sum();
        match side {
            Side::Lower => (cell.lower + inside).div_euclid(cell.denominator) as i64,
            Side::Upper => -(-(cell.upper + inside)).div_euclid(cell.denominator) as i64,
        }
    }

    /// The bound of a side of a cell in parts of the unit, 2^−`finer`, by those of the states.
    pub(super) fn long_bound<'b>(&self, place: usize, side: Side, finer: usize, of: impl Fn(usize) -> &'b IBig) -> IBig {
        let cell = self.cell(place);
        let later = cell.inside.iter().map(|outcome| IBig::from(outcome.weight) * of(outcome.state as usize));
        let sum = (IBig::from(cell.outside[usize::from(side.is_upper())]) << finer) + later.sum::<IBig>();
        Rounding::of_bound(side.is_upper()).quotient(sum, cell.denominator.into())
    }

    /// A cell in parts of its denominator.
    pub(super) fn cell(&self, place: usize) -> CellParts<'_> {
        let ((inside, denominator), LocalCell { lower, upper, .. }) = (self.inside(place), self.cells[place]);
        CellParts { inside, denominator, outside: [lower, upper] }
    }

    /// The matrix game of a state for these bounds of the states.
    pub(crate) fn fill(&self, state: usize, of: impl Fn(usize) -> Bounds, matrix: &mut EnclosedMatrix) {
        let LocalState { rows, columns, first_cell } = self.states[state];
        matrix.fill(rows, columns, |a, b| self.bounds(first_cell + a * columns + b, &of));
    }

    /// The security level of a side's strategy at a state, by the bounds of the states.
    pub(crate) fn secured(&self, state: usize, side: Side, strategy: &[(u32, u64)], bounds: &[Bounds]) -> i64 {
        self.answered(state, side, strategy, |next| bounds[next].side(side.is_upper())).0
    }

    /// As `secured`, with the opponent's best reply.
    pub(crate) fn answered(&self, state: usize, side: Side, strategy: &[(u32, u64)], of: impl Fn(usize) -> i64) -> (i64, usize) {
        let replies = (0..self.replies(state, side)).map(|reply| (self.sum(state, side, (strategy, reply), side, &of), reply));
        // There is at least one.
        let (sum, reply) = match side {
            Side::Lower => replies.min_by_key(|&(sum, _)| sum),
            Side::Upper => replies.max_by_key(|&(sum, reply)| (sum, std::cmp::Reverse(reply))),
        }
        .unwrap_or_default();
        (side.average(sum), reply)
    }

    /// The bound of a side when its strategy meets a reply, by the side's bounds.
    pub(crate) fn replied(&self, state: usize, side: Side, met: (&[(u32, u64)], usize), of: impl Fn(usize) -> i64) -> i64 {
        side.average(self.sum(state, side, met, side, &of))
    }

    /// The bound of the other side when a side's strategy meets a reply, by the other side's bounds.
    pub(crate) fn conceded(&self, state: usize, side: Side, met: (&[(u32, u64)], usize), of: impl Fn(usize) -> i64) -> i64 {
        side.other().average(self.sum(state, side, met, side.other(), &of))
    }

    /// The sum of the weighted bounds of the cells where a side's strategy meets a reply.
    fn sum(
        &self,
        state: usize,
        side: Side,
        (strategy, reply): (&[(u32, u64)], usize),
        bound: Side,
        of: &impl Fn(usize) -> i64,
    ) -> i128 {
        let own = |&(own, weight): &(u32, u64)| {
            i128::from(weight) * i128::from(self.bound(self.place(state, side, own, reply), bound, of))
        };
        strategy.iter().map(own).sum()
    }

    pub(crate) fn actions(&self, state: usize) -> [usize; 2] {
        let LocalState { rows, columns, .. } = self.states[state];
        [rows, columns]
    }

    /// The number of replies of the opponent of a side.
    pub(crate) fn replies(&self, state: usize, side: Side) -> usize {
        let LocalState { rows, columns, .. } = self.states[state];
        if side.is_upper() { rows } else { columns }
    }

    /// The cell of an action of a side's player and a reply.
    pub(super) fn place(&self, state: usize, side: Side, own: u32, reply: usize) -> usize {
        let LocalState { columns, first_cell, .. } = self.states[state];
        let [a, b] = if side.is_upper() { [reply, own as usize] } else { [own as usize, reply] };
        first_cell + a * columns + b
    }

    /// The successors of a cell within the component, and the denominator of their weights.
    fn inside(&self, place: usize) -> (&[Outcome], i128) {
        let (cell, next) = (&self.cells[place], &self.cells[place + 1]);
        (&self.outcomes[cell.first_outcome..next.first_outcome], cell.denominator)
    }

    /// Visits the states of the component that follow when a side's strategy meets a reply, with their probabilities to nearest;
    /// returns the probability of leaving.
    pub(crate) fn steps(
        &self,
        state: usize,
        side: Side,
        strategy: &[(u32, u64)],
        reply: usize,
        mut visit: impl FnMut(u32, f64),
    ) -> f64 {
        let mut leaves = 0.0;
        for &(own, weight) in strategy {
            let (outcomes, denominator) = self.inside(self.place(state, side, own, reply));
            let share = weight as f64 / DyadicStrategy::WHOLE as f64 / denominator as f64;
            let mut rest = denominator;
            for outcome in outcomes {
                visit(outcome.state, share * outcome.weight as f64);
                rest -= i128::from(outcome.weight);
            }
            leaves += share * rest as f64;
        }
        leaves
    }

    /// Whether some reply to a side's strategy certainly leads to states for which `inside` holds, without a reward.
    pub(crate) fn can_stay(&self, state: usize, side: Side, strategy: &[(u32, u64)], inside: &dyn Fn(usize) -> bool) -> bool {
        (0..self.replies(state, side)).any(|reply| self.stays(state, side, (strategy, reply), inside))
    }

    /// Whether a side's strategy and a reply certainly lead to states for which `inside` holds, without a reward.
    pub(crate) fn stays(
        &self,
        state: usize,
        side: Side,
        (strategy, reply): (&[(u32, u64)], usize),
        inside: &dyn Fn(usize) -> bool,
    ) -> bool {
        strategy.iter().all(|&(own, _)| {
            let place = self.place(state, side, own, reply);
            let (outcomes, denominator) = self.inside(place);
            let weight: i128 = outcomes.iter().map(|outcome| i128::from(outcome.weight)).sum();
            // Of a cell that nothing leaves this is the reward alone.
            weight == denominator && self.cells[place].lower == 0 && outcomes.iter().all(|outcome| inside(outcome.state as usize))
        })
    }

    /// Whether a side's strategy and a reply lead out of the component or to states of a set, with positive probability.
    pub(crate) fn leads(&self, state: usize, side: Side, (strategy, reply): (&[(u32, u64)], usize), to: &[bool]) -> bool {
        strategy.iter().any(|&(own, _)| {
            let (outcomes, denominator) = self.inside(self.place(state, side, own, reply));
            let weight: i128 = outcomes.iter().map(|outcome| i128::from(outcome.weight)).sum();
            weight < denominator || outcomes.iter().any(|outcome| to[outcome.state as usize])
        })
    }

    /// The least lower and the largest upper bound of all exits from the component; `None` without exits.
    pub(crate) fn outside(&self) -> Option<Bounds> {
        let leaving = self.cells.windows(2).filter_map(|pair| {
            let inside: i128 = self.outcomes[pair[0].first_outcome..pair[1].first_outcome]
                .iter()
                .map(|outcome| i128::from(outcome.weight))
                .sum();
            let left = pair[0].denominator - inside;
            // The mean over the successors outside, which needs no bounds of the parts.
            (left > 0).then(|| {
                let (lower, upper) = (pair[0].lower.div_euclid(left), -(-pair[0].upper).div_euclid(left));
                Bounds::new(lower as i64, upper as i64)
            })
        });
        leaving.reduce(|one, other| Bounds::new(one.lower.min(other.lower), one.upper.max(other.upper)))
    }

    /// The largest size of a cell's reward, and of its successors outside, in units, rounded up.
    pub(crate) fn sizes(&self) -> (f64, f64) {
        (self.largest_paid, self.largest_outside)
    }

    /// Bounds of the value of a player's strategy at a state against a best reply, by the bounds of the states.
    pub(crate) fn against(&self, state: usize, player: Player, strategy: &[(u32, u64)], bounds: &[Bounds]) -> Bounds {
        let replies = 0..self.replies(state, Side::of(player));
        self.against_best_of(state, player, strategy, bounds, replies).unwrap_or_default()
    }

    /// As `against`, for the best of some replies, if there are any.
    pub(crate) fn against_best_of(
        &self,
        state: usize,
        player: Player,
        strategy: &[(u32, u64)],
        bounds: &[Bounds],
        replies: impl Iterator<Item = usize>,
    ) -> Option<Bounds> {
        let LocalState { columns, first_cell, .. } = self.states[state];
        let [own_step, other_step] = match player {
            Player::A => [columns, 1],
            Player::B => [1, columns],
        };
        let replies = replies.map(|other| {
            let (mut lower, mut upper) = (0_i128, 0_i128);
            for &(own, weight) in strategy {
                let cell = self.bounds(first_cell + own as usize * own_step + other * other_step, |state| bounds[state]);
                lower += i128::from(weight) * i128::from(cell.lower);
                upper += i128::from(weight) * i128::from(cell.upper);
            }
            let bits = DyadicStrategy::WHOLE_BITS;
            Bounds::new((lower >> bits) as i64, -((-upper) >> bits) as i64)
        });
        replies.reduce(|one, other| better_reply(player, one, other))
    }
}

/// Bounds of the better of two replies to a player.
pub(crate) fn better_reply(player: Player, one: Bounds, other: Bounds) -> Bounds {
    match player {
        Player::A => Bounds::new(one.lower.min(other.lower), one.upper.min(other.upper)),
        Player::B => Bounds::new(one.lower.max(other.lower), one.upper.max(other.upper)),
    }
}

/// The only cycle of a game that tests write down, all of whose ends have these bounds, in units of 2^−50.
#[cfg(all(test, feature = "report"))]
pub(super) fn only_cycle(text: &str, ends: Bounds) -> (StochasticGame, Components, usize, LocalGame) {
    let game = StochasticGame::read(text.as_bytes()).unwrap();
    let components = Components::new(&game);
    let cycle = (0..components.len()).find(|&component| components.is_cyclic(component)).unwrap();
    let local = LocalGame::new(&game, &components, cycle, 50, &vec![ends; game.len()]).unwrap();
    (game, components, cycle, local)
}
