//! Every state of small games, solved a second time in exact fractions by enumerating supports
//! under rules written out anew.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use pencil_tennis::{Ball, Bounds, Motion, Player, Rules, Scoring, Solver, State, TableFile};

/// A game of the family, described without a word from the library.
struct Game {
    field: i32,
    /// A ball hit from the hitter's own side flies to the first field across instead of the next
    /// field.
    over_the_net: bool,
    /// Whether A, or else B, may bid 0 and hits on ties.
    favours_a: Option<bool>,
    /// The payoffs to A: A hits out, the ball lies with B, draw, the ball lies with A, B hits out.
    ends: [BigRational; 5],
    /// Bounds are integer multiples of this.
    unit: BigRational,
}

/// The result of brute force for a state.
#[derive(Clone)]
struct Known {
    value: BigRational,
    /// The most units that bounds proved by integer weights may lie apart.
    units: u64,
}

type Table = BTreeMap<(u32, u32, i32), Known>;

impl Game {
    fn new(field: i32, over_the_net: bool, ends: [(i64, i64); 5]) -> Self {
        let ends = ends.map(|(numerator, denominator)| fraction(numerator, denominator));
        // The largest payoff is to have at most 61 bits.
        let largest = ends.iter().map(BigRational::abs).max().expect("five ends");
        let unit = |exponent: u32| BigRational::new(BigInt::one(), BigInt::one() << exponent);
        let exponent = (0..=121)
            .rev()
            .find(|&exponent| largest <= unit(exponent) * (BigInt::one() << 61))
            .unwrap_or(0);
        Self { field, over_the_net, favours_a: None, ends, unit: unit(exponent) }
    }

    /// The library's description of the same game.
    fn rules(&self) -> Rules {
        let motion = if self.over_the_net { Motion::Net } else { Motion::Step };
        let ends: Vec<String> = self.ends.iter().map(ToString::to_string).collect();
        let scoring: Scoring = ends.join(",").parse().expect("five fractions");
        Rules::new(self.field, motion, scoring).expect("a possible field")
    }

    /// The ball after both bids.
    fn moved(&self, ball: i32, bid_a: u32, bid_b: u32) -> i32 {
        let a_hits = match (bid_a == bid_b, self.favours_a) {
            (true, None) => return ball,
            (true, Some(favours_a)) => favours_a,
            (false, _) => bid_a > bid_b,
        };
        let step = if a_hits { ball + 1 } else { ball - 1 };
        match (self.over_the_net, a_hits) {
            (false, _) => step,
            (true, true) => step.max(1),
            (true, false) => step.min(-1),
        }
    }

    /// The payoff to A where the game has ended.
    fn end(&self, a: u32, b: u32, ball: i32) -> Option<&BigRational> {
        let [out_a, stay_a, draw, stay_b, out_b] = &self.ends;
        if ball > self.field {
            Some(out_a)
        } else if ball < -self.field {
            Some(out_b)
        } else if self
            .favours_a
            .is_some_and(|favours_a| if favours_a { a > 0 && b == 0 } else { b > 0 && a == 0 })
        {
            // Who is favoured hits for nothing until the ball is out.
            Some(if b == 0 { out_a } else { out_b })
        } else if a + b > 0 {
            None
        } else if ball > 0 {
            Some(stay_a)
        } else if ball < 0 {
            Some(stay_b)
        } else {
            Some(draw)
        }
    }

    /// All states up to `most_a` and `most_b` points, smaller totals first.
    fn solve(&self, most_a: u32, most_b: u32) -> Table {
        let mut table = Table::new();
        for total in 0..=most_a + most_b {
            for a in total.saturating_sub(most_b)..=total.min(most_a) {
                for ball in -self.field..=self.field {
                    let known = self.solve_state(&table, a, total - a, ball);
                    table.insert((a, total - a, ball), known);
                }
            }
        }
        table
    }

