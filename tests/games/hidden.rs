//! Games with hidden information: known values, and random games against their strategic form.

#![expect(clippy::format_push_string, reason = "the texts are short")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use num_traits::Zero;
use pencil_tennis::hidden::games::{
    HiddenGoofspiel, KuhnPoker, LeducPoker, LiarsDice, SecretInspection,
};
use pencil_tennis::hidden::{
    ActionPayoffs, BehaviourStrategy, GameTree, HiddenCheckpoint, HiddenError, HiddenMethod,
    HiddenProof, HiddenRules, HiddenSolution, HiddenSolver, Judgement, Move, Observations, Turn,
};
use pencil_tennis::matrix_game::ExactSolution;
use pencil_tennis::model_checking::Probabilities;
use pencil_tennis::report::{ExtensiveForm, WriteCsv, read_hidden_strategies};
use pencil_tennis::{ByPlayer, Player, unwatched};
use serde_json::Value;

use crate::kernels::{Fraction, kernels};
use crate::random_games::fraction;

/// A fixed hash of a path.
pub(crate) fn hash(seed: u64, path: &[usize]) -> u64 {
    let mut hash = seed;
    for &step in path {
        hash = (hash ^ (step as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

/// A random game of some turns. The number of a turn decides who moves and what the opponent sees;
/// payoffs depend on the whole path.
#[derive(Clone, Copy)]
pub(crate) struct RandomGame {
    pub(crate) seed: u64,
    pub(crate) turns: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mover {
    Chance,
    Both,
    One(Player),
}

impl RandomGame {
    pub(crate) fn mover(self, turn: usize) -> Mover {
        match hash(self.seed, &[turn, 0]) >> 20 & 7 {
            0 | 1 => Mover::Chance,
            2 => Mover::Both,
            3..=5 => Mover::One(Player::A),
            _ => Mover::One(Player::B),
        }
    }

    /// Whether a player sees another's move, or that of chance.
    fn is_seen(self, turn: usize, player: Player) -> bool {
        hash(self.seed, &[turn, 1 + player as usize]) >> 20 & 1 == 1
    }

    pub(crate) fn payoff(self, path: &[usize]) -> i64 {
        (hash(self.seed, path) >> 20) as i64 % 7 - 3
    }
}

fn two() -> Vec<String> {
    vec!["l".to_owned(), "r".to_owned()]
}

impl HiddenRules for RandomGame {
    type State = Vec<usize>;

    fn start(&self) -> Vec<usize> {
        Vec::new()
    }

    fn turn(&self, path: &Vec<usize>) -> Turn {
        if path.len() == self.turns {
            return Turn::end(self.payoff(path));
        }
        match self.mover(path.len()) {
            Mover::Chance => Turn::Chance(vec![1, 2]),
            Mover::Both => Turn::Both { a: two(), b: two() },
            Mover::One(player) => Turn::Player(player, two()),
        }
    }

    fn after(
        &self,
        path: &Vec<usize>,
        chosen: Move,
        observations: &mut Observations,
    ) -> Vec<usize> {
        let turn = path.len();
        let seen = |player, what: usize, observations: &mut Observations| {
            if self.is_seen(turn, player) {
                observations.tell(player, format!("{turn}:{what}"));
            }
        };
        let step = match chosen {
            Move::Chance(place) => {
                seen(Player::A, place, observations);
                seen(Player::B, place, observations);
                place
            }
            Move::Action(place) => {
                if let Mover::One(player) = self.mover(turn) {
                    seen(player.opponent(), place, observations);
                }
                place
            }
            Move::Both { a, b } => {
                seen(Player::A, b, observations);
                seen(Player::B, a, observations);
                2 * a + b
            }
        };
        [&path[..], &[step]].concat()
    }
}

/// What a player knows, written anew: the own moves and what was seen, by turns.
pub(crate) fn knowledge(game: RandomGame, path: &[usize], player: Player) -> Knowledge {
    let mut known = Vec::new();
    for (turn, &step) in path.iter().enumerate() {
        let is_seen = game.is_seen(turn, player);
        match game.mover(turn) {
            Mover::One(mover) if mover == player => known.push((turn, step)),
            Mover::One(_) | Mover::Chance if is_seen => known.push((turn, 10 + step)),
            Mover::Both => {
                let parts = [step / 2, step % 2];
                known.push((turn, parts[player as usize]));
                if is_seen {
                    known.push((turn, 10 + parts[1 - player as usize]));
                }
            }
            _ => {}
        }
    }
    known
}

pub(crate) type Knowledge = Vec<(usize, usize)>;

/// A pure strategy: an action for everything that a player may know.
pub(crate) type Pure = BTreeMap<Knowledge, usize>;

type Plan<'p> = &'p Pure;

fn expected(game: RandomGame, path: &[usize], a: Plan<'_>, b: Plan<'_>) -> Fraction {
    if path.len() == game.turns {
        return fraction(game.payoff(path), 1);
    }
    let next = |step: usize| expected(game, &[path, &[step]].concat(), a, b);
    let chosen = |player: Player| {
        let plan = if player == Player::A { a } else { b };
        plan[&knowledge(game, path, player)]
    };
    match game.mover(path.len()) {
        Mover::Chance => next(0) * fraction(1, 3) + next(1) * fraction(2, 3),
        Mover::One(player) => next(chosen(player)),
        Mover::Both => next(2 * chosen(Player::A) + chosen(Player::B)),
    }
}

/// Everything that a player may know at a choice, with the first action.
fn knowable(game: RandomGame, player: Player) -> Pure {
    let mut known = BTreeMap::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        if path.len() == game.turns {
            continue;
        }
        let mover = game.mover(path.len());
        if mover == Mover::Both || mover == Mover::One(player) {
            known.insert(knowledge(game, &path, player), 0);
        }
        let steps = if mover == Mover::Both { 4 } else { 2 };
        open.extend((0..steps).map(|step| [&path[..], &[step]].concat()));
    }
    known
}

/// All pure strategies of a player, if there are at most 64.
pub(crate) fn plans(game: RandomGame, player: Player) -> Option<Vec<Pure>> {
    let known = knowable(game, player);
    if known.len() > 6 {
        return None;
    }
    let plan = |number: usize| {
        known
            .keys()
            .enumerate()
            .map(|(place, known)| (known.clone(), number >> place & 1))
            .collect()
    };
    Some((0..1 << known.len()).map(plan).collect())
}

#[test]
fn random_games_have_the_values_of_their_strategic_forms() {
    let [mut compared, mut known] = [0, 0];
    for seed in 0..400 {
        let game = RandomGame { seed: hash(seed, &[7, 7]), turns: 3 + (seed % 3) as usize };
        let Some((a_plans, b_plans)) = plans(game, Player::A).zip(plans(game, Player::B)) else {
            continue;
        };
        let row = |a: &BTreeMap<_, _>| b_plans.iter().map(|b| expected(game, &[], a, b)).collect();
        let rows: Vec<Vec<Fraction>> = a_plans.iter().map(row).collect();
        let value = ExactSolution::new(&rows, &mut unwatched).expect("a matrix").value().clone();
        for method in [None, Some(HiddenMethod::InteriorPoint), Some(HiddenMethod::Regret)] {
            let mut solver = HiddenSolver::from_rules(&game).expect("a tree");
            if let Some(method) = method {
                solver = solver.method(method);
            }
            let solution = solver.solve().expect("a solution");
            assert!(
                solution.enclosure().contains(&value),
                "{seed} {method:?}: {value}, {:?}",
                solution.enclosure()
            );
            if let Some(exact) = solution.exact() {
                assert_eq!(*exact, value, "{seed}");
                known += 1;
            }
            // The span is 6 at most, and the default gap a billionth of it.
            assert!(
                solution.enclosure().width() <= 6.1e-9,
                "{seed} {method:?}: {}",
                solution.enclosure().width()
            );
        }
        compared += 1;
    }
    assert!(compared > 100 && known > compared / 2, "{known} of {compared} exactly");
}

#[test]
fn known_games_have_their_published_values() {
    let kuhn = HiddenSolver::from_rules(&KuhnPoker).unwrap().solve().unwrap();
    assert_eq!(kuhn.exact(), Some(&fraction(-1, 18)));
    // A unit of 2^-60.
    assert!(kuhn.enclosure().contains(&fraction(-1, 18)), "{:?}", kuhn.enclosure());
    assert!(kuhn.enclosure().width() < 8.7e-19, "{}", kuhn.enclosure().width());
    for player in Player::BOTH {
        assert_eq!(kuhn.tree().information_sets(player).len(), 6);
    }
    for (sides, sets, ends, value) in
        [(2, 16, 60, None), (3, 96, 567, Some((1, 9))), (4, 512, 4_080, Some((1, 16)))]
    {
        let dice = HiddenSolver::from_rules(&LiarsDice::new(sides)).unwrap().solve().unwrap();
        let tree = dice.tree();
        assert_eq!(
            Player::BOTH.map(|player| tree.information_sets(player).len()),
            [sets, sets],
            "{sides}"
        );
        assert_eq!(tree.ends(), ends);
        if let Some((numerator, denominator)) = value {
            assert!(
                dice.enclosure().contains(&fraction(numerator, denominator)),
                "{sides}: {:?}",
                dice.enclosure()
            );
        }
        assert!(dice.enclosure().width() < 3e-9, "{sides}: {}", dice.enclosure().width());
    }
}

#[test]
fn leduc_poker_has_its_published_value() {
    let leduc = HiddenSolver::from_rules(&LeducPoker).unwrap().solve().unwrap();
    for player in Player::BOTH {
        assert_eq!(leduc.tree().information_sets(player).len(), 144);
    }
    assert!(leduc.exact().is_some());
    // Published to 13 decimals.
    assert!((leduc.value() + 0.085_606_424_078_0).abs() < 5.1e-14, "{}", leduc.value());
    // Regret minimisation alone comes as close as it is asked to: payoffs span 26 chips.
    let learned = HiddenSolver::from_rules(&LeducPoker)
        .unwrap()
        .method(HiddenMethod::Regret)
        .gap(1e-5)
        .solve()
        .unwrap();
    assert!(
        learned.enclosure().width() <= 2.6e-4 && learned.iterations() > 0,
        "{:?}",
        learned.enclosure()
    );
    assert!(learned.enclosure().contains(leduc.exact().unwrap()));
}

/// The interior-point method knows nothing of programmes and regrets; its strategies prove the same
/// values.
#[test]
fn an_interior_point_method_finds_published_values() {
    let solve = |tree: GameTree| {
        HiddenSolver::new(tree).method(HiddenMethod::InteriorPoint).gap(1e-13).solve().unwrap()
    };
    let kuhn = solve(GameTree::from_rules(&KuhnPoker).unwrap());
    assert!(kuhn.enclosure().contains(&fraction(-1, 18)));
    let leduc = solve(GameTree::from_rules(&LeducPoker).unwrap());
    assert!((leduc.value() + 0.085_606_424_078_0).abs() < 5.1e-14, "{}", leduc.value());
    // The smuggler waits or crosses; nobody ever has one action alone.
    let inspection = solve(GameTree::from_rules(&SecretInspection::new(4)).unwrap());
    assert!(inspection.enclosure().contains(&fraction(1, 2)));
    let mut solutions = vec![kuhn, leduc, inspection];
    for (sides, value) in [(3, fraction(1, 9)), (4, fraction(1, 16))] {
        let dice = solve(GameTree::from_rules(&LiarsDice::new(sides)).unwrap());
        assert!(dice.enclosure().contains(&value), "{sides}: {:?}", dice.enclosure());
        solutions.push(dice);
    }
    for solution in solutions {
        // A ten-trillionth of the span, which is 26 at most.
        assert!(
            solution.enclosure().width() <= 2.7e-12,
            "{:?}: {}",
            solution.tree().title(),
            solution.enclosure().width()
        );
        assert_eq!(solution.iterations(), 0);
    }
}

/// A player without a choice, and payoffs that are all the same, are games, too.
#[test]
fn an_interior_point_method_solves_games_without_choices() {
    let mut alone = GameTree::builder();
    alone.decision(Player::B, "only", &["left".to_owned(), "right".to_owned()]).unwrap();
    alone.end_exactly(fraction(3, 1)).unwrap();
    alone.end_exactly(fraction(-2, 1)).unwrap();
    let mut even = GameTree::builder();
    even.end_exactly(fraction(7, 1)).unwrap();
    for (builder, value) in [(alone, -2), (even, 7)] {
        let solver =
            HiddenSolver::new(builder.finish().unwrap()).method(HiddenMethod::InteriorPoint);
        let solution = solver.solve().unwrap();
        assert!(solution.enclosure().contains(&fraction(value, 1)), "{:?}", solution.enclosure());
        assert!(solution.enclosure().width() <= 5.1e-9, "{:?}", solution.enclosure());
    }
}

#[test]
fn goofspiel_is_symmetric() {
    let solution = HiddenSolver::from_rules(&HiddenGoofspiel::new(3)).unwrap().solve().unwrap();
    assert!(solution.enclosure().contains(&Fraction::zero()));
    assert!(solution.enclosure().width() < 1.3e-8, "{}", solution.enclosure().width());
}

/// Two nights: the smuggler crosses in the first (c), in the second after hearing a dog (d) or
/// nothing (q), or never. The guard patrols in the first night, in the second, or not at all. Of a
/// patrol in the first night the dog barks half of the time.
#[test]
fn the_inspection_has_the_value_of_its_strategic_form() {
    let half = || fraction(1, 2);
    let whole = |number| fraction(number, 1);
    // Against a patrol in the first night, in the second, never.
    let matrix = vec![
        vec![whole(-1), whole(1), whole(1)],
        vec![half() + half(), whole(-1), whole(1)],
        vec![half(), whole(-1), whole(1)],
        vec![half(), whole(0), whole(0)],
        vec![whole(0), whole(0), whole(0)],
    ];
    let value = kernels(&matrix).next().expect("every game has a value").0;
    let solution = HiddenSolver::from_rules(&SecretInspection::new(2)).unwrap().solve().unwrap();
    assert_eq!(solution.exact(), Some(&value));
}

/// A probability of `l` for everything that a player may know.
fn random_shares(game: RandomGame, plan: Plan<'_>, salt: usize) -> BTreeMap<Knowledge, Fraction> {
    let share = |known: &Knowledge| {
        let words: Vec<usize> =
            known.iter().flat_map(|&(turn, what)| [turn, what]).chain([salt]).collect();
        fraction((hash(game.seed, &words) >> 20) as i64 % 8, 7)
    };
    plan.keys().map(|known| (known.clone(), share(known))).collect()
}

/// The payoff to A if one player plays `l` with these probabilities, and the opponent a pure
/// strategy.
fn against(
    game: RandomGame,
    path: &[usize],
    player: Player,
    shares: &BTreeMap<Knowledge, Fraction>,
    reply: Plan<'_>,
) -> Fraction {
    if path.len() == game.turns {
        return fraction(game.payoff(path), 1);
    }
    let next = |step: usize| against(game, &[path, &[step]].concat(), player, shares, reply);
    let left = || shares[&knowledge(game, path, player)].clone();
    let replied = || reply[&knowledge(game, path, player.opponent())];
    match game.mover(path.len()) {
        Mover::Chance => next(0) * fraction(1, 3) + next(1) * fraction(2, 3),
        Mover::One(mover) if mover == player => {
            next(0) * left() + next(1) * (fraction(1, 1) - left())
        }
        Mover::One(_) => next(replied()),
        Mover::Both => {
            let step = |action: usize| {
                if player == Player::A { 2 * action + replied() } else { 2 * replied() + action }
            };
            next(step(0)) * left() + next(step(1)) * (fraction(1, 1) - left())
        }
    }
}

/// The name that the tree gives to an information set, from what the test says the player knows.
pub(crate) fn set_name(known: &[(usize, usize)]) -> String {
    let word = |&(turn, what): &(usize, usize)| match what {
        0 => "l".to_owned(),
        1 => "r".to_owned(),
        seen => format!("{turn}:{}", seen - 10),
    };
    if known.is_empty() {
        "(start)".to_owned()
    } else {
        known.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

/// What the check says of a strategy, good or bad, is what the best of all pure replies leaves: no
/// strategy is taken for a better one.
#[test]
fn strategies_are_worth_what_the_best_pure_reply_leaves() {
    let mut compared = 0;
    for seed in 0..250 {
        let game = RandomGame { seed: hash(seed, &[8, 8]), turns: 3 + (seed % 3) as usize };
        let Some((a_plans, b_plans)) = plans(game, Player::A).zip(plans(game, Player::B)) else {
            continue;
        };
        let tree = GameTree::from_rules(&game).expect("a tree");
        for (player, plans, replies) in
            [(Player::A, &a_plans, &b_plans), (Player::B, &b_plans, &a_plans)]
        {
            let shares = random_shares(game, &plans[0], seed as usize);
            let payoffs = replies.iter().map(|reply| against(game, &[], player, &shares, reply));
            let expected =
                if player == Player::A { payoffs.min() } else { payoffs.max() }.expect("a reply");
            let mut probabilities = vec![Vec::new(); tree.information_sets(player).len()];
            for (known, left) in &shares {
                let set = tree.set(player, &set_name(known)).expect("a set");
                probabilities[set] = vec![left.clone(), fraction(1, 1) - left];
            }
            let strategy = BehaviourStrategy::from_probabilities(&tree, player, &probabilities)
                .expect("a strategy");
            let judgement = Judgement::new(&tree, strategy).unwrap();
            assert_eq!(judgement.exact(), Some(&expected), "{seed} {player}");
            let judged = judgement.secured();
            assert!(judged.contains(&expected), "{seed} {player}: {expected}, {judged:?}");
            // A unit of 2^-59 at least, for payoffs up to 3.
            assert!(judged.width() < 3.5e-18, "{seed} {player}: {}", judged.width());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Kuhn poker with A's optimal strategy that bets a jack with this probability, and a king three
/// times as often, and with B's only one.
fn kuhn_with_bluffs(bluff: &Fraction) -> HiddenSolution {
    let tree = GameTree::from_rules(&KuhnPoker).expect("a tree");
    let third = fraction(1, 3);
    let bets = [
        (Player::A, "J", bluff.clone()),
        (Player::A, "J pass bet", fraction(0, 1)),
        (Player::A, "Q", fraction(0, 1)),
        (Player::A, "Q pass bet", bluff + &third),
        (Player::A, "K", bluff * fraction(3, 1)),
        (Player::A, "K pass bet", fraction(1, 1)),
        (Player::B, "J pass", third.clone()),
        (Player::B, "J bet", fraction(0, 1)),
        (Player::B, "Q pass", fraction(0, 1)),
        (Player::B, "Q bet", third),
        (Player::B, "K pass", fraction(1, 1)),
        (Player::B, "K bet", fraction(1, 1)),
    ];
    let strategies = ByPlayer::new(|player| {
        let mut probabilities = vec![Vec::new(); tree.information_sets(player).len()];
        for (_, name, bet) in bets.iter().filter(|&&(owner, ..)| owner == player) {
            probabilities[tree.set(player, name).expect("a set")] =
                vec![fraction(1, 1) - bet, bet.clone()];
        }
        BehaviourStrategy::from_probabilities(&tree, player, &probabilities).expect("a strategy")
    });
    let solution = HiddenSolution::of_strategies(tree, strategies).expect("strategies of the tree");
    assert_eq!(solution.exact(), Some(&fraction(-1, 18)));
    solution
}

/// By hand, to A: what a pass and a bet (or fold and call) are worth, and how often chance and the
/// opponent lead there.
#[test]
fn actions_of_kuhn_poker_are_worth_what_they_are_by_hand() {
    let solution = kuhn_with_bluffs(&fraction(1, 3));
    let tree = solution.tree();
    for (player, name, reach, pass, bet) in [
        (Player::A, "J", (1, 3), (-1, 1), (-1, 1)),
        (Player::A, "J pass bet", (1, 6), (-1, 1), (-2, 1)),
        (Player::A, "Q", (1, 3), (-1, 3), (-1, 2)),
        (Player::A, "Q pass bet", (2, 9), (-1, 1), (-1, 1)),
        (Player::A, "K", (1, 3), (7, 6), (7, 6)),
        (Player::A, "K pass bet", (1, 18), (-1, 1), (2, 1)),
        (Player::B, "J pass", (1, 6), (1, 1), (1, 1)),
        (Player::B, "J bet", (1, 6), (1, 1), (2, 1)),
        (Player::B, "Q pass", (1, 9), (-1, 1), (-1, 1)),
        (Player::B, "Q bet", (2, 9), (1, 1), (1, 1)),
        (Player::B, "K pass", (5, 18), (-1, 1), (-7, 5)),
        (Player::B, "K bet", (1, 18), (1, 1), (-2, 1)),
    ] {
        let payoffs = solution.action_payoffs(player);
        let set = tree.set(player, name).expect("a set");
        assert!(
            (payoffs.reach(set).unwrap() - f64::from(reach.0) / f64::from(reach.1)).abs() < 1e-15,
            "{player} {name}"
        );
        let exact: Vec<Fraction> =
            payoffs.at(set).unwrap().iter().filter_map(|payoff| payoff.exact().cloned()).collect();
        assert_eq!(exact, [fraction(pass.0, pass.1), fraction(bet.0, bet.1)], "{player} {name}");
    }
    // A never bets: what B should answer to a bet has no payoff.
    let cautious = kuhn_with_bluffs(&fraction(0, 1));
    for (name, is_reached) in
        [("J bet", false), ("Q bet", false), ("K bet", false), ("J pass", true)]
    {
        let set = tree.set(Player::B, name).expect("a set");
        let payoffs = cautious.action_payoffs(Player::B);
        assert_eq!(
            (payoffs.at(set).unwrap().len(), payoffs.reach(set).unwrap() > 0.0),
            if is_reached { (2, true) } else { (0, false) },
            "{name}"
        );
    }
}

/// The player's best payoff to come from some paths, which the player may be at with these weights,
/// by looking ahead: paths are followed to the player's next choices, and those that the player
/// cannot tell apart choose alike.
fn best_ahead(
    game: RandomGame,
    paths: Vec<(Vec<usize>, Fraction)>,
    player: Player,
    shares: &BTreeMap<Knowledge, Fraction>,
) -> Fraction {
    let mut total = fraction(0, 1);
    let mut choices: BTreeMap<Knowledge, Vec<(Vec<usize>, Fraction)>> = BTreeMap::new();
    let mut open = paths;
    while let Some((path, weight)) = open.pop() {
        if path.len() == game.turns {
            total += weight * fraction(game.payoff(&path), 1);
            continue;
        }
        let mover = game.mover(path.len());
        if mover == Mover::Both || mover == Mover::One(player) {
            choices.entry(knowledge(game, &path, player)).or_default().push((path, weight));
            continue;
        }
        open.extend(others_moved(game, &path, &weight, player, shares));
    }
    for paths in choices.into_values() {
        let [left, right] = [0, 1].map(|action| {
            best_ahead(game, chosen(game, &paths, player, action, shares), player, shares)
        });
        total += if player == Player::A { left.max(right) } else { left.min(right) };
    }
    total
}

/// The two paths after a move of chance or of the player's opponent alone, with their weights.
fn others_moved(
    game: RandomGame,
    path: &[usize],
    weight: &Fraction,
    player: Player,
    shares: &BTreeMap<Knowledge, Fraction>,
) -> [(Vec<usize>, Fraction); 2] {
    let first = match game.mover(path.len()) {
        Mover::Chance => fraction(1, 3),
        _ => shares[&knowledge(game, path, player.opponent())].clone(),
    };
    let second = fraction(1, 1) - &first;
    [(0, first), (1, second)].map(|(step, share)| ([path, &[step]].concat(), weight * share))
}

/// The paths after the player's action there, with their weights.
fn chosen(
    game: RandomGame,
    paths: &[(Vec<usize>, Fraction)],
    player: Player,
    action: usize,
    shares: &BTreeMap<Knowledge, Fraction>,
) -> Vec<(Vec<usize>, Fraction)> {
    let mut after = Vec::new();
    for (path, weight) in paths {
        if game.mover(path.len()) != Mover::Both {
            after.push(([&path[..], &[action]].concat(), weight.clone()));
            continue;
        }
        let left = &shares[&knowledge(game, path, player.opponent())];
        for (other, share) in [(0, left.clone()), (1, fraction(1, 1) - left)] {
            let step = if player == Player::A { 2 * action + other } else { 2 * other + action };
            after.push(([&path[..], &[step]].concat(), weight * share));
        }
    }
    after
}

/// All paths to the player's choices, with the probabilities of chance and of the opponent's
/// strategy, by what the player knows.
fn led_to(
    game: RandomGame,
    player: Player,
    shares: &BTreeMap<Knowledge, Fraction>,
) -> BTreeMap<Knowledge, Vec<(Vec<usize>, Fraction)>> {
    let mut reached: BTreeMap<Knowledge, Vec<(Vec<usize>, Fraction)>> = BTreeMap::new();
    let mut open = vec![(Vec::new(), fraction(1, 1))];
    while let Some((path, weight)) = open.pop() {
        if path.len() == game.turns {
            continue;
        }
        let mover = game.mover(path.len());
        if mover == Mover::Both || mover == Mover::One(player) {
            let here = (path, weight);
            for action in 0..2 {
                open.extend(chosen(game, std::slice::from_ref(&here), player, action, shares));
            }
            reached.entry(knowledge(game, &here.0, player)).or_default().push(here);
            continue;
        }
        open.extend(others_moved(game, &path, &weight, player, shares));
    }
    reached
}

/// Payoffs of actions in random games, against strategies that leave out some actions, are those
/// that looking ahead finds.
#[test]
fn actions_of_random_games_are_worth_what_looking_ahead_finds() {
    let (mut compared, mut unreached) = (0, 0);
    for seed in 0..60 {
        let game = RandomGame { seed: hash(seed, &[9, 9]), turns: 3 + (seed % 3) as usize };
        let tree = GameTree::from_rules(&game).expect("a tree");
        for player in Player::BOTH {
            let opponent = player.opponent();
            let shares = random_shares(game, &knowable(game, opponent), seed as usize);
            let mut probabilities = vec![Vec::new(); tree.information_sets(opponent).len()];
            for (known, left) in &shares {
                probabilities[tree.set(opponent, &set_name(known)).expect("a set")] =
                    vec![left.clone(), fraction(1, 1) - left];
            }
            let strategy = BehaviourStrategy::from_probabilities(&tree, opponent, &probabilities)
                .expect("a strategy");
            let payoffs = ActionPayoffs::new(&tree, &strategy).unwrap();
            for (known, paths) in led_to(game, player, &shares) {
                let set = tree.set(player, &set_name(&known)).expect("a set");
                let found = payoffs.at(set).unwrap();
                let reach: Fraction = paths.iter().map(|(_, weight)| weight).sum();
                if reach.is_zero() {
                    assert!(found.is_empty(), "{seed} {player} {known:?}");
                    unreached += 1;
                    continue;
                }
                for (action, found) in found.iter().enumerate() {
                    let ahead = best_ahead(
                        game,
                        chosen(game, &paths, player, action, &shares),
                        player,
                        &shares,
                    ) / &reach;
                    assert_eq!(found.exact(), Some(&ahead), "{seed} {player} {known:?} {action}");
                    assert!(found.payoff().contains(&ahead), "{seed} {player} {known:?} {action}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500 && unreached > 20, "{compared} {unreached}");
}

#[test]
fn uniform_kuhn_poker_loses_what_best_responses_win() {
    let tree = GameTree::from_rules(&KuhnPoker).unwrap();
    let judgements = ByPlayer::new(|player| BehaviourStrategy::uniform(&tree, player))
        .map(|strategy| Judgement::new(&tree, strategy).unwrap());
    // OpenSpiel's NashConv of the uniform policy, 11/12.
    assert!(Judgement::nash_conv(&judgements).contains(&fraction(11, 12)), "{judgements:?}");
    assert!(Judgement::exploitability(&judgements).contains(&fraction(11, 24)));
}

/// Builds a tree of at most 100 nodes.
fn built(
    nodes: impl Fn(&mut pencil_tennis::hidden::GameTreeBuilder) -> Result<(), HiddenError>,
) -> Result<GameTree, HiddenError> {
    let mut builder = GameTree::builder().node_limit(100);
    nodes(&mut builder)?;
    builder.finish()
}

#[test]
fn trees_that_are_none_are_refused() {
    let refusal = |tree: Result<GameTree, HiddenError>| tree.expect_err("a refusal").to_string();
    // A forgets the own first move.
    let forgetful = built(|tree| {
        tree.decision(Player::A, "first", &["l", "r"])?;
        tree.decision(Player::A, "second", &["l"])?;
        tree.end(1)?;
        tree.decision(Player::A, "second", &["l"])
    });
    assert_eq!(
        refusal(forgetful),
        "A cannot tell node 2 from node 4 (information set `second`), but made other choices before them; expected perfect recall"
    );
    // A comes to the same set twice in one play.
    let absent_minded = built(|tree| {
        tree.decision(Player::A, "exit", &["go on", "leave"])?;
        tree.decision(Player::A, "exit", &["go on", "leave"])
    });
    assert!(refusal(absent_minded).contains("A cannot tell node 1 from node 2"));
    let unlike = built(|tree| {
        tree.chance(&[fraction(1, 2), fraction(1, 2)])?;
        tree.decision(Player::B, "s", &["l"])?;
        tree.end(0)?;
        tree.decision(Player::B, "s", &["l", "r"])
    });
    assert!(refusal(unlike).contains("B has other actions at node 4 than at node 2"));
    let renamed = built(|tree| {
        tree.chance(&[fraction(1, 2), fraction(1, 2)])?;
        tree.decision(Player::B, "s", &["l"])?;
        tree.end(0)?;
        tree.decision(Player::B, "s", &["r"])
    });
    assert!(refusal(renamed).contains("B has other actions at node 4 than at node 2"));
    let negative = built(|tree| tree.chance(&[fraction(3, 2), fraction(-1, 2)]));
    assert!(refusal(negative).contains("node 1: the probabilities are negative"));
    let short = built(|tree| tree.chance(&[fraction(1, 3), fraction(1, 3)]));
    assert!(refusal(short).contains("sum to 2/3; expected 1"));
    assert!(refusal(built(|tree| tree.chance(&[]))).contains("node 1 has no successor"));
    assert!(
        refusal(built(|tree| tree.decision(Player::A, "s", &["l", "l"])))
            .contains("two actions have the name `l`")
    );
    assert!(
        refusal(built(|tree| tree.decision(Player::A, "s", &["l", "r"]).and(tree.end(1))))
            .contains("node 1 lacks 1")
    );
    assert!(refusal(built(|tree| tree.end(1).and(tree.end(1)))).contains("complete before node 2"));
    assert!(refusal(built(|_| Ok(()))).contains("no nodes"));
    assert!(refusal(built(|tree| tree.end(i64::MAX))).contains("too large; expected at most 2^61"));
    let endless = built(|tree| {
        (0..200).try_for_each(|turn| tree.decision(Player::A, &turn.to_string(), &["on"]))
    });
    assert!(refusal(endless).contains("more than 100 nodes"));
    assert!(
        refusal(GameTree::from_rules_within(&LeducPoker, 1_000)).contains("more than 1000 nodes")
    );
}

/// Rules that are wrong in one way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Turn,
    State,
    Observation,
    Spaces,
    UnlikeActions,
}

struct Faulty(Fault, std::cell::Cell<u32>);

impl Faulty {
    /// A number that differs whenever it is asked for, if this is the fault.
    fn fickle(&self, fault: Fault) -> u32 {
        if self.0 == fault {
            self.1.set(self.1.get() + 1);
        }
        self.1.get()
    }
}

impl HiddenRules for Faulty {
    type State = (usize, u32);

    fn start(&self) -> Self::State {
        (0, 0)
    }

    fn turn(&self, &(turn, way): &Self::State) -> Turn {
        match turn {
            0 => Turn::Chance(vec![1, 1]),
            1 if self.0 == Fault::UnlikeActions && way == 1 => Turn::of(Player::A, &["l"]),
            1 => Turn::of(Player::A, &["l", "r"]),
            _ => Turn::end(self.fickle(Fault::Turn).into()),
        }
    }

    fn after(
        &self,
        &(turn, way): &Self::State,
        chosen: Move,
        observations: &mut Observations,
    ) -> Self::State {
        match chosen {
            Move::Chance(place) => {
                if self.0 == Fault::Observation {
                    observations.tell(Player::A, self.fickle(Fault::Observation).to_string());
                }
                if self.0 == Fault::Spaces {
                    observations.tell(Player::B, "a word");
                }
                (1, place as u32 + self.fickle(Fault::State))
            }
            _ => (turn + 1, way),
        }
    }
}

#[test]
fn rules_that_change_their_mind_are_refused() {
    let build = |fault| GameTree::from_rules(&Faulty(fault, std::cell::Cell::new(0)));
    assert_eq!(build(Fault::None).expect("a tree").len(), 7);
    for fault in [Fault::Turn, Fault::State, Fault::Observation] {
        let refused = build(fault).expect_err("a contradiction");
        assert!(matches!(refused, HiddenError::Contradiction { .. }), "{fault:?}: {refused}");
    }
    let spaces = build(Fault::Spaces).expect_err("a space").to_string();
    assert!(spaces.contains("node 1: `a word` cannot be observed"), "{spaces}");
    assert!(matches!(build(Fault::UnlikeActions), Err(HiddenError::UnlikeActions { .. })));
}

/// The text of the certificate of `hidden_forged.json` with these lines, by their numbers, in place
/// of its own.
fn forged(sound: &[Value], lines: &Value) -> String {
    let written = |line: &Value| line.as_str().map_or_else(|| line.to_string(), str::to_owned);
    let mut text = String::new();
    for (line, number) in sound.iter().zip(1..) {
        match &lines[number.to_string()] {
            Value::Array(others) => {
                for other in others {
                    text += &(written(other) + "\n");
                }
            }
            _ => text += &(written(line) + "\n"),
        }
    }
    text
}

/// Each change breaks one rule; the sound certificate is accepted. `docs/check_hidden_proof.py`
/// reads the same files.
#[test]
fn forged_certificates_are_refused() {
    let kept: Value = serde_json::from_str(include_str!("hidden_forged.json")).unwrap();
    let sound = kept["sound"].as_array().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checker =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/check_hidden_proof.py");
    let in_python = |text: &str| {
        let file = folder.path().join("a.proof");
        std::fs::write(&file, text).unwrap();
        let output = std::process::Command::new("python3")
            .arg(&checker)
            .arg(file)
            .output()
            .expect("python3");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let text = forged(sound, &Value::Null);
    let proof = HiddenProof::verify(text.as_bytes()).expect("a sound certificate");
    assert!(proof.enclosure().contains(&fraction(1, 3)));
    assert_eq!(in_python(&text), (true, String::new()));
    // Claims are compared with what the strategies secure exactly, however coarse the tree's unit
    // is.
    for (claim, is_secured) in
        [("1/3", true), ("333333333333333333333333333334/1000000000000000000000000000000", false)]
    {
        let exact = text.replace("384307168202282325/1152921504606846976", claim);
        assert_eq!(HiddenProof::verify(exact.as_bytes()).is_ok(), is_secured, "{claim}");
        assert_eq!(in_python(&exact).0, is_secured, "{claim}");
    }
    let changes = kept["changes"].as_array().unwrap();
    for change in changes {
        let text = forged(sound, &change["lines"]);
        let refused =
            HiddenProof::verify(text.as_bytes()).expect_err(&change.to_string()).to_string();
        assert!(refused.contains(change["says"].as_str().unwrap()), "{change}: {refused}");
        let (is_valid, output) = in_python(&text);
        assert!(!is_valid && output.starts_with("not valid: "), "{change}: {output}");
    }
    assert!(changes.len() > 30);
}

#[test]
fn certificates_of_solutions_are_valid() {
    let solution = HiddenSolver::from_rules(&KuhnPoker).unwrap().solve().unwrap();
    let mut bytes = Vec::new();
    solution.write_certificate(&mut bytes).unwrap();
    let proof = HiddenProof::verify(&bytes[..]).expect("a certificate");
    assert_eq!(proof.enclosure(), solution.enclosure());
}

/// A random game as Gambit writes trees, with the information sets that the test knows.
fn extensive_form(game: RandomGame) -> String {
    fn number(
        numbers: &mut BTreeMap<(usize, String), usize>,
        owner: usize,
        known: String,
    ) -> usize {
        let next = numbers.len() + 1;
        *numbers.entry((owner, known)).or_insert(next)
    }
    let mut text = "EFG 2 R \"random\" { \"A\" \"B\" }\n".to_owned();
    let mut numbers = BTreeMap::new();
    let mut ends = 0;
    // A path, and A's move where both move.
    let mut open = vec![(Vec::new(), None)];
    while let Some((path, a_moved)) = open.pop() {
        let turn = path.len();
        let next = |step: usize| ([&path[..], &[step]].concat(), None);
        let mut decide = |player: Player| {
            let set = number(
                &mut numbers,
                player as usize,
                format!("{:?}", knowledge(game, &path, player)),
            );
            text += &format!("p \"\" {} {set} \"\" {{ \"l\" \"r\" }} 0\n", 1 + player as usize);
        };
        if turn == game.turns {
            ends += 1;
            let payoff = game.payoff(&path);
            text += &format!("t \"\" {ends} \"\" {{ {payoff} {} }}\n", 10 - payoff);
            continue;
        }
        match (game.mover(turn), a_moved) {
            (Mover::Chance, _) => {
                text += &format!(
                    "c \"\" {} \"\" {{ \"x\" 1/3 \"y\" 2/3 }} 0\n",
                    number(&mut numbers, 2, format!("{path:?}"))
                );
                open.extend([next(1), next(0)]);
            }
            (Mover::One(player), _) => {
                decide(player);
                open.extend([next(1), next(0)]);
            }
            (Mover::Both, None) => {
                decide(Player::A);
                open.extend([(path.clone(), Some(1)), (path.clone(), Some(0))]);
            }
            (Mover::Both, Some(a)) => {
                decide(Player::B);
                open.extend([next(2 * a + 1), next(2 * a)]);
            }
        }
    }
    text
}

#[test]
fn trees_of_gambit_are_the_games_of_their_rules() {
    let mut hidden = 0;
    for seed in 0..40 {
        let game = RandomGame { seed: hash(seed, &[9, 9]), turns: 3 + (seed % 3) as usize };
        let text = extensive_form(game);
        let form =
            ExtensiveForm::read("r.efg", text.as_bytes(), Probabilities::Exact).expect("a tree");
        let tree = form.game_tree().expect("perfect recall");
        let rules = GameTree::from_rules(&game).expect("a tree");
        assert_eq!(tree.len(), rules.len());
        let sets = |tree: &GameTree| Player::BOTH.map(|player| tree.information_sets(player).len());
        assert_eq!(sets(&tree), sets(&rules), "{seed}: {text}");
        let [one, other] =
            [tree, rules].map(|tree| HiddenSolver::new(tree).solve().unwrap().enclosure());
        assert!(
            one.lower() <= other.upper() && other.lower() <= one.upper(),
            "{seed}: {one:?} {other:?}"
        );
        hidden += usize::from(form.has_hidden_information());
    }
    assert!(hidden > 20, "{hidden}");
}

/// Kuhn poker as programs print it that compute in doubles: six times 1/6, which do not sum to 1.
fn printed_kuhn(probability: &str) -> String {
    let mut text = "EFG 2 R \"kuhn\" { \"A\" \"B\" }\nc \"\" 1 \"\" { ".to_owned();
    for deal in 0..6 {
        text += &format!("\"{deal}\" {probability} ");
    }
    text += "} 0\n";
    let mut end = 0;
    let mut leaf = |payoff: i32| {
        end += 1;
        format!("t \"\" {end} \"\" {{ {payoff}.0 {}.0 }}\n", -payoff)
    };
    for (a, b) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let sign = if a > b { 1 } else { -1 };
        let node = |player: u32, card: i32, history: i32| {
            format!("p \"\" {player} {} \"\" {{ \"Pass\" \"Bet\" }} 0\n", 1 + 2 * card + history)
        };
        text += &node(1, a, 0);
        text += &node(2, b, 0);
        text += &leaf(sign);
        text += &node(1, a, 1);
        text += &leaf(-1);
        text += &leaf(2 * sign);
        text += &node(2, b, 1);
        text += &leaf(1);
        text += &leaf(2 * sign);
    }
    text
}

#[test]
fn printed_probabilities_are_read_as_asked() {
    let text = printed_kuhn("0.16666666666666666");
    let refused = ExtensiveForm::read("k.efg", text.as_bytes(), Probabilities::Exact)
        .expect_err("a sum")
        .to_string();
    assert!(
        refused.starts_with("k.efg, line 2: ") && refused.contains("--probabilities nearest"),
        "{refused}"
    );
    for (text, assumptions) in [
        (text, vec!["6 of 6 probabilities are read as the simplest fractions that round to them"]),
        (printed_kuhn("1/6"), vec![]),
    ] {
        let form =
            ExtensiveForm::read("k.efg", text.as_bytes(), Probabilities::Nearest).expect("a tree");
        assert_eq!(form.assumptions(), assumptions);
        let solution = HiddenSolver::new(form.game_tree().unwrap()).solve().unwrap();
        assert!(solution.enclosure().contains(&fraction(-1, 18)), "{:?}", solution.enclosure());
    }
    // No simple fractions, and a sum of 1.0000001.
    let odd = "EFG 2 R \"\" { \"A\" \"B\" } c \"\" 1 \"\" { \"x\" 0.1234567 \"y\" 0.8765434 } 0 t \"\" 1 \"\" { 1 -1 } t \"\" 2 \"\" { 0 0 }";
    let form =
        ExtensiveForm::read("o.efg", odd.as_bytes(), Probabilities::Nearest).expect("a tree");
    let assumptions = form.assumptions();
    assert!(
        assumptions.iter().any(|assumption| assumption
            == "the probabilities of 1 information sets of chance are divided by their sum"),
        "{assumptions:?}"
    );
    let value = HiddenSolver::new(form.game_tree().unwrap()).solve().unwrap().value();
    assert!((value - 0.123_456_7).abs() < 1e-7, "{value}");
    // Missing more is no rounding.
    let wrong = odd.replace("0.8765434", "0.87");
    let refused = ExtensiveForm::read("o.efg", wrong.as_bytes(), Probabilities::Nearest)
        .expect_err("a sum")
        .to_string();
    assert!(refused.contains("expected 1") && !refused.contains("nearest"), "{refused}");
}

#[test]
fn strategies_in_files_are_judged_exactly() {
    let tree = GameTree::from_rules(&KuhnPoker).unwrap();
    // A bets with a king alone, and calls with one alone.
    let mut text = "player,set,action,probability\n".to_owned();
    for card in ["J", "Q", "K"] {
        for history in ["", " pass bet"] {
            text += &format!("A,{card}{history},{},1\n", if card == "K" { "bet" } else { "pass" });
        }
    }
    let read = |text: &str| read_hidden_strategies(&tree, text.as_bytes());
    let strategies = read(&text).expect("a strategy");
    let [strategy] = strategies.as_slice() else { panic!("A's alone") };
    // A jack or a queen loses 1 always, to a bet or to a higher card that bets; with a king A wins
    // 1 always.
    assert!(Judgement::new(&tree, strategy.clone()).unwrap().secured().contains(&fraction(-1, 3)));
    let wrong = |from: &str, to: &str| read(&text.replacen(from, to, 1)).expect_err(to).to_string();
    for (from, to, expected) in [
        ("A,J,", "C,J,", "line 2: `C` is no player"),
        ("A,J,", "A,X,", "line 2: A has no information set `X`"),
        ("A,J,pass", "A,J,fold", "line 2: A has no action `fold` at `J`"),
        ("A,J,pass,1", "A,J,pass,-1", "line 2: the probability -1 is negative"),
        ("A,J,pass,1", "A,J,pass,much", "line 2: `much` is no number"),
        (
            "A,J,pass,1",
            "A,J,pass,0.5",
            "A's strategy at information set `J`: the probabilities sum to 0.5; expected 1",
        ),
        ("A,J,pass,1\n", "", "A's strategy at information set `J`: the probabilities sum to 0"),
        (
            "A,J,pass,1\n",
            "A,J,pass,1\nA,J,pass,1\n",
            "line 3: A's action `pass` at `J` stands there twice",
        ),
        ("probability", "chance", "there is no column `probability`"),
    ] {
        assert!(wrong(from, to).contains(expected), "{expected}: {}", wrong(from, to));
    }
    assert!(
        read("player,set,action,probability\n")
            .expect_err("no rows")
            .to_string()
            .contains("there are no rows")
    );
}

#[test]
fn written_strategies_are_read_back() {
    let solution = HiddenSolver::from_rules(&LeducPoker).unwrap().solve().unwrap();
    let mut bytes = Vec::new();
    solution.write_csv(&mut bytes).unwrap();
    let strategies = read_hidden_strategies(solution.tree(), &bytes).expect("strategies");
    let judge = |strategy| Judgement::new(solution.tree(), strategy).unwrap();
    let judgements: Vec<Judgement> = strategies.into_iter().map(judge).collect();
    let [a, b] = judgements.as_slice() else { panic!("both players'") };
    let lost = Judgement::nash_conv(&ByPlayer { a: a.clone(), b: b.clone() });
    // Doubles lose 1e-16 of the probabilities, and payoffs are up to 13.
    assert!(lost.upper() < solution.enclosure().width() + 1e-13, "{lost:?}");
}

/// Whenever a search ends, its bounds are proved: by the gap, by the callback, by the time.
#[test]
fn a_search_that_ends_early_has_true_bounds() {
    let value = fraction(1, 9);
    let solver =
        || HiddenSolver::from_rules(&LiarsDice::new(3)).unwrap().method(HiddenMethod::Regret);
    let mut heard = 0;
    let cancelled = solver().gap(0.0).on_bounds(|progress| {
        heard += 1;
        assert!(progress.enclosure.contains(&fraction(1, 9)), "{progress:?}");
        ControlFlow::Break(())
    });
    let cancelled = cancelled.solve().unwrap();
    let late = solver().gap(0.0).time_limit(Duration::ZERO).solve().unwrap();
    let wide = solver().gap(0.1).solve().unwrap();
    assert_eq!((heard, late.iterations()), (1, 0));
    // Payoffs span 2.
    assert!(wide.enclosure().width() <= 0.2 && wide.iterations() < 200, "{}", wide.iterations());
    for solution in [cancelled, late, wide] {
        assert!(solution.enclosure().contains(&value), "{:?}", solution.enclosure());
        assert!(solution.enclosure().width() > 0.0);
    }
    for gap in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = solver().gap(gap).solve().expect_err("a gap").to_string();
        assert!(refused.contains("expected a number that is not below 0"), "{refused}");
    }
}

/// A solve that goes on from any checkpoint finds the strategies of one that was not interrupted,
/// for any number of threads.
#[test]
fn a_resumed_search_finds_the_strategies_of_an_uninterrupted_one() {
    // More sequences than a thread takes at once.
    let tree = std::sync::Arc::new(GameTree::from_rules(&LiarsDice::new(4)).unwrap());
    let solver = |threads| {
        HiddenSolver::new(tree.clone()).method(HiddenMethod::Regret).gap(1e-3).threads(threads)
    };
    let mut written = Vec::new();
    let whole = solver(1).on_checkpoint(Duration::ZERO, |checkpoint| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        written.push(bytes);
    });
    let whole = whole.solve().unwrap();
    assert!(
        written.len() as u64 == whole.iterations() + 1 && whole.enclosure().width() <= 2e-3,
        "{}",
        written.len()
    );
    for place in [0, 1, written.len() / 2, written.len() - 1] {
        let checkpoint = HiddenCheckpoint::read(&written[place]).unwrap();
        assert_eq!(checkpoint.iterations(), place as u64);
        let resumed = solver(3).resume(checkpoint).solve().unwrap();
        assert_eq!(
            (resumed.iterations(), resumed.enclosure()),
            (whole.iterations(), whole.enclosure()),
            "{place}"
        );
        for player in Player::BOTH {
            assert_eq!(resumed.behaviour(player), whole.behaviour(player), "{place}");
        }
    }
}

/// Each breaks one rule.
#[test]
fn checkpoints_that_no_solve_wrote_are_refused() {
    let solver =
        || HiddenSolver::from_rules(&KuhnPoker).unwrap().method(HiddenMethod::Regret).gap(1e-2);
    let mut sound = Vec::new();
    let write = |checkpoint: &HiddenCheckpoint| {
        sound.clear();
        checkpoint.write(&mut sound).unwrap();
    };
    solver().on_checkpoint(Duration::ZERO, write).solve().unwrap();
    let resumed = |bytes: &[u8]| {
        let read = HiddenCheckpoint::read(bytes).map_err(|error| error.to_string());
        read.and_then(|checkpoint| {
            solver().resume(checkpoint).solve().map_err(|error| error.to_string())
        })
    };
    assert!(resumed(&sound).is_ok());
    // Magic and version, digest, four numbers, and for each player two lengths and a payoff; then a
    // checksum.
    let (digest, iterations, lengths) = (12, 44, 76);
    let header = lengths + 2 * 24;
    let sealed = |changes: &[(usize, &[u8])]| {
        let mut bytes = sound.clone();
        for &(place, change) in changes {
            bytes[place..place + change.len()].copy_from_slice(change);
        }
        let checksum = crc32fast::hash(&bytes[..header]).to_le_bytes();
        bytes[header..header + 4].copy_from_slice(&checksum);
        let end = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[header + 4..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
        bytes
    };
    let nan = f64::NAN.to_le_bytes();
    let cases: [(Vec<u8>, &str); 10] = [
        (sealed(&[(0, b"X")]), "does not begin as a checkpoint of a game with hidden information"),
        (sealed(&[(digest, &[0, 1, 2, 3])]), "it is of another game"),
        (
            sealed(&[(iterations, &[1; 8])]),
            "it claims 72340172838076673 iterations; expected at most",
        ),
        (
            sealed(&[(iterations, &999_u64.to_le_bytes())]),
            "its averages are not those of 999 iterations",
        ),
        (
            sealed(&[(iterations + 24, &999_u64.to_le_bytes())]),
            "its narrowest bounds come after its last iteration",
        ),
        (sealed(&[(iterations + 8, &nan)]), "a width or payoff in it is no number"),
        (sealed(&[(lengths, &[9; 8])]), "its size does not fit its header"),
        (sealed(&[(header + 4, &nan)]), "a number in it is not finite"),
        (sound[..sound.len() - 9].to_vec(), "it ends too early"),
        ([&sound[..], b"more"].concat(), "it goes on after its end"),
    ];
    for (broken, words) in cases {
        let refusal = resumed(&broken).expect_err(words);
        assert!(refusal.contains(words), "{refusal}; expected {words}");
    }
}

/// Ctrl-C and the time end a search also while linear programmes are solved, with bounds that are
/// proved.
#[test]
fn linear_programmes_are_interrupted() {
    let tree = std::sync::Arc::new(GameTree::from_rules(&LiarsDice::new(5)).unwrap());
    let solver = || HiddenSolver::new(tree.clone()).method(HiddenMethod::Programme);
    let mut heard = 0;
    let cancelled = solver().on_bounds(|_| {
        heard += 1;
        ControlFlow::Break(())
    });
    let solution = cancelled.solve().unwrap();
    assert!(
        heard == 1
            && solution.enclosure().contains(&fraction(1, 125))
            && solution.enclosure().width() > 0.1
    );
    let late = solver().time_limit(Duration::from_millis(150)).solve().unwrap();
    assert!(
        late.enclosure().contains(&fraction(1, 125)) && late.elapsed() < Duration::from_secs(60)
    );
}

/// The time ends the interior-point method, too. What it has found is proved, and is the start of a
/// search that goes on.
#[test]
fn an_interior_point_method_is_interrupted() {
    let tree = std::sync::Arc::new(GameTree::from_rules(&LiarsDice::new(5)).unwrap());
    let value = fraction(1, 125);
    let mut written = Vec::new();
    let write = |checkpoint: &HiddenCheckpoint| {
        written.clear();
        checkpoint.write(&mut written).unwrap();
    };
    let solver = || HiddenSolver::new(tree.clone()).method(HiddenMethod::InteriorPoint);
    let late = solver()
        .gap(0.0)
        .on_checkpoint(Duration::ZERO, write)
        .time_limit(Duration::from_millis(400))
        .solve()
        .unwrap();
    assert!(late.enclosure().contains(&value) && late.elapsed() < Duration::from_secs(60));
    let resumed =
        solver().gap(1e-4).resume(HiddenCheckpoint::read(&written).unwrap()).solve().unwrap();
    assert!(resumed.enclosure().contains(&value) && resumed.enclosure().width() <= 2e-4);
    assert!(resumed.enclosure().width() <= late.enclosure().width());
    let cancelled = solver().on_bounds(|_| ControlFlow::Break(())).solve().unwrap();
    assert!(cancelled.enclosure().contains(&value) && cancelled.enclosure().width() > 1e-6);
}

/// Progress shows the bounds of the plans so far; a search that ends there keeps them.
#[test]
fn an_interior_point_method_shows_the_bounds_so_far() {
    let mut widths: Vec<f64> = Vec::new();
    let listen = |progress: pencil_tennis::hidden::HiddenProgress| {
        assert!(progress.enclosure.contains(&fraction(1, 125)));
        widths.push(progress.enclosure.width());
        // Proofs for progress take a twentieth of the time: after this one is due.
        std::thread::sleep(Duration::from_secs(1));
        // Uniform strategies leave a width of more than 1.
        if progress.enclosure.width() < 0.5 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let solver = HiddenSolver::from_rules(&LiarsDice::new(5))
        .unwrap()
        .method(HiddenMethod::InteriorPoint)
        .gap(0.0);
    let solution = solver.on_bounds(listen).solve().unwrap();
    let last = widths.last().copied().expect("progress");
    assert!(last < 0.5, "{widths:?}");
    assert!(widths.is_sorted_by(|one, other| one >= other), "{widths:?}");
    assert!(solution.enclosure().width() <= last);
}

/// Factors that memory does not hold leave the search to regret minimisation.
#[test]
fn an_interior_point_method_without_memory_is_left_out() {
    let tree = std::sync::Arc::new(GameTree::from_rules(&LiarsDice::new(5)).unwrap());
    let bytes = HiddenSolver::new(tree.clone()).memory() + 1_000;
    let stop = |iterations| {
        if iterations < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let solver = HiddenSolver::new(tree.clone())
        .memory_limit(bytes)
        .on_bounds(|progress| stop(progress.iterations));
    let solution = solver.solve().unwrap();
    assert!(solution.iterations() >= 10);
    assert!(solution.enclosure().contains(&fraction(1, 125)), "{:?}", solution.enclosure());
}

/// A game that would take more memory than allowed is refused with the bytes.
#[test]
fn memory_is_limited() {
    let solver = HiddenSolver::from_rules(&LeducPoker).unwrap();
    let bytes = solver.memory();
    assert!(
        HiddenSolver::from_rules(&LeducPoker)
            .unwrap()
            .memory_limit(bytes)
            .time_limit(Duration::ZERO)
            .solve()
            .is_ok()
    );
    let refused = solver.memory_limit(bytes - 1).solve().expect_err("too little").to_string();
    assert!(refused.starts_with("a game of 2164 nodes would take"), "{refused}");
}
