//! The report of `forced` for scripts: the payoffs that pure play can force.

use crate::analysis::{Endgame, ForcedPlay, PureComparison};
use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{Ball, ByPlayer, Payoff, Player, State};
use crate::serde_object::as_objects;

/// The report of `forced`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ForcedReport<'f> {
    /// The results that pure play forces.
    pub forced: &'f ForcedPlay,
    /// The balls from A's end to B's.
    pub balls: Vec<BallReport>,
    /// The comparison of pure with optimal play, if that was asked for.
    pub comparison: Option<PureComparison>,
}

/// The endgame with the ball on one position, and the payoffs that are forced there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BallReport {
    /// The endgame.
    pub endgame: Endgame,
    /// The payoffs that A can force and that B can hold A to: a list for each number of A's points from 0, with an entry for each
    /// of B's, as places in [`ForcedPlay::payoffs`].
    pub places: ByPlayer<Vec<Vec<usize>>>,
    /// The payoffs, rounded down for A and up for B where no double is equal.
    payoffs: ByPlayer<Vec<f64>>,
}

impl<'f> ForcedReport<'f> {
    /// The report of what pure play forces.
    ///
    /// # Errors
    /// None in practice: all states are there.
    pub fn new(forced: &'f ForcedPlay) -> Result<Self, Error> {
        let field = forced.rules().field();
        let balls = (-field..=field).map(|ball| BallReport::new(forced, Ball::new(ball)?));
        Ok(Self { forced, balls: balls.collect::<Result<_, Error>>()?, comparison: None })
    }

    /// The number of states that are decided by pure play.
    pub fn decided_states(&self) -> usize {
        self.balls.iter().map(|ball| ball.endgame.decided_states).sum()
    }

    /// The most points for which every state with at most as many on either side is decided.
    pub fn decided_to(&self) -> u32 {
        self.balls.iter().map(|ball| ball.endgame.decided_to).min().unwrap_or(0)
    }
}

impl BallReport {
    fn new(forced: &ForcedPlay, ball: Ball) -> Result<Self, Error> {
        let [most_a, most_b] = forced.points();
        let payoffs: Vec<Payoff> = forced.payoffs().collect();
        let table = |player: Player| {
            let place = |payoff| payoffs.iter().position(|&other| other == payoff).unwrap_or(0);
            let forces = |a, b| Ok(place(ByPlayer::from(forced.bounds(State::new(a, b, ball))?)[player]));
            let line = |a| (0..=most_b).map(|b| forces(a, b)).collect();
            (0..=most_a).map(line).collect::<Result<Vec<Vec<usize>>, Error>>()
        };
        let scale = forced.rules().scoring().scale();
        let bounds = |&payoff: &Payoff| Enclosure::new(Bounds::new(scale.floor(payoff), scale.ceil(payoff)), scale);
        Ok(Self {
            endgame: Endgame::of(forced, ball)?,
            places: ByPlayer { a: table(Player::A)?, b: table(Player::B)? },
            // Writing a bound takes much longer than looking it up.
            payoffs: ByPlayer {
                a: payoffs.iter().map(|payoff| bounds(payoff).lower()).collect(),
                b: payoffs.iter().map(|payoff| bounds(payoff).upper()).collect(),
            },
        })
    }

    fn numbers(&self, player: Player) -> Vec<Vec<f64>> {
        let number = |&place: &usize| self.payoffs[player][place];
        self.places[player].iter().map(|line| line.iter().map(number).collect()).collect()
    }
}

as_objects! {
    ForcedReport<'_>, |report| {
        "points": report.forced.points(),
        "states": report.forced.states().count(),
        "decided_states": report.decided_states(),
        "decided_to": report.decided_to(),
        "payoffs": report.forced.payoffs().map(|payoff| payoff.to_string()).collect::<Vec<_>>(),
        "balls": report.balls,
        "comparison" if known: report.comparison,
    }
    BallReport, |report| {
        "ball": report.endgame.ball.position(),
        "decided_states": report.endgame.decided_states,
        "decided_to": report.endgame.decided_to,
        "first_undecided": report.endgame.first_undecided,
        "last_between": report.endgame.last_between,
        "needed": report.endgame.needed,
        "lower": report.numbers(Player::A),
        "upper": report.numbers(Player::B),
        "lower_payoff": report.places.a,
        "upper_payoff": report.places.b,
    }
}
