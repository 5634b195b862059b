//! A learner in a game of any rules.

use num_traits::ToPrimitive;

use super::catalogue::LearnerKind;
use super::learner::SweepLearner;
use super::local_learners::LocalLearners;
use super::local_rule::LocalRule;
use super::state_learner::{column_payoffs, row_payoffs};
use crate::error::{AgentError, Error};
use crate::game::{ByPlayer, Player};
use crate::matrix_game::{Payoffs, dot};
use crate::policy::PolicyNumbers;
use crate::stochastic_game::{
    Kind, StateView, StationaryPolicy, StochasticGame, StochasticGameError,
};

/// A learner in a game of any rules: at every state two no-regret learners play the matrix game
/// over the successors' values.
///
/// The estimated value of a state is its mean payoff, or with the scheme of CFR+ a mean in which
/// the t-th payoff has weight t. In an acyclic game it converges by induction from the ends: when
/// the successors' values converge, so does the matrix, and players whose average regret vanishes
/// get its value on average. Where states repeat nothing is proved here;
/// [`StochasticSolution::judge`](crate::stochastic_game::StochasticSolution::judge) says what was
/// reached in any game.
///
/// ```
/// use pencil_tennis::Player;
/// use pencil_tennis::agents::{GameTraining, LearnerKind, SweepLearner};
/// use pencil_tennis::stochastic_game::{CellTable, Kind, StochasticGame};
/// # use num_rational::Ratio;
///
/// // Matching pennies in which one match pays double: A shows heads with probability 2/3.
/// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
/// for row in [[1, 0], [0, 2]] {
///     for payoff in row {
///         cells.follow(Ratio::new(1, 1), "end");
///         cells.push(payoff);
///     }
///     cells.end_row();
/// }
/// let coin = ["heads", "tails"];
/// game.state("start", [&coin, &coin], Ratio::from_integer(0.into()), &cells)?;
/// game.end("end", Ratio::from_integer(0.into()))?;
/// game.start("start")?;
/// let game = game.finish()?;
///
/// let mut training = GameTraining::new(LearnerKind::CfrPlus, &game)?;
/// for _ in 0..1_000 {
///     training.sweep();
/// }
/// let shares = training.shares(0, Player::A)?;
/// assert!((shares[0] - 2.0 / 3.0).abs() < 0.01);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTraining<'g> {
    kind: LearnerKind,
    rule: LocalRule,
    game: &'g StochasticGame,
    /// All states but the ends, successors first unless they repeat.
    order: Vec<usize>,
    /// The estimated values of all states, to A.
    values: Vec<f64>,
    learners: ByPlayer<LocalLearners>,
    sweeps: u64,
    stage: Stage,
}

/// The matrix game of a state over the estimated values of its successors, and both players'
/// strategies and payoffs in it.
#[derive(Clone, Debug, Default)]
struct Stage {
    matrix: StageMatrix,
    strategies: ByPlayer<Vec<f64>>,
    /// The payoff of each action to its player, against the other's strategy.
    payoffs: ByPlayer<Vec<f64>>,
}

/// A's payoffs, row by row.
#[derive(Clone, Debug, Default)]
struct StageMatrix {
    entries: Vec<f64>,
    columns: usize,
}

impl Payoffs for StageMatrix {
    fn rows(&self) -> usize {
        self.entries.len() / self.columns
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[f64])) {
        visit(&self.entries[row * self.columns..][..self.columns]);
    }
}

impl StageMatrix {
    fn fill(&mut self, game: &StochasticGame, state: usize, sizes: [usize; 2], values: &[f64]) {
        let [rows, columns] = sizes;
        self.entries.clear();
        self.columns = columns;
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let cell = game.cell(state, row, column);
            let later: f64 = cell
                .outcomes
                .iter()
                .map(|outcome| outcome.weight as f64 * values[outcome.state as usize])
                .sum();
            self.entries.push((cell.reward as f64 + later) / cell.denominator as f64);
        }
    }

    fn span(&self) -> f64 {
        let [least, most] = self
            .entries
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], &entry| {
                [entry.min(least), entry.max(most)]
            });
        most - least
    }
}

impl Stage {
    /// A's mean payoff by the strategies.
    fn value(&self) -> f64 {
        dot(&self.strategies.a, &self.payoffs.a)
    }
}

