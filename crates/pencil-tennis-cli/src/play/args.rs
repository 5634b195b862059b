//! The arguments of `play`.

use clap::Args;
use pencil_tennis::{Player, Rules};

use super::rules::in_words;
use crate::agent::AGENTS;
use crate::bot::{BOTS, BotArgs};
use crate::game_args::SolvedArgs;
use crate::numbers::{between, roles};
use crate::output::Output;
use crate::points::PointsArgs;
use crate::word::Word;

/// Play against the optimum, or another player
#[derive(Debug, Args)]
#[command(after_help = format!("\
How to play:
{}

Type a bid, `?` for a hint, `?rules` for the rules, `q` to end the game; so does
the end of the input.
The other's bid of every turn is drawn before yours is read: the same seed and
bids give the same game, and your bid never changes the bid that it meets. A
match of --to N ends when a player has N winning points; every game of it is bid
for its own sake, and uneven accounts are exchanged after every game.

With --min-bid 0, `w` waits: it bids 0 until the other bids more. Where the other
never does, and after 1,000 turns without a bid, the game ends where the ball
lies.

With --blind only the ball is announced, as in the game that `tennis blind`
solves: the other's bids are revealed after the game. The other then is `optimal`,
`uniform`, or a FILE that `tennis blind -o` wrote.

{AGENTS}

{BOTS}

In a game of other rules, as `solve` reads it, the other is `optimal`, `uniform`,
`quantal:PRECISION`, a csv of strategies, or `person`: two people, one keyboard.
With hidden information you see what your player knows; the other is `optimal`,
`uniform`, or a csv of strategies.

Examples:
  pencil-tennis play
  pencil-tennis play --against cmd:./my-bot
  pencil-tennis play 20 --as B --against uniform
  pencil-tennis play 9:8 --blind
  pencil-tennis play --to 5 --record match.txt
  pencil-tennis play @soccer        # another game: of the gallery, or my.jsonl
  pencil-tennis play @kuhn          # hidden information: poker
  pencil-tennis replay match.txt    # the games, judged bid by bid
  printf '2\\n1\\n' | pencil-tennis play 3 --seed 1",
in_words(&Rules::tennis(), [50; 2]).iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")))]
pub(crate) struct Play {
    #[command(flatten)]
    pub(super) points: PointsArgs,
    /// Opponent
    #[arg(long, value_name = "PLAYER", default_value = "optimal")]
    pub(super) against: Word,
    /// Role to play: A, who hits to the right, or B
    #[arg(long = "as", value_name = "PLAYER", default_value = "A", value_parser = roles(), ignore_case = true)]
    pub(super) player: Player,
    /// Seed of the other's bids [default: from the clock]
    #[arg(long, value_name = "S", value_parser = between::<u64>("a seed", 0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// The state at which play begins, in a game of other rules [default: its first start]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(super) state: Option<String>,
    /// Play games until somebody has N winning points
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of winning points", 1, 1_000_000))]
    pub(super) to: Option<u32>,
    /// Announce the ball alone, not the other's bids or account [default: 8 points]
    #[arg(long)]
    pub(super) blind: bool,
    /// Plain lines, also where a screen could be drawn
    #[arg(long)]
    pub(super) plain: bool,
    /// Write the games to a file, which `replay` reads; it is whole after every turn
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<Output>,
    /// Sampled games for every leaf of a lookahead [default: the exact expectation]
    #[arg(long, value_name = "N", value_parser = between::<u32>("a number of games", 1, u32::MAX as u64))]
    pub(super) playouts: Option<u32>,
    #[command(flatten)]
    pub(super) bots: BotArgs,
    #[command(flatten)]
    pub(super) solved: SolvedArgs,
}
