//! Games of any rules as commands name them: `@NAME` of the gallery, a file of JSON Lines or of
//! Gambit, standard input.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use pencil_tennis::agents::Level;
use pencil_tennis::hidden::{self, BehaviourStrategy, GameTree, HiddenSolution, HiddenSolver};
use pencil_tennis::model_checking::language::{Definitions, PropertyFile, Value, read_value};
use pencil_tennis::model_checking::{
    ExplicitFiles, ExplicitModel, Exploration, ExplorationCheckpoint, ModelError, Probabilities,
    Property, is_model_text,
};
use pencil_tennis::report::{
    ExtensiveForm, ModelReport, gallery_game, read_file, read_game_policy, read_hidden_strategies,
};
use pencil_tennis::stochastic_game::{
    StateView, StationaryPolicy, StochasticGame, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{Error, Player};

use super::checkpoints::{self, Keeper, Reached, Resumed};
use super::game_args::WorkArgs;
use super::interrupt;
use super::numbers::named;
use super::sentences::listed;
use super::usage::wrong_usage;
use super::word::{Word, quoted};

/// The longest policy file or tree that is read.
pub(super) const MOST_BYTES: u64 = 1 << 32;

/// The most starts that a message lists.
const MOST_STARTS: usize = 3;

/// Reads a game within a memory limit.
pub(super) fn read_game(file: &Path, limit: u64) -> anyhow::Result<StochasticGame> {
    let name = || file.display().to_string();
    if let Some(name) = file.to_str().and_then(|file| file.strip_prefix('@')) {
        if hidden::games::GALLERY.contains(&name) {
            anyhow::bail!(
                "@{name} has hidden information, which this command does not read; `solve`, `show`, `play`, `explore`, \
                 `exploit`, `duel`, `prove` and `export strategies` do"
            );
        }
        return Ok(StochasticGame::read_within(&gallery_game(name)?[..], limit)?);
    }
    if file.extension().is_some_and(|ending| ending == "tra") {
        anyhow::bail!(
            "{} is a model without a question; `pencil-tennis solve {0} --property …` solves it",
            name()
        );
    }
    if file.extension().is_some_and(|ending| ending == "efg") {
        let bytes = read_file(file, MOST_BYTES)?;
        return Ok(interrupt::with_spinner("reading", || {
            ExtensiveForm::read(&name(), &bytes, Probabilities::Exact)?.simultaneous_game()
        })?);
    }
    let game = interrupt::with_spinner("reading", || {
        if file.as_os_str() == "-" {
            return Ok(StochasticGame::read_within(io::stdin().lock(), limit));
        }
        File::open(file).map(|file| StochasticGame::read_within(BufReader::new(file), limit))
    });
    game.with_context(|| format!("cannot read {}", name()))?.with_context(name)
}

/// A game with hidden information, and what was assumed in reading it, if the file or name is one;
/// `None` for other games, which [`read_game`] reads.
pub(super) fn read_hidden_game(
    file: &Path,
    probabilities: Option<Probabilities>,
) -> anyhow::Result<Option<HiddenSource>> {
    let name = file.display().to_string();
    if let Some(tree) = name.strip_prefix('@').and_then(hidden::games::gallery_game) {
        return Ok(Some(HiddenSource {
            tree: tree.map_err(Error::from)?,
            assumptions: Vec::new(),
        }));
    }
    if file.extension().is_none_or(|ending| ending != "efg") {
        return Ok(None);
    }
    let bytes = read_file(file, MOST_BYTES)?;
    let probabilities = probabilities.unwrap_or_default();
    let form =
        interrupt::with_spinner("reading", || ExtensiveForm::read(&name, &bytes, probabilities))?;
    // Rounded probabilities are read as other numbers in trees of this kind alone, whose report
    // says so.
    if !form.has_hidden_information() && form.assumptions().is_empty() {
        return Ok(None);
    }
    let tree = interrupt::with_spinner("reading", || form.game_tree())?;
    Ok(Some(HiddenSource { tree, assumptions: form.assumptions() }))
}

/// A game with hidden information.
pub(super) struct HiddenSource {
    pub(super) tree: GameTree,
    pub(super) assumptions: Vec<String>,
}

/// The number of a state, or of the first start if none is asked for.
pub(super) fn state_of(game: &StochasticGame, asked: Option<&str>) -> anyhow::Result<usize> {
    let Some(asked) = asked else { return Ok(game.starts()[0] as usize) };
    game.place(asked).map_err(|error| {
        let same = |name: &str| {
            let equal = |(one, other): &(char, char)| one == other;
            let before = name.chars().zip(asked.chars()).take_while(equal).count();
            before + name.chars().rev().zip(asked.chars().rev()).take_while(equal).count()
        };
        let nearest = game.states().map(StateView::name).max_by_key(|name| same(name));
        let near = nearest
            .filter(|name| 2 * same(name) > asked.chars().count())
            .map(|name| format!("; did you mean `{name}`?"));
        let starts = game
            .starts()
            .iter()
            .take(MOST_STARTS)
            .filter_map(|&start| game.state(start as usize).ok())
            .map(|start| format!("`{}`", start.name()));
        anyhow::Error::msg(format!(
            "{error}; play starts at {}{}",
            listed(starts),
            near.unwrap_or_default()
        ))
    })
}

/// A player's policy of a solved game: `optimal`, `uniform`, `quantal:PRECISION`, or a csv file.
pub(super) fn read_player(
    solution: &StochasticSolution,
    name: &Word,
    player: Player,
) -> anyhow::Result<StationaryPolicy> {
    let path = name.path();
    if !path.exists() {
        let Some(level) = name.text().and_then(|name| name.parse::<Level>().ok()) else {
            anyhow::bail!(
                "`{name}` is no player of this game; expected optimal, uniform, quantal:PRECISION or a csv file"
            );
        };
        return Ok(level.stationary(solution, player)?);
    }
    let policies = read_game_policy(solution.game(), &read_file(path, MOST_BYTES)?)
        .with_context(|| name.to_string())?;
    let policy = policies.into_iter().find(|policy| policy.player() == player);
    policy.with_context(|| format!("{name} does not say how {player} plays"))
}

/// A player's strategy in a solved game with hidden information: `optimal`, `uniform`, or a csv
/// file.
pub(super) fn read_hidden_player(
    solution: &HiddenSolution,
    name: &Word,
    player: Player,
) -> anyhow::Result<BehaviourStrategy> {
    match name.text() {
        Some("optimal") => Ok(solution.behaviour(player).clone()),
        Some("uniform") => Ok(BehaviourStrategy::uniform(solution.tree(), player)),
        _ if name.path().exists() => {
            let strategies = read_strategies(solution.tree(), name.path())?;
            let strategy = strategies.into_iter().find(|strategy| strategy.player() == player);
            strategy.with_context(|| format!("{name} does not say how {player} plays"))
        }
        _ => anyhow::bail!(
            "`{name}` cannot play with hidden information; expected optimal, uniform, or a csv of strategies, as \
             `export strategies` writes it"
        ),
    }
}

/// The strategies of a csv file, of one player or both, in a game with hidden information.
pub(super) fn read_strategies(
    tree: &GameTree,
    file: &Path,
) -> anyhow::Result<Vec<BehaviourStrategy>> {
    let strategies = read_hidden_strategies(tree, &read_file(file, MOST_BYTES)?);
    strategies.map_err(Error::from).with_context(|| file.display().to_string())
}

/// Solves a game with hidden information, whole.
pub(super) fn solve_hidden_game(tree: GameTree) -> anyhow::Result<HiddenSolution> {
    let Reached { solution, is_interrupted } =
        checkpoints::solve_hidden(HiddenSolver::new(tree), HiddenSolver::GAP, &Keeper::default())?;
    if is_interrupted {
        Err(interrupt::Interrupted(interrupt::remains()).into())
    } else {
        Ok(solution)
    }
}

/// Reads and solves a game as [`read_game`].
pub(super) fn solve_game(file: &Path) -> anyhow::Result<StochasticSolution> {
    let game = read_game(file, StochasticGame::MEMORY_LIMIT)?;
    checkpoints::solve_game(StochasticSolver::new(game), &Keeper::default())
}

/// The property of a model, and its files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models of PRISM-games")]
pub(super) struct ModelArgs {
    /// Of a model (.prism, or .tra, an explicit export): solve this property, such as '<<1>>Pmax=?
    /// [ F s1=3 & t<=1 ]'
    #[arg(long, value_name = "PROPERTY", allow_hyphen_values = true)]
    property: Option<String>,
    #[command(flatten)]
    files: ModelFiles,
}

/// The states of a model while they are found: what keeps them, and the checkpoint from which they
/// go on.
#[derive(Default)]
pub(super) struct KeptStates<'k> {
    keeper: Option<&'k Keeper<'k>>,
    resumed: Option<ExplorationCheckpoint<'static>>,
    /// The file of the checkpoint.
    path: Option<PathBuf>,
}

