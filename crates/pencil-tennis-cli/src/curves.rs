//! Learning curves, drawn.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pencil_tennis::agents::CurvePoint;
use pencil_tennis::figures::{CurveX, CurveY, curve_figure};
use pencil_tennis::report::read_curve;

use super::output::FigureFile;
use super::train::games;

/// Draw learning curves that `train --curve` wrote
#[derive(Debug, Args)]
#[command(after_help = "\
Curves are named after their files.

Example:
  pencil-tennis train simple --curve simple.csv
  pencil-tennis train cfr-plus --games 1e6 --curve cfr-plus.csv
  pencil-tennis plot curves simple.csv cfr-plus.csv --x seconds -o curves.svg
  pencil-tennis plot curves simple.csv --title 'Tennis, 50 points each' -o curves.svg")]
pub(super) struct Curves {
    /// The curves
    #[arg(value_name = "CSV", required = true)]
    files: Vec<PathBuf>,
    /// Quantity on the horizontal axis
    #[arg(long, value_parser = across(), default_value = "games")]
    x: CurveX,
    /// Quantity on the vertical axis
    #[arg(long, value_parser = up(), default_value = "exploitability")]
    y: CurveY,
    /// Leave out points with fewer games
    #[arg(long, value_name = "N", value_parser = games, default_value = "1")]
    from: u64,
    /// Title of the picture, such as the name of the game
    #[arg(long, value_name = "TEXT", default_value = "Learning curves")]
    title: String,
    #[command(flatten)]
    figure: FigureFile,
}

fn across() -> impl TypedValueParser<Value = CurveX> {
    PossibleValuesParser::new(["games", "seconds", "entries"]).map(|name| match &*name {
        "seconds" => CurveX::Seconds,
        "entries" => CurveX::EntriesRead,
        _ => CurveX::Games,
    })
}

fn up() -> impl TypedValueParser<Value = CurveY> {
    PossibleValuesParser::new(["exploitability", "optimum", "uniform"]).map(|name| match &*name {
        "optimum" => CurveY::AgainstOptimum,
        "uniform" => CurveY::AgainstUniform,
        _ => CurveY::Exploitability,
    })
}

impl Curves {
    pub(super) fn run(self) -> anyhow::Result<()> {
        self.figure.check(&self.files.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let curves =
            self.files.iter().map(|path| self.read(path)).collect::<Result<Vec<_>, _>>()?;
        let svg = curve_figure(&self.title, &curves, self.x, self.y)?;
        self.figure.write(&svg)
    }

    fn read(&self, path: &Path) -> anyhow::Result<(String, Vec<CurvePoint>)> {
        let mut points = read_curve(path)?;
        points.retain(|point| point.games >= self.from);
        let name = path.file_stem().unwrap_or(path.as_os_str());
        Ok((name.to_string_lossy().into_owned(), points))
    }
}
