//! Best responses, exploitability, regrets and matchups, against rules written out anew in exact
//! fractions.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pencil_tennis::analysis::{BestResponse, Exploitability, Matchup, PolicyEvaluation};
use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::{
    Enclosure, Error, GameError, Motion, Outcome, Player, Policy, PolicyError, Rules, Scoring,
    Solver, State, unwatched,
};

type Fraction = BigRational;

/// A state as numbers: A's points, B's points, the ball.
type Position = (u32, u32, i32);

/// Probabilities of bids, for one player or another, at any position.
type Behaviour<'h> = dyn Fn(Player, Position) -> Vec<(u32, Fraction)> + 'h;

/// A game described without a word from the library.
struct Game {
    field: i32,
    over_the_net: bool,
    /// The payoffs to A: A hits out, the ball lies with B, draw, the ball lies with A, B hits out.
    ends: [(i64, i64); 5],
    /// The smallest bid of players with points left.
    min_bid: u32,
}

const TENNIS: Game = Game {
    field: 2,
    over_the_net: true,
    ends: [(2, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)],
    min_bid: 1,
};
const OSHI_ZUMO: Game = Game {
    field: 1,
    over_the_net: false,
    ends: [(1, 1), (1, 1), (0, 1), (-1, 1), (-1, 1)],
    min_bid: 1,
};
/// Neither fair nor in the natural order, and in thirds that no unit holds exactly.
const SKEWED: Game = Game {
    field: 1,
    over_the_net: true,
    ends: [(1, 3), (5, 7), (-1, 9), (2, 3), (-4, 3)],
    min_bid: 1,
};

fn fraction((numerator, denominator): (i64, i64)) -> Fraction {
    Fraction::new(BigInt::from(numerator), BigInt::from(denominator))
}

impl Game {
    fn rules(&self) -> Rules {
        let motion = if self.over_the_net { Motion::Net } else { Motion::Step };
        let ends: Vec<String> = self.ends.iter().map(|&end| fraction(end).to_string()).collect();
        let scoring: Scoring = ends.join(",").parse().expect("five fractions");
        let rules = Rules::new(self.field, motion, scoring).expect("a possible field");
        rules.with_min_bid(self.min_bid).expect("0 or 1")
    }

    /// The kind of end, as an index of `ends`, if this is one.
    fn end(&self, (a, b, ball): Position) -> Option<usize> {
        match ball {
            _ if ball > self.field => Some(0),
            _ if ball < -self.field => Some(4),
            _ if a + b > 0 => None,
            _ => Some(Self::lying(ball)),
        }
    }

    /// The kind of end where nothing moves the ball any more.
    fn lying(ball: i32) -> usize {
        (2 - ball.signum()) as usize
    }

    fn bids(&self, account: u32) -> std::ops::RangeInclusive<u32> {
        account.min(self.min_bid)..=account
    }

    fn after(&self, (a, b, ball): Position, bid_a: u32, bid_b: u32) -> Position {
        let hit = if bid_a > bid_b { 1 } else { -1 };
        let next = match bid_a == bid_b {
            true => ball,
            false if self.over_the_net && ball * hit <= 0 => hit,
            false => ball + hit,
        };
        (a - bid_a, b - bid_b, next)
    }

    /// The payoff to A when `responder` bids best against the other's behaviour.
    fn best(
        &self,
        behaviour: &Behaviour,
        responder: Player,
        position: Position,
        known: &mut BTreeMap<Position, Fraction>,
    ) -> Fraction {
        if let Some(end) = self.end(position) {
            return fraction(self.ends[end]);
        }
        if let Some(value) = known.get(&position) {
            return value.clone();
        }
        let values =
            self.replies(behaviour, responder, position, known).into_iter().map(|(_, value)| value);
        let value = match responder {
            Player::A => values.max(),
            Player::B => values.min(),
        }
        .expect("a bid");
        known.insert(position, value.clone());
        value
    }

    /// The payoff of every bid of the responder, if the best follow.
    fn replies(
        &self,
        behaviour: &Behaviour,
        responder: Player,
        position: Position,
        known: &mut BTreeMap<Position, Fraction>,
    ) -> Vec<(u32, Fraction)> {
        let bids = self.bids(if responder == Player::A { position.0 } else { position.1 });
        bids.map(|reply| {
            let mut best = |position| self.best(behaviour, responder, position, known);
            (
                reply,
                self.expected(
                    &behaviour(responder.opponent(), position),
                    responder,
                    reply,
                    position,
                    &mut best,
                ),
            )
        })
        .collect()
    }

    /// The expectation of one reply to a strategy: the linear equation `v = p v + rest` where `p`
    /// is the probability that two bids of 0 repeat the position.
    fn expected(
        &self,
        strategy: &[(u32, Fraction)],
        responder: Player,
        reply: u32,
        position: Position,
        value: &mut dyn FnMut(Position) -> Fraction,
    ) -> Fraction {
        let (mut rest, mut repeated) = (Fraction::zero(), Fraction::zero());
        for (bid, probability) in strategy {
            let (bid_a, bid_b) = if responder == Player::A { (reply, *bid) } else { (*bid, reply) };
            match self.after(position, bid_a, bid_b) {
                next if next == position => repeated += probability,
                next => rest += probability * value(next),
            }
        }
        if repeated.is_one() {
            fraction(self.ends[Self::lying(position.2)])
        } else {
            rest / (Fraction::one() - repeated)
        }
    }