impl<'k> KeptStates<'k> {
    /// The states that a keeper with a file keeps, from a checkpoint if there is one. Where it has
    /// a solve, it has all states, or these are found too soon to be kept; then nothing may replace
    /// the solve.
    pub(super) fn new(keeper: &'k Keeper<'_>, resumed: Option<&mut Resumed>) -> Self {
        let is_solving = resumed.as_ref().is_some_and(|resumed| resumed.solve.is_some());
        let keeper = Some(keeper).filter(|keeper| keeper.is_any() && !is_solving);
        let Some(resumed) = resumed else { return Self { keeper, ..Self::default() } };
        Self {
            keeper,
            resumed: resumed.states.take(),
            path: resumed.states_file().map(Path::to_owned),
        }
    }
}

/// The files of a model, and values of its constants.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Models of PRISM-games")]
pub(super) struct ModelFiles {
    /// Values of the model's constants, such as k=5,q=0.1
    #[arg(
        long = "const",
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    constants: Vec<String>,
    /// Variables of an export's states [default: MODEL.sta]
    #[arg(long, value_name = "STA")]
    state_file: Option<PathBuf>,
    /// Labels of an export [default: MODEL.lab]
    #[arg(long, value_name = "LAB")]
    label_file: Option<PathBuf>,
    /// Rewards of an export's states (.srew) and transitions (.trew) [default: MODEL.srew,
    /// MODEL1.srew, …]
    #[arg(long, value_name = "REW")]
    reward_file: Vec<PathBuf>,
    /// Names of an export's players in their order, for coalitions such as <<robot>>
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    players: Vec<String>,
    /// Read probabilities of a model or of TREE.efg as exact decimals; printed ones as the simplest
    /// fractions that round to them (nearest); or divided by their sum where that is 1 but for
    /// rounding (normalised)
    #[arg(long, value_name = "READING", value_parser = named::<Probabilities>(["exact", "nearest", "normalised"]))]
    probabilities: Option<Probabilities>,
}

