//! Games with uncertain probabilities, against the same games in which nature's choice is a turn of
//! a player: at the corners of the limits, which are enough, since a mean is linear in the
//! probabilities.

use num_rational::Ratio;
use num_traits::{One, Zero};
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    CellTable, Kind, PolicyJudgement, StationaryPolicy, StochasticGame, StochasticGameBuilder,
    StochasticProof, StochasticSolution, StochasticSolver,
};

use crate::judged::collected;
use crate::kernels::Fraction;
use crate::random_games::numbers;

/// A cell: a reward, and the least and the largest probability of each successor, in parts of 12.
#[derive(Clone, Debug)]
struct Cell {
    reward: i64,
    to: Vec<([i64; 2], usize)>,
}

/// Two ends, and states whose tables have two rows and two columns.
#[derive(Clone, Debug)]
struct Plain {
    kind: Kind,
    ends: [i64; 2],
    states: Vec<[[Cell; 2]; 2]>,
}

const PARTS: i64 = 12;

impl Plain {
    /// A game by chance of so many states. State 0 and 1 are the ends.
    fn random(numbers: &mut impl FnMut(u64) -> u64, kind: Kind, count: usize) -> Self {
        let mut states = Vec::new();
        for state in 0..count {
            states.push(
                [(); 2].map(|()| [(); 2].map(|()| Self::random_cell(numbers, kind, state, count))),
            );
        }
        Self { kind, ends: [numbers(5) as i64, -(numbers(5) as i64)], states }
    }

    fn random_cell(
        numbers: &mut impl FnMut(u64) -> u64,
        kind: Kind,
        state: usize,
        count: usize,
    ) -> Cell {
        // States of an acyclic game lead to later ones. Every cell may end play, but in some
        // recursive games.
        let later = if kind == Kind::Acyclic { state + 1 } else { 0 };
        let mut to = Vec::new();
        for _ in 0..2 {
            let is_end = later == count;
            to.push(if is_end {
                numbers(2) as usize
            } else {
                2 + later + numbers((count - later) as u64) as usize
            });
        }
        if kind != Kind::Recursive || numbers(3) > 0 {
            to.push(numbers(2) as usize);
        }
        to.sort_unstable();
        to.dedup();
        // A possible choice, and limits around it.
        let mut left = PARTS;
        let mut limits = Vec::new();
        for place in 0..to.len() {
            let others = (to.len() - place - 1) as i64;
            let part = if others == 0 { left } else { 1 + numbers((left - others) as u64) as i64 };
            left -= part;
            let least = part - numbers(part as u64) as i64;
            let most = part + numbers((PARTS - part + 1) as u64) as i64;
            limits.push([least, most]);
        }
        let reward = match kind {
            Kind::Recursive => 0,
            Kind::Total | Kind::Target => numbers(4) as i64,
            _ => numbers(9) as i64 - 4,
        };
        Cell { reward, to: limits.into_iter().zip(to).collect() }
    }

    fn builder(&self) -> StochasticGameBuilder {
        let mut builder = StochasticGame::builder(self.kind, None).unwrap();
        for (name, value) in ["e0", "e1"].into_iter().zip(self.ends) {
            builder.end(name, Fraction::from_integer(value.into())).unwrap();
        }
        for state in 0..self.states.len() {
            builder.start(&name(2 + state)).unwrap();
        }
        builder
    }

    /// The game with intervals.
    fn uncertain(&self, nature: Player) -> StochasticGame {
        let mut builder = self.builder();
        builder.nature(nature);
        for (state, rows) in self.states.iter().enumerate() {
            let mut cells = CellTable::default();
            for row in rows {
                for cell in row {
                    for &([least, most], next) in &cell.to {
                        cells.follow_between(
                            Ratio::new(least, PARTS),
                            Ratio::new(most, PARTS),
                            name(next),
                        );
                    }
                    cells.push(cell.reward);
                }
                cells.end_row();
            }
            builder
                .state(&name(2 + state), [&["x", "y"], &["x", "y"]], Fraction::zero(), &cells)
                .unwrap();
        }
        builder.finish().unwrap()
    }

