//! Solves games with hidden information and prints their sizes, bounds and times:
//!
//! ```sh
//! cargo run --release --example hidden_games
//! cargo run --release --example hidden_games 1e-6 dice6
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use pencil_tennis::Player;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::hidden::games::{
    HiddenGoofspiel, KuhnPoker, LeducPoker, LiarsDice, SecretInspection,
};
use pencil_tennis::hidden::{GameTree, HiddenError, HiddenSolver};

/// The games that are solved unless some are named.
const USUAL: [&str; 7] = ["kuhn", "leduc", "dice3", "dice4", "dice5", "goofspiel4", "inspection4"];

fn tree(name: &str) -> Result<GameTree, Box<dyn Error>> {
    let begin = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let number = || name[begin.len()..].parse::<u8>();
    let tree: Result<GameTree, HiddenError> =
        match begin {
            "kuhn" => GameTree::from_rules(&KuhnPoker),
            "leduc" => GameTree::from_rules(&LeducPoker),
            "dice" => GameTree::from_rules(&LiarsDice::new(number()?)),
            "goofspiel" => GameTree::from_rules(&HiddenGoofspiel::new(number()?)),
            "inspection" => GameTree::from_rules(&SecretInspection::new(number()?)),
            _ => return Err(format!(
                "there is no game {name}; expected kuhn, leduc, dice4, goofspiel4 or inspection4"
            )
            .into()),
        };
    Ok(tree?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut gap = HiddenSolver::GAP;
    if let Some(Ok(asked)) = words.first().map(|word| word.parse()) {
        gap = asked;
        words.remove(0);
    }
    if words.is_empty() {
        words = USUAL.map(str::to_owned).to_vec();
    }
    let mut out = io::stdout();
    let head = format!(
        "{:<12} {:>9} {:>13} {:>20} {:>9} {:>10} {:>8}",
        "game", "nodes", "sets", "value", "width", "iterations", "seconds"
    );
    // A reader that leaves early is no failure.
    if writeln!(out, "{head}").is_err() {
        return Ok(());
    }
    for name in words {
        let begin = Instant::now();
        let tree = tree(&name)?;
        let solution = HiddenSolver::new(tree).gap(gap).solve()?;
        let seconds = begin.elapsed().as_secs_f64();
        let [a, b] = Player::BOTH.map(|player| solution.tree().information_sets(player).len());
        let line = format!(
            "{name:<12} {:>9} {:>13} {:>20} {:>9} {:>10} {seconds:>8.3}",
            solution.tree().len(),
            format!("{a}+{b}"),
            solution.enclosure().decimal().to_string(),
            rounded_up(solution.enclosure().width()),
            solution.iterations(),
        );
        if writeln!(out, "{line}").is_err() {
            return Ok(());
        }
    }
    Ok(())
}
