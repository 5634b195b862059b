//! The command `explore`: writes the page that solves in a browser.

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use pencil_tennis::hidden::HiddenSolution;
use pencil_tennis::model_checking::Probabilities;
use pencil_tennis::page::Page;
use pencil_tennis::stochastic_game::StochasticGame;
use pencil_tennis::{Ball, GameError, GameRecord, Rules, State};

use super::content::names_game;
use super::game_args::RulesArgs;
use super::game_source::{HiddenSource, read_game, read_hidden_game, solve_hidden_game};
use super::numbers::{grouped, named};
use super::output::Output;
use super::points::GameArgument;
use super::replay::read_text;
use super::screen::note;
use super::usage::{check_options, wrong_usage};
use super::word::Word;

const USUAL: u32 = 50;

/// The most points that the page solves in a browser: `MOST_POINTS` in web/page/state.js.
const MOST: u32 = 400;

/// The most pairs of actions that the page solves: `MOST_CELLS` of its module.
const MOST_CELLS: usize = 100_000;

/// The most nodes of a tree that the page shows: some 100 kB of it, read in a second.
const MOST_NODES: usize = 100_000;

/// Open a page to play, explore, judge and learn: the solver itself, in one file for any browser
#[derive(Debug, Args)]
#[command(after_help = "\
The page works offline, opened from disk. It solves any game of the family
itself, with the same results to the last bit. It is written to a file, and
where this program runs in a terminal, a browser opens it; with a STATE or a
written game it begins there.

--site writes a folder for a web server (any that serves files): the page with
an icon, a manifest and a service worker, with which it can be installed and
works offline, and a picture that is shown behind links if --url says where.

Share on the page copies a game as text. `replay -` and any copy of the page
read this text. If the page is on a web server or was written with --url, the
text ends with a link.

Examples:
  pencil-tennis explore
  pencil-tennis explore 36:39@2
  pencil-tennis explore --game game.txt       # as `play --record` writes it
  pencil-tennis explore my.jsonl              # another game, as `solve` reads it
  pencil-tennis explore @soccer
  pencil-tennis explore @kuhn                 # hidden information: also TREE.efg
  pencil-tennis explore -o tennis.html --no-open
  pencil-tennis explore --site public --url https://example.org/tennis/
  pencil-tennis explore --url https://example.org/tennis/ --no-open
  pencil-tennis explore -o - > explorer.html")]
pub(super) struct Explore {
    /// The state to begin at, `POINTS_A:POINTS_B@BALL`; or a game of other rules, a .jsonl or .efg
    /// file or @NAME
    #[arg(value_name = "STATE | GAME", conflicts_with = "game", value_parser = OsStringValueParser::new().try_map(read_begin))]
    begin: Option<GameArgument<State>>,
    /// A written game to begin with, judged bid by bid; or a game of other rules
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "explorer.html")]
    output: Output,
    /// Write a folder for a web server instead
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    site: Option<PathBuf>,
    /// The address at which the page will be found, for links to games that are shared
    #[arg(long, value_name = "URL", value_parser = address)]
    url: Option<String>,
    /// Read printed probabilities of a TREE.efg as exact decimals; as the simplest fractions that
    /// round to them (nearest); or divided by their sum where that is 1 but for rounding
    /// (normalised)
    #[arg(long, value_name = "READING", value_parser = named::<Probabilities>(["exact", "nearest", "normalised"]))]
    probabilities: Option<Probabilities>,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

fn read_begin(word: OsString) -> Result<GameArgument<State>, String> {
    let word = Word::from(word);
    if names_game(&word) {
        return Ok(GameArgument::Game(word));
    }
    let state = word.to_string().parse().map(GameArgument::Tennis);
    state.map_err(|error: GameError| format!("{error}; or a game of other rules: a file or @NAME"))
}

fn address(text: &str) -> Result<String, String> {
    let plain = text.chars().all(|sign| sign.is_ascii_graphic() && !"\"<>#".contains(sign));
    if plain && (text.starts_with("https://") || text.starts_with("http://")) {
        return Ok(text.to_owned());
    }
    Err("expected an address such as https://example.org/tennis/".to_owned())
}

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let other = match &self.begin {
            Some(GameArgument::Game(game)) => Some(game.path()),
            _ => self
                .game
                .as_deref()
                .filter(|game| names_game(&Word::from(game.as_os_str().to_owned()))),
        };
        if self.probabilities.is_some() && !other.is_some_and(is_tree) {
            wrong_usage("--probabilities is for a TREE.efg; other files have fractions");
        }
        let game = other.map(|path| any_game(path, self.probabilities)).transpose()?;
        let start = match &game {
            Some(game) => Some(format!("#games?game={}", escaped(game.name()))),
            None => self.start()?,
        };
        let mut page = Page::new();
        if let Some(start) = &start {
            page = page.opened_at(start)?;
        }
        match &game {
            Some(OtherGame::Text { name, text }) => page = page.with_game(name, text),
            Some(OtherGame::Hidden { name, solution }) => {
                page = page.with_hidden_game(name, solution);
            }
            Some(OtherGame::OfGallery { .. }) | None => {}
        }
        if let Some(folder) = &self.site {
            // A folder's address ends in a slash, a file's does not.
            if let Some(url) = &self.url {
                page = page.with_address(&format!("{}/", url.trim_end_matches('/')))?;
            }
            write_site(folder, &page)?;
            eprintln!("{}: to be served as it is; the page is index.html", folder.display());
            return Ok(());
        }
        if let Some(url) = &self.url {
            page = page.with_address(url)?;
        }
        self.output.check_only("the page", "html");
        self.output.check(&self.game.as_deref().or(other).into_iter().collect::<Vec<_>>())?;
        let page = page.html()?;
        self.output.write(|out| out.write_all(page.as_bytes()))?;
        let Some(path) = self.output.path() else { return Ok(()) };
        eprintln!("{}: {} kB, for any browser", path.display(), page.len() / 1000);
        // A script needs the file, not a window.
        if !self.no_open && io::stdout().is_terminal() {
            show(path);
        }
        Ok(())
    }

    /// The link at which the page opens, unless it chooses itself.
    fn start(&self) -> anyhow::Result<Option<String>> {
        if let Some(path) = &self.game {
            let game = read(path, &self.rules)?;
            let bids: Vec<String> =
                game.turns().iter().map(|turn| format!("{}-{}", turn.bid_a, turn.bid_b)).collect();
            return Ok(Some(format!(
                "{}&bids={}",
                link("play", game.rules(), game.start())?,
                bids.join(".")
            )));
        }
        let rules = self.rules.get()?;
        let state = match self.begin {
            Some(GameArgument::Tennis(state)) => state,
            None if !self.rules.are_usual() => State::new(USUAL, USUAL, Ball::NET),
            _ => return Ok(None),
        };
        rules.check(state)?;
        link("explore", &rules, state).map(Some)
    }
}

