//! Policies: how they are made, looked up, drawn from, written and read.

use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::report::{PolicyFormat, Table, TableFormat};
use pencil_tennis::{
    Error, GameError, Player, Policy, PolicyError, Rules, Solver, State, unwatched,
};

const FORMATS: [PolicyFormat; 3] = [PolicyFormat::Csv, PolicyFormat::Json, PolicyFormat::Npz];
const MATRICES: [PolicyFormat; 2] = [PolicyFormat::WeightsCsv, PolicyFormat::WeightsNpz];

fn tennis() -> Rules {
    Rules::tennis()
}

fn state(text: &str) -> State {
    text.parse().expect("a state")
}

fn optimal(points: u32) -> Policy {
    Policy::optimal(&pencil_tennis::solve(points).expect("a small game"), &mut unwatched)
        .expect("nobody cancels")
}

fn written(format: PolicyFormat, policy: &Policy) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(policy, &mut bytes).expect("memory takes everything");
    bytes
}

/// The largest difference of any weight of two policies for the same states, in parts of the whole.
fn distance(one: &Policy, other: &Policy) -> u64 {
    let mut largest = 0;
    for state in one.states() {
        for player in Player::BOTH {
            for bid in Rules::tennis().legal_bids(state.points(player)) {
                let weight = |policy: &Policy| {
                    let mut weights = policy.weights(state, player).expect("both players");
                    weights.find(|&(played, _)| played == bid).map_or(0, |(_, weight)| weight)
                };
                largest = largest.max(weight(one).abs_diff(weight(other)));
            }
        }
    }
    largest
}

/// Whether every state has a distribution over legal bids, exactly.
fn assert_distributions(policy: &Policy) {
    for state in policy.states() {
        for player in Player::BOTH {
            let weights: Vec<(u32, u64)> =
                policy.weights(state, player).expect("both players").collect();
            assert_eq!(
                weights.iter().map(|(_, weight)| weight).sum::<u64>(),
                DyadicStrategy::WHOLE,
                "{player} at {state}"
            );
            let legal = Rules::tennis().legal_bids(state.points(player));
            assert!(
                weights.iter().all(|(bid, weight)| legal.contains(bid) && *weight > 0),
                "{player} at {state}"
            );
            assert!(weights.is_sorted_by(|one, next| one.0 < next.0), "{player} at {state}");
        }
    }
}

#[test]
fn uniform_is_as_even_as_integers_can_be() {
    let policy = Policy::uniform(&tennis(), [10, 7]).expect("a small game");
    let weighed =
        Policy::from_weights(&tennis(), [10, 7], &Player::BOTH, &mut unwatched, |_, _, weights| {
            weights.fill(0.7);
        });
    assert_eq!(weighed.as_ref(), Ok(&policy));
    assert_distributions(&policy);
    for state in policy.states() {
        for player in Player::BOTH {
            let account = u64::from(state.points(player).max(1));
            assert_eq!(policy.weights(state, player).expect("both").len() as u64, account);
            for (_, weight) in policy.weights(state, player).expect("both") {
                assert!(
                    weight.abs_diff(DyadicStrategy::WHOLE / account) <= 1,
                    "{player} at {state}: {weight}"
                );
            }
        }
    }
}

#[test]
fn optimal_is_what_the_solution_says() {
    let solution = Solver::new(&tennis()).points([9, 6]).solve().expect("a small game");
    let policy = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
    assert_distributions(&policy);
    for state in solution.states() {
        let equilibrium = solution.equilibrium(state).expect("a state of it");
        assert!(policy.weights(state, Player::A).expect("A").eq(equilibrium.a.weights()));
        assert!(policy.weights(state, Player::B).expect("B").eq(equilibrium.b.weights()));
    }
}

