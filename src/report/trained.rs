//! What learners in games of other rules than Tennis have learned, as the tables that `export
//! strategies` writes.

use std::io::{self, Write};

use crate::agents::{GameTraining, HiddenTraining};
use crate::game::Player;

/// Writes what was learned as csv: `state,player,action,probability`, actions of positive
/// probability alone.
pub fn write_game_training(training: &GameTraining<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["state", "player", "action", "probability"])?;
    for state in training.game().states() {
        let Some(actions) = state.actions() else { continue };
        for player in Player::BOTH {
            let shares = training.shares(state.number(), player).map_err(io::Error::other)?;
            for (action, share) in
                actions[player as usize].iter().zip(shares).filter(|(_, share)| *share > 0.0)
            {
                rows.write_record([state.name(), &player.to_string(), action, &share.to_string()])?;
            }
        }
    }
    rows.flush()
}

/// Writes what was learned as csv: `player,set,action,probability`, actions of positive probability
/// alone.
pub fn write_hidden_training(training: &HiddenTraining<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(["player", "set", "action", "probability"])?;
    for player in Player::BOTH {
        for (number, set) in training.tree().information_sets(player).iter().enumerate() {
            let shares = training.shares(player, number).map_err(io::Error::other)?;
            for (action, share) in
                set.actions().iter().zip(shares).filter(|(_, share)| *share > 0.0)
            {
                rows.write_record([&player.to_string(), set.name(), action, &share.to_string()])?;
            }
        }
    }
    rows.flush()
}
