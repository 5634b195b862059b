//! The uniqueness of optimal strategies, against an enumeration of all of them in exact fractions.

use std::collections::{BTreeMap, BTreeSet};

use pencil_tennis::{Error, GameError, Method, Rules, Solution, Solver, Uniqueness};

use crate::fractions::Game;

#[test]
fn enumeration_of_all_optimal_strategies_agrees() {
    let games = [
        (Game { field: 2, over_the_net: true, ends: [2, 1, 0, -1, -2] }, 6),
        (Game { field: 2, over_the_net: true, ends: [1, 1, 0, -1, -1] }, 5),
        (Game { field: 1, over_the_net: false, ends: [1, 0, 0, 0, -1] }, 5),
        (Game { field: 1, over_the_net: true, ends: [5, 1, 2, 0, -3] }, 5),
    ];
    for (game, points) in games {
        let exact = Solver::new(&game.rules())
            .points([points, points])
            .exact(Solver::EXACT_BITS)
            .solve()
            .unwrap();
        let plain = Solver::new(&game.rules()).points([points, points]).solve().unwrap();
        let mut kinds = BTreeSet::new();
        for solved in game.solve(points) {
            let (state, counts) =
                (solved.state, solved.strategies.map(|strategies| strategies.len()));
            assert_eq!(
                exact.exact_value(state).unwrap(),
                Some(solved.value),
                "{state}: {:?}",
                solved.matrix
            );
            let expected = counts
                .map(|count| if count == 1 { Uniqueness::Unique } else { Uniqueness::Several });
            assert_eq!(
                exact.uniqueness(state).unwrap(),
                expected,
                "{state} of {:?}: {counts:?}",
                game.ends
            );
            for (found, expected) in plain.uniqueness(state).unwrap().into_iter().zip(expected) {
                assert!(
                    found == expected || found == Uniqueness::Unknown,
                    "{state} of {:?} without exact numbers",
                    game.ends
                );
            }
            kinds.insert(format!("{expected:?}"));
        }
        assert_eq!(kinds.len(), 4, "all four cases occur: {kinds:?}");
    }
}

/// Two ways of solving may find different optimal strategies only where there are several.
#[test]
fn unique_strategies_are_found_by_every_method() {
    let solve =
        |method| Solver::new(&Rules::tennis()).points([24, 24]).method(method).solve().unwrap();
    let [simplex, tableau, lp]: [Solution; 3] =
        [Method::Simplex, Method::Tableau, Method::Lp].map(solve);
    let mut unique = 0;
    for state in simplex.states() {
        let equilibrium = simplex.equilibrium(state).unwrap();
        for other in [&tableau, &lp] {
            let other = other.equilibrium(state).unwrap();
            for (uniqueness, strategy, other) in
                [(0, &equilibrium.a, &other.a), (1, &equilibrium.b, &other.b)].map(
                    |(player, strategy, other)| {
                        (simplex.uniqueness(state).unwrap()[player], strategy, other)
                    },
                )
            {
                if uniqueness == Uniqueness::Unique {
                    unique += 1;
                    for (bid, probability) in strategy.probabilities() {
                        assert!(
                            (probability - other.probability(bid)).abs() < 1e-6,
                            "{state}: bid {bid}"
                        );
                    }
                }
            }
        }
    }
    assert!(unique > 2_000, "{unique}");
}

#[test]
fn at_fifty_points_most_states_are_decided() {
    let solution = pencil_tennis::solve(50).unwrap();
    assert_eq!(solution.uniqueness("50:50@0".parse().unwrap()).unwrap(), [Uniqueness::Unique; 2]);
    let mut counts = BTreeMap::new();
    for state in solution.states() {
        let equilibrium = solution.equilibrium(state).unwrap();
        let randomised =
            equilibrium.a.probabilities().len() + equilibrium.b.probabilities().len() > 2;
        for uniqueness in solution.uniqueness(state).unwrap() {
            *counts.entry((randomised, format!("{uniqueness:?}"))).or_insert(0) += 1;
        }
    }
    assert!(
        !counts.contains_key(&(false, "Unknown".to_owned())),
        "where nobody randomises all is decided: {counts:?}"
    );
    assert!(counts[&(true, "Unique".to_owned())] > 4_400, "{counts:?}");
}

#[test]
fn mirror_images_and_ends() {
    let solution =
        Solver::new(&Rules::tennis()).points([9, 9]).exact(Solver::EXACT_BITS).solve().unwrap();
    for state in solution.states() {
        let [a, b] = solution.uniqueness(state).unwrap();
        assert_eq!(solution.uniqueness(state.mirrored()).unwrap(), [b, a], "{state}");
    }
    assert_eq!(
        solution.uniqueness("0:0@1".parse().unwrap()).unwrap(),
        [Uniqueness::Unique; 2],
        "there is nothing to choose"
    );
    assert!(matches!(
        solution.uniqueness("10:9@0".parse().unwrap()),
        Err(Error::Game(GameError::Outside { .. }))
    ));
}
