//! Rules in code against brute force in fractions, and rules that are wrong.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use num_traits::Zero;
use pencil_tennis::WorkError;
use pencil_tennis::stochastic_game::Error;
use pencil_tennis::stochastic_game::{
    GameRules, Kind, Node, Outcomes, StochasticCheckpoint, StochasticGame, StochasticGameFault,
    StochasticProof, StochasticSolution, StochasticSolver,
};

use crate::all_pay_tic_tac_toe::{AllPayTicTacToe, Mover, Position as Board};
use crate::blotto::Blotto;
use crate::goofspiel::{Goofspiel, Position};
use crate::kernels::Fraction;
use crate::markov_soccer::Soccer;
use crate::random_games::{Follows, Stage, acyclic, exact_values, fraction, named, value};

/// A random game as rules: states are their numbers; every start reaches only what is before it.
/// And a bound of payoffs.
struct Written(Vec<Stage>, Option<u64>);

impl GameRules for Written {
    type State = usize;

    fn starts(&self) -> Vec<usize> {
        (0..self.0.len()).collect()
    }

    fn node(&self, &state: &usize) -> Node {
        match &self.0[state] {
            Stage::End(value) => Node::Over(value.clone()),
            Stage::Table(rows) => Node::Choose { a: rows.len(), b: rows[0].len() },
        }
    }

    fn after(&self, &state: &usize, a: usize, b: usize, outcomes: &mut Outcomes<usize>) {
        let Stage::Table(rows) = &self.0[state] else { panic!("an end has no cells") };
        let Follows { reward, to } = &rows[a][b];
        let small = |number: &num_bigint::BigInt| i64::try_from(number).unwrap();
        let common: i64 = to.iter().map(|(share, _)| small(share.denom())).product();
        for (share, next) in to {
            outcomes
                .by_chance((small(share.numer()) * common / small(share.denom())) as u64, *next);
        }
        // Fractions need not be in lowest terms.
        outcomes.reward_fraction(2 * small(reward.numer()), 2 * small(reward.denom()) as u64);
    }

    fn payoff_bound(&self) -> Option<u64> {
        self.1
    }
}

#[test]
fn random_games_are_worth_what_fractions_say() {
    for seed in 0..60 {
        let stages = acyclic(seed);
        let values = exact_values(&stages);
        let solve = |bound| {
            StochasticSolver::new(Written(stages.clone(), bound)).threads(1).solve().unwrap()
        };
        // A bound of payoffs chooses the unit.
        let [solution, promised] = [None, Some(1_000)].map(solve);
        let explicit = StochasticSolver::new(
            StochasticGame::from_rules(Written(stages.clone(), None)).unwrap(),
        )
        .solve()
        .unwrap();
        for (state, value) in values.iter().enumerate() {
            for solution in [&solution, &promised] {
                assert!(
                    solution.enclosure(&state).unwrap().contains(value),
                    "game {seed}, state {state}: {value}"
                );
                assert_eq!(solution.strategies(&state).unwrap().len(), 2);
            }
            assert!(
                named(&explicit, &state.to_string()).contains(value),
                "game {seed}, state {state}: {value}"
            );
        }
        assert!(solution.widest_enclosure() < 1e-14, "game {seed}");
        // In units of 2^-51, of which every turn loses some.
        assert!(promised.widest_enclosure() < 1e-12, "game {seed}");
    }
}

/// Goofspiel by its definition: hands and pile as lists of cards, no symmetry, nothing in common
/// with the example.
pub(crate) fn goofspiel(
    hands: [&[i64]; 2],
    pile: &[i64],
    lead: i64,
    win: bool,
    known: &mut HashMap<String, Fraction>,
) -> Fraction {
    if pile.is_empty() {
        return fraction(if win { lead.signum() } else { lead }, 1);
    }
    let key = format!("{hands:?}{pile:?}{lead}");
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let without = |cards: &[i64], gone: i64| {
        cards.iter().copied().filter(|&card| card != gone).collect::<Vec<i64>>()
    };
    let mut sum = Fraction::zero();
    for &prize in pile {
        let mut cell = |a: i64, b: i64| {
            let [left_a, left_b] = [without(hands[0], a), without(hands[1], b)];
            goofspiel(
                [&left_a, &left_b],
                &without(pile, prize),
                lead + (a - b).signum() * prize,
                win,
                known,
            )
        };
        let matrix: Vec<Vec<Fraction>> =
            hands[0].iter().map(|&a| hands[1].iter().map(|&b| cell(a, b)).collect()).collect();
        sum += value(&matrix);
    }
    let value = sum / fraction(pile.len() as i64, 1);
    known.insert(key, value.clone());
    value
}

