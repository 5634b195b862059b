//! Quasi-perfect strategies, against the definition and against backward induction, in fractions by
//! code of its own.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use num_traits::{One, Signed, Zero};
use pencil_tennis::hidden::games::{KuhnPoker, LeducPoker, LiarsDice, SecretInspection};
use pencil_tennis::hidden::{
    BehaviourStrategy, GameTree, HiddenRefinement, HiddenRules, HiddenSolution, HiddenSolver,
    Judgement, Move, Observations, Turn,
};
use pencil_tennis::matrix_game::ExactSolution;
use pencil_tennis::{ByPlayer, Player, unwatched};

use crate::hidden::{Knowledge, Mover, Pure, RandomGame, hash, knowledge, plans, set_name};
use crate::kernels::Fraction;
use crate::random_games::fraction;

fn refined(tree: GameTree) -> HiddenSolution {
    HiddenSolver::new(tree).refinement(HiddenRefinement::QuasiPerfect).solve().expect("a solution")
}

/// Guess-the-Ace (Miltersen and Sørensen 2006): B may offer A a guess whether a hidden card of 52
/// is the ace of spades. A wins 1 by a right guess. B does not offer it; if B makes this mistake, A
/// should not guess the ace.
fn guess_the_ace() -> GameTree {
    let mut tree = GameTree::builder();
    tree.decision(Player::B, "deal", &["stop", "offer"]).unwrap();
    tree.end(0).unwrap();
    tree.chance(&[fraction(1, 52), fraction(51, 52)]).unwrap();
    for payoffs in [[1, 0], [0, 1]] {
        tree.decision(Player::A, "guess", &["ace", "another"]).unwrap();
        tree.end(payoffs[0]).unwrap();
        tree.end(payoffs[1]).unwrap();
    }
    tree.finish().unwrap()
}

#[test]
fn nobody_guesses_the_ace() {
    let tree = guess_the_ace();
    // The nonsense is optimal, too.
    let nonsense = vec![vec![fraction(1, 1), fraction(0, 1)]];
    let nonsense = BehaviourStrategy::from_probabilities(&tree, Player::A, &nonsense).unwrap();
    assert_eq!(Judgement::new(&tree, nonsense).unwrap().exact(), Some(&Fraction::zero()));
    let solution = refined(tree);
    assert!(solution.test_sequence().is_some());
    assert_eq!(solution.exact(), Some(&Fraction::zero()));
    assert_eq!(
        solution.behaviour(Player::A).probabilities(solution.tree(), 0).unwrap(),
        [fraction(0, 1), fraction(1, 1)]
    );
    assert_eq!(
        solution.behaviour(Player::B).probabilities(solution.tree(), 0).unwrap(),
        [fraction(1, 1), fraction(0, 1)]
    );
}

/// A random game in which both players see every move, but for the other's simultaneous one until
/// it is made.
#[derive(Clone, Copy)]
struct OpenGame(RandomGame);

impl HiddenRules for OpenGame {
    type State = Vec<usize>;

    fn start(&self) -> Vec<usize> {
        Vec::new()
    }

    fn turn(&self, path: &Vec<usize>) -> Turn {
        self.0.turn(path)
    }

    fn after(
        &self,
        path: &Vec<usize>,
        chosen: Move,
        observations: &mut Observations,
    ) -> Vec<usize> {
        let step = match chosen {
            Move::Chance(place) | Move::Action(place) => place,
            Move::Both { a, b } => 2 * a + b,
        };
        for player in Player::BOTH {
            observations.tell(player, format!("{}:{step}", path.len()));
        }
        [&path[..], &[step]].concat()
    }
}

/// What a player knows in an open game, as the name of the information set: the own actions and all
/// steps.
fn open_name(game: RandomGame, path: &[usize], player: Player) -> String {
    let mut words = Vec::new();
    for (turn, &step) in path.iter().enumerate() {
        let action = match game.mover(turn) {
            Mover::One(mover) if mover == player => Some(step),
            Mover::Both if player == Player::A => Some(step / 2),
            Mover::Both => Some(step % 2),
            _ => None,
        };
        words.extend(action.map(|action| ["l", "r"][action].to_owned()));
        words.push(format!("{turn}:{step}"));
    }
    if words.is_empty() { "(start)".to_owned() } else { words.join(" ") }
}