    /// The game in which every cell leads to a state of its own, where nature's player takes a
    /// corner of the limits.
    fn by_corners(&self, nature: Player) -> StochasticGame {
        let mut builder = self.builder();
        for (state, rows) in self.states.iter().enumerate() {
            let mut table = CellTable::default();
            for (a, row) in rows.iter().enumerate() {
                for (b, cell) in row.iter().enumerate() {
                    let turn = format!("{}{a}{b}", name(2 + state));
                    table.follow(1, turn.clone());
                    table.push(cell.reward);
                    let corners = corners(cell);
                    let names: Vec<String> =
                        (0..corners.len()).map(|corner| corner.to_string()).collect();
                    let mut cells = CellTable::default();
                    for weights in &corners {
                        for (&weight, (_, next)) in weights.iter().zip(&cell.to) {
                            cells.follow(Ratio::new(weight, PARTS), name(*next));
                        }
                        cells.push(0);
                        if nature == Player::A {
                            cells.end_row();
                        }
                    }
                    if nature == Player::B {
                        cells.end_row();
                    }
                    let waits = vec!["-".to_owned()];
                    let actions = if nature == Player::A {
                        [&names[..], &waits]
                    } else {
                        [&waits[..], &names]
                    };
                    builder.state(&turn, actions, Fraction::zero(), &cells).unwrap();
                }
                table.end_row();
            }
            builder
                .state(&name(2 + state), [&["x", "y"], &["x", "y"]], Fraction::zero(), &table)
                .unwrap();
        }
        builder.finish().unwrap()
    }
}

fn name(state: usize) -> String {
    if state < 2 { format!("e{state}") } else { format!("s{}", state - 2) }
}

/// All choices in which every probability but one is at a limit.
fn corners(cell: &Cell) -> Vec<Vec<i64>> {
    let count = cell.to.len();
    let mut corners = Vec::new();
    for free in 0..count {
        for limits in 0..1_usize << count {
            let mut weights: Vec<i64> = cell
                .to
                .iter()
                .enumerate()
                .map(|(place, (limit, _))| limit[limits >> place & 1])
                .collect();
            weights[free] = 0;
            weights[free] = PARTS - weights.iter().sum::<i64>();
            let [least, most] = cell.to[free].0;
            if (least..=most).contains(&weights[free]) && !corners.contains(&weights) {
                corners.push(weights);
            }
        }
    }
    corners
}

fn solved(game: StochasticGame) -> StochasticSolution {
    StochasticSolver::new(game).solve().unwrap()
}

/// Verifies a solution's certificate, and compares the bounds.
fn check_certificate(solution: &StochasticSolution) {
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    let proof = StochasticProof::verify(&certificate[..]).unwrap();
    for state in 0..solution.game().len() {
        assert_eq!(proof.enclosure(&state).unwrap(), solution.enclosure(&state).unwrap());
    }
}

#[test]
fn nature_chooses_as_a_player_would_at_the_corners() {
    let mut next_number = numbers(2026);
    for kind in [Kind::Acyclic, Kind::Stopping, Kind::Recursive, Kind::Total, Kind::Target] {
        for _ in 0..12 {
            let plain = Plain::random(&mut next_number, kind, 4);
            for nature in Player::BOTH {
                let solution = solved(plain.uncertain(nature));
                let expected = solved(plain.by_corners(nature));
                for state in 0..plain.states.len() {
                    let name = name(2 + state);
                    let bounds =
                        solution.enclosure(&solution.game().place(&name).unwrap()).unwrap();
                    let other = expected.enclosure(&expected.game().place(&name).unwrap()).unwrap();
                    assert!(
                        bounds.lower() <= other.upper()
                            && other.lower() <= bounds.upper()
                            && bounds.width() < 1e-12,
                        "{kind} {nature} {name}: {bounds:?} {other:?} {plain:?}"
                    );
                }
                check_certificate(&solution);
            }
        }
    }
}