#[test]
fn weights_of_any_size_are_normalised() {
    // Large ones, small ones and numbers too small to be normal, 2^-1060: only proportions count.
    for size in [1.0, 1e300, 1e-300, f64::from_bits(1 << 14)] {
        let policy = Policy::from_weights(
            &tennis(),
            [5, 5],
            &Player::BOTH,
            &mut unwatched,
            |_, _, weights| {
                for (bid, weight) in (1_u32..).zip(weights) {
                    *weight = f64::from(bid % 3) * size;
                }
            },
        )
        .expect("fine weights");
        assert_distributions(&policy);
        for (bid, expected) in
            [(1, 1.0 / 6.0), (2, 2.0 / 6.0), (3, 0.0), (4, 1.0 / 6.0), (5, 2.0 / 6.0)]
        {
            let probability = policy.probability(state("5:5@0"), Player::A, bid).expect("a state");
            assert!((probability - expected).abs() < 1e-17, "{bid}: {probability}");
        }
    }
}

#[test]
fn counts_are_divided_to_the_last_bit() {
    let counts = [123.0, 78.0, 12.0, 1.0, 4.0, 32.0, 21.0, 1.0];
    let policy =
        Policy::from_weights(&tennis(), [8, 8], &[Player::A], &mut unwatched, |_, _, weights| {
            weights.copy_from_slice(&counts[..weights.len()]);
        })
        .expect("counts");
    for (bid, weight) in policy.weights(state("8:8@0"), Player::A).expect("A") {
        let exact = counts[bid as usize - 1] as u128 * u128::from(DyadicStrategy::WHOLE) / 272;
        assert!(u128::from(weight).abs_diff(exact) <= 1, "bid {bid}");
    }
}

#[test]
fn weights_that_are_none_are_refused() {
    for (weight, words) in [
        (-1.0, "bid 2 has weight -1"),
        (f64::NAN, "bid 2 has weight NaN"),
        (f64::INFINITY, "bid 2 has weight inf"),
        (0.0, "no bid has a positive weight"),
    ] {
        let error = Policy::from_weights(
            &tennis(),
            [3, 3],
            &[Player::B],
            &mut unwatched,
            |at, _, weights| {
                weights.fill(1.0);
                if at == state("1:3@-1") {
                    weights.copy_from_slice(&[0.0, weight, 0.0]);
                }
            },
        )
        .unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("B's policy at 1:3@-1: {words}")),
            "{error}"
        );
    }
}

#[test]
fn a_bid_is_drawn_as_often_as_it_is_likely() {
    let policy = optimal(8);
    for at in policy.states() {
        for player in Player::BOTH {
            // Weights are out of 2^62, so that the first four of 2^64 numbers stand for the first
            // ticket.
            let mut first = 0_u64;
            for (bid, weight) in policy.weights(at, player).expect("both") {
                assert_eq!(policy.draw(at, player, first).expect("both"), bid);
                let next = first.wrapping_add(weight.wrapping_mul(4));
                assert_eq!(policy.draw(at, player, next.wrapping_sub(1)).expect("both"), bid);
                first = next;
            }
            assert_eq!(first, 0, "all 2^64 numbers are used");
        }
    }
}

#[test]
fn every_format_gives_back_what_was_written() {
    for policy in [optimal(9), Policy::uniform(&tennis(), [9, 9]).expect("a small game")] {
        for format in FORMATS.into_iter().chain(MATRICES) {
            let bytes = written(format, &policy);
            assert_eq!(PolicyFormat::of(&bytes), Ok(format));
            let read = format.read(&bytes, &tennis(), [9, 9]).expect("what was written");
            assert_distributions(&read);
            // Nine probabilities are off by 2^-54 at most, 2^8 parts; their sum may be off by all
            // of these.
            assert!(distance(&policy, &read) <= 9 << 8, "{format:?}: {}", distance(&policy, &read));
            assert_eq!(written(format, &policy), bytes, "the same bytes every time");
        }
    }
}

#[test]
fn what_was_read_once_is_read_again_to_the_bit() {
    let first = PolicyFormat::Csv
        .read(&written(PolicyFormat::Csv, &optimal(11)), &tennis(), [11, 11])
        .expect("a policy");
    for format in FORMATS {
        let again = format.read(&written(format, &first), &tennis(), [11, 11]).expect("a policy");
        assert_eq!(distance(&again, &first), 0, "{format:?}");
    }
}

#[test]
fn one_player_alone_is_written_and_read() {
    let policy = Policy::uniform(&tennis(), [4, 6])
        .expect("a small game")
        .only(Player::B)
        .expect("it has both");
    for format in FORMATS {
        let read =
            format.read(&written(format, &policy), &tennis(), [4, 6]).expect("what was written");
        assert!(!read.covers(Player::A) && read.covers(Player::B), "{format:?}");
        assert_eq!(
            read.probability(state("4:6@0"), Player::A, 1),
            Err(PolicyError::LacksPlayer { player: Player::A }.into())
        );
    }
}

