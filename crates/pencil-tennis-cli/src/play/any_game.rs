//! Play of a game of any rules, in plain lines.

use std::io::{self, IsTerminal, Write};

use pencil_tennis::Player;
use pencil_tennis::report::{GamePlay, StageReport};
use pencil_tennis::stochastic_game::StationaryPolicy;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::args::Play;
use super::lines::answer;
use crate::fold::{names_width, wrapped, write_bars};
use crate::game_source::{read_player, solve_game, state_of};
use crate::numbers::cost;
use crate::replay::write_played;
use crate::screen::Screen;
use crate::word::{Word, quoted};

impl Play {
    pub(super) fn play_any(&self, name: &Word) -> anyhow::Result<()> {
        if let Some(record) = &self.record {
            record.check(&[name.as_ref(), self.against.as_ref()])?;
        }
        let solution = solve_game(name.path())?;
        let game = solution.game();
        let other = self.player.opponent();
        let policy = (!self.against.is("person"))
            .then(|| read_player(&solution, &self.against, other))
            .transpose()?;
        let mut out = Screen::new();
        let described = game
            .description()
            .map_or_else(String::new, |description| format!("\n{}", wrapped(description)));
        let rules =
            format!("{}{described}", game.title().map_or_else(|| name.to_string(), str::to_owned));
        writeln!(out, "{rules}")?;
        let (kind, states) = (game.kind(), game.len());
        let rules = format!(
            "{rules}\nA game of kind {kind}: {states} states; `solve {}` shows them",
            quoted(name)
        );
        match &policy {
            Some(_) => writeln!(
                out,
                "You are {} and meet {}; A wins what B loses",
                self.player, self.against
            )?,
            None => {
                writeln!(
                    out,
                    "Two people: A chooses first, and B looks away; A wins what B loses"
                )?;
            }
        }
        let mut generator = Pcg64::seed_from_u64(self.seed());
        let (mut play, mut state) =
            (GamePlay::new(name.to_string()), state_of(game, self.state.as_deref())?);
        let starts = game.starts().len();
        if starts > 1 && self.state.is_none() {
            writeln!(
                out,
                "Play begins at the first of {starts} starts; --state takes another state"
            )?;
        }
        'play: for number in 1.. {
            let stage = StageReport::new(&solution, state)?;
            let turn = if stage.over { "End".to_owned() } else { format!("Turn {number}") };
            writeln!(out, "\n{turn}: {}", stage.state)?;
            stage
                .picture
                .iter()
                .flat_map(|picture| picture.lines())
                .try_for_each(|line| writeln!(out, "    {line}"))?;
            if stage.over {
                break;
            }
            // Drawn before anything is read: the choice never changes what it meets.
            let bits = [generator.next_u64(), generator.next_u64()];
            let mut chosen = [0; 2];
            for player in Player::BOTH {
                let action = match policy.as_ref().filter(|policy| policy.player() == player) {
                    Some(policy) => policy.draw(state, bits[0]),
                    None => ask(&mut out, &stage, player, policy.as_ref(), &rules)?,
                };
                let Some(action) = action else { break 'play };
                chosen[player as usize] = action;
            }
            let view = game.state(state)?;
            let next = view.draw(chosen, bits[1])?;
            play.push(view, chosen, next)?;
            let [a, b] = [&stage.actions.a[chosen[0]], &stage.actions.b[chosen[1]]];
            let reward = &stage.cells[chosen[0]][chosen[1]].reward;
            let pays = if reward == "0" { String::new() } else { format!("; A receives {reward}") };
            writeln!(
                out,
                "  A: {} (cost {}), B: {} (cost {}){pays}",
                a.action,
                cost(a.loss),
                b.action,
                cost(b.loss)
            )?;
            if let Some(record) = &self.record {
                record.write(|out| out.write_all(play.text().as_bytes()))?;
            }
            state = next.number();
        }
        writeln!(out)?;
        Ok(write_played(&mut out, &play.judge(&solution)?)?)
    }
}

/// Asks a person for an action by its name, or by its number where no name is one; a single action
/// is not asked for. `None` ends the play.
fn ask(
    out: &mut Screen,
    stage: &StageReport,
    player: Player,
    other: Option<&StationaryPolicy>,
    rules: &str,
) -> anyhow::Result<Option<usize>> {
    let actions = &stage.actions[player];
    if let [only] = actions.as_slice() {
        writeln!(out, "  {player} has one action: {}", only.action)?;
        return Ok(Some(0));
    }
    let by_number = !actions.iter().any(|choice| choice.action.parse::<usize>().is_ok());
    let prefix = |number: usize| if by_number { format!("{number} ") } else { String::new() };
    let names: Vec<_> =
        actions.iter().zip(1..).map(|(choice, number)| prefix(number) + &choice.action).collect();
    writeln!(out, "{}", wrapped(&format!("{player}: {}", names.join(", "))))?;
    let whose = if other.is_some() { "Your".to_owned() } else { format!("{player}’s") };
    loop {
        let Some(line) = answer(out, &format!("{whose} action (? for a hint, q to end): "))? else {
            return Ok(None);
        };
        if other.is_none() && io::stdin().is_terminal() {
            // Hides the line from the other person.
            print!("\x1b[1A\x1b[2K");
        }
        let word = line.trim();
        let number = word
            .parse::<usize>()
            .ok()
            .filter(|number| by_number && (1..=actions.len()).contains(number));
        match actions
            .iter()
            .position(|choice| choice.action == word)
            .or(number.map(|number| number - 1))
        {
            Some(action) => return Ok(Some(action)),
            None if word == "q" => return Ok(None),
            None if word.is_empty() => {}
            None if word == "?rules" => writeln!(out, "{rules}")?,
            None if word == "?" => {
                let value = if player == Player::A { stage.value } else { -stage.value };
                writeln!(
                    out,
                    "An optimal player in this place wins {value:.5} on average and plays"
                )?;
                let longest = names_width(actions.iter().map(|choice| choice.action.as_str()));
                let likely = actions.iter().filter(|choice| choice.probability > 0.0);
                let bars: Vec<_> = likely
                    .map(|choice| (choice.action.clone(), choice.probability, None))
                    .collect();
                write_bars(out, &bars, longest, 0, f64::INFINITY)?;
            }
            None if by_number => {
                writeln!(out, "`{word}` is not an action; expected a name or a number, ? or q")?;
            }
            None => writeln!(out, "`{word}` is not an action; expected a name, ? or q")?,
        }
    }
}
