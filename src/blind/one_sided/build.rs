//! The tree is built from the rules.

use std::cmp::Ordering;

use super::super::pure_bounds::PureBoundsTable;
use super::super::view::{BlindView, RELATIONS};
use super::{Account, Node, OneSided, TurnEnd};
use crate::game::{Ball, PayoffRanks, Player, Rules, State};

/// A game in the making.
struct Builder<'r> {
    rules: &'r Rules,
    game: OneSided,
    /// The payoffs that the blind player can count on.
    blind: PureBoundsTable,
    /// The same of the other, who never knows less than somebody blind.
    told: PureBoundsTable,
}

/// The replies of an account, while its node is built.
struct Replies {
    points: u32,
    bids: std::ops::RangeInclusive<u32>,
    account: Account,
}

pub(super) fn build(rules: &Rules, start: State, blind: Player) -> OneSided {
    let table = |player: Player| PureBoundsTable::new(rules, player, [start.points(player), start.points(player.opponent())]);
    let game = OneSided {
        blind,
        ranks: PayoffRanks::new(rules.scoring()),
        unit: rules.scoring().scale(),
        nodes: Vec::new(),
        accounts: Vec::new(),
        outcomes: Vec::new(),
        sequences: 1,
        replies: 0,
    };
    let mut builder = Builder { rules, game, blind: table(blind), told: table(blind.opponent()) };
    builder.node(&BlindView::start(blind, start), 0, &[start.points(blind.opponent())]);
    let end = builder.game.accounts.len() as u32;
    builder.game.nodes.push(Node { parent: 0, sequence: 0, bids: 0, accounts: end });
    builder.game
}

impl Builder<'_> {
    /// Adds a node with everything below it; `accounts` are those that the other may have while the game is open.
    fn node(&mut self, view: &BlindView, parent: usize, accounts: &[u32]) {
        let (low, high) = self.blind.undominated(view).into_inner();
        let (sequence, bids) = (self.game.sequences, high - low + 1);
        let first = self.game.accounts.len();
        self.game.nodes.push(Node { parent: parent as u32, sequence: sequence as u32, bids, accounts: first as u32 });
        self.game.sequences += bids as usize;
        let mut replies = Vec::with_capacity(accounts.len());
        for &points in accounts {
            let range = self.told.undominated(&informed(view, points));
            let count = range.end() - range.start() + 1;
            let (sequence, outcomes) = (self.game.replies as u32, self.game.outcomes.len());
            let account = Account { sequence, replies: count, outcomes };
            self.game.replies += count as usize;
            self.game.outcomes.resize(outcomes + (count * bids) as usize, TurnEnd(TurnEnd::ENDED));
            self.game.accounts.push(account);
            replies.push(Replies { points, bids: range, account });
        }
        for bid in low..=high {
            for relation in RELATIONS {
                self.turn(view, (bid, bid - low, bids), relation, sequence, &replies);
            }
        }
    }

    /// Enters the outcomes of one bid where the ball tells one relation, and the node that follows.
    fn turn(
        &mut self,
        view: &BlindView,
        (bid, place, bids): (u32, u32, u32),
        relation: Ordering,
        sequence: usize,
        all: &[Replies],
    ) {
        let (blind, ball) = (self.game.blind, self.rules.after(view.ball.position(), relation));
        let decided = self.blind.decided(view, bid, relation);
        let after = BlindView { points: view.points - bid, ball: Ball::at(ball), ..*view };
        // The accounts that stay open, each with the places of the outcomes that lead to it.
        let mut open: Vec<(u32, Vec<usize>)> = Vec::new();
        for Replies { points, bids: range, account } in all {
            for reply in range.clone().filter(|&reply| told(blind, bid, reply) == relation) {
                let left = points - reply;
                let outcome = account.outcomes + ((reply - range.start()) * bids + place) as usize;
                let over = !self.rules.is_inside(ball) || (after.points == 0 && left == 0);
                let rank = if over {
                    Some(self.game.ranks.of(self.rules.end_at(ball)))
                } else {
                    decided.or_else(|| self.told.certain(&informed(&after, left)))
                };
                match rank {
                    Some(rank) => self.game.outcomes[outcome] = TurnEnd(TurnEnd::ENDED | u32::from(rank)),
                    None => match open.iter_mut().find(|(other, _)| *other == left) {
                        Some((_, outcomes)) => outcomes.push(outcome),
                        None => open.push((left, vec![outcome])),
                    },
                }
            }
        }
        // Where an account is open, the game goes on, and the blind player has a view of it.
        let Some(after) = view.after(bid, relation, ball).filter(|_| !open.is_empty()) else { return };
        open.sort_unstable_by_key(|&(left, _)| left);
        for (account, (_, outcomes)) in (self.game.accounts.len() as u32..).zip(&open) {
            for &outcome in outcomes {
                self.game.outcomes[outcome] = TurnEnd(account);
            }
        }
        let accounts: Vec<u32> = open.into_iter().map(|(left, _)| left).collect();
        self.node(&after, sequence + place as usize, &accounts);
    }
}

/// What the other knows, who has these points.
fn informed(view: &BlindView, points: u32) -> BlindView {
    BlindView { player: view.player.opponent(), points, fewest: view.points, most: view.points, ball: view.ball }
}

/// What the ball tells of a bid of the blind player and a reply.
fn told(blind: Player, bid: u32, reply: u32) -> Ordering {
    match blind {
        Player::A => bid.cmp(&reply),
        Player::B => reply.cmp(&bid),
    }
}