impl ModelFiles {
    /// Whether an option is given that only models take.
    fn is_given(&self) -> bool {
        let Self { constants, state_file, label_file, reward_file, players, probabilities } = self;
        !constants.is_empty()
            || state_file.is_some()
            || label_file.is_some()
            || !reward_file.is_empty()
            || !players.is_empty()
            || probabilities.is_some()
    }

    /// The first option that is given of those that only exports take: the language says in the
    /// model itself what they do.
    fn of_exports(&self) -> Option<&'static str> {
        let given = [
            ("--state-file", self.state_file.is_some()),
            ("--label-file", self.label_file.is_some()),
            ("--reward-file", !self.reward_file.is_empty()),
            ("--players", !self.players.is_empty()),
        ];
        given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    fn constants(&self) -> anyhow::Result<Vec<(String, Value)>> {
        let mut constants = Vec::new();
        for definition in &self.constants {
            let Some((name, value)) = definition.split_once('=') else {
                wrong_usage(format!(
                    "`{definition}` is no constant; expected one such as --const k=5"
                ));
            };
            let read =
                read_value(value).with_context(|| format!("the constant `{}`", name.trim()))?;
            constants.push((name.trim().to_owned(), read));
        }
        Ok(constants)
    }

    /// Reads a model: an export, or the modelling language, whose states are explored.
    pub(super) fn read(
        &self,
        file: &Path,
        properties: Option<&PropertyFile>,
        work: WorkArgs,
        kept: KeptStates<'_>,
    ) -> anyhow::Result<ExplicitModel> {
        let constants = self.constants()?;
        if is_model_text(file) {
            if let Some(option) = self.of_exports() {
                wrong_usage(format!(
                    "{option} is for an export, MODEL.tra; {} has all of that in the language",
                    quoted(file)
                ));
            }
            let mut exploration = Exploration::within(work.memory())
                .probabilities(self.probabilities.unwrap_or_default());
            if let Some(threads) = work.threads {
                exploration = exploration.threads(threads);
            }
            if let Some(checkpoint) = kept.resumed {
                exploration = exploration.resume(checkpoint);
            }
            let explored = match kept.keeper {
                Some(keeper) => {
                    exploration = exploration
                        .on_checkpoint(keeper.every(), |checkpoint| keeper.save_states(checkpoint));
                    interrupt::exploring_kept(|progress| {
                        exploration.read(file, properties, &constants, progress)
                    })
                }
                None => interrupt::exploring(|progress| {
                    exploration.read(file, properties, &constants, progress)
                }),
            };
            return explored.map_err(|error| match (&kept.path, error.downcast_ref()) {
                (Some(path), Some(Error::Model(ModelError::Checkpoint { .. }))) => {
                    error.context(path.display().to_string())
                }
                _ => error,
            });
        }
        let mut files = ExplicitFiles::beside(file);
        files.states = self.state_file.clone().or(files.states);
        files.labels = self.label_file.clone().or(files.labels);
        if !self.reward_file.is_empty() {
            files.rewards.clone_from(&self.reward_file);
        }
        let reading = self.probabilities.unwrap_or_default();
        let mut model =
            interrupt::with_spinner("reading", || ExplicitModel::read(&files, reading))?;
        if !self.players.is_empty() {
            model.name_players(self.players.clone())?;
        }
        let no_properties = PropertyFile::default();
        model.define(Definitions::of_properties(properties.unwrap_or(&no_properties), &constants)?);
        Ok(model)
    }
}

