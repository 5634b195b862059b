//! Bounds of probabilities at 0 and 1, decided by the graph alone: whether something happens
//! certainly, almost surely, with positive probability, or never. Numbers cannot decide these: a
//! value of 1 may be attained, or only be a limit.
//!
//! The sets are those of de Alfaro, Henzinger and Kupferman, *Concurrent reachability games*
//! (2007). They are exact for all strategies, with or without memory; the ones that attain them are
//! memoryless, and uniform on a set of actions.

use hashbrown::HashMap;
use prism_model::{Coalition, Comparison, Endless, Path, Quantity};

use super::explicit::ExplicitModel;
use super::names::refuse;
use super::product::Duty;
use super::question::Verdict;
use crate::error::ModelError;
use crate::player::Player;

/// What a side can make certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// It never reaches the target.
    Avoid,
    /// It reaches the target with positive probability.
    ReachPossibly,
    /// It reaches the target with probability 1, and nothing forbidden before.
    ReachAlmostSurely,
}

/// The goal that decides a bound at 0 or 1, and whether its target is what the path formula has to
/// reach, or what breaks it.
fn goal_of(comparison: Comparison, is_one: bool, endless: Endless) -> Option<(Goal, Endless)> {
    use Endless::{Counts, Fails};
    // A condition that a play without end satisfies fails where what breaks it is reached.
    match (comparison, is_one, endless) {
        (Comparison::AtLeast, true, Fails) => Some((Goal::ReachAlmostSurely, Fails)),
        (Comparison::AtLeast, true, Counts) => Some((Goal::Avoid, Counts)),
        (Comparison::Greater, false, Fails) => Some((Goal::ReachPossibly, Fails)),
        (Comparison::AtMost, false, Fails) => Some((Goal::Avoid, Fails)),
        (Comparison::AtMost, false, Counts) => Some((Goal::ReachAlmostSurely, Counts)),
        (Comparison::Less, true, Counts) => Some((Goal::ReachPossibly, Counts)),
        // Staying somewhere for ever with positive probability.
        _ => None,
    }
}

impl ExplicitModel {
    /// The verdicts on a bound of a probability at 0 or 1, by state; `None` if the graph does not
    /// decide this bound, such as one of a bounded number of steps.
    pub(super) fn decided_by_graph(
        &self,
        coalition: &Coalition,
        quantity: &Quantity,
        comparison: Comparison,
        is_one: bool,
    ) -> Result<Option<Vec<Verdict>>, ModelError> {
        let Quantity::Probability(path) = quantity else { return Ok(None) };
        let endless = match path {
            Path::Until { endless, steps: None, .. } => *endless,
            Path::Release { steps: None, .. } => Endless::Counts,
            _ => return Ok(None),
        };
        let Some((goal, target)) = goal_of(comparison, is_one, endless) else { return Ok(None) };
        let Duty { hold, reach, .. } = self.duty(path)?;
        let broken: Vec<bool> =
            hold.iter().zip(&reach).map(|(hold, reach)| !hold && !reach).collect();
        let (target, forbidden) =
            if target == Endless::Fails { (reach, broken) } else { (broken, reach) };
        let arena = Arena::new(self, &self.members_with_strategy(coalition)?)?;
        let wins = match goal {
            Goal::Avoid => arena.avoids(&target, &forbidden),
            Goal::ReachPossibly => arena.reaches_possibly(&target, &forbidden),
            Goal::ReachAlmostSurely => arena.reaches_almost_surely(&target, &forbidden),
        };
        Ok(Some(
            wins.into_iter()
                .map(|wins| if wins { Verdict::True } else { Verdict::False })
                .collect(),
        ))
    }

    /// Whether each player belongs to the coalition that has a strategy; without a coalition nobody
    /// does, and a bound has to hold whatever is chosen.
    fn members_with_strategy(&self, coalition: &Coalition) -> Result<Vec<bool>, ModelError> {
        match coalition {
            Coalition::Unnamed => Ok(vec![false; self.players]),
            named => self.members(named),
        }
    }
}

/// The graph of a model between a side and its opponents.
struct Arena {
    states: Vec<Moves>,
    /// By state, the states that may lead there.
    predecessors: Vec<Vec<u32>>,
}

/// The joint choices of a state.
struct Moves {
    rows: usize,
    columns: usize,
    /// By row and column, the successors.
    successors: Vec<Vec<u32>>,
}

