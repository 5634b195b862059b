//! Properties of every game of the family, whatever its rules: symmetries, monotonicity, saddle
//! inequality, decided endgames.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::Zero;
use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::{
    Ball, Bounds, Method, Motion, Outcome, Payoff, Player, Rules, Scoring, Solution, Solver, State,
    StateEquilibrium,
};
use proptest::prelude::*;

/// Tennis with 50 points each and two-one scoring.
static TENNIS: LazyLock<Solution> =
    LazyLock::new(|| pencil_tennis::solve(50).expect("the default game"));

/// The number of cases, unless `PROPTEST_CASES` sets it; shrunk failures become tests of their own
/// rather than files of seeds.
fn cases(cases: u32) -> ProptestConfig {
    let asked_for = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked_for.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..asked_for }
}

fn solve(rules: Rules, a: u32, b: u32) -> Solution {
    Solver::new(&rules).points([a, b]).threads(1).solve().expect("a small game")
}

/// The guaranteed bounds of a state, in units.
fn bounds(solution: &Solution, state: State) -> [i64; 2] {
    let Bounds { lower, upper } = solution.enclosure(state).expect("a solved state").integers();
    [lower, upper]
}

/// The guaranteed bounds of a state, exactly.
fn exact_bounds(solution: &Solution, state: State) -> [BigRational; 2] {
    solution.enclosure(state).expect("a solved state").fractions()
}

fn overlap<T: PartialOrd>([lower, upper]: &[T; 2], [other_lower, other_upper]: &[T; 2]) -> bool {
    lower <= other_upper && other_lower <= upper
}

fn big(payoff: Payoff) -> BigRational {
    BigRational::new(BigInt::from(*payoff.numer()), BigInt::from(*payoff.denom()))
}

/// One unit of a solution's bounds.
fn unit(solution: &Solution) -> BigRational {
    let exponent = solution.enclosure(solution.start()).expect("the start").unit_exponent();
    BigRational::new(BigInt::from(1), BigInt::from(1) << exponent)
}

/// The number of units that the bounds of a state may lie apart.
///
/// The ends are known to one unit. In each turn either player loses at most a unit for each bid of
/// the support, weights being integers, and a unit for rounding; and a turn costs a point at least.
fn widest(state: State) -> u64 {
    let turns = u64::from(state.a + state.b);
    1 + turns * 2 * (u64::from(state.a.min(state.b)) + 1)
}

fn payoff() -> impl Strategy<Value = Payoff> {
    (-30_i64..=30, 1_i64..=12)
        .prop_map(|(numerator, denominator)| Payoff::new(numerator, denominator))
}

/// A scoring by its payoffs in the order of [`Outcome::ALL`].
fn scoring(payoffs: &[Payoff]) -> Scoring {
    Scoring::new(|outcome| payoffs[outcome.index()]).expect("small fractions")
}

fn any_scoring() -> impl Strategy<Value = Scoring> {
    [payoff(), payoff(), payoff(), payoff(), payoff()].prop_map(|payoffs| scoring(&payoffs))
}

fn ordered_scoring() -> impl Strategy<Value = Scoring> {
    any_scoring().prop_map(|drawn| {
        let mut payoffs = drawn.payoffs().to_vec();
        payoffs.sort_by(|p, q| q.cmp(p));
        scoring(&payoffs)
    })
}

fn antisymmetric_scoring() -> impl Strategy<Value = Scoring> {
    [payoff(), payoff()].prop_map(|[out, stay]| scoring(&[out, stay, 0.into(), -stay, -out]))
}

fn rules(scoring: impl Strategy<Value = Scoring>) -> impl Strategy<Value = Rules> {
    let motion = prop_oneof![Just(Motion::Net), Just(Motion::Step)];
    (1_i32..=4, motion, scoring)
        .prop_map(|(field, motion, scoring)| Rules::new(field, motion, scoring).expect("a field"))
}

