//! A number by which a game is recognised.

use super::RankedRules;
use super::stages::{MOST_UNRANKED, RuleCell};
use crate::model::{Digest, Node, digest_of_payoff};

/// In every layer this many cells are asked for, and one more for every [`STATES_A_CELL`] states.
const CELLS: u64 = 1 << 14;
const STATES_A_CELL: u64 = 16;

/// A number by which a game is recognised: its version, its sizes, and what the rules say of some
/// states of every layer, which are its ends, its rewards, and its successors with their weights.
/// These are the states of the first [`CELLS`] cells, and of one more for every [`STATES_A_CELL`]
/// states, in an order that spreads them over the layer; all of a layer with fewer cells.
pub(super) fn identity(rules: &impl RankedRules) -> u64 {
    let mut digest =
        Digest::new(rules.layers() as usize, rules.payoff_bound().unwrap_or(0) as usize);
    add_text(&mut digest, rules.version());
    for layer in 0..rules.layers() {
        let len = rules.len(layer);
        digest.add_number(len);
        for rank in [0, len / 3, len.saturating_sub(1)] {
            add_text(&mut digest, &rules.name(&rules.state(layer, rank)));
        }
        let mut rules_digest = RulesDigest { rules, digest, left: CELLS + len / STATES_A_CELL };
        let step = spread(len);
        let mut rank = 0;
        for _ in 0..len {
            if rules_digest.left == 0 {
                break;
            }
            rules_digest.add_state(&rules.state(layer, rank), 0);
            rank = ((u128::from(rank) + u128::from(step)) % u128::from(len)) as u64;
        }
        digest = rules_digest.digest;
    }
    digest.long()
}

fn add_text(digest: &mut Digest, text: &str) {
    digest.add_number(text.len() as u64);
    for byte in text.bytes() {
        digest.add_number(byte.into());
    }
}

/// A step that has no factor in common with a number of ranks, so that steps visit all of them, and
/// that is near the golden section of it, so that the first steps are spread evenly.
fn spread(len: u64) -> u64 {
    let mut step = (len as f64 * 0.618_033_988_749_894_9) as u64;
    while num_integer::gcd(step, len) > 1 {
        step += 1;
    }
    step.max(1)
}

/// A digest of the rules' answers, of a limited number of cells.
struct RulesDigest<'r, R> {
    rules: &'r R,
    digest: Digest,
    /// The number of cells that are still asked for.
    left: u64,
}

impl<R: RankedRules> RulesDigest<'_, R> {
    /// Adds a state, and successors without a rank as deep as `depth` allows.
    fn add_state(&mut self, state: &R::State, depth: usize) {
        self.left = self.left.saturating_sub(1);
        let [rows, columns] = match self.rules.node(state) {
            Node::Over(payoff) => return self.digest.add_number(digest_of_payoff(&payoff).into()),
            Node::Choose { a, b } => [a, b],
        };
        self.digest.add_number(rows as u64);
        self.digest.add_number(columns as u64);
        // The solver refuses what is wrong.
        if rows == 0 || columns == 0 || depth > MOST_UNRANKED {
            return;
        }
        let mut cell = RuleCell::default();
        for row in 0..rows {
            for column in 0..columns {
                if self.left == 0 {
                    return;
                }
                self.left -= 1;
                cell.ask_rules(self.rules, state, row, column);
                let (reward, denominator) = cell.outcomes.reward;
                self.digest.add_number(reward as u64);
                self.digest.add_number(denominator);
                for (successor, outcome) in cell.successors.iter().zip(&cell.numbered) {
                    let is_exchanged = u64::from(successor.is_exchanged);
                    self.digest.add_number(outcome.weight.rotate_left(1) ^ is_exchanged);
                    match self.rules.rank(&successor.state) {
                        Some((layer, rank)) => {
                            self.digest.add_number(u64::from(layer) << 48 ^ rank);
                        }
                        None => self.add_state(&successor.state, depth + 1),
                    }
                }
            }
        }
    }
}
