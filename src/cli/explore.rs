//! `explore`: the page that solves in the browser.

mod page;
mod site;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use pencil_tennis::report::read_arena_games;
use pencil_tennis::{GameRecord, Rules, State};

use super::game_args::RulesArgs;
use super::output::Output;
use super::replay::read_text;

const USUAL: u32 = 50;

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

Examples:
  pencil-tennis explore
  pencil-tennis explore 36:39@2
  pencil-tennis explore --game game.txt       # as `play --record`, or an arena, writes it
  pencil-tennis explore -o tennis.html --no-open
  pencil-tennis explore --site public --url https://example.org/tennis/
  pencil-tennis explore -o - > explorer.html")]
pub(super) struct Explore {
    /// The state to begin at, `POINTS_A:POINTS_B@BALL`
    #[arg(value_name = "STATE", conflicts_with = "game")]
    state: Option<State>,
    /// A written game to begin with, judged bid by bid
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "explorer.html")]
    output: Output,
    /// Write a folder for a web server instead
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    site: Option<PathBuf>,
    /// The address at which the folder will be found
    #[arg(long, value_name = "URL", requires = "site", value_parser = address)]
    url: Option<String>,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

fn address(text: &str) -> Result<String, String> {
    let plain = text.chars().all(|sign| sign.is_ascii_graphic() && !"\"<>".contains(sign));
    if plain && (text.starts_with("https://") || text.starts_with("http://")) {
        let slash = if text.ends_with('/') { "" } else { "/" };
        return Ok(format!("{text}{slash}"));
    }
    Err("expected an address such as https://example.org/tennis/".to_owned())
}

impl Explore {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let start = self.start()?;
        if let Some(folder) = &self.site {
            site::write(folder, start.as_deref(), self.url.as_deref())?;
            eprintln!("{}: to be served as it is; the page is index.html", folder.display());
            return Ok(());
        }
        self.output.check_only("the page", "html");
        self.output.check(&self.game.as_deref().into_iter().collect::<Vec<_>>())?;
        let page = page::assemble(start.as_deref(), "")?;
        self.output.write(|out| out.write_all(page.as_bytes()))?;
        let Some(path) = self.output.path() else { return Ok(()) };
        eprintln!("{}: {} kB, for any browser", path.display(), page.len() / 1000);
        // A script wants the file, not a window.
        if !self.no_open && io::stdout().is_terminal() {
            show(path);
        }
        Ok(())
    }

    /// The link that the page begins with, if it is not its own choice.
    fn start(&self) -> anyhow::Result<Option<String>> {
        if let Some(path) = &self.game {
            let game = read(path, &self.rules)?;
            let bids: Vec<String> = game.turns().iter().map(|turn| format!("{}-{}", turn.bid_a, turn.bid_b)).collect();
            let link = link("play", game.rules(), game.start());
            return Ok(Some(format!("{link}&bids={}", bids.join("."))));
        }
        let rules = self.rules.get()?;
        match self.state {
            None if self.rules.are_usual() => Ok(None),
            None => Ok(Some(link("explore", &rules, State::new(USUAL, USUAL, pencil_tennis::Ball::NET)))),
            Some(state) => {
                rules.check(state)?;
                Ok(Some(link("explore", &rules, state)))
            }
        }
    }
}

fn read(path: &Path, asked: &RulesArgs) -> anyhow::Result<GameRecord> {
    let name = || path.display().to_string();
    let text = read_text(path)?;
    if let Some(games) = read_arena_games(&text).with_context(name)? {
        return games.into_iter().next().with_context(name);
    }
    let rules = GameRecord::rules_of_table(&text).with_context(name)?.map_or_else(|| asked.get(), Ok)?;
    GameRecord::from_table(&rules, &text).with_context(name)
}

/// A section of the page at a state, in a game with room for it.
fn link(section: &str, rules: &Rules, state: State) -> String {
    let [a, b] = [state.a, state.b].map(|points| points.max(USUAL));
    let (field, motion, scoring) = (rules.field(), rules.motion(), rules.scoring());
    let bids = if rules.min_bid() == 0 { "&min-bid=0" } else { "" };
    format!("#{section}?points={a}:{b}&field={field}&motion={motion}&scoring={scoring}{bids}&state={state}")
}

fn show(path: &Path) {
    if let Err(error) = open::that_detached(path) {
        eprintln!("no browser could be started ({error}); open {} in one", path.display());
    }
}