#[test]
fn a_policy_is_written_like_the_table_of_its_solution() {
    let solution = pencil_tennis::solve(7).expect("a small game");
    let policy = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
    for (format, table) in
        [(PolicyFormat::Csv, TableFormat::Csv), (PolicyFormat::Json, TableFormat::Json)]
    {
        let mut bytes = Vec::new();
        Table::Policy.write(&solution, table, &mut bytes).expect("memory takes everything");
        assert!(written(format, &policy) == bytes, "{format:?}");
    }
}

#[test]
fn bids_never_made_may_be_left_out() {
    let solution = pencil_tennis::solve(7).expect("a small game");
    let mut bytes = Vec::new();
    Table::Strategies
        .write(&solution, TableFormat::Csv, &mut bytes)
        .expect("memory takes everything");
    let read = PolicyFormat::Csv.read(&bytes, &tennis(), [7, 7]).expect("all that matters");
    assert!(
        distance(&read, &Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"))
            <= 7 << 8
    );
}

/// The rows of a matrix in the documented order, counted by hand for two points: 3 · 3 · 5 rows of
/// three weights.
#[test]
fn the_matrix_has_its_rows_by_points_and_ball() {
    let mut lines = vec!["1,0,0".to_owned(); 45];
    for (row, line) in lines.iter_mut().enumerate() {
        match row / 15 {
            1 => *line = "0,1,0".to_owned(),
            2 => *line = "0,1,1".to_owned(),
            _ => {}
        }
    }
    // The state 2:1@-2 is row (2 · 3 + 1) · 5 + 0 = 35, and 2:1@1 is row 38.
    lines[35] = "0,3,1".to_owned();
    lines[38] = "0,0,17".to_owned();
    let policy = PolicyFormat::WeightsCsv
        .read(lines.join("\n").as_bytes(), &tennis(), [2, 2])
        .expect("a matrix");
    let probability =
        |at, player, bid| policy.probability(state(at), player, bid).expect("a state");
    assert_eq!(probability("2:1@-2", Player::A, 1), 0.75);
    assert_eq!(probability("2:1@1", Player::A, 2), 1.0);
    assert_eq!(probability("2:1@0", Player::A, 2), 0.5);
    // B bids as A would at the mirror image.
    assert_eq!(probability("1:2@2", Player::B, 1), 0.75);
    assert_eq!(probability("1:2@-1", Player::B, 2), 1.0);
    assert_eq!(
        written(PolicyFormat::WeightsCsv, &policy).split(|&byte| byte == b'\n').nth(35),
        Some(&b"0.0,0.75,0.25"[..])
    );
}

#[test]
fn a_mirror_image_of_a_mirror_image_is_the_policy() {
    let lopsided = Policy::optimal(
        &Solver::new(&tennis()).points([6, 4]).solve().expect("a small game"),
        &mut unwatched,
    )
    .expect("nobody cancels");
    assert_ne!(lopsided.mirrored().points(), lopsided.points());
    assert_eq!(lopsided.mirrored().mirrored(), lopsided);
    let half = optimal(6).only(Player::A).expect("it has both");
    assert_eq!(half.completed_by_mirror().expect("equal points"), optimal(6), "the game is fair");
    let error = lopsided.only(Player::A).and_then(Policy::completed_by_mirror).unwrap_err();
    assert_eq!(error, PolicyError::Mirror { a: 6, b: 4 }.into());
}

mod refusals {
    use super::*;

    /// A policy of one point each as csv: 1:0, 0:1 and 1:1 with five balls each.
    fn lines() -> Vec<String> {
        let mut lines = vec!["a,b,ball,player,bid,probability".to_owned()];
        for (a, b) in [(0, 1), (1, 0), (1, 1)] {
            for ball in -2..=2 {
                lines.push(format!("{a},{b},{ball},A,{a},1"));
                lines.push(format!("{a},{b},{ball},B,{b},1"));
            }
        }
        lines
    }

    fn read(lines: &[String]) -> Result<Policy, Error> {
        PolicyFormat::Csv.read(lines.join("\n").as_bytes(), &tennis(), [1, 1])
    }

    fn assert_refused(lines: &[String], sentence: &str) {
        let error = read(lines).unwrap_err().to_string();
        assert!(error.contains(sentence), "no `{sentence}` in: {error}");
    }

    fn changed(from: &str, to: &str) -> Vec<String> {
        let mut lines = lines();
        let line = lines.iter_mut().find(|line| *line == from).expect("the line to change");
        to.clone_into(line);
        lines
    }

    #[test]
    fn the_file_itself_is_fine() {
        assert_eq!(read(&lines()), Policy::uniform(&tennis(), [1, 1]));
    }

    #[test]
    fn sums_that_are_not_one() {
        assert_refused(
            &changed("1,1,0,A,1,1", "1,1,0,A,1,0.9"),
            "A's policy at 1:1@0: the probabilities sum to 0.9; expected 1",
        );
        assert_refused(
            &changed("1,1,-2,B,1,1", "1,1,-2,B,1,1.00001"),
            "B's policy at 1:1@-2: the probabilities sum to 1.00001",
        );
        assert_refused(
            &changed("0,1,2,A,0,1", "0,1,2,A,0,0.5"),
            "A's policy at 0:1@2: the probabilities sum to 0.5",
        );
        assert!(
            read(&changed("1,1,0,A,1,1", "1,1,0,A,1,0.9999995")).is_ok(),
            "within the tolerance"
        );
    }

    #[test]
    fn bids_that_are_not_legal() {
        let sentence = "A's policy at 1:1@0: bid 2 has the number 1, but A cannot bid 2: with 1 point left the only bid is 1";
        assert_refused(&changed("1,1,0,A,1,1", "1,1,0,A,2,1"), sentence);
        assert_refused(&changed("1,1,0,A,1,1", "1,1,0,A,0,1"), "A cannot bid 0");
        let mut lines = lines();
        lines.push("1,1,0,A,2,0".to_owned());
        assert!(read(&lines).is_ok(), "a probability of 0 does no harm");
    }

    #[test]
    fn numbers_that_are_no_probabilities() {
        for number in ["-1", "NaN", "inf"] {
            assert_refused(
                &changed("1,1,0,A,1,1", &format!("1,1,0,A,1,{number}")),
                "A's policy at 1:1@0: bid 1 has the number",
            );
        }
    }

    #[test]
    fn states_that_are_missing() {
        let without = |from: &str| {
            lines().into_iter().filter(|line| !line.starts_with(from)).collect::<Vec<_>>()
        };
        assert_refused(&without("1,1,0,A"), "A's policy says nothing about a state: 1:1@0");
        let named = "B's policy says nothing about 5 states: 1:1@-2, 1:1@-1, 1:1@0, 1:1@1, 1:1@2";
        let mut some: Vec<String> = lines();
        some.retain(|line| !(line.starts_with("1,1,") && line.contains('B')));
        assert_refused(&some, named);
        assert!(read(&without("0,1,0,A")).is_ok(), "with an empty account there is nothing to say");
    }

    #[test]
    fn states_that_are_not_there() {
        assert_refused(
            &changed("1,1,0,A,1,1", "1,1,3,A,1,1"),
            "ball 3 is outside the field -2 to 2",
        );
        assert_refused(
            &changed("1,1,0,A,1,1", "2,1,0,A,1,1"),
            "2:1@0 is outside the game, which has 0 to 1 points for A",
        );
    }

    #[test]
    fn bids_that_are_given_twice() {
        let mut lines = lines();
        lines.push("1,1,0,A,1,1".to_owned());
        assert_refused(&lines, "A's policy at 1:1@0: bid 1 is given twice");
    }

    #[test]
    fn files_of_another_form() {
        assert_refused(&[], "no column `a`");
        assert_refused(&["a,b,ball,player,bid,probability".to_owned()], "there are no bids in it");
        assert_refused(&["a,b,ball,player,bid".to_owned()], "no column `probability`");
        assert_refused(
            &changed("1,1,0,A,1,1", "1,1,0,C,1,1"),
            "line 26: `C` is not a player; expected A or B",
        );
        assert_refused(
            &changed("1,1,0,A,1,1", "1,x,0,A,1,1"),
            "line 26, b: `x`; expected a whole number from 0",
        );
        assert_refused(&changed("1,1,0,A,1,1", "1,1,0,A,1"), "line 26 has 5 fields; expected 6");
        let json =
            PolicyFormat::Json.read(b"[{\"a\":1}]", &tennis(), [1, 1]).unwrap_err().to_string();
        assert!(json.starts_with("not a policy: missing field `b` at line 1"), "{json}");
    }

    #[test]
    fn matrices_of_another_shape() {
        let read = |text: &str| {
            PolicyFormat::WeightsCsv
                .read(text.as_bytes(), &tennis(), [1, 1])
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            read("1,0\n1,0"),
            "not a policy: the weights have 2 rows; expected 20, one for every state"
        );
        assert_eq!(
            read("1,0\n1,0,0"),
            "not a policy: row 2 of the weights has 3 columns; expected 2"
        );
        assert_eq!(read("1,0\n1,w"), "not a policy: line 2 of the weights: `w` is not a number");
        let lopsided = PolicyFormat::WeightsCsv.read(b"", &tennis(), [1, 2]).unwrap_err();
        assert_eq!(lopsided, PolicyError::Mirror { a: 1, b: 2 }.into());
    }

    #[test]
    fn matrices_for_a_policy_with_two_faces() {
        let faces =
            Policy::joined(&optimal(8), &Policy::uniform(&tennis(), [8, 8]).expect("a small game"))
                .expect("same game");
        for format in MATRICES {
            let error = format.write(&faces, Vec::new()).unwrap_err();
            assert_eq!(error.to_string(), Error::Policy(PolicyError::Lopsided).to_string());
        }
    }

    #[test]
    fn archives_that_are_damaged() {
        let whole = written(PolicyFormat::Npz, &optimal(4));
        for cut in [4, 100, whole.len() - 1] {
            let error = PolicyFormat::Npz.read(&whole[..cut], &tennis(), [4, 4]).unwrap_err();
            assert!(matches!(error, Error::Policy(PolicyError::File { .. })), "{error}");
        }
        let error = PolicyFormat::Npz.read(&whole, &tennis(), [4, 5]).unwrap_err().to_string();
        assert_eq!(
            error,
            "not a policy: the array policy_a has shape (5, 5, 5, 5); expected (5, 6, 5, 6)"
        );
        let matrix = written(PolicyFormat::WeightsNpz, &optimal(4));
        assert!(PolicyFormat::Npz.read(&matrix, &tennis(), [4, 4]).is_err());
        assert!(PolicyFormat::WeightsNpz.read(&whole, &tennis(), [4, 4]).is_err());
    }

    #[test]
    fn no_changed_byte_makes_a_reader_panic() {
        let policy = Policy::uniform(&tennis(), [2, 2]).expect("a small game");
        for format in FORMATS.into_iter().chain(MATRICES) {
            let whole = written(format, &policy);
            for place in 0..whole.len() {
                for change in [0x01, 0x10, 0x80, 0xff] {
                    let mut bytes = whole.clone();
                    bytes[place] ^= change;
                    // Whatever it takes for a policy is one.
                    if let Ok(read) = PolicyFormat::of(&bytes)
                        .and_then(|format| format.read(&bytes, &tennis(), [2, 2]))
                    {
                        assert!(read.covers(Player::A) || read.covers(Player::B));
                        if read.covers(Player::A) && read.covers(Player::B) {
                            assert_distributions(&read);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn games_without_points_and_games_too_large() {
        assert_eq!(
            Policy::uniform(&tennis(), [0, 5]),
            Err(Error::Game(GameError::NoPoints { player: Player::A }))
        );
        assert_eq!(
            Policy::uniform(&tennis(), [5, 70_000]),
            Err(Error::Game(GameError::TooManyPoints { points: 70_000, most: 65_535 }))
        );
        let error = Policy::uniform(&tennis(), [3_000, 3_000]).unwrap_err().to_string();
        assert!(
            error.starts_with("a policy for 3000:3000 points would take ")
                && error.ends_with("above the limit of 8.0 GiB"),
            "{error}"
        );
    }
}
