//! The report of `forced` for scripts: the payoffs that pure play can force.

use serde::Serialize;

use crate::analysis::{Endgame, ForcedPlay};
use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{Ball, ByPlayer, Payoff, Player, State};
use crate::solution::Solution;

/// The report of `forced`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ForcedReport {
    /// The most points of A and B.
    pub points: [u32; 2],
    /// The number of states.
    pub states: usize,
    /// The number of them that are decided by pure play.
    pub decided_states: usize,
    /// The most points for which every state with at most as many on either side is decided.
    pub decided_to: u32,
    /// The different payoffs to A as fractions, falling.
    pub payoffs: Vec<String>,
    /// The balls from A's end to B's.
    pub balls: Vec<BallReport>,
    /// The comparison of pure with optimal play, if a solution was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<ComparisonReport>,
}

/// The endgame with the ball on one position: see [`Endgame`].
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BallReport {
    /// The position of the ball.
    pub ball: i32,
    /// The number of states with this ball that are decided by pure play.
    pub decided_states: usize,
    /// The most points for which every state with at most as many on either side is decided.
    pub decided_to: u32,
    /// The states with the smallest total of points that require randomising.
    pub first_undecided: Vec<String>,
    /// The states with the largest total of points that are decided for neither the best nor the worst payoff.
    pub last_between: Vec<String>,
    /// By the opponent's points from 0: the fewest points from which on a player forces the best payoff, null where no account is
    /// enough.
    pub needed: ByPlayer<Vec<Option<u32>>>,
    /// The payoff that A can force: a list for each number of A's points from 0, with an entry for each of B's. Rounded down
    /// where no double is equal.
    pub lower: Vec<Vec<f64>>,
    /// The payoff that B can hold A to, in the same way, rounded up.
    pub upper: Vec<Vec<f64>>,
    /// The payoff that A can force as places in [`payoffs`](ForcedReport::payoffs).
    pub lower_payoff: Vec<Vec<usize>>,
    /// The payoff that B can hold A to, in the same way; a state is decided where both agree.
    pub upper_payoff: Vec<Vec<usize>>,
}

/// The numbers of states whose value pure play can force. The five numbers add up to all states.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ComparisonReport {
    /// Both players get the value by pure play: the decided states.
    pub both: usize,
    /// A gets the value by pure play, B has to randomise, here or later.
    pub a_alone: usize,
    /// B gets the value by pure play, A has to randomise, here or later.
    pub b_alone: usize,
    /// Both have to randomise, here or later.
    pub neither: usize,
    /// The bounds of the value do not tell.
    pub unknown: usize,
    /// Whether the bounds of the values are proved: see [`Solution::is_proved`].
    pub proved: bool,
}

impl ForcedReport {
    /// The report of what pure play forces; with a solution of the same game also how that compares with optimal play.
    ///
    /// # Errors
    /// As for [`Solution::check`], when the solution does not cover the states.
    pub fn new(forced: &ForcedPlay, solution: Option<&Solution>) -> Result<Self, Error> {
        let field = forced.rules().field();
        let balls = (-field..=field).map(|ball| BallReport::new(forced, Ball::new(ball)?)).collect::<Result<Vec<_>, Error>>()?;
        Ok(Self {
            points: forced.points(),
            states: forced.states().count(),
            decided_states: balls.iter().map(|ball| ball.decided_states).sum(),
            decided_to: balls.iter().map(|ball| ball.decided_to).min().unwrap_or(0),
            payoffs: forced.payoffs().map(|payoff| payoff.to_string()).collect(),
            balls,
            comparison: solution.map(|solution| ComparisonReport::new(forced, solution)).transpose()?,
        })
    }
}

impl BallReport {
    fn new(forced: &ForcedPlay, ball: Ball) -> Result<Self, Error> {
        let Endgame { ball, decided_states, decided_to, first_undecided, last_between, needed: ByPlayer { a, b } } =
            Endgame::of(forced, ball)?;
        let [most_a, most_b] = forced.points();
        let payoffs: Vec<Payoff> = forced.payoffs().collect();
        let table = |player: Player| {
            let place = |payoff| payoffs.iter().position(|&other| other == payoff).unwrap_or(0);
            let forces = |a, b| Ok(place(ByPlayer::from(forced.bounds(State::new(a, b, ball))?)[player]));
            let line = |a| (0..=most_b).map(|b| forces(a, b)).collect();
            (0..=most_a).map(line).collect::<Result<Vec<Vec<usize>>, Error>>()
        };
        let scale = forced.rules().scoring().scale();
        let bounds: Vec<Enclosure> =
            payoffs.iter().map(|&payoff| Enclosure::new(Bounds::new(scale.floor(payoff), scale.ceil(payoff)), scale)).collect();
        let numbers = |places: &[Vec<usize>], number: fn(&Enclosure) -> f64| {
            // What is printed of a bound takes much longer than looking it up.
            let payoffs: Vec<f64> = bounds.iter().map(number).collect();
            places.iter().map(|line| line.iter().map(|&place| payoffs[place]).collect()).collect()
        };
        let [lower_payoff, upper_payoff] = [table(Player::A)?, table(Player::B)?];
        let names = |states: Vec<State>| states.iter().map(State::to_string).collect();
        Ok(Self {
            ball: ball.position(),
            decided_states,
            decided_to,
            first_undecided: names(first_undecided),
            last_between: names(last_between),
            needed: ByPlayer { a, b },
            lower: numbers(&lower_payoff, Enclosure::lower),
            upper: numbers(&upper_payoff, Enclosure::upper),
            lower_payoff,
            upper_payoff,
        })
    }
}

impl ComparisonReport {
    fn new(forced: &ForcedPlay, solution: &Solution) -> Result<Self, Error> {
        let mut report = Self { proved: solution.is_proved(), ..Self::default() };
        for state in forced.states() {
            let [a, b] = [forced.attains(Player::A, solution, state)?, forced.attains(Player::B, solution, state)?];
            *match (a, b) {
                (Some(true), Some(true)) => &mut report.both,
                (Some(true), Some(false)) => &mut report.a_alone,
                (Some(false), Some(true)) => &mut report.b_alone,
                (Some(false), Some(false)) => &mut report.neither,
                (None, _) | (_, None) => &mut report.unknown,
            } += 1;
        }
        Ok(report)
    }
}