    /// Every way a game can go: the end, the turns that change something, the points left and the
    /// probability. A game that never ends is one that ends where the ball lies; turns that change
    /// nothing happen `1 / (1 − p)` times over.
    fn ways(
        &self,
        behaviour: &Behaviour,
        position: Position,
        turns: usize,
        probability: &Fraction,
        count: &mut dyn FnMut(usize, usize, Position, &Fraction),
    ) {
        if let Some(end) = self.end(position) {
            return count(end, turns, position, probability);
        }
        let waits = |player| {
            behaviour(player, position)
                .into_iter()
                .filter(|(bid, _)| *bid == 0)
                .map(|(_, share)| share)
                .sum()
        };
        let [waits_a, waits_b]: [Fraction; 2] = Player::BOTH.map(waits);
        let leaves = Fraction::one() - waits_a * waits_b;
        if leaves.is_zero() {
            return count(Self::lying(position.2), turns, position, probability);
        }
        for (bid_a, probability_a) in behaviour(Player::A, position) {
            for (bid_b, probability_b) in behaviour(Player::B, position) {
                if bid_a + bid_b == 0 {
                    continue;
                }
                let joint = probability * &probability_a * &probability_b / &leaves;
                self.ways(behaviour, self.after(position, bid_a, bid_b), turns + 1, &joint, count);
            }
        }
    }

    fn positions(&self, a: u32, b: u32) -> impl Iterator<Item = Position> {
        let field = self.field;
        (0..=a).flat_map(move |a| {
            (0..=b).flat_map(move |b| (-field..=field).map(move |ball| (a, b, ball)))
        })
    }
}

fn state((a, b, ball): Position) -> State {
    format!("{a}:{b}@{ball}").parse().expect("a state")
}

/// The exact probabilities that a policy stands for.
fn behaviour(policy: &Policy) -> impl Fn(Player, Position) -> Vec<(u32, Fraction)> {
    |player, position| {
        let whole = BigInt::from(DyadicStrategy::WHOLE);
        let weights = policy.weights(state(position), player).expect("a covered player");
        weights
            .map(|(bid, weight)| (bid, Fraction::new(BigInt::from(weight), whole.clone())))
            .collect()
    }
}

/// Strategies as uneven as they come, the same every time: some bids never made, some nearly
/// always.
fn odd_policy(rules: &Rules, points: [u32; 2], seed: u64) -> Policy {
    let mut number = seed;
    Policy::from_weights(rules, points, &Player::BOTH, &mut unwatched, |_, _, weights| {
        for weight in weights.iter_mut() {
            // Knuth's linear congruential generator; its high bits are good enough for a mess.
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *weight = [0.0, 0.001, 1.0, 2.5, 40.0][(number >> 33) as usize % 5];
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            weights[0] = 1.0;
        }
    })
    .expect("weights")
}

/// Who bids the least possible nearly always, or always where an account is even.
fn patient_policy(rules: &Rules, points: [u32; 2]) -> Policy {
    let weights = |state: State, player: Player, weights: &mut [f64]| {
        weights.fill(if state.points(player).is_multiple_of(2) { 0.0 } else { 1e-12 });
        weights[0] = 1.0;
    };
    Policy::from_weights(rules, points, &Player::BOTH, &mut unwatched, weights).expect("weights")
}

/// The games with policies for them that are small enough to be worked out by hand, so to speak.
fn cases() -> Vec<(Game, [u32; 2], Policy)> {
    let mut cases = Vec::new();
    let with_zero = |game: Game| Game { min_bid: 0, ..game };
    for (game, points) in [
        (TENNIS, [5, 5]),
        (TENNIS, [6, 3]),
        (OSHI_ZUMO, [4, 5]),
        (SKEWED, [4, 4]),
        (with_zero(TENNIS), [4, 4]),
        (with_zero(OSHI_ZUMO), [4, 3]),
        (with_zero(SKEWED), [2, 4]),
    ] {
        let rules = game.rules();
        for policy in [
            Policy::uniform(&rules, points).expect("a small game"),
            odd_policy(&rules, points, 7),
            odd_policy(&rules, points, 2012),
            patient_policy(&rules, points),
            Policy::optimal(
                &Solver::new(&rules).points(points).solve().expect("a small game"),
                &mut unwatched,
            )
            .expect("nobody cancels"),
        ] {
            cases.push((Game { ..game }, points, policy));
        }
    }
    cases
}

fn assert_encloses(enclosure: Enclosure, exact: &Fraction, what: &str) {
    let [lower, upper] = enclosure.fractions();
    assert!(enclosure.contains(exact), "{what}: {exact} is not in {lower}..={upper}");
    assert!(enclosure.width() < 1e-16, "{what}: the bounds lie {} apart", enclosure.width());
}