impl Arena {
    fn new(model: &ExplicitModel, is_member: &[bool]) -> Result<Self, ModelError> {
        let mut states = Vec::with_capacity(model.choices.len());
        for (state, choices) in model.choices.iter().enumerate() {
            let mut rows: HashMap<Vec<u32>, usize> = HashMap::new();
            let mut columns: HashMap<Vec<u32>, usize> = HashMap::new();
            let mut places = Vec::with_capacity(choices.len());
            for choice in choices {
                // Members play A, who chooses the row.
                let [row_actions, column_actions] =
                    Player::BOTH.map(|side| model.side_of(state as u32, choice, is_member, side));
                let next_row = rows.len();
                let row = *rows.entry(row_actions).or_insert(next_row);
                let next_column = columns.len();
                let column = *columns.entry(column_actions).or_insert(next_column);
                places.push((row, column));
            }
            // No two choices have the same pair of actions, so that their number shows whether one
            // is missing.
            if rows.len() * columns.len() != choices.len() {
                return refuse(format!(
                    "state {state} lacks a choice for a pair of actions; every pair needs one"
                ));
            }
            let mut successors = vec![Vec::new(); choices.len()];
            for (choice, (row, column)) in choices.iter().zip(places) {
                successors[row * columns.len() + column] =
                    choice.to.iter().map(|&(_, next)| next).collect();
            }
            states.push(Moves { rows: rows.len(), columns: columns.len(), successors });
        }
        let mut predecessors = vec![Vec::new(); states.len()];
        for (state, moves) in states.iter().enumerate() {
            for &next in moves.successors.iter().flatten() {
                let known: &mut Vec<u32> = &mut predecessors[next as usize];
                if known.last() != Some(&(state as u32)) {
                    known.push(state as u32);
                }
            }
        }
        Ok(Self { states, predecessors })
    }

    /// Where the side avoids the target for ever, or until something else forbidden ends play.
    fn avoids(&self, target: &[bool], ends: &[bool]) -> Vec<bool> {
        let mut safe: Vec<bool> = target.iter().map(|target| !target).collect();
        let mut lost: Vec<usize> = (0..safe.len()).filter(|&state| !safe[state]).collect();
        while let Some(state) = lost.pop() {
            for &before in &self.predecessors[state] {
                let before = before as usize;
                let moves = &self.states[before];
                if safe[before]
                    && !ends[before]
                    && !(0..moves.rows).any(|row| moves.stays(row, &safe))
                {
                    safe[before] = false;
                    lost.push(before);
                }
            }
        }
        safe
    }

    /// Where the side reaches the target with positive probability.
    fn reaches_possibly(&self, target: &[bool], forbidden: &[bool]) -> Vec<bool> {
        let all = vec![true; target.len()];
        self.reaches_within(&all, target, forbidden)
    }

    /// Where the side reaches the target with probability 1.
    fn reaches_almost_surely(&self, target: &[bool], forbidden: &[bool]) -> Vec<bool> {
        let mut within = vec![true; target.len()];
        loop {
            let reached = self.reaches_within(&within, target, forbidden);
            if reached == within {
                return within;
            }
            within = reached;
        }
    }

    /// Where the side reaches the target with positive probability, by actions with which play
    /// certainly stays within a set: the least set that has the target, and all states where every
    /// reply meets an action that may lead into it.
    fn reaches_within(&self, within: &[bool], target: &[bool], forbidden: &[bool]) -> Vec<bool> {
        let mut reached: Vec<bool> =
            target.iter().zip(within).map(|(target, within)| *target && *within).collect();
        let mut new: Vec<usize> = (0..reached.len()).filter(|&state| reached[state]).collect();
        while let Some(state) = new.pop() {
            for &before in &self.predecessors[state] {
                let before = before as usize;
                let is_open = !reached[before] && within[before] && !forbidden[before];
                if is_open && self.states[before].may_enter(&reached, within) {
                    reached[before] = true;
                    new.push(before);
                }
            }
        }
        reached
    }
}

impl Moves {
    fn successors(&self, row: usize, column: usize) -> &[u32] {
        &self.successors[row * self.columns + column]
    }

    /// Whether play stays in a set with an action, whatever the opponents do.
    fn stays(&self, row: usize, set: &[bool]) -> bool {
        (0..self.columns)
            .all(|column| self.successors(row, column).iter().all(|&next| set[next as usize]))
    }

    /// Whether every reply meets an action that may lead into a set, among those with which play
    /// stays within another one.
    fn may_enter(&self, set: &[bool], within: &[bool]) -> bool {
        let safe: Vec<usize> = (0..self.rows).filter(|&row| self.stays(row, within)).collect();
        let enters = |row: usize, column: usize| {
            self.successors(row, column).iter().any(|&next| set[next as usize])
        };
        (0..self.columns).all(|column| safe.iter().any(|&row| enters(row, column)))
    }
}
