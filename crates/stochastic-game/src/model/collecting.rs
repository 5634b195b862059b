//! Where rewards can be collected for ever, and how a player keeps them finite: on the graph of a
//! game, for any probabilities.
//!
//! The *collector* receives all rewards, the *payer* pays them. Nested fixed points (de Alfaro and
//! Henzinger, *Concurrent omega-regular games*, LICS 2000) find the states where the collector
//! receives infinitely many rewards with positive probability, and those where the payer has a
//! strategy against which every end component is free of rewards.

use super::game::StochasticGame;
use super::kind::Kind;
use super::numbered::CellView;
use crate::error::StochasticGameFault;
use crate::player::Player;

/// A game of total reward as the collector and the payer see it.
struct Collecting<'g> {
    game: &'g StochasticGame,
    collector: Player,
}

impl StochasticGame {
    /// The player who receives all rewards of a game of one sign; A without rewards.
    pub(crate) fn collector(&self) -> Player {
        if self.payments.iter().any(|&(reward, _)| reward < 0) { Player::B } else { Player::A }
    }

    /// The actions of each state that the payer mixes evenly to keep all that can be collected
    /// finite.
    ///
    /// # Errors
    /// A state with [`StochasticGameFault::Infinite`], or with [`StochasticGameFault::Undecided`]:
    /// where a player needs ever smaller risks, no stationary strategy decides.
    pub(crate) fn paid_finitely(&self) -> Result<Vec<Vec<u32>>, (usize, StochasticGameFault)> {
        let graph = Collecting { game: self, collector: self.collector() };
        let refuse =
            |set: &[bool], is: bool, fault: fn(Player, Vec<String>) -> StochasticGameFault| {
                let states = || (0..set.len()).filter(|&state| set[state] == is);
                let first = states().next();
                first.map_or(Ok(()), |first| {
                    Err((first, fault(graph.collector, self.names_of(states()))))
                })
            };
        refuse(&graph.collected_for_ever(), true, |player, states| {
            StochasticGameFault::Infinite { player, states }
        })?;
        let (kept, choices) = graph.kept_finite();
        refuse(&kept, false, |player, states| StochasticGameFault::Undecided { player, states })?;
        Ok(choices)
    }

    pub(super) fn names_of(&self, states: impl Iterator<Item = usize>) -> Vec<String> {
        states.map(|state| self.name(state).to_owned()).collect()
    }
}