/// Points that a test solves in milliseconds and in which players have to randomise.
const POINTS: RangeInclusive<u32> = 1..=8;

/// Named games, each with points enough for supports of some size.
fn named_games() -> [(Rules, u32); 4] {
    let oshi_zumo = Rules::oshi_zumo(3).expect("the field of the literature");
    [
        (Rules::tennis(), 24),
        (Rules::tennis().with_scoring(Scoring::win_loss()), 24),
        (Rules::footsteps(), 24),
        (oshi_zumo, 24),
    ]
}

/// Solved in full, a game turns out to be symmetric; solved by half, it is the same game.
fn check_antisymmetry(rules: Rules, points: u32) {
    let solver = || Solver::new(&rules).points([points, points]).threads(1);
    let full = solver().use_symmetry(false).solve().expect("a small game");
    let halved = solver().use_symmetry(true).solve().expect("a small game");
    for state in full.states() {
        let mirror = |solution: &Solution| {
            let [lower, upper] = bounds(solution, state.mirrored());
            [-upper, -lower]
        };
        assert!(
            overlap(&bounds(&full, state), &mirror(&full)),
            "{state} is not opposite to its mirror image"
        );
        assert!(
            overlap(&bounds(&full, state), &bounds(&halved, state)),
            "{state} depends on the use of symmetry"
        );
        assert_eq!(bounds(&halved, state), mirror(&halved), "{state}");
        // Either value is the middle of an interval that contains the true one, to the nearest
        // floating-point number.
        let [value, other] =
            [&full, &halved].map(|solution| solution.value(state).expect("a solved state"));
        let width =
            |solution: &Solution| solution.enclosure(state).expect("a solved state").width();
        let spacing = value.abs().max(other.abs()).next_up() - value.abs().max(other.abs());
        assert!(
            (value - other).abs() <= f64::midpoint(width(&full), width(&halved)) + spacing,
            "{state}: {value} and {other}"
        );
    }
}

#[test]
fn named_games_are_antisymmetric() {
    for (rules, points) in named_games() {
        check_antisymmetry(rules, points);
    }
}

/// No line of play is worth more than the best end or less than the worst.
fn check_extremes(solution: &Solution) {
    let payoffs = solution.rules().scoring().payoffs();
    let best = big(payoffs.iter().copied().max().expect("five ends"));
    let worst = big(payoffs.iter().copied().min().expect("five ends"));
    let unit = unit(solution);
    for state in solution.states() {
        // An end that is no multiple of the unit is bounded by the multiples next to it, and an
        // average of such bounds by none farther out.
        let [lower, upper] = exact_bounds(solution, state);
        assert!(lower <= upper, "{state}");
        assert!(
            worst < lower + &unit && upper < &best + &unit,
            "{state} has bounds beyond the ends of the game"
        );
    }
}

/// The share of the largest payoff by which the bounds of a small game may lie apart.
///
/// The simplex takes no pair of strategies for optimal whose gap exceeds this share. Gaps of
/// successive turns could add up, but a turn in which strategies are that hard to compute is
/// followed by easy ones.
const ACCEPTED_GAP: f64 = 1e-12;

/// Bounds are tight, measured by what is at stake.
fn check_accuracy(solution: &Solution, share: f64) {
    let share = BigRational::from_float(share).expect("a finite number");
    let allowed = share * big(solution.rules().scoring().magnitude()) + unit(solution);
    for state in solution.states() {
        let enclosure = solution.enclosure(state).expect("a solved state");
        let [lower, upper] = enclosure.fractions();
        assert!(
            upper - lower <= allowed,
            "{state} has bounds {}..={}",
            enclosure.lower(),
            enclosure.upper()
        );
    }
}

