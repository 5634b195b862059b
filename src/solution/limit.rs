//! Bounds of the values at all multiples of some points: `docs/limit.md` has the theorem.

use super::{BidStrategy, Solution, Solver};
use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{GameError, Player, Rules, State};

/// Bounds of the values at all multiples of some points, from the solutions of the games [in
/// favour](Rules::favouring) of A and of B.
///
/// ```
/// use pencil_tennis::{Rules, Solver};
///
/// let limit = Solver::new(&Rules::tennis()).points([20, 20]).limit()?;
/// let bounds = limit.bounds("20:20@1".parse()?)?;
/// for k in 1..=3 {
///     let value = pencil_tennis::solve(20 * k)?.value(format!("{0}:{0}@1", 20 * k).parse()?)?;
///     assert!(bounds.lower() <= value && value <= bounds.upper());
/// }
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limit {
    rules: Rules,
    upper: Solution,
    /// The game in favour of B, unless it is the mirror image of the other.
    lower: Option<Solution>,
}

impl Solver<'_> {
    /// Solves the two games that bound the values at all multiples of the points. Takes as long as
    /// two solves without symmetry, or as one if game and points are symmetric.
    ///
    /// # Errors
    /// [`GameError::Unnatural`], [`GameError::ZeroBids`] and [`GameError::Favoured`] for rules that
    /// the theorem does not cover, the last also after [`Solver::resume`].
    /// [`Solver::on_checkpoint`] is never called.
    pub fn limit(mut self) -> Result<Limit, Error> {
        let rules = self.rules;
        rules.check_bids_spend("the limit")?;
        if !rules.is_monotone() {
            return Err(GameError::Unnatural { scoring: rules.scoring().to_string() }.into());
        }
        if self.resumed.is_some() {
            return Err(GameError::Favoured { wanted: "a checkpoint" }.into());
        }
        (self.checkpoint, self.exact_bits) = (None, None);
        let is_mirrored = rules.is_antisymmetric() && self.points[0] == self.points[1];
        self.rules = rules.favouring(Player::A)?;
        let upper = self.run()?;
        self.rules = rules.favouring(Player::B)?;
        let lower = if is_mirrored { None } else { Some(self.run()?) };
        Ok(Limit { rules, upper, lower })
    }
}

impl Limit {
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The most points of A and B whose multiples are bounded.
    pub const fn points(&self) -> [u32; 2] {
        self.upper.points()
    }

    /// Bounds of the value at `(ka, kb, x)` for every `k ≥ 1`, where `(a, b, x)` is the state.
    /// O(1).
    pub fn bounds(&self, state: State) -> Result<Enclosure, GameError> {
        self.between(state, state)
    }

    /// The smallest `N` from which on, and bounds of the value at `N:N` with this ball for *all*
    /// such `N`. O(1).
    ///
    /// # Errors
    /// [`GameError::NoPoints`] if a player has fewer than two points.
    pub fn bounds_of_all(&self, ball: crate::game::Ball) -> Result<(u64, Enclosure), GameError> {
        let [a, b] = self.points();
        let Some(fewer) = a.min(b).checked_sub(1).filter(|&fewer| fewer > 0) else {
            return Err(GameError::NoPoints { player: if a < b { Player::A } else { Player::B } });
        };
        // Every N from here on lies between kn and k(n + 1), where n = fewer.
        let from = u64::from(fewer) * u64::from(fewer - 1);
        Ok((
            from.max(1),
            self.between(State::new(fewer, fewer + 1, ball), State::new(fewer + 1, fewer, ball))?,
        ))
    }

    /// From the lower game's value at one state to the upper game's at another.
    fn between(&self, low: State, high: State) -> Result<Enclosure, GameError> {
        let upper = self.upper.enclosure(high)?;
        let lower = match &self.lower {
            Some(lower) => lower.enclosure(low)?.integers().lower,
            None => -self.upper.enclosure(low.mirrored())?.integers().upper,
        };
        Ok(Enclosure::proved(Bounds::new(lower, upper.integers().upper), upper.unit_exponent()))
    }

    /// A strategy that secures the player's [bound](Self::bounds) at all multiples of a state: a
    /// bid `i` stands for `k·i`.
    pub fn strategy(&self, player: Player, state: State) -> Result<BidStrategy, Error> {
        Ok(match (player, &self.lower) {
            (Player::B, _) => self.upper.equilibrium(state)?.b,
            (Player::A, Some(lower)) => lower.equilibrium(state)?.a,
            (Player::A, None) => self.upper.equilibrium(state.mirrored())?.b,
        })
    }

    /// The solution of the game in favour of a player; `None` if it is the mirror image of the other.
    pub const fn game(&self, favoured: Player) -> Option<&Solution> {
        match favoured {
            Player::A => Some(&self.upper),
            Player::B => self.lower.as_ref(),
        }
    }
}
