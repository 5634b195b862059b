//! Games by layers and ranks: against the same games explored state by state, against fractions, interrupted, and told wrongly.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use pencil_tennis::Error;
use pencil_tennis::stochastic_game::{
    GameRules, Node, Outcomes, RankedRules, RankedSolution, RankedSolver, Stages, StochasticSolver,
};

use crate::goofspiel::Goofspiel;
use crate::rules_in_code::goofspiel;

fn solved<R: RankedRules>(rules: R) -> RankedSolution<R> {
    RankedSolver::new(rules).threads(1).solve().unwrap()
}

#[test]
fn ranks_give_what_exploring_gives() {
    for (cards, win) in [(5, false), (4, true), (1, true)] {
        let explored = StochasticSolver::new(Goofspiel::new(cards, win)).threads(1).solve().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let ranked = RankedSolver::new(Goofspiel::new(cards, win)).threads(2).folder(folder.path()).keep_all().solve().unwrap();
        assert_eq!(ranked.digest(), solved(Goofspiel::new(cards, win)).digest(), "threads and files change nothing");
        for (state, expected) in explored.states() {
            let (stored, (proved, [a, b])) = (ranked.enclosure(&state).unwrap(), ranked.proved(&state).unwrap());
            for found in [stored, proved] {
                assert!(found.lower() <= expected.upper() && expected.lower() <= found.upper(), "{state:?}");
                assert!(found.width() < 1e-15, "{state:?}");
            }
            let explored = explored.strategies(&state).unwrap();
            assert_eq!([a.is_empty(), b.is_empty()], explored.map(|strategy| strategy.is_empty()), "{state:?}");
        }
    }
}

#[test]
fn every_rank_is_worth_what_the_definition_says() {
    for win in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let solution = RankedSolver::new(Goofspiel::new(4, win)).folder(folder.path()).keep_all().solve().unwrap();
        let (rules, mut known) = (solution.game(), HashMap::new());
        for (layer, rank) in (0..5).flat_map(|layer| (0..rules.len(layer)).map(move |rank| (layer, rank))) {
            let state = rules.state(layer, rank);
            let cards = |set: u16| (0..4).filter(move |card| set >> card & 1 == 1).map(|card| card + 1).collect::<Vec<i64>>();
            let expected = goofspiel(
                [&cards(state.hands[0]), &cards(state.hands[1])],
                &cards(state.pile),
                state.lead.into(),
                win,
                &mut known,
            );
            assert!(solution.enclosure(&state).unwrap().contains(&expected), "{state:?} is worth {expected}");
        }
        assert_eq!(solution.verify(u64::MAX).unwrap(), solution.len());
    }
}

/// A solve that is stopped after these shares, each time anew, and goes on in a folder.
fn interrupted(folder: &std::path::Path, shares: &[f64]) -> Result<RankedSolution<Goofspiel>, Error> {
    for &most in shares {
        let stop = |share: f64| if share < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let solver = RankedSolver::new(Goofspiel::new(7, false)).threads(1).folder(folder).every(Duration::ZERO);
        assert!(solver.on_progress(stop).solve().is_err(), "it was stopped");
    }
    RankedSolver::new(Goofspiel::new(7, false)).threads(2).folder(folder).solve()
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
    assert_eq!(again.enclosure(&early).unwrap_err().to_string(), "the checkpoint has no layer 3; expected one that keeps all");
    let other = RankedSolution::open(Goofspiel::new(7, true), path).map(|_| ()).unwrap_err();
    assert!(other.to_string().ends_with("layer-006 cannot be used: the checkpoint is of another game"), "{other}");
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
    assert!(refused(&bytes[..bytes.len() - 1]).ends_with("the checkpoint has another length than it says"));
    // A false bound with a true checksum is found where the layers it follows from are there.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    RankedSolver::new(Goofspiel::new(3, false)).folder(path).keep_all().solve().unwrap();
    let file = path.join("layer-002");
    let mut forged = fs::read(&file).unwrap();
    let (begin, end) = (92, forged.len() - 4);
    forged[begin..begin + 16].fill(0);
    let checksum = crc32fast::hash(&forged[..end]).to_le_bytes();
    forged[end..].copy_from_slice(&checksum);
    fs::write(&file, &forged).unwrap();
    let refusal = RankedSolution::open(Goofspiel::new(3, false), path).map(|_| ()).unwrap_err().to_string();
    assert!(refusal.contains("told by ranks the value lies in 0"), "{refusal}");
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

    fn largest_payoff(&self) -> u64 {
        if self.0 == 7 { 2 } else { 3 }
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
        (3, "told by ranks the value lies in"),
        (4, "a matrix of 2 by 2 actions has 3 cells"),
        (5, "rank 1 of layer 1 follows; expected one of an earlier layer that is needed"),
        (6, "rank 1 of layer 0 has this state, which is not canonical"),
        (7, "payoffs can be larger here than the bound that the rules give"),
        (8, "no state follows: the weights sum to 0"),
        (9, "layer 1 has no states"),
        (10, "payoffs can be larger here than the bound that the rules give"),
    ];
    for (number, expected) in faults {
        let refusal = RankedSolver::new(Rounds(number)).solve().map(|_| ()).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{number}: {refusal}");
        assert_eq!(refusal.starts_with("state `("), number != 9, "{refusal}");
    }
    let little = RankedSolver::new(Rounds(0)).memory_limit(100).solve().map(|_| ()).unwrap_err();
    assert!(little.to_string().starts_with("the layers that are needed together would take"), "{little}");
    let unknown = solved(Rounds(0)).enclosure(&(3, 1)).map(|_| ()).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no state `(3, 1)`");
}
