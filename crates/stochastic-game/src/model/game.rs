//! Explicit games: states, actions, cells.

use std::collections::BTreeMap;
use std::ops::Range;

use num_rational::{BigRational, Ratio};

use super::kind::Kind;
use super::names::Names;
use super::nature::Uncertainty;
use super::numbered::{CellView, Graph, NumberedGame, Outcome};
use super::numbered_state::NumberedState;
use super::packed_cell::Digest;
use super::rules::{GameRules, Node, Outcomes, Written};
use super::scale::Scale;
use super::state_view::StateView;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::player::Player;

/// A two-player zero-sum game with simultaneous moves: a stochastic game (Shapley 1953).
///
/// In every state A and B choose an action at the same time; then A receives a reward, and chance
/// picks the next state. A state may be an end, where A receives its value. Payoffs are A's; B's
/// are the negative. All numbers are exact fractions.
///
/// States are numbered from 0 in the order in which they were added.
///
/// ```
/// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
///
/// // Rock, paper, scissors; two wins in a row win the game, and otherwise it is even.
/// let one = |value: i32| num_rational::BigRational::from_integer(value.into());
/// let mut game = StochasticGame::builder(Kind::Acyclic, None)?;
/// for (name, value) in [("won", 1), ("even", 0), ("lost", -1)] {
///     game.end(name, one(value))?;
/// }
/// let shapes = ["rock", "paper", "scissors"];
/// for (state, tied, beaten, lost) in
///     [("ahead", "even", "won", "even"), ("behind", "even", "even", "lost"), ("first", "even", "ahead", "behind")]
/// {
///     let mut cells = CellTable::default();
///     for a in 0..3 {
///         for b in 0..3 {
///             cells.follow(1, [tied, beaten, lost][(a + 3 - b) % 3]);
///             cells.push(0);
///         }
///         cells.end_row();
///     }
///     game.state(state, [&shapes, &shapes], one(0), &cells)?;
/// }
/// game.start("first")?;
/// let solution = StochasticSolver::new(game.finish()?).solve()?;
/// assert!(solution.enclosure(&solution.game().place("first")?)?.contains(&one(0)));
/// assert!(solution.enclosure(&solution.game().place("ahead")?)?.contains(&num_rational::BigRational::new(1.into(), 3.into())));
/// # Ok::<(), stochastic_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StochasticGame {
    pub(crate) kind: Kind,
    /// 1 unless the game is discounted.
    pub(crate) discount: BigRational,
    pub(crate) names: Names,
    pub(crate) starts: Vec<u32>,
    pub(crate) nodes: Vec<PackedNode>,
    /// The values of ends and the payoffs of infinite plays.
    pub(crate) numbers: Vec<BigRational>,
    /// Lists of actions; many states share one.
    pub(crate) lists: Vec<Vec<Box<str>>>,
    /// The cells, state by state and row by row, and a last one that marks the end.
    pub(crate) cells: Vec<PackedCell>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Rewards times the denominators of their cells, with these denominators; the first is 0
    /// with 1.
    pub(crate) payments: Vec<(i128, u64)>,
    /// `None` where all probabilities are known.
    pub(crate) uncertainty: Option<Uncertainty>,
    pub(crate) texts: Texts,
}

/// Texts for people, which neither solving nor certificates know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) pictures: BTreeMap<u32, Box<str>>,
}

/// The item that 64 random bits draw by weights with this sum.
pub(crate) fn drawn(weights: impl IntoIterator<Item = (u32, u64)>, sum: u64, bits: u64) -> u32 {
    let mut ticket = (u128::from(bits) * u128::from(sum)) >> u64::BITS;
    let mut last = 0;
    for (item, weight) in weights {
        last = item;
        match ticket.checked_sub(weight.into()) {
            Some(rest) => ticket = rest,
            None => break,
        }
    }
    last
}

/// The most bytes that solving takes for a state (name, node, bounds, strategies), a cell and an
/// outcome. Cells and outcomes count twice: in the numbers of the game, and in those of its
/// component.
pub(crate) const BYTES_A_STATE: u64 = 200;
pub(crate) const BYTES_A_CELL: u64 = 16 + 64;
pub(crate) const BYTES_AN_OUTCOME: u64 = 16 + 16;

/// A state: an end, or a matrix of cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedNode {
    /// The index of its first cell; for an end that of the next state.
    pub(crate) first_cell: u32,
    /// Its value, or its payoff of infinite plays, as an index of the numbers.
    pub(crate) number: u32,
    /// The lists of A's and B's actions; `None` at an end.
    pub(crate) actions: Option<[u32; 2]>,
}

/// A cell, by the indices of its outcomes and payment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedCell {
    pub(crate) first_outcome: u32,
    pub(crate) payment: u32,
}