/// Checks every subgame of an open game: each player's strategy secures there what backward
/// induction finds. Returns the value, then what the strategies secure.
fn check_subgames(game: RandomGame, path: &[usize], solution: &HiddenSolution) -> Fraction {
    fn secured(
        game: RandomGame,
        path: &[usize],
        solution: &HiddenSolution,
        player: Player,
    ) -> Fraction {
        if path.len() == game.turns {
            return fraction(game.payoff(path), 1);
        }
        let next = |step: usize| secured(game, &[path, &[step]].concat(), solution, player);
        let worse = |one: Fraction, other: Fraction| {
            if player == Player::A { one.min(other) } else { one.max(other) }
        };
        let shares = |player| {
            let tree = solution.tree();
            let set = tree.set(player, &open_name(game, path, player)).expect("a set");
            solution.behaviour(player).probabilities(tree, set).unwrap()
        };
        match game.mover(path.len()) {
            Mover::Chance => next(0) * fraction(1, 3) + next(1) * fraction(2, 3),
            Mover::One(mover) if mover == player => {
                let distribution = shares(player);
                next(0) * &distribution[0] + next(1) * &distribution[1]
            }
            Mover::One(_) => worse(next(0), next(1)),
            Mover::Both => {
                let distribution = shares(player);
                let against = |reply: usize| {
                    let step = |action: usize| {
                        if player == Player::A { 2 * action + reply } else { 2 * reply + action }
                    };
                    next(step(0)) * &distribution[0] + next(step(1)) * &distribution[1]
                };
                worse(against(0), against(1))
            }
        }
    }

    if path.len() == game.turns {
        return fraction(game.payoff(path), 1);
    }
    let steps = if game.mover(path.len()) == Mover::Both { 4 } else { 2 };
    let next: Vec<Fraction> =
        (0..steps).map(|step| check_subgames(game, &[path, &[step]].concat(), solution)).collect();
    let value = match game.mover(path.len()) {
        Mover::Chance => &next[0] * fraction(1, 3) + &next[1] * fraction(2, 3),
        Mover::One(Player::A) => next[0].clone().max(next[1].clone()),
        Mover::One(Player::B) => next[0].clone().min(next[1].clone()),
        Mover::Both => {
            let rows = vec![next[..2].to_vec(), next[2..].to_vec()];
            ExactSolution::new(&rows, &mut unwatched).expect("a matrix").value().clone()
        }
    };
    for player in Player::BOTH {
        assert_eq!(secured(game, path, solution, player), value, "{} {path:?} {player}", game.seed);
    }
    value
}

/// Where players see all moves, quasi-perfect strategies are optimal in every subgame, however many
/// mistakes led there.
#[test]
fn refined_strategies_of_open_games_are_optimal_in_every_subgame() {
    for seed in 0..60 {
        let game = RandomGame { seed: hash(seed, &[20, 10]), turns: 2 + (seed % 4) as usize };
        let solution = refined(GameTree::from_rules(&OpenGame(game)).expect("a tree"));
        assert!(solution.test_sequence().is_some(), "{seed}");
        let value = check_subgames(game, &[], &solution);
        assert_eq!(solution.exact(), Some(&value), "{seed}");
    }
}

/// By what a player may know: the probabilities of both actions.
type Shares = BTreeMap<Knowledge, Vec<Fraction>>;

fn shares_of(tree: &GameTree, strategy: &BehaviourStrategy, pure: &Pure) -> Shares {
    let shares = |known: &Knowledge| {
        let set = tree.set(strategy.player(), &set_name(known)).expect("a set");
        (known.clone(), strategy.probabilities(tree, set).unwrap())
    };
    pure.keys().map(shares).collect()
}

/// A pure strategy as probabilities.
fn certain(pure: &Pure) -> Shares {
    let mut shares = Shares::new();
    for (known, &action) in pure {
        let mut chosen = vec![Fraction::zero(); 2];
        chosen[action] = Fraction::one();
        shares.insert(known.clone(), chosen);
    }
    shares
}

/// The expected payoff to A where one player has come to a piece of knowledge: plays that do not go
/// through it count 0. Before it, only chance and the opponent are random; the player goes where it
/// lies.
struct Conditional<'c> {
    game: RandomGame,
    player: Player,
    known: &'c Knowledge,
    shares: &'c Shares,
    opposing: &'c Shares,
}

