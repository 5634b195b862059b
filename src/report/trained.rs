//! What learners in games of other rules than Tennis have learned, as the tables that `export
//! strategies` writes.

use std::io::{self, Write};

use super::WriteCsv;
use crate::agents::{GameTraining, HiddenTraining};
use crate::game::Player;

/// The learned strategies: `state,player,action,probability`, actions of positive probability alone.
impl WriteCsv for GameTraining<'_> {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(["state", "player", "action", "probability"])?;
        for state in self.game().states() {
            let Some(actions) = state.actions() else { continue };
            for player in Player::BOTH {
                let shares = self.shares(state.number(), player).map_err(io::Error::other)?;
                for (action, share) in
                    actions[player as usize].iter().zip(shares).filter(|(_, share)| *share > 0.0)
                {
                    rows.write_record([
                        state.name(),
                        &player.to_string(),
                        action,
                        &share.to_string(),
                    ])?;
                }
            }
        }
        rows.flush()
    }
}

/// The learned strategies: `player,set,action,probability`, actions of positive probability alone.
impl WriteCsv for HiddenTraining<'_> {
    fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(["player", "set", "action", "probability"])?;
        for player in Player::BOTH {
            for (number, set) in self.tree().information_sets(player).iter().enumerate() {
                let shares = self.shares(player, number).map_err(io::Error::other)?;
                for (action, share) in
                    set.actions().iter().zip(shares).filter(|(_, share)| *share > 0.0)
                {
                    rows.write_record([
                        &player.to_string(),
                        set.name(),
                        action,
                        &share.to_string(),
                    ])?;
                }
            }
        }
        rows.flush()
    }
}
