//! A fingerprint of solutions, to compare programs that should agree to the last bit.

use std::fmt::Write;

use pencil_tennis::{Bounds, Error, Rules, Solution, Solver};
use sha2::{Digest, Sha256};

/// The games whose digests are compared: a name, the points, and the rules.
///
/// Together they take every path: mirrored and not, either motion, three sizes of field, scorings
/// out of order, bids of 0.
pub const GAMES: [(&str, [u32; 2], &str); 7] = [
    ("tennis", [50, 50], "field 2 motion net scoring two-one"),
    ("tennis", [100, 100], "field 2 motion net scoring two-one"),
    ("footsteps", [50, 50], "field 2 motion step scoring 1,0,0,0,-1"),
    ("oshi-zumo", [40, 40], "field 3 motion step scoring win-loss"),
    ("skewed", [30, 40], "field 1 motion net scoring 1,1/2,1/3,0,-2"),
    ("out of order", [25, 20], "field 2 motion step scoring 0,3,-1,1,2"),
    ("oshi-zumo from 0", [16, 16], "field 3 motion step scoring win-loss min-bid 0"),
];

/// The SHA-256 of a solution's bounds, values and strategies, in the order of its states.
///
/// For every state the two ends of its enclosure as integers, the bits of its value, and for either
/// player the number of bids and each bid with its weight: numbers of eight bytes, lowest first.
pub fn of(solution: &Solution) -> String {
    let mut digest = Sha256::new();
    let mut add = |number: u64| digest.update(number.to_le_bytes());
    for equilibrium in solution.equilibria() {
        let Bounds { lower, upper } = equilibrium.enclosure.integers();
        for bound in [lower, upper] {
            add(bound.cast_unsigned());
        }
        add(equilibrium.value.to_bits());
        for strategy in [&equilibrium.a, &equilibrium.b] {
            add(strategy.probabilities().len() as u64);
            for (bid, weight) in strategy.weights() {
                add(bid.into());
                add(weight);
            }
        }
    }
    hexadecimal(&digest.finalize())
}

/// The digest of one of [`GAMES`], solved here, with its name.
///
/// # Errors
/// Those of solving.
pub fn of_game(game: usize) -> Result<Option<(String, String)>, Error> {
    let Some((name, [a, b], rules)) = GAMES.get(game) else { return Ok(None) };
    let solution = Solver::new(&rules.parse::<Rules>()?).points([*a, *b]).threads(1).solve()?;
    Ok(Some((format!("{name} {a}:{b}"), of(&solution))))
}

/// The SHA-256 of a text.
pub(crate) fn of_text(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
