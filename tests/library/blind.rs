//! Blind Tennis against enumeration in exact fractions under rules written out anew, and its two
//! methods against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use num_rational::BigRational;
use num_traits::Signed;
use pencil_tennis::blind::{
    BlindBestResponse, BlindCheckpoint, BlindError, BlindMethod, BlindPolicy, BlindRow, BlindSize,
    BlindSolution, BlindSolver, ValueOfInformation,
};
use pencil_tennis::{Ball, Error, Motion, Player, Rules, Scoring, Solution, Solver, State};

use crate::fractions::{Fraction, extreme_strategies};

const LP: BlindMethod = BlindMethod::Programme;
const CFR: BlindMethod = BlindMethod::Regret;

fn state(text: &str) -> State {
    text.parse().expect("a state")
}

/// The payoffs of all games here span 4 at most: bounds are 1e-9 apart.
fn solve(rules: &Rules, start: State, method: BlindMethod) -> BlindSolution {
    BlindSolver::new(rules)
        .start(start)
        .method(method)
        .gap(2.5e-10)
        .threads(1)
        .solve()
        .expect("a small game")
}

/// A game of the family, described without a word from the library.
pub(crate) struct Game {
    pub(crate) field: i32,
    over_the_net: bool,
    pub(crate) ends: [&'static str; 5],
}

/// An information set: bids and balls seen.
type Memory = (Vec<u32>, Vec<i32>);

/// The bids that a player is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    Own,
    All,
}

impl Sight {
    /// The bids a player remembers, A's before B's in every turn if both are told.
    fn remembered(self, player: usize, bids: &[Vec<u32>; 2]) -> Vec<u32> {
        match self {
            Self::Own => bids[player].clone(),
            Self::All => bids[0].iter().zip(&bids[1]).flat_map(|(&a, &b)| [a, b]).collect(),
        }
    }

    /// The own bids of what is remembered.
    fn own_bids(self, player: usize, remembered: &[u32]) -> Vec<u32> {
        match self {
            Self::Own => remembered.to_vec(),
            Self::All => remembered[..].iter().copied().skip(player).step_by(2).collect(),
        }
    }

    /// The part of a turn that is remembered.
    const fn bids(self) -> usize {
        match self {
            Self::Own => 1,
            Self::All => 2,
        }
    }
}

/// A bid for everything a player may remember, so far as the strategy comes there itself.
type Pure = BTreeMap<Memory, u32>;

impl Game {
    pub(crate) fn rules(&self) -> Rules {
        let motion = if self.over_the_net { Motion::Net } else { Motion::Step };
        let scoring: Scoring = self.ends.join(",").parse().expect("five numbers");
        Rules::new(self.field, motion, scoring).expect("a field")
    }

    pub(crate) fn moved(&self, ball: i32, bid_a: u32, bid_b: u32) -> i32 {
        match (bid_a.cmp(&bid_b), self.over_the_net) {
            (std::cmp::Ordering::Equal, _) => ball,
            (std::cmp::Ordering::Greater, false) => ball + 1,
            (std::cmp::Ordering::Greater, true) => (ball + 1).max(1),
            (std::cmp::Ordering::Less, false) => ball - 1,
            (std::cmp::Ordering::Less, true) => (ball - 1).min(-1),
        }
    }

    /// The pairs of bid sequences after which a game goes on, and after which it is over.
    fn histories(&self, points: [u32; 2], ball: i32) -> [u64; 2] {
        if ball.abs() > self.field || points == [0, 0] {
            return [0, 1];
        }
        let mut counts = [1, 0];
        for a in points[0].min(1)..=points[0] {
            for b in points[1].min(1)..=points[1] {
                let after = self.histories([points[0] - a, points[1] - b], self.moved(ball, a, b));
                counts = [counts[0] + after[0], counts[1] + after[1]];
            }
        }
        counts
    }

    /// All that either player may come to remember, by playing every game there is.
    fn memories(&self, points: [u32; 2], ball: i32, sights: [Sight; 2]) -> [BTreeSet<Memory>; 2] {
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        let mut open = vec![([vec![], vec![]], vec![ball])];
        while let Some((bids, balls)) = open.pop() {
            let ball = balls[balls.len() - 1];
            let left = [0, 1].map(|player| points[player] - bids[player].iter().sum::<u32>());
            if ball.abs() > self.field || left == [0, 0] {
                continue;
            }
            for (player, found) in found.iter_mut().enumerate() {
                found.insert((sights[player].remembered(player, &bids), balls.clone()));
            }
            for a in left[0].min(1)..=left[0] {
                for b in left[1].min(1)..=left[1] {
                    let (mut bids, mut balls) = (bids.clone(), balls.clone());
                    bids[0].push(a);
                    bids[1].push(b);
                    balls.push(self.moved(ball, a, b));
                    open.push((bids, balls));
                }
            }
        }
        found
    }

