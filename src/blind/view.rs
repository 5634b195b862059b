//! Observations of the players of blind Tennis.

use std::cmp::Ordering;

use crate::error::{BlindError, Error};
use crate::game::{Ball, Player, Rules, State};

/// The relations of A's bid to B's that the ball reveals, in the order of a node's children.
pub(super) const RELATIONS: [Ordering; 3] = [Ordering::Greater, Ordering::Equal, Ordering::Less];

pub(super) const fn relation_index(relation: Ordering) -> usize {
    (1 - relation as i8) as usize
}

/// A player's view in blind Tennis: the own account, the ball, and the accounts that the opponent
/// may have.
///
/// The possible accounts form an interval (`docs/blind.md`). While the game continues they exclude
/// 0 if the own account is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BlindView {
    pub player: Player,
    pub points: u32,
    pub fewest: u32,
    pub most: u32,
    /// Positive on B's side, for either player.
    pub ball: Ball,
}

impl BlindView {
    pub(crate) fn start(player: Player, state: State) -> Self {
        let other = state.points(player.opponent());
        Self { player, points: state.points(player), fewest: other, most: other, ball: state.ball }
    }

    /// The view of a player after these bids and balls (the one at the start first).
    ///
    /// # Errors
    /// [`super::BlindError::History`] for an impossible history, or one that ends the game.
    ///
    /// ```
    /// use pencil_tennis::blind::BlindView;
    /// use pencil_tennis::{Player, Rules};
    ///
    /// // A has bid 2 of 5 and the ball lies on B's side: B, who had 4, has bid 1.
    /// let view = BlindView::of(&Rules::tennis(), "5:4@0".parse()?, Player::A, &[2], &[0, 1])?;
    /// assert_eq!((view.points, view.fewest, view.most), (3, 3, 3));
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn of(
        rules: &Rules,
        start: State,
        player: Player,
        bids: &[u32],
        balls: &[i32],
    ) -> Result<Self, Error> {
        Self::followed(rules, start, player, bids, balls, |_, _| {})
    }

    /// As [`Self::of`]; hands each bid, and the relation that the ball revealed, to `tell`.
    pub(super) fn followed(
        rules: &Rules,
        start: State,
        player: Player,
        bids: &[u32],
        balls: &[i32],
        mut tell: impl FnMut(u32, Ordering),
    ) -> Result<Self, Error> {
        rules.check_bids_spend("blind Tennis")?;
        let mut view = Self::start(player, start);
        let refusal = |reason: String| BlindError::History { player, reason };
        if balls.first() != Some(&start.ball.position()) {
            return Err(
                refusal(format!("the first ball is the one at the start, {}", start.ball)).into()
            );
        }
        if balls.len() != bids.len() + 1 {
            return Err(refusal(format!(
                "{} bids leave {} balls to see, not {}",
                bids.len(),
                bids.len() + 1,
                balls.len()
            ))
            .into());
        }
        for (&bid, &ball) in bids.iter().zip(&balls[1..]) {
            rules.check_bid(player, bid, view.points)?;
            let relation = RELATIONS
                .into_iter()
                .find(|&relation| rules.after(view.ball.position(), relation) == ball);
            let relation = relation.filter(|_| rules.is_inside(ball));
            let after =
                relation.and_then(|relation| Some((relation, view.after(bid, relation, ball)?)));
            let Some((relation, after)) = after else {
                return Err(refusal(format!(
                    "after the bid {bid} at ball {} the game does not go on at ball {ball}",
                    view.ball
                ))
                .into());
            };
            tell(bid, relation);
            view = after;
        }
        Ok(view)
    }