    fn solve_state(&self, table: &Table, a: u32, b: u32, ball: i32) -> Known {
        if let Some(value) = self.end(a, b, ball) {
            return self.known_end(value);
        }
        // An account is spent at least one point at a time; an empty one bids 0.
        let bids = |account: u32, favoured| {
            if account == 0 || favoured { 0..=account } else { 1..=account }
        };
        let [favours_a, favours_b] =
            [true, false].map(|favours_a| self.favours_a == Some(favours_a));
        let after = |bid_a: u32, bid_b: u32| {
            let (a, b, ball) = (a - bid_a, b - bid_b, self.moved(ball, bid_a, bid_b));
            self.end(a, b, ball)
                .map_or_else(|| table[&(a, b, ball)].clone(), |value| self.known_end(value))
        };
        let game: Vec<Vec<Known>> = bids(a, favours_a)
            .map(|bid_a| bids(b, favours_b).map(|bid_b| after(bid_a, bid_b)).collect())
            .collect();
        let matrix: Vec<Vec<BigRational>> =
            game.iter().map(|row| row.iter().map(|known| known.value.clone()).collect()).collect();
        let (value, is_pure) = value_of(&matrix);
        let inherited = game.iter().flatten().map(|known| known.units).max().unwrap_or(0);
        // A saddle point in pure strategies adds nothing. Mixing does, for each player: weights are
        // multiples of 2^-62, and those of k bids are off by at most 2k such multiples altogether
        // (one for each bid, and as much again where the sum is set right). The errors cancel out,
        // so that only the distance of payoffs from their middle counts, at most 2^61 units: k
        // units are lost, and one more when the result is rounded to a unit.
        let bids = matrix.len().min(matrix[0].len()) as u64;
        Known { value, units: inherited + if is_pure { 0 } else { 2 * (bids + 1) } }
    }

    /// An end lies between two neighbouring multiples of the unit, or is one.
    fn known_end(&self, value: &BigRational) -> Known {
        Known { value: value.clone(), units: u64::from(!(value / &self.unit).is_integer()) }
    }
}

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// The value of a matrix game, and whether it has a saddle point in pure strategies.
///
/// Some optimal pair equalises on a square block whose bordered system is regular (Shapley and Snow
/// 1950), so that trying all blocks finds one; that the pair is optimal is checked against the
/// whole matrix, exactly.
fn value_of(matrix: &[Vec<BigRational>]) -> (BigRational, bool) {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    let transposed: Vec<Vec<BigRational>> =
        (0..columns).map(|j| matrix.iter().map(|row| row[j].clone()).collect()).collect();
    for size in 1..=rows.min(columns) {
        for block_rows in subsets(rows, size) {
            for block_columns in subsets(columns, size) {
                let Some((y, value)) = equaliser(matrix, &block_rows, &block_columns) else {
                    continue;
                };
                let Some((x, _)) = equaliser(&transposed, &block_columns, &block_rows) else {
                    continue;
                };
                let column_is_optimal =
                    matrix.iter().all(|row| expectation(row, &block_columns, &y) <= value);
                let row_is_optimal =
                    transposed.iter().all(|column| expectation(column, &block_rows, &x) >= value);
                if column_is_optimal && row_is_optimal {
                    return (value, size == 1);
                }
            }
        }
    }
    unreachable!("every matrix game has a value");
}

/// All subsets of `0..of` with `size` members.
fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let members = |mask: u32| (0..of).filter(move |&member| mask >> member & 1 == 1).collect();
    (1_u32..1 << of).filter(|mask| mask.count_ones() as usize == size).map(members).collect()
}

/// The distribution over `choices` against which all `replies` (rows of `matrix`) are worth the
/// same, and what they are worth.
fn equaliser(
    matrix: &[Vec<BigRational>],
    replies: &[usize],
    choices: &[usize],
) -> Option<(Vec<BigRational>, BigRational)> {
    let mut system: Vec<Vec<BigRational>> = Vec::new();
    for &reply in replies {
        let mut equation: Vec<BigRational> =
            choices.iter().map(|&choice| matrix[reply][choice].clone()).collect();
        equation.extend([-BigRational::one(), BigRational::zero()]);
        system.push(equation);
    }
    let mut sum = vec![BigRational::one(); choices.len()];
    sum.extend([BigRational::zero(), BigRational::one()]);
    system.push(sum);
    let mut solution = eliminate(system)?;
    let value = solution.pop()?;
    solution.iter().all(|probability| !probability.is_negative()).then_some((solution, value))
}

/// Solves a square system, its right-hand side behind it, by Gauss-Jordan elimination; `None` when
/// it is singular.
fn eliminate(mut system: Vec<Vec<BigRational>>) -> Option<Vec<BigRational>> {
    let order = system.len();
    for step in 0..order {
        let pivot = (step..order).find(|&row| !system[row][step].is_zero())?;
        system.swap(step, pivot);
        let inverse = system[step][step].recip();
        for entry in &mut system[step] {
            *entry *= &inverse;
        }
        let pivot_row = system[step].clone();
        for (row, equation) in system.iter_mut().enumerate() {
            if row != step && !equation[step].is_zero() {
                let factor = equation[step].clone();
                for (entry, above) in equation.iter_mut().zip(&pivot_row) {
                    *entry -= &factor * above;
                }
            }
        }
    }
    Some(system.into_iter().filter_map(|mut equation| equation.pop()).collect())
}