    /// All pure strategies of a player.
    fn pure_strategies(
        memories: &BTreeSet<Memory>,
        points: u32,
        player: usize,
        sight: Sight,
    ) -> Vec<Pure> {
        // By length, so that what was bid before is settled.
        let mut ordered: Vec<&Memory> = memories.iter().collect();
        ordered.sort_by_key(|(bids, _)| bids.len());
        let mut strategies = vec![Pure::new()];
        for memory in ordered {
            let (bids, balls) = memory;
            let own_bids = sight.own_bids(player, bids);
            let left = points - own_bids.iter().sum::<u32>();
            let comes_there = |strategy: &Pure| {
                let known =
                    |turn: usize| (bids[..sight.bids() * turn].to_vec(), balls[..=turn].to_vec());
                own_bids
                    .iter()
                    .enumerate()
                    .all(|(turn, bid)| strategy.get(&known(turn)) == Some(bid))
            };
            strategies = strategies
                .into_iter()
                .flat_map(|strategy| {
                    let choices = if comes_there(&strategy) { left.min(1)..=left } else { 0..=0 };
                    let there = comes_there(&strategy);
                    choices.map(move |bid| {
                        let mut strategy = strategy.clone();
                        if there {
                            strategy.insert(memory.clone(), bid);
                        }
                        strategy
                    })
                })
                .collect();
        }
        strategies
    }

    /// The payoff, all bids and all balls of a game.
    fn play_out(
        &self,
        points: [u32; 2],
        ball: i32,
        strategies: [&Pure; 2],
        sights: [Sight; 2],
    ) -> (Fraction, [Vec<u32>; 2], Vec<i32>) {
        let (mut bids, mut balls): ([Vec<u32>; 2], _) = ([vec![], vec![]], vec![ball]);
        let end = loop {
            let ball = balls[balls.len() - 1];
            let left = [0, 1].map(|player| points[player] - bids[player].iter().sum::<u32>());
            if ball.abs() > self.field {
                break if ball > 0 { 0 } else { 4 };
            }
            if left == [0, 0] {
                break 2 - ball.signum();
            }
            let memory = |player: usize| (sights[player].remembered(player, &bids), balls.clone());
            let [a, b] = [0, 1].map(|player| strategies[player][&memory(player)]);
            bids[0].push(a);
            bids[1].push(b);
            balls.push(self.moved(ball, a, b));
        };
        (self.ends[end as usize].parse::<BigRational>().expect("a fraction"), bids, balls)
    }

    fn play(
        &self,
        points: [u32; 2],
        ball: i32,
        strategies: [&Pure; 2],
        sights: [Sight; 2],
    ) -> Fraction {
        self.play_out(points, ball, strategies, sights).0
    }

    /// The payoffs of all pairs of pure strategies.
    fn matrix(&self, points: [u32; 2], ball: i32, sights: [Sight; 2]) -> Vec<Vec<Fraction>> {
        let memories = self.memories(points, ball, sights);
        let pure = |player: usize| {
            Self::pure_strategies(&memories[player], points[player], player, sights[player])
        };
        let [rows, columns] = [pure(0), pure(1)];
        rows.iter()
            .map(|a| columns.iter().map(|b| self.play(points, ball, [a, b], sights)).collect())
            .collect()
    }

    /// The value: the matrix of all pure strategies, from which what is dominated is struck off,
    /// row by row and column by column.
    fn value(&self, points: [u32; 2], ball: i32, sights: [Sight; 2]) -> Fraction {
        let mut matrix = self.matrix(points, ball, sights);
        loop {
            let size = (matrix.len(), matrix[0].len());
            matrix = undominated(matrix);
            matrix = turned(&undominated(turned(&matrix)));
            if (matrix.len(), matrix[0].len()) == size {
                return extreme_strategies(&matrix).0;
            }
        }
    }
}

/// The rows that no other row is as good as everywhere; of equal rows one.
fn undominated(mut matrix: Vec<Vec<Fraction>>) -> Vec<Vec<Fraction>> {
    let mut row = 0;
    while row < matrix.len() {
        let worse = |other: &Vec<Fraction>| {
            other.iter().zip(&matrix[row]).all(|(other, entry)| other >= entry)
        };
        if (0..matrix.len()).any(|other| other != row && worse(&matrix[other])) {
            matrix.remove(row);
        } else {
            row += 1;
        }
    }
    matrix
}

/// The same game with the roles exchanged.
fn turned(matrix: &[Vec<Fraction>]) -> Vec<Vec<Fraction>> {
    (0..matrix[0].len())
        .map(|column| matrix.iter().map(|row| -row[column].clone()).collect())
        .collect()
}

const BLIND: [Sight; 2] = [Sight::Own; 2];

