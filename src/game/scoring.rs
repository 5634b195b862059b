//! The payoffs of the five ends.

use std::fmt;
use std::str::FromStr;

use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::{GameError, Outcome, Player};
use crate::bounds::FixedPointScale;

pub type Payoff = Ratio<i64>;

pub(crate) fn nearest_double(payoff: Payoff) -> f64 {
    // A ratio of integers always has one.
    payoff.to_f64().unwrap_or(f64::NAN)
}

pub(crate) fn big_rational(payoff: Payoff) -> BigRational {
    BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into())
}

/// The payoff to A for each [`Outcome`]; B's is the negative.
///
/// Payoffs are exact fractions. They need not be integers, nor antisymmetric, nor in the natural
/// order.
///
/// ```
/// use pencil_tennis::{Outcome, Scoring};
///
/// let scoring: Scoring = "2,1,0,-1,-2".parse()?;
/// assert_eq!(scoring, Scoring::two_one());
/// assert_eq!(scoring.payoff(Outcome::LiesWithA), (-1).into());
/// let skewed: Scoring = "1,0.5,1/3,0,-1/2".parse()?;
/// assert!(skewed.is_ordered() && !skewed.is_antisymmetric());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scoring([Payoff; 5]);

impl Scoring {
    /// The largest numerator and denominator of a payoff, so that exact arithmetic on a few payoffs
    /// never overflows.
    pub const LARGEST_TERM: i64 = 1 << 60;

    /// Two points for hitting out, one for the ball on the other side: the article's rule and the
    /// default.
    pub fn two_one() -> Self {
        Self([2, 1, 0, -1, -2].map(Payoff::from))
    }

    pub fn win_loss() -> Self {
        Self([1, 1, 0, -1, -1].map(Payoff::from))
    }

    /// Only hitting out counts: Footsteps as commonly played.
    pub fn out_only() -> Self {
        Self([1, 0, 0, 0, -1].map(Payoff::from))
    }

    /// The scoring in which `payoff` gives A's payoffs.
    ///
    /// ```
    /// use pencil_tennis::{Outcome, Scoring};
    ///
    /// let hits_out = Scoring::new(|outcome| match outcome {
    ///     Outcome::OutByA => 1.into(),
    ///     Outcome::OutByB => (-1).into(),
    ///     _ => 0.into(),
    /// })?;
    /// assert_eq!(hits_out, Scoring::out_only());
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`GameError::ScoringSize`] for a numerator or denominator beyond [`Self::LARGEST_TERM`], or
    /// a raw ratio that is not in lowest terms with a positive denominator.
    pub fn new(payoff: impl Fn(Outcome) -> Payoff) -> Result<Self, GameError> {
        let payoffs = Outcome::EACH.map(payoff);
        for payoff in payoffs {
            let fits = |term: i64| term.unsigned_abs() <= Self::LARGEST_TERM.unsigned_abs();
            // A raw ratio may be anything; arithmetic relies on lowest terms and a positive
            // denominator.
            let proper = *payoff.denom() > 0 && payoff.numer().gcd(payoff.denom()) == 1;
            if !(proper && fits(*payoff.numer()) && fits(*payoff.denom())) {
                return Err(GameError::ScoringSize { payoff: payoff.to_string() });
            }
        }
        Ok(Self(payoffs))
    }

    /// As [`Self::new`] with doubles, each read as the fraction with few digits that rounds to it.
    ///
    /// # Errors
    /// [`GameError::ScoringNumber`] for a number that is not finite, [`GameError::ScoringSize`] for
    /// one out of range.
    pub fn from_f64(payoff: impl Fn(Outcome) -> f64) -> Result<Self, GameError> {
        let exact = |payoff: f64| {
            if !payoff.is_finite() {
                return Err(GameError::ScoringNumber { text: payoff.to_string() });
            }
            Payoff::from_f64(payoff)
                .ok_or_else(|| GameError::ScoringSize { payoff: payoff.to_string() })
        };
        let exact =
            Outcome::EACH.map(payoff).into_iter().map(exact).collect::<Result<Vec<_>, _>>()?;
        Self::new(|outcome| exact[outcome.index()])
    }

    pub fn payoff(&self, outcome: Outcome) -> Payoff {
        self.0[outcome.index()]
    }

    /// The payoffs in the order of [`Outcome::ALL`].
    pub const fn payoffs(&self) -> &[Payoff] {
        &self.0
    }

    /// Whether mirrored outcomes have opposite payoffs, so that the game is symmetric.
    pub fn is_antisymmetric(&self) -> bool {
        Outcome::EACH
            .into_iter()
            .all(|outcome| self.payoff(outcome.mirrored()) == -self.payoff(outcome))
    }

    /// Whether no payoff is above one before it in the order of [`Outcome::ALL`]: the farther the
    /// ball on B's side, the better for A.
    pub fn is_ordered(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0] >= pair[1])
    }

    pub(crate) fn payoff_to(&self, player: Player, outcome: Outcome) -> Payoff {
        self.payoff(outcome) * i64::from(player.direction())
    }

    /// The fixed-point scale of values: the finest that holds all payoffs.
    pub(crate) fn scale(&self) -> FixedPointScale {
        FixedPointScale::of(self.magnitude())
    }

    pub fn magnitude(&self) -> Payoff {
        self.0.iter().map(Payoff::abs).fold(Payoff::zero(), Ord::max)
    }
}

