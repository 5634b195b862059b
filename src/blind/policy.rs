//! Strategies of blind Tennis, by what a player remembers.

use std::collections::BTreeMap;

use super::build::{Reductions, build};
use super::plan::{JudgedPlan, Plan};
use super::size::BlindSize;
use super::solution::BlindSolution;
use super::tree::Tree;
use super::view::BlindView;
use crate::bounds::Enclosure;
use crate::error::{BlindError, Error};
use crate::game::{ByPlayer, Player, Rules, State};

/// An information set: a bid of 0 and the ball at the start, then in turn the player's own bids and
/// the balls after them.
///
/// Bids and balls fit a byte: a game that fits in memory has far fewer points than 127.
type Memory = Box<[(i8, i8)]>;

/// A policy of blind Tennis: the probability of every legal bid at every information set of both
/// players.
///
/// ```
/// use pencil_tennis::blind::{BlindPolicy, BlindSolver};
/// use pencil_tennis::Rules;
///
/// let uniform = BlindPolicy::uniform(&Rules::tennis(), "5:4@0".parse()?)?;
/// let best = BlindSolver::new(&Rules::tennis()).points([5, 4]).solve()?.policy();
/// assert!(best.enclosure().width() < 1e-6);
/// assert!(uniform.enclosure().width() > 1.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlindPolicy {
    rules: Rules,
    start: State,
    players: ByPlayer<BTreeMap<Memory, Vec<f64>>>,
}

/// A row of a policy: one bid of one player after the earlier bids and the balls seen.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct BlindRow {
    pub player: Player,
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_text::spaced"))]
    pub bids: Vec<u32>,
    /// The balls seen, the one at the start first.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_text::spaced"))]
    pub balls: Vec<i32>,
    pub bid: u32,
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::serde_text::probability::deserialize")
    )]
    pub probability: f64,
}

/// The tolerance of a distribution's sum, for probabilities written with few digits.
const SUM_TOLERANCE: f64 = 1e-6;

impl BlindPolicy {
    /// The policy in which `choose` gives the probabilities of the legal bids, rising, for every
    /// view of a player.
    ///
    /// # Errors
    /// [`super::BlindError::Memory`], [`super::BlindError::Distribution`], and those of `choose`.
    pub fn from_fn(
        rules: &Rules,
        start: State,
        mut choose: impl FnMut(&BlindView) -> Result<Vec<f64>, Error>,
    ) -> Result<Self, Error> {
        Self::each_set(rules, start, |view, _| choose(view))
    }

    /// The policy in which `choose` gives the probabilities for every view and its information set.
    fn each_set(
        rules: &Rules,
        start: State,
        mut choose: impl FnMut(&BlindView, &[(i8, i8)]) -> Result<Vec<f64>, Error>,
    ) -> Result<Self, Error> {
        BlindSize::check(rules, start, Reductions::NONE, super::BlindSolver::MEMORY_LIMIT)?;
        let mut player = |player| {
            let sets = views(rules, start, player, None);
            let chosen = |(view, _, memory): Seen| {
                let weights = distribution(&view, &memory, choose(&view, &memory)?)?;
                Ok((memory, weights))
            };
            sets.map(chosen).collect::<Result<_, Error>>()
        };
        let players = ByPlayer { a: player(Player::A)?, b: player(Player::B)? };
        Ok(Self { rules: *rules, start, players })
    }

    pub fn uniform(rules: &Rules, start: State) -> Result<Self, Error> {
        Self::from_fn(rules, start, |view| {
            Ok(vec![1.0 / view.bids().count() as f64; view.bids().count()])
        })
    }

