//! Forced play, against rules and a search written out anew, and against all replies.

use std::collections::{BTreeMap, BTreeSet};

use pencil_tennis::analysis::{Endgame, ForcedPlay};
use pencil_tennis::{
    Ball, Error, GameError, Method, Motion, Payoff, Player, Rules, Scoring, Solver, State,
    WorkError,
};
use proptest::prelude::*;

/// A game of the family, described without a word from the library.
#[derive(Clone, Copy)]
struct Game {
    field: i32,
    over_the_net: bool,
    /// A hits out, the ball lies with B, draw, the ball lies with A, B hits out.
    ends: [i32; 5],
    min_bid: u32,
}

type Position = (u32, u32, i32);

const TENNIS: Game = Game { field: 2, over_the_net: true, ends: [2, 1, 0, -1, -2], min_bid: 1 };

impl Game {
    fn rules(&self) -> Rules {
        let motion = if self.over_the_net { Motion::Net } else { Motion::Step };
        let rules = Rules::new(
            self.field,
            motion,
            Scoring::new(|outcome| Payoff::from(i64::from(self.ends[outcome.index()]))).unwrap(),
        );
        rules.unwrap().with_min_bid(self.min_bid).unwrap()
    }

    fn bids(&self, account: u32) -> std::ops::RangeInclusive<u32> {
        if account == 0 { 0..=0 } else { self.min_bid..=account }
    }

    fn after(&self, (a, b, ball): Position, bid_a: u32, bid_b: u32) -> Position {
        let ball = match bid_a.cmp(&bid_b) {
            std::cmp::Ordering::Equal => ball,
            std::cmp::Ordering::Greater if self.over_the_net && ball < 0 => 1,
            std::cmp::Ordering::Less if self.over_the_net && ball > 0 => -1,
            std::cmp::Ordering::Greater => ball + 1,
            std::cmp::Ordering::Less => ball - 1,
        };
        (a - bid_a, b - bid_b, ball)
    }

    fn end(&self, (a, b, ball): Position) -> Option<i32> {
        let [out_a, _, _, _, out_b] = self.ends;
        match ball {
            ball if ball > self.field => Some(out_a),
            ball if ball < -self.field => Some(out_b),
            _ => (a + b == 0).then(|| self.lying(ball)),
        }
    }

    fn lying(&self, ball: i32) -> i32 {
        self.ends[(2 - ball.signum()) as usize]
    }

    /// The payoff that A can force, and the one that B can hold A to, by going through all lines of
    /// play.
    fn search(&self, position: Position, known: &mut BTreeMap<Position, [i32; 2]>) -> [i32; 2] {
        if let Some(end) = self.end(position) {
            return [end; 2];
        }
        if let Some(&bounds) = known.get(&position) {
            return bounds;
        }
        let (a, b, _) = position;
        // A bid of 0 that is answered by 0 may be so for ever.
        let mut after = |i: u32, j: u32| {
            if i + j == 0 {
                [self.lying(position.2); 2]
            } else {
                self.search(self.after(position, i, j), known)
            }
        };
        let later: Vec<Vec<[i32; 2]>> =
            self.bids(a).map(|i| self.bids(b).map(|j| after(i, j)).collect()).collect();
        let lower =
            later.iter().map(|row| row.iter().map(|next| next[0]).min().unwrap()).max().unwrap();
        let upper = (0..later[0].len())
            .map(|j| later.iter().map(|row| row[j][1]).max().unwrap())
            .min()
            .unwrap();
        known.insert(position, [lower, upper]);
        [lower, upper]
    }
}

fn state((a, b, ball): Position) -> State {
    State::new(a, b, Ball::new(ball).unwrap())
}

fn number(payoff: Payoff) -> i32 {
    assert_eq!(*payoff.denom(), 1);
    *payoff.numer() as i32
}