impl Default for Scoring {
    fn default() -> Self {
        Self::two_one()
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::two_one() {
            return f.pad("two-one");
        }
        if *self == Self::win_loss() {
            return f.pad("win-loss");
        }
        f.pad(&self.0.map(|payoff| payoff.to_string()).join(","))
    }
}

impl FromStr for Scoring {
    type Err = GameError;

    /// Reads `two-one`, `win-loss`, or five numbers (integers, decimals or fractions) separated by
    /// commas.
    fn from_str(text: &str) -> Result<Self, GameError> {
        match text {
            "two-one" => return Ok(Self::two_one()),
            "win-loss" => return Ok(Self::win_loss()),
            _ => {}
        }
        let terms: Vec<&str> = text.split(',').map(str::trim).collect();
        let terms: [&str; 5] =
            terms.try_into().map_err(|_| GameError::ScoringSyntax { text: text.to_owned() })?;
        let payoffs = terms.into_iter().map(parse_payoff).collect::<Result<Vec<_>, _>>()?;
        Self::new(|outcome| payoffs[outcome.index()])
    }
}

/// Reads an integer, a decimal (`-0.25`, `1e-3`) or a fraction (`-1/4`), exactly.
fn parse_payoff(term: &str) -> Result<Payoff, GameError> {
    let wrong = || GameError::ScoringNumber { text: term.to_owned() };
    let out_of_range = || GameError::ScoringSize { payoff: term.to_owned() };
    let integer = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        text.parse().ok().filter(|&number| number != i64::MIN).ok_or_else(out_of_range)
    };
    if let Some((numerator, denominator)) = term.split_once('/') {
        let (numerator, denominator) = (integer(numerator)?, integer(denominator)?);
        return if denominator > 0 {
            Ok(Payoff::new(numerator, denominator))
        } else {
            Err(wrong())
        };
    }
    let (mantissa, exponent) = term.split_once(['e', 'E']).unwrap_or((term, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let digits = integer(&format!("{whole}{decimals}"))?;
    let places =
        (decimals.len() as i64).checked_sub(integer(exponent)?).ok_or_else(out_of_range)?;
    if digits == 0 {
        return Ok(Payoff::zero());
    }
    let power = u32::try_from(places.unsigned_abs())
        .ok()
        .and_then(|places| 10_i64.checked_pow(places))
        .ok_or_else(out_of_range)?;
    if places >= 0 {
        return Ok(Payoff::new(digits, power));
    }
    let number =
        digits.checked_mul(power).filter(|&number| number != i64::MIN).ok_or_else(out_of_range)?;
    Ok(Payoff::from_integer(number))
}

/// The distinct payoffs of a scoring, rising; a payoff's rank is its index.
#[derive(Clone, Debug)]
pub(crate) struct PayoffRanks {
    payoffs: Vec<Payoff>,
    by_outcome: [u8; 5],
}

impl PayoffRanks {
    pub(crate) fn new(scoring: &Scoring) -> Self {
        let mut payoffs = scoring.payoffs().to_vec();
        payoffs.sort_unstable();
        payoffs.dedup();
        let by_outcome = Outcome::EACH
            .map(|outcome| payoffs.partition_point(|&other| other < scoring.payoff(outcome)) as u8);
        Self { payoffs, by_outcome }
    }

    pub(crate) fn payoffs(&self) -> &[Payoff] {
        &self.payoffs
    }

    pub(crate) fn doubles(&self) -> Vec<f64> {
        self.payoffs.iter().copied().map(nearest_double).collect()
    }

    pub(crate) fn highest(&self) -> u8 {
        self.payoffs.len() as u8 - 1
    }

    pub(crate) const fn of(&self, outcome: Outcome) -> u8 {
        self.by_outcome[outcome.index()]
    }

    /// Converts between a rank from A's side and one from the player's own, where higher is better.
    pub(crate) fn seen_by(&self, player: Player, rank: u8) -> u8 {
        match player {
            Player::A => rank,
            Player::B => self.highest() - rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_fractions_are_exact() {
        for (text, numerator, denominator) in [
            ("-0.25", -1, 4),
            ("0.1", 1, 10),
            ("-1/2", -1, 2),
            ("3", 3, 1),
            ("+2", 2, 1),
            ("-.5", -1, 2),
            ("1e3", 1000, 1),
            ("-2.5E-1", -1, 4),
            ("0e-400", 0, 1),
        ] {
            assert_eq!(parse_payoff(text).unwrap(), Payoff::new(numerator, denominator), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "",
            "NaN",
            "inf",
            "-infinity",
            "1/0",
            "1/-2",
            "1.-5",
            "1e",
            "e3",
            "1e1.5",
            "0x1",
            "1.5.2",
            ".",
        ] {
            assert!(
                matches!(parse_payoff(text), Err(GameError::ScoringNumber { .. })),
                "{text:?} was read as a number"
            );
        }
        for text in [
            "1e-400",
            "1e400",
            "123456789012345678901",
            "1/123456789012345678901",
            "1e-9223372036854775807",
        ] {
            assert!(
                matches!(parse_payoff(text), Err(GameError::ScoringSize { .. })),
                "{text:?} is a number out of range"
            );
        }
        assert!(Scoring::from_f64(|_| f64::NAN).is_err());
        assert!(Scoring::from_f64(|_| f64::INFINITY).is_err());
        assert!("2000000000000000000,0,0,0,0".parse::<Scoring>().is_err());
    }
}
