//! The sizes below which a number is taken for rounding, each with its reason.
//!
//! Payoffs are scaled to a range of 1 to 2 before these apply, unless a line says otherwise, so
//! that one tolerance serves payoffs and probabilities. Nothing that is *proved* rests on any of
//! them: they decide which strategies are tried, and bounds are computed from their result. The one
//! exception is [`SUM_ROUNDING`], which is a bound and not a guess.

/// The gap, as a share of the largest payoff, up to which a cold solve is accepted; beyond it the
/// game is solved again by exact pivots.
///
/// A factorised basis leaves some 1e-15 times its condition; the documentation promises 1e-12.
pub(super) const ACCEPTED_GAP: f64 = 1e-12;

/// The difference, as a share of the larger of the two, up to which pure security levels are a
/// saddle point.
///
/// Values that mathematics makes equal agree to a few units in the last place (2e-16 relative).
pub(super) const SADDLE_POINT: f64 = 4e-15;

/// The share of the largest number of a dictionary below which a number is 0, in tableau and
/// self-dual method.
///
/// Entries are sums of a few products of magnitude 1 after scaling, so that rounding leaves some
/// 1e-16 to 1e-15 where mathematics has 0; differences of payoffs that matter (1e-12) stay far
/// above.
pub(super) const DICTIONARY_ZERO: f64 = 1e-14;

/// The smallest pivot of the tableau, as a share of the largest entry of its column.
///
/// Every pivot changes all entries, so that errors stay near 1e-14: a thousand times that can be
/// told from rounding.
pub(super) const TABLEAU_PIVOT: f64 = 1e-11;

/// The share of the largest number of a dictionary below which a number is 0, in the tableau of
/// twice the digits.
///
/// Its payoffs are integers of up to 63 bits, so that the last bit is 1e-19 of the largest: less
/// than a tenth of that is nobody's gain, and rounding (1e-32) stays far below it even after a
/// pivot as small as the smallest allowed. Measured on some 28 delicate games: 22 close with
/// anything from 1e-21 to 1e-18 at the first attempt, 12 with 1e-23.
pub(super) const PRECISE_ZERO: f64 = 1e-20;

/// The smallest pivot of that tableau, as a share of the largest entry of its column.
///
/// Payoffs that mathematics makes equal differ by some last bits (1e-18): pivoting on such a
/// difference would enlarge all errors as much.
pub(super) const PRECISE_PIVOT: f64 = 1e-16;

/// The relative difference up to which two ratios of that tableau are equal: quotients of numbers
/// that carry errors of 1e-32, enlarged by a small pivot or two.
pub(super) const EQUAL_PRECISE_RATIOS: f64 = 1e-24;

/// The smallest pivot of the self-dual method, as a share of the largest coefficient of its row or
/// column.
///
/// Coarser than [`TABLEAU_PIVOT`]: coefficients come out of the factorised basis, whose condition
/// enlarges their errors; one that is refused costs a longer way at worst.
pub(super) const SELF_DUAL_PIVOT: f64 = 1e-9;

/// The relative difference up to which two ratios of a ratio test are equal: quotients of numbers
/// that carry errors of some 1e-15.
pub(super) const EQUAL_RATIOS: f64 = 1e-12;

/// The same for the absolute difference of quotients in the lexicographic maximin, whose payoffs
/// range over 1 or 2; the larger pivot then decides.
pub(super) const EQUAL_QUOTIENTS: f64 = 1e-12;

/// The number below which a probability, a price or a gain of the lexicographic maximin is 0.
///
/// Its dictionary is pivoted for level after level, which leaves errors of some 1e-14. The smallest
/// probability of any refined strategy in the game of 50 points is 1e-5, and the prices that are
/// compared with 0 are probabilities, too.
pub(super) const LEVEL_ZERO: f64 = 1e-9;

/// The share of the payoffs' range up to which the gains of two selected strategies are alike.
///
/// Weights that floating point left uncorrected miss their gains by some 1e-15 of it.
pub(super) const EQUAL_GAINS: f64 = 1e-12;

/// The relative difference up to which two gains from trembles are equal: sums of the same numbers
/// in another order agree to 1e-13 of their size.
pub(super) const EQUAL_TREMBLES: f64 = 1e-13;

/// The derivative under trembling, for every choice of the game, up to which it is 0: a sum over
/// all choices, of sizes up to that of the payoffs, enlarged by the basis's condition.
pub(super) const TREMBLE_DERIVATIVE: f64 = 1e-9;

/// The multiple of [`DICTIONARY_ZERO`] up to which a variable of an optimal dictionary is
/// degenerate: size and condition of the basis enlarge rounding errors of 0.
pub(super) const DEGENERATE: f64 = 10.0;

/// A bound of the rounding error of a sum of non-negative numbers, as a share of the sum, in proofs
/// of strict complementarity.
///
/// A sum of n terms errs by n · 1.1e-16 at most: 1e-10 holds for up to 900,000 terms, and no basis
/// has more than some thousand.
pub(super) const SUM_ROUNDING: f64 = 1e-10;
