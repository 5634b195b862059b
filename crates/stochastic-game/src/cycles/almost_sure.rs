//! States from which a player reaches the best exit of a component with probability 1, found by the
//! graph alone (de Alfaro, Henzinger and Kupferman 2007).
//!
//! There the value is the exit's, and numbers only come near it. The strategies mix evenly among
//! the actions with which play stays among these states, whatever the opponent does; for every
//! reply one of them comes closer to the exit. They prove the exit's value as a bound by the
//! conditions of [`cyclic`](super::cyclic), so that a certificate needs nothing new.

use super::cycle::{CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::policy_iteration::tighten;
use super::proof::{SHORT, proves};
use crate::matrix_game::DyadicStrategy;
use crate::model::Kind;

/// Takes the best exit's value as the bound of either side where its player reaches it almost
/// surely, if infinite play pays less to that player. For recursive games.
pub(crate) fn reach_best_exits(game: &LocalGame, states: &mut [CyclicState]) {
    for side in Side::BOTH.into_iter().filter(|_| game.kind == Kind::Recursive) {
        reach_best_exit(game, side, states);
    }
}

fn reach_best_exit(game: &LocalGame, side: Side, states: &mut [CyclicState]) {
    let Some(best) = best_exit(game, side) else { return };
    if !side.is_closer(&best, &side.bound(game.endless)) {
        return;
    }
    let strategies = Search::new(game, side, best).almost_sure();
    if strategies.iter().all(Option::is_none) {
        return;
    }
    let bound = |state: usize| {
        if strategies[state].is_some() { best } else { side.bound(states[state].bounds) }
    };
    let strategy = |state: usize| {
        strategies[state].as_ref().unwrap_or(&states[state].weights[side.index()]).as_slice()
    };
    if proves(game, side, SHORT, strategy, |state| i128::from(bound(state))) {
        for (state, strategy) in states.iter_mut().zip(strategies) {
            if let Some(strategy) = strategy
                && tighten(&mut state.bounds, side, best)
            {
                state.weights[side.index()] = strategy;
            }
        }
    }
}

/// The best bound of a side that a cell pays on leaving, on average; `None` without exits.
fn best_exit(game: &LocalGame, side: Side) -> Option<i64> {
    let exits =
        (0..game.len()).flat_map(|state| game.cells(state)).filter(|cell| cell.leaves() > 0);
    let paid =
        exits.map(|cell| side.rounding().quotient(cell.outside[side.index()], cell.leaves()));
    let best = if side.is_upper() { paid.min() } else { paid.max() };
    best.and_then(|best| i64::try_from(best).ok())
}

/// An action of the side at a state, and a reply.
#[derive(Clone, Copy)]
struct Pair {
    state: usize,
    action: usize,
    reply: usize,
}

/// The search for the largest set among which play can be kept by the side until it leaves by the
/// best exit, with probability 1.
struct Search<'g> {
    game: &'g LocalGame,
    side: Side,
    /// By state, the pairs that may lead there.
    leading: Vec<Vec<Pair>>,
    /// The pairs that may leave the component.
    exits: Vec<Pair>,
    /// The states that are left.
    within: Vec<bool>,
    /// By state and action of the side, whether play certainly stays within, or leaves by the best
    /// exit.
    is_safe: Vec<Vec<bool>>,
}

impl<'g> Search<'g> {
    fn new(game: &'g LocalGame, side: Side, best: i64) -> Self {
        let states = game.len();
        let mut search = Self {
            game,
            side,
            leading: vec![Vec::new(); states],
            exits: Vec::new(),
            within: vec![true; states],
            is_safe: (0..states)
                .map(|state| vec![true; game.actions(state)[side.index()]])
                .collect(),
        };
        for state in 0..states {
            for action in 0..search.is_safe[state].len() {
                for reply in 0..game.replies(state, side) {
                    let pair = Pair { state, action, reply };
                    let cell = game.cell(state, side, action as u32, reply);
                    for outcome in cell.inside {
                        search.leading[outcome.state as usize].push(pair);
                    }
                    if cell.leaves() > 0 {
                        search.exits.push(pair);
                        let paid = cell.outside[side.index()];
                        search.is_safe[state][action] &=
                            !side.is_closer(&(i128::from(best) * cell.leaves()), &paid);
                    }
                }
            }
        }
        search
    }

    /// By state, the strategy by which the best exit is reached almost surely; `None` where there
    /// is none.
    fn almost_sure(mut self) -> Vec<Option<Weights>> {
        let all = 0..self.within.len();
        let mut lost: Vec<usize> =
            all.clone().filter(|&state| !self.is_safe[state].contains(&true)).collect();
        loop {
            self.leave(lost);
            let reached = self.reached();
            lost = all.clone().filter(|&state| self.within[state] && !reached[state]).collect();
            if lost.is_empty() {
                return all.map(|state| self.within[state].then(|| self.even(state))).collect();
            }
        }
    }

    /// Leaves states, and all from which every action of the side may lead to one that was left.
    fn leave(&mut self, mut lost: Vec<usize>) {
        for &state in &lost {
            self.within[state] = false;
        }
        while let Some(state) = lost.pop() {
            for &Pair { state: before, action, .. } in &self.leading[state] {
                self.is_safe[before][action] = false;
                if self.within[before] && !self.is_safe[before].contains(&true) {
                    self.within[before] = false;
                    lost.push(before);
                }
            }
        }
    }

    /// The states within from which play leaves with positive probability whatever the opponent
    /// does: against every reply some safe action leaves, or leads to such a state.
    fn reached(&self) -> Vec<bool> {
        let mut is_covered: Vec<Vec<bool>> = (0..self.within.len())
            .map(|state| vec![false; self.game.replies(state, self.side)])
            .collect();
        let mut reached = vec![false; self.within.len()];
        let mut new = Vec::new();
        let mut cover = |pair: &Pair, reached: &mut [bool], new: &mut Vec<usize>| {
            let Pair { state, action, reply } = *pair;
            if self.within[state] && !reached[state] && self.is_safe[state][action] {
                is_covered[state][reply] = true;
                if !is_covered[state].contains(&false) {
                    reached[state] = true;
                    new.push(state);
                }
            }
        };
        for pair in &self.exits {
            cover(pair, &mut reached, &mut new);
        }
        while let Some(state) = new.pop() {
            for pair in &self.leading[state] {
                cover(pair, &mut reached, &mut new);
            }
        }
        reached
    }

    /// The safe actions of a state, evenly mixed; the first takes what is left over.
    fn even(&self, state: usize) -> Weights {
        let safe = self.is_safe[state].iter().enumerate().filter(|&(_, &is_safe)| is_safe);
        let actions: Vec<u32> = safe.map(|(action, _)| action as u32).collect();
        let share = DyadicStrategy::WHOLE / actions.len() as u64;
        let rest = DyadicStrategy::WHOLE - share * actions.len() as u64;
        actions
            .iter()
            .enumerate()
            .map(|(place, &action)| (action, if place == 0 { share + rest } else { share }))
            .collect()
    }
}
