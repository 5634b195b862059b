//! Play of a game with hidden information, in plain lines: a person sees what the player knows.

use std::io::Write;

use pencil_tennis::Player;
use pencil_tennis::hidden::{GameTree, HiddenPlay, HiddenSolution, PlayPlace, SetId};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::args::Play;
use super::lines::answer;
use crate::fold::{names_width, wrapped, write_bars};
use crate::game_source::{read_hidden_player, solve_hidden_game};
use crate::screen::Screen;
use crate::usage::wrong_usage;
use crate::word::Word;

impl Play {
    pub(super) fn play_hidden(&self, name: &Word, tree: GameTree) -> anyhow::Result<()> {
        if self.record.is_some() || self.state.is_some() {
            let option = if self.record.is_some() { "--record" } else { "--state" };
            wrong_usage(format!(
                "{option} is not for games with hidden information, which begin at the root of their tree"
            ));
        }
        let solution = solve_hidden_game(tree)?;
        let tree = solution.tree();
        let other = self.player.opponent();
        let strategy = read_hidden_player(&solution, &self.against, other)?;
        let mut out = Screen::new();
        writeln!(out, "{}", tree.title().map_or_else(|| name.to_string(), str::to_owned))?;
        writeln!(out, "You are {} and meet {}; A wins what B loses", self.player, self.against)?;

        let mut generator = Pcg64::seed_from_u64(self.seed());
        let mut play = HiddenPlay::new(tree);
        let mut choices = Vec::new();
        let payoff = loop {
            // Drawn before anything is read: the choice never changes what it meets.
            let bits = generator.next_u64();
            match play.place() {
                PlayPlace::End(payoff) => break payoff,
                PlayPlace::Chance => play.draw(bits),
                PlayPlace::Decision(player, set) => {
                    let action = if player == other {
                        strategy.draw(tree, set, bits)?
                    } else {
                        let Some(action) = ask(&mut out, &solution, player, set)? else {
                            return Ok(());
                        };
                        action
                    };
                    let set = &tree.information_sets(player)[set];
                    choices.push(format!(
                        "  {player} at {}: {}",
                        set.name(),
                        set.actions()[action]
                    ));
                    play.choose(action)?;
                }
            }
        };
        writeln!(out, "\nThe game is over; A wins {payoff}. Who knew what, and chose:")?;
        for choice in choices {
            writeln!(out, "{choice}")?;
        }
        Ok(())
    }
}

/// Asks a person for an action by its name or number. `None` ends the play.
fn ask(
    out: &mut Screen,
    solution: &HiddenSolution,
    player: Player,
    set: SetId,
) -> anyhow::Result<Option<usize>> {
    let set_here = &solution.tree().information_sets(player)[set];
    let actions = set_here.actions();
    writeln!(out, "\nYou know: {}", set_here.name())?;
    if let [only] = actions {
        writeln!(out, "  {player} has one action: {only}")?;
        return Ok(Some(0));
    }
    let by_number = !actions.iter().any(|action| action.parse::<usize>().is_ok());
    let named = |(index, action): (usize, &String)| {
        if by_number { format!("{} {action}", index + 1) } else { action.clone() }
    };
    let names: Vec<String> = actions.iter().enumerate().map(named).collect();
    writeln!(out, "{}", wrapped(&names.join(", ")))?;
    loop {
        let Some(line) = answer(out, "Your action (? for a hint, q to end): ")? else {
            return Ok(None);
        };
        let word = line.trim();
        let number = word
            .parse::<usize>()
            .ok()
            .filter(|number| by_number && (1..=actions.len()).contains(number));
        match actions.iter().position(|action| action == word).or(number.map(|number| number - 1)) {
            Some(action) => return Ok(Some(action)),
            None if word == "q" => return Ok(None),
            None if word.is_empty() => {}
            None if word == "?" => {
                writeln!(out, "An optimal player plays")?;
                let shares = solution.shares(player, set)?;
                let longest = names_width(actions.iter().map(String::as_str));
                let likely = shares.into_iter().filter(|share| share.probability > 0.0);
                let bars: Vec<_> =
                    likely.map(|share| (share.action, share.probability, None)).collect();
                write_bars(out, &bars, longest, 0, f64::INFINITY)?;
            }
            None => {
                writeln!(
                    out,
                    "`{word}` is not an action; expected {}, ? or q",
                    actions.join(", ")
                )?;
            }
        }
    }
}
