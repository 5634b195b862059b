//! The best bids of blind Tennis against a recursion over all that the other may have bid, under
//! rules written out anew.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use pencil_tennis::blind::{BlindBestResponse, BlindMethod, BlindPolicy, BlindSolver};
use pencil_tennis::{Ball, Player, State};

use crate::blind::{GAMES, Game};

/// What a player knows, and all that the other may have bid before, with the probability that the
/// other's policy does so.
struct Known {
    bids: Vec<u32>,
    balls: Vec<i32>,
    histories: Histories,
}

/// The other's bids before a turn, and how likely the other's policy makes them.
type Histories = Vec<(Vec<u32>, f64)>;

/// The payoff of every bid at an information set if the best bids follow, times the probability to
/// come there.
struct Judged {
    bids: Vec<u32>,
    balls: Vec<i32>,
    reach: f64,
    payoffs: Vec<(u32, f64)>,
}

struct Recursion<'p> {
    game: &'p Game,
    payoffs: [f64; 5],
    points: [u32; 2],
    player: Player,
    policy: &'p BlindPolicy,
    judged: Vec<Judged>,
}

impl Recursion<'_> {
    /// The payoff to the player from here on, times the probability to come here.
    fn payoff(&mut self, known: Known) -> f64 {
        let Known { bids, balls, histories } = known;
        let (side, other) = (self.player as usize, 1 - self.player as usize);
        let left = self.points[side] - bids.iter().sum::<u32>();
        let ball = balls[balls.len() - 1];
        let mut payoffs = Vec::new();
        for bid in left.min(1)..=left {
            let mut payoff = 0.0;
            let mut continued: Vec<(i32, Histories)> = Vec::new();
            for (theirs, weight) in &histories {
                let left_to_other = self.points[other] - theirs.iter().sum::<u32>();
                for (reply, probability) in
                    self.policy.bids(self.player.opponent(), theirs, &balls).expect("possible")
                {
                    let (a, b) = if side == 0 { (bid, reply) } else { (reply, bid) };
                    let next = self.game.moved(ball, a, b);
                    let weight = weight * probability;
                    let end = match next {
                        next if next > self.game.field => 0,
                        next if next < -self.game.field => 4,
                        next if (bid, reply) == (left, left_to_other) => {
                            (2 - next.signum()) as usize
                        }
                        next => {
                            let history = ([&theirs[..], &[reply]].concat(), weight);
                            match continued.iter_mut().find(|(seen, _)| *seen == next) {
                                Some((_, histories)) => histories.push(history),
                                None => continued.push((next, vec![history])),
                            }
                            continue;
                        }
                    };
                    payoff += weight * self.payoffs[end] * f64::from(self.player.direction());
                }
            }
            for (next, histories) in continued {
                let (bids, balls) = ([&bids[..], &[bid]].concat(), [&balls[..], &[next]].concat());
                payoff += self.payoff(Known { bids, balls, histories });
            }
            payoffs.push((bid, payoff));
        }
        let best = payoffs.iter().map(|&(_, payoff)| payoff).fold(f64::MIN, f64::max);
        let reach = histories.iter().map(|&(_, weight)| weight).sum();
        self.judged.push(Judged { bids, balls, reach, payoffs });
        best
    }
}

/// Every information set of a player, judged against a policy.
fn judged(game: &Game, policy: &BlindPolicy, player: Player) -> Vec<Judged> {
    let payoffs = game.ends.map(|end| {
        end.parse::<BigRational>().expect("a fraction").to_f64().expect("a small number")
    });
    let State { a, b, ball } = policy.start();
    let mut recursion =
        Recursion { game, payoffs, points: [a, b], player, policy, judged: Vec::new() };
    recursion.payoff(Known {
        bids: Vec::new(),
        balls: vec![ball.position()],
        histories: vec![(Vec::new(), 1.0)],
    });
    recursion.judged
}

/// Checks all best bids and losses against a policy; returns at how many information sets that are
/// reached the strategy's own bids would have cost something.
fn check(game: &Game, strategy: &BlindPolicy, policy: &BlindPolicy) -> usize {
    let (mut costly, mut sets) = (0, 0);
    for player in Player::BOTH {
        let response = BlindBestResponse::new(policy, player);
        for Judged { bids, balls, reach, payoffs } in judged(game, policy, player) {
            sets += 1;
            let best = payoffs.iter().map(|&(_, payoff)| payoff).fold(f64::MIN, f64::max);
            let advised = response.best_bids(strategy, &bids, &balls).expect("possible");
            assert!(
                (advised.iter().map(|&(_, probability)| probability).sum::<f64>() - 1.0).abs()
                    < 1e-12
            );
            let Some(losses) = response.losses(&bids, &balls).expect("possible") else {
                // Not a unit of the plan's 2⁻⁶² comes here.
                assert!(reach < 1e-17, "{player} {bids:?} {balls:?}: {reach}");
                continue;
            };
            // Every weight of the plan is rounded to units of 2⁻⁶², once a turn, and all histories
            // add up.
            let near = 1e-9 + 1e-16 / reach;
            for ((bid, payoff), (other, loss)) in payoffs.into_iter().zip(losses) {
                assert_eq!(bid, other);
                let expected = (best - payoff) / reach;
                assert!(
                    (loss - expected).abs() <= near,
                    "{player} {bids:?} {balls:?} {bid}: {loss} {expected}"
                );
                if let Some((_, probability)) = advised.iter().find(|(other, _)| *other == bid) {
                    assert!(
                        *probability > 0.0 && expected <= near + 4e-5,
                        "{player} {bids:?} {balls:?} {bid}: {expected}"
                    );
                }
            }
            let made = strategy.bids(player, &bids, &balls).expect("possible");
            let kept = made.iter().filter(|(_, probability)| *probability > 0.0).count();
            costly += usize::from(advised.len() != kept);
        }
    }
    assert!(sets > 0);
    costly
}

#[test]
fn the_best_bids_are_best_at_every_information_set() {
    for game in &GAMES {
        for (points, ball) in [([3, 3], 0), ([4, 3], 0), ([2, 4], 1), ([5, 4], 0)] {
            let start = State::new(points[0], points[1], Ball::new(ball).expect("a ball"));
            let uniform = BlindPolicy::uniform(&game.rules(), start).expect("a small game");
            for method in [BlindMethod::Programme, BlindMethod::Regret] {
                let optimal = BlindSolver::new(&game.rules())
                    .start(start)
                    .method(method)
                    .solve()
                    .expect("a small game")
                    .policy();
                check(game, &optimal, &optimal);
                check(game, &optimal, &uniform);
            }
        }
    }
}

/// Where A's own bids before had probability 0, or next to none, the optimal strategy is arbitrary:
/// at 10:8 in dozens of sets that the other lets it come to.
#[test]
fn an_optimal_strategy_is_not_best_where_it_does_not_come_to_itself() {
    let [tennis, ..] = &GAMES;
    let optimal =
        BlindSolver::new(&tennis.rules()).points([10, 8]).solve().expect("a small game").policy();
    let costly = check(tennis, &optimal, &optimal);
    assert!(costly >= 24, "{costly}");
}