impl Conditional<'_> {
    fn payoff(&self, path: &[usize], has_come: bool) -> Fraction {
        let Self { game, player, known, .. } = *self;
        if path.len() == game.turns {
            return if has_come { fraction(game.payoff(path), 1) } else { Fraction::zero() };
        }
        let mover = game.mover(path.len());
        let chooses = mover == Mover::Both || mover == Mover::One(player);
        let memory = knowledge(game, path, player);
        let has_come = has_come || (chooses && memory == *known);
        // Before it, the player takes the action that leads there, whose weight is left out.
        let own_share = |action: usize| {
            if has_come { self.shares[&memory][action].clone() } else { Fraction::one() }
        };
        let opposing_share = |action: usize| {
            self.opposing[&knowledge(game, path, player.opponent())][action].clone()
        };
        let mut sum = Fraction::zero();
        let steps = if mover == Mover::Both { 4 } else { 2 };
        for step in 0..steps {
            let share = match mover {
                Mover::Chance => fraction(1 + step as i64, 3),
                Mover::One(mover) if mover == player => own_share(step),
                Mover::One(_) => opposing_share(step),
                Mover::Both if player == Player::A => {
                    own_share(step / 2) * opposing_share(step % 2)
                }
                Mover::Both => own_share(step % 2) * opposing_share(step / 2),
            };
            if !share.is_zero() {
                sum += share * self.payoff(&[path, &[step]].concat(), has_come);
            }
        }
        sum
    }
}

/// Van Damme's definition at one small ε: everywhere no pure continuation is better against the
/// opponent's fully mixed strategy.
#[test]
fn refined_strategies_are_best_replies_to_trembles_everywhere() {
    let epsilon = fraction(1, 1_000_000_000_000);
    let [mut compared, mut unrefined] = [0, 0];
    for seed in 0..200 {
        let game = RandomGame { seed: hash(seed, &[8, 4]), turns: 3 + (seed % 3) as usize };
        let Some((a_plans, b_plans)) = plans(game, Player::A).zip(plans(game, Player::B)) else {
            continue;
        };
        if a_plans.len() * b_plans.len() > 256 {
            continue;
        }
        let all = ByPlayer { a: a_plans, b: b_plans };
        let tree = GameTree::from_rules(&game).expect("a tree");
        let ordinary = HiddenSolver::new(tree.clone()).solve().expect("a solution");
        let solution = refined(tree);
        let tree = solution.tree();
        let test_sequence = solution.test_sequence().expect("a test sequence");
        assert!(ordinary.enclosure().contains(solution.exact().expect("an exact value")), "{seed}");
        for player in Player::BOTH {
            let opponent = player.opponent();
            let trembling = test_sequence.strategy(tree, opponent, &epsilon).expect("small enough");
            let opposing = shares_of(tree, &trembling, &all[opponent][0]);
            assert!(opposing.values().flatten().all(Signed::is_positive));
            // It has come close to its limit: the square root is far above any coefficient times ε.
            let limit = shares_of(tree, solution.behaviour(opponent), &all[opponent][0]);
            for (share, limit) in opposing.values().flatten().zip(limit.values().flatten()) {
                assert!(
                    (share - limit).abs() < fraction(1, 1_000_000),
                    "{seed} {opponent}: {share} {limit}"
                );
            }
            let refined = shares_of(tree, solution.behaviour(player), &all[player][0]);
            let usual = shares_of(tree, ordinary.behaviour(player), &all[player][0]);
            for known in refined.keys() {
                let payoff = |shares: &Shares| {
                    Conditional { game, player, known, shares, opposing: &opposing }
                        .payoff(&[], false)
                };
                let reached = payoff(&refined);
                let sign = fraction(if player == Player::A { 1 } else { -1 }, 1);
                unrefined += usize::from(&sign * payoff(&usual) < &sign * &reached);
                for pure in &all[player] {
                    let reply = certain(pure);
                    assert!(
                        &sign * payoff(&reply) <= &sign * &reached,
                        "{seed} {player} {known:?}"
                    );
                }
            }
        }
        compared += 1;
    }
    assert!(
        compared > 60 && unrefined > 10,
        "{compared} games; in {unrefined} places usual strategies are no best replies"
    );
}

