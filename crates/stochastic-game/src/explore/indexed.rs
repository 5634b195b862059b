//! Numbered games of either origin.

use super::explored::Explored;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::model::{GameRules, Kind, NumberedGame, NumberedState, StochasticGame, Written};

/// A game with numbered states: written by its author, explored by its rules, or explored and then
/// written down.
#[derive(Debug)]
pub(crate) enum Indexed<G: GameRules> {
    Written {
        rules: G,
        access: Written<G>,
    },
    /// The rules give the cells on demand.
    Explored(Explored<G>),
    /// The explored states were written down, because play can return.
    WrittenDown {
        explored: Explored<G>,
        game: Box<StochasticGame>,
        /// The numbers of the written game by those of the explored one.
        numbers: Vec<u32>,
    },
}

pub(crate) enum Cells<'g, G: GameRules> {
    Written(&'g StochasticGame),
    Explored(&'g Explored<G>),
}

impl<G: GameRules> Indexed<G> {
    /// An explored game; one in which play can return is written down.
    pub(crate) fn new(explored: Explored<G>) -> Result<Self, StochasticGameError> {
        if explored.rules.kind() == Kind::Acyclic {
            return Ok(Self::Explored(explored));
        }
        let game = Box::new(StochasticGame::from_explored(&explored)?);
        let mut numbers = vec![0; explored.numbers()];
        for (new, (old, _)) in explored.states().enumerate() {
            numbers[old] = new as u32;
        }
        Ok(Self::WrittenDown { explored, game, numbers })
    }

    pub(crate) const fn rules(&self) -> &G {
        match self {
            Self::Written { rules, .. } => rules,
            Self::Explored(explored) | Self::WrittenDown { explored, .. } => &explored.rules,
        }
    }

    /// The explored states; `None` for a written game.
    pub(crate) const fn explored(&self) -> Option<&Explored<G>> {
        match self {
            Self::Written { .. } => None,
            Self::Explored(explored) | Self::WrittenDown { explored, .. } => Some(explored),
        }
    }

    pub(crate) fn cells(&self) -> Cells<'_, G> {
        match self {
            Self::Written { rules, access: (game, _) } => Cells::Written(game(rules)),
            Self::Explored(explored) => Cells::Explored(explored),
            Self::WrittenDown { game, .. } => Cells::Written(game),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self.cells() {
            Cells::Written(game) => game.len(),
            Cells::Explored(explored) => explored.len(),
        }
    }

    pub(crate) fn states(&self) -> Box<dyn Iterator<Item = (usize, G::State)> + '_> {
        match self {
            Self::Written { access: (_, state), .. } => {
                Box::new((0..self.len()).map(|number| (number, state(number))))
            }
            Self::Explored(explored) | Self::WrittenDown { explored, .. } => Box::new(
                explored.states().map(|(number, state)| (self.number(number), state.clone())),
            ),
        }
    }

    /// A state by its number in the solved game, by that in the explored one.
    pub(crate) fn numbered(&self, explored: NumberedState) -> NumberedState {
        NumberedState { number: self.number(explored.number), ..explored }
    }

    fn number(&self, explored: usize) -> usize {
        match self {
            Self::WrittenDown { numbers, .. } => numbers[explored] as usize,
            Self::Written { .. } | Self::Explored(_) => explored,
        }
    }

    /// The number of a state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`] if the starts do not reach it.
    pub(crate) fn find(&self, state: &G::State) -> Result<NumberedState, StochasticGameError> {
        let found = match self {
            Self::Written { rules, .. } => Some(NumberedState::canonical(rules.index(state)))
                .filter(|found| found.number < self.len()),
            Self::Explored(explored) | Self::WrittenDown { explored, .. } => {
                explored.find(state.clone()).map(|found| self.numbered(found))
            }
        };
        let unknown =
            || StochasticGameFault::UnknownState { name: self.rules().name(state) }.into();
        found.ok_or_else(unknown)
    }
}