fn positions(field: i32, most_a: u32, most_b: u32) -> impl Iterator<Item = Position> {
    (0..=most_a).flat_map(move |a| {
        (0..=most_b).flat_map(move |b| (-field..=field).map(move |ball| (a, b, ball)))
    })
}

#[test]
fn a_search_of_all_lines_of_play_agrees() {
    let games = [
        (TENNIS, 9, 9),
        (TENNIS, 5, 10),
        (Game { ends: [1, 1, 0, -1, -1], ..TENNIS }, 8, 8),
        (Game { field: 3, over_the_net: false, ends: [1, 1, 0, -1, -1], min_bid: 1 }, 8, 8),
        (Game { over_the_net: false, ends: [1, 0, 0, 0, -1], ..TENNIS }, 8, 7),
        // Neither fair nor in the natural order.
        (Game { field: 1, over_the_net: true, ends: [3, -1, 5, 5, -2], min_bid: 1 }, 7, 8),
        (Game { min_bid: 0, ..TENNIS }, 8, 7),
        (Game { field: 3, over_the_net: false, ends: [1, 1, 0, -1, -1], min_bid: 0 }, 7, 8),
        (Game { field: 1, over_the_net: false, ends: [3, 1, 1, -1, -4], min_bid: 0 }, 8, 8),
        (Game { field: 1, over_the_net: true, ends: [3, -1, 5, 5, -2], min_bid: 0 }, 6, 7),
    ];
    for (game, a, b) in games {
        let forced = ForcedPlay::new(&game.rules(), [a, b]).unwrap();
        let mut known = BTreeMap::new();
        for position in positions(game.field, a, b) {
            let bounds = forced.bounds(state(position)).unwrap().map(number);
            assert_eq!(
                bounds,
                game.search(position, &mut known),
                "{} with ends {:?}",
                state(position),
                game.ends
            );
        }
    }
}

/// Whatever the opponent does, and whichever of the forcing bids is made, the promise is kept to
/// the end.
#[test]
fn forcing_bids_force_against_every_reply() {
    for min_bid in [1, 0] {
        force_against_every_reply(&Game { min_bid, ..TENNIS }, if min_bid == 1 { 8 } else { 6 });
    }
}

fn force_against_every_reply(game: &Game, most: u32) {
    let forced = ForcedPlay::new(&game.rules(), [most, most]).unwrap();
    for player in Player::BOTH {
        for start in positions(2, most, most) {
            let promised = number(forced.bounds(state(start)).unwrap()[player as usize]);
            let keeps =
                |end: i32| if player == Player::A { end >= promised } else { end <= promised };
            let mut open = vec![start];
            let mut seen = BTreeSet::new();
            while let Some(position) = open.pop() {
                if let Some(end) = game.end(position) {
                    assert!(
                        keeps(end),
                        "{player} was promised {promised} at {} and got {end}",
                        state(start)
                    );
                    continue;
                }
                if !seen.insert(position) {
                    continue;
                }
                let forcing = forced.forcing_bids(player, state(position)).unwrap();
                assert!(!forcing.is_empty());
                let (a, b, _) = position;
                for bid in forcing {
                    for reply in game.bids(if player == Player::A { b } else { a }) {
                        let [i, j] = if player == Player::A { [bid, reply] } else { [reply, bid] };
                        let next = game.after(position, i, j);
                        // Play that comes back may do so for ever.
                        let endless = game.lying(position.2);
                        assert!(
                            next != position || keeps(endless),
                            "{player} waits at {} for {endless}",
                            state(position)
                        );
                        open.push(next);
                    }
                }
            }
        }
    }
}