/// More points, a ball nearer to the opponent's end, and fewer points of the opponent never hurt.
fn check_monotonicity(solution: &Solution) {
    assert!(solution.rules().scoring().is_ordered());
    let [most_a, most_b] = solution.points();
    let field = solution.rules().field();
    for state in solution.states() {
        let [lower, _] = bounds(solution, state);
        let moved = |a: u32, b: u32, ball: i32| State::new(a, b, Ball::new(ball).expect("a ball"));
        let State { a, b, ball } = state;
        let ball = ball.position();
        let better = [
            (a < most_a).then(|| moved(a + 1, b, ball)),
            b.checked_sub(1).map(|fewer| moved(a, fewer, ball)),
            (ball < field).then(|| moved(a, b, ball + 1)),
        ];
        for better in better.into_iter().flatten() {
            let [_, upper] = bounds(solution, better);
            assert!(upper >= lower, "A is worse off at {better} than at {state}");
        }
        assert!(b <= most_b);
    }
}

/// Bounds are as near to each other as integer weights allow.
fn check_tightness(solution: &Solution) {
    for state in solution.states() {
        let [lower, upper] = bounds(solution, state);
        assert!(upper.abs_diff(lower) <= widest(state), "{state} has bounds {lower}..={upper}");
    }
}

#[test]
fn named_games_are_monotone_and_tightly_bounded() {
    for (rules, points) in named_games() {
        for method in [Method::Simplex, Method::Tableau] {
            let solution = Solver::new(&rules)
                .points([points, points])
                .method(method)
                .solve()
                .expect("a small game");
            check_monotonicity(&solution);
            check_extremes(&solution);
            check_tightness(&solution);
        }
    }
    check_monotonicity(&TENNIS);
    check_extremes(&TENNIS);
    check_tightness(&TENNIS);
}

/// The payoff that A secures (`rounded down`) or B must concede (`rounded up`) after both bids, in
/// units.
fn after(solution: &Solution, state: State, bid_a: u32, bid_b: u32) -> [BigInt; 2] {
    let rules = solution.rules();
    let next = rules.play(state, bid_a, bid_b).expect("legal bids");
    rules.payoff(next).map_or_else(
        || bounds(solution, next).map(BigInt::from),
        |payoff| {
            let units = big(payoff) / unit(solution);
            [units.floor().to_integer(), units.ceil().to_integer()]
        },
    )
}

/// The saddle inequality: whatever mixture the opponent replies with, a player's strategy secures
/// the bound it is said to secure.
///
/// Weights and bounds are integers and nothing is rounded here, so that there is no tolerance.
fn check_saddle_inequality(solution: &Solution, state: State, reply_a: &[u64], reply_b: &[u64]) {
    let StateEquilibrium { a, b, enclosure, .. } =
        solution.equilibrium(state).expect("a solved state");
    let mixture = |account: u32, reply: &[u64]| -> Vec<(u32, u64)> {
        solution
            .rules()
            .legal_bids(account)
            .zip(reply.iter().copied())
            .filter(|&(_, weight)| weight > 0)
            .collect()
    };
    let expectation =
        |weights_a: &[(u32, u64)], weights_b: &[(u32, u64)], end: usize| -> [BigInt; 2] {
            let mut sum = BigInt::zero();
            let mut whole = BigInt::zero();
            for &(bid_a, weight_a) in weights_a {
                for &(bid_b, weight_b) in weights_b {
                    let weight = BigInt::from(weight_a) * BigInt::from(weight_b);
                    sum += &weight * &after(solution, state, bid_a, bid_b)[end];
                    whole += weight;
                }
            }
            [sum, whole]
        };
    let checked = |weights: Vec<(u32, u64)>| {
        assert_eq!(
            weights.iter().map(|&(_, weight)| u128::from(weight)).sum::<u128>(),
            u128::from(DyadicStrategy::WHOLE)
        );
        assert!(
            weights.iter().all(|&(_, weight)| weight > 0) && weights.is_sorted_by(|p, q| p.0 < q.0)
        );
        weights
    };
    let (own_a, own_b) = (checked(a.weights().collect()), checked(b.weights().collect()));
    let Bounds { lower, upper } = enclosure.integers();
    let [secured, whole] = expectation(&own_a, &mixture(state.b, reply_b), 0);
    assert!(
        secured >= whole * lower,
        "{state}: A's strategy does not secure {lower} units against {reply_b:?}"
    );
    let [conceded, whole] = expectation(&mixture(state.a, reply_a), &own_b, 1);
    assert!(
        conceded <= whole * upper,
        "{state}: B's strategy concedes more than {upper} units against {reply_a:?}"
    );
}