pub(crate) const GAMES: [Game; 4] = [
    Game { field: 2, over_the_net: true, ends: ["2", "1", "0", "-1", "-2"] },
    Game { field: 1, over_the_net: false, ends: ["1", "1", "0", "-1", "-1"] },
    Game { field: 2, over_the_net: false, ends: ["1", "0", "0", "0", "-1"] },
    // Neither fair nor in the natural order, so that more points may be worse.
    Game { field: 1, over_the_net: true, ends: ["1/3", "2", "-1/2", "5/7", "-1"] },
];

#[test]
fn small_games_are_as_enumeration_has_them() {
    let mut mixed = 0;
    for game in &GAMES {
        let rules = game.rules();
        for points in [[1, 1], [2, 1], [1, 3], [2, 2], [3, 2], [2, 3], [3, 3]] {
            for ball in -game.field..=game.field {
                let value = game.value(points, ball, BLIND);
                mixed += usize::from(!value.is_integer());
                let start = State::new(points[0], points[1], Ball::new(ball).expect("a ball"));
                for method in [LP, BlindMethod::InteriorPoint, CFR] {
                    let solution = solve(&rules, start, method);
                    let [lower, upper] = solution.enclosure().fractions();
                    assert!(
                        lower <= value && value <= upper,
                        "{start} {rules:?} {method}: {lower} {value} {upper}"
                    );
                    assert!(solution.enclosure().width() <= 1e-9, "{start} {rules:?} {method}");
                }
            }
        }
    }
    assert!(mixed > 10, "only {mixed} values are fractions");
}

#[test]
fn sizes_are_those_counted_by_hand_made_recursion() {
    // Histories of either kind together, and information sets of a player, counted by other code.
    for (points, histories, sets) in [
        (5, 510, 166),
        (6, 2_008, 543),
        (7, 7_774, 1_735),
        (8, 29_604, 5_448),
        (9, 111_288, 16_898),
    ] {
        let size = BlindSize::new(&Rules::tennis(), State::new(points, points, Ball::NET));
        assert_eq!((size.histories + size.plays, size.information_sets), (histories, [sets, sets]));
    }
    for game in &GAMES {
        for points in [[3, 3], [4, 2], [1, 4], [5, 4]] {
            let start = State::new(points[0], points[1], Ball::NET);
            let memories = game.memories(points, 0, BLIND).map(|memories| memories.len() as u64);
            let size = BlindSize::new(&game.rules(), start);
            assert_eq!(size.information_sets, memories, "{start}");
            assert_eq!([size.histories, size.plays], game.histories(points, 0), "{start}");
        }
    }
}

/// The estimate of memory grows with the plays of the game, and is the limit itself: a byte less is
/// refused, and the refusal says for how many points it is enough.
#[test]
fn memory_is_limited_to_the_byte() {
    const OF_A_PLAY: u64 = 13;
    for points in [[6, 5], [7, 7], [3, 8]] {
        let solver = || BlindSolver::new(&Rules::tennis()).points(points);
        let [_, plays] = GAMES[0].histories(points, 0);
        let bytes = solver().memory();
        assert_eq!(bytes, OF_A_PLAY * plays, "{points:?}");
        assert!(solver().gap(1.0).memory_limit(bytes).solve().is_ok(), "{points:?}");
        let refused = solver().memory_limit(bytes - 1).solve().expect_err("a byte is missing");
        let Error::Blind(BlindError::Memory { bytes: needed, limit, most, .. }) = refused else {
            panic!("{refused}")
        };
        let enough =
            (1..9).rfind(|&points| OF_A_PLAY * GAMES[0].histories([points; 2], 0)[1] < bytes);
        assert_eq!((needed, limit, Some(most)), (bytes, bytes - 1, enough), "{points:?}");
    }
}

#[test]
fn linear_programmes_and_regrets_agree() {
    let rules = Rules::tennis();
    for points in
        ["4:3@0", "6:5@0", "6:4@0", "7:5@0", "5:7@0", "7:6@0", "8:6@0", "8:7@0", "6:6@1", "7:7@0"]
    {
        let [exact, learned] =
            [LP, CFR].map(|method| solve(&rules, state(points), method).enclosure());
        assert!(
            exact.width() <= 1e-9 && learned.width() <= 1e-9,
            "{points}: {exact:?} {learned:?}"
        );
        assert!(
            exact.lower() <= learned.upper() && learned.lower() <= exact.upper(),
            "{points}: {exact:?} {learned:?}"
        );
    }
}