impl StochasticGame {
    pub(crate) const ACCESS: Written<Self> = (|game| game, |state| state);

    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The kind of the game, which was verified.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The factor of every successor's value; 1 unless the game is discounted.
    pub const fn discount(&self) -> &BigRational {
        &self.discount
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The numbers of the states where play starts.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The state of a number.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`].
    pub fn state(&self, number: usize) -> Result<StateView<'_>, StochasticGameError> {
        if number < self.len() {
            Ok(StateView::new(self, number))
        } else {
            Err(StochasticGameFault::UnknownState { name: number.to_string() }.into())
        }
    }

    /// All states, by their numbers.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateView<'_>> {
        (0..self.len()).map(|number| StateView::new(self, number))
    }

    /// The number of the state with a name.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`].
    pub fn place(&self, name: &str) -> Result<usize, StochasticGameError> {
        let unknown = || StochasticGameFault::UnknownState { name: name.to_owned() }.into();
        self.names.find(name).map(|place| place as usize).ok_or_else(unknown)
    }

    /// The name of a state, as [`StateView::name`]. The crate knows its numbers.
    pub(crate) fn name(&self, state: usize) -> &str {
        self.names.get(state).expect("a state of the game")
    }

    /// The names of A's and B's actions; `None` at an end.
    pub(crate) fn actions(&self, state: usize) -> Option<[&[Box<str>]; 2]> {
        self.nodes[state]
            .actions
            .map(|lists| lists.map(|list| self.lists[list as usize].as_slice()))
    }

    /// The value of an end; `None` for other states.
    pub(crate) fn end_value(&self, state: usize) -> Option<&BigRational> {
        let node = &self.nodes[state];
        node.actions.is_none().then(|| &self.numbers[node.number as usize])
    }

    /// The payoff of infinite plays through this state.
    pub(crate) fn endless(&self, state: usize) -> &BigRational {
        &self.numbers[self.nodes[state].number as usize]
    }

    /// The title of the game's file.
    pub fn title(&self) -> Option<&str> {
        self.texts.title.as_deref()
    }

    pub fn description(&self) -> Option<&str> {
        self.texts.description.as_deref()
    }

    /// The picture of a state in the game's file.
    pub(super) fn picture(&self, state: usize) -> Option<&str> {
        self.texts.pictures.get(&u32::try_from(state).ok()?).map(AsRef::as_ref)
    }

    /// The number of pairs of actions, over all states.
    pub const fn cells(&self) -> usize {
        self.cells.len() - 1
    }

    /// The player for whom nature chooses uncertain probabilities; `None` in a game where all are
    /// known.
    pub fn nature(&self) -> Option<Player> {
        self.uncertainty.as_ref().map(|uncertainty| uncertainty.nature)
    }

    /// The game in which nature chooses for this player.
    pub(crate) fn with_nature(&self, player: Player) -> Self {
        let mut game = self.clone();
        if let Some(uncertainty) = &mut game.uncertainty {
            uncertainty.nature = player;
        }
        game
    }

    pub(super) fn cell_range(&self, state: usize) -> Range<usize> {
        let end =
            self.nodes.get(state + 1).map_or(self.cells.len() - 1, |next| next.first_cell as usize);
        self.nodes[state].first_cell as usize..end
    }

    /// A cell of a state that is no end. Hidden: a view of how cells are stored, for learners that
    /// read them in their inner loop; [`StateView::turn`] is for everyone.
    #[doc(hidden)]
    pub fn cell(&self, state: usize, a: usize, b: usize) -> CellView<'_> {
        let node = &self.nodes[state];
        let columns = node.actions.map_or(0, |[_, list]| self.lists[list as usize].len());
        self.cell_at(node.first_cell as usize + a * columns + b)
    }

    pub(super) fn cell_at(&self, place: usize) -> CellView<'_> {
        let (cell, next) = (&self.cells[place], &self.cells[place + 1]);
        let (reward, denominator) = self.payments[cell.payment as usize];
        let range = cell.first_outcome as usize..next.first_outcome as usize;
        let uncertain = match &self.uncertainty {
            None => None,
            Some(uncertainty) => uncertainty.cell(range.clone()),
        };
        CellView { outcomes: &self.outcomes[range], denominator, reward, uncertain }
    }

    /// The numbers of A's and of B's actions; 0 at an end.
    pub(crate) fn sizes(&self, state: usize) -> [usize; 2] {
        self.nodes[state]
            .actions
            .map_or([0, 0], |lists| lists.map(|list| self.lists[list as usize].len()))
    }

    pub(crate) fn all_cells(&self, state: usize) -> impl Iterator<Item = CellView<'_>> {
        self.cell_range(state).map(|place| self.cell_at(place))
    }
}

