//! Games with hidden information: known values, and random games against their strategic form.

use std::collections::BTreeMap;

use num_traits::Zero;
use pencil_tennis::hidden::games::{HiddenGoofspiel, KuhnPoker, LeducPoker, LiarsDice, SecretInspection};
use pencil_tennis::hidden::{
    BehaviourStrategy, GameTree, HiddenError, HiddenMethod, HiddenRules, HiddenSolver, Judgement, Move, Observations, Turn,
};
use pencil_tennis::matrix_game::ExactSolution;
use pencil_tennis::{ByPlayer, Player};

use crate::kernels::{Fraction, kernels};
use crate::random_games::fraction;

/// A fixed hash of a path.
fn hash(seed: u64, path: &[usize]) -> u64 {
    let mut hash = seed;
    for &step in path {
        hash = (hash ^ (step as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

/// A random game of some turns. The number of a turn decides who moves and what the opponent sees; payoffs depend on the whole path.
#[derive(Clone, Copy)]
struct RandomGame {
    seed: u64,
    turns: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Mover {
    Chance,
    Both,
    One(Player),
}

impl RandomGame {
    fn mover(self, turn: usize) -> Mover {
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

    fn payoff(self, path: &[usize]) -> i64 {
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

    fn after(&self, path: &Vec<usize>, chosen: Move, observations: &mut Observations) -> Vec<usize> {
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
fn knowledge(game: RandomGame, path: &[usize], player: Player) -> Vec<(usize, usize)> {
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

/// A pure strategy: an action for everything that a player may know.
type Plan<'p> = &'p BTreeMap<Vec<(usize, usize)>, usize>;

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

/// All pure strategies of a player, if there are at most 64.
fn plans(game: RandomGame, player: Player) -> Option<Vec<BTreeMap<Vec<(usize, usize)>, usize>>> {
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
    if known.len() > 6 {
        return None;
    }
    let plan = |number: usize| known.keys().enumerate().map(|(place, known)| (known.clone(), number >> place & 1)).collect();
    Some((0..1 << known.len()).map(plan).collect())
}

#[test]
fn random_games_have_the_values_of_their_strategic_forms() {
    let mut compared = 0;
    for seed in 0..400 {
        let game = RandomGame { seed: hash(seed, &[7, 7]), turns: 3 + (seed % 3) as usize };
        let Some((a_plans, b_plans)) = plans(game, Player::A).zip(plans(game, Player::B)) else { continue };
        let row = |a: &BTreeMap<_, _>| b_plans.iter().map(|b| expected(game, &[], a, b)).collect();
        let rows: Vec<Vec<Fraction>> = a_plans.iter().map(row).collect();
        let value = ExactSolution::new(&rows).expect("a matrix").value().clone();
        for method in [None, Some(HiddenMethod::Regret)] {
            let mut solver = HiddenSolver::from_rules(&game).expect("a tree");
            if let Some(method) = method {
                solver = solver.method(method);
            }
            let solution = solver.solve().expect("a solution");
            assert!(solution.enclosure().contains(&value), "{seed} {method:?}: {value}, {:?}", solution.enclosure());
            // The span is 6 at most, and the default gap a billionth of it.
            assert!(solution.enclosure().width() <= 6.1e-9, "{seed} {method:?}: {}", solution.enclosure().width());
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn known_games_have_their_published_values() {
    let kuhn = HiddenSolver::from_rules(&KuhnPoker).unwrap().solve().unwrap();
    assert!(kuhn.enclosure().contains(&fraction(-1, 18)), "{:?}", kuhn.enclosure());
    assert!(kuhn.enclosure().width() < 1e-15, "{}", kuhn.enclosure().width());
    for player in Player::BOTH {
        assert_eq!(kuhn.tree().information_sets(player).len(), 6);
    }
    for (sides, sets, ends, value) in [(2, 16, 60, None), (3, 96, 567, Some((1, 9))), (4, 512, 4_080, Some((1, 16)))] {
        let dice = HiddenSolver::from_rules(&LiarsDice::new(sides)).unwrap().solve().unwrap();
        let tree = dice.tree();
        assert_eq!(Player::BOTH.map(|player| tree.information_sets(player).len()), [sets, sets], "{sides}");
        assert_eq!(tree.ends(), ends);
        if let Some((numerator, denominator)) = value {
            assert!(dice.enclosure().contains(&fraction(numerator, denominator)), "{sides}: {:?}", dice.enclosure());
        }
        assert!(dice.enclosure().width() < 3e-9, "{sides}: {}", dice.enclosure().width());
    }
}

#[test]
fn leduc_poker_has_its_published_value() {
    let leduc = HiddenSolver::from_rules(&LeducPoker).unwrap().gap(1e-6).solve().unwrap();
    for player in Player::BOTH {
        assert_eq!(leduc.tree().information_sets(player).len(), 144);
    }
    // Payoffs span 26 chips.
    assert!((leduc.value() + 0.085_606_424_078_0).abs() < 2.7e-5, "{}", leduc.value());
    assert!(leduc.enclosure().lower() <= -0.085_606_424_077 && -0.085_606_424_078 <= leduc.enclosure().upper());
}

#[test]
fn goofspiel_is_symmetric() {
    let solution = HiddenSolver::from_rules(&HiddenGoofspiel::new(3)).unwrap().solve().unwrap();
    assert!(solution.enclosure().contains(&Fraction::zero()));
    assert!(solution.enclosure().width() < 1.3e-8, "{}", solution.enclosure().width());
}

/// Two nights: the smuggler crosses in the first (c), in the second after hearing a dog (d) or nothing (q), or never. The guard
/// patrols in the first night, in the second, or not at all. Of a patrol in the first night the dog barks half of the time.
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
    assert!(solution.enclosure().contains(&value), "{value}: {:?}", solution.enclosure());
}

/// A probability of `l` for everything that a player may know.
fn random_shares(game: RandomGame, plan: Plan<'_>, salt: usize) -> BTreeMap<Vec<(usize, usize)>, Fraction> {
    let share = |known: &Vec<(usize, usize)>| {
        let words: Vec<usize> = known.iter().flat_map(|&(turn, what)| [turn, what]).chain([salt]).collect();
        fraction((hash(game.seed, &words) >> 20) as i64 % 8, 7)
    };
    plan.keys().map(|known| (known.clone(), share(known))).collect()
}

/// The payoff to A if one player plays `l` with these probabilities, and the opponent a pure strategy.
fn against(
    game: RandomGame,
    path: &[usize],
    player: Player,
    shares: &BTreeMap<Vec<(usize, usize)>, Fraction>,
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
        Mover::One(mover) if mover == player => next(0) * left() + next(1) * (fraction(1, 1) - left()),
        Mover::One(_) => next(replied()),
        Mover::Both => {
            let step = |own: usize| if player == Player::A { 2 * own + replied() } else { 2 * replied() + own };
            next(step(0)) * left() + next(step(1)) * (fraction(1, 1) - left())
        }
    }
}

/// The name that the tree gives to an information set, from what the test says the player knows.
fn set_name(known: &[(usize, usize)]) -> String {
    let word = |&(turn, what): &(usize, usize)| match what {
        0 => "l".to_owned(),
        1 => "r".to_owned(),
        seen => format!("{turn}:{}", seen - 10),
    };
    if known.is_empty() { "(start)".to_owned() } else { known.iter().map(word).collect::<Vec<_>>().join(" ") }
}

/// What the check says of a strategy, good or bad, is what the best of all pure replies leaves: no strategy is taken for a better
/// one.
#[test]
fn strategies_are_worth_what_the_best_pure_reply_leaves() {
    let mut compared = 0;
    for seed in 0..250 {
        let game = RandomGame { seed: hash(seed, &[8, 8]), turns: 3 + (seed % 3) as usize };
        let Some((a_plans, b_plans)) = plans(game, Player::A).zip(plans(game, Player::B)) else { continue };
        let tree = GameTree::from_rules(&game).expect("a tree");
        for (player, own, replies) in [(Player::A, &a_plans, &b_plans), (Player::B, &b_plans, &a_plans)] {
            let shares = random_shares(game, &own[0], seed as usize);
            let worths = replies.iter().map(|reply| against(game, &[], player, &shares, reply));
            let worth = if player == Player::A { worths.min() } else { worths.max() }.expect("a reply");
            let mut probabilities = vec![Vec::new(); tree.information_sets(player).len()];
            for (known, left) in &shares {
                let set = tree.set(player, &set_name(known)).expect("a set");
                probabilities[set] = vec![left.clone(), fraction(1, 1) - left];
            }
            let strategy = BehaviourStrategy::from_probabilities(&tree, player, &probabilities).expect("a strategy");
            let judged = Judgement::new(&tree, strategy).worth();
            assert!(judged.contains(&worth), "{seed} {player}: {worth}, {judged:?}");
            // A unit of 2^-59 at least, for payoffs up to 3.
            assert!(judged.width() < 3.5e-18, "{seed} {player}: {}", judged.width());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn uniform_kuhn_poker_loses_what_best_responses_win() {
    let tree = GameTree::from_rules(&KuhnPoker).unwrap();
    let judgements = ByPlayer::new(|player| Judgement::new(&tree, BehaviourStrategy::uniform(&tree, player)));
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
    assert!(refusal(unlike).contains("B has 1 actions at node 2 and 2 at node 4"));
    let negative = built(|tree| tree.chance(&[fraction(3, 2), fraction(-1, 2)]));
    assert!(refusal(negative).contains("node 1: the probabilities are negative"));
    let short = built(|tree| tree.chance(&[fraction(1, 3), fraction(1, 3)]));
    assert!(refusal(short).contains("sum to 2/3; expected 1"));
    assert!(refusal(built(|tree| tree.chance(&[]))).contains("node 1 has no successor"));
    assert!(refusal(built(|tree| tree.decision(Player::A, "s", &["l", "l"]))).contains("two actions have the name `l`"));
    assert!(refusal(built(|tree| tree.decision(Player::A, "s", &["l", "r"]).and(tree.end(1)))).contains("node 1 lacks 1"));
    assert!(refusal(built(|tree| tree.end(1).and(tree.end(1)))).contains("complete before node 2"));
    assert!(refusal(built(|_| Ok(()))).contains("no nodes"));
    assert!(refusal(built(|tree| tree.end(i64::MAX))).contains("too large; expected at most 2^61"));
    let endless = built(|tree| (0..200).try_for_each(|turn| tree.decision(Player::A, &turn.to_string(), &["on"])));
    assert!(refusal(endless).contains("more than 100 nodes"));
    assert!(refusal(GameTree::from_rules_within(&LeducPoker, 1_000)).contains("more than 1000 nodes"));
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

    fn after(&self, &(turn, way): &Self::State, chosen: Move, observations: &mut Observations) -> Self::State {
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
