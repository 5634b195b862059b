//! The transitions of the game in small integers, for learners that play thousands of games a second.

use std::cmp::Ordering;

use crate::error::{AgentError, Error};
use crate::game::{ByPlayer, Outcome, Player, Rules, State, View};

/// The transitions of a symmetric game, so that one table serves both.
///
/// A row belongs to the own points, the opponent's points, and the ball counted toward the opponent's end; rows rise in this
/// order, as in the matrix of [`PolicyFormat::WeightsCsv`](crate::report::PolicyFormat::WeightsCsv). B's row at a state is A's at
/// its mirror image.
#[derive(Clone, Debug)]
pub(super) struct GameGeometry {
    pub(super) rules: Rules,
    pub(super) points: u32,
    positions: usize,
    /// The next place of the ball if A's bid is lower, equal, higher. Places count from 0 at A's end; −1 and `positions` are out.
    after: Vec<[i16; 3]>,
}

impl GameGeometry {
    pub(super) fn new(rules: &Rules, points: u32) -> Result<Self, Error> {
        rules.check_bids_spend("a learner")?;
        // The same limits as for the policy that will be learned.
        crate::policy::checked_space(rules, [points, points])?;
        if !rules.scoring().is_antisymmetric() {
            return Err(AgentError::LearnerScoring { scoring: rules.scoring().to_string() }.into());
        }
        let field = rules.field();
        let after = (-field..=field).map(|ball| {
            [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|bids| (rules.after(ball, bids) + field) as i16)
        });
        Ok(Self { rules: *rules, points, positions: rules.positions(), after: after.collect() })
    }

    /// The rows of players with something to bid, and their accounts.
    pub(super) fn bidding(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        let each = self.row(1, 0, 0);
        (each..self.rows()).map(move |row| (row, (row / each) as u32))
    }

    pub(super) const fn rows(&self) -> usize {
        (self.points as usize + 1) * (self.points as usize + 1) * self.positions
    }

    pub(super) const fn places(&self) -> usize {
        self.positions
    }

    pub(super) const fn net(&self) -> usize {
        self.positions / 2
    }

    /// The row of a player with `own` points when the ball is at `place`, counted from the own end.
    #[inline]
    pub(super) const fn row(&self, own: u32, other: u32, place: usize) -> usize {
        (own as usize * (self.points as usize + 1) + other as usize) * self.positions + place
    }

    #[inline]
    pub(super) const fn rows_at(&self, a: u32, b: u32, place: usize) -> [usize; 2] {
        [self.row(a, b, place), self.row(b, a, self.positions - 1 - place)]
    }

    /// The view of a player with `own` points when the ball is at `place`, counted from the own end.
    pub(super) const fn view(&self, own: u32, opponent: u32, place: usize) -> View {
        View { own, opponent, position: place as i32 - self.rules.field() }
    }

    pub(super) fn row_of(&self, state: State, player: Player) -> usize {
        let place = (state.ball.position() + self.rules.field()) as usize;
        ByPlayer::from(self.rows_at(state.a, state.b, place))[player]
    }

    #[inline]
    pub(super) fn hit(&self, place: usize, bid_a: u32, bid_b: u32) -> Result<usize, Outcome> {
        let after = self.after[place][1 + usize::from(bid_a > bid_b) - usize::from(bid_a < bid_b)];
        if after < 0 {
            Err(Outcome::OutByB)
        } else if after as usize >= self.positions {
            Err(Outcome::OutByA)
        } else {
            Ok(after as usize)
        }
    }

    pub(super) fn lying(&self, place: usize) -> Outcome {
        self.rules.end_at(place as i32 - self.rules.field())
    }
}
