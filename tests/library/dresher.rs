//! The optimal strategies that gain most from errors, against Dresher's procedure in exact
//! fractions over all optimal strategies.

use std::collections::BTreeMap;

use num_traits::{One, ToPrimitive, Zero};
use pencil_tennis::analysis::PolicyEvaluation;
use pencil_tennis::matrix_game::{DyadicStrategy, Payoffs};
use pencil_tennis::{
    BidStrategy, Bounds, Error, GameError, Method, Motion, Policy, PolicyError, Refined, Rules,
    Solver, State, WorkError, unwatched,
};

use crate::fractions::{Fraction, Game, extreme_strategies};

/// The payoff of a strategy of the row player against every column.
pub(crate) fn gains(strategy: &[Fraction], matrix: &[Vec<Fraction>]) -> Vec<Fraction> {
    (0..matrix[0].len())
        .map(|j| strategy.iter().zip(matrix).map(|(p, row)| p * &row[j]).sum())
        .collect()
}

/// The payoffs against every column of the row player's refined strategies, which no column can
/// tell apart.
///
/// By the definition: play the game between the own strategies that are left and the columns that
/// are left, keep the extreme optimal strategies, drop the columns against which none of them makes
/// more than its value, until no column is left.
pub(crate) fn dresher(matrix: &[Vec<Fraction>]) -> Vec<Fraction> {
    let unit = |i: usize| {
        (0..matrix.len())
            .map(|k| if k == i { Fraction::one() } else { Fraction::zero() })
            .collect::<Vec<_>>()
    };
    let mut left: Vec<Vec<Fraction>> = (0..matrix.len()).map(|i| gains(&unit(i), matrix)).collect();
    let mut columns: Vec<usize> = (0..matrix[0].len()).collect();
    while !columns.is_empty() {
        // Strategies that no column left tells apart are one row of the game.
        let mut alike: BTreeMap<Vec<Fraction>, Vec<Fraction>> = BTreeMap::new();
        for payoffs in left {
            alike.entry(columns.iter().map(|&j| payoffs[j].clone()).collect()).or_insert(payoffs);
        }
        let (game, all): (Vec<_>, Vec<_>) = alike.into_iter().unzip();
        let (value, [optimal, _]) = extreme_strategies(&game);
        left = optimal.iter().map(|mixture| gains(mixture, &all)).collect();
        columns.retain(|&j| left.iter().any(|payoffs| payoffs[j] > value));
    }
    left.swap_remove(0)
}

/// A strategy as fractions over all legal bids.
fn exact(state: State, points: u32, strategy: &BidStrategy) -> Vec<Fraction> {
    let whole = Fraction::from_integer(DyadicStrategy::WHOLE.into());
    let mut all = vec![Fraction::zero(); Rules::tennis().legal_bids(points).count()];
    for (bid, weight) in strategy.weights() {
        let place = bid - Rules::tennis().lowest_bid(points);
        assert!((place as usize) < all.len(), "{state}: {bid} is legal");
        all[place as usize] = Fraction::from_integer(weight.into()) / &whole;
    }
    all
}

fn close(left: &Fraction, right: &Fraction) -> bool {
    (left - right).to_f64().is_some_and(|difference| difference.abs() < 1e-14)
}

/// Some games of interest, and some at random.
fn games() -> Vec<(Game, u32)> {
    let mut games = vec![
        (Game { field: 2, over_the_net: true, ends: [2, 1, 0, -1, -2] }, 6),
        (Game { field: 2, over_the_net: true, ends: [1, 1, 0, -1, -1] }, 5),
        (Game { field: 1, over_the_net: false, ends: [1, 0, 0, 0, -1] }, 5),
        (Game { field: 1, over_the_net: true, ends: [5, 1, 2, 0, -3] }, 5),
    ];
    let mut seed = 3_u64;
    let mut draw = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    for _ in 0..12 {
        let ends = [(); 5].map(|()| draw(9) as i64 - 4);
        games.push((Game { field: 1 + draw(2) as i32, over_the_net: draw(2) == 0, ends }, 4));
    }
    games
}