/// Writes the files of a folder for a web server. Creates the folder if necessary, and replaces
/// files of these names.
fn write_site(folder: &Path, page: &Page) -> anyhow::Result<()> {
    let files = page.site()?;
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, bytes) in files {
        Output::File(folder.join(name)).write(|out: &mut dyn io::Write| out.write_all(&bytes))?;
    }
    Ok(())
}

fn read(path: &Path, asked: &RulesArgs) -> anyhow::Result<GameRecord> {
    let name = || path.display().to_string();
    let text = read_text(path)?;
    let rules =
        GameRecord::rules_of_table(&text).with_context(name)?.map_or_else(|| asked.get(), Ok)?;
    GameRecord::from_table(&rules, &text).with_context(name)
}

/// The link to a state, unless the page's form refuses the game.
fn link(section: &str, rules: &Rules, state: State) -> anyhow::Result<String> {
    ensure!(
        state.a.max(state.b) <= MOST,
        "the page solves at most {MOST} points, {state} has more; see `pencil-tennis show {state}`"
    );
    let [a, b] = [state.a, state.b].map(|points| points.max(USUAL));
    let (field, motion, scoring) = (rules.field(), rules.motion(), rules.scoring());
    let bids = if rules.min_bid() == 0 { "&min-bid=0" } else { "" };
    Ok(format!(
        "#{section}?points={a}:{b}&field={field}&motion={motion}&scoring={scoring}{bids}&state={state}"
    ))
}

/// Whether a file is one of Gambit's trees.
fn is_tree(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "efg")
}

/// A game of other rules, with its name in the page.
enum OtherGame {
    /// Every page has it.
    OfGallery { name: String },
    /// JSON Lines, which the page solves itself.
    Text { name: String, text: String },
    /// A game with hidden information, which the page shows as it was solved here.
    Hidden { name: String, solution: Box<HiddenSolution> },
}

impl OtherGame {
    fn name(&self) -> &str {
        match self {
            Self::OfGallery { name } | Self::Text { name, .. } | Self::Hidden { name, .. } => name,
        }
    }
}

fn any_game(path: &Path, probabilities: Option<Probabilities>) -> anyhow::Result<OtherGame> {
    check_options(path.display(), &["game", "output", "site", "url", "no_open", "probabilities"]);
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = file_name.strip_prefix('@').unwrap_or(&file_name).to_owned();
    if let Some(HiddenSource { tree, assumptions }) = read_hidden_game(path, probabilities)? {
        ensure!(
            tree.len() <= MOST_NODES,
            "{} has {} nodes, and the page shows at most {}; `pencil-tennis show {0}` shows it",
            path.display(),
            grouped(tree.len()),
            grouped(MOST_NODES)
        );
        for assumption in assumptions {
            note(&format!("assumed: {assumption}"));
        }
        let solution = Box::new(solve_hidden_game(tree)?);
        return Ok(OtherGame::Hidden { name, solution });
    }
    let game = read_game(path, StochasticGame::MEMORY_LIMIT)?;
    ensure!(
        game.cells() <= MOST_CELLS,
        "{} has {} pairs of actions, and the page solves at most {}; `pencil-tennis solve {0}` solves it",
        path.display(),
        grouped(game.cells()),
        grouped(MOST_CELLS)
    );
    if file_name.starts_with('@') {
        return Ok(OtherGame::OfGallery { name });
    }
    // The page reads JSON Lines alone.
    let text = if is_tree(path) {
        let mut text = Vec::new();
        game.write(&mut text)?;
        String::from_utf8(text)?
    } else {
        read_text(path)?
    };
    Ok(OtherGame::Text { name, text })
}

/// A name as part of a link.
fn escaped(name: &str) -> String {
    let sign = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    name.bytes().map(sign).collect()
}

fn show(path: &Path) {
    if let Err(error) = open::that_detached(path) {
        eprintln!("no browser could be started ({error}); open {} in one", path.display());
    }
}