/// The interior-point method knows nothing of the programmes; both enclosures hold the value.
#[test]
fn an_interior_point_method_comes_to_the_same() {
    for points in ["7:5@0", "8:7@0", "8:8@0", "6:7@1"] {
        let interior =
            solve(&Rules::tennis(), state(points), BlindMethod::InteriorPoint).enclosure();
        let simplex = solve(&Rules::tennis(), state(points), LP).enclosure();
        assert!(interior.width() <= 1e-9, "{points}: {interior:?}");
        assert!(
            interior.lower() <= simplex.upper() && simplex.lower() <= interior.upper(),
            "{points}"
        );
    }
}

#[test]
fn who_has_one_point_plays_an_open_game() {
    // One point is spent in the first turn whatever happens: the other player knows the account at
    // every moment.
    for game in &GAMES {
        let rules = game.rules();
        let open = Solver::new(&rules).points([6, 6]).solve().expect("a small game");
        for (start, blind) in
            ["1:6@0", "5:1@1", "1:3@-1", "1:1@0"].map(|text| (text, solve(&rules, state(text), LP)))
        {
            let value = open.value(state(start)).expect("a state");
            assert!(
                (blind.value() - value).abs() < 1e-9,
                "{start}: {} blind, {value} open",
                blind.value()
            );
        }
    }
}

#[test]
fn equal_points_are_worth_nothing_and_roles_may_be_exchanged() {
    let rules = Rules::tennis();
    let even = solve(&rules, state("7:7@0"), CFR);
    assert_eq!(even.value(), 0.0);
    assert_eq!(even.opening(Player::A), even.opening(Player::B));
    let [one, other] =
        ["8:6@1", "6:8@-1"].map(|start| solve(&rules, state(start), CFR).enclosure());
    assert!(one.lower() <= -other.lower() && -other.upper() <= one.upper(), "{one:?} {other:?}");
}

#[test]
fn known_values_of_unequal_points() {
    // As the linear programmes have it, which are too slow for a test.
    let solution = solve(&Rules::tennis(), state("10:8@0"), CFR);
    assert!(
        solution.enclosure().lower() > 1.184_846_856
            && solution.enclosure().upper() < 1.184_846_858
    );
    // One point more is worth a whole one.
    for points in 4..=8 {
        let solution = solve(&Rules::tennis(), State::new(points, points - 1, Ball::NET), CFR);
        assert!((solution.value() - 1.0).abs() < 1e-9, "{points}");
    }
}

#[test]
fn learning_comes_to_what_programmes_say() {
    let enclosure = BlindSolver::new(&Rules::tennis())
        .points([7, 5])
        .gap(2.5e-5)
        .solve()
        .expect("a small game")
        .enclosure();
    let exact = solve(&Rules::tennis(), state("7:5@0"), LP).enclosure();
    assert!(
        enclosure.width() <= 1e-4
            && enclosure.lower() <= exact.upper()
            && exact.lower() <= enclosure.upper()
    );
}