/// v = 1 + p v / 2, where nature chooses p from 1/4 to 3/4: 8/5 at most and 8/7 at least; the rest
/// ends play.
#[test]
fn a_discount_multiplies_what_nature_chooses() {
    for (nature, expected) in [("A", "8/5"), ("B", "8/7")] {
        let text = format!(
            r#"{{"format":"stochastic-game","version":1,"kind":"discounted","discount":"1/2","nature":"{nature}","start":["s"]}}
            {{"id":"s","a":["x"],"b":["x"],"cells":[[{{"reward":"1","to":[["[1/4,3/4]","s"],["[1/4,3/4]","end"]]}}]]}}
            {{"id":"end","value":"0"}}"#
        );
        let solution = solved(StochasticGame::read(text.as_bytes()).unwrap());
        let enclosure = solution.enclosure(&0).unwrap();
        assert!(
            enclosure.contains(&expected.parse().unwrap()) && enclosure.width() < 1e-15,
            "{nature}: {enclosure:?}"
        );
        check_certificate(&solution);
    }
}

/// The bytes of a game with intervals, numbers in lowest terms; the choice that `turn` shows is
/// possible.
#[test]
fn intervals_are_written_as_they_are_read() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","nature":"B","start":["s"]}
{"id":"s","a":["x"],"b":["y"],"cells":[[{"reward":"1/3","to":[["[1/10,3/10]","t"],["[1/5,4/5]","u"],["1/10","s"]]}]]}
{"id":"t","value":"-5"}
{"id":"u","value":"2"}
"#
    .replace("[\"1/10\",\"s\"]", "[\"1/10\",\"t\"]");
    let game = StochasticGame::read(text.as_bytes()).unwrap();
    let mut written = Vec::new();
    game.write(&mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text);
    let successors = game.state(0).unwrap().turn([0, 0]).unwrap().successors;
    assert!(successors.iter().map(|next| &next.probability).sum::<Fraction>().is_one());
    for next in &successors {
        if let Some([least, most]) = &next.limits {
            assert!(*least <= next.probability && next.probability <= *most);
        }
    }
    let decimals = text.replace("[1/10,3/10]", " [ 0.1 , 3e-1 ] ");
    let decimals = StochasticGame::read(decimals.as_bytes()).unwrap();
    let limits = |game: &StochasticGame| -> Vec<Option<[Fraction; 2]>> {
        let turn = game.state(0).unwrap().turn([0, 0]).unwrap();
        turn.successors.into_iter().map(|next| next.limits).collect()
    };
    let parts =
        |numerator: i32, denominator: i32| Fraction::new(numerator.into(), denominator.into());
    let expected = [Some([parts(1, 10), parts(3, 10)]), Some([parts(1, 5), parts(4, 5)]), None];
    assert_eq!(limits(&game), expected);
    assert_eq!(limits(&decimals), expected);
}

/// Jamming of radio channels: four channels change their state by intervals of width 0.02, and the
/// user has to send in half of six slots (He and Parker 2026, whose program prints 0.798114889207).
#[test]
fn the_value_of_the_jamming_game_is_enclosed() {
    let slots = 6;
    let mut builder = StochasticGame::builder(Kind::Acyclic, None).unwrap();
    builder.nature(Player::B);
    builder.end("won", Fraction::one()).unwrap();
    builder.end("lost", Fraction::zero()).unwrap();
    let name = |slot: usize, up: usize, sent: usize| {
        if 2 * sent >= slots {
            "won".to_owned()
        } else if slot == slots {
            "lost".to_owned()
        } else {
            format!("{slot} {up} {sent}")
        }
    };
    builder.start(&name(0, 0b1111, 0)).unwrap();
    for slot in 0..slots {
        for up in 0..16 {
            for sent in (0..=slot).filter(|sent| 2 * sent < slots) {
                let mut cells = CellTable::default();
                for user in 0..3 {
                    for jammer in 1..4 {
                        for next in 0..16_usize {
                            let (mut least, mut most) = (Ratio::one(), Ratio::one());
                            for channel in 0..4 {
                                let [before, after] =
                                    [up, next].map(|channels| channels >> channel & 1);
                                let changes = if before == after {
                                    Ratio::new(1, 4)
                                } else {
                                    Ratio::new(3, 4)
                                };
                                least *= changes - Ratio::new(1, 100);
                                most *= changes + Ratio::new(1, 100);
                            }
                            let arrives = next >> user & 1 == 0 && user != jammer;
                            cells.follow_between(
                                least,
                                most,
                                name(slot + 1, next, sent + usize::from(arrives)),
                            );
                        }
                        cells.push(0);
                    }
                    cells.end_row();
                }
                builder
                    .state(
                        &name(slot, up, sent),
                        [&["0", "1", "2"], &["1", "2", "3"]],
                        Fraction::zero(),
                        &cells,
                    )
                    .unwrap();
            }
        }
    }
    let solution = solved(builder.finish().unwrap());
    let start = solution.game().starts()[0] as usize;
    let enclosure = solution.enclosure(&start).unwrap();
    // Another program, in fractions, prints 0.798114889207186 and …215, rounded to nearest.
    let within = enclosure.lower() >= 0.798_114_889_207_185_5
        && enclosure.upper() <= 0.798_114_889_207_215_5;
    assert!(within && enclosure.width() < 1e-16, "{enclosure:?}");
}