#[test]
fn the_procedure_in_fractions_agrees_at_every_state() {
    let (mut changed, mut mixed) = (0, 0);
    for (game, points) in games() {
        let solution = Solver::new(&game.rules()).points([points, points]).solve().unwrap();
        for solved in game.solve(points) {
            let state = solved.state;
            let refined = solution.refined(state).unwrap();
            let turned: Vec<Vec<Fraction>> = (0..solved.matrix[0].len())
                .map(|j| solved.matrix.iter().map(|row| -&row[j]).collect())
                .collect();
            let optimal = solved.strategies.map(|strategies| strategies.len());
            for (kind, strategy, account, matrix, value, optimal) in [
                (
                    refined.refined.a,
                    &refined.a,
                    state.a,
                    &solved.matrix,
                    solved.value.clone(),
                    optimal[0],
                ),
                (refined.refined.b, &refined.b, state.b, &turned, -&solved.value, optimal[1]),
            ] {
                let gained = gains(&exact(state, account, strategy), matrix);
                let expected = dresher(matrix);
                assert!(
                    gained.iter().zip(&expected).all(|(gain, expected)| close(gain, expected)),
                    "{state} of {:?}",
                    game.ends
                );
                assert!(
                    gained
                        .iter()
                        .all(|gain| *gain > &value - Fraction::new(1.into(), (1_i64 << 54).into())),
                    "{state} is not secure"
                );
                assert_ne!(kind, Refined::Kept, "{state}");
                assert!(optimal > 1 || kind == Refined::Unchanged, "{state}: there is no other");
                changed += usize::from(kind == Refined::Changed);
                mixed +=
                    usize::from(kind == Refined::Changed && strategy.probabilities().len() > 1);
            }
        }
    }
    assert!(
        changed > 100 && mixed > 100,
        "the usual rule often selects otherwise: {changed}, {mixed}"
    );
}

/// The article's example. The rows 1, 2, 3 are (1, −2, −2), (1, 1, −2) and (−1, 1, 1): A may mix 2
/// and 3, or 1 and 3, always 2 : 3, and gets −1/5 from 1 and from 3. If B errs and bids 2, the
/// first mixture gets 1 and the second −1/5.
#[test]
fn the_articles_example() {
    for method in [Method::Simplex, Method::Tableau, Method::Lp] {
        let solution = Solver::new(&Rules::tennis()).points([4, 4]).method(method).solve().unwrap();
        let refined = solution.refined("4:3@-2".parse().unwrap()).unwrap();
        for (bid, a, b) in [(1, 0.0, 0.6), (2, 0.4, 0.0), (3, 0.6, 0.4), (4, 0.0, 0.0)] {
            assert!((refined.a.probability(bid) - a).abs() < 1e-15, "A's {bid} by {method}");
            assert!((refined.b.probability(bid) - b).abs() < 1e-15, "B's {bid} by {method}");
        }
    }
}

/// Payoffs that differ by 6e-14 and 6e-8 decide the state 8:8@0 of this game, where B bids 1 once
/// in 16 million turns: too little for floating point.
#[test]
fn what_floating_point_cannot_tell_is_left_as_it_was() {
    let solution = Solver::new(&Rules::new(2, Motion::Net, "5,1,2,0,-3".parse().unwrap()).unwrap())
        .points([8, 8])
        .solve()
        .unwrap();
    let state: State = "8:8@0".parse().unwrap();
    let (refined, usual) = (solution.refined(state).unwrap(), solution.equilibrium(state).unwrap());
    assert_eq!(refined.refined.b, Refined::Kept);
    assert_eq!(refined.b, usual.b);
}

#[test]
fn nobody_gains_less_at_the_first_error() {
    let solution = pencil_tennis::solve(30).unwrap();
    let mut better = 0;
    for state in solution.states().filter(|state| solution.rules().outcome(*state).is_none()) {
        let game = solution.stage_game(state).unwrap();
        let value = solution.value(state).unwrap();
        let standard = solution.equilibrium(state).unwrap();
        let refined = solution.refined(state).unwrap();
        let lowest = [state.a, state.b].map(|points| solution.rules().lowest_bid(points));
        let against_columns = |strategy: &BidStrategy| -> Vec<f64> {
            let sum = |j| {
                strategy
                    .probabilities()
                    .map(|(bid, p)| p * game.entry((bid - lowest[0]) as usize, j))
                    .sum::<f64>()
                    - value
            };
            (0..game.columns()).map(sum).collect()
        };
        let against_rows = |strategy: &BidStrategy| -> Vec<f64> {
            let sum = |i| {
                value
                    - strategy
                        .probabilities()
                        .map(|(bid, p)| p * game.entry(i, (bid - lowest[1]) as usize))
                        .sum::<f64>()
            };
            (0..game.rows()).map(sum).collect()
        };
        for (refined_gains, usual) in [
            (against_columns(&refined.a), against_columns(&standard.a)),
            (against_rows(&refined.b), against_rows(&standard.b)),
        ] {
            // Errors are the replies against which an optimal strategy gains; the refined one then
            // does.
            let (errors, others): (Vec<usize>, Vec<usize>) =
                (0..refined_gains.len()).partition(|&reply| refined_gains[reply] > 1e-9);
            assert!(
                others.iter().all(|&reply| refined_gains[reply] > -1e-14 && usual[reply] < 1e-8),
                "{state}: {refined_gains:?} {usual:?}"
            );
            let least = |gains: &[f64]| {
                errors.iter().map(|&reply| gains[reply]).fold(f64::INFINITY, f64::min)
            };
            assert!(
                errors.is_empty() || least(&refined_gains) > least(&usual) - 1e-12,
                "{state}: {refined_gains:?} {usual:?}"
            );
            better += usize::from(least(&refined_gains) > least(&usual) + 1e-6);
        }
    }
    assert!(better > 500, "{better}");
}