#[test]
fn a_learner_goes_on_where_it_stopped() {
    let solver = || BlindSolver::new(&Rules::tennis()).points([9, 7]).gap(1e-7);
    let whole = solver().threads(2).solve().expect("a small game");
    let mut bytes = Vec::new();
    let stopped = solver()
        .on_bounds(|progress| {
            if progress.iterations > 100 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .on_checkpoint(Duration::MAX, |checkpoint| {
            bytes.clear();
            checkpoint.write(&mut bytes).expect("memory takes everything");
        })
        .solve()
        .expect("bounds reached so far");
    assert!(stopped.enclosure().width() > whole.enclosure().width());
    let checkpoint = BlindCheckpoint::read(&bytes).expect("what was written");
    assert_eq!((checkpoint.start, checkpoint.iterations), (state("9:7@0"), stopped.iterations()));
    let resumed = BlindSolver::new(&Rules::footsteps())
        .resume(checkpoint)
        .gap(1e-7)
        .threads(1)
        .solve()
        .expect("a small game");
    // The same end, whatever interrupted it: every bid at every information set, the bounds, the
    // iterations.
    assert_eq!(
        (resumed.enclosure(), resumed.iterations()),
        (whole.enclosure(), whole.iterations())
    );
    assert_eq!(resumed.policy(), whole.policy());
    for place in [3, 9, 70, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(
            matches!(BlindCheckpoint::read(&damaged), Err(Error::Blind(BlindError::File { .. }))),
            "byte {place}"
        );
        assert!(BlindCheckpoint::read(&bytes[..place]).is_err());
    }
}

#[test]
fn threads_change_nothing() {
    let solve = |threads| {
        BlindSolver::new(&Rules::tennis())
            .points([9, 9])
            .gap(1e-3)
            .threads(threads)
            .solve()
            .expect("a game")
    };
    let (one, three) = (solve(1), solve(3));
    assert_eq!(one.enclosure(), three.enclosure());
    assert_eq!(one.opening(Player::A), three.opening(Player::A));
}

/// Payoffs so far apart that doubles, and even the unit that bounds are counted in, are coarser
/// than the gap that is asked for: the end comes all the same, whether nothing is left to learn
/// (3:2) or more than doubles hold.
#[test]
fn a_gap_that_doubles_do_not_hold_is_not_waited_for() {
    let scoring: Scoring =
        "10000000000000,1/3,0,-1/3,-10000000000000".parse().expect("five numbers");
    let rules = Rules::new(2, Motion::Net, scoring).expect("a field");
    for start in ["3:2@0", "7:5@0"] {
        let [exact, learned] =
            [LP, CFR].map(|method| solve(&rules, state(start), method).enclosure());
        assert!(
            exact.lower() <= learned.upper() && learned.lower() <= exact.upper(),
            "{start}: {exact:?} {learned:?}"
        );
    }
}

/// The gap is a share of the span of payoffs: a game with larger payoffs is solved in as many
/// iterations, to the same strategies.
#[test]
fn the_unit_of_payoffs_does_not_matter() {
    // A power of two, which doubles multiply by exactly.
    let scoring: Scoring = "2097152,1048576,0,-1048576,-2097152".parse().expect("five numbers");
    let large = Rules::new(2, Motion::Net, scoring).expect("a field");
    let [usual, large] = [Rules::tennis(), large].map(|rules| {
        BlindSolver::new(&rules).points([7, 5]).threads(1).solve().expect("a small game")
    });
    assert_eq!(usual.iterations(), large.iterations());
    let openings = [usual.opening(Player::A), large.opening(Player::A)];
    assert_eq!(openings[0], openings[1]);
    assert!(large.enclosure().width() <= BlindSolver::GAP * 4.0 * 1_048_576.0);
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |solver: BlindSolver<'_>| solver.solve().expect_err("nonsense").to_string();
    let tennis = || BlindSolver::new(&Rules::tennis());
    assert_eq!(
        refused(tennis().points([0, 5])),
        "A starts with 0 points; both players need at least 1"
    );
    assert_eq!(
        refused(tennis().points([65, 5])),
        "65 points are too many; at most 64 are supported"
    );
    assert_eq!(
        refused(tennis().gap(f64::NAN)),
        "a gap of NaN is not possible; expected a number that is not below 0"
    );
    assert_eq!(refused(tennis().start(state("4:4@3"))), "ball 3 is outside the field -2 to 2");
    let too_large = refused(tennis().points([20, 20]));
    assert!(
        too_large.starts_with("blind Tennis with 20:20 points has ")
            && too_large.contains("8.0 GiB"),
        "{too_large}"
    );
    let solution = solve(&Rules::tennis(), state("6:5@0"), CFR);
    let history = |bids: &[u32], balls: &[i32]| {
        solution.strategy(Player::A, bids, balls).expect_err("nonsense").to_string()
    };
    assert_eq!(
        history(&[], &[1]),
        "A cannot have reached this point: the first ball is the one at the start, 0"
    );
    assert_eq!(
        history(&[2], &[0]),
        "A cannot have reached this point: 1 bids leave 2 balls to see, not 1"
    );
    assert_eq!(history(&[7], &[0, 1]), "A cannot bid 7: with 6 points left bids are 1 to 6");
    assert_eq!(
        history(&[1], &[0, 1]),
        "A cannot have reached this point: after the bid 1 at ball 0 the game does not go on at ball 1"
    );
}

#[test]
fn strategies_are_data_that_prove_the_same_again() {
    let solution = solve(&Rules::tennis(), state("7:5@0"), LP);
    let policy = solution.policy();
    // Judged over the whole game by the rules, in which nothing is left out; probabilities have 53
    // bits.
    let [stated, proved] = [policy.enclosure(), solution.enclosure()];
    assert!(
        (stated.lower() - proved.lower()).abs() < 1e-13
            && (stated.upper() - proved.upper()).abs() < 1e-13,
        "{stated:?} {proved:?}"
    );
    assert_eq!(
        policy,
        BlindPolicy::from_rows(policy.rules(), policy.start(), policy.rows())
            .expect("its own rows")
    );
    for row in policy.rows() {
        let strategy =
            solution.strategy(row.player, &row.bids, &row.balls).expect("a row of the game");
        assert_eq!(strategy.probability(row.bid), row.probability);
    }
    let read = |change: &dyn Fn(&mut Vec<BlindRow>)| {
        let mut rows = policy.rows().collect();
        change(&mut rows);
        BlindPolicy::from_rows(policy.rules(), policy.start(), rows)
            .expect_err("a damaged policy")
            .to_string()
    };
    let twice = read(&|rows| rows.push(rows[3].clone()));
    assert!(
        twice.ends_with("the row of A for the bid 4 after bids [] and balls [0] comes twice"),
        "{twice}"
    );
    let missing = read(&|rows| {
        rows.retain(|row| row.player == Player::A || row.bids != [2] || row.balls != [0, 1]);
    });
    assert!(missing.ends_with("B has no row for bids [2] and balls [0 1]"), "{missing}");
    let unreal = read(&|rows| rows[40].balls[0] = 2);
    assert!(unreal.contains("A cannot come to") || unreal.contains("A has no row for"), "{unreal}");
    let sum = read(&|rows| rows[0].probability += 0.5);
    assert!(
        sum.starts_with("A's policy for bids [] and balls [0]: ")
            && sum.ends_with("of the bids 1..=7"),
        "{sum}"
    );
}

#[test]
fn best_replies_are_the_best_of_all_pure_ones() {
    for (game, points) in GAMES.iter().zip([[3, 3], [3, 2], [2, 3], [3, 3]]) {
        let start = State::new(points[0], points[1], Ball::NET);
        let bounds = BlindPolicy::uniform(&game.rules(), start).expect("a small game").enclosure();
        // A pure strategy in which every bid was equally likely at its turn has this weight among
        // those of a uniform player.
        let memories = game.memories(points, 0, BLIND);
        let pure = [0, 1].map(|player| {
            Game::pure_strategies(&memories[player], points[player], player, Sight::Own)
        });
        let weight = |player: usize, strategy: &Pure| -> Fraction {
            let share = |(bids, _): &Memory| (points[player] - bids.iter().sum::<u32>()).max(1);
            strategy.keys().map(|memory| Fraction::new(1.into(), share(memory).into())).product()
        };
        let weights = [0, 1].map(|player| {
            pure[player].iter().map(|strategy| weight(player, strategy)).collect::<Vec<_>>()
        });
        let matrix = game.matrix(points, 0, BLIND);
        let columns = (0..pure[1].len())
            .map(|b| matrix.iter().zip(&weights[0]).map(|(row, weight)| &row[b] * weight).sum());
        let lowest: Fraction = columns.min().expect("a strategy");
        let rows = matrix
            .iter()
            .map(|row| row.iter().zip(&weights[1]).map(|(payoff, weight)| payoff * weight).sum());
        let highest: Fraction = rows.max().expect("a strategy");
        let [lower, upper] = bounds.fractions();
        let near = Fraction::new(1.into(), (1_i64 << 50).into());
        // Thirds are kept as multiples of 2⁻⁶², so that the policy is uniform but for that.
        assert!((&lowest - &lower).abs() < near, "{start}: {lower} {lowest}");
        assert!((&upper - &highest).abs() < near, "{start}: {upper} {highest}");
    }
}

/// A bid loses what the best pure strategy that makes it wins less than the best of all that come
/// there, over how often the opponent lets it come there: what happens elsewhere is the same for
/// both.
#[test]
fn losses_are_those_of_the_best_pure_strategies() {
    for (game, points) in GAMES.iter().zip([[3, 3], [3, 2], [2, 3], [3, 3]]) {
        let start = State::new(points[0], points[1], Ball::NET);
        let uniform = BlindPolicy::uniform(&game.rules(), start).expect("a small game");
        let memories = game.memories(points, 0, BLIND);
        let pure = [0, 1].map(|player| {
            Game::pure_strategies(&memories[player], points[player], player, Sight::Own)
        });
        let weight = |player: usize, strategy: &Pure| -> Fraction {
            let share = |(bids, _): &Memory| (points[player] - bids.iter().sum::<u32>()).max(1);
            strategy.keys().map(|memory| Fraction::new(1.into(), share(memory).into())).product()
        };
        for (side, player) in Player::BOTH.into_iter().enumerate() {
            let other = 1 - side;
            let weights: Vec<Fraction> =
                pure[other].iter().map(|strategy| weight(other, strategy)).collect();
            let pair = |mine: &'_ Pure, theirs: &'_ Pure| {
                let strategies = if side == 0 { [mine, theirs] } else { [theirs, mine] };
                game.play_out(points, 0, strategies, BLIND)
            };
            let sign = Fraction::from_integer(player.direction().into());
            let wins = |mine: &Pure| -> Fraction {
                pure[other]
                    .iter()
                    .zip(&weights)
                    .map(|(theirs, weight)| &sign * weight * pair(mine, theirs).0)
                    .sum()
            };
            let won: Vec<Fraction> = pure[side].iter().map(wins).collect();
            let response = BlindBestResponse::new(&uniform, player);
            for memory in &memories[side] {
                let (bids, balls) = memory;
                let comes: Vec<usize> = (0..won.len())
                    .filter(|&place| pure[side][place].contains_key(memory))
                    .collect();
                let best =
                    comes.iter().map(|&place| &won[place]).max().expect("somebody comes there");
                let mine = &pure[side][comes[0]];
                let passes = |theirs: &Pure| {
                    let (_, all, seen) = pair(mine, theirs);
                    all[side].starts_with(bids)
                        && seen.starts_with(balls)
                        && seen.len() > balls.len()
                };
                let reach: Fraction = pure[other]
                    .iter()
                    .zip(&weights)
                    .filter(|(theirs, _)| passes(theirs))
                    .map(|(_, weight)| weight)
                    .sum();
                let losses = response
                    .losses(bids, balls)
                    .expect("possible")
                    .expect("a uniform player makes every bid");
                assert!(!losses.is_empty());
                for (bid, loss) in losses {
                    let made = comes
                        .iter()
                        .filter(|&&place| pure[side][place][memory] == bid)
                        .map(|&place| &won[place]);
                    let expected = (best - made.max().expect("a legal bid")) / &reach;
                    let difference = expected - Fraction::from_float(loss).expect("a number");
                    assert!(
                        difference.abs() < Fraction::new(1.into(), (1_i64 << 40).into()),
                        "{start} {player} {memory:?} {bid}"
                    );
                }
            }
        }
    }
}

fn knowing(blind: &BlindSolution, open: &Solution) -> Result<ValueOfInformation, Error> {
    ValueOfInformation::new(blind, open, 2.5e-10, |_| ControlFlow::Continue(()))
}

/// What one alone being blind is worth depends on the game, not on the plans that the blind game
/// happened to be solved by: 1 on either side at 8:7, and 1.1 and 38/33 at 9:7 as linear programmes
/// in fractions have it.
#[test]
fn one_blind_player_is_worth_the_same_whatever_solved_the_blind_game() {
    for (start, values) in [("8:7@0", [(1, 1), (1, 1)]), ("9:7@0", [(11, 10), (38, 33)])] {
        let open = Solver::new(&Rules::tennis()).points([9, 7]).solve().expect("a small game");
        for method in [LP, CFR] {
            let knowing = knowing(&solve(&Rules::tennis(), state(start), method), &open)
                .expect("a small game");
            for (bounds, (numerator, denominator)) in knowing.one_blind.iter().copied().zip(values)
            {
                let [lower, upper] = bounds.fractions();
                let value = Fraction::new(numerator.into(), denominator.into());
                assert!(
                    lower <= value && value <= upper && bounds.width() <= 1e-9,
                    "{start} {method}: {bounds:?}"
                );
            }
        }
    }
}

#[test]
fn one_blind_player_is_between_what_is_proved() {
    for game in &GAMES {
        let open = Solver::new(&game.rules()).points([3, 3]).solve().expect("a small game");
        for (points, ball) in [([3, 3], 0), ([2, 3], 1), ([3, 2], 0), ([3, 3], -1)] {
            let start = State::new(points[0], points[1], Ball::new(ball).expect("a ball"));
            let knowing = knowing(&solve(&game.rules(), start, LP), &open).expect("a small game");
            let a_blind = game.value(points, ball, [Sight::Own, Sight::All]);
            let b_blind = game.value(points, ball, [Sight::All, Sight::Own]);
            for (bounds, value) in [(knowing.one_blind.a, a_blind), (knowing.one_blind.b, b_blind)]
            {
                let [lower, upper] = bounds.fractions();
                assert!(
                    lower <= value && value <= upper,
                    "{start} {:?}: {lower} {value} {upper}",
                    game.rules()
                );
                assert!(bounds.width() <= 1e-9, "{start} {:?}: {lower} {upper}", game.rules());
            }
            assert!(knowing.open.contains(&game.value(points, ball, [Sight::All; 2])));
            for (_, bounds) in &knowing.guesses {
                assert!(
                    bounds.lower() <= knowing.blind.upper()
                        && knowing.blind.lower() <= bounds.upper()
                );
            }
        }
    }
    let solution = solve(&Rules::tennis(), state("3:3@0"), LP);
    let other = Solver::new(&Rules::footsteps()).points([3, 3]).solve().expect("a small game");
    assert_eq!(knowing(&solution, &other).err(), Some(BlindError::Rules.into()));
}

/// A run that is resumed at any iteration, also between two proofs, ends with the bytes of an
/// uninterrupted one.
#[test]
fn a_run_resumed_at_any_iteration_ends_with_the_same_bytes() {
    use std::time::Duration;

    use pencil_tennis::blind::BlindCheckpoint;

    let written = |solver: BlindSolver<'static>| {
        let (sender, kept) = std::sync::mpsc::channel();
        let keep = move |checkpoint: &BlindCheckpoint| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).expect("memory");
            sender.send(bytes).expect("a receiver");
        };
        let solution = solver
            .threads(1)
            .gap(1e-3)
            .on_checkpoint(Duration::ZERO, keep)
            .solve()
            .expect("a solution");
        let bounds = solution.enclosure().integers();
        (bounds, kept.iter().collect::<Vec<_>>())
    };
    let (bounds, kept) = written(BlindSolver::new(&Rules::tennis()).points([9, 7]));
    let last = kept.last().expect("a checkpoint");
    assert!(kept.len() > 20, "{}", kept.len());
    for bytes in &kept {
        let checkpoint = BlindCheckpoint::read(bytes).expect("a checkpoint");
        let iteration = checkpoint.iterations;
        let resumed = written(BlindSolver::new(&Rules::tennis()).resume(checkpoint));
        assert!(resumed.0 == bounds && resumed.1.last() == Some(last), "resumed at {iteration}");
    }
}

