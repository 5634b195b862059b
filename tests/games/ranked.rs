//! Games by layers and ranks: against the same games explored state by state, against fractions,
//! interrupted, and told wrongly.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use pencil_tennis::num_bigint::BigInt;
use pencil_tennis::num_rational::BigRational;
use pencil_tennis::stochastic_game::Error;
use pencil_tennis::stochastic_game::{
    GameRules, Kind, LayerFolder, Node, Outcomes, RankedRules, RankedSolution, Stages,
    StochasticSolver,
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

/// Explores a game and solves it by ranks: every explored state has the same value, and every rank
/// is proved by the rules.
fn compare<R: RankedRules>(rules: impl Fn() -> R) {
    let explored = StochasticSolver::new(rules()).threads(1).solve().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let ranked =
        StochasticSolver::new(rules()).threads(2).solve_ranked(Some(kept(&folder))).unwrap();
    assert_eq!(ranked.digest(), solved(rules()).digest(), "threads and files change nothing");
    for (state, expected) in explored.states() {
        let (stored, (proved, [a, b])) =
            (ranked.enclosure(&state).unwrap(), ranked.proved(&state).unwrap());
        for found in [stored, proved] {
            assert!(
                found.lower() <= expected.upper() && expected.lower() <= found.upper(),
                "{state:?}"
            );
            assert!(found.width() < 1e-15, "{state:?}");
        }
        let explored = explored.strategies(&state).unwrap();
        assert_eq!(
            [a.is_empty(), b.is_empty()],
            explored.map(|strategy| strategy.is_empty()),
            "{state:?}"
        );
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
        let solution = StochasticSolver::new(Goofspiel::new(count, win))
            .solve_ranked(Some(kept(&folder)))
            .unwrap();
        let (rules, mut known) = (solution.game(), HashMap::new());
        for (layer, rank) in
            (0..=count).flat_map(|layer| (0..rules.len(layer)).map(move |rank| (layer, rank)))
        {
            let state = rules.state(layer, rank);
            let cards = |set: u16| {
                (1..=i64::from(count)).filter(|card| set >> (card - 1) & 1 == 1).collect::<Vec<_>>()
            };
            let hands = state.hands.map(cards);
            let expected = goofspiel(
                [&hands[0], &hands[1]],
                &cards(state.pile),
                state.lead.into(),
                win,
                &mut known,
            );
            assert!(
                solution.enclosure(&state).unwrap().contains(&expected),
                "{state:?} is worth {expected}"
            );
        }
    }
}

/// A solve that is stopped after these shares, each time anew, and goes on in a folder.
fn interrupted(
    folder: &std::path::Path,
    shares: &[f64],
) -> Result<RankedSolution<Goofspiel>, Error> {
    for &most in shares {
        let stop = |share: f64| {
            if share < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let solver = StochasticSolver::new(Goofspiel::new(7, false)).threads(1).on_progress(stop);
        let folder = LayerFolder::new(folder).every(Duration::ZERO);
        assert!(solver.solve_ranked(Some(folder)).is_err(), "it was stopped");
    }
    StochasticSolver::new(Goofspiel::new(7, false))
        .threads(2)
        .solve_ranked(Some(LayerFolder::new(folder)))
}

#[test]
fn an_interrupted_solve_ends_with_the_same_bytes() {
    let whole = solved(Goofspiel::new(7, false));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let resumed = interrupted(path, &[0.0, 0.3, 0.6]).unwrap();
    assert_eq!(resumed.digest(), whole.digest());
    assert_eq!(resumed.widest_enclosure(), whole.widest_enclosure());
    let start = whole.game().start(7);
    let again = RankedSolution::open(Goofspiel::new(7, false), path).unwrap();
    assert_eq!(again.strategies(&start).unwrap(), whole.strategies(&start).unwrap());
    let early = whole.game().state(3, 5);
    assert_eq!(
        again.enclosure(&early).unwrap_err().to_string(),
        "the checkpoint has not kept layer 3"
    );
    let other = RankedSolution::open(Goofspiel::new(7, true), path).map(|_| ()).unwrap_err();
    assert!(other.to_string().ends_with("layer-006 is of another game"), "{other}");
}

/// A game of few rounds, right, or wrong in one way.
struct Rounds(Wrong);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// Right, and without the matrices by ranks.
    NothingByRules,
    Rank,
    RankOfLaterLayer,
    Exchanged,
    CellTooFew,
    CellTooMany,
    LayerOfSuccessor,
    Canonical,
    PayoffBound,
    NoPayoffBound,
    NoWeight,
    NoStates,
    Reward,
    RewardThatWraps,
    RewardOfRulesThatWraps,
    RewardsInAll,
    EndThatWraps,
    LastOfLayer,
    StartWithoutRank,
    StartBeyondItsLayer,
    StartBeyondAllLayers,
    StartOfOtherState,
    NoStart,
    Cyclic,
    SecondAnswer,
    /// More actions than memory has room for, by the rules or by ranks.
    ActionsOfRules,
    ActionsByRanks,
}

use Wrong as W;

impl Rounds {
    fn is(&self, wrong: Wrong) -> bool {
        self.0 == wrong
    }
}

impl GameRules for Rounds {
    /// The rounds left, and A's points.
    type State = (u32, i64);

    fn starts(&self) -> Vec<(u32, i64)> {
        match self.0 {
            W::NoStart => Vec::new(),
            W::StartWithoutRank => vec![(3, 0), (3, -1)],
            W::StartBeyondItsLayer => vec![(3, 0), (2, 2)],
            W::StartBeyondAllLayers => vec![(4, 0)],
            W::StartOfOtherState => vec![(3, 7)],
            _ => vec![(3, 0)],
        }
    }

    fn kind(&self) -> Kind {
        if self.is(W::Cyclic) { Kind::Recursive } else { Kind::Acyclic }
    }

    fn node(&self, &(rounds, points): &(u32, i64)) -> Node {
        match rounds {
            0 if self.is(W::EndThatWraps) && points == 1 => {
                Node::Over(BigRational::from_integer(BigInt::from(1) << 70))
            }
            0 if self.is(W::SecondAnswer) => {
                Node::over(ANSWERS.fetch_add(1, Ordering::Relaxed) % 3)
            }
            0 => Node::over(points),
            2 if self.is(W::ActionsOfRules) => Node::Choose { a: usize::MAX, b: 2 },
            _ => Node::Choose { a: 2, b: 2 },
        }
    }

    fn after(
        &self,
        &(rounds, points): &(u32, i64),
        a: usize,
        b: usize,
        outcomes: &mut Outcomes<(u32, i64)>,
    ) {
        outcomes.reward(match self.0 {
            // In units of 2^-59, nothing is left of it in 64 bits.
            W::RewardOfRulesThatWraps => 1 << 8,
            W::RewardsInAll => 3,
            _ => 0,
        });
        outcomes.to((rounds - 1, points + i64::from(a == b)));
    }

    fn payoff_bound(&self) -> Option<u64> {
        (!self.is(W::NoPayoffBound)).then_some(if self.is(W::PayoffBound) { 2 } else { 3 })
    }

    fn canonical(&self, (rounds, points): (u32, i64)) -> ((u32, i64), bool) {
        if self.is(W::Canonical) && points == 1 {
            ((rounds, 2), false)
        } else {
            ((rounds, points), false)
        }
    }
}

/// Counts the answers of rules that say something else every time.
static ANSWERS: AtomicI64 = AtomicI64::new(0);

impl RankedRules for Rounds {
    type Layer = u32;

    fn layers(&self) -> u32 {
        4
    }

    fn len(&self, rounds: u32) -> u64 {
        if self.is(W::NoStates) && rounds == 1 { 0 } else { u64::from(4 - rounds) }
    }

    fn state(&self, rounds: u32, rank: u64) -> (u32, i64) {
        (rounds, rank as i64)
    }

    fn rank(&self, &(rounds, points): &(u32, i64)) -> Option<(u32, u64)> {
        match self.0 {
            W::StartWithoutRank if points < 0 => None,
            W::StartOfOtherState if points == 7 => Some((rounds, 0)),
            W::Rank => Some((rounds, points as u64 ^ u64::from(rounds == 2))),
            W::RankOfLaterLayer => {
                Some((rounds + u32::from((rounds, points) == (0, 0)), points as u64))
            }
            _ => Some((rounds, points as u64)),
        }
    }

    fn layer(&self, rounds: u32) -> u32 {
        rounds
    }

    fn stages(&self, &rounds: &u32, rank: u64, stages: &mut Stages<'_>) -> bool {
        let by_rules = [
            W::NothingByRules,
            W::Rank,
            W::RankOfLaterLayer,
            W::Canonical,
            W::PayoffBound,
            W::RewardOfRulesThatWraps,
            W::EndThatWraps,
            W::SecondAnswer,
            W::ActionsOfRules,
        ];
        if rounds == 0 || by_rules.contains(&self.0) {
            return false;
        }
        stages.matrix(
            u32::from(!self.is(W::NoWeight)),
            if self.is(W::ActionsByRanks) { usize::MAX } else { 2 },
            2,
        );
        let cells = match self.0 {
            W::CellTooFew => 3,
            W::CellTooMany => 5,
            _ => 4,
        };
        let reward = match self.0 {
            W::Reward => 9,
            W::RewardThatWraps => 1 << 8,
            W::RewardsInAll => 3,
            _ => 0,
        };
        for cell in 0..cells {
            let won = u64::from(cell % 3 == 0);
            let mut next = rank + won;
            if self.is(W::Exchanged) || (self.is(W::LastOfLayer) && (rounds, rank) == (1, 2)) {
                next = rank;
            }
            stages.to(reward, (rounds - 1 + u32::from(self.is(W::LayerOfSuccessor)), next), false);
        }
        true
    }
}

#[test]
fn wrong_ranks_are_errors_with_the_name_of_the_state() {
    for right in [W::Nothing, W::NothingByRules] {
        assert_eq!(solved(Rounds(right)).enclosure(&(3, 0)).unwrap().middle(), 1.5);
    }
    let payoff_bound = "payoffs can be larger here than `payoff_bound` says";
    let faults = [
        (W::Rank, "of layer 2 has this state, whose rank is another"),
        (
            W::RankOfLaterLayer,
            "rank 0 of layer 1 follows; expected one of an earlier layer that is needed",
        ),
        (W::Exchanged, "by ranks the value lies in"),
        (W::LastOfLayer, "by ranks the value lies in"),
        (W::CellTooFew, "a matrix of 2 by 2 actions has 3 cells"),
        (W::CellTooMany, "a matrix of 2 by 2 actions has 5 cells"),
        (
            W::LayerOfSuccessor,
            "rank 1 of layer 1 follows; expected one of an earlier layer that is needed",
        ),
        (W::Canonical, "rank 1 of layer 0 has this state, which is not canonical"),
        (W::PayoffBound, payoff_bound),
        (W::Reward, payoff_bound),
        (W::RewardThatWraps, payoff_bound),
        (W::RewardOfRulesThatWraps, payoff_bound),
        (W::RewardsInAll, payoff_bound),
        (W::EndThatWraps, payoff_bound),
        (W::NoWeight, "no state follows: the weights sum to 0"),
        (W::StartWithoutRank, "state `(3, -1)`: the ranks are wrong: this start has no rank"),
        (
            W::StartBeyondItsLayer,
            "this start has rank 2 of layer 2; expected one below 2, the number of its states",
        ),
        (
            W::StartBeyondAllLayers,
            "this start is in layer 4; expected one below 4, the number of layers",
        ),
        (W::StartOfOtherState, "rank 0 of layer 3 is this start's, but has another state"),
        (W::SecondAnswer, "the rules contradict themselves"),
        (
            W::ActionsOfRules,
            "a matrix of 18446744073709551615 by 2 actions would take more than 16.0 EiB of memory",
        ),
        (
            W::ActionsByRanks,
            "a matrix of 18446744073709551615 by 2 actions would take more than 16.0 EiB of memory",
        ),
    ];
    for (wrong, expected) in faults {
        let refusal = StochasticSolver::new(Rounds(wrong))
            .solve_ranked(None)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(refusal.contains(expected), "{wrong:?}: {refusal}");
        assert!(refusal.starts_with("state `("), "{wrong:?}: {refusal}");
    }
    let faults_of_all = [
        (W::NoStates, "the ranks are wrong: layer 1 has no states"),
        (W::NoPayoffBound, "the ranks are wrong: a ranked game has a `payoff_bound`"),
        (W::Cyclic, "the ranks are wrong: a ranked game is acyclic"),
        (W::NoStart, "there is no start; expected the name of at least one state"),
    ];
    for (wrong, expected) in faults_of_all {
        let refusal = StochasticSolver::new(Rounds(wrong))
            .solve_ranked(None)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert_eq!(refusal, expected, "{wrong:?}");
    }
    let little = StochasticSolver::new(Rounds(W::Nothing))
        .memory_limit(100)
        .solve_ranked(None)
        .map(|_| ())
        .unwrap_err();
    assert!(
        little.to_string().starts_with("the layers that are needed together would take"),
        "{little}"
    );
    let unknown = solved(Rounds(W::Nothing)).enclosure(&(3, 1)).map(|_| ()).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no state `(3, 1)`");
}