    /// The policy with these rows, in any order; bids without a row have probability 0.
    ///
    /// # Errors
    /// [`super::BlindError::Distribution`]; [`super::BlindError::File`] for an information set
    /// without rows, and for repeated or foreign rows.
    pub fn from_rows(
        rules: &Rules,
        start: State,
        rows: impl IntoIterator<Item = BlindRow>,
    ) -> Result<Self, Error> {
        let refusal = |reason: String| Error::from(BlindError::File { reason });
        let mut given: ByPlayer<BTreeMap<Memory, Vec<(u32, f64)>>> = ByPlayer::default();
        for row in rows {
            let memory = remembered(&row.bids, &row.balls)
                .ok_or_else(|| refusal(format!("{row} has impossible bids or balls")))?;
            let made = given[row.player].entry(memory).or_default();
            if made.iter().any(|&(bid, _)| bid == row.bid) {
                return Err(refusal(format!("{row} comes twice")));
            }
            made.push((row.bid, row.probability));
        }
        let policy = Self::each_set(rules, start, |view, memory| {
            let player = view.player;
            let made = given[player]
                .remove(memory)
                .ok_or_else(|| refusal(format!("{player} has no row for {}", describe(memory))))?;
            let mut weights = vec![0.0; view.bids().count()];
            for (bid, probability) in made {
                rules.check_bid(player, bid, view.points)?;
                weights[(bid - view.bids().start()) as usize] = probability;
            }
            Ok(weights)
        })?;
        match Player::BOTH
            .into_iter()
            .find_map(|player| Some((player, given[player].keys().next()?)))
        {
            Some((player, memory)) => {
                Err(refusal(format!("{player} cannot come to {}", describe(memory))))
            }
            None => Ok(policy),
        }
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn start(&self) -> State {
        self.start
    }

    /// A row for every legal bid of A, then of B, by information set.
    pub fn rows(&self) -> impl Iterator<Item = BlindRow> {
        Player::BOTH.into_iter().flat_map(move |player| {
            let points = self.start.points(player);
            self.players[player].iter().flat_map(move |(memory, probabilities)| {
                let bids: Vec<u32> = memory[1..].iter().map(|&(bid, _)| bid as u32).collect();
                let balls: Vec<i32> = memory.iter().map(|&(_, ball)| i32::from(ball)).collect();
                let legal = self.rules.legal_bids(points - bids.iter().sum::<u32>());
                legal.zip(probabilities).map(move |(bid, &probability)| {
                    let (bids, balls) = (bids.clone(), balls.clone());
                    BlindRow { player, bids, balls, bid, probability }
                })
            })
        })
    }

    /// The security levels of A's and B's halves: half the width is the exploitability of the pair.
    ///
    /// Computed by best responses over the whole game, in integers, as for a [`BlindSolution`].
    pub fn enclosure(&self) -> Enclosure {
        let form = build(&self.rules, self.start, Reductions::NONE);
        let judged =
            ByPlayer::new(|player| JudgedPlan::new(&form, player, self.plan(&form.tree, player)));
        JudgedPlan::value(&form.tree, &judged)
    }

    /// The probabilities of a player's legal bids, rising, after these bids and balls (the one at
    /// the start first).
    ///
    /// # Errors
    /// [`super::BlindError::History`] for an impossible history, or one that ends the game.
    pub fn bids(
        &self,
        player: Player,
        bids: &[u32],
        balls: &[i32],
    ) -> Result<Vec<(u32, f64)>, Error> {
        let memory = remembered(bids, balls).and_then(|memory| self.players[player].get(&memory));
        let probabilities = memory.ok_or_else(|| {
            let reason = format!("the game does not go on after bids {bids:?} and balls {balls:?}");
            BlindError::History { player, reason }
        })?;
        // The bids do not exceed the account.
        let points = self.start.points(player) - bids.iter().sum::<u32>();
        Ok(self.rules.legal_bids(points).zip(probabilities.iter().copied()).collect())
    }

    /// Draws a bid by random bits, after these bids and balls.
    pub fn draw(
        &self,
        player: Player,
        bids: &[u32],
        balls: &[i32],
        bits: u64,
    ) -> Result<u32, Error> {
        let distribution = self.bids(player, bids, balls)?;
        let whole: f64 = distribution.iter().map(|&(_, probability)| probability).sum();
        // 53 of the bits: a number from 0 to below the sum.
        let mut left = (bits >> 11) as f64 * (-53.0_f64).exp2() * whole;
        let mut drawn = 0;
        for (bid, probability) in
            distribution.into_iter().filter(|&(_, probability)| probability > 0.0)
        {
            drawn = bid;
            if left < probability {
                break;
            }
            left -= probability;
        }
        Ok(drawn)
    }

    pub(super) fn plan(&self, tree: &Tree, player: Player) -> Plan {
        let mut weights = vec![0.0; tree.player_trees[player].sequences];
        for (_, at, memory) in views(&self.rules, self.start, player, Some(tree)) {
            let entry = at
                .map(|(_, entry)| &tree.player_trees[player].entries[entry])
                .filter(|entry| !entry.is_forced());
            if let Some((entry, probabilities)) = entry.zip(self.players[player].get(&memory)) {
                for (bid, &probability) in entry.bids().zip(probabilities) {
                    weights[entry.sequence_of(bid)] = probability;
                }
            }
        }
        Plan::approximate(&tree.player_trees[player], &weights)
    }
}

impl BlindSolution {
    pub fn policy(&self) -> BlindPolicy {
        let players = ByPlayer::new(|player| {
            let sets = views(self.rules(), self.start(), player, Some(&self.tree));
            let chosen = |(view, at, memory): Seen| {
                let strategy = self.bids_at(&view, at);
                (memory, view.bids().map(|bid| strategy.probability(bid)).collect())
            };
            sets.map(chosen).collect()
        });
        BlindPolicy { rules: *self.rules(), start: self.start(), players }
    }
}

/// The information set of these bids and balls; `None` for impossible numbers.
fn remembered(bids: &[u32], balls: &[i32]) -> Option<Memory> {
    (balls.len() == bids.len() + 1).then_some(())?;
    let turns = std::iter::once(&0).chain(bids).zip(balls);
    turns.map(|(&bid, &ball)| Some((i8::try_from(bid).ok()?, i8::try_from(ball).ok()?))).collect()
}

impl std::fmt::Display for BlindRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the row of {} for the bid {} after bids {:?} and balls {:?}",
            self.player, self.bid, self.bids, self.balls
        )
    }
}