#[test]
fn the_best_response_to_a_uniform_player_wins_what_is_known() {
    // With probabilities of exactly 1/k, in fractions.
    let uniform = |player: Player, position: Position| {
        let account = if player == Player::A { position.0 } else { position.1 };
        let bids = account.min(1)..=account;
        let probability = fraction((1, i64::from(account.max(1))));
        bids.map(|bid| (bid, probability.clone())).collect::<Vec<_>>()
    };
    let known = TENNIS.best(&uniform, Player::A, (10, 10, 0), &mut BTreeMap::new());
    assert_eq!(known, fraction((1_420_361, 725_760)));

    let rules = Rules::tennis();
    let policy = Policy::uniform(&rules, [10, 10]).expect("a small game");
    let exploitability =
        Exploitability::new(&rules, &policy, &mut unwatched).expect("both players");
    let value = known.to_f64().expect("a number");
    assert!((exploitability.best_response(Player::A).middle() - value).abs() < 1e-15);
    assert!((exploitability.best_response(Player::B).middle() + value).abs() < 1e-15);
    assert!((exploitability.mean().middle() - value).abs() < 1e-15);
    assert!((exploitability.nash_conv().middle() - 2.0 * value).abs() < 1e-15);
}

#[test]
fn the_best_response_to_a_uniform_player_of_fifty_points_by_plain_loops() {
    let (most, field) = (50_usize, 2_i32);
    let mut values = vec![[[0.0_f64; 5]; 51]; 51];
    for total in 0..=2 * most {
        for a in total.saturating_sub(most)..=total.min(most) {
            let b = total - a;
            for ball in -field..=field {
                let value = if total == 0 {
                    f64::from(ball.signum())
                } else {
                    let (bids_a, bids_b) = (a.min(1)..=a, b.min(1)..=b);
                    let wins = |bid_a: usize| {
                        let outcome = |bid_b: usize| match TENNIS.after(
                            (a as u32, b as u32, ball),
                            bid_a as u32,
                            bid_b as u32,
                        ) {
                            (_, _, 3) => 2.0,
                            (_, _, -3) => -2.0,
                            (a, b, ball) => values[a as usize][b as usize][(ball + field) as usize],
                        };
                        bids_b.clone().map(outcome).sum::<f64>() / bids_b.clone().count() as f64
                    };
                    bids_a.map(wins).fold(f64::NEG_INFINITY, f64::max)
                };
                values[a][b][(ball + field) as usize] = value;
            }
        }
    }
    let rules = Rules::tennis();
    let exploitability = Exploitability::new(
        &rules,
        &Policy::uniform(&rules, [50, 50]).expect("the game"),
        &mut unwatched,
    )
    .expect("both");
    assert!(
        (exploitability.mean().middle() - values[50][50][2]).abs() < 1e-13,
        "{}",
        values[50][50][2]
    );
}

#[test]
fn best_responses_are_those_of_brute_force() {
    for (game, [a, b], policy) in cases() {
        let behaviour = behaviour(&policy);
        for responder in Player::BOTH {
            let response = BestResponse::new(&game.rules(), &policy, responder, &mut unwatched)
                .expect("both players");
            assert_eq!(response.responder(), responder);
            let mut known = BTreeMap::new();
            for position in game.positions(a, b) {
                let exact = game.best(&behaviour, responder, position, &mut known);
                let what = format!("{responder} at {}", state(position));
                assert_encloses(response.value(state(position)).expect("a state"), &exact, &what);
                if game.end(position).is_none() {
                    let bid = response.bid(state(position)).expect("a state");
                    let replies = game.replies(&behaviour, responder, position, &mut known);
                    let (_, value) =
                        replies.iter().find(|(reply, _)| *reply == bid).expect("a legal bid");
                    // Values are rounded to units of 2^-60 once a turn, so that a bid worse by less
                    // than that may pass for the best.
                    assert!(
                        (value - &exact).abs() < fraction((1, 1 << 55)),
                        "{what}: {bid} is not the best bid"
                    );
                }
            }
        }
    }
}

#[test]
fn a_best_response_as_a_policy_wins_what_it_says() {
    for (game, [a, b], policy) in cases() {
        let rules = game.rules();
        let start = state((a, b, 0));
        for responder in Player::BOTH {
            let response = BestResponse::new(&rules, &policy, responder, &mut unwatched)
                .expect("both players");
            let answer = response.policy();
            assert!(!answer.covers(responder.opponent()));
            let (of_a, of_b) =
                if responder == Player::A { (&answer, &policy) } else { (&policy, &answer) };
            let matchup = Matchup::new(&rules, start, of_a, of_b, &mut unwatched)
                .expect("all that is needed");
            let (claimed, won) = (response.value(start).expect("a state"), matchup.value());
            assert!(
                claimed.lower() <= won.upper() && won.lower() <= claimed.upper(),
                "{claimed:?}, {won:?}"
            );
        }
    }
}

#[test]
fn no_best_response_does_worse_than_the_value() {
    for (game, [a, b], policy) in cases() {
        let solution = Solver::new(&game.rules()).points([a, b]).solve().expect("a small game");
        for position in game.positions(a, b) {
            let value = solution.enclosure(state(position)).expect("a state");
            let [best_a, best_b] = Player::BOTH.map(|player| {
                BestResponse::new(&game.rules(), &policy, player, &mut unwatched)
                    .expect("both players")
            });
            assert!(best_a.value(state(position)).expect("a state").upper() >= value.lower());
            assert!(best_b.value(state(position)).expect("a state").lower() <= value.upper());
        }
    }
}

