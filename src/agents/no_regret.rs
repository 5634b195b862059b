use super::options::Schedule;
use super::state_table::StateTable;
use super::state_table::{LearningMethod, StateLearner, Turn};
use crate::game::StateSpace;
use crate::induction::Order;
use crate::matrix_game::{Payoffs, dot};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UpdateScheme {
    pub(super) rule: LocalRule,
    /// Whether B updates against A's new strategy, rather than both at once.
    pub(super) alternating: bool,
    /// Whether the t-th strategy has weight t in the average.
    pub(super) linear: bool,
}

/// At every state two no-regret learners play the matrix game over the successors' values and observe the payoff of every bid.
///
/// The estimated value of a state is its mean payoff. It converges by induction from the empty accounts upward: when the
/// successors' values converge, so does the matrix, and players whose average regret vanishes get the value of the limit matrix
/// on average, and their average strategies become optimal.
#[derive(Clone, Debug)]
pub(super) struct NoRegret {
    scheme: UpdateScheme,
    schedule: Schedule,
    workspace: Workspace,
}

#[derive(Clone, Debug, Default)]
struct Workspace {
    strategies: [Vec<f64>; 2],
    won: [Vec<f64>; 2],
}

impl NoRegret {
    pub(super) fn new(scheme: UpdateScheme, schedule: Schedule) -> Self {
        Self { scheme, schedule, workspace: Workspace::default() }
    }
}

impl StateLearner<NoRegret> {
    fn learn(&mut self, own: u32, other: u32, place: usize) {
        let Self { table, method: NoRegret { scheme, workspace, .. }, .. } = self;
        let UpdateScheme { rule, alternating, linear } = *scheme;
        let [row, mirror] = table.geometry.rows_at(own, other, place);
        let accounts = [own, other];
        let Workspace { strategies, won } = workspace;
        let choose = |table: &mut StateTable, side: usize, strategy: &mut Vec<f64>| {
            table.strategy(rule, [row, mirror][side], accounts[side], strategy);
        };
        let [mine, theirs] = strategies;
        choose(table, 0, mine);
        choose(table, 1, theirs);
        let [my_wins, their_wins] = won;
        let stage = table.stage(own, other, place);
        self.entries += rows_win(&stage, rule, theirs, my_wins);
        if !alternating {
            self.entries += columns_win(&stage, rule, mine, their_wins);
        }
        let mut value = dot(mine, my_wins);
        rule.learn(table.learned(row, own), my_wins, value);
        if alternating {
            choose(table, 0, mine);
            let stage = table.stage(own, other, place);
            self.entries += columns_win(&stage, rule, mine, their_wins);
            value = dot(mine, my_wins);
        }
        let visits = table.visits(row) + 1;
        let weight = if linear { visits as f64 } else { 1.0 };
        if row != mirror {
            rule.learn(table.learned(mirror, other), their_wins, -value);
            if alternating {
                choose(table, 1, theirs);
            }
            table.add(mirror, theirs, weight);
        }
        table.add(row, mine, weight);
        // The share of the newest term in a mean of terms with these weights.
        let share = if linear { 2.0 / (visits + 1) as f64 } else { 1.0 / visits as f64 };
        table.move_value(own, other, place, value, share);
    }

    fn sweep(&mut self) {
        let geometry = &self.table.geometry;
        let field = geometry.rules.field();
        let order = Order { space: StateSpace::new(&geometry.rules, [geometry.points; 2]), mirrored: true };
        for state in order.solved_up_to(order.space.layers()) {
            self.learn(state.a, state.b, (state.ball.position() + field) as usize);
        }
        self.games += self.table.geometry.rows() as u64;
    }
}

/// Computes the payoff of every row against a mixed column strategy; returns the number of entries read.
fn rows_win(stage: &impl Payoffs, rule: LocalRule, columns: &[f64], won: &mut Vec<f64>) -> u64 {
    won.clear();
    if let Some(column) = certain(rule, columns) {
        won.extend((0..stage.rows()).map(|row| stage.entry(row, column)));
        return stage.rows() as u64;
    }
    for row in 0..stage.rows() {
        let mut sum = 0.0;
        let mut rest = columns;
        stage.walk_row(row, |run| {
            let (here, behind) = rest.split_at(run.len());
            sum += dot(here, run);
            rest = behind;
        });
        won.push(sum);
    }
    (stage.rows() * stage.columns()) as u64
}

/// Computes the columns' payoffs, the negative of the rows', against a mixed row strategy; returns the number of entries read.
fn columns_win(stage: &impl Payoffs, rule: LocalRule, rows: &[f64], won: &mut Vec<f64>) -> u64 {
    won.clear();
    won.resize(stage.columns(), 0.0);
    let certain = certain(rule, rows);
    let mut read = 0;
    for (row, &share) in rows.iter().enumerate() {
        if share == 0.0 || certain.is_some_and(|certain| certain != row) {
            continue;
        }
        read += stage.columns() as u64;
        let mut place = 0;
        stage.walk_row(row, |run| {
            for (won, entry) in won[place..].iter_mut().zip(run) {
                *won -= share * entry;
            }
            place += run.len();
        });
    }
    read
}