impl<'g> GameTraining<'g> {
    /// A learner that has not learned yet.
    ///
    /// # Errors
    /// [`AgentError::LearnerUnfit`](super::AgentError::LearnerUnfit) for `simple`, `extended` and
    /// `outcome`, which know Tennis alone;
    /// [`AgentError::UncertainGame`](super::AgentError::UncertainGame).
    pub fn new(kind: LearnerKind, game: &'g StochasticGame) -> Result<Self, Error> {
        let rule = kind.local_rule()?;
        if game.nature().is_some() {
            return Err(AgentError::UncertainGame.into());
        }
        let learners = |player: Player| {
            let counts = game.states().map(|state| sizes(state)[player as usize]);
            LocalLearners::new(rule, 0.0, counts)
        };
        let values = game
            .states()
            .map(|state| state.end_value().map_or(0.0, |value| value.to_f64().unwrap_or_default()))
            .collect();
        Ok(Self {
            kind,
            rule,
            game,
            order: successors_first(game),
            values,
            learners: ByPlayer { a: learners(Player::A), b: learners(Player::B) },
            sweeps: 0,
            stage: Stage::default(),
        })
    }

    pub const fn game(&self) -> &'g StochasticGame {
        self.game
    }

    /// The proved statement about convergence, if there is one.
    pub fn guarantee(&self) -> &'static str {
        if self.game.kind() == Kind::Acyclic {
            self.kind.guarantee()
        } else {
            "none where states repeat"
        }
    }

    /// The sweeps so far.
    pub const fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// The lessons of a sweep: one for every state but the ends.
    pub fn lessons(&self) -> usize {
        self.order.len()
    }

    /// A lesson at every state, successors first unless they repeat. Takes time in proportion to
    /// all cells and their successors.
    pub fn sweep(&mut self) {
        for index in 0..self.order.len() {
            self.learn(self.order[index]);
        }
        self.learners.a.end_lesson();
        self.learners.b.end_lesson();
        self.sweeps += 1;
    }

    fn learn(&mut self, state: usize) {
        let Self { learners, stage, .. } = self;
        let is_cfr_plus = self.kind == LearnerKind::CfrPlus;
        learners.a.strategy(state, &mut stage.strategies.a);
        learners.b.strategy(state, &mut stage.strategies.b);
        let sizes = [stage.strategies.a.len(), stage.strategies.b.len()];
        stage.matrix.fill(self.game, state, sizes, &self.values);
        let span = stage.matrix.span();
        learners.a.widen(span);
        learners.b.widen(span);

        row_payoffs(&stage.matrix, self.rule, &stage.strategies.b, &mut stage.payoffs.a);
        let mut value = stage.value();
        if is_cfr_plus {
            learners.a.learn(state, &stage.payoffs.a, value);
            learners.a.strategy(state, &mut stage.strategies.a);
            value = stage.value();
            column_payoffs(&stage.matrix, &stage.strategies.a, &mut stage.payoffs.b);
        } else {
            column_payoffs(&stage.matrix, &stage.strategies.a, &mut stage.payoffs.b);
            learners.a.learn(state, &stage.payoffs.a, value);
        }
        learners.b.learn(state, &stage.payoffs.b, -value);
        if is_cfr_plus {
            learners.b.strategy(state, &mut stage.strategies.b);
        }

        let lesson = (self.sweeps + 1) as f64;
        // A term's weight in the average, and the newest one's share of a mean with these weights.
        let (weight, share) =
            if is_cfr_plus { (lesson, 2.0 / (lesson + 1.0)) } else { (1.0, 1.0 / lesson) };
        learners.a.add(state, &stage.strategies.a, weight);
        learners.b.add(state, &stage.strategies.b, weight);
        self.values[state] += share * (value - self.values[state]);
    }

    /// The probabilities of a player's actions at a state, as learned; none at an end.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn shares(&self, state: usize, player: Player) -> Result<Vec<f64>, StochasticGameError> {
        let state = self.game.state(state)?;
        Ok(self.learners[player].average(state.number()))
    }

    /// The average strategy of a player.
    ///
    /// # Errors
    /// As [`StationaryPolicy::from_table`].
    pub fn policy(&self, player: Player) -> Result<StationaryPolicy, Error> {
        let shares: Vec<Vec<f64>> =
            (0..self.game.len()).map(|state| self.learners[player].average(state)).collect();
        let width = shares.iter().map(Vec::len).max().unwrap_or(0);
        let padded = shares.into_iter().flat_map(|mut row| {
            row.resize(width, 0.0);
            row
        });
        let table: Vec<f64> = padded.collect();
        Ok(StationaryPolicy::from_table(self.game, player, &table, width, PolicyNumbers::Weights)?)
    }
}

impl SweepLearner for GameTraining<'_> {
    fn kind(&self) -> LearnerKind {
        self.kind
    }

    fn guarantee(&self) -> &'static str {
        if self.game.kind() == Kind::Acyclic {
            self.kind.guarantee()
        } else {
            "none where states repeat"
        }
    }

    fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// One for every state but the ends.
    fn lessons(&self) -> usize {
        self.order.len()
    }

    /// Successors come first unless they repeat.
    fn sweep(&mut self) {
        for index in 0..self.order.len() {
            self.learn(self.order[index]);
        }
        self.learners.a.end_lesson();
        self.learners.b.end_lesson();
        self.sweeps += 1;
    }
}