#[test]
fn optimal_policies_are_proved_not_to_be_exploitable() {
    for (rules, a, b) in [
        (Rules::tennis(), 50, 50),
        (Rules::tennis(), 20, 30),
        (Rules::footsteps(), 25, 25),
        (SKEWED.rules(), 12, 15),
    ] {
        let solution = Solver::new(&rules).points([a, b]).solve().expect("a game");
        let exploitability = Exploitability::new(
            &rules,
            &Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
            &mut unwatched,
        )
        .expect("both players");
        let (mean, widest) = (exploitability.mean(), solution.widest_enclosure());
        assert!(
            mean.lower() == 0.0 && mean.upper() <= widest,
            "{} is above {widest}",
            mean.upper()
        );
        assert!(exploitability.nash_conv().upper() <= 2.0 * widest);
    }
}

#[test]
fn the_worst_policies_lose_everything() {
    // Always 1 against somebody who knows: every ball is hit out, which is worth 2 to either
    // player.
    let rules = Rules::tennis();
    let timid =
        Policy::from_weights(&rules, [50, 50], &Player::BOTH, &mut unwatched, |_, _, weights| {
            weights[0] = 1.0;
        })
        .expect("weights");
    let exploitability = Exploitability::new(&rules, &timid, &mut unwatched).expect("both players");
    // What is reserved for rounding, a unit of 2^-60 for each of 51 turns, is cut off where the
    // payoffs end.
    assert_eq!((exploitability.mean().upper(), exploitability.nash_conv().upper()), (2.0, 4.0));
    assert!(
        2.0 - exploitability.mean().lower() < 1e-15
            && 4.0 - exploitability.nash_conv().lower() < 1e-15
    );
}

#[test]
fn matchups_go_as_by_brute_force() {
    // Every other case still meets every game and every policy, and trees of games grow fast.
    for (game, points, policy) in cases().into_iter().step_by(2) {
        let [a, b] = points.map(|points| points.min(4));
        let behaviour = behaviour(&policy);
        for position in game.positions(a, b) {
            let matchup =
                Matchup::new(&game.rules(), state(position), &policy, &policy, &mut unwatched)
                    .expect("both players");
            let mut outcomes = [0.0; 5];
            let mut turns = [0.0; 10];
            let mut left = [[0.0; 10]; 2];
            let mut value = Fraction::zero();
            game.ways(
                &behaviour,
                position,
                0,
                &Fraction::one(),
                &mut |end, turn, (a, b, _), probability| {
                    let share = probability.to_f64().expect("a number");
                    outcomes[end] += share;
                    turns[turn] += share;
                    left[0][a as usize] += share;
                    left[1][b as usize] += share;
                    value += probability * fraction(game.ends[end]);
                },
            );
            let what = state(position).to_string();
            assert_encloses(matchup.value(), &value, &what);
            let close = |found: f64, expected: f64| {
                assert!((found - expected).abs() < 1e-14, "{what}: {found}, not {expected}");
            };
            for &outcome in Outcome::ALL {
                close(matchup.probability(outcome), outcomes[outcome.index()]);
            }
            for (turn, &expected) in turns.iter().enumerate() {
                close(matchup.turns().get(turn).copied().unwrap_or(0.0), expected);
            }
            close(
                matchup.mean_turns(),
                (0_u32..).zip(turns).map(|(turn, share)| f64::from(turn) * share).sum(),
            );
            for player in Player::BOTH {
                for (points, &expected) in left[player as usize].iter().enumerate() {
                    close(
                        matchup.points_left(player).get(points).copied().unwrap_or(0.0),
                        expected,
                    );
                }
                let mean = (0_u32..)
                    .zip(left[player as usize])
                    .map(|(points, share)| f64::from(points) * share)
                    .sum();
                close(matchup.mean_points_left(player), mean);
            }
        }
    }
}

