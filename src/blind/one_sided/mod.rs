//! The game in which one player alone is blind: the other is told all bids.
//!
//! The player who is told knows what the blind one remembers, and of the own bids nothing but the account still matters. So the
//! game is a tree of what the blind player remembers, and at every node of it a row of accounts that the other may have.

mod build;
mod learning;
mod proof;

use super::regret::{ProofProgress, after_proof};
use crate::bounds::{Enclosure, FixedPointScale};
use crate::game::{PayoffRanks, Player, Rules, State};
use learning::Learners;
use std::ops::ControlFlow;

/// Something that the blind player remembers, with a choice of bids.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The blind player's bid that led here: a sequence; at the root sequence 0, which stands for no bid.
    parent: u32,
    /// The sequence of the lowest bid.
    sequence: u32,
    /// The number of bids.
    bids: u32,
    /// The first of the accounts that the other may have; they end where the next node's begin.
    accounts: u32,
}

/// An account of the player who is told, at a node: a choice of replies.
#[derive(Clone, Copy, Debug)]
struct Account {
    /// The sequence of the lowest reply.
    sequence: u32,
    /// The number of replies.
    replies: u32,
    /// The outcomes of the lowest reply to the node's bids, rising; those of the other replies follow.
    outcomes: usize,
}

/// The end of a turn: an account at a later node, or a rank of what A wins.
#[derive(Clone, Copy, Debug)]
struct TurnEnd(u32);

/// What an [`TurnEnd`] stands for.
enum Follows {
    Account(usize),
    Payoff(usize),
}

impl TurnEnd {
    /// The bit that tells ranks from accounts.
    const ENDED: u32 = 1 << 31;

    const fn follows(self) -> Follows {
        match self.0 & Self::ENDED {
            0 => Follows::Account(self.0 as usize),
            _ => Follows::Payoff((self.0 & !Self::ENDED) as usize),
        }
    }
}

/// The game in which `blind` alone is blind. Nodes come before those after them, and so do their accounts and sequences.
#[derive(Debug)]
pub(super) struct OneSided {
    blind: Player,
    ranks: PayoffRanks,
    unit: FixedPointScale,
    /// One follows at the end that says where accounts end.
    nodes: Vec<Node>,
    accounts: Vec<Account>,
    outcomes: Vec<TurnEnd>,
    /// The number of sequences of the blind player, sequence 0 among them.
    sequences: usize,
    /// The number of sequences of the other.
    replies: usize,
}

impl OneSided {
    /// The tree of a game, without what is decided or dominated; `docs/blind.md` proves that this changes nothing.
    pub(super) fn new(rules: &Rules, start: State, blind: Player) -> Self {
        build::build(rules, start, blind)
    }

    /// Bounds of the value to A, at most `gap` apart unless `go_on` breaks before: it is told the bounds so far after every
    /// iteration that was proved.
    pub(super) fn solve(&self, gap: f64, mut go_on: impl FnMut(Enclosure) -> ControlFlow<()>) -> Enclosure {
        let mut learners = Learners::new(self);
        let mut progress = ProofProgress::default();
        let mut next_proof = 0;
        loop {
            if learners.iterations == next_proof {
                let bounds = learners.proved(self);
                if bounds.width() <= gap || progress.has_ended(next_proof, bounds) || go_on(bounds).is_break() {
                    return bounds;
                }
                next_proof = after_proof(next_proof);
            }
            learners.iterate(self);
        }
    }

    fn node_accounts(&self, node: usize) -> std::ops::Range<usize> {
        self.nodes[node].accounts as usize..self.nodes[node + 1].accounts as usize
    }

    /// The nodes, but for the one that marks the end.
    fn node_numbers(&self) -> std::ops::Range<usize> {
        0..self.nodes.len() - 1
    }

    /// The outcomes of an account's replies: for every reply those of the node's bids, rising.
    fn outcomes(&self, node: &Node, account: &Account) -> std::slice::ChunksExact<'_, TurnEnd> {
        let bids = node.bids as usize;
        self.outcomes[account.outcomes..account.outcomes + account.replies as usize * bids].chunks_exact(bids)
    }
}

impl Node {
    const fn sequences(&self) -> std::ops::Range<usize> {
        self.sequence as usize..(self.sequence + self.bids) as usize
    }
}

impl Account {
    const fn sequences(&self) -> std::ops::Range<usize> {
        self.sequence as usize..(self.sequence + self.replies) as usize
    }
}