    /// The view after the own `bid` and a relation that takes the ball to `ball`; `None` if it is
    /// impossible or ends the game.
    pub(crate) fn after(&self, bid: u32, relation: Ordering, ball: i32) -> Option<Self> {
        let (fewest, most) = self.left(bid, relation)?;
        let points = self.points - bid;
        // With both accounts empty the game is over.
        let fewest = if points == 0 { fewest.max(1) } else { fewest };
        (fewest <= most).then(|| Self { points, fewest, most, ball: Ball::at(ball), ..*self })
    }

    /// The fewest and the most points that the opponent may have left after the own bid and a
    /// relation; `None` if it is impossible.
    fn left(&self, bid: u32, relation: Ordering) -> Option<(u32, u32)> {
        let Self { player, fewest, most, .. } = *self;
        let higher = player.direction().cmp(&0);
        match relation {
            Ordering::Equal if bid > 0 && bid <= most => Some((fewest.max(bid) - bid, most - bid)),
            Ordering::Equal => None,
            won if won == higher => match (bid, fewest, most) {
                (0, ..) => None,
                // Only an empty account bids less than 1.
                (_, 0, 0) | (1, 0, _) => Some((0, 0)),
                (1, ..) => None,
                _ => Some(((fewest.max(1) + 1).saturating_sub(bid), most - 1)),
            },
            _ if bid < most => Some((0, most - bid - 1)),
            _ => None,
        }
    }

    /// The views with which the game may continue, after every bid and relation.
    pub(super) fn successors(
        self,
        rules: &Rules,
    ) -> impl DoubleEndedIterator<Item = (u32, Ordering, Self)> {
        self.bids().flat_map(move |bid| {
            RELATIONS.into_iter().filter_map(move |relation| {
                let ball = rules.after(self.ball.position(), relation);
                let after = self.after(bid, relation, ball).filter(|_| rules.is_inside(ball))?;
                Some((bid, relation, after))
            })
        })
    }

    /// Whether a turn with this own bid and relation may empty both accounts.
    pub(crate) fn may_empty(&self, bid: u32, relation: Ordering) -> bool {
        bid == self.points && self.left(bid, relation).is_some_and(|(fewest, _)| fewest == 0)
    }

    /// The legal bids, where the smallest bid is 1.
    pub fn bids(&self) -> std::ops::RangeInclusive<u32> {
        self.points.min(1)..=self.points
    }
}

/// The views of a player from a start on, with an index each.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewSpace {
    start: BlindView,
    field: i32,
}

impl ViewSpace {
    pub(super) const fn new(rules: &Rules, start: BlindView) -> Self {
        Self { start, field: rules.field() }
    }

    pub(super) const fn player(&self) -> Player {
        self.start.player
    }

    pub(super) const fn len(&self) -> usize {
        self.index_at(self.start.points + 1, 0, 0, -self.field)
    }

    pub(super) const fn index(&self, view: &BlindView) -> usize {
        self.index_at(view.points, view.fewest, view.most, view.ball.position())
    }

    const fn index_at(&self, points: u32, fewest: u32, most: u32, ball: i32) -> usize {
        let side = self.start.most as usize + 1;
        let accounts = (points as usize * side + fewest as usize) * side + most as usize;
        accounts * (2 * self.field as usize + 1) + (ball + self.field) as usize
    }

    /// All views but those that end the game, each after its successors: every turn takes a point
    /// from the own account or from the opponent's possible ones.
    pub(super) fn views(self) -> impl DoubleEndedIterator<Item = BlindView> {
        let Self { start, field } = self;
        let totals = 1..=start.points + start.most;
        let accounts = totals.flat_map(move |total| {
            (total.saturating_sub(start.most)..=start.points.min(total))
                .map(move |points| (points, total - points))
        });
        let known = accounts.flat_map(|(points, most)| {
            (u32::from(points == 0)..=most).map(move |fewest| (points, fewest, most))
        });
        known.flat_map(move |(points, fewest, most)| {
            (-field..=field).map(move |ball| BlindView {
                points,
                fewest,
                most,
                ball: Ball::at(ball),
                ..start
            })
        })
    }
}