fn expectation(
    payoffs: &[BigRational],
    support: &[usize],
    probabilities: &[BigRational],
) -> BigRational {
    support
        .iter()
        .zip(probabilities)
        .map(|(&index, probability)| &payoffs[index] * probability)
        .sum()
}

/// Compares every state of a game, solved with and without the mirror symmetry, with brute force.
fn compare(game: &Game, most_a: u32, most_b: u32) {
    let table = game.solve(most_a, most_b);
    for symmetry in [true, false] {
        let solver =
            Solver::new(&game.rules()).points([most_a, most_b]).threads(1).use_symmetry(symmetry);
        let solution = solver.solve().expect("a small game");
        assert_eq!(solution.states().len(), table.len());
        for (&(a, b, ball), known) in &table {
            let state = State::new(a, b, Ball::new(ball).expect("inside the field"));
            let enclosure = solution.enclosure(state).expect("a solved state");
            let exact = &known.value;
            assert!(
                enclosure.contains(exact),
                "{state} is worth {exact}, outside of {enclosure:?}"
            );
            let Bounds { lower, upper } = enclosure.integers();
            assert!(
                upper.abs_diff(lower) <= known.units,
                "{state}: {enclosure:?} is wider than {} units",
                known.units
            );
            // The value is the middle of the enclosure to the nearest floating-point number: it may
            // be off by half the width, and by half the distance to the next such number.
            let value = solution.value(state).expect("a solved state");
            let spacing = as_fraction(value.abs().next_up()) - as_fraction(value.abs());
            let [lower, upper] = enclosure.fractions();
            let allowed = (upper - lower + spacing) / BigInt::from(2);
            assert!(
                (as_fraction(value) - exact).abs() <= allowed,
                "{state} is worth {exact}, not {value}"
            );
        }
    }
}

fn as_fraction(number: f64) -> BigRational {
    BigRational::from_float(number).expect("a finite number")
}

#[test]
fn tennis_with_two_points_for_hitting_out() {
    compare(&Game::new(2, true, [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]), 8, 8);
}

#[test]
fn the_smallest_mixed_values_on_the_inner_fields_are_these_fractions() {
    let table = Game::new(2, true, [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]).solve(7, 8);
    assert_eq!(table[&(7, 6, 1)].value, fraction(46, 41));
    assert_eq!(table[&(7, 8, 1)].value, fraction(-47, 83));
}

#[test]
fn tennis_where_any_win_counts_one() {
    compare(&Game::new(2, true, [(1, 1), (1, 1), (0, 1), (-1, 1), (-1, 1)]), 6, 6);
}

#[test]
fn footsteps() {
    compare(&Game::new(2, false, [(1, 1), (0, 1), (0, 1), (0, 1), (-1, 1)]), 6, 6);
}

#[test]
fn oshi_zumo() {
    compare(&Game::new(3, false, [(1, 1), (1, 1), (0, 1), (-1, 1), (-1, 1)]), 6, 6);
}

#[test]
fn tennis_on_the_narrowest_field() {
    compare(&Game::new(1, true, [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]), 6, 6);
}

#[test]
fn unequal_accounts() {
    compare(&Game::new(2, true, [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]), 7, 4);
    compare(&Game::new(2, true, [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]), 4, 7);
}

#[test]
fn scoring_that_favours_a_player_and_has_no_finite_binary_form() {
    compare(&Game::new(2, true, [(1, 1), (1, 2), (1, 3), (0, 1), (-2, 1)]), 5, 5);
    compare(&Game::new(2, false, [(1, 7), (1, 11), (1, 13), (-1, 5), (-1, 3)]), 5, 5);
}

#[test]
fn scoring_in_no_natural_order() {
    compare(&Game::new(2, true, [(-1, 1), (2, 1), (1, 3), (0, 1), (1, 2)]), 5, 5);
    compare(&Game::new(1, false, [(0, 1), (3, 1), (-5, 1), (3, 1), (0, 1)]), 5, 5);
}

// Bounds are sums and products of integers of up to 61 bits: nothing may overflow, however large
// the payoffs.
#[test]
fn scoring_with_the_largest_payoffs() {
    let largest = Scoring::LARGEST_TERM;
    compare(
        &Game::new(
            2,
            true,
            [(largest, 1), (largest / 2, 1), (0, 1), (-largest / 2, 1), (-largest, 1)],
        ),
        5,
        5,
    );
    compare(
        &Game::new(2, true, [(largest, 1), (1, largest), (0, 1), (-1, 3), (-largest, 1)]),
        5,
        5,
    );
}