/// Turn by turn, as far as a horizon that nothing reaches: where play is still going on then, it is
/// decided where the ball lies.
#[test]
fn bids_of_nothing_are_judged_as_with_a_far_horizon() {
    let mut endless = 0;
    for (game, points, policy) in cases().into_iter().filter(|(game, ..)| game.min_bid == 0) {
        let (rules, [a, b]) = (game.rules(), points);
        let behaviour = |player, position: Position| -> Vec<(u32, f64)> {
            let weights = policy.weights(state(position), player).expect("both players");
            weights
                .map(|(bid, weight)| (bid, weight as f64 / DyadicStrategy::WHOLE as f64))
                .collect()
        };
        // Who waits nearly always does so beyond any horizon.
        let is_patient = |position| {
            let waits = |player| {
                behaviour(player, position)
                    .iter()
                    .any(|&(bid, share)| bid == 0 && share < 1.0 && share > 0.99)
            };
            Player::BOTH.into_iter().any(waits)
        };
        if game.positions(a, b).any(is_patient) {
            continue;
        }
        let mut positions: Vec<Position> = game.positions(a, b).collect();
        positions.sort_by_key(|position| position.0 + position.1);
        let settled = |position: Position| {
            let number = |end: usize| fraction(game.ends[end]).to_f64().expect("a number");
            number(game.end(position).unwrap_or(Game::lying(position.2)))
        };
        // What A wins if A, if B and if neither bids best.
        let mut values: BTreeMap<Position, [f64; 3]> = BTreeMap::new();
        for &position in &positions {
            values.insert(position, [settled(position); 3]);
            // A hundredth leaves a state in every turn at least: then nothing is left of where this
            // began.
            for _ in 0..if game.end(position).is_none() { 40_000 } else { 0 } {
                let [of_a, of_b] = Player::BOTH.map(|player| behaviour(player, position));
                let after = |who: usize, bid_a, bid_b| {
                    let after = game.after(position, bid_a, bid_b);
                    values.get(&after).map_or_else(|| settled(after), |values| values[who])
                };
                let against_b = |who, bid_a| {
                    of_b.iter().map(|&(bid_b, share)| share * after(who, bid_a, bid_b)).sum::<f64>()
                };
                let against_a = |who, bid_b| {
                    of_a.iter().map(|&(bid_a, share)| share * after(who, bid_a, bid_b)).sum::<f64>()
                };
                let found = [
                    (0..=position.0).map(|bid| against_b(0, bid)).fold(f64::NEG_INFINITY, f64::max),
                    (0..=position.1).map(|bid| against_a(1, bid)).fold(f64::INFINITY, f64::min),
                    of_a.iter().map(|&(bid, share)| share * against_b(2, bid)).sum(),
                ];
                if values.insert(position, found) == Some(found) {
                    break;
                }
            }
        }
        let responses = Player::BOTH.map(|player| {
            BestResponse::new(&rules, &policy, player, &mut unwatched).expect("both players")
        });
        for &position in &positions {
            let matchup = Matchup::new(&rules, state(position), &policy, &policy, &mut unwatched)
                .expect("both players");
            let [best_a, best_b] = responses
                .each_ref()
                .map(|response| response.value(state(position)).expect("a state").middle());
            for (found, expected) in
                [best_a, best_b, matchup.value().middle()].into_iter().zip(values[&position])
            {
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{} at {}: {found}, not {expected}",
                    rules,
                    state(position)
                );
            }
            let sum: f64 = Outcome::ALL.iter().map(|&outcome| matchup.probability(outcome)).sum();
            assert!((sum - 1.0).abs() < 1e-13 && (0.0..=1.0 + 1e-13).contains(&matchup.endless()));
            endless += u32::from(matchup.endless() > 0.0);
        }
    }
    assert!(endless > 20, "{endless}");
}

/// 1 and 1 on the net: both bid 0 with probability 1/2, so that a game has one turn that changes
/// nothing on average before another one, 1/(1 − 1/4) − 1 = 1/3 of one, and ends at once when
/// somebody bids. With certainty it never ends.
#[test]
fn standstills_are_counted_and_endless_games_told() {
    let rules = Rules::tennis().with_min_bid(0).expect("0 is possible");
    let uniform = Policy::uniform(&rules, [1, 1]).expect("a small game");
    let start = state((1, 1, 0));
    let matchup =
        Matchup::new(&rules, start, &uniform, &uniform, &mut unwatched).expect("both players");
    // Of the three equally likely turns one leaves nothing, the others a point that moves the ball
    // out in the end: one or two turns. At 1:0@1 A alone has a choice: 0 repeats with B's only 0,
    // which costs a turn on average.
    assert!(
        (matchup.mean_standstills() - (1.0 / 3.0 + 2.0 / 3.0)).abs() < 1e-15,
        "{}",
        matchup.mean_standstills()
    );
    assert_eq!(matchup.endless(), 0.0);
    let waits =
        Policy::from_weights(&rules, [1, 1], &Player::BOTH, &mut unwatched, |_, _, weights| {
            weights[0] = 1.0;
        })
        .expect("weights");
    let half = Policy::joined(&uniform, &waits).expect("the same game");
    let matchup =
        Matchup::new(&rules, start, &waits, &waits, &mut unwatched).expect("both players");
    assert_eq!(
        (matchup.endless(), matchup.mean_standstills(), matchup.mean_turns()),
        (1.0, 0.0, 0.0)
    );
    assert_eq!(
        (matchup.probability(Outcome::Draw), matchup.mean_points_left(Player::A)),
        (1.0, 1.0)
    );
    let matchup = Matchup::new(&rules, start, &half, &half, &mut unwatched).expect("both players");
    // A bids 1 in the end, and the ball lies on 1 with 0:1, where B waits and so does the game.
    assert_eq!((matchup.endless(), matchup.probability(Outcome::LiesWithB)), (1.0, 1.0));
    assert_eq!((matchup.mean_standstills(), matchup.mean_turns()), (1.0, 1.0));
}

#[test]
fn perfect_players_are_equally_good() {
    let solution = pencil_tennis::solve(50).expect("the game");
    let optimal = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
    let matchup =
        Matchup::new(&Rules::tennis(), solution.start(), &optimal, &optimal, &mut unwatched)
            .expect("both players");
    assert!(matchup.value().lower() <= 0.0 && 0.0 <= matchup.value().upper());
    for &outcome in Outcome::ALL {
        let (one, other) = (matchup.probability(outcome), matchup.probability(outcome.mirrored()));
        assert!((one - other).abs() < 1e-13, "{outcome}: {one} and {other}");
    }
    // Thirteen thousand states, each with a rounding of 1e-16 of what passes through it.
    let sum = |probabilities: &[f64]| probabilities.iter().sum::<f64>();
    for distribution in
        [matchup.turns(), matchup.points_left(Player::A), matchup.points_left(Player::B)]
    {
        assert!((sum(distribution) - 1.0).abs() < 1e-12);
    }
    assert!(
        (sum(&Outcome::ALL
            .iter()
            .map(|&outcome| matchup.probability(outcome))
            .collect::<Vec<f64>>())
            - 1.0)
            .abs()
            < 1e-12
    );
}

