//! Properties of any bytes read as a certificate.
//!
//! The fuzz target `fuzz/fuzz_targets/verify.rs` includes this file.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::{Bounds, Payoff, Rules, Solver};

/// Games with more states are not solved, so that an input takes some milliseconds.
const MOST_STATES: usize = 400;

/// Nor are games in which both players have more points than this: exact numbers grow about
/// threefold with each.
const MOST_POINTS: u32 = 7;

/// Games whose solutions are kept; the fuzzer comes back to the same ones again and again.
const MOST_GAMES: usize = 256;

/// The exact values of all states in units of a proof, rounded down and up.
type Values = Vec<[i64; 2]>;

/// Knows the truth about small games.
#[derive(Default)]
pub(crate) struct Oracle {
    solved: HashMap<(Rules, [u32; 2]), Values>,
}

impl Oracle {
    /// Takes the bytes as a certificate, as they are and as the content before a fitting checksum;
    /// returns how many of the two were valid.
    ///
    /// # Panics
    /// When something false is proved, or a refusal is not what refusals are.
    pub(crate) fn check(&mut self, bytes: &[u8]) -> usize {
        let checksum = crc32fast::hash(bytes).to_le_bytes();
        [bytes, &[bytes, &checksum].concat()]
            .into_iter()
            .filter(|certificate| self.is_true(certificate))
            .count()
    }

    /// Whether the certificate is valid; that it is true then is asserted.
    fn is_true(&mut self, certificate: &[u8]) -> bool {
        let proof = match certificate::verify(certificate) {
            Ok(proof) => proof,
            Err(error) => {
                assert!(error.to_string().starts_with("the certificate is not valid: "), "{error}");
                return false;
            }
        };
        assert_sound(&proof);
        let [a, b] = proof.points();
        if proof.iter().len() <= MOST_STATES && a.min(b) <= MOST_POINTS {
            if self.solved.len() >= MOST_GAMES {
                self.solved.clear();
            }
            let values = self
                .solved
                .entry((*proof.rules(), proof.points()))
                .or_insert_with(|| solve(&proof));
            for ((state, Bounds { lower, upper }), &[floor, ceil]) in
                proof.iter().zip(values.iter())
            {
                // Where the smallest bid is 0, no more is known of the truth than the solver's own
                // bounds.
                let is_true = match proof.rules().min_bid() {
                    0 => lower <= ceil && floor <= upper,
                    _ => lower <= floor && ceil <= upper,
                };
                assert!(
                    is_true,
                    "{state}: [{lower}, {upper}] and the value lies in [{floor}, {ceil}]"
                );
            }
        }
        true
    }
}

/// Checks for a game of any size: no interval is empty, no value is beyond the payoffs, and ends
/// have the payoffs that the rules say.
fn assert_sound(proof: &Proof) {
    let payoffs = proof.rules().scoring().payoffs();
    let ends: Vec<_> =
        payoffs.iter().map(|&payoff| in_units(&wide(payoff), proof.exponent())).collect();
    let least = ends.iter().map(|end| end[0]).min().unwrap();
    let most = ends.iter().map(|end| end[1]).max().unwrap();
    assert!(-(1 << 61) <= least && most <= 1 << 61, "payoffs from {least} to {most}");
    let mut states = 0;
    for (state, Bounds { lower, upper }) in proof.iter() {
        states += 1;
        assert!(least <= lower && lower <= upper && upper <= most, "{state}: [{lower}, {upper}]");
        if let Some(payoff) = proof.rules().payoff(state) {
            assert_eq!([lower, upper], in_units(&wide(payoff), proof.exponent()), "{state}");
        }
    }
    assert_eq!(states, proof.iter().len());
    assert!(proof.widest_enclosure() >= 0.0 && proof.widest_enclosure().is_finite());
}

/// The exact values of the game that a proof says it is about, or bounds of them where the smallest
/// bid is 0.
fn solve(proof: &Proof) -> Values {
    let solver = Solver::new(proof.rules()).points(proof.points()).threads(1);
    if proof.rules().min_bid() == 0 {
        let solution = solver.solve().unwrap();
        let bounds = |state| solution.enclosure(state).unwrap().integers();
        return proof
            .iter()
            .map(|(state, _)| bounds(state))
            .map(|Bounds { lower, upper }| [lower, upper])
            .collect();
    }
    let solution = solver.exact(usize::MAX).solve().unwrap();
    let value =
        |state| solution.exact_value(state).unwrap().expect("a small game is solved exactly");
    proof.iter().map(|(state, _)| in_units(&value(state), proof.exponent())).collect()
}

/// The multiples of 2^−exponent next to a number.
fn in_units(number: &BigRational, exponent: u32) -> [i64; 2] {
    let units = number * BigRational::from_integer(BigInt::from(1) << exponent);
    [units.floor(), units.ceil()]
        .map(|multiple| multiple.to_integer().to_i64().expect("values are bounded by payoffs"))
}

fn wide(payoff: Payoff) -> BigRational {
    BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into())
}

#[cfg(test)]
mod tests {
    use super::Oracle;
    use crate::fuzzing::{alter, feed, mutate};

    /// Every file of the corpus: no panic, nothing false, and what is named so is refused.
    #[test]
    fn the_corpus_of_the_fuzzer_proves_nothing_false() {
        let mut oracle = Oracle::default();
        feed("verify", 16, |bytes| oracle.check(bytes));
    }

    #[test]
    fn altered_certificates_prove_nothing_false() {
        let mut oracle = Oracle::default();
        alter("verify", 20, |bytes| oracle.check(bytes));
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_certificates_prove_nothing_false() {
        let mut oracle = Oracle::default();
        mutate("verify", |bytes| oracle.check(bytes));
    }
}