/// A mixture over up to this many bids: the first always has some weight, the others often none.
fn reply(bids: usize) -> impl Strategy<Value = Vec<u64>> {
    let weight = prop_oneof![2 => Just(0_u64), 1 => 1_u64..=1 << 40];
    (1_u64..=1 << 40, prop::collection::vec(weight, bids - 1), any::<prop::sample::Index>())
        .prop_map(|(first, mut rest, place)| {
            let place = place.index(rest.len() + 1);
            rest.insert(place, first);
            rest
        })
}

fn state(most: u32, field: i32) -> impl Strategy<Value = State> {
    let ended = |state: &State| state.a + state.b > 0;
    (0..=most, 0..=most, -field..=field)
        .prop_map(|(a, b, ball)| State::new(a, b, Ball::new(ball).expect("a ball")))
        .prop_filter("an ended game has no replies", ended)
}

fn state_and_replies(most: u32, field: i32) -> impl Strategy<Value = (State, Vec<u64>, Vec<u64>)> {
    state(most, field).prop_flat_map(|state| {
        let bids = |account: u32| account.max(1) as usize;
        (Just(state), reply(bids(state.a)), reply(bids(state.b)))
    })
}

/// The payoff to A when only `player` has points left: the best of all ends that this player's hits
/// can bring about.
///
/// Any number of hits is possible, from one to one a point, until the ball is out.
fn alone(rules: &Rules, player: Player, points: u32, ball: i32) -> Payoff {
    let direction = if player == Player::A { 1 } else { -1 };
    // Seen by the player who hits: distances grow toward the opponent's end.
    let mut distance = ball * direction;
    let mut ends = Vec::new();
    for _ in 0..points {
        distance = if rules.motion() == Motion::Net { distance.max(0) + 1 } else { distance + 1 };
        let out = distance > rules.field();
        ends.push(match (out, (distance * direction).signum(), player) {
            (true, _, Player::A) => Outcome::OutByA,
            (true, _, Player::B) => Outcome::OutByB,
            (false, 1, _) => Outcome::LiesWithB,
            (false, 0, _) => Outcome::Draw,
            (false, _, _) => Outcome::LiesWithA,
        });
        if out {
            break;
        }
    }
    let payoffs = ends.into_iter().map(|end| rules.scoring().payoff(end));
    if player == Player::A { payoffs.max() } else { payoffs.min() }.expect("at least one hit")
}

/// Against an empty account pure play decides the game, and the value is an end of it to the last
/// unit.
fn check_endgames(solution: &Solution) {
    let unit = unit(solution);
    for state in solution.states() {
        let (player, points) = match (state.a, state.b) {
            (points @ 1.., 0) => (Player::A, points),
            (0, points @ 1..) => (Player::B, points),
            _ => continue,
        };
        let value = big(alone(solution.rules(), player, points, state.ball.position()));
        let units = value / &unit;
        let expected = [units.floor(), units.ceil()].map(|bound| bound.to_integer());
        let equilibrium = solution.equilibrium(state).expect("a solved state");
        let Bounds { lower, upper } = equilibrium.enclosure.integers();
        assert_eq!([lower, upper].map(BigInt::from), expected, "{state}");
        assert_eq!(
            [&equilibrium.a, &equilibrium.b].map(|strategy| strategy.probabilities().len()),
            [1, 1],
            "{state}"
        );
    }
}

#[test]
fn endgames_of_named_games_are_decided() {
    for (rules, points) in named_games() {
        check_endgames(&solve(rules, points, points));
    }
    check_endgames(&TENNIS);
}