#[test]
fn scoring_with_the_smallest_payoffs() {
    let largest = Scoring::LARGEST_TERM;
    compare(
        &Game::new(2, true, [(2, largest), (1, largest), (0, 1), (-1, largest), (-2, largest)]),
        5,
        5,
    );
}

#[test]
fn scoring_that_leaves_nothing_to_play_for() {
    for payoff in [
        (0, 1),
        (-1, 3),
        (Scoring::LARGEST_TERM, 1),
        (-Scoring::LARGEST_TERM, 1),
        (1, Scoring::LARGEST_TERM),
    ] {
        compare(&Game::new(2, true, [payoff; 5]), 4, 4);
    }
}

/// The two games that favour a player, in fractions: they enclose the value at every state and
/// every multiple, and the library's bounds are theirs.
#[test]
fn one_small_game_bounds_all_multiples_of_its_points() {
    let two_one = [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)];
    let games = [
        (Game::new(2, true, two_one), 4, 4),
        (Game::new(1, false, [(1, 1), (1, 1), (0, 1), (-1, 1), (-1, 1)]), 4, 3),
        (Game::new(2, false, [(3, 1), (1, 3), (1, 3), (0, 1), (-1, 1)]), 3, 4),
        // Even accounts, though the players are not alike.
        (Game::new(2, false, [(3, 1), (1, 3), (1, 3), (0, 1), (-1, 1)]), 3, 3),
    ];
    for (mut game, most_a, most_b) in games {
        let [below, above] = [false, true].map(|favours_a| {
            game.favours_a = Some(favours_a);
            game.solve(most_a, most_b)
        });
        let rules = game.rules();
        let limit =
            Solver::new(&rules).points([most_a, most_b]).threads(1).limit().expect("a small game");
        let place = |a, b, ball| State::new(a, b, Ball::new(ball).expect("inside the field"));
        for (&(a, b, ball), lower) in &below {
            let [low, high] = limit.bounds(place(a, b, ball)).expect("a state").fractions();
            let upper = &above[&(a, b, ball)];
            assert!(low <= lower.value && upper.value <= high, "{a}:{b}@{ball}");
            let missing = &game.unit * BigInt::from(lower.units.max(upper.units));
            assert!(
                &lower.value - low <= missing && high - &upper.value <= missing,
                "{a}:{b}@{ball}"
            );
        }
        // Both strategies secure these values, turn by turn, against every bid of the favoured
        // player.
        for (player, table) in [(Player::A, &below), (Player::B, &above)] {
            game.favours_a = Some(player == Player::B);
            for (&(a, b, ball), known) in table.iter().filter(|&(&(a, b, _), _)| a > 0 && b > 0) {
                let strategy = limit.strategy(player, place(a, b, ball)).expect("a state");
                let replies = if player == Player::A { 0..=b } else { 0..=a };
                for reply in replies {
                    let payoff = |bid: u32| {
                        let [bid_a, bid_b] =
                            if player == Player::A { [bid, reply] } else { [reply, bid] };
                        let next = (a - bid_a, b - bid_b, game.moved(ball, bid_a, bid_b));
                        let end = game.end(next.0, next.1, next.2);
                        end.cloned().unwrap_or_else(|| table[&next].value.clone())
                    };
                    let expected: BigRational = strategy
                        .probabilities()
                        .map(|(bid, share)| as_fraction(share) * payoff(bid))
                        .sum();
                    let given = if player == Player::A {
                        &known.value - expected
                    } else {
                        expected - &known.value
                    };
                    // Probabilities are doubles here.
                    assert!(
                        given < fraction(1, 1 << 40),
                        "{player} at {a}:{b}@{ball} against {reply}: {given}"
                    );
                }
            }
        }
        // Every N from n (n - 1) on lies between some kn and k (n + 1): for all of them A secures
        // the value of n against n + 1 points in the lower game, and B that of n + 1 against n in
        // the upper one.
        let n = most_a.min(most_b) - 1;
        for ball in -game.field..=game.field {
            let (from, bounds) = limit
                .bounds_of_all(Ball::new(ball).expect("inside the field"))
                .expect("two points");
            let [low, high] = bounds.fractions();
            let (lower, upper) = (&below[&(n, n + 1, ball)], &above[&(n + 1, n, ball)]);
            assert!(
                from == u64::from(n * (n - 1)) && low <= lower.value && upper.value <= high,
                "{n} points @{ball}"
            );
            let missing = &game.unit * BigInt::from(lower.units.max(upper.units));
            assert!(
                &lower.value - low <= missing && high - &upper.value <= missing,
                "{n} points @{ball}"
            );
        }
        for k in 1..=5 {
            let solution = Solver::new(&rules)
                .points([k * most_a, k * most_b])
                .threads(1)
                .solve()
                .expect("a small game");
            for (&(a, b, ball), lower) in &below {
                let [low, high] =
                    solution.enclosure(place(k * a, k * b, ball)).expect("a state").fractions();
                assert!(
                    lower.value <= high && low <= above[&(a, b, ball)].value,
                    "{k} times {a}:{b}@{ball}"
                );
            }
        }
    }
}

