//! Games by layers and ranks: against the same games explored state by state, against fractions, interrupted, and told wrongly.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use pencil_tennis::Error;
use pencil_tennis::stochastic_game::{
    GameRules, LayerFolder, Node, Outcomes, RankedRules, RankedSolution, Stages, StochasticSolver,
};

use crate::all_pay_tic_tac_toe::AllPayTicTacToe;
use crate::blotto::Blotto;
use crate::goofspiel::Goofspiel;
use crate::rules_in_code::goofspiel;

fn solved<R: RankedRules>(rules: R) -> RankedSolution<R> {
    StochasticSolver::new(rules).threads(1).solve_ranked(None).unwrap()
}

fn kept(folder: &tempfile::TempDir) -> LayerFolder {
    LayerFolder::new(folder.path()).keep_all()
}

/// Explores a game and solves it by ranks: every explored state has the same value, and every rank is proved by the rules.
fn compare<R: RankedRules>(rules: impl Fn() -> R) {
    let explored = StochasticSolver::new(rules()).threads(1).solve().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ranked = StochasticSolver::new(rules()).threads(2).solve_ranked(Some(kept(&folder))).unwrap();
    assert_eq!(ranked.digest(), solved(rules()).digest(), "threads and files change nothing");
    for (state, expected) in explored.states() {
        let (stored, (proved, [a, b])) = (ranked.enclosure(&state).unwrap(), ranked.proved(&state).unwrap());
        for found in [stored, proved] {
            assert!(found.lower() <= expected.upper() && expected.lower() <= found.upper(), "{state:?}");
            assert!(found.width() < 1e-15, "{state:?}");
        }
        let explored = explored.strategies(&state).unwrap();
        assert_eq!([a.is_empty(), b.is_empty()], explored.map(|strategy| strategy.is_empty()), "{state:?}");
    }
    assert_eq!(ranked.verify(u64::MAX).unwrap(), ranked.len());
}

#[test]
fn ranks_give_what_exploring_gives() {
    for (cards, win) in [(5, false), (4, true), (3, true), (1, true)] {
        compare(|| Goofspiel::new(cards, win));
    }
    compare(|| Blotto { soldiers: 6, hills: 3 });
    compare(|| Blotto { soldiers: 3, hills: 4 });
    compare(|| AllPayTicTacToe::new(2));
}

#[test]
fn every_rank_is_worth_what_the_definition_says() {
    for (count, win) in [(3, false), (3, true), (4, false), (4, true), (5, false)] {
        let folder = tempfile::tempdir().unwrap();
        let solution = StochasticSolver::new(Goofspiel::new(count, win)).solve_ranked(Some(kept(&folder))).unwrap();
        let (rules, mut known) = (solution.game(), HashMap::new());
        for (layer, rank) in (0..=count).flat_map(|layer| (0..rules.len(layer)).map(move |rank| (layer, rank))) {
            let state = rules.state(layer, rank);
            let cards = |set: u16| (1..=i64::from(count)).filter(|card| set >> (card - 1) & 1 == 1).collect::<Vec<_>>();
            let hands = state.hands.map(cards);
            let expected = goofspiel([&hands[0], &hands[1]], &cards(state.pile), state.lead.into(), win, &mut known);
            assert!(solution.enclosure(&state).unwrap().contains(&expected), "{state:?} is worth {expected}");
        }
    }
}

/// A solve that is stopped after these shares, each time anew, and goes on in a folder.
fn interrupted(folder: &std::path::Path, shares: &[f64]) -> Result<RankedSolution<Goofspiel>, Error> {
    for &most in shares {
        let stop = |share: f64| if share < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let solver = StochasticSolver::new(Goofspiel::new(7, false)).threads(1).on_progress(stop);
        let folder = LayerFolder::new(folder).every(Duration::ZERO);
        assert!(solver.solve_ranked(Some(folder)).is_err(), "it was stopped");
    }
    StochasticSolver::new(Goofspiel::new(7, false)).threads(2).solve_ranked(Some(LayerFolder::new(folder)))
}