impl Graph for StochasticGame {
    fn states(&self) -> usize {
        self.nodes.len()
    }

    fn edges(&self, state: usize) -> Range<usize> {
        let cells = self.cell_range(state);
        self.cells[cells.start].first_outcome as usize..self.cells[cells.end].first_outcome as usize
    }

    fn target(&self, edge: usize) -> usize {
        self.outcomes[edge].state as usize
    }
}

impl NumberedGame for StochasticGame {
    type Row = ();

    fn kind(&self) -> Kind {
        self.kind
    }

    fn numbers(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, state: usize) -> Result<Node, StochasticGameError> {
        Ok(GameRules::node(self, &state))
    }

    fn cells(
        &self,
        state: usize,
        actions: [usize; 2],
        (): &mut (),
        mut visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<(), StochasticGameError> {
        let [_, columns] = actions;
        // Counted, since a division takes as long as a cell.
        let [mut a, mut b] = [0, 0];
        for cell in self.all_cells(state) {
            visit([a, b], &cell);
            b += 1;
            if b == columns {
                [a, b] = [a + 1, 0];
            }
        }
        Ok(())
    }

    fn successor(outcome: u32) -> NumberedState {
        NumberedState::canonical(outcome as usize)
    }

    fn endless(&self, state: usize) -> BigRational {
        Self::endless(self, state).clone()
    }

    fn digest(&self, _: Scale) -> u64 {
        let mut digest = Digest::new(self.len(), 0);
        digest.add_text(&format!("{} {}", self.kind, self.discount));
        // Mostly the next state is like the last one but for its cells.
        let mut last: Option<&PackedNode> = None;
        let mut text = String::new();
        for (state, node) in self.nodes.iter().enumerate() {
            if last.is_none_or(|last| (last.actions, last.number) != (node.actions, node.number)) {
                text = match self.end_value(state) {
                    Some(value) => format!("end {value}"),
                    None => {
                        let [rows, columns] = self.sizes(state);
                        format!("{rows} {columns} {}", Self::endless(self, state))
                    }
                };
            }
            digest.add_text(&text);
            last = Some(node);
        }
        for state in 0..self.len() {
            self.all_cells(state).for_each(|cell| digest.add(&cell));
        }
        if let Some(Uncertainty { nature, limits }) = &self.uncertainty {
            digest.add_number(*nature as u64);
            limits.iter().flatten().for_each(|&limit| digest.add_number(limit));
        }
        digest.long()
    }

    fn name_of(&self, state: usize) -> String {
        self.name(state).to_owned()
    }
}

/// A written game is its own rules: a state is its number. A number of no state has no actions and
/// no successors, as rules cannot refuse a question.
impl GameRules for StochasticGame {
    type State = usize;

    fn starts(&self) -> Vec<usize> {
        self.starts.iter().map(|&start| start as usize).collect()
    }

    fn node(&self, &state: &usize) -> Node {
        if state >= self.len() {
            return Node::Choose { a: 0, b: 0 };
        }
        match self.end_value(state) {
            Some(value) => Node::Over(value.clone()),
            None => {
                let [a, b] = self.sizes(state);
                Node::Choose { a, b }
            }
        }
    }

    /// Solvers read the cells themselves. A reward whose numerator or denominator exceeds 63 bits
    /// is rejected as one without a denominator.
    fn after(&self, &state: &usize, a: usize, b: usize, outcomes: &mut Outcomes<usize>) {
        let view = self.state(state).ok();
        let Some(cell) = view.and_then(|view| view.cell([a, b]).ok()) else { return };
        for outcome in cell.outcomes {
            outcomes.by_chance(outcome.weight, outcome.state as usize);
        }
        let reward = Ratio::new(cell.reward, i128::from(cell.denominator));
        let parts = (i64::try_from(*reward.numer()), u64::try_from(*reward.denom()));
        outcomes.reward = if let (Ok(numerator), Ok(denominator)) = parts {
            (numerator, denominator)
        } else {
            (0, 0)
        };
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn discount(&self) -> BigRational {
        self.discount.clone()
    }

    fn endless(&self, &state: &usize) -> BigRational {
        self.state(state).map_or_else(|_| BigRational::default(), |view| view.endless().clone())
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn index_limit(&self) -> usize {
        self.len()
    }

    fn name(&self, &state: &usize) -> String {
        self.names.get(state).map_or_else(|| state.to_string(), ToString::to_string)
    }

    fn action_name(&self, &state: &usize, player: Player, action: usize) -> String {
        let names = self.state(state).ok().and_then(StateView::actions);
        names
            .map(|names| names[player as usize])
            .and_then(|names| names.get(action))
            .map_or_else(|| action.to_string(), ToString::to_string)
    }

    fn written() -> Option<Written<Self>> {
        Some(Self::ACCESS)
    }
}