impl ModelArgs {
    /// How printed probabilities are read, if that is asked for.
    pub(super) fn probabilities(&self) -> Option<Probabilities> {
        self.files.probabilities
    }

    /// The game of the property with the assumptions made, if FILE is a model.
    pub(super) fn read(
        &self,
        file: &Path,
        work: WorkArgs,
        kept: KeptStates<'_>,
    ) -> anyhow::Result<Option<(StochasticGame, ModelReport)>> {
        let is_export = file.extension().is_some_and(|ending| ending == "tra");
        let Some(text) = &self.property else {
            if is_export {
                wrong_usage(
                    "a .tra file is a model without a question; add --property '<<1>>Pmax=? [ F … ]'",
                );
            }
            if is_model_text(file) {
                wrong_usage("a model needs a question; add --property '<<1>>Pmax=? [ F … ]'");
            }
            let others = ModelFiles { probabilities: None, ..self.files.clone() };
            if others.is_given() {
                wrong_usage(
                    "options of a model need a question, too; add --property '<<1>>Pmax=? [ F … ]'",
                );
            }
            let is_tree = file.extension().is_some_and(|ending| ending == "efg");
            if self.files.probabilities.is_some() && !is_tree {
                wrong_usage(
                    "--probabilities is for a TREE.efg, or for a model with --property; other files have fractions",
                );
            }
            return Ok(None);
        };
        let property: Property = text.parse()?;
        let model = self.files.read(file, None, work, kept)?;
        let game = model.game(&property, work.memory())?;
        let assumptions = model.assumptions().to_vec();
        Ok(Some((game, ModelReport { property: text.trim().to_owned(), assumptions })))
    }
}
