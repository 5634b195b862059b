use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pencil_tennis::model_checking::{ExplicitFiles, Probabilities, read_prism};
use pencil_tennis::report::ModelReport;
use pencil_tennis::stochastic_game::StochasticGame;

use super::wrong_usage;

/// The property of a model, and its files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models of PRISM-games")]
pub(super) struct ModelArgs {
    /// FILE is MODEL.tra, an explicit export: solve this property, such as '<<1>>Pmax=? [ F s1=3 & t<=1 ]'
    #[arg(long, value_name = "PROPERTY", allow_hyphen_values = true)]
    property: Option<String>,
    /// Variables of the states [default: MODEL.sta]
    #[arg(long, value_name = "STA", requires = "property")]
    state_file: Option<PathBuf>,
    /// Labels [default: MODEL.lab]
    #[arg(long, value_name = "LAB", requires = "property")]
    label_file: Option<PathBuf>,
    /// Rewards of states (.srew) and transitions (.trew) [default: MODEL.srew, MODEL1.srew, …]
    #[arg(long, value_name = "REW", requires = "property")]
    reward_file: Vec<PathBuf>,
    /// Read printed probabilities as exact decimals, or as the simplest fractions that round to them
    #[arg(long, value_name = "READING", requires = "property", value_parser = readings())]
    probabilities: Option<Probabilities>,
}

fn readings() -> impl TypedValueParser<Value = Probabilities> {
    PossibleValuesParser::new(["exact", "nearest"]).try_map(|name| name.parse::<Probabilities>())
}

impl ModelArgs {
    /// The game of the property with the assumptions made, if FILE is a model.
    pub(super) fn read(&self, file: &Path, limit: u64) -> anyhow::Result<Option<(StochasticGame, ModelReport)>> {
        let is_model = file.extension().is_some_and(|ending| ending == "tra");
        let Some(text) = &self.property else {
            if is_model {
                wrong_usage("a .tra file is a model without a question; add --property '<<1>>Pmax=? [ F … ]'");
            }
            return Ok(None);
        };
        let mut files = ExplicitFiles::beside(file);
        files.states = self.state_file.clone().or(files.states);
        files.labels = self.label_file.clone().or(files.labels);
        if !self.reward_file.is_empty() {
            files.rewards.clone_from(&self.reward_file);
        }
        let (game, assumptions) = read_prism(&files, text, self.probabilities.unwrap_or_default(), limit)?;
        Ok(Some((game, ModelReport { property: text.trim().to_owned(), assumptions })))
    }
}