/// Bounds for all sizes come from a point more and a point less; strategies are those of the small
/// games.
#[test]
fn the_limit_says_from_where_on_it_holds_and_how_to_bid() {
    let limit =
        Solver::new(&Rules::tennis()).points([7, 7]).threads(1).limit().expect("a small game");
    let ball = Ball::new(1).expect("inside the field");
    let (from, bounds) = limit.bounds_of_all(ball).expect("two points");
    assert_eq!(from, 30, "6 times 7 is at most 6 times 7, and from 6 times 5 on there is no gap");
    let large = Solver::new(&Rules::tennis()).points([47, 47]).solve().expect("a game");
    for points in 30..=47 {
        let value = large.value(State::new(points, points, ball)).expect("a state");
        assert!(bounds.lower() <= value && value <= bounds.upper(), "{points}");
    }
    let state = State::new(7, 7, ball);
    let both = Solver::new(&Rules::tennis())
        .use_symmetry(false)
        .points([7, 8])
        .limit()
        .expect("a small game");
    assert_eq!(both.bounds(state), limit.bounds(state), "solved from either side");
    assert!(both.game(Player::B).is_some() && limit.game(Player::B).is_none());
    // B's smallest bid is 0 in the game that bounds from below, A's is 1.
    assert!(limit.strategy(Player::A, state).expect("a state").probability(0) == 0.0);
}

#[test]
fn the_limit_refuses_rules_for_which_it_is_not_proved() {
    let refusal = |rules: &Rules| {
        Solver::new(rules).points([4, 4]).limit().map(|_| ()).expect_err("refused").to_string()
    };
    let zero = Rules::tennis().with_min_bid(0).expect("0 is possible");
    assert!(refusal(&zero).starts_with("the limit cannot be had where the smallest bid is 0"));
    let unnatural = Rules::tennis().with_scoring("1,2,0,-2,-1".parse().expect("a scoring"));
    assert!(
        refusal(&unnatural).contains("OUT_A >= STAY_A")
            && refusal(&unnatural).ends_with("not 1,2,0,-2,-1")
    );
    let folder = tempfile::tempdir().expect("a place for temporary files");
    let path = folder.path().join("table");
    let mut bytes = Vec::new();
    let small = Solver::new(&Rules::tennis()).points([4, 4]).solve().expect("a small game");
    small.write_table(&mut bytes).expect("memory");
    std::fs::write(&path, bytes).expect("room");
    let solver = Solver::new(&Rules::tennis())
        .points([4, 4])
        .resume(TableFile::open(&path).expect("a table file"));
    let resumed = solver.limit().map(|_| ()).expect_err("refused").to_string();
    assert_eq!(resumed, "a checkpoint cannot be had where the rules favour a player");
    let favouring = Rules::tennis().favouring(Player::B).expect("a smallest bid of 1");
    let why = "cannot be had where the rules favour a player";
    assert_eq!(refusal(&favouring), format!("the limit {why}"));
    let solved = Solver::new(&favouring).points([4, 4]).solve().map(|_| ()).expect_err("refused");
    assert_eq!(solved.to_string(), format!("a solution {why}"));
    let policy =
        pencil_tennis::Policy::uniform(&favouring, [4, 4]).map(|_| ()).expect_err("refused");
    assert_eq!(policy.to_string(), format!("a policy {why}"));
    let forced = pencil_tennis::analysis::ForcedPlay::new(&favouring, [4, 4])
        .map(|_| ())
        .expect_err("refused");
    assert_eq!(forced.to_string(), format!("forced play {why}"));
    assert!(zero.favouring(Player::A).is_err());
    for player in Player::BOTH {
        let rules = Rules::tennis().favouring(player).expect("a smallest bid of 1");
        assert_eq!(rules.to_string().parse(), Ok(rules));
        assert_ne!(rules.to_string(), Rules::tennis().to_string());
    }
}
