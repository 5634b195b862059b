//! All states of a game, numbered.

use std::ops::RangeInclusive;

use super::{Ball, GameError, Rules, State};

/// All states with at most these points and the ball inside the field: by A's points, then B's,
/// then the ball. Also gives legal bids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StateSpace {
    points: [u32; 2],
    field: i32,
    min_bid: u32,
}

impl StateSpace {
    pub(crate) const fn new(rules: &Rules, points: [u32; 2]) -> Self {
        Self { points, field: rules.field(), min_bid: rules.min_bid() }
    }

    #[must_use]
    pub(crate) const fn mirrored(self) -> Self {
        let [a, b] = self.points;
        Self { points: [b, a], ..self }
    }

    #[must_use]
    pub(crate) const fn with_points(self, points: [u32; 2]) -> Self {
        Self { points, ..self }
    }

    pub(crate) const fn points(self) -> [u32; 2] {
        self.points
    }

    pub(crate) const fn field(self) -> i32 {
        self.field
    }

    pub(crate) fn legal_bids(self, account: u32) -> RangeInclusive<u32> {
        self.lowest_bid(account)..=account
    }

    pub(crate) fn lowest_bid(self, account: u32) -> u32 {
        account.min(self.min_bid)
    }

    pub(crate) const fn positions(self) -> usize {
        2 * self.field as usize + 1
    }

    pub(crate) const fn len(self) -> usize {
        (self.points[0] as usize + 1) * (self.points[1] as usize + 1) * self.positions()
    }

    pub(crate) fn states(self) -> impl ExactSizeIterator<Item = State> + use<> {
        (0..self.len()).map(move |index| self.state(index))
    }

    /// The state of this [`index`](Self::index).
    pub(crate) const fn state(self, index: usize) -> State {
        let (accounts, ball) = (index / self.positions(), index % self.positions());
        let accounts_of_b = self.points[1] as usize + 1;
        State::new(
            (accounts / accounts_of_b) as u32,
            (accounts % accounts_of_b) as u32,
            Ball::at(ball as i32 - self.field),
        )
    }

    pub(crate) const fn layers(self) -> u32 {
        self.points[0] + self.points[1]
    }

    /// The states with this total of points, by A's points, then the ball.
    pub(crate) fn layer(self, total: u32) -> impl Iterator<Item = State> + use<> {
        let [most_a, most_b] = self.points;
        (total.saturating_sub(most_b)..=total.min(most_a))
            .flat_map(move |a| self.balls().map(move |ball| State::new(a, total - a, ball)))
    }

    fn balls(self) -> impl Iterator<Item = Ball> + use<> {
        (-self.field..=self.field).map(Ball::at)
    }

    pub(crate) const fn index(self, state: State) -> usize {
        let accounts = state.a as usize * (self.points[1] as usize + 1) + state.b as usize;
        accounts * self.positions() + (state.ball.position() + self.field) as usize
    }

    /// Whether a state, with the ball inside the field, belongs to the space.
    pub(crate) const fn contains(self, state: State) -> bool {
        state.a <= self.points[0] && state.b <= self.points[1]
    }

    pub(crate) fn check(self, state: State) -> Result<(), GameError> {
        let ball = state.ball.position();
        if ball.abs() > self.field {
            return Err(GameError::BallOutside { ball, field: self.field });
        }
        let [a, b] = self.points;
        if self.contains(state) { Ok(()) } else { Err(GameError::Outside { state, a, b }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_its_own_place_and_stands_in_one_layer() {
        let rules = Rules::tennis();
        let space = StateSpace::new(&rules, [3, 5]);
        let states: Vec<State> = space.states().collect();
        assert_eq!(states.len(), 4 * 6 * 5);
        assert!(
            states
                .iter()
                .enumerate()
                .all(|(index, &state)| space.index(state) == index && space.contains(state))
        );
        let mut layers: Vec<State> =
            (0..=space.layers()).flat_map(|total| space.layer(total)).collect();
        layers.sort_unstable();
        assert_eq!(layers, states);
        assert!(states.iter().all(|state| space.mirrored().contains(state.mirrored())));
        assert!(
            space.check("3:6@0".parse().unwrap()).is_err()
                && space.check("3:5@-3".parse().unwrap()).is_err()
        );
    }
}