#[test]
fn a_lone_tennis_player_needs_a_point_for_every_field_to_the_end() {
    for points in 1..=50 {
        for ball in -2..=2_i32 {
            let state = State::new(points, 0, Ball::new(ball).expect("a ball"));
            // The first hit flies over the net, from wherever it is made.
            let fields_to_go = 3 - ball.max(0) as u32;
            let expected = if points >= fields_to_go { 2.0 } else { 1.0 };
            assert_eq!(TENNIS.value(state), Ok(expected), "{state}");
            assert_eq!(TENNIS.value(state.mirrored()), Ok(-expected), "{}", state.mirrored());
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let skewed = Rules::tennis().with_scoring("1,1/2,1/3,0,-2".parse().expect("a scoring"));
    let oshi_zumo = Rules::oshi_zumo(3).expect("the field of the literature");
    let games = [
        (Rules::tennis(), 40, 40, Method::Simplex),
        (Rules::tennis(), 33, 17, Method::Simplex),
        (skewed, 20, 25, Method::Simplex),
        (oshi_zumo, 20, 20, Method::Simplex),
        (Rules::tennis(), 33, 17, Method::Tableau),
        (Rules::tennis(), 12, 12, Method::Lp),
    ];
    for (rules, a, b, method) in games {
        let [one, two, three] = [1, 2, 3].map(|threads| {
            let solver = Solver::new(&rules).points([a, b]).method(method).threads(threads);
            let solution = solver.solve().expect("a small game");
            // Weights of strategies, integers of bounds, and the bits of values, in which 0 and -0
            // differ.
            solution.equilibria().map(|found| (found.value.to_bits(), found)).collect::<Vec<_>>()
        });
        assert_eq!(one.len(), (a as usize + 1) * (b as usize + 1) * rules.positions());
        assert!(one == two && one == three, "{a}:{b} by {method} depends on the number of threads");
    }
}

/// Small games that were once solved with wide bounds: payoffs of different bids nearly tie in
/// them, ends differ in worth by orders of magnitude, or optimal probabilities fall below 1e-12.
#[test]
fn games_of_near_ties_are_solved_accurately() {
    let games = [
        (2, "0,3/4,3/5,12,0", 4, 4),
        (3, "0,-10,0,-1,0", 5, 5),
        (2, "0,2,3,-12,0", 5, 5),
        (2, "0,2/3,1/2,2,0", 5, 5),
        (3, "0,1,0,2,5/7", 7, 7),
        (2, "16,1/2,0,5/6,2", 8, 10),
        (2, "3,0,0,23/4,0", 8, 10),
        (2, "0,-4/3,0,1,-7/6", 7, 6),
        (4, "2/7,0,0,14,-1", 11, 8),
        (2, "1000000,1,0,-1,-1000000", 6, 7),
        (3, "1000,1,0,-1,-1000", 9, 9),
        (3, "1,0,0,0,-1000", 14, 10),
    ];
    for (field, scoring, a, b) in games {
        let rules =
            Rules::new(field, Motion::Net, scoring.parse().expect("a scoring")).expect("a field");
        for (method, symmetry) in
            [(Method::Simplex, true), (Method::Simplex, false), (Method::Tableau, true)]
        {
            let solver =
                Solver::new(&rules).points([a, b]).method(method).threads(1).use_symmetry(symmetry);
            check_accuracy(&solver.solve().expect("a small game"), ACCEPTED_GAP);
        }
    }
}

/// Small games over which the solver once broke off.
#[test]
fn games_of_any_scoring_are_solved_to_the_end() {
    for (scoring, a, b) in [("0,5/4,0,25/8,-6/5", 2, 5), ("22/9,-3,0,3,-22/9", 5, 5)] {
        let rules = Rules::tennis().with_scoring(scoring.parse().expect("a scoring"));
        for symmetry in [true, false] {
            let solution = Solver::new(&rules)
                .points([a, b])
                .threads(1)
                .use_symmetry(symmetry)
                .solve()
                .expect("a small game");
            check_accuracy(&solution, ACCEPTED_GAP);
        }
    }
}

/// On a wide field a ball far out needs many hits, payoffs nearly agree, and optimal probabilities
/// become tiny. Bounds may be wider there, since payoffs are shown to the solver as doubles, but
/// only by their last bits.
#[test]
fn wide_fields_are_solved_accurately() {
    for field in 3..=7 {
        for motion in [Motion::Net, Motion::Step] {
            for symmetry in [true, false] {
                let rules = Rules::new(field, motion, Scoring::two_one()).expect("a field");
                let solution =
                    Solver::new(&rules).use_symmetry(symmetry).solve().expect("fifty points each");
                check_accuracy(&solution, 1e-14);
            }
        }
    }
}

#[test]
fn the_unit_in_which_payoffs_are_counted_does_not_matter() {
    let points = 12;
    let plain = solve(Rules::tennis(), points, points);
    for exponent in -58..=58_i32 {
        let scale = |payoff: Payoff| {
            let factor = 1_i64 << exponent.abs();
            if exponent < 0 { payoff / Ratio::from(factor) } else { payoff * Ratio::from(factor) }
        };
        let scoring = Scoring::new(|outcome| scale(Scoring::two_one().payoff(outcome)))
            .expect("at most 60 bits");
        let scaled = solve(Rules::tennis().with_scoring(scoring), points, points);
        for state in plain.states() {
            // The unit of the bounds scales along with the payoffs.
            let [lower, upper] = bounds(&scaled, state);
            assert!(
                overlap(&bounds(&plain, state), &[lower, upper]),
                "{state} with payoffs times 2^{exponent}"
            );
            assert!(
                upper.abs_diff(lower) <= widest(state),
                "{state} with payoffs times 2^{exponent}: {lower}..={upper}"
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn antisymmetric_scoring_makes_antisymmetric_values(rules in rules(antisymmetric_scoring()), points in POINTS) {
        check_antisymmetry(rules, points);
    }

    #[test]
    fn exchanging_the_players_negates_the_value(rules in rules(any_scoring()), a in POINTS, b in POINTS) {
        let payoffs = |outcome: Outcome| -rules.scoring().payoff(outcome.mirrored());
        let exchanged = rules.with_scoring(Scoring::new(payoffs).expect("small fractions"));
        let (solution, exchanged) = (solve(rules, a, b), solve(exchanged, b, a));
        for state in solution.states() {
            let [lower, upper] = bounds(&exchanged, state.mirrored());
            prop_assert!(overlap(&bounds(&solution, state), &[-upper, -lower]), "{}", state);
        }
    }

    #[test]
    fn values_follow_payoffs_through_scaling_and_shifting(
        rules in rules(any_scoring()), points in POINTS, scale in (1_i64..=99, 1_i64..=99), shift in payoff(),
    ) {
        let scale = Payoff::new(scale.0, scale.1);
        let payoffs = |outcome| rules.scoring().payoff(outcome) * scale + shift;
        let changed = rules.with_scoring(Scoring::new(payoffs).expect("small fractions"));
        let (solution, changed) = (solve(rules, points, points), solve(changed, points, points));
        for state in solution.states() {
            let expected = exact_bounds(&solution, state).map(|bound| bound * big(scale) + big(shift));
            prop_assert!(overlap(&expected, &exact_bounds(&changed, state)), "{}", state);
        }
    }

    #[test]
    fn bounds_are_within_the_ends(rules in rules(any_scoring()), a in POINTS, b in POINTS) {
        let solution = solve(rules, a, b);
        check_extremes(&solution);
        check_accuracy(&solution, ACCEPTED_GAP);
    }

    #[test]
    fn bounds_are_as_tight_as_integers_allow_under_ordered_scoring(rules in rules(ordered_scoring()), a in POINTS, b in POINTS) {
        check_tightness(&solve(rules, a, b));
    }

    #[test]
    fn better_positions_are_worth_more_under_ordered_scoring(rules in rules(ordered_scoring()), a in POINTS, b in POINTS) {
        prop_assert!(rules.is_monotone());
        check_monotonicity(&solve(rules, a, b));
    }

    #[test]
    fn endgames_are_decided(rules in rules(any_scoring()), a in POINTS, b in POINTS) {
        check_endgames(&solve(rules, a, b));
    }

    #[test]
    fn a_state_is_worth_the_same_whatever_the_game_began_with(rules in rules(any_scoring()), a in POINTS, b in POINTS) {
        let most = *POINTS.end();
        let (solution, square) = (solve(rules, a, b), solve(rules, most, most));
        for state in solution.states() {
            prop_assert!(overlap(&bounds(&solution, state), &bounds(&square, state)), "{}", state);
        }
    }

    #[test]
    fn every_method_finds_the_same_values(rules in rules(any_scoring()), points in 1_u32..=6) {
        let solve_by = |method: Method| {
            Solver::new(&rules).points([points, points]).method(method).threads(1).solve().expect("a small game")
        };
        let solution = solve_by(Method::Simplex);
        for method in [Method::Tableau, Method::Lp] {
            let other = solve_by(method);
            for state in solution.states() {
                prop_assert!(overlap(&bounds(&solution, state), &bounds(&other, state)), "{} by {}", state, method);
            }
        }
    }

    #[test]
    fn strategies_of_any_game_secure_their_bounds(
        rules in rules(any_scoring()), replies in prop::collection::vec(state_and_replies(8, 4), 16),
    ) {
        let solution = solve(rules, 8, 8);
        for (mut state, reply_a, reply_b) in replies {
            // On narrower fields the outermost position stands for those beyond.
            let field = rules.field();
            state.ball = Ball::new(state.ball.position().clamp(-field, field)).expect("a ball");
            check_saddle_inequality(&solution, state, &reply_a, &reply_b);
        }
    }
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn strategies_of_tennis_secure_their_bounds((state, reply_a, reply_b) in state_and_replies(50, 2)) {
        check_saddle_inequality(&TENNIS, state, &reply_a, &reply_b);
    }
}

#[test]
fn strategies_of_tennis_secure_their_bounds_against_every_pure_reply() {
    for text in [
        "50:50@0", "50:50@-1", "50:50@-2", "50:49@-2", "49:50@2", "50:1@0", "1:50@0", "50:0@-2",
        "7:6@1", "4:3@-2",
    ] {
        let state: State = text.parse().expect("a state");
        for bid in 0..50 {
            let pure = |account: u32| {
                let mut weights = vec![0; account.max(1) as usize];
                let last = weights.len() - 1;
                weights[bid.min(last)] = 1;
                weights
            };
            check_saddle_inequality(&TENNIS, state, &pure(state.a), &pure(state.b));
        }
    }
}

/// Ties are decided by a rule and not by the way to the optimum: the warm-started simplex and the
/// tableau choose the same strategies.
#[test]
fn both_simplex_methods_choose_the_same_strategies() {
    let solve =
        |method| Solver::new(&Rules::tennis()).points([30, 30]).method(method).solve().unwrap();
    let (warm, tableau) = (solve(Method::Simplex), solve(Method::Tableau));
    for (left, right) in warm.equilibria().zip(tableau.equilibria()) {
        for (left, right) in [(left.a, right.a), (left.b, right.b)] {
            assert_eq!(left.probabilities().len(), right.probabilities().len());
            for ((bid, probability), (other, expected)) in
                left.probabilities().zip(right.probabilities())
            {
                // Both are refined against the same integer tables, to a few units of 2^-62 times
                // the condition of the basis.
                assert!(
                    bid == other && (probability - expected).abs() <= 1e-12,
                    "{bid}: {probability} and {expected}"
                );
            }
        }
    }
}
