//! Games of Oshi-Zumo as an arena writes them: states in JSON, whose differences in coins are the bids.
//!
//! *Source.* Kaggle's `kaggle-environments` (`envs/open_spiel_env/games/oshi_zumo/oshi_zumo_proxy.py`, August 2026) sends agents
//! objects such as `{"field": "#...W...#", "coins": [12, 12], "move_number": 0, "params": {"min_bid":
//! 0}}`, and writes them into the `observationString` of every step of an episode.

use serde::Deserialize;

use crate::excerpt::sentence;
use crate::game::{Ball, GameError, GameRecord, Rules, State};

#[derive(Debug, Deserialize)]
struct ArenaState {
    field: String,
    coins: [u32; 2],
    move_number: Option<u64>,
    #[serde(default)]
    is_terminal: bool,
    #[serde(default)]
    params: ArenaParams,
}

/// The game's parameters, with the defaults of `open_spiel`.
#[derive(Debug, Deserialize)]
#[serde(default)]
struct ArenaParams {
    alesia: bool,
    min_bid: u32,
    horizon: u64,
}

impl Default for ArenaParams {
    fn default() -> Self {
        Self { alesia: false, min_bid: 0, horizon: 1000 }
    }
}

#[derive(Debug, Deserialize)]
struct Episode {
    steps: Vec<Vec<Seen>>,
}

#[derive(Debug, Deserialize)]
struct Seen {
    observation: Observation,
}

#[derive(Debug, Deserialize)]
struct Observation {
    #[serde(rename = "observationString")]
    state: Option<String>,
}

/// Reads games of Oshi-Zumo from an arena's states, one in a line of JSON, or from the JSON of an episode; `None` for a text that
/// does not begin as JSON.
///
/// Player 0 is A. A game continues as long as coins do not rise; states with the same `move_number` are the same. A game that is
/// cut off, at its horizon or by `is_terminal`, is [decided where the wrestler stands](GameRecord::end_where_it_lies).
///
/// # Errors
/// [`GameError::RecordLine`] names the first impossible line, and in an episode the step.
///
/// ```
/// use pencil_tennis::report::read_arena_games;
///
/// let states = r##"{"field": "#...W...#", "coins": [12, 12], "params": {"min_bid": 0}}
/// {"field": "#....W..#", "coins": [7, 9]}"##;
/// let games = read_arena_games(states)?.expect("JSON");
/// assert_eq!(games[0].to_table(), "# rules: field 3 motion step scoring win-loss min-bid 0\n0 12 12 0\n1 5 3 7 9 1\n");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn read_arena_games(text: &str) -> Result<Option<Vec<GameRecord>>, GameError> {
    if !text.trim_start().starts_with('{') {
        return Ok(None);
    }
    let mut games = ArenaGames::default();
    if let Ok(Episode { steps }) = serde_json::from_str(text) {
        for (place, step) in steps.iter().enumerate() {
            let Some(state) = step.iter().find_map(|seen| seen.observation.state.as_deref()) else { continue };
            let located =
                |reason: String| GameError::RecordLine { line: 1, reason: format!("step {place}: {}", sentence(&reason)) };
            games.add(state).map_err(located)?;
        }
    } else {
        for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let located = |reason: String| GameError::RecordLine { line: place + 1, reason: sentence(&reason) };
            games.add(line).map_err(located)?;
        }
    }
    if games.games.is_empty() {
        return Err(GameError::RecordLine { line: 1, reason: "no step has a state".to_owned() });
    }
    Ok(Some(games.games))
}

#[derive(Debug, Default)]
struct ArenaGames {
    games: Vec<GameRecord>,
    number: Option<u64>,
}

impl ArenaGames {
    fn add(&mut self, text: &str) -> Result<(), String> {
        let arena: ArenaState = serde_json::from_str(text).map_err(|error| format!("not a state of Oshi-Zumo: {error}"))?;
        let number = std::mem::replace(&mut self.number, arena.move_number);
        let (field, state) = arena.place()?;
        if let Some(game) = self.games.last_mut() {
            let before = game.state();
            if let (Some(bid_a), Some(bid_b)) = (before.a.checked_sub(state.a), before.b.checked_sub(state.b)) {
                if number.is_some() && number == arena.move_number && state == before {
                    return Ok(());
                }
                let after = game.play(bid_a, bid_b).map_err(|error| error.to_string())?;
                if after != state {
                    return Err(format!("bids {bid_a} and {bid_b} from {before} lead to {after}, not to {state}"));
                }
                let moves = arena.move_number.unwrap_or(game.turns().len() as u64);
                if game.outcome().is_none() && (arena.is_terminal || moves >= arena.params.horizon) {
                    game.end_where_it_lies().map_err(|error| error.to_string())?;
                }
                return Ok(());
            }
        }
        if arena.params.alesia {
            return Err("with `alesia` coins are spent in another way".to_owned());
        }
        let rules = Rules::oshi_zumo(field).and_then(|rules| rules.with_min_bid(arena.params.min_bid));
        let game = rules.and_then(|rules| GameRecord::new(&rules, state)).map_err(|error| error.to_string())?;
        if self.games.first().is_some_and(|first| first.rules() != game.rules()) {
            return Err("a game by other rules than the first one's".to_owned());
        }
        self.games.push(game);
        Ok(())
    }
}

impl ArenaState {
    fn place(&self) -> Result<(i32, State), String> {
        let unknown = || format!("`{}` is no field; expected one such as #...W...#", self.field);
        let inner = self.field.len().checked_sub(3).filter(|inner| inner % 2 == 0 && *inner > 0).ok_or_else(unknown)?;
        let wrestler = self.field.find('W').ok_or_else(unknown)?;
        let mut field = format!("#{}#", ".".repeat(inner + 1));
        field.replace_range(wrestler..=wrestler, "W");
        if self.field != field {
            return Err(unknown());
        }
        let ball = Ball::new(wrestler as i32 - inner as i32 / 2 - 1).map_err(|error| error.to_string())?;
        Ok(((inner / 2) as i32, State::new(self.coins[0], self.coins[1], ball)))
    }
}
