//! The value of knowing the opponent's account.

use std::ops::ControlFlow;

use super::{BlindPolicy, BlindSolution, BlindView, one_sided};
use crate::bounds::Enclosure;
use crate::error::{BlindError, Error};
use crate::game::{Ball, ByPlayer, Player, State};
use crate::solution::Solution;
use crate::written_as::written_as;

/// A guess of the opponent's account from a blind player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guess {
    Fewest,
    /// The middle of the possible accounts, rounded down.
    Middle,
    Most,
}

impl Guess {
    pub const ALL: [Self; 3] = [Self::Fewest, Self::Middle, Self::Most];

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

/// Proved bounds of the value to A, with neither, one or both players blind.
///
/// Information never hurts: the game in which only A is blind is worth no more to A than the open
/// game and the one in which both are blind. Games with one blind player are solved by regret
/// minimisation.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::blind::{BlindSolver, ValueOfInformation};
/// use pencil_tennis::Rules;
///
/// let blind = BlindSolver::new(&Rules::tennis()).points([6, 4]).solve()?;
/// let open = pencil_tennis::solve(6)?;
/// let information = ValueOfInformation::new(&blind, &open, BlindSolver::GAP, |_| ControlFlow::Continue(()))?;
/// assert!(information.one_blind.a.upper() <= information.open.upper());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValueOfInformation {
    pub blind: Enclosure,
    /// The open game: both see all bids.
    pub open: Enclosure,
    /// The games in which this player alone is blind.
    pub one_blind: ByPlayer<Enclosure>,
    /// For each guess of the opponent's account, the payoffs that the open game's optimal bids
    /// secure for A and concede for B in the blind game.
    pub guesses: Vec<(Guess, Enclosure)>,
}

impl ValueOfInformation {
    /// Compares a blind game with a solution of the open one that covers its start. Games with one
    /// blind player are solved until their bounds are at most `gap` times the span of payoffs
    /// apart, or `on_bounds`, which receives them now and then, breaks.
    ///
    /// # Errors
    /// [`super::BlindError::Rules`] where the rules differ; as for [`BlindPolicy::from_fn`].
    pub fn new(
        blind: &BlindSolution,
        open: &Solution,
        gap: f64,
        mut on_bounds: impl FnMut(Enclosure) -> ControlFlow<()> + Send,
    ) -> Result<Self, Error> {
        let start = blind.start();
        if open.rules() != blind.rules() {
            return Err(BlindError::Rules.into());
        }
        let (both, neither) = (blind.enclosure(), open.enclosure(start)?);
        let [a_blind, b_blind] = Player::BOTH
            .map(|player| one_sided::solve(blind.rules(), start, player, gap, &mut on_bounds));
        let guesses = Guess::ALL
            .into_iter()
            .map(|guess| Ok((guess, Self::guessing(blind, open, guess)?.enclosure())));
        Ok(Self {
            blind: both,
            open: neither,
            one_blind: ByPlayer {
                a: a_blind.not_above(both).not_above(neither),
                b: b_blind.not_below(both).not_below(neither),
            },
            guesses: guesses.collect::<Result<_, Error>>()?,
        })
    }

    /// The policy that bids as the open game's solution in the guessed state.
    pub fn guessing(
        blind: &BlindSolution,
        open: &Solution,
        guess: Guess,
    ) -> Result<BlindPolicy, Error> {
        BlindPolicy::from_fn(blind.rules(), blind.start(), |view| {
            let [a, b] = view.player.own_first([view.points, guess.of(view)]);
            // Both accounts cannot be empty: the game would be over.
            let equilibrium =
                open.equilibrium(State::new(a, b, Ball::new(view.ball.position())?))?;
            let strategy = equilibrium.strategy(view.player);
            Ok(view.bids().map(|bid| strategy.probability(bid)).collect())
        })
    }
}