#[test]
fn goofspiel_is_worth_what_its_definition_says() {
    for win in [false, true] {
        let rules = Goofspiel::new(4, win);
        let solution = StochasticSolver::new(rules).threads(1).solve().unwrap();
        let mut known = HashMap::new();
        let all = [1, 2, 3, 4];
        // After a first bid for every prize.
        for (prize, a, b) in
            (0..4).flat_map(|prize| (0..4).flat_map(move |a| (0..4).map(move |b| (prize, a, b))))
        {
            let left = |gone: usize| {
                all.iter().copied().filter(|&card| card != all[gone]).collect::<Vec<i64>>()
            };
            let lead = (all[a] - all[b]).signum() * all[prize];
            let expected = goofspiel([&left(a), &left(b)], &left(prize), lead, win, &mut known);
            let bits = |gone: usize| 0b1111 & !(1_u16 << gone);
            let position = Position {
                hands: [bits(a), bits(b)],
                pile: bits(prize),
                prize: 0,
                lead: if win { lead as i8 } else { 0 },
            };
            let later = if win { expected } else { expected - fraction(lead, 1) };
            let enclosure = solution.enclosure(&position).unwrap();
            assert!(
                enclosure.contains(&later),
                "{position:?}: {later} is not in {:?}",
                enclosure.decimal()
            );
        }
        assert_eq!(solution.check_symmetry(100_000).err(), None);
    }
}

/// All-pay tic-tac-toe by its definition: squares of a string, no symmetry.
fn tic_tac_toe(
    board: &str,
    chips: [usize; 2],
    known: &mut HashMap<(String, [usize; 2]), Fraction>,
) -> Fraction {
    let rows =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let has_won = |mark: char| {
        rows.iter().any(|row| row.iter().all(|&square| board.chars().nth(square) == Some(mark)))
    };
    if has_won('x') || has_won('o') || !board.contains('.') {
        return fraction(i64::from(has_won('x')) - i64::from(has_won('o')), 1);
    }
    let key = (board.to_owned(), chips);
    if let Some(value) = known.get(&key) {
        return value.clone();
    }
    let mut moved = |mark: char, chips: [usize; 2]| {
        let after = |square: usize| {
            board
                .chars()
                .enumerate()
                .map(|(place, old)| if place == square { mark } else { old })
                .collect()
        };
        let boards: Vec<String> =
            board.match_indices('.').map(|(square, _)| after(square)).collect();
        let values = boards
            .iter()
            .map(|board| tic_tac_toe(board, chips, known))
            .collect::<Vec<_>>()
            .into_iter();
        if mark == 'x' { values.max().unwrap() } else { values.min().unwrap() }
    };
    let mut cell = |a: usize, b: usize| {
        let left = [chips[0] - a, chips[1] - b];
        match a.cmp(&b) {
            std::cmp::Ordering::Greater => moved('x', left),
            std::cmp::Ordering::Less => moved('o', left),
            std::cmp::Ordering::Equal => (moved('x', left) + moved('o', left)) / fraction(2, 1),
        }
    };
    let matrix: Vec<Vec<Fraction>> =
        (0..=chips[0]).map(|a| (0..=chips[1]).map(|b| cell(a, b)).collect()).collect();
    let value = value(&matrix);
    known.insert(key, value.clone());
    value
}

#[test]
fn all_pay_tic_tac_toe_is_worth_what_its_definition_says() {
    let solution = StochasticSolver::new(AllPayTicTacToe::new(1)).threads(1).solve().unwrap();
    let mut known = HashMap::new();
    tic_tac_toe(".........", [1, 1], &mut known);
    assert!(known.len() > 3_000, "{}", known.len());
    for ((board, chips), value) in known {
        let marks = |mark: &str| board.match_indices(mark).map(|(square, _)| 1 << square).sum();
        let position = Board {
            board: [marks("x"), marks("o")],
            chips: chips.map(|chips| chips as u8),
            mover: Mover::Bidding,
        };
        assert!(
            solution.enclosure(&position).unwrap().contains(&value),
            "{board} {chips:?}: {value}"
        );
    }
    assert_eq!(solution.check_symmetry(20_000).err(), None);
}

#[test]
fn threads_do_not_change_a_bit() {
    let [one, three] = [1, 3].map(|threads| {
        let solution =
            StochasticSolver::new(Goofspiel::new(6, true)).threads(threads).solve().unwrap();
        solution.states().collect::<Vec<_>>()
    });
    assert_eq!(one, three);
}

