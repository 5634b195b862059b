use num_rational::BigRational;

use super::state_table::StateTable;
use super::told_row::{ToldRow, canonical, refuse_state};
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::stochastic_game::model::{CellView, Digest, END_DIGEST, GameRules, Kind, Node, NumberedGame, Scale};

/// The canonical states that the starts reach, by number.
#[derive(Debug)]
pub(crate) struct Explored<R: GameRules> {
    pub(crate) rules: R,
    pub(crate) table: StateTable<R::State>,
    pub(crate) starts: Vec<Place>,
    /// Whether canonical states may exchange the players.
    pub(crate) exchanges: bool,
}

/// A state's number, and whether the players are exchanged there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) u32);

impl Place {
    #[inline]
    pub(crate) const fn new(state: u32, exchanged: bool) -> Self {
        Self(state << 1 | exchanged as u32)
    }

    #[inline]
    pub(crate) const fn state(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The state's number, and whether the players are exchanged.
    #[inline]
    pub(crate) const fn parts(self) -> (usize, bool) {
        (self.state(), self.0 & 1 == 1)
    }
}

impl<R: GameRules> Explored<R> {
    /// Visits the cells of any state whose successors are known, and returns their digest. For a state of the table the digest is
    /// compared later, so that its successors need fewer checks.
    pub(crate) fn cells_of(
        &self,
        own: &R::State,
        actions: [usize; 2],
        is_of_table: bool,
        row: &mut ToldRow<R::State>,
        visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<u32, StochasticGameError> {
        let Self { rules, table, exchanges, .. } = self;
        let number = |table: &mut &StateTable<R::State>, key, state| {
            let number = if is_of_table { table.expect(key, &state) } else { table.find(key, &state) };
            number.ok_or_else(|| refuse_state(rules, own, StochasticGameFault::Contradiction))
        };
        row.cells((rules, *exchanges), &mut &*table, (own, actions), number, visit)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// A bound of the size of all values in an acyclic game, rounded up.
    pub(crate) fn largest(&self) -> f64 {
        self.table.all_met().map(|met| met.size).fold(0.0, f64::max)
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (usize, &R::State)> {
        (0..self.table.numbers()).filter_map(|number| Some((number, self.table.get(number)?)))
    }

    /// The states of an acyclic game by the longest way to an end: those of one level are independent.
    pub(crate) fn levels(&self) -> Vec<Vec<u32>> {
        let explored =
            || self.table.all_met().enumerate().filter(|(_, met)| met.is_explored()).map(|(state, met)| (state, met.level));
        let deepest = explored().map(|(_, level)| level as usize + 1).max().unwrap_or(0);
        let mut counts = vec![0_usize; deepest];
        explored().for_each(|(_, level)| counts[level as usize] += 1);
        let mut levels: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (state, level) in explored() {
            levels[level as usize].push(state as u32);
        }
        levels
    }

    /// The place of any state whose canonical state is known.
    #[inline]
    pub(crate) fn find(&self, state: R::State) -> Option<(usize, bool)> {
        let (canonical, exchanged) = canonical(&self.rules, self.exchanges, state);
        let key = self.table.key(&canonical, |state| self.rules.index(state));
        self.table.find(key, &canonical).map(|state| (state as usize, exchanged))
    }
}

impl<R: GameRules> NumberedGame for Explored<R> {
    type Row = ToldRow<R::State>;

    fn kind(&self) -> Kind {
        self.rules.kind()
    }

    fn numbers(&self) -> usize {
        self.table.numbers()
    }

    fn node(&self, state: usize) -> Result<Node, StochasticGameError> {
        match self.rules.node(self.table.state(state)) {
            Node::Over(_) if self.table.met(state).digest != END_DIGEST => {
                Err(self.refuse(state, StochasticGameFault::Contradiction))
            }
            node => Ok(node),
        }
    }

    #[inline]
    fn cells(
        &self,
        state: usize,
        actions: [usize; 2],
        row: &mut Self::Row,
        visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<(), StochasticGameError> {
        let own = self.table.state(state);
        let digest = self.cells_of(own, actions, true, row, visit)?;
        // The first digest.
        let is_same = digest == self.table.met(state).digest;
        if is_same { Ok(()) } else { Err(refuse_state(&self.rules, own, StochasticGameFault::Contradiction)) }
    }

    #[inline]
    fn place(outcome: u32) -> (usize, bool) {
        Place(outcome).parts()
    }

    fn endless(&self, state: usize) -> BigRational {
        self.rules.endless(self.table.state(state))
    }

    fn digest(&self, scale: Scale) -> u64 {
        let mut digest = Digest::new(self.numbers(), scale.exponent as usize);
        for (number, state) in self.states() {
            digest.add_number(u64::from(self.table.met(number).digest));
            if let Node::Over(value) = self.rules.node(state) {
                let Bounds { lower, upper } = scale.bounds(&value);
                digest.add_number(lower as u64);
                digest.add_number(upper as u64);
            }
        }
        digest.long()
    }

    fn name_of(&self, state: usize) -> String {
        self.rules.name(self.table.state(state))
    }
}

pub(crate) fn check_counts(rows: usize, columns: usize) -> Result<(), StochasticGameFault> {
    match (rows, columns) {
        (0, _) => Err(StochasticGameFault::NoAction { player: 'A' }),
        (_, 0) => Err(StochasticGameFault::NoAction { player: 'B' }),
        _ => Ok(()),
    }
}