mod evaluations {
    use super::*;

    fn judge(rules: Rules, [a, b]: [u32; 2], policy: &Policy) -> PolicyEvaluation {
        let solution = Solver::new(&rules).points([a, b]).solve().expect("a small game");
        PolicyEvaluation::new(&solution, policy, &mut unwatched).expect("the same game")
    }

    #[test]
    fn regrets_are_those_of_brute_force() {
        for (game, [a, b], policy) in cases() {
            let mut solver = Solver::new(&game.rules()).points([a, b]);
            if game.min_bid > 0 {
                solver = solver.exact(Solver::EXACT_BITS);
            }
            let solution = solver.solve().expect("a small game");
            let value = |position: Position| match (game.end(position), game.min_bid) {
                (Some(end), _) => fraction(game.ends[end]),
                (None, 0) => {
                    solution.enclosure(state(position)).expect("a state").fractions()[0].clone()
                }
                (None, _) => {
                    solution.exact_value(state(position)).expect("a state").expect("small enough")
                }
            };
            let behaviour = behaviour(&policy);
            let evaluation = judge(game.rules(), [a, b], &policy);
            let mut count = 0;
            for entry in evaluation.state_regrets() {
                let position = (entry.state.a, entry.state.b, entry.state.ball.position());
                let (sign, replies) = match entry.player {
                    Player::A => (1, game.bids(position.1)),
                    Player::B => (-1, game.bids(position.0)),
                };
                // What is left of the value, to the player, after the worst reply.
                let strategy = behaviour(entry.player, position);
                let left = |reply| {
                    game.expected(
                        &strategy,
                        entry.player.opponent(),
                        reply,
                        position,
                        &mut |next| value(next),
                    )
                };
                let least =
                    replies.map(|reply| left(reply) * BigInt::from(sign)).min().expect("a reply");
                let regret =
                    (value(position) * BigInt::from(sign) - least).to_f64().expect("a number");
                assert!((entry.regret - regret).abs() < 1e-15, "{entry:?}: {regret}");
                assert!(
                    entry.regret >= 0.0
                        && entry.contribution <= entry.reached * entry.regret + 1e-15,
                    "{entry:?}"
                );
                count += 1;
            }
            // Two players, and nothing to decide where both accounts are empty.
            assert_eq!(count, 2 * (game.positions(a, b).count() - (2 * game.field + 1) as usize));
        }
    }

    #[test]
    fn contributions_sum_to_the_loss() {
        for (game, points, policy) in cases() {
            let evaluation = judge(game.rules(), points, &policy);
            let solution = Solver::new(&game.rules()).points(points).solve().expect("a small game");
            let value = solution.value(solution.start()).expect("the start");
            for player in Player::BOTH {
                let won = evaluation
                    .best_response_value(player.opponent())
                    .expect("both players")
                    .middle();
                let loss = (value - won) * f64::from(player.direction());
                let regrets = evaluation.state_regrets().filter(|entry| entry.player == player);
                let sum: f64 = regrets.map(|entry| entry.contribution).sum();
                assert!((sum - loss).abs() < 1e-14, "{player}: {sum}, not {loss}");
            }
        }
    }

    #[test]
    fn states_are_reached_as_often_as_brute_force_says() {
        let (game, points) = (TENNIS, [4, 4]);
        let policy = odd_policy(&game.rules(), points, 99);
        let evaluation = judge(game.rules(), points, &policy);
        for player in Player::BOTH {
            let response = evaluation.best_response(player.opponent()).expect("both players");
            let behaviour = behaviour(&policy);
            let both = |mover: Player, position: Position| {
                if mover == player {
                    behaviour(mover, position)
                } else {
                    vec![(response.bid(state(position)).expect("a state"), Fraction::one())]
                }
            };
            let mut reached: BTreeMap<Position, f64> = BTreeMap::new();
            let mut open = vec![((4, 4, 0), 1.0)];
            while let Some((position, share)) = open.pop() {
                *reached.entry(position).or_default() += share;
                if game.end(position).is_some() {
                    continue;
                }
                for (bid_a, probability_a) in both(Player::A, position) {
                    for (bid_b, probability_b) in both(Player::B, position) {
                        let joint = (&probability_a * probability_b).to_f64().expect("a number");
                        open.push((game.after(position, bid_a, bid_b), share * joint));
                    }
                }
            }
            for entry in evaluation.state_regrets().filter(|entry| entry.player == player) {
                let position = (entry.state.a, entry.state.b, entry.state.ball.position());
                let expected = reached.get(&position).copied().unwrap_or(0.0);
                assert!((entry.reached - expected).abs() < 1e-15, "{entry:?}: {expected}");
            }
        }
    }