#[test]
fn an_interrupted_solve_ends_with_the_same_bytes() {
    let whole = solved(Goofspiel::new(7, false));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let resumed = interrupted(path, &[0.0, 0.3, 0.6]).unwrap();
    assert_eq!(resumed.digest(), whole.digest());
    assert_eq!((resumed.matrices(), resumed.widest_enclosure()), (whole.matrices(), whole.widest_enclosure()));
    let start = whole.game().start(7);
    let again = RankedSolution::open(Goofspiel::new(7, false), path).unwrap();
    assert_eq!(again.strategies(&start).unwrap(), whole.strategies(&start).unwrap());
    let early = whole.game().state(3, 5);
    assert_eq!(again.enclosure(&early).unwrap_err().to_string(), "the checkpoint has not kept layer 3");
    let other = RankedSolution::open(Goofspiel::new(7, true), path).map(|_| ()).unwrap_err();
    assert!(other.to_string().ends_with("layer-006 is of another game"), "{other}");
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    interrupted(path, &[0.0]).unwrap();
    let file = path.join("layer-006");
    let bytes = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        RankedSolution::open(Goofspiel::new(7, false), path).map(|_| ()).unwrap_err().to_string()
    };
    for place in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        refused(&damaged);
    }
    assert!(refused(&bytes[..bytes.len() - 1]).ends_with("layer-006 has another length than it says"));
    // A false bound with a true checksum is found where the layers it follows from are there.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    StochasticSolver::new(Goofspiel::new(3, false)).solve_ranked(Some(kept(&folder))).unwrap();
    let file = path.join("layer-002");
    let mut forged = fs::read(&file).unwrap();
    let (begin, end) = (92, forged.len() - 4);
    forged[begin..begin + 16].fill(0);
    let checksum = crc32fast::hash(&forged[..end]).to_le_bytes();
    forged[end..].copy_from_slice(&checksum);
    fs::write(&file, &forged).unwrap();
    let refusal = RankedSolution::open(Goofspiel::new(3, false), path).map(|_| ()).unwrap_err().to_string();
    assert!(refusal.contains("by ranks the value lies in 0"), "{refusal}");
}

#[test]
fn layers_are_checked_by_another_program() {
    use sha2::Digest as _;
    let folder = tempfile::tempdir().unwrap();
    let solution = StochasticSolver::new(Goofspiel::new(4, false)).solve_ranked(Some(kept(&folder))).unwrap();
    let check = || {
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/check_layers.py");
        std::process::Command::new("python3").arg(program).arg(folder.path()).arg("4").output().unwrap()
    };
    let told = String::from_utf8(check().stdout).unwrap();
    assert!(told.contains(&format!("{} states proved", solution.len())) && told.contains(&solution.digest()), "{told}");
    // A false bound of the start, with a true digest and checksum.
    let read = |layer| fs::read(folder.path().join(layer)).unwrap();
    let (before, mut forged) = (read("layer-003"), read("layer-004"));
    forged[92..108].copy_from_slice(&[40_i64.to_le_bytes(), 50_i64.to_le_bytes()].concat());
    let digest = sha2::Sha256::new_with_prefix(&before[60..92]).chain_update(&forged[92..108]).finalize();
    forged[60..92].copy_from_slice(&digest);
    let checksum = crc32fast::hash(&forged[..108]).to_le_bytes();
    forged[108..].copy_from_slice(&checksum);
    fs::write(folder.path().join("layer-004"), &forged).unwrap();
    let told = String::from_utf8(check().stderr).unwrap();
    assert!(told.starts_with("rank 0 of layer 4 is worth "), "{told}");
}

/// A game of few rounds, told right, or in one of many wrong ways.
struct Rounds(u8);

impl GameRules for Rounds {
    /// The rounds left, and A's points.
    type State = (u32, i64);

    fn starts(&self) -> Vec<(u32, i64)> {
        vec![(3, 0)]
    }

