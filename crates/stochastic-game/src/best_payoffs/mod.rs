//! Where a player of a recursive game gets the best payoff that play can still reach: with
//! probability 1, or with probabilities as close to 1 as one likes (de Alfaro, Henzinger and
//! Kupferman 2007).
//!
//! The probabilities do not matter for this, only which successors are possible. The [`search`]
//! finds the states by nested fixed points; the [`check`] proves them from witnesses, and alone
//! makes what is published here.

mod check;
mod search;

use num_rational::BigRational;

use super::model::{Kind, Scale, StochasticGame, size};
use crate::bounds::Enclosure;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::player::Player;

/// How surely a player gets the best payoff that play can still reach, if the opponent does what he
/// can against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// With probability 1, by one strategy.
    AlmostSure,
    /// With every probability below 1, and by no strategy with probability 1: the value is
    /// approached, and not attained.
    LimitSure,
}

/// The value of a state where a player gets the best payoff that play can still reach, almost
/// surely or limit-surely.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestPayoff {
    /// A, for whom the payoff is the highest, or B, for whom it is the lowest.
    pub player: Player,
    /// The payoff to A.
    pub payoff: BigRational,
    pub certainty: Certainty,
}

#[cfg(feature = "files")]
impl BestPayoff {
    /// Whether a strategy attains the value.
    pub(crate) const fn is_attained(&self) -> bool {
        matches!(self.certainty, Certainty::AlmostSure)
    }
}

/// The values that the graph of a game proves, without numbers.
#[cfg(feature = "files")]
#[derive(Debug)]
pub(crate) enum KnownByGraph {
    /// The values of all starts, in their order.
    Starts(Vec<BestPayoff>),
    /// A game of fewer states in which all starts have the same values: it ends where a player
    /// attains the best payoff.
    Smaller(Box<StochasticGame>),
    Nothing,
}

#[cfg(feature = "files")]
impl StochasticGame {
    /// The values of the starts, as far as the graph proves them.
    ///
    /// *Complexity.* As that of [`StochasticSolution::best_payoff`], for one player where that is
    /// enough.
    ///
    /// [`StochasticSolution::best_payoff`]: super::StochasticSolution::best_payoff
    pub(crate) fn known_by_graph(&self) -> KnownByGraph {
        let mut known: Vec<Option<BestPayoff>> = vec![None; self.len()];
        for player in Player::BOTH {
            let Some(proved) = BestPayoffs::of_player(self, player) else {
                return KnownByGraph::Nothing;
            };
            for (state, known) in known.iter_mut().enumerate() {
                if known.is_none() {
                    *known = proved.at(state);
                }
            }
            let of_starts = self.starts().iter().map(|&start| known[start as usize].clone());
            if let Some(of_starts) = of_starts.collect() {
                return KnownByGraph::Starts(of_starts);
            }
        }
        // Where a value is approached and not attained, an end would say that it is attained.
        let attained = |best: BestPayoff| best.is_attained().then_some(best.payoff);
        let values: Vec<Option<BigRational>> =
            known.into_iter().map(|best| best.and_then(attained)).collect();
        let is_decided = |state: usize| values[state].is_some() && self.end_value(state).is_none();
        if (0..self.len()).any(is_decided) {
            KnownByGraph::Smaller(Box::new(self.ended_at(&values)))
        } else {
            KnownByGraph::Nothing
        }
    }
}

/// The states of one game where a player gets the best payoff, proved.
#[derive(Debug)]
pub(super) struct BestPayoffs {
    /// By player.
    proved: check::Proved,
    /// The number of limit-sure states.
    approached_states: usize,
}

impl BestPayoffs {
    /// The states of a game where a player gets it; `None` if it is not recursive, or if the search
    /// takes too long.
    ///
    /// *Complexity.* O(cells) in each round of a search that mostly takes few; at most some hundred
    /// times the cells.
    pub(super) fn of(game: &StochasticGame) -> Option<Self> {
        if game.kind() != Kind::Recursive {
            return None;
        }
        Self::proved(game, search::find(game)?).ok()
    }

    /// The states where one player gets it; `None` as of both.
    #[cfg(feature = "files")]
    fn of_player(game: &StochasticGame, player: Player) -> Option<Self> {
        if game.kind() != Kind::Recursive {
            return None;
        }
        let mut claims: Claims = [None, None];
        claims[player as usize] = Some(search::find_of(game, player)?);
        Self::proved(game, claims).ok()
    }