    #[test]
    fn the_worst_come_first() {
        let policy = Policy::uniform(&Rules::tennis(), [12, 12]).expect("a small game");
        let evaluation = judge(Rules::tennis(), [12, 12], &policy);
        let worst = evaluation.worst(10);
        assert_eq!(worst.len(), 10);
        assert!(worst.is_sorted_by(|one, next| one.contribution >= next.contribution));
        let best_left_out = evaluation
            .state_regrets()
            .filter(|entry| !worst.contains(entry))
            .map(|entry| entry.contribution)
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(worst[9].contribution >= best_left_out);
        assert_eq!(
            evaluation.worst(usize::MAX).iter().filter(|entry| entry.contribution <= 0.0).count(),
            0
        );
    }

    #[test]
    fn an_optimal_policy_has_nothing_to_regret() {
        let solution = pencil_tennis::solve(20).expect("a game");
        let evaluation = PolicyEvaluation::new(
            &solution,
            &Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
            &mut unwatched,
        )
        .expect("the same game");
        // Regrets are measured from what is proved, which the same strategies prove.
        assert!(evaluation.state_regrets().all(|entry| entry.regret < 1e-17));
        for player in Player::BOTH {
            assert!(evaluation.value_against_optimum(player).expect("both").middle().abs() < 1e-15);
        }
    }

    #[test]
    fn against_the_optimum_nobody_does_better_than_the_value() {
        for (game, points, policy) in cases() {
            let rules = game.rules();
            let evaluation = judge(rules, points, &policy);
            let solution = Solver::new(&rules).points(points).solve().expect("a small game");
            let value = solution.enclosure(solution.start()).expect("the start");
            let [as_a, as_b] = Player::BOTH
                .map(|player| evaluation.value_against_optimum(player).expect("both players"));
            assert!(as_a.lower() <= value.upper() && as_b.upper() >= value.lower());
            let optimal = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
            let exact = {
                let (judged, optimal_reply) = (behaviour(&policy), behaviour(&optimal));
                let both = |player: Player, position| {
                    if player == Player::A {
                        judged(player, position)
                    } else {
                        optimal_reply(player, position)
                    }
                };
                let mut value = Fraction::zero();
                let start = (points[0], points[1], 0);
                game.ways(&both, start, 0, &Fraction::one(), &mut |end, _, _, share| {
                    value += share * fraction(game.ends[end]);
                });
                value
            };
            assert_encloses(as_a, &exact, "the policy as A");
        }
    }

    #[test]
    fn one_player_is_judged_as_far_as_that_goes() {
        let rules = Rules::tennis();
        let policy = Policy::uniform(&rules, [6, 6]).expect("a small game");
        let evaluation = judge(rules, [6, 6], &policy.only(Player::B).expect("both players"));
        let whole = judge(rules, [6, 6], &policy);
        assert_eq!(evaluation.best_response_value(Player::A), whole.best_response_value(Player::A));
        assert!(
            evaluation.best_response(Player::B).is_none() && evaluation.exploitability().is_none()
        );
        assert!(
            evaluation.value_against_optimum(Player::A).is_none()
                && evaluation.value_against_optimum(Player::B).is_some()
        );
        assert!(evaluation.state_regrets().all(|entry| entry.player == Player::B));
    }
}

#[test]
fn policies_for_other_games_are_refused() {
    let rules = Rules::tennis();
    let policy = Policy::uniform(&rules, [5, 5]).expect("a small game");
    let solution = pencil_tennis::solve(6).expect("a small game");
    let error = PolicyEvaluation::new(&solution, &policy, &mut unwatched).unwrap_err().to_string();
    assert_eq!(
        error,
        "the policy is for 5:5 points and field 2, the game has 6:6 points and field 2"
    );
    let wide = Rules::oshi_zumo(3).expect("a possible field");
    assert!(matches!(
        BestResponse::new(&wide, &policy, Player::A, &mut unwatched),
        Err(Error::Policy(PolicyError::OtherGame { .. }))
    ));
    assert!(matches!(
        Matchup::new(&wide, state((5, 5, 0)), &policy, &policy, &mut unwatched),
        Err(Error::Policy(PolicyError::OtherGame { .. }))
    ));
    let outside =
        Matchup::new(&rules, state((6, 5, 0)), &policy, &policy, &mut unwatched).unwrap_err();
    assert_eq!(outside, Error::Game(GameError::Outside { state: state((6, 5, 0)), a: 5, b: 5 }));
    let half = policy.only(Player::A).expect("both players");
    assert_eq!(
        Exploitability::new(&rules, &half, &mut unwatched).unwrap_err(),
        Error::Policy(PolicyError::LacksPlayer { player: Player::B })
    );
    let response =
        BestResponse::new(&rules, &half, Player::B, &mut unwatched).expect("A is covered");
    assert!(response.value(state((6, 5, 0))).is_err() && response.bid(state((5, 5, 3))).is_err());
}

mod sampling {
    use pencil_tennis::analysis::SampledGames;

    use super::*;

    #[test]
    fn sampled_games_agree_with_what_was_computed() {
        for rules in [Rules::tennis(), Rules::tennis().with_min_bid(0).expect("0 is possible")] {
            agree(&rules, if rules.min_bid() == 0 { 8 } else { 20 });
        }
    }

