//! Games in which nature may keep play for a thousand million turns, against the best of all pure
//! strategies and all corners of the limits, each by linear equations in fractions.
//!
//! At every state one player alone chooses, so that pure stationary strategies are enough.

use num_rational::Ratio;
use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    CellTable, Kind, StochasticGame, StochasticProof, StochasticSolution, StochasticSolver,
};

use crate::judged::collected;
use crate::kernels::Fraction;
use crate::random_games::numbers;

/// What an action leads to: a reward, and the least and the largest probability of each successor,
/// in parts of the game. Places 0 and 1 are the ends.
#[derive(Clone, Debug)]
struct Chance {
    reward: i64,
    to: Vec<([i64; 2], usize)>,
}

#[derive(Clone, Debug)]
struct Turn {
    owner: Player,
    actions: Vec<Chance>,
}

#[derive(Clone, Debug)]
struct TurnGame {
    kind: Kind,
    /// A whole, of which probabilities are parts.
    parts: i64,
    ends: [i64; 2],
    states: Vec<Turn>,
}

/// A row of a Markov chain: what it pays, and the probabilities of the ends and the states.
#[derive(Clone, Debug)]
struct Row {
    reward: i64,
    to: Vec<Fraction>,
}

/// The rows that nature may choose at a state, by action.
type Rows = Vec<Vec<Row>>;

impl TurnGame {
    fn random(
        numbers: &mut impl FnMut(u64) -> u64,
        kind: Kind,
        parts: i64,
        states: usize,
        actions: u64,
    ) -> Self {
        let ends = [numbers(3) as i64, -(numbers(3) as i64)];
        let mut game = Self { kind, parts, ends, states: Vec::new() };
        for _ in 0..states {
            let owner = if numbers(2) == 0 { Player::A } else { Player::B };
            let mut chances = Vec::new();
            for _ in 0..=numbers(actions) {
                chances.push(game.random_chance(numbers, states));
            }
            game.states.push(Turn { owner, actions: chances });
        }
        game
    }

    fn random_chance(&self, numbers: &mut impl FnMut(u64) -> u64, states: usize) -> Chance {
        let mut to = Vec::new();
        for _ in 0..=numbers(2) {
            to.push(2 + numbers(states as u64) as usize);
        }
        // Play without an end is worth 0, where it is paid nothing.
        let ends = !matches!(self.kind, Kind::Recursive | Kind::Total) || numbers(4) > 0;
        if ends {
            to.push(numbers(2) as usize);
        }
        to.sort_unstable();
        to.dedup();
        let count = to.len();
        let mut limits = Vec::new();
        for _ in 0..count {
            let least = [1, 1, self.parts / 16, self.parts / 5][numbers(4) as usize].max(1);
            let most = [self.parts + 1 - count as i64, self.parts / 2][numbers(2) as usize];
            limits.push(if count == 1 { [self.parts; 2] } else { [least, most.max(least)] });
        }
        let reward = match self.kind {
            Kind::Recursive => 0,
            Kind::Total | Kind::Target => numbers(3) as i64,
            _ => numbers(5) as i64 - 2,
        };
        let reward = if ends { reward } else { 0 };
        Chance { reward, to: limits.into_iter().zip(to).collect() }
    }

    /// The share of every turn's payoff that counts.
    fn discount(&self) -> Option<Fraction> {
        let share = || Ratio::new((self.parts - 1).into(), self.parts.into());
        (self.kind == Kind::Discounted).then(share)
    }