impl<'g> Collecting<'g> {
    /// The cell of an action of the collector and one of the payer.
    fn cell(&self, state: usize, collected: usize, paid: usize) -> CellView<'g> {
        let [a, b] =
            if self.collector == Player::A { [collected, paid] } else { [paid, collected] };
        self.game.cell(state, a, b)
    }

    /// The numbers of the collector's and of the payer's actions; 0 at an end.
    fn sizes(&self, state: usize) -> [usize; 2] {
        let [a, b] = self.game.sizes(state);
        if self.collector == Player::A { [a, b] } else { [b, a] }
    }

    /// Whether a cell pays, or counts as if it did since play that goes on pays infinitely much.
    fn pays(&self, cell: &CellView<'_>) -> bool {
        cell.reward != 0 || self.game.kind == Kind::Target
    }

    /// The states where the collector receives infinitely many rewards with positive probability.
    fn collected_for_ever(&self) -> Vec<bool> {
        let count = self.game.nodes.len();
        let mut won = vec![false; count];
        loop {
            // The greatest set in which all of the collector's safe actions together come to a
            // reward, or where play may be won.
            let mut inside: Vec<bool> = (0..count).map(|state| self.sizes(state)[0] > 0).collect();
            loop {
                let mut comes = won.clone();
                let is_safe = |state: usize, action: usize| {
                    (0..self.sizes(state)[1]).all(|paid| {
                        let cell = self.cell(state, action, paid);
                        all(&cell, |next| inside[next]) || any(&cell, |next| won[next])
                    })
                };
                settle(&mut comes, FixedPoint::Least, |state, comes| {
                    let safe: Vec<usize> = (0..self.sizes(state)[0])
                        .filter(|&action| inside[state] && is_safe(state, action))
                        .collect();
                    let gains = |action: usize, paid: usize| {
                        let cell = self.cell(state, action, paid);
                        self.pays(&cell) || any(&cell, |next| comes[next])
                    };
                    !safe.is_empty()
                        && (0..self.sizes(state)[1])
                            .all(|paid| safe.iter().any(|&action| gains(action, paid)))
                });
                if comes == inside {
                    break;
                }
                inside = comes;
            }
            settle(&mut inside, FixedPoint::Least, |state, inside| {
                let [collected, paid] = self.sizes(state);
                let leads =
                    |action, paid| any(&self.cell(state, action, paid), |next| inside[next]);
                collected > 0
                    && (0..paid).all(|paid| (0..collected).any(|action| leads(action, paid)))
            });
            if inside == won {
                return won;
            }
            won = inside;
        }
    }

    /// The states where the payer's actions that are returned, mixed evenly, leave no end component
    /// with a reward.
    ///
    /// States are found rank by rank. At a state, every action of the collector leads to a lower
    /// rank with positive probability, or is free of rewards and stays with ranks that are not
    /// higher; so an end component, which leads to none lower, is free of rewards.
    fn kept_finite(&self) -> (Vec<bool>, Vec<Vec<u32>>) {
        let count = self.game.nodes.len();
        let ends: Vec<bool> = (0..count).map(|state| self.sizes(state)[0] == 0).collect();
        let mut kept = vec![true; count];
        loop {
            let (mut ranked, mut choices) = (ends.clone(), vec![Vec::new(); count]);
            let is_kept = |state: usize, action: usize| {
                (0..self.sizes(state)[0])
                    .all(|collected| all(&self.cell(state, collected, action), |next| kept[next]))
            };
            // The largest set of actions that will do; those that are taken out are in none.
            let choice = |state: usize, ranked: &[bool], stay: &dyn Fn(usize) -> bool| {
                let [collected, paid] = self.sizes(state);
                let mut actions: Vec<usize> =
                    (0..paid).filter(|&action| is_kept(state, action)).collect();
                let mut before = usize::MAX;
                while actions.len() < before {
                    before = actions.len();
                    for collected in 0..collected {
                        let cell = |action: usize| self.cell(state, collected, action);
                        if !actions.iter().any(|&action| any(&cell(action), |next| ranked[next])) {
                            actions.retain(|&action| {
                                !self.pays(&cell(action)) && all(&cell(action), stay)
                            });
                        }
                    }
                }
                actions.into_iter().map(|action| action as u32).collect::<Vec<u32>>()
            };
            loop {
                let before = ranked.clone();
                settle(&mut ranked, FixedPoint::Least, |state, ranked| {
                    choices[state] = choice(state, ranked, &|_| false);
                    kept[state] && !choices[state].is_empty()
                });
                let mut stay: Vec<bool> = kept.clone();
                settle(&mut stay, FixedPoint::Greatest, |state, stay| {
                    if ranked[state] {
                        return false;
                    }
                    choices[state] = choice(state, &ranked, &|next| stay[next]);
                    choices[state].is_empty()
                });
                ranked = stay;
                if ranked == before {
                    break;
                }
            }
            if ranked == kept {
                return (kept, choices);
            }
            kept = ranked;
        }
    }
}

fn all(cell: &CellView<'_>, holds: impl Fn(usize) -> bool) -> bool {
    cell.outcomes.iter().all(|outcome| holds(outcome.state as usize))
}

fn any(cell: &CellView<'_>, holds: impl Fn(usize) -> bool) -> bool {
    cell.outcomes.iter().any(|outcome| holds(outcome.state as usize))
}

/// How a set of states becomes a fixed point.
#[derive(Clone, Copy)]
enum FixedPoint {
    /// It grows.
    Least,
    /// It shrinks.
    Greatest,
}

/// Moves states into a set, or out of it, until none changes.
fn settle(
    set: &mut [bool],
    fixed_point: FixedPoint,
    mut changes: impl FnMut(usize, &[bool]) -> bool,
) {
    let into = matches!(fixed_point, FixedPoint::Least);
    let mut changed = true;
    while changed {
        changed = false;
        // Backward and forward: files have states in the order of play, or the other way round.
        for state in (0..set.len()).rev().chain(0..set.len()) {
            if set[state] != into && changes(state, set) {
                (set[state], changed) = (into, true);
            }
        }
    }
}