/// The payoff of A, at each of the states, of a player's policy when the opponent and nature do
/// their worst: the extreme of all pure stationary replies with all corners of the limits, each by
/// linear equations in fractions. Endless play pays 0.
///
/// `policy` has a weight of the first action of each state, in quarters.
fn worst_case(plain: &Plain, player: Player, policy: &[i64]) -> Vec<Fraction> {
    let count = plain.states.len();
    // By state, what may be done against the policy there: the mean reward, and the probabilities
    // of what follows.
    let mut answers: Vec<Vec<(Fraction, Vec<Fraction>)>> = Vec::new();
    for (cells, &quarters) in plain.states.iter().zip(policy) {
        let mut alternatives = Vec::new();
        for reply in [0, 1] {
            let joint_cells = [0, 1].map(|action| {
                if player == Player::A { &cells[action][reply] } else { &cells[reply][action] }
            });
            let shares = [quarters, 4 - quarters].map(|weight| Ratio::new(weight.into(), 4.into()));
            let reward: Fraction = joint_cells
                .iter()
                .zip(&shares)
                .map(|(cell, share)| share * Fraction::from_integer(cell.reward.into()))
                .sum();
            for first in corners(joint_cells[0]) {
                for second in corners(joint_cells[1]) {
                    let mut to = vec![Fraction::zero(); 2 + count];
                    for ((cell, weights), share) in
                        joint_cells.iter().zip([&first, &second]).zip(&shares)
                    {
                        for (&weight, (_, next)) in weights.iter().zip(&cell.to) {
                            to[*next] += share * Ratio::new(weight.into(), PARTS.into());
                        }
                    }
                    alternatives.push((reward.clone(), to));
                }
            }
        }
        answers.push(alternatives);
    }

    let mut chosen = vec![0; count];
    let mut worst: Option<Vec<Fraction>> = None;
    loop {
        let chain: Vec<&(Fraction, Vec<Fraction>)> = chosen
            .iter()
            .zip(&answers)
            .map(|(&choice, alternatives)| &alternatives[choice])
            .collect();
        let values = values_of_chain(plain, &chain);
        worst = Some(match worst {
            None => values,
            Some(worst) => {
                let pairs = worst.into_iter().zip(values);
                pairs
                    .map(
                        |(one, other)| {
                            if player == Player::A { one.min(other) } else { one.max(other) }
                        },
                    )
                    .collect()
            }
        });
        // The next choice, as a number is counted up.
        let Some(place) = (0..count).find(|&state| chosen[state] + 1 < answers[state].len()) else {
            break;
        };
        chosen[..place].fill(0);
        chosen[place] += 1;
    }
    worst.unwrap()
}

/// The expected payoffs of a chain of rewards and successors; a state from which play cannot end is
/// worth 0.
fn values_of_chain(plain: &Plain, chain: &[&(Fraction, Vec<Fraction>)]) -> Vec<Fraction> {
    let count = chain.len();
    let mut ends = vec![false; count];
    for _ in 0..count {
        for (state, (_, to)) in chain.iter().enumerate() {
            let leads =
                (0..2 + count).any(|next| !to[next].is_zero() && (next < 2 || ends[next - 2]));
            ends[state] |= leads;
        }
    }
    let (mut pays, mut step) =
        (vec![Fraction::zero(); count], vec![vec![Fraction::zero(); count]; count]);
    for (state, (reward, to)) in chain.iter().enumerate().filter(|(state, _)| ends[*state]) {
        pays[state] = reward.clone();
        for (share, end) in to.iter().zip(plain.ends) {
            pays[state] += share * Fraction::from_integer(end.into());
        }
        step[state].clone_from_slice(&to[2..]);
    }
    collected(&pays, &step)
}