    /// The states where claims say that a player gets it, if the check proves all claims.
    ///
    /// # Errors
    /// A game that is not recursive; the first claim that does not hold, with the state.
    pub(super) fn proved(
        game: &StochasticGame,
        claims: Claims,
    ) -> Result<Self, StochasticGameError> {
        if game.kind() != Kind::Recursive {
            let reason =
                "the best payoff that play can reach is proved of recursive games alone".to_owned();
            return Err(StochasticGameFault::Claim { reason }.into());
        }
        let proved = check::prove(game, claims)?;
        let found = Self { proved, approached_states: 0 };
        let approached_states = (0..game.len()).filter(|&state| found.is_approached(state)).count();
        Ok(Self { approached_states, ..found })
    }

    /// The proved claims about a player, if the certificate of the values needs them: some state's
    /// value is approached by the player, and not attained.
    #[cfg(feature = "files")]
    pub(super) fn claims_to_write(&self, player: Player) -> Option<&PlayerClaims> {
        let claims = self.proved.claims(player)?;
        let is_approached = |claim: &StateClaim| matches!(claim.hold, Hold::Approached(..));
        claims.states.iter().any(is_approached).then_some(claims)
    }

    /// The number of states whose values are approached and not attained.
    pub(super) const fn approached_states(&self) -> usize {
        self.approached_states
    }

    fn is_approached(&self, state: usize) -> bool {
        [Player::A, Player::B]
            .iter()
            .any(|&player| self.proved.certainty(state, player) == Some(Certainty::LimitSure))
    }

    /// The best payoff that a player gets from a state, if one does.
    pub(super) fn at(&self, state: usize) -> Option<BestPayoff> {
        let of_player = |player| {
            let certainty = self.proved.certainty(state, player)?;
            Some(BestPayoff { player, payoff: self.proved.payoff(state, player)?, certainty })
        };
        of_player(Player::A).or_else(|| of_player(Player::B))
    }

    /// The value of a state, if it is approached and not attained.
    pub(super) fn approached(&self, state: usize) -> Option<BigRational> {
        let is_approached = self.approached_states > 0 && self.is_approached(state);
        is_approached.then(|| self.at(state)).flatten().map(|best| best.payoff)
    }

    /// The bounds of the value of a state that is approached and not attained: the integers next to
    /// it.
    pub(super) fn enclosure(&self, state: usize, scale: Scale) -> Option<Enclosure> {
        let payoff = self.approached(state)?;
        // The unit of a certificate in longer numbers may be too fine for the payoff; whole numbers
        // always fit.
        let finest = Scale::of(size(&payoff)).unwrap_or_default();
        let scale = scale.min(finest);
        Some(Enclosure::proved(scale.bounds(&payoff), scale.exponent))
    }
}

/// The claims about A, then those about B. A solution has both, a certificate those that it needs.
pub(super) type Claims = [Option<PlayerClaims>; 2];

/// The claims about one player, who counts payoffs as his own: B's are the negative ones of A.
pub(super) struct PlayerClaims {
    /// The payoffs that are claimed of states, rising.
    pub(super) payoffs: Vec<BigRational>,
    pub(super) states: Vec<StateClaim>,
}

/// The claim about a player at a state.
pub(super) struct StateClaim {
    /// The best payoff that play can still reach, as its place among the payoffs.
    pub(super) payoff: u32,
    /// A number that falls wherever play cannot return, and never rises.
    pub(super) height: u32,
    pub(super) hold: Hold,
}

/// The hold that a player has on the best payoff.
pub(super) enum Hold {
    /// Almost surely.
    Sure(Way),
    /// Limit-surely, and not almost surely.
    Approached(Way, Obstacle),
    /// Not almost surely; nothing else is claimed.
    Open(Obstacle),
}

/// Whether infinite plays of a component give the best payoff.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InfinitePlay {
    Best,
    Worse,
}

/// How a player comes to the best payoff.
pub(super) struct Way {
    /// Play comes to lower ranks.
    pub(super) rank: u32,
    /// The actions that are played, with the stage of each, from 1: one of stage i with the
    /// probability ε^(i − 1), but for a factor.
    pub(super) stages: Vec<(u32, u32)>,
}

/// Why a player does not get the best payoff almost surely.
#[derive(Clone, Copy)]
pub(super) struct Obstacle {
    /// The states of lower layers are those from which he does not, either; from 1.
    pub(super) layer: u32,
    /// The reply against which play stays in the layer, unless an action is taken by which it may
    /// come to lower ones.
    pub(super) reply: u32,
}