#[test]
fn no_other_bid_forces() {
    let forced = ForcedPlay::new(&TENNIS.rules(), [7, 7]).unwrap();
    let mut known = BTreeMap::new();
    for position in positions(2, 7, 7).filter(|&position| TENNIS.end(position).is_none()) {
        let (a, b, _) = position;
        let [lower, upper] = TENNIS.search(position, &mut known);
        for i in TENNIS.bids(a) {
            let worst = TENNIS
                .bids(b)
                .map(|j| TENNIS.search(TENNIS.after(position, i, j), &mut known)[0])
                .min()
                .unwrap();
            assert_eq!(
                forced.forcing_bids(Player::A, state(position)).unwrap().contains(&i),
                worst >= lower,
                "{} A {i}",
                state(position)
            );
        }
        for j in TENNIS.bids(b) {
            let worst = TENNIS
                .bids(a)
                .map(|i| TENNIS.search(TENNIS.after(position, i, j), &mut known)[1])
                .max()
                .unwrap();
            assert_eq!(
                forced.forcing_bids(Player::B, state(position)).unwrap().contains(&j),
                worst <= upper,
                "{} B {j}",
                state(position)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// At 50 points replies are drawn: from a decided state the forcing player gets the value, or
    /// more, against all of them.
    #[test]
    fn forcing_bids_keep_their_promise_in_large_games(
        a in 0_u32..=50, b in 0_u32..=50, ball in -2..=2, by_a: bool, draws in prop::collection::vec(any::<u32>(), 200),
    ) {
        use std::sync::LazyLock;
        static FORCED: LazyLock<ForcedPlay> = LazyLock::new(|| ForcedPlay::new(&TENNIS.rules(), [50, 50]).unwrap());
        let player = if by_a { Player::A } else { Player::B };
        let promised = number(FORCED.bounds(state((a, b, ball))).unwrap()[player as usize]);
        let mut position = (a, b, ball);
        let mut draws = draws.into_iter();
        while TENNIS.end(position).is_none() {
            let forcing = FORCED.forcing_bids(player, state(position)).unwrap();
            let bid = forcing[draws.next().unwrap() as usize % forcing.len()];
            let account = if by_a { position.1 } else { position.0 };
            // Small replies are the dangerous ones as often as large ones.
            let draw = draws.next().unwrap();
            let reply = (account.min(1) + if draw % 2 == 0 { 0 } else { draw / 2 % account.max(1) }).min(account);
            let [i, j] = if by_a { [bid, reply] } else { [reply, bid] };
            position = TENNIS.after(position, i, j);
        }
        let end = TENNIS.end(position).unwrap();
        let kept = if by_a { end >= promised } else { end <= promised };
        prop_assert!(kept, "{} was promised {} and got {}", player, promised, end);
    }
}

/// Optimal play is worth no less than what can be forced, and no more than what the other can hold
/// to; of decided states it is the value.
#[test]
fn the_value_lies_between_what_both_can_force() {
    let games = [
        TENNIS,
        Game { field: 3, over_the_net: false, ends: [1, 1, 0, -1, -1], min_bid: 1 },
        Game { ends: [3, 2, 0, 0, -1], ..TENNIS },
    ];
    for game in games {
        let solution =
            Solver::new(&game.rules()).points([20, 17]).method(Method::Tableau).solve().unwrap();
        let forced = ForcedPlay::new(&game.rules(), [20, 17]).unwrap();
        for state in forced.states() {
            let [lower, upper] =
                forced.bounds(state).unwrap().map(|payoff| f64::from(number(payoff)));
            let enclosure = solution.enclosure(state).unwrap();
            assert!(lower <= enclosure.upper() && enclosure.lower() <= upper, "{state}");
            if lower == upper {
                assert_eq!((enclosure.lower(), enclosure.upper()), (lower, lower), "{state}");
            }
        }
    }
}

/// The encyclopedia's statement, restored: up to three points each the winner can announce every
/// bid; with 4:3 that ends.
#[test]
fn with_at_most_three_points_each_a_win_can_be_forced() {
    let mut known = BTreeMap::new();
    for position in positions(2, 3, 3) {
        let [lower, upper] = TENNIS.search(position, &mut known);
        assert_eq!(lower, upper, "{} is decided", state(position));
        let (a, b, ball) = position;
        if ball != 0 || a != b {
            assert_ne!(lower, 0, "{} is a win for one of the players", state(position));
        } else {
            assert_eq!(lower, 0, "{} is a draw", state(position));
        }
    }
    assert_eq!(TENNIS.search((4, 3, -2), &mut known), [-1, 1], "neither player can force the win");
    let forced = ForcedPlay::new(&TENNIS.rules(), [4, 4]).unwrap();
    let undecided: Vec<String> = forced
        .states()
        .filter(|&state| forced.value(state).unwrap().is_none())
        .map(|state| state.to_string())
        .collect();
    assert_eq!(undecided, ["3:4@2", "4:3@-2", "4:4@-2", "4:4@2"]);
}

/// The statements of `docs/findings.md` about the endgame.
#[test]
fn the_endgame_begins_where_the_findings_say() {
    let forced = ForcedPlay::new(&Rules::tennis(), [50, 50]).unwrap();
    let endgames: Vec<Endgame> =
        (-2..=2).map(|ball| Endgame::of(&forced, Ball::new(ball).unwrap()).unwrap()).collect();
    assert_eq!(endgames.iter().map(|endgame| endgame.decided_states).sum::<usize>(), 9_331);
    assert_eq!(
        endgames.iter().map(|endgame| endgame.decided_to).collect::<Vec<_>>(),
        [3, 6, 8, 6, 3]
    );
    let firsts: Vec<String> = endgames
        .iter()
        .map(|endgame| {
            endgame.first_undecided.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(firsts, ["4:3@-2", "6:7@-1", "7:9@0 9:7@0", "7:6@1", "3:4@2"]);
    for state in forced.states().filter(|state| state.a.max(state.b) > 10) {
        if let Some(value) = forced.value(state).unwrap() {
            assert!([2, -2].contains(&number(value)), "{state} is decided for {value}");
        }
    }
    for state in forced.states().filter(|state| state.a == state.b && state.a > 8) {
        assert_eq!(forced.value(state).unwrap(), None, "{state} is even");
    }
    assert!(forced.value("8:8@0".parse().unwrap()).unwrap().is_some());
    let needed: Vec<Option<u32>> = endgames.iter().map(|endgame| endgame.needed.a[20]).collect();
    assert_eq!(needed, [Some(45), Some(33), Some(28), Some(26), Some(21)]);
    for (b, needed) in endgames[4].needed.a.iter().enumerate().take(50) {
        assert_eq!(
            *needed,
            Some(b as u32 + 1),
            "on B's last field one point more forces the ball out"
        );
    }
}

/// The mirror image has the mirrored frontier, and the frontier is the border of what is forced.
#[test]
fn what_is_needed_is_the_border_of_what_is_forced() {
    let forced = ForcedPlay::new(&Rules::tennis(), [16, 12]).unwrap();
    for ball in -2..=2 {
        let endgame = Endgame::of(&forced, Ball::new(ball).unwrap()).unwrap();
        for (player, best) in [(Player::A, 2), (Player::B, -2)] {
            let most = forced.points()[player as usize];
            for (opponent, needed) in endgame.needed[player].iter().enumerate() {
                for points in 0..=most {
                    let position = if player == Player::A {
                        (points, opponent as u32, ball)
                    } else {
                        (opponent as u32, points, ball)
                    };
                    let wins =
                        number(forced.bounds(state(position)).unwrap()[player as usize]) == best;
                    assert_eq!(
                        wins,
                        needed.is_some_and(|needed| points >= needed),
                        "{player} at {position:?}"
                    );
                }
            }
        }
    }
}

/// With many points the frontier becomes a ratio: see `docs/findings.md`.
#[test]
fn the_frontier_approaches_the_supergolden_ratio() {
    let psi = (0..60).fold(1.5_f64, |psi, _| 1.0 + 1.0 / (psi * psi));
    assert!((psi.powi(3) - psi.powi(2) - 1.0).abs() < 1e-12);
    let from_own_outer = 1.0 + psi;
    let from_own_inner = 1.0 + psi - psi / from_own_outer;
    let from_net = 1.0 + psi - psi / from_own_inner;
    let ratios = [from_own_outer, from_own_inner, from_net, psi, 1.0];
    let forced = ForcedPlay::new(&Rules::tennis(), [240, 96]).unwrap();
    for (ball, ratio) in (-2..=2).zip(ratios) {
        let endgame = Endgame::of(&forced, Ball::new(ball).unwrap()).unwrap();
        let needed = |b: usize| f64::from(endgame.needed.a[b].unwrap()) / b as f64;
        let errors = [24, 48, 96].map(|b| (needed(b) - ratio).abs());
        assert!(errors[0] > errors[1] && errors[1] > errors[2], "ball {ball}: {errors:?}");
        assert!(errors[2] < 0.06 * ratio, "ball {ball}: {errors:?}");
    }
}

#[test]
fn pure_play_attains_the_value_where_it_is_worth_as_much() {
    let solution =
        Solver::new(&Rules::tennis()).points([12, 12]).exact(Solver::EXACT_BITS).solve().unwrap();
    let plain = Solver::new(&Rules::tennis()).points([12, 12]).solve().unwrap();
    let forced = ForcedPlay::new(&Rules::tennis(), [12, 12]).unwrap();
    let mut alone = Vec::new();
    for state in forced.states() {
        let value = solution.exact_value(state).unwrap();
        let both = Player::BOTH.map(|player| forced.attains(player, &solution, state).unwrap());
        for player in Player::BOTH {
            let promised = i64::from(number(forced.bounds(state).unwrap()[player as usize]));
            if let Some(value) = &value {
                assert_eq!(
                    both[player as usize],
                    Some(*value == num_rational::BigRational::from_integer(promised.into())),
                    "{state}"
                );
            }
            // Bounds alone may not know, but must not contradict.
            let rough = forced.attains(player, &plain, state).unwrap();
            assert!(
                rough.is_none()
                    || both[player as usize].is_none()
                    || rough == both[player as usize],
                "{state}"
            );
        }
        if both[0] != both[1] {
            alone.push(state.to_string());
        }
    }
    assert_eq!(alone, ["7:9@1", "9:7@-1", "10:11@0", "11:10@0"]);
}

#[test]
fn points_beyond_the_limits_are_refused() {
    let tennis = Rules::tennis();
    assert_eq!(
        ForcedPlay::within(&tennis, [0, 5], 1 << 30).unwrap_err(),
        Error::Game(GameError::NoPoints { player: Player::A })
    );
    assert!(matches!(
        ForcedPlay::within(&tennis, [50, 50], 1_000),
        Err(Error::Work(WorkError::Memory { bytes: 26_010, limit: 1_000, .. }))
    ));
    assert!(matches!(
        ForcedPlay::within(&tennis, [70_000, 1], u64::MAX),
        Err(Error::Game(GameError::TooManyPoints { points: 70_000, .. }))
    ));
    assert!(matches!(
        ForcedPlay::within(&tennis, [u32::MAX, u32::MAX], 1 << 40),
        Err(Error::Work(WorkError::Memory { .. }))
    ));
    let forced = ForcedPlay::within(&tennis, [50, 50], 26_010).unwrap();
    assert!(forced.forcing_bids(Player::A, "51:50@0".parse().unwrap()).is_err());
    assert!(forced.forcing_bids(Player::A, "50:50@3".parse().unwrap()).is_err());
    assert!(Endgame::of(&forced, Ball::new(3).unwrap()).is_err());
    assert_eq!(forced.forcing_bids(Player::B, "0:0@2".parse().unwrap()).unwrap(), [0]);
}