fn judged(solution: &StochasticSolution, policy: &StationaryPolicy) -> PolicyJudgement {
    solution.judge(policy, &mut |_| std::ops::ControlFlow::Continue(())).unwrap()
}

#[test]
fn a_policy_is_worth_what_the_opponent_and_nature_leave_together() {
    let mut next_number = numbers(55);
    for kind in [Kind::Acyclic, Kind::Stopping, Kind::Recursive, Kind::Total, Kind::Target] {
        for _ in 0..12 {
            let plain = Plain::random(&mut next_number, kind, 2);
            let quarters: Vec<i64> = (0..2).map(|_| next_number(5) as i64).collect();
            for player in Player::BOTH {
                let expected = worst_case(&plain, player, &quarters);
                // For whomever nature chooses in the game.
                for nature in Player::BOTH {
                    let solution = solved(plain.uncertain(nature));
                    let game = solution.game();
                    let mut probabilities = vec![Vec::new(); game.len()];
                    for (state, &weight) in quarters.iter().enumerate() {
                        let share = |weight: i64| Fraction::new(weight.into(), 4.into());
                        let given = [(0, share(weight)), (1, share(4 - weight))];
                        probabilities[game.place(&name(2 + state)).unwrap()] = given.to_vec();
                    }
                    let policy = StationaryPolicy::new(game, player, &probabilities).unwrap();
                    let judgement = judged(&solution, &policy);
                    for (state, expected) in expected.iter().enumerate() {
                        let place = game.place(&name(2 + state)).unwrap();
                        let payoff = judgement.state(place).unwrap().secured;
                        assert!(
                            payoff.contains(expected) && payoff.width() < 1e-12,
                            "{kind} {player} {nature} {state}: {payoff:?} {expected} {plain:?} {quarters:?}"
                        );
                        let judged = judgement.state(place).unwrap();
                        assert!(judged.loss.upper() >= 0.0 && judged.regret.upper() >= 0.0);
                    }
                }
            }
        }
    }
}

#[test]
fn optimal_policies_lose_nothing_against_nature() {
    let mut next_number = numbers(56);
    for kind in [Kind::Acyclic, Kind::Stopping, Kind::Total] {
        for _ in 0..12 {
            let plain = Plain::random(&mut next_number, kind, 4);
            for player in Player::BOTH {
                let solution = solved(plain.uncertain(player.opponent()));
                let policy = StationaryPolicy::optimal(&solution, player).unwrap();
                let judgement = judged(&solution, &policy);
                for &start in solution.game().starts() {
                    let loss = judgement.state(start as usize).unwrap().loss;
                    assert!(loss.upper() < 1e-12, "{kind} {player}: {loss:?} {plain:?}");
                }
            }
        }
    }
}

/// A is paid 1 a turn and nature decides how long: w = 1 + p w, with p from 1/4 to 99/100.
#[test]
fn nature_ends_play_soon_for_a_and_late_for_b() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","nature":"A","start":["s"]}
        {"id":"s","a":["x"],"b":["x"],"cells":[[{"reward":"1","to":[["[1/4,99/100]","s"],["[1/100,3/4]","end"]]}]]}
        {"id":"end","value":"0"}"#;
    let solution = solved(StochasticGame::read(text.as_bytes()).unwrap());
    let start = solution.game().place("s").unwrap();
    for (player, expected) in [(Player::A, "4/3"), (Player::B, "100")] {
        let policy = StationaryPolicy::uniform(solution.game(), player);
        let payoff = judged(&solution, &policy).state(start).unwrap().secured;
        assert!(
            payoff.contains(&expected.parse().unwrap()) && payoff.width() < 1e-12,
            "{player}: {payoff:?}"
        );
    }
}