/// The numbers of A's and of B's actions; 0 at an end.
fn sizes(state: StateView<'_>) -> [usize; 2] {
    state.actions().map_or([0; 2], |actions| actions.map(<[_]>::len))
}

/// All states but the ends, in the order in which a depth-first search leaves them: successors
/// first unless they repeat.
fn successors_first(game: &StochasticGame) -> Vec<usize> {
    let sizes: Vec<[usize; 2]> = game.states().map(sizes).collect();
    let successors = |state: usize| -> Vec<usize> {
        let [rows, columns] = sizes[state];
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let outcomes = cells.flat_map(|(row, column)| game.cell(state, row, column).outcomes);
        outcomes.map(|outcome| outcome.state as usize).collect()
    };
    let (mut order, mut is_met) = (Vec::new(), vec![false; game.len()]);
    for first in 0..game.len() {
        let mut path = vec![(first, None)];
        while let Some((state, rest)) = path.pop() {
            let mut rest: Vec<usize> = match rest {
                Some(rest) => rest,
                None if is_met[state] => continue,
                None => {
                    is_met[state] = true;
                    successors(state)
                }
            };
            match rest.pop() {
                Some(next) => path.extend([(state, Some(rest)), (next, None)]),
                None if sizes[state] != [0; 2] => order.push(state),
                None => {}
            }
        }
    }
    order
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::{GameTraining, sizes, successors_first};
    use crate::Player;
    use crate::agents::LearnerKind;
    use crate::report::gallery_game;
    use crate::stochastic_game::{PolicyJudgement, StochasticGame, StochasticSolver};
    use crate::work::unwatched;

    /// Goofspiel with 5 cards, whose value is 0.
    fn goofspiel() -> StochasticGame {
        StochasticGame::read(&gallery_game("goofspiel-5").expect("a game of the gallery")[..])
            .expect("a game")
    }

    #[test]
    fn successors_come_first_where_no_state_repeats() {
        let game = goofspiel();
        let order = successors_first(&game);
        let mut position = vec![None; game.len()];
        for (at, &state) in order.iter().enumerate() {
            assert_eq!(position[state].replace(at), None, "each state once");
        }
        for &state in &order {
            let [rows, columns] = sizes(game.state(state).expect("a state"));
            assert!(rows > 0 && columns > 0, "no end");
            for (row, column) in
                (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
            {
                for outcome in game.cell(state, row, column).outcomes {
                    assert!(position[outcome.state as usize] < position[state]);
                }
            }
        }
    }

    /// Twenty-five times as many sweeps bring all learners at least half as much closer as the rate
    /// that is proved of no-regret learners, the square root: 2.5 times instead of 5. The
    /// exploitability is proved by best responses.
    #[test]
    fn all_learners_come_ever_closer_to_the_optimum() {
        let game = goofspiel();
        let solution = StochasticSolver::new(game.clone()).solve().expect("a solution");
        for kind in [
            LearnerKind::RegretMatching,
            LearnerKind::RegretMatchingPlus,
            LearnerKind::CfrPlus,
            LearnerKind::FictitiousPlay,
            LearnerKind::ExponentialWeights,
        ] {
            let mut training = GameTraining::new(kind, &game).expect("a learner");
            let [before, after] = [40, 1_000].map(|sweeps| {
                while training.sweeps() < sweeps {
                    training.sweep();
                }
                let judge = |player| {
                    solution
                        .judge(&training.policy(player).expect("a policy"), &mut unwatched)
                        .expect("a game")
                };
                let start = game.starts()[0] as usize;
                PolicyJudgement::exploitability(&Player::BOTH.map(judge), start)
                    .expect("a state")
                    .expect("both")
                    .upper()
            });
            assert!(after < before / 2.5, "{kind}: {before} to {after}");
        }
    }

    #[test]
    fn uncertain_probabilities_are_refused() {
        let game = StochasticGame::read(
            &br#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"],"nature":"B"}
{"id":"won","value":"1"}
{"id":"lost","value":"0"}
{"id":"s","a":["go"],"b":["wait"],"cells":[[{"to":[["[1/4,1/2]","won"],["[1/2,3/4]","lost"]]}]]}
"#[..],
        )
        .expect("a game");
        let error = GameTraining::new(LearnerKind::CfrPlus, &game)
            .expect_err("nature would have to learn")
            .to_string();
        assert!(error.contains("uncertain probabilities"), "{error}");
    }

    #[test]
    fn learners_of_tennis_are_refused() {
        let game = goofspiel();
        for kind in [LearnerKind::Simple, LearnerKind::Extended, LearnerKind::OutcomeSampling] {
            let error =
                GameTraining::new(kind, &game).expect_err("it knows Tennis alone").to_string();
            assert!(
                error.contains("expected rm, rm-plus, cfr-plus, fictitious or exponential"),
                "{error}"
            );
        }
    }
}