/// In Kuhn poker, dominated actions are never played, also where the opponent's mistakes lead.
#[test]
fn refined_poker_has_its_published_value() {
    let kuhn = refined(GameTree::from_rules(&KuhnPoker).unwrap());
    assert!(kuhn.test_sequence().is_some());
    assert_eq!(kuhn.exact(), Some(&fraction(-1, 18)));
    for (player, set, action) in [
        (Player::A, "J pass bet", "pass"),
        (Player::A, "K pass bet", "bet"),
        (Player::B, "J bet", "pass"),
        (Player::B, "K bet", "bet"),
        (Player::B, "K pass", "bet"),
    ] {
        let shares = kuhn.strategy(player, set).unwrap();
        let share = shares.iter().find(|share| share.action == action).expect("an action");
        assert_eq!(share.probability, 1.0, "{player} at {set}");
    }
}

/// In Leduc poker nobody folds a pair with the public card, which wins every showdown, wherever
/// mistakes have led. An ordinary optimal strategy does.
#[test]
fn refined_leduc_poker_folds_no_pair() {
    /// Both players' probabilities of folding a pair.
    fn folded_pairs(solution: &HiddenSolution) -> Vec<Fraction> {
        let tree = solution.tree();
        let mut folds = Vec::new();
        for player in Player::BOTH {
            for (number, set) in tree.information_sets(player).iter().enumerate() {
                // The own card comes first; in the second round the public card follows.
                let cards: Vec<&str> =
                    set.name().split(' ').filter(|word| ["J", "Q", "K"].contains(word)).collect();
                let fold = set.actions().iter().position(|action| action == "fold");
                if let (&[card, public], Some(fold)) = (&cards[..], fold)
                    && card == public
                {
                    folds.push(
                        solution.behaviour(player).probabilities(tree, number).unwrap()[fold]
                            .clone(),
                    );
                }
            }
        }
        folds
    }

    let tree = GameTree::from_rules(&LeducPoker).unwrap();
    let ordinary = HiddenSolver::new(tree.clone()).solve().unwrap();
    assert!(folded_pairs(&ordinary).iter().any(Signed::is_positive));
    let leduc = refined(tree);
    assert!(leduc.test_sequence().is_some());
    let value = leduc.exact().expect("an exact value");
    // The published value has thirteen digits.
    assert!(
        (value + fraction(856_064_240_780, 10_000_000_000_000)).abs()
            < fraction(1, 10_000_000_000_000),
        "{value}"
    );
    let folds = folded_pairs(&leduc);
    assert!(folds.len() > 50 && folds.iter().all(Zero::is_zero), "{}", folds.len());
}

/// Games of the gallery have their values, and proofs of their refinement.
#[test]
fn refined_games_have_their_values() {
    for (sides, value) in [(3, fraction(1, 9)), (4, fraction(1, 16))] {
        let dice = refined(GameTree::from_rules(&LiarsDice::new(sides)).unwrap());
        assert!(dice.test_sequence().is_some(), "{sides}");
        assert_eq!(dice.exact(), Some(&value));
    }
    let inspection = refined(GameTree::from_rules(&SecretInspection::new(4)).unwrap());
    assert!(inspection.test_sequence().is_some());
    assert_eq!(inspection.exact(), Some(&fraction(1, 2)));
}

/// Where nobody chooses, or one player alone, strategies are refined, too.
#[test]
fn games_without_an_opponent_are_refined() {
    let mut end = GameTree::builder();
    end.end(3).unwrap();
    let end = refined(end.finish().unwrap());
    assert!(end.test_sequence().is_some());
    assert_eq!(end.exact(), Some(&fraction(3, 1)));
    for (player, first) in [(Player::A, 0), (Player::B, 1)] {
        let mut tree = GameTree::builder();
        tree.decision(player, "alone", &["low", "high"]).unwrap();
        for payoff in [0, 2] {
            tree.decision(player, &format!("then {payoff}"), &["stay", "lose one"]).unwrap();
            tree.end(payoff).unwrap();
            tree.end(payoff - i64::from(player.direction())).unwrap();
        }
        let solution = refined(tree.finish().unwrap());
        assert!(solution.test_sequence().is_some());
        let shares = |set| solution.behaviour(player).probabilities(solution.tree(), set).unwrap();
        assert_eq!(shares(0), [fraction(first, 1), fraction(1 - first, 1)], "{player}");
        assert_eq!(
            [shares(1), shares(2)],
            [[1, 0]; 2].map(|row| row.map(|share| fraction(share, 1)).to_vec()),
            "{player}"
        );
    }
}

