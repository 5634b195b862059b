//! The gallery: games that the crate carries with it.

use std::io::Read;

use crate::error::StochasticGameFault;
use crate::hidden;
use crate::stochastic_game::StochasticGameError;
use stochastic_game::internal::sentence;

/// Games of others, as game files; `docs/gallery.py` writes the large ones, gzipped.
const GALLERY: [(&str, &[u8]); 8] = [
    ("goofspiel-5", include_bytes!("../../assets/games/goofspiel-5.jsonl.gz")),
    ("inspections", include_bytes!("../../assets/games/inspections.jsonl")),
    ("matching-pennies-3", include_bytes!("../../assets/games/matching-pennies-3.jsonl")),
    ("oshi-zumo", include_bytes!("../../assets/games/oshi-zumo.jsonl.gz")),
    ("pursuit", include_bytes!("../../assets/games/pursuit.jsonl.gz")),
    ("rps", include_bytes!("../../assets/games/rps.jsonl")),
    ("snowball", include_bytes!("../../assets/games/snowball.jsonl")),
    ("soccer", include_bytes!("../../assets/games/soccer.jsonl.gz")),
];

/// The names of the gallery's games.
pub fn gallery() -> impl Iterator<Item = &'static str> {
    GALLERY.iter().map(|(name, _)| *name)
}

/// The text of a game of the gallery.
///
/// # Errors
/// [`StochasticGameFault::UnknownGame`] with the names there are.
///
/// ```
/// use pencil_tennis::report::gallery_game;
/// use pencil_tennis::stochastic_game::{StochasticGame, StochasticSolver};
///
/// let solution = StochasticSolver::new(StochasticGame::read(&gallery_game("snowball")?[..])?).solve()?;
/// assert!(solution.value(&solution.game().place("hidden")?)? > 1.0 - 1e-9);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn gallery_game(name: &str) -> Result<Vec<u8>, StochasticGameError> {
    let refuse = |reason| StochasticGameError::from(StochasticGameFault::UnknownGame { reason });
    let Some((_, bytes)) = GALLERY.iter().find(|(game, _)| *game == name) else {
        let names: Vec<String> = gallery().map(|name| format!("@{name}")).collect();
        if hidden::games::GALLERY.contains(&name) {
            return Err(refuse(format!(
                "@{name} has hidden information, and is no game with states; expected one of {}",
                names.join(", ")
            )));
        }
        let hidden = hidden::games::GALLERY.map(|name| format!("@{name}")).join(", ");
        let names = names.join(", ");
        return Err(refuse(format!(
            "there is no game @{}; expected one of {names}, or, with hidden information, {hidden}",
            sentence(&name)
        )));
    };
    let mut text = Vec::new();
    match bytes {
        [0x1f, 0x8b, ..] => flate2::read::GzDecoder::new(*bytes).read_to_end(&mut text),
        plain => (&**plain).read_to_end(&mut text),
    }
    .map_err(|error| refuse(error.to_string()))?;
    Ok(text)
}