#[test]
fn refined_play_is_as_safe_in_the_game_of_fifty() {
    let solution = pencil_tennis::solve(50).unwrap();
    let all = solution.refined_equilibria(&mut unwatched).unwrap();
    let refined = Policy::refined(&solution, &all).unwrap();
    let worst = PolicyEvaluation::new(&solution, &refined, &mut unwatched)
        .unwrap()
        .exploitability()
        .unwrap()
        .mean();
    assert!(worst.lower() >= 0.0 && worst.upper() < 1e-15, "{worst:?}");
    assert_ne!(refined, Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"));
    assert!(all.iter().all(|refined| refined.refined.a != Refined::Kept && refined.refined.b != Refined::Kept));
    assert!(all.iter().filter(|refined| refined.refined.a == Refined::Changed).count() > 1_000);
    for refined in &all {
        let Bounds { lower, upper } = refined.enclosure.integers();
        let Bounds { lower: least, upper: most } =
            solution.enclosure(refined.state).unwrap().integers();
        assert!(lower >= least - 32 && upper <= most + 32, "{}", refined.state);
    }
}

#[test]
fn threads_do_not_change_what_is_selected() {
    let mut solution = pencil_tennis::solve(12).unwrap();
    let all = solution.refined_equilibria(&mut unwatched).unwrap();
    assert!(all.iter().any(|refined| refined.refined.a == Refined::Changed));
    for threads in [1, 2, 5] {
        solution.set_threads(threads).unwrap();
        assert_eq!(solution.refined_equilibria(&mut unwatched).unwrap(), all, "{threads}");
    }
    for threads in [0, 257] {
        assert_eq!(
            solution.set_threads(threads).unwrap_err(),
            WorkError::ThreadCount { threads, most: 256 }
        );
    }
}

#[test]
fn a_policy_wants_the_equilibria_of_its_own_solution() {
    let [five, six] = [5, 6].map(|points| pencil_tennis::solve(points).unwrap());
    let refused = |refined: &[pencil_tennis::StateEquilibrium]| match Policy::refined(&six, refined)
    {
        Err(Error::Policy(PolicyError::Distribution { state, .. })) => state.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[]), "0:0@-2");
    assert_eq!(
        refused(&five.refined_equilibria(&mut unwatched).unwrap()),
        "0:6@-2",
        "after 0:5 the other has 1:0"
    );
    let mut equilibria = six.refined_equilibria(&mut unwatched).unwrap();
    assert!(Policy::refined(&six, &equilibria).is_ok());
    assert_eq!(refused(&equilibria[..equilibria.len() - 1]), "6:6@2");
    // The strategies of a state with more points in the place of another's: bids that are not legal
    // there.
    let last = equilibria.last().unwrap().clone();
    assert_eq!(last.state.to_string(), "6:6@2");
    let poor = equilibria.iter_mut().find(|refined| refined.state.to_string() == "1:1@2").unwrap();
    poor.b = last.b;
    assert_eq!(refused(&equilibria), "1:1@2");
}

#[test]
fn mirror_images_ends_and_the_only_optimal_strategies() {
    let solution = pencil_tennis::solve(14).unwrap();
    for state in solution.states() {
        let [refined, image] =
            [state, state.mirrored()].map(|state| solution.refined(state).unwrap());
        assert_eq!((refined.refined.a, &refined.a), (image.refined.b, &image.b), "{state}");
        let uniqueness = solution.uniqueness(state).unwrap();
        for (kind, uniqueness) in [refined.refined.a, refined.refined.b].into_iter().zip(uniqueness)
        {
            assert!(
                uniqueness != pencil_tennis::Uniqueness::Unique || kind == Refined::Unchanged,
                "{state}"
            );
        }
    }
    assert_eq!(solution.refined("0:0@1".parse().unwrap()).unwrap().refined.a, Refined::Unchanged);
    assert!(matches!(
        solution.refined("15:9@0".parse().unwrap()),
        Err(Error::Game(GameError::Outside { .. }))
    ));
    let uneven = Solver::new(&Rules::tennis()).points([9, 6]).solve().unwrap();
    assert_eq!(uneven.refined("5:5@2".parse().unwrap()).unwrap(), solution_of_five());
}

fn solution_of_five() -> pencil_tennis::StateEquilibrium {
    pencil_tennis::solve(5).unwrap().refined("5:5@2".parse().unwrap()).unwrap()
}