    fn node(&self, &(rounds, points): &(u32, i64)) -> Node {
        if rounds == 0 { Node::over(points) } else { Node::Choose { a: 2, b: 2 } }
    }

    fn after(&self, &(rounds, points): &(u32, i64), a: usize, b: usize, outcomes: &mut Outcomes<(u32, i64)>) {
        outcomes.to((rounds - 1, points + i64::from(a == b)));
    }

    fn payoff_bound(&self) -> Option<u64> {
        (self.0 != 12).then_some(if self.0 == 7 { 2 } else { 3 })
    }

    fn canonical(&self, (rounds, points): (u32, i64)) -> ((u32, i64), bool) {
        if self.0 == 6 && points == 1 { ((rounds, 2), false) } else { ((rounds, points), false) }
    }
}

impl RankedRules for Rounds {
    type Layer = u32;

    fn layers(&self) -> u32 {
        4
    }

    fn len(&self, rounds: u32) -> u64 {
        if self.0 == 9 && rounds == 1 { 0 } else { u64::from(4 - rounds) }
    }

    fn state(&self, rounds: u32, rank: u64) -> (u32, i64) {
        (rounds, rank as i64)
    }

    fn rank(&self, &(rounds, points): &(u32, i64)) -> Option<(u32, u64)> {
        match self.0 {
            1 => Some((rounds, points as u64 ^ u64::from(rounds == 2))),
            2 => Some((rounds + u32::from((rounds, points) == (0, 0)), points as u64)),
            _ => Some((rounds, points as u64)),
        }
    }

    fn layer(&self, rounds: u32) -> u32 {
        rounds
    }

    fn stages(&self, &rounds: &u32, rank: u64, stages: &mut Stages<'_>) -> bool {
        if rounds == 0 || self.0 < 3 || (6..8).contains(&self.0) {
            return false;
        }
        let wrong = |number: u8| u64::from(self.0 == number);
        stages.matrix(u32::from(self.0 != 8), 2, 2);
        for cell in 0..4 - wrong(4) {
            let won = rank + u64::from(cell % 3 == 0);
            stages.to(wrong(10) as i64 * 9, (rounds - 1 + wrong(5) as u32, won ^ (wrong(3) & won)), false);
        }
        true
    }
}

#[test]
fn wrong_ranks_are_errors_with_the_name_of_the_state() {
    assert_eq!(solved(Rounds(11)).enclosure(&(3, 0)).unwrap().middle(), 1.5);
    assert_eq!(solved(Rounds(0)).enclosure(&(3, 0)).unwrap().middle(), 1.5);
    let faults = [
        (1, "of layer 2 has this state, whose rank is another"),
        (2, "rank 0 of layer 1 follows; expected one of an earlier layer that is needed"),
        (3, "by ranks the value lies in"),
        (4, "a matrix of 2 by 2 actions has 3 cells"),
        (5, "rank 1 of layer 1 follows; expected one of an earlier layer that is needed"),
        (6, "rank 1 of layer 0 has this state, which is not canonical"),
        (7, "payoffs can be larger here than `payoff_bound` says"),
        (8, "no state follows: the weights sum to 0"),
        (9, "layer 1 has no states"),
        (12, "a ranked game has a `payoff_bound`"),
        (10, "payoffs can be larger here than `payoff_bound` says"),
    ];
    for (number, expected) in faults {
        let refusal = StochasticSolver::new(Rounds(number)).solve_ranked(None).map(|_| ()).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{number}: {refusal}");
        assert_eq!(refusal.starts_with("state `("), ![9, 12].contains(&number), "{refusal}");
    }
    let little = StochasticSolver::new(Rounds(0)).memory_limit(100).solve_ranked(None).map(|_| ()).unwrap_err();
    assert!(little.to_string().starts_with("the layers that are needed together would take"), "{little}");
    let unknown = solved(Rounds(0)).enclosure(&(3, 1)).map(|_| ()).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no state `(3, 1)`");
}
