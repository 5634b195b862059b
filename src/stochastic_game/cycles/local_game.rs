//! The states of one strongly connected component, with what leaves it already known.

use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::game::Player;
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix};
use crate::stochastic_game::model::{Components, NodeView, NumberedGame, Outcome, seen};

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

/// A cell: what it pays and what leaves the component, in parts of the denominator, and where its inner successors begin.
#[derive(Clone, Copy, Debug)]
struct LocalCell {
    first_outcome: usize,
    denominator: i128,
    lower: i128,
    upper: i128,
}

/// The side of a player: what A secures is a lower bound, what B concedes an upper one.
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
            let NodeView::Play([rows, columns]) = game.node(state as usize)? else { continue };
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

    /// The matrix game of a state when states are known within these bounds.
    pub(crate) fn fill(&self, state: usize, of: impl Fn(usize) -> Bounds, matrix: &mut EnclosedMatrix) {
        let LocalState { rows, columns, first_cell } = self.states[state];
        matrix.fill(rows, columns, |a, b| self.bounds(first_cell + a * columns + b, &of));
    }

    /// The bound that a strategy of a side secures at a state, by the bounds of the states.
    pub(crate) fn secured(&self, state: usize, side: Side, strategy: &[(u32, u64)], bounds: &[Bounds]) -> i64 {
        self.answered(state, side, strategy, |next| bounds[next].side(side.is_upper())).0
    }

    /// The same by the side's bounds, with the reply of the other player that leaves no more.
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

    /// The number of actions of the player who answers a side.
    pub(crate) fn replies(&self, state: usize, side: Side) -> usize {
        let LocalState { rows, columns, .. } = self.states[state];
        if side.is_upper() { rows } else { columns }
    }

    /// The cell of an action of a side's player and a reply.
    fn place(&self, state: usize, side: Side, own: u32, reply: usize) -> usize {
        let LocalState { columns, first_cell, .. } = self.states[state];
        let [a, b] = if side.is_upper() { [reply, own as usize] } else { [own as usize, reply] };
        first_cell + a * columns + b
    }

    /// The successors of a cell within the component, and the denominator of their weights.
    fn inside(&self, place: usize) -> (&[Outcome], i128) {
        let (cell, next) = (&self.cells[place], &self.cells[place + 1]);
        (&self.outcomes[cell.first_outcome..next.first_outcome], cell.denominator)
    }

    /// Visits the states of the component that follow when a side's strategy meets a reply, with their probabilities to nearest.
    pub(crate) fn steps(&self, state: usize, side: Side, strategy: &[(u32, u64)], reply: usize, mut visit: impl FnMut(u32, f64)) {
        for &(own, weight) in strategy {
            let (outcomes, denominator) = self.inside(self.place(state, side, own, reply));
            let share = weight as f64 / DyadicStrategy::WHOLE as f64 / denominator as f64;
            for outcome in outcomes {
                visit(outcome.state, share * outcome.weight as f64);
            }
        }
    }

    /// Whether some reply to a side's strategy certainly leads to states for which `inside` holds.
    pub(crate) fn can_stay(&self, state: usize, side: Side, strategy: &[(u32, u64)], inside: &dyn Fn(usize) -> bool) -> bool {
        (0..self.replies(state, side)).any(|reply| self.stays(state, side, (strategy, reply), inside))
    }

    /// Whether a side's strategy and a reply certainly lead to states for which `inside` holds.
    pub(crate) fn stays(
        &self,
        state: usize,
        side: Side,
        (strategy, reply): (&[(u32, u64)], usize),
        inside: &dyn Fn(usize) -> bool,
    ) -> bool {
        strategy.iter().all(|&(own, _)| {
            let (outcomes, denominator) = self.inside(self.place(state, side, own, reply));
            let weight: i128 = outcomes.iter().map(|outcome| i128::from(outcome.weight)).sum();
            weight == denominator && outcomes.iter().all(|outcome| inside(outcome.state as usize))
        })
    }

    /// The least lower and the largest upper bound of anything that leaves the component; none if nothing does.
    pub(crate) fn outside(&self) -> Option<Bounds> {
        let leaving = self.cells.windows(2).filter_map(|pair| {
            let inside: i128 = self.outcomes[pair[0].first_outcome..pair[1].first_outcome]
                .iter()
                .map(|outcome| i128::from(outcome.weight))
                .sum();
            let left = pair[0].denominator - inside;
            // The mean of what follows outside, whatever its parts: bounds of the parts are not needed.
            (left > 0).then(|| {
                let (lower, upper) = (pair[0].lower.div_euclid(left), -(-pair[0].upper).div_euclid(left));
                Bounds::new(lower as i64, upper as i64)
            })
        });
        leaving.reduce(|one, other| Bounds::new(one.lower.min(other.lower), one.upper.max(other.upper)))
    }

    /// The largest size of what a cell pays at once, and of what may follow outside, in units, not rounded down.
    pub(crate) fn sizes(&self) -> (f64, f64) {
        (self.largest_paid, self.largest_outside)
    }

    /// Bounds of what a player's strategy is worth at a state when the other answers best, by the bounds of the states.
    pub(crate) fn against(&self, state: usize, player: Player, strategy: &[(u32, u64)], bounds: &[Bounds]) -> Bounds {
        let replies = 0..self.replies(state, Side::of(player));
        self.against_best_of(state, player, strategy, bounds, replies).unwrap_or_default()
    }

    /// The same by the best of some replies, if there are any.
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
