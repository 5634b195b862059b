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
