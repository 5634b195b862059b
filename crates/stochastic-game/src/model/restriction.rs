//! The part of a game that play cannot leave: what is left without the states that can reach a
//! given one.

use std::collections::BTreeMap;

use num_rational::BigRational;

use super::components::Components;
use super::game::{PackedCell, PackedNode, StochasticGame, Texts};
#[cfg(feature = "files")]
use super::kind::Kind;
use super::names::Names;
use super::nature::Uncertainty;
use super::numbered::{Graph, Outcome};
use super::state_view::StateView;
use crate::error::StochasticGameError;
#[cfg(feature = "files")]
use crate::player::Player;

impl StochasticGame {
    /// The game without a state and without all states from which play can reach it. Play cannot
    /// leave the other states, so that their values are those of the whole game. Names, actions,
    /// cells, texts and the order of the states stay.
    ///
    /// Starts that are left stay starts. Where none is left, play starts at those states left that
    /// follow a state taken out, or, if there are none, at the first state left; ends do not become
    /// starts.
    ///
    /// `None` if only ends are left. O(states + successors).
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::StochasticGameFault::UnknownState).
    ///
    /// ```
    /// use stochastic_game::{CellTable, Kind, StochasticGame};
    ///
    /// let zero = || num_rational::BigRational::from_integer(0.into());
    /// let mut game = StochasticGame::builder(Kind::Acyclic, None)?;
    /// game.end("end", zero())?;
    /// for (state, next) in [("last", "end"), ("hard", "end"), ("first", "hard")] {
    ///     let mut cells = CellTable::default();
    ///     cells.follow(1, next);
    ///     cells.push(1);
    ///     cells.end_row();
    ///     game.state(state, [&["go"], &["wait"]], zero(), &cells)?;
    /// }
    /// game.start("first")?;
    /// let game = game.finish()?;
    /// let rest = game.without(game.place("hard")?)?.expect("one state is left");
    /// let names: Vec<&str> = rest.states().map(|state| state.name()).collect();
    /// assert_eq!((&names[..], rest.starts()), (&["end", "last"][..], &[1][..]));
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn without(&self, state: usize) -> Result<Option<Self>, StochasticGameError> {
        let lost = self.reaching(self.state(state)?);
        let Some(starts) = self.starts_without(&lost) else { return Ok(None) };
        let kept: Vec<usize> = (0..self.len()).filter(|&state| !lost[state]).collect();
        Ok(Some(self.restricted(&kept, starts, &vec![None; self.len()])))
    }

    /// Whether play can reach a state, by the state where it begins; from the state itself it can.
    fn reaching(&self, reached: StateView<'_>) -> Vec<bool> {
        let components = Components::new(self);
        let mut reaching = vec![false; self.len()];
        // Successors come first.
        for component in 0..components.len() {
            let states = components.states(component);
            let leads = |&state: &u32| {
                state as usize == reached.number()
                    || self.edges(state as usize).any(|edge| reaching[self.target(edge)])
            };
            if states.iter().any(leads) {
                for &state in states {
                    reaching[state as usize] = true;
                }
            }
        }
        reaching
    }

    /// The starts, by their numbers in this game, where some states are lost; `None` if only ends
    /// are left.
    fn starts_without(&self, lost: &[bool]) -> Option<Vec<usize>> {
        let is_left = |state: usize| !lost[state] && self.end_value(state).is_none();
        let first = (0..self.len()).find(|&state| is_left(state))?;
        let starts: Vec<usize> =
            self.starts.iter().map(|&start| start as usize).filter(|&start| !lost[start]).collect();
        if !starts.is_empty() {
            return Some(starts);
        }
        let edges =
            (0..self.len()).filter(|&state| lost[state]).flat_map(|state| self.edges(state));
        let mut entered: Vec<usize> =
            edges.map(|edge| self.target(edge)).filter(|&state| is_left(state)).collect();
        entered.sort_unstable();
        entered.dedup();
        Some(if entered.is_empty() { vec![first] } else { entered })
    }

    /// The game that ends at the states whose values are given, and pays these, without the states
    /// that are reached through them alone. The values of the states left are those of the whole
    /// game.
    #[cfg(feature = "files")]
    pub(crate) fn ended_at(&self, values: &[Option<BigRational>]) -> Self {
        let mut is_reached = vec![false; self.len()];
        let mut open: Vec<usize> = self.starts.iter().map(|&start| start as usize).collect();
        while let Some(state) = open.pop() {
            if is_reached[state] {
                continue;
            }
            is_reached[state] = true;
            if values[state].is_none() {
                open.extend(self.edges(state).map(|edge| self.target(edge)));
            }
        }
        let kept: Vec<usize> = (0..self.len()).filter(|&state| is_reached[state]).collect();
        let starts = self.starts.iter().map(|&start| start as usize).collect();
        self.restricted(&kept, starts, values)
    }

    /// The game of some states, rising, that lead to each other alone; those with a value are ends.
    fn restricted(
        &self,
        kept: &[usize],
        starts: Vec<usize>,
        values: &[Option<BigRational>],
    ) -> Self {
        let mut number = vec![u32::MAX; self.len()];
        for (new, &old) in kept.iter().enumerate() {
            number[old] = new as u32;
        }
        let mut rest = Self {
            kind: self.kind,
            discount: self.discount.clone(),
            names: Names::default(),
            starts: starts.into_iter().map(|start| number[start]).collect(),
            nodes: Vec::with_capacity(kept.len()),
            numbers: self.numbers.clone(),
            lists: self.lists.clone(),
            cells: Vec::new(),
            outcomes: Vec::new(),
            // All of them: the sign of rewards that no state pays any more still says who collects.
            payments: self.payments.clone(),
            uncertainty: self
                .uncertainty
                .as_ref()
                .map(|known| Uncertainty { limits: Vec::new(), ..*known }),
            texts: Texts { pictures: BTreeMap::new(), ..self.texts.clone() },
        };
        for (new, &state) in kept.iter().enumerate() {
            rest.names.add(self.name(state));
            if let Some(picture) = self.picture(state) {
                rest.texts.pictures.insert(new as u32, picture.into());
            }
            let first_cell = rest.cells.len() as u32;
            if let Some(value) = &values[state] {
                let known = rest.numbers.iter().position(|number| number == value);
                let number = known.unwrap_or(rest.numbers.len()) as u32;
                if known.is_none() {
                    rest.numbers.push(value.clone());
                }
                rest.nodes.push(PackedNode { first_cell, number, actions: None });
                continue;
            }
            rest.nodes.push(PackedNode { first_cell, ..self.nodes[state] });
            for place in self.cell_range(state) {
                rest.cells.push(PackedCell {
                    first_outcome: rest.outcomes.len() as u32,
                    ..self.cells[place]
                });
                let renumbered = |outcome: &Outcome| Outcome {
                    state: number[outcome.state as usize],
                    ..*outcome
                };
                rest.outcomes.extend(self.cell_at(place).outcomes.iter().map(renumbered));
                if let (Some(kept), Some(known)) = (&mut rest.uncertainty, &self.uncertainty) {
                    let [first, end] =
                        [place, place + 1].map(|cell| self.cells[cell].first_outcome as usize);
                    kept.limits.extend_from_slice(&known.limits[first..end]);
                }
            }
        }
        rest.cells.push(PackedCell { first_outcome: rest.outcomes.len() as u32, payment: 0 });
        rest
    }

    /// Whether a file of this game would show who collects in a game of kind target: only its
    /// rewards do, and those of B may all have been [taken out](Self::without).
    #[cfg(feature = "files")]
    pub(super) fn shows_collector(&self) -> bool {
        let has_reward =
            || (0..self.len()).any(|state| self.all_cells(state).any(|cell| cell.reward != 0));
        self.kind != Kind::Target || self.collector() == Player::A || has_reward()
    }
}