    fn game(&self, nature: Player) -> StochasticGame {
        let mut builder = StochasticGame::builder(self.kind, self.discount()).unwrap();
        builder.nature(nature);
        for (name, value) in ["e0", "e1"].into_iter().zip(self.ends) {
            builder.end(name, Fraction::from_integer(value.into())).unwrap();
        }
        for state in 0..self.states.len() {
            builder.start(&name(2 + state)).unwrap();
        }
        for (state, turn) in self.states.iter().enumerate() {
            let mut cells = CellTable::default();
            for chance in &turn.actions {
                for &([least, most], next) in &chance.to {
                    let limits = [least, most].map(|limit| Ratio::new(limit, self.parts));
                    cells.follow_between(limits[0], limits[1], name(next));
                }
                cells.push(chance.reward);
                if turn.owner == Player::A {
                    cells.end_row();
                }
            }
            if turn.owner == Player::B {
                cells.end_row();
            }
            let names: Vec<String> =
                (0..turn.actions.len()).map(|action| action.to_string()).collect();
            let waits = vec!["-".to_owned()];
            let actions =
                if turn.owner == Player::A { [&names[..], &waits] } else { [&waits[..], &names] };
            builder.state(&name(2 + state), actions, Fraction::zero(), &cells).unwrap();
        }
        builder.finish().unwrap()
    }

    /// The rows of an action in which every probability but one is at a limit.
    fn corners(&self, chance: &Chance) -> Vec<Row> {
        let count = chance.to.len();
        let mut found: Vec<Vec<i64>> = Vec::new();
        for free in 0..count {
            for limits in 0..1_usize << count {
                let mut weights: Vec<i64> = Vec::new();
                for (place, (limit, _)) in chance.to.iter().enumerate() {
                    weights.push(limit[limits >> place & 1]);
                }
                weights[free] = 0;
                weights[free] = self.parts - weights.iter().sum::<i64>();
                let [least, most] = chance.to[free].0;
                if (least..=most).contains(&weights[free]) && !found.contains(&weights) {
                    found.push(weights);
                }
            }
        }
        let mut rows = Vec::new();
        for weights in found {
            let mut to = vec![Fraction::zero(); 2 + self.states.len()];
            for (weight, (_, next)) in weights.into_iter().zip(&chance.to) {
                to[*next] += Ratio::new(weight.into(), self.parts.into());
            }
            rows.push(Row { reward: chance.reward, to });
        }
        rows
    }

    /// The values: nature and its player choose first, and then the opponent, each as well as can
    /// be at every state at once.
    fn values(&self, nature: Player) -> Vec<Fraction> {
        let rows: Vec<Rows> = self
            .states
            .iter()
            .map(|turn| turn.actions.iter().map(|chance| self.corners(chance)).collect())
            .collect();
        // By state, what nature and its player leave to the opponent: a row for each of the
        // opponent's actions.
        let mut left: Vec<Vec<Vec<Row>>> = Vec::new();
        for (turn, rows) in self.states.iter().zip(&rows) {
            left.push(if turn.owner == nature {
                rows.iter().flatten().map(|row| vec![row.clone()]).collect()
            } else {
                combinations(rows)
            });
        }
        let mut best: Option<Vec<Fraction>> = None;
        for chosen in combinations(&left) {
            let mut worst: Option<Vec<Fraction>> = None;
            for chain in combinations(&chosen) {
                let values = self.values_of_chain(&chain);
                worst = Some(better(worst, values, nature.opponent()));
            }
            best = Some(better(best, worst.unwrap(), nature));
        }
        best.unwrap()
    }

    /// The expected payoffs of a chain; a state from which play cannot end is worth 0.
    fn values_of_chain(&self, chain: &[Row]) -> Vec<Fraction> {
        let count = chain.len();
        let discount = self.discount();
        let mut ends = vec![discount.is_some(); count];
        for _ in 0..count {
            for (state, row) in chain.iter().enumerate() {
                let leads = |next: usize| next < 2 || ends[next - 2];
                let is_led = (0..2 + count).any(|next| !row.to[next].is_zero() && leads(next));
                ends[state] |= is_led;
            }
        }
        let counted = discount.unwrap_or_else(Fraction::one);
        let mut pays = vec![Fraction::zero(); count];
        let mut step = vec![vec![Fraction::zero(); count]; count];
        for (state, row) in chain.iter().enumerate().filter(|(state, _)| ends[*state]) {
            pays[state] = Fraction::from_integer(row.reward.into());
            for (share, end) in row.to.iter().zip(self.ends) {
                pays[state] += &counted * share * Fraction::from_integer(end.into());
            }
            for (next, share) in row.to[2..].iter().enumerate() {
                step[state][next] = &counted * share;
            }
        }
        collected(&pays, &step)
    }
}

