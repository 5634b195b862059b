//! A whole solution in a few numbers, as scripts read it.

use serde::Serialize;

use super::{OutcomesReport, StateReport};
use crate::error::Error;
use crate::game::{ByPlayer, State};
use crate::matrix_game::Uniqueness;
use crate::solution::Solution;
use crate::work::{Parts, Watch};

/// The report of `solve`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SolveReport {
    /// The points A and B start with.
    pub points: [u32; 2],
    /// The number of states.
    pub states: usize,
    /// The method that solved the matrix games.
    pub method: String,
    /// The number of states in which a player randomises.
    pub randomised_states: usize,
    /// The largest width of any state's guaranteed bounds.
    pub widest_enclosure: f64,
    /// The number of states that have an exact value, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_states: Option<usize>,
    /// The number of states whose value is proved to be no fraction, if exact values were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irrational_states: Option<usize>,
    /// The numbers of states in which the optimal strategies are the only ones, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique_states: Option<ByPlayer<UniqueCount>>,
    /// The outcomes of games when both players bid optimally, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<OutcomesReport>,
    /// The time that it took.
    pub seconds: SecondsReport,
    /// The state at the start.
    pub start: StateReport,
}

/// The numbers of unique optimal strategies; the three numbers add up to all states.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct UniqueCount {
    /// Proved to be the only one.
    pub unique: usize,
    /// Proved to be one of several.
    pub several: usize,
    /// Not decided.
    pub unknown: usize,
}

/// The time spent on each task, in seconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct SecondsReport {
    /// Finding strategies.
    pub solve: f64,
    /// Proving bounds.
    pub certify: f64,
    /// Everything.
    pub total: f64,
}

impl SolveReport {
    /// The report of a solution.
    ///
    /// # Errors
    /// As for [`Solution::equilibrium`]: when strategies are in a file that has become unreadable.
    pub fn new(solution: &Solution) -> Result<Self, Error> {
        let seconds = solution.seconds();
        Ok(Self {
            points: solution.points(),
            states: solution.len(),
            method: solution.method().to_string(),
            randomised_states: solution.randomised_states(),
            widest_enclosure: solution.widest_enclosure(),
            unique_states: None,
            outcomes: None,
            irrational_states: solution.is_exact_asked().then(|| solution.irrational_states()),
            exact_states: solution.is_exact_asked().then(|| solution.exact_states()),
            seconds: SecondsReport { solve: seconds.solve, certify: seconds.certify, total: seconds.total },
            start: StateReport::new(solution, solution.start())?,
        })
    }
}

impl UniqueCount {
    /// Goes through all states, some seconds where exact numbers are known; the callback hears of the progress and may cancel.
    ///
    /// # Errors
    /// As for [`Solution::uniqueness`]: when strategies are in a file that has become unreadable.
    /// [`crate::WorkError::Cancelled`].
    pub fn of_all(solution: &Solution, watch: &mut Watch<'_>) -> Result<ByPlayer<Self>, Error> {
        let mut counts = ByPlayer::<Self>::default();
        let first = -solution.rules().field();
        // Exact or not, every state takes a system of equations.
        let work = |state: State| f64::from(state.a + 1) * f64::from(state.b + 1) * f64::from(state.a.min(state.b) + 1);
        let accounts = solution.states().filter(|state| state.ball.position() == first);
        let mut parts = Parts::new(watch, accounts.map(work).sum());
        let order = solution.tables().order;
        for state in solution.states() {
            if state.ball.position() == first {
                parts.done(work(state))?;
            }
            if order.representative(state) != state {
                continue;
            }
            let [a, b] = solution.uniqueness(state)?;
            counts.a.add(a);
            counts.b.add(b);
            // What A finds here, B finds in the mirror image.
            if order.images(state) > 1 {
                counts.a.add(b);
                counts.b.add(a);
            }
        }
        Ok(counts)
    }

    fn add(&mut self, uniqueness: Uniqueness) {
        *match uniqueness {
            Uniqueness::Unique => &mut self.unique,
            Uniqueness::Several => &mut self.several,
            Uniqueness::Unknown => &mut self.unknown,
        } += 1;
    }
}