fn describe(memory: &[(i8, i8)]) -> String {
    let (bids, balls): (Vec<String>, Vec<String>) =
        memory.iter().map(|(bid, ball)| (bid.to_string(), ball.to_string())).unzip();
    format!("bids [{}] and balls [{}]", bids[1..].join(" "), balls.join(" "))
}

fn distribution(
    view: &BlindView,
    memory: &[(i8, i8)],
    weights: Vec<f64>,
) -> Result<Vec<f64>, Error> {
    let sum: f64 = weights.iter().sum();
    let proper = weights.iter().all(|weight| (0.0..=1.0 + SUM_TOLERANCE).contains(weight));
    if proper && weights.len() == view.bids().count() && (sum - 1.0).abs() <= SUM_TOLERANCE {
        return Ok(weights);
    }
    let reason = format!("{weights:?} are no probabilities of the bids {:?}", view.bids());
    Err(BlindError::Distribution { player: view.player, memory: describe(memory), reason }.into())
}

/// A view, its place in a tree, and its information set.
type Seen = (BlindView, Option<(usize, usize)>, Memory);

/// All views of a player, each before its successors.
fn views(
    rules: &Rules,
    start: State,
    player: Player,
    tree: Option<&Tree>,
) -> impl Iterator<Item = Seen> {
    let mut open = vec![(
        BlindView::start(player, start),
        Tree::AT_START,
        Memory::from([(0, start.ball.position() as i8)]),
    )];
    std::iter::from_fn(move || {
        let (view, at, memory) = open.pop()?;
        for (bid, relation, after) in view.successors(rules).rev() {
            let at = tree.and_then(|tree| tree.follow(player, at, bid, relation));
            open.push((
                after,
                at,
                [&memory[..], &[(bid as i8, after.ball.position() as i8)]].concat().into(),
            ));
        }
        Some((view, at, memory))
    })
}