/// All ways to take one item of each list.
fn combinations<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut found = vec![Vec::new()];
    for list in lists {
        let mut longer = Vec::new();
        for begun in &found {
            for item in list {
                let mut begun: Vec<T> = begun.clone();
                begun.push(item.clone());
                longer.push(begun);
            }
        }
        found = longer;
    }
    found
}

/// The better value of every state for a player.
fn better(known: Option<Vec<Fraction>>, values: Vec<Fraction>, player: Player) -> Vec<Fraction> {
    let Some(known) = known else { return values };
    let pairs = known.into_iter().zip(values);
    pairs
        .map(|(one, other)| if player == Player::A { one.max(other) } else { one.min(other) })
        .collect()
}

fn name(state: usize) -> String {
    if state < 2 { format!("e{state}") } else { format!("s{}", state - 2) }
}

/// Solves a game, and compares with the values; returns the largest width as a share of the value,
/// or of 1.
fn check(game: &TurnGame, nature: Player) -> f64 {
    let solution: StochasticSolution = StochasticSolver::new(game.game(nature))
        .solve()
        .unwrap_or_else(|error| panic!("{error}: {nature} {game:?}"));
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    StochasticProof::verify(&certificate[..]).unwrap();
    let mut widest = 0.0_f64;
    for (state, value) in game.values(nature).into_iter().enumerate() {
        let place = solution.game().place(&name(2 + state)).unwrap();
        let enclosure = solution.enclosure(&place).unwrap();
        assert!(enclosure.contains(&value), "{nature} {state}: {enclosure:?} {value} {game:?}");
        widest = widest.max(enclosure.width() / enclosure.middle().abs().max(1.0));
    }
    widest
}

/// Whether bounds of long plays are nearly as narrow as numbers let them be: those of total rewards
/// are so up to some million turns.
fn are_narrow(kind: Kind, parts: i64) -> bool {
    !matches!(kind, Kind::Total | Kind::Target) || parts <= 1_000_000
}

#[test]
fn nature_keeps_play_for_a_thousand_million_turns() {
    let mut next_number = numbers(4711);
    for kind in [Kind::Discounted, Kind::Stopping, Kind::Recursive, Kind::Total, Kind::Target] {
        for parts in [100, 1_000_000, 1_000_000_000] {
            for [states, actions] in [[1, 1], [1, 3], [2, 2], [3, 1], [4, 1]] {
                for _ in 0..6 {
                    let game =
                        TurnGame::random(&mut next_number, kind, parts, states, actions as u64);
                    for nature in Player::BOTH {
                        let widest = check(&game, nature);
                        let is_narrow = widest < 1e-5 || !are_narrow(kind, parts);
                        assert!(is_narrow, "{widest}: {nature} {game:?}");
                    }
                }
            }
        }
    }
}

/// A is paid 1 a turn and nature keeps play as long as it may, in a state or in a ring of some.
#[test]
fn a_ring_is_left_as_rarely_as_nature_lets_it() {
    for kind in [Kind::Stopping, Kind::Total, Kind::Target] {
        for parts in [1_000_000, 1_000_000_000] {
            for states in 1..=3 {
                let mut ring = TurnGame { kind, parts, ends: [0, 0], states: Vec::new() };
                for state in 0..states {
                    let to = vec![
                        ([parts / 4, parts - 1], 2 + (state + 1) % states),
                        ([1, parts - parts / 4], 0),
                    ];
                    let actions = vec![Chance { reward: 1, to }];
                    ring.states.push(Turn { owner: Player::A, actions });
                }
                let turns = Fraction::from_integer(parts.into());
                assert_eq!(ring.values(Player::A), vec![turns; states]);
                check(&ring, Player::A);
                check(&ring, Player::B);
            }
        }
    }
}