#[test]
fn an_interrupted_solve_goes_on() {
    let solver = || StochasticSolver::new(Goofspiel::new(6, false)).threads(1);
    let values = |solution: &StochasticSolution<Goofspiel>| {
        solution.states().map(|(_, bounds)| bounds).collect::<Vec<_>>()
    };
    let whole = values(&solver().solve().unwrap());
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let mut keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    solver().on_checkpoint(Duration::ZERO, &mut keep).solve().unwrap();
    let stopped =
        solver().on_checkpoint(Duration::from_secs(3_600), &mut keep).on_progress(|share| {
            match share {
                0.0 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
    assert!(stopped.solve().is_err());
    let mut solved = 0;
    for bytes in &kept {
        let checkpoint = StochasticCheckpoint::read(&bytes[..]).unwrap();
        solved = solved.max(checkpoint.solved());
        let resumed = solver().resume(checkpoint).solve().unwrap();
        assert_eq!(values(&resumed), whole);
    }
    assert!(kept.len() > 8 && solved == whole.len() as u64, "{} checkpoints", kept.len());
    assert!(
        StochasticCheckpoint::read(&kept[kept.len() - 1][..]).unwrap().solved() < solved,
        "the one of the solve that was stopped"
    );

    let bytes = &kept[0];
    let checkpoint = || StochasticCheckpoint::read(&bytes[..]).unwrap();
    let refused =
        |refused: String, expected: &str| assert!(refused.contains(expected), "{refused}");
    let other =
        StochasticSolver::new(Goofspiel::new(6, true)).resume(checkpoint()).solve().map(|_| ());
    refused(other.unwrap_err().to_string(), "the checkpoint is of another game");
    for (place, expected) in [
        (0, "does not begin"),
        (8, "another version"),
        (20, "checksum"),
        (bytes.len() - 1, "checksum"),
    ] {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1;
        refused(StochasticCheckpoint::read(&wrong[..]).unwrap_err().to_string(), expected);
    }
    let mut wrong = bytes.clone();
    wrong[36 + 7] = 0x7F;
    refused(
        StochasticCheckpoint::read(&wrong[..]).unwrap_err().to_string(),
        "bounds that no game has",
    );
    refused(
        StochasticCheckpoint::read(&bytes[..bytes.len() - 1]).unwrap_err().to_string(),
        "ends too early",
    );
    refused(
        StochasticCheckpoint::read(&[&bytes[..], &[0]].concat()[..]).unwrap_err().to_string(),
        "goes on",
    );
}

#[test]
fn a_checkpoint_is_of_one_game_and_what_it_holds_is_not_solved_again() {
    let rules = |endless| Wrong { outcomes: vec![(1, 1), (1, 2)], endless, ..Wrong::default() };
    let mut bytes = Vec::new();
    let solver = StochasticSolver::new(rules(0)).on_checkpoint(Duration::ZERO, |checkpoint| {
        bytes.clear();
        checkpoint.write(&mut bytes).unwrap();
    });
    solver.solve().unwrap();
    let checkpoint = StochasticCheckpoint::read(&bytes[..]).unwrap();
    assert_eq!(checkpoint.solved(), 3);
    let again = StochasticSolver::new(rules(0)).resume(checkpoint.clone()).solve().unwrap();
    assert!(again.enclosure(&0).unwrap().contains(&fraction(3, 2)));
    // Explored once, and asked a second time for the proof of its bounds.
    assert_eq!(again.game().asked.load(Ordering::Relaxed), 2);
    let other = Wrong { outcomes: vec![(1, 1), (2, 2)], ..Wrong::default() };
    assert!(StochasticSolver::new(other).resume(checkpoint.clone()).solve().is_err());
    let returning = Wrong { kind: Some(Kind::Stopping), ..rules(0) };
    assert!(StochasticSolver::new(returning).resume(checkpoint.clone()).solve().is_err());
    // The same cells and another payoff of an end.
    let other = Wrong { outcomes: vec![(1, 1), (1, 3)], ..Wrong::default() };
    assert!(StochasticSolver::new(other).resume(checkpoint).solve().is_err());
}

/// Rules that a test makes wrong in one way.
#[derive(Default)]
struct Wrong {
    kind: Option<Kind>,
    asked: AtomicUsize,
    varies: bool,
    outcomes: Vec<(u64, u8)>,
    no_action: bool,
    /// The numbers of actions from this answer on.
    actions: Option<(usize, [usize; 2])>,
    /// Whether every answer about an end pays more than the one before.
    end_varies: bool,
    nodes: AtomicUsize,
    reward_denominator: Option<u64>,
    index: Option<usize>,
    endless: i32,
    payoff_bound: Option<u64>,
}

impl GameRules for Wrong {
    type State = u8;

    fn starts(&self) -> Vec<u8> {
        vec![0]
    }

    fn kind(&self) -> Kind {
        self.kind.unwrap_or(Kind::Acyclic)
    }

    fn node(&self, &state: &u8) -> Node {
        let answers = self.nodes.fetch_add(1, Ordering::Relaxed);
        match (state, self.actions) {
            (0, Some((first, [a, b]))) if answers >= first => Node::Choose { a, b },
            (0, _) => Node::Choose { a: 1, b: usize::from(!self.no_action) },
            _ => Node::Over(fraction(
                i64::from(state) + if self.end_varies { answers as i64 } else { 0 },
                1,
            )),
        }
    }

    fn after(&self, _: &u8, _: usize, _: usize, outcomes: &mut Outcomes<u8>) {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        for &(weight, state) in &self.outcomes {
            outcomes.by_chance(if self.varies { weight + asked as u64 } else { weight }, state);
        }
        if let Some(denominator) = self.reward_denominator {
            outcomes.reward_fraction(1, denominator);
        }
    }

    fn endless(&self, _: &u8) -> Fraction {
        fraction(self.endless.into(), 1)
    }

    fn index(&self, &state: &u8) -> usize {
        self.index.unwrap_or(state.into())
    }

    fn payoff_bound(&self) -> Option<u64> {
        self.payoff_bound
    }

    fn index_limit(&self) -> usize {
        if self.index.is_some() { 5 } else { 0 }
    }
}

/// A turn that pays `reward`, and leads to an end of this value.
struct Large {
    reward: i64,
    end: Fraction,
}

impl GameRules for Large {
    type State = u8;

    fn starts(&self) -> Vec<u8> {
        vec![0]
    }

    fn node(&self, &state: &u8) -> Node {
        match state {
            0 | 1 => Node::Choose { a: 1, b: 1 },
            _ => Node::Over(self.end.clone()),
        }
    }

    fn after(&self, state: &u8, _: usize, _: usize, outcomes: &mut Outcomes<u8>) {
        outcomes.to(state + 1);
        if *state == 1 {
            outcomes.reward(self.reward);
        }
    }
}

/// States 0 and 1 are worth as much, up to rounding; the first of the largest is named.
#[test]
fn payoffs_that_are_too_large_name_a_state() {
    let end = |bits: usize| Fraction::from_integer(num_bigint::BigInt::from(1) << bits);
    for rules in [Large { reward: i64::MIN, end: end(0) }, Large { reward: 0, end: end(400) }] {
        let refused = StochasticSolver::new(rules)
            .solve()
            .map(|solution| solution.len())
            .unwrap_err()
            .to_string();
        assert!(refused.starts_with("state `") && refused.contains("is too large"), "{refused}");
    }
}

#[test]
fn rules_that_are_wrong_are_refused_with_the_state() {
    let outcomes = vec![(1, 1), (2, 2)];
    let right = || Wrong { outcomes: outcomes.clone(), ..Wrong::default() };
    assert!(
        StochasticSolver::new(right())
            .solve()
            .unwrap()
            .enclosure(&0)
            .unwrap()
            .contains(&fraction(5, 3))
    );
    let contradiction = "state `0`: the rules contradict themselves";
    let too_large = "payoffs can be larger here than `payoff_bound` says";
    for (rules, expected) in [
        (Wrong { varies: true, ..right() }, contradiction),
        (Wrong { varies: true, payoff_bound: Some(2), ..right() }, contradiction),
        (
            Wrong { outcomes: vec![(1, 1), (1, 0)], payoff_bound: Some(2), ..right() },
            "state `0`: play can return to this state",
        ),
        (Wrong { payoff_bound: Some(1), ..right() }, too_large),
        (
            Wrong { payoff_bound: Some(2), reward_denominator: Some(1_000), ..right() },
            "state `0`: payoffs can be larger here",
        ),
        (Wrong { payoff_bound: Some(1 << 62), ..right() }, "in all is too large"),
        (
            Wrong { outcomes: Vec::new(), ..right() },
            "state `0`: `0` against `0`: no state follows: the weights sum to 0",
        ),
        (
            Wrong { outcomes: vec![(0, 1)], ..right() },
            "state `0`: `0` against `0`: no state follows: the weights sum to 0",
        ),
        (Wrong { outcomes: vec![(1 << 62, 1), (1 << 62, 2)], ..right() }, "has 64 bits"),
        (Wrong { outcomes: vec![(u64::MAX, 1), (u64::MAX, 2)], ..right() }, "has 65 bits"),
        (
            Wrong { outcomes: vec![(1, 0), (1, 1)], ..right() },
            "state `0`: play can return to this state",
        ),
        (Wrong { no_action: true, ..right() }, "state `0`: B has no action"),
        (
            Wrong { reward_denominator: Some(0), ..right() },
            "state `0`: `0` against `0`: the denominator of the reward is 0",
        ),
        (Wrong { reward_denominator: Some((1 << 62) - 3), ..right() }, "has 64 bits"),
        (
            Wrong { index: Some(5), ..right() },
            "state `0`: the index of this state is not below `index_limit`",
        ),
        (
            Wrong { index: Some(4), ..right() },
            "state `1`: the index of this state is not below `index_limit`",
        ),
        (
            Wrong { kind: Some(Kind::Recursive), reward_denominator: Some(2), ..right() },
            "there is a reward",
        ),
        (
            Wrong { kind: Some(Kind::Stopping), outcomes: vec![(1, 0)], ..right() },
            "the players can keep play among `0`",
        ),
    ] {
        let threads = if rules.varies { 3 } else { 1 };
        let refused =
            StochasticSolver::new(rules).threads(threads).solve().map(|solution| solution.len());
        let refused = refused.expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn ends_that_pay_otherwise_when_asked_again_are_refused() {
    for kind in [Kind::Acyclic, Kind::Recursive, Kind::Stopping] {
        let rules = || Wrong {
            end_varies: true,
            kind: Some(kind),
            outcomes: vec![(1, 1), (1, 2)],
            ..Wrong::default()
        };
        let refused =
            StochasticSolver::new(rules()).threads(1).solve().map(|_| ()).unwrap_err().to_string();
        assert!(
            refused.starts_with("state `1`: the rules contradict themselves"),
            "{kind}: {refused}"
        );
        let refused = StochasticGame::from_rules(rules()).map(|_| ()).unwrap_err().to_string();
        assert!(
            refused.starts_with("state `1`: the rules contradict themselves"),
            "{kind}: {refused}"
        );
    }
}

#[test]
fn a_matrix_larger_than_the_memory_is_refused_with_its_state() {
    let most = usize::MAX;
    let mut refusals = Vec::new();
    for actions in [[most, 1], [1, most], [most, most], [1 << 13, 1 << 13]] {
        // Told so at once, or only when asked again.
        for first in [0, 1, 2] {
            for kind in [Kind::Acyclic, Kind::Recursive] {
                let outcomes = vec![(1, 1), (1, 2)];
                let rules = Wrong {
                    actions: Some((first, actions)),
                    kind: Some(kind),
                    outcomes,
                    ..Wrong::default()
                };
                let solver = StochasticSolver::new(rules).threads(1).memory_limit(1 << 30);
                refusals.push((actions, solver.solve().map(|_| ()).unwrap_err().to_string()));
            }
        }
    }
    let rules = Wrong {
        actions: Some((0, [most, 2])),
        kind: Some(Kind::Recursive),
        outcomes: vec![(1, 1)],
        ..Wrong::default()
    };
    refusals
        .push(([most, 2], StochasticGame::from_rules(rules).map(|_| ()).unwrap_err().to_string()));
    for ([a, b], refused) in refusals {
        let expected =
            format!("state `0`: the game is too large: a matrix of {a} by {b} actions would take ");
        assert!(refused.starts_with(&expected), "{refused}");
        assert!(refused.ends_with("GiB"), "{refused}");
    }
}

#[test]
fn play_that_can_return_is_solved_by_rules_too() {
    let rules = Wrong {
        kind: Some(Kind::Recursive),
        outcomes: vec![(1, 0)],
        endless: 7,
        ..Wrong::default()
    };
    let solution = StochasticSolver::new(rules).solve().unwrap();
    assert!(solution.enclosure(&0).unwrap().contains(&fraction(7, 1)));
    assert_eq!(solution.strategies(&0).unwrap(), [[(0, 1.0)], [(0, 1.0)]]);
    let rules =
        Wrong { kind: Some(Kind::Stopping), outcomes: vec![(1, 0), (1, 4)], ..Wrong::default() };
    assert!(
        StochasticSolver::new(rules)
            .solve()
            .unwrap()
            .enclosure(&0)
            .unwrap()
            .contains(&fraction(4, 1))
    );
}

#[test]
fn unknown_states_and_too_little_memory_are_said() {
    let solution = StochasticSolver::new(Goofspiel::new(3, false)).solve().unwrap();
    let nowhere = Position { hands: [0b1111; 2], ..solution.game().start(1) };
    let refused = solution.enclosure(&nowhere).unwrap_err();
    assert!(matches!(refused.fault(), StochasticGameFault::UnknownState { .. }));
    let refused = StochasticSolver::new(Blotto { soldiers: 50, hills: 5 })
        .memory_limit(1 << 20)
        .solve()
        .map(|_| ())
        .unwrap_err();
    let Error::Work(WorkError::Memory { bytes, limit, .. }) = refused else { panic!("{refused}") };
    assert!(bytes > limit && bytes < 2 * limit, "{bytes} is the first that is too much");
    // Where play can return, the game is written down with its cells: more than 2 MB, the states of
    // which are a tenth.
    let refused = StochasticSolver::new(Soccer { turns: 10 })
        .memory_limit(2 << 20)
        .solve()
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(refused, Error::Work(WorkError::Memory { .. })), "{refused}");
    // An index of so many numbers is refused before there is room for one.
    let refused =
        StochasticSolver::new(TooMany).memory_limit(u64::MAX).solve().map(|_| ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the game is too large: more than 2147483647 states, which is as far as they are counted"
    );
}

/// The certificate of a game, checked by its rules: the bounds are those of the solution.
fn certified<R: GameRules>(rules: impl Fn() -> R) -> String {
    let solution = StochasticSolver::new(rules()).threads(1).solve().unwrap();
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    let proof = StochasticProof::verify_by(rules(), &certificate[..]).unwrap();
    assert_eq!(proof.len(), solution.len());
    for (state, enclosure) in solution.states() {
        assert_eq!(proof.enclosure(&state).unwrap(), enclosure);
    }
    String::from_utf8(certificate).unwrap()
}

/// The sentence with which a certificate is refused.
fn refused<R: GameRules>(rules: R, certificate: &str) -> String {
    StochasticProof::verify_by(rules, certificate.as_bytes()).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn certificates_are_checked_by_rules_that_give_the_game_again() {
    certified(|| Goofspiel::new(4, false));
    certified(|| Blotto { soldiers: 6, hills: 3 });
    let acyclic = certified(|| Goofspiel::new(4, true));
    let cyclic = certified(|| Soccer { turns: 10 });
    // Every bound is as good as its proof: the lower bound of each state that is no end, raised by
    // far more than roundings.
    for (certificate, step) in [(&acyclic, 7), (&cyclic, 97)] {
        let lines: Vec<&str> = certificate.lines().collect();
        let proved = (1..lines.len()).filter(|&line| lines[line].contains("\"a\""));
        for line in proved.step_by(step) {
            let (begin, rest) = lines[line].split_once("\"upper\"").unwrap();
            let lower: i64 = begin.split('"').nth(3).unwrap().parse().unwrap();
            let better = format!("{{\"lower\":\"{}\",\"upper\"{rest}", lower + (1 << 20));
            let forged: String = lines
                .iter()
                .map(|other| if *other == lines[line] { &better } else { *other }.to_owned() + "\n")
                .collect();
            let sentence = if step == 7 {
                refused(Goofspiel::new(4, true), &forged)
            } else {
                refused(Soccer { turns: 10 }, &forged)
            };
            assert!(
                sentence.contains("A's weights do not secure the lower bound"),
                "line {line}: {sentence}"
            );
        }
    }
    for other in
        [refused(Goofspiel::new(4, false), &acyclic), refused(Soccer { turns: 11 }, &cyclic)]
    {
        assert_eq!(other, "the certificate is of another game, or of other rules");
    }
    let cut = acyclic.lines().take(9).collect::<Vec<_>>().join("\n");
    assert_eq!(refused(Goofspiel::new(4, true), &cut), "the certificate ends too early");
    let more = acyclic.clone() + acyclic.lines().last().unwrap() + "\n";
    assert_eq!(refused(Goofspiel::new(4, true), &more), "the certificate goes on behind its end");
    let sentence = StochasticProof::verify(acyclic.as_bytes()).map(|_| ()).unwrap_err().to_string();
    assert!(
        sentence.contains("`StochasticProof::verify_by` of the library checks it"),
        "{sentence}"
    );
    let mut whole = Vec::new();
    StochasticSolver::new(StochasticGame::from_rules(Soccer { turns: 10 }).unwrap())
        .solve()
        .unwrap()
        .write_certificate(&mut whole)
        .unwrap();
    assert!(
        refused(Soccer { turns: 10 }, &String::from_utf8(whole).unwrap())
            .contains("`StochasticProof::verify` checks it")
    );
}

/// A program that shares nothing with the library, and rules that are written once more in Python.
#[test]
fn certificates_are_checked_by_rules_in_another_language() {
    let folder = tempfile::tempdir().unwrap();
    let check = |certificate: &str, rules: &str| {
        std::fs::write(folder.path().join("game.proof"), certificate).unwrap();
        std::process::Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/check_game_proof.py"))
            .args(["game.proof", "--rules", &format!("rules_again:{rules}")])
            .env("PYTHONPATH", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    let blotto = certified(|| Blotto { soldiers: 6, hills: 3 });
    let soccer = certified(|| Soccer { turns: 10 });
    let goofspiel = certified(|| Goofspiel::new(4, false));
    let all = [
        (&blotto, "Blotto", &goofspiel),
        (&soccer, "Soccer", &blotto),
        (&goofspiel, "Goofspiel", &soccer),
    ];
    for (certificate, rules, other) in all {
        let output = check(certificate, rules);
        assert!(output.status.success(), "{rules}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!check(other, rules).status.success(), "{rules}");
    }
    assert!(!check(&certified(|| Blotto { soldiers: 5, hills: 3 }), "Blotto").status.success());
}

/// A game that has numbers for more states than are counted.
struct TooMany;

impl GameRules for TooMany {
    type State = ();

    fn starts(&self) -> Vec<()> {
        vec![()]
    }

    fn node(&self, (): &()) -> Node {
        Node::Over(Fraction::zero())
    }

    fn after(&self, (): &(), _: usize, _: usize, _: &mut Outcomes<()>) {}

    fn index_limit(&self) -> usize {
        1 << 40
    }
}

#[test]
fn who_explores_says_how_far_it_is_and_can_be_stopped() {
    let mut heard = Vec::new();
    let rules = Blotto { soldiers: 50, hills: 5 };
    let solver = StochasticSolver::new(rules).threads(1).on_explored(|states| {
        heard.push(states);
        if states < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let stopped = solver.solve().map(|_| ()).unwrap_err();
    assert_eq!(stopped, Error::Work(WorkError::Cancelled));
    assert!(heard.len() > 1 && heard.is_sorted() && *heard.last().unwrap() < 40_000, "{heard:?}");
}

/// Who calls heads or tails right in both of two rounds; a wrong symmetry takes one end for another
/// one.
struct Mistaken {
    kind: Kind,
    taken: [u8; 2],
    for_another: [u8; 2],
    /// Of being right in both rounds, and otherwise.
    payoffs: [i64; 2],
}

impl GameRules for Mistaken {
    type State = [u8; 2];

    fn starts(&self) -> Vec<[u8; 2]> {
        vec![[0, 0]]
    }

    fn node(&self, state: &[u8; 2]) -> Node {
        match state {
            [2, right] => Node::over(self.payoffs[usize::from(*right != 3)]),
            _ => Node::Choose { a: 2, b: 3 },
        }
    }

    fn after(
        &self,
        &[round, right]: &[u8; 2],
        a: usize,
        b: usize,
        outcomes: &mut Outcomes<[u8; 2]>,
    ) {
        outcomes.to([round + 1, if a == b { right + 1 + round } else { right }]);
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn discount(&self) -> Fraction {
        fraction(9, 10)
    }

    fn canonical(&self, state: [u8; 2]) -> ([u8; 2], bool) {
        (if state == self.taken { self.for_another } else { state }, false)
    }
}

/// As if it were the same to have been right in the second round alone and in both, in either way.
#[test]
fn a_wrong_symmetry_is_found() {
    for kind in [Kind::Acyclic, Kind::Discounted, Kind::Stopping, Kind::Recursive] {
        for [taken, for_another] in [[[2, 2], [2, 3]], [[2, 3], [2, 2]]] {
            let rules = Mistaken { kind, taken, for_another, payoffs: [1, 0] };
            let solution: StochasticSolution<Mistaken> =
                StochasticSolver::new(rules).solve().unwrap();
            let refused = solution.check_symmetry(100).unwrap_err();
            assert!(matches!(refused.fault(), StochasticGameFault::Symmetry { .. }), "{refused}");
            assert_eq!(refused.state(), Some(format!("{taken:?}").as_str()));
        }
        // Without a mistake all seven states are compared, and none is refused.
        let rules = Mistaken { kind, taken: [2, 3], for_another: [2, 3], payoffs: [2, 1] };
        assert_eq!(
            StochasticSolver::new(rules).solve().unwrap().check_symmetry(100),
            Ok(7),
            "{kind:?}"
        );
    }
}

/// One state pays 5, and is taken for another one, which pays nothing: in the unit of a game that
/// is worth nothing, 5 is no number.
struct Overlooked;

impl GameRules for Overlooked {
    type State = &'static str;

    fn starts(&self) -> Vec<&'static str> {
        vec!["start"]
    }

    fn node(&self, state: &&'static str) -> Node {
        if *state == "end" { Node::over(0) } else { Node::Choose { a: 1, b: 1 } }
    }

    fn after(
        &self,
        state: &&'static str,
        _: usize,
        _: usize,
        outcomes: &mut Outcomes<&'static str>,
    ) {
        if *state == "start" {
            outcomes.by_chance(1, "five");
            outcomes.by_chance(1, "nothing");
        } else {
            outcomes.to("end");
            outcomes.reward(if *state == "five" { 5 } else { 0 });
        }
    }

    fn canonical(&self, state: &'static str) -> (&'static str, bool) {
        (if state == "five" { "nothing" } else { state }, false)
    }
}

#[test]
fn a_wrong_symmetry_is_found_where_it_hides_all_payoffs() {
    let refused =
        StochasticSolver::new(Overlooked).solve().unwrap().check_symmetry(100).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("the value lies in [5, 5], that of the canonical state in [0, 0]"),
        "{refused}"
    );
    assert_eq!(refused.state(), Some("\"five\""));
}

#[test]
fn exact_values_by_rules_are_what_fractions_say() {
    for seed in 0..20 {
        let stages = acyclic(seed);
        let solution =
            StochasticSolver::new(Written(stages.clone(), None)).threads(1).solve().unwrap();
        let exact = solution.exact(4096, &mut |_| ControlFlow::Continue(())).unwrap();
        for (state, value) in exact_values(&stages).iter().enumerate() {
            assert_eq!(
                exact.value(&state).unwrap().as_ref(),
                Some(value),
                "game {seed}, state {state}"
            );
        }
        assert_eq!(exact.known(), stages.len());
        let stopped =
            solution.exact(4096, &mut |_| ControlFlow::Break(())).map(|_| ()).unwrap_err();
        assert_eq!(stopped, WorkError::Cancelled.into());
    }
    // Who is behind is who is ahead with the players exchanged.
    let solution = StochasticSolver::new(Goofspiel::new(4, false)).solve().unwrap();
    let exact = solution.exact(4096, &mut |_| ControlFlow::Continue(())).unwrap();
    let (mut pairs, mut mixed) = (0, 0);
    for (state, enclosure) in solution.states() {
        let other = Position { hands: [state.hands[1], state.hands[0]], ..state };
        let value = exact.value(&state).unwrap().unwrap();
        assert!(enclosure.contains(&value), "{state:?}: {value}");
        mixed += usize::from(!value.is_integer());
        if state.hands[0] != state.hands[1] {
            assert_eq!(exact.value(&other).unwrap(), Some(-value), "{state:?}");
            let [a, b] = exact.strategies(&state).unwrap().unwrap();
            assert_eq!(exact.strategies(&other).unwrap(), Some([b, a]), "{state:?}");
            pairs += 1;
        }
    }
    assert!(pairs > 10 && mixed > 10, "{pairs}, {mixed}");
}

#[test]
fn a_solve_by_rules_where_play_can_return_is_kept_too() {
    let solver = || StochasticSolver::new(Soccer { turns: 1_000 }).threads(1);
    let certificate = |solution: &StochasticSolution<Soccer>| {
        let mut bytes = Vec::new();
        solution.write_certificate(&mut bytes).unwrap();
        bytes
    };
    let mut kept = Vec::new();
    let keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    let whole = certificate(&solver().on_checkpoint(Duration::ZERO, keep).solve().unwrap());
    assert!(kept.len() > 8, "{} rounds", kept.len());
    for bytes in [&kept[0], &kept[kept.len() / 2], &kept[kept.len() - 1]] {
        let checkpoint = StochasticCheckpoint::read(&bytes[..]).unwrap();
        assert!(certificate(&solver().resume(checkpoint).solve().unwrap()) == whole);
    }
}
