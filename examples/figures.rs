//! Draws the figures of the README and the documents: `cargo run --release --example figures --
//! docs/figures`.
//!
//! Without a folder it only draws them. The same program makes the same bytes on every machine.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use pencil_tennis::analysis::{ForcedPlay, PolicyEvaluation};
use pencil_tennis::figures::{
    StateLine, forced_figure, limit_density_figure, limit_figure, opening_figure, outcome_figure,
    regret_figure, strategy_figure, support_figure, value_figure,
};
use pencil_tennis::report::write_file;
use pencil_tennis::{Ball, Player, Policy, Rules, Solver, unwatched};

#[path = "shared/program.rs"]
#[allow(dead_code, reason = "a folder is no number")]
mod program;
use program::say;

fn main() -> ExitCode {
    program::run("figures [FOLDER]", draw)
}

fn draw() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let solution = pencil_tennis::solve(50)?;
    let large = pencil_tennis::solve(100)?;
    let limit = Solver::new(&Rules::tennis()).points([100, 100]).limit()?;
    let uniform = Policy::uniform(solution.rules(), solution.points())?;
    let figures = [
        ("values", value_figure(&solution)?),
        ("opening", opening_figure(&large)?),
        ("strategies", strategy_figure(&solution, Player::A, Ball::new(-1)?, StateLine::Equal)?),
        ("supports", support_figure(&large)?),
        ("outcomes", outcome_figure(&solution)?),
        ("forced", forced_figure(&ForcedPlay::new(&Rules::tennis(), [50, 50])?)?),
        ("limit", limit_figure(&limit, &large)?),
        ("limit_density", limit_density_figure(&limit)?),
        (
            "regret",
            regret_figure(
                &solution,
                &PolicyEvaluation::new(&solution, &uniform, &mut unwatched)?,
                Player::A,
                "uniform",
            )?,
        ),
    ];
    for (name, svg) in figures {
        say!("{name}: {} bytes", svg.len());
        if let Some(folder) = &folder {
            write_file(&folder.join(name).with_extension("svg"), |out| {
                out.write_all(svg.as_bytes())
            })?;
        }
    }
    Ok(())
}
