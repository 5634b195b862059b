//! Well-known games with hidden information, written from their rules.

mod goofspiel;
mod inspection;
mod kuhn;
mod leduc;
mod liars_dice;

pub use goofspiel::{BidState, HiddenGoofspiel};
pub use inspection::{InspectionState, SecretInspection};
pub use kuhn::{KuhnPoker, KuhnState};
pub use leduc::{LeducPoker, LeducState};
pub use liars_dice::{DiceState, LiarsDice};

use super::tree::GameTree;
use crate::error::HiddenError;

/// The names of the games that [`gallery_game`] builds.
pub const GALLERY: [&str; 5] =
    ["hidden-goofspiel", "kuhn", "leduc", "liars-dice", "secret-inspection"];

/// A game by its name: Goofspiel with 4 cards, Kuhn poker, Leduc poker, liar's dice with 5 sides,
/// an inspection of 4 nights. `None` for any other name.
pub fn gallery_game(name: &str) -> Option<Result<GameTree, HiddenError>> {
    let (title, tree) = match name {
        "hidden-goofspiel" => (
            "Goofspiel with hidden bids of 4 cards",
            GameTree::from_rules(&HiddenGoofspiel::new(4)),
        ),
        "kuhn" => ("Kuhn poker", GameTree::from_rules(&KuhnPoker)),
        "leduc" => ("Leduc poker", GameTree::from_rules(&LeducPoker)),
        "liars-dice" => {
            ("Liar's dice with one die of 5 sides each", GameTree::from_rules(&LiarsDice::new(5)))
        }
        "secret-inspection" => {
            ("A secret inspection of 4 nights", GameTree::from_rules(&SecretInspection::new(4)))
        }
        _ => return None,
    };
    Some(tree.map(|tree| tree.with_title(title)))
}