/// A solution that is put together again from its parts is proved again; parts of another solution
/// are refused.
#[test]
fn solutions_are_put_together_from_their_parts() {
    let solution = refined(guess_the_ace());
    let mut written = Vec::new();
    solution.tree().write(&mut written).unwrap();
    let tree = GameTree::read(&written[..]).expect("a tree");
    assert!(tree.is_same_game(solution.tree()));
    let strategies = ByPlayer::new(|player| solution.behaviour(player).clone());
    let test_sequence = solution.test_sequence().expect("a test sequence");
    let coefficients = ByPlayer::new(|player| {
        test_sequence.coefficients(player).map(<[Fraction]>::to_vec).collect::<Vec<_>>()
    });
    let again =
        HiddenSolution::of_strategies(tree.clone(), strategies.clone()).expect("a solution");
    assert_eq!(again.exact(), solution.exact());
    assert!(again.test_sequence().is_none());
    let again = again.with_test_sequence(coefficients.clone()).expect("a test sequence");
    let epsilon = fraction(1, 1_000);
    for player in Player::BOTH {
        let trembling = |solution: &HiddenSolution| {
            solution
                .test_sequence()
                .expect("a test sequence")
                .strategy(solution.tree(), player, &epsilon)
                .expect("small enough")
        };
        assert_eq!(trembling(&again), trembling(&solution));
    }

    let exchanged = ByPlayer { a: strategies.b.clone(), b: strategies.a.clone() };
    let refused = HiddenSolution::of_strategies(tree.clone(), exchanged)
        .expect_err("strategies of the other player")
        .to_string();
    assert_eq!(refused, "not a strategy of this game: expected a strategy of A for this tree");
    // Optimal, too, but not the limit.
    let nonsense = BehaviourStrategy::from_probabilities(
        &tree,
        Player::A,
        &[vec![fraction(1, 1), fraction(0, 1)]],
    )
    .unwrap();
    let other =
        HiddenSolution::of_strategies(tree.clone(), ByPlayer { a: nonsense, b: strategies.b })
            .expect("a solution");
    assert_eq!(other.exact(), Some(&Fraction::zero()));
    let refused = other
        .clone()
        .with_test_sequence(coefficients.clone())
        .expect_err("other strategies")
        .to_string();
    assert_eq!(
        refused,
        "not a test sequence of these strategies: it goes to another strategy of A at `guess`"
    );
    // Its own test sequence does not prove it.
    let polynomial =
        |numbers: &[i64]| numbers.iter().map(|&number| fraction(number, 1)).collect::<Vec<_>>();
    let a = vec![polynomial(&[1]), polynomial(&[1, -1]), polynomial(&[0, 1])];
    let refused = other
        .with_test_sequence(ByPlayer { a, b: coefficients.b })
        .expect_err("nonsense")
        .to_string();
    assert!(refused.ends_with("expected limits that play nothing but best replies"), "{refused}");
    for (line, reason) in [
        ("[\"end\",\"0\"]\n", "expected no further node"),
        ("[\"weights\"]\n", "expected the end of the file"),
    ] {
        let long = [&written[..], line.as_bytes()].concat();
        let refused = GameTree::read(&long[..]).expect_err("a line too many").to_string();
        assert!(
            refused.starts_with("not a game tree: line 10") && refused.ends_with(reason),
            "{refused}"
        );
    }
}

/// A game that is too large is refused before it is solved; an interrupted search has bounds and no
/// proof of refinement.
#[test]
fn a_refinement_has_its_limits() {
    let dice = HiddenSolver::from_rules(&LiarsDice::new(5))
        .unwrap()
        .refinement(HiddenRefinement::QuasiPerfect);
    let begun = Instant::now();
    let refused = dice.solve().expect_err("too large").to_string();
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(
        refused.starts_with("the game has 10232 sequences; a refinement takes at most 2500"),
        "{refused}"
    );
    let leduc =
        HiddenSolver::from_rules(&LeducPoker).unwrap().refinement(HiddenRefinement::QuasiPerfect);
    let stopped =
        leduc.on_bounds(|_| ControlFlow::Break(())).time_limit(Duration::ZERO).solve().unwrap();
    assert!(stopped.test_sequence().is_none());
    assert!(stopped.enclosure().lower() <= -0.0856 && -0.0857 <= stopped.enclosure().upper());
}