/// Regret minimisation crawls here, and the interior-point method takes over once it is likely to
/// be faster: regret minimisation alone needs hundreds of thousands of iterations.
#[test]
fn a_slow_game_is_handed_to_the_interior_point_method() {
    let rules =
        Rules::new(1, Motion::Step, "-3,1,2,-1,1".parse().expect("five numbers")).expect("a field");
    let solver = || BlindSolver::new(&rules).points([7, 7]).threads(1);
    let solution = solver().solve().expect("a small game");
    assert_eq!(solution.method(), BlindMethod::InteriorPoint);
    assert!((4_000..20_000).contains(&solution.iterations()), "{}", solution.iterations());
    assert!(solution.enclosure().width() <= 5.0 * BlindSolver::GAP);
    let alone =
        solver().method(CFR).time_limit(Duration::from_secs(1)).solve().expect("a small game");
    let [close, learned] = [solution.enclosure(), alone.enclosure()];
    assert!(
        close.lower() <= learned.upper() && learned.lower() <= close.upper(),
        "{close:?} {learned:?}"
    );
    let exact = solver().method(LP).solve().expect("a small game").enclosure();
    assert!(
        exact.width() < 1e-12 && close.lower() <= exact.upper() && exact.lower() <= close.upper(),
        "{exact:?} {close:?}"
    );

    // A run that is stopped before goes on to the same plans.
    let mut bytes = Vec::new();
    let stop = |progress: pencil_tennis::blind::BlindProgress| {
        if progress.iterations >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = solver().on_bounds(stop).on_checkpoint(Duration::MAX, |checkpoint| {
        bytes.clear();
        checkpoint.write(&mut bytes).expect("memory takes everything");
    });
    assert_eq!(stopped.solve().expect("bounds reached so far").method(), CFR);
    let checkpoint = BlindCheckpoint::read(&bytes).expect("what was written");
    let resumed =
        BlindSolver::new(&rules).resume(checkpoint).threads(1).solve().expect("a small game");
    assert_eq!((resumed.enclosure(), resumed.iterations()), (close, solution.iterations()));
    assert_eq!(resumed.policy(), solution.policy());
}

/// Bounds that were reached stay in what progress shows when the interior-point method takes over.
#[test]
fn progress_never_shows_wider_bounds_than_before() {
    let rules =
        Rules::new(1, Motion::Step, "-3,1,2,-1,1".parse().expect("five numbers")).expect("a field");
    let mut widths = Vec::new();
    let solver = BlindSolver::new(&rules).points([9, 9]).on_bounds(|progress| {
        widths.push(progress.enclosure.width());
        ControlFlow::Continue(())
    });
    assert_eq!(solver.solve().expect("a small game").method(), BlindMethod::InteriorPoint);
    assert!(widths.is_sorted_by(|before, after| before >= after), "{widths:?}");
}

/// The weights of a strategy sum to the whole exactly, for any rounding of shares.
#[test]
fn strategies_are_whole() {
    let solution =
        BlindSolver::new(&Rules::tennis()).points([8, 6]).gap(1e-3).solve().expect("a small game");
    for row in solution.policy().rows() {
        let strategy =
            solution.strategy(row.player, &row.bids, &row.balls).expect("a row of the game");
        assert_eq!(strategy.weights().map(|(_, weight)| weight).sum::<u64>(), 1 << 62);
    }
}

/// Offsets of leaves have 32 bits, for any memory limit.
#[test]
fn more_plays_than_places_can_be_told_apart_are_refused() {
    let rules = Rules::tennis();
    let even = |points| State::new(points, points, Ball::NET);
    let plays = |points| BlindSize::new(&rules, even(points)).plays;
    let largest = (1..BlindSolver::MOST_POINTS)
        .find(|&points| plays(points + 1) >= 1 << 32)
        .expect("a limit");
    for points in [largest + 1, 40] {
        let solver = BlindSolver::new(&rules).start(even(points)).memory_limit(u64::MAX);
        let Err(Error::Blind(BlindError::Memory { most, .. })) = solver.solve() else {
            panic!("{points} points are too many")
        };
        assert_eq!(most, largest);
    }
}