/// The only bid of a pure strategy. Before the first update a pure rule has none.
fn certain(rule: LocalRule, strategy: &[f64]) -> Option<usize> {
    if rule.is_pure() { strategy.iter().position(|&share| share == 1.0) } else { None }
}

impl LearningMethod for NoRegret {
    fn strategy(StateLearner { table, method, .. }: &mut StateLearner<Self>, row: usize, own: u32) -> &[f64] {
        table.strategy(method.scheme.rule, row, own, &mut method.workspace.strategies[0]);
        &method.workspace.strategies[0]
    }

    fn play(learner: &mut StateLearner<Self>, games: u64) {
        let target = learner.games.saturating_add(games);
        let mut turns = Vec::new();
        while learner.games < target {
            match learner.method.schedule {
                Schedule::Sweeps => learner.sweep(),
                Schedule::Games => {
                    learner.self_play(&mut turns);
                    while let Some(Turn { accounts: [a, b], place, .. }) = turns.pop() {
                        learner.learn(a, b, place);
                    }
                    learner.games += 1;
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalRule {
    RegretMatching,
    RegretMatchingPlus,
    FictitiousPlay,
    ExponentialWeights,
}

impl LocalRule {
    pub(super) fn is_pure(self) -> bool {
        self == Self::FictitiousPlay
    }

    /// Writes the strategy after `visits` updates from the regrets or summed payoffs; `span` is the range of payoffs.
    pub(super) fn strategy(self, learned: &[f64], visits: u64, span: f64, strategy: &mut [f64]) {
        match self {
            Self::RegretMatching | Self::RegretMatchingPlus => {
                for (share, &regret) in strategy.iter_mut().zip(learned) {
                    *share = regret.max(0.0);
                }
            }
            Self::FictitiousPlay => {
                strategy.fill(0.0);
                if visits > 0 {
                    strategy[largest(learned)] = 1.0;
                }
            }
            Self::ExponentialWeights => {
                // The anytime learning rate for payoffs of this span (Cesa-Bianchi and Lugosi 2006, theorem 2.3).
                let rate = (8.0 * (learned.len() as f64).ln() / (visits + 1) as f64).sqrt() / span;
                let most = learned[largest(learned)];
                for (share, &won) in strategy.iter_mut().zip(learned) {
                    *share = (rate * (won - most)).exp();
                }
            }
        }
        let sum: f64 = strategy.iter().sum();
        if sum > 0.0 {
            for share in strategy {
                *share /= sum;
            }
        } else {
            strategy.fill(1.0 / strategy.len() as f64);
        }
    }

    /// Updates regrets or sums by the payoff of every bid in a turn that paid `value`.
    pub(super) fn learn(self, learned: &mut [f64], won: &[f64], value: f64) {
        match self {
            Self::RegretMatching => {
                for (regret, won) in learned.iter_mut().zip(won) {
                    *regret += won - value;
                }
            }
            Self::RegretMatchingPlus => {
                for (regret, won) in learned.iter_mut().zip(won) {
                    *regret = (*regret + won - value).max(0.0);
                }
            }
            Self::FictitiousPlay | Self::ExponentialWeights => {
                for (sum, won) in learned.iter_mut().zip(won) {
                    *sum += won;
                }
            }
        }
    }
}

fn largest(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (place, &number) in numbers.iter().enumerate() {
        if number > numbers[best] {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::LocalRule;

    #[test]
    fn regrets_by_hand() {
        // Two bids would have won 3 and −1 where 1 was won; then −1 and 0 where −1 was.
        for (rule, expected) in [
            (LocalRule::RegretMatching, [2.0, -1.0]),
            (LocalRule::RegretMatchingPlus, [2.0, 1.0]),
            (LocalRule::FictitiousPlay, [2.0, -1.0]),
        ] {
            let mut learned = [0.0; 2];
            rule.learn(&mut learned, &[3.0, -1.0], 1.0);
            rule.learn(&mut learned, &[-1.0, 0.0], -1.0);
            assert_eq!(learned, expected, "{rule:?}");
        }
        let mut strategy = [0.0; 2];
        LocalRule::RegretMatchingPlus.strategy(&[2.0, 1.0], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [2.0 / 3.0, 1.0 / 3.0]);
        LocalRule::RegretMatching.strategy(&[-2.0, -1.0], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [0.5, 0.5], "without positive regret all bids are equal");
        LocalRule::FictitiousPlay.strategy(&[2.0, 2.5], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [0.0, 1.0]);
    }
}