    fn agree(rules: &Rules, points: u32) {
        let solution = Solver::new(rules).points([points, points]).solve().expect("a game");
        let optimal = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
        let [uniform, patient] = [
            Policy::uniform(rules, [points; 2]).expect("a small game"),
            patient_policy(rules, [points; 2]),
        ];
        for (a, b) in
            [(&optimal, &optimal), (&optimal, &uniform), (&uniform, &uniform), (&patient, &patient)]
        {
            let matchup =
                Matchup::new(rules, solution.start(), a, b, &mut unwatched).expect("both players");
            let games = 20_000;
            let mut outcomes = [0.0; 5];
            let mut turns = [0.0; 21];
            let mut endless = 0.0;
            for game in SampledGames::new(rules, solution.start(), a, b, 2012)
                .expect("both players")
                .take(games)
            {
                let last = game.state();
                let lying = State { a: 0, b: 0, ..last };
                let outcome = game
                    .outcome()
                    .or_else(|| rules.outcome(lying))
                    .expect("a ball inside the field");
                endless += f64::from(u8::from(game.outcome().is_none()));
                outcomes[outcome.index()] += 1.0;
                turns[game.turns().len()] += 1.0;
            }
            // A count of n games is off by more than five standard deviations once in a million
            // times; the seed is fixed.
            let check = |count: f64, probability: f64| {
                let expected = games as f64 * probability;
                let deviation = (expected * (1.0 - probability)).sqrt();
                assert!(
                    (count - expected).abs() <= 5.0 * deviation + 1.0,
                    "{count} games, not {expected}"
                );
            };
            for &outcome in Outcome::ALL {
                check(outcomes[outcome.index()], matchup.probability(outcome));
            }
            check(endless, matchup.endless());
            for (turn, count) in turns.into_iter().enumerate() {
                check(count, matchup.turns().get(turn).copied().unwrap_or(0.0));
            }
        }
    }

    #[test]
    fn a_seed_stands_for_its_games() {
        let rules = Rules::tennis();
        let uniform = Policy::uniform(&rules, [10, 10]).expect("a small game");
        let games = |seed| {
            let games = SampledGames::new(&rules, state((10, 10, 0)), &uniform, &uniform, seed)
                .expect("both players");
            games.take(20).collect::<Vec<_>>()
        };
        assert_eq!(games(5), games(5));
        assert_ne!(games(5), games(6));
        assert_ne!(games(5)[0], games(5)[1]);
    }
}

/// Layers are shared by threads from some size on: whoever works out a state, what is found is the
/// same to the last bit, and the best responses are those that one thread finds on its own.
#[test]
fn any_number_of_threads_judges_alike() {
    let mut solution = Solver::new(&Rules::tennis()).points([80, 80]).threads(1).solve().unwrap();
    let uniform = Policy::uniform(&Rules::tennis(), [80, 80]).unwrap();
    let [one, three] = [1, 3].map(|threads| {
        solution.set_threads(threads).unwrap();
        PolicyEvaluation::new(&solution, &uniform, &mut unwatched).unwrap()
    });
    assert!(one.state_regrets().eq(three.state_regrets()), "regrets");
    for player in Player::BOTH {
        assert_eq!(
            one.value_against_optimum(player),
            three.value_against_optimum(player),
            "{player}"
        );
        let alone = BestResponse::new(&Rules::tennis(), &uniform, player, &mut unwatched).unwrap();
        let [one, three] =
            [&one, &three].map(|evaluation| evaluation.best_response(player).unwrap());
        for state in solution.states() {
            assert_eq!(alone.value(state), one.value(state), "{state}");
            assert_eq!(alone.value(state), three.value(state), "{state}");
            assert_eq!(alone.bid(state), three.bid(state), "{state}");
        }
    }
    assert!(solution.set_threads(0).is_err());
}

/// Who bids as the other does at mirror images is judged once for both. A policy of one player
/// alone is not, nor one that differs in a single state.
#[test]
fn mirror_images_are_judged_as_everybody_else() {
    let rules = Rules::tennis();
    let solution = Solver::new(&rules).points([14, 14]).solve().unwrap();
    let uniform = Policy::uniform(&rules, [14, 14]).unwrap();
    let nearly = Policy::from_weights(
        &rules,
        [14, 14],
        &Player::BOTH,
        &mut unwatched,
        |state, player, weights| {
            weights.fill(1.0);
            if player == Player::B && state.to_string() == "13:14@1" {
                weights[3] = 1.5;
            }
        },
    );
    for policy in [
        uniform,
        Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
        nearly.unwrap(),
    ] {
        let both = PolicyEvaluation::new(&solution, &policy, &mut unwatched).unwrap();
        for player in Player::BOTH {
            let alone =
                PolicyEvaluation::new(&solution, &policy.only(player).unwrap(), &mut unwatched)
                    .unwrap();
            assert!(
                alone
                    .state_regrets()
                    .eq(both.state_regrets().filter(|regret| regret.player == player)),
                "{player}"
            );
            assert_eq!(alone.value_against_optimum(player), both.value_against_optimum(player));
            let responder = player.opponent();
            let [alone, both] =
                [&alone, &both].map(|evaluation| evaluation.best_response(responder).unwrap());
            assert_eq!(alone.responder(), both.responder());
            for state in solution.states() {
                assert_eq!(
                    (alone.value(state), alone.bid(state)),
                    (both.value(state), both.bid(state)),
                    "{player} at {state}"
                );
            }
        }
    }
}
