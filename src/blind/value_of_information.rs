//! The value of knowing the opponent's account.

use std::ops::ControlFlow;

use super::{BlindPolicy, BlindSolution, BlindView, one_sided};
use crate::bounds::Enclosure;
use crate::error::{BlindError, Error};
use crate::game::{Ball, Player, State};
use crate::solution::Solution;
use crate::written_as::written_as;

/// The way in which a player of the open game guesses the opponent's account from the observations of a blind one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guess {
    /// The fewest points the opponent may have.
    Fewest,
    /// The middle of what the opponent may have, rounded down.
    Middle,
    /// The most points the opponent may have.
    Most,
}

impl Guess {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Fewest, Self::Middle, Self::Most];

    /// The account that is guessed.
    pub const fn of(self, view: &BlindView) -> u32 {
        match self {
            Self::Fewest => view.fewest,
            Self::Middle => u32::midpoint(view.fewest, view.most),
            Self::Most => view.most,
        }
    }
}

written_as!(
    Guess {
        Fewest => "fewest",
        Middle => "middle",
        Most => "most",
    },
    |text| BlindError::GuessUnknown { text } => BlindError
);

/// The blind game beside those in which one player or both see more; all values to A, in proved bounds.
///
/// Seeing more never hurts: the game in which A alone is blind is worth no more to A than the open game and the one in which both
/// are blind. The games in which one alone is blind are solved by regret minimisation.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::blind::{BlindSolver, ValueOfInformation};
/// use pencil_tennis::Rules;
///
/// let blind = BlindSolver::new(&Rules::tennis()).points([6, 4]).solve()?;
/// let open = pencil_tennis::solve(6)?;
/// let information = ValueOfInformation::new(&blind, &open, BlindSolver::GAP, |_| ControlFlow::Continue(()))?;
/// assert!(information.a_blind.upper() <= information.open.upper());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueOfInformation {
    /// Both are blind.
    pub blind: Enclosure,
    /// Both see all bids: the open game.
    pub open: Enclosure,
    /// A is blind, B sees all bids.
    pub a_blind: Enclosure,
    /// B is blind, A sees all bids.
    pub b_blind: Enclosure,
    /// The results of the open game's optimal bids in the blind one, if the other's account is guessed: the payoff that A's
    /// secure, and the one that B's concede.
    pub guesses: Vec<(Guess, Enclosure)>,
}

impl ValueOfInformation {
    /// Compares a blind game with a solution of the open one that covers its start. The games in which one alone is blind are
    /// solved until their bounds are at most `gap` apart, or `go_on`, which is told them now and then, breaks.
    ///
    /// # Errors
    /// [`crate::GameError::Outside`], [`super::BlindError::Rules`] where the rules differ, and as for
    /// [`BlindPolicy::from_fn`].
    pub fn new(
        blind: &BlindSolution,
        open: &Solution,
        gap: f64,
        mut go_on: impl FnMut(Enclosure) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let start = blind.start();
        if open.rules() != blind.rules() {
            return Err(BlindError::Rules.into());
        }
        let (both, neither) = (blind.enclosure(), open.enclosure(start)?);
        let [a_blind, b_blind] = Player::BOTH.map(|player| one_sided::solve(blind.rules(), start, player, gap, &mut go_on));
        let guesses = Guess::ALL.into_iter().map(|guess| Ok((guess, Self::guessing(blind, open, guess)?.enclosure())));
        Ok(Self {
            blind: both,
            open: neither,
            a_blind: a_blind.not_above(both).not_above(neither),
            b_blind: b_blind.not_below(both).not_below(neither),
            guesses: guesses.collect::<Result<_, Error>>()?,
        })
    }

    /// The policy that bids as the open game's solution does in the state that is guessed.
    pub fn guessing(blind: &BlindSolution, open: &Solution, guess: Guess) -> Result<BlindPolicy, Error> {
        BlindPolicy::from_fn(blind.rules(), blind.start(), |view| {
            let [a, b] = view.player.own_first([view.points, guess.of(view)]);
            // Nobody bids with two empty accounts: what is guessed to be over is not.
            let equilibrium = open.equilibrium(State::new(a, b, Ball::new(view.ball.position())?))?;
            let strategy = equilibrium.strategy(view.player);
            Ok(view.bids().map(|bid| strategy.probability(bid)).collect())
        })
    }
}
