//! Games of a model checker: the explicit export of a stochastic game, concurrent or turn-based, or
//! of a Markov decision process or chain, with a property, as a game to solve and prove.
//!
//! PRISM-games (Kwiatkowska, Norman, Parker and Santos) exports a model as text: `.tra` has its
//! transitions, `.sta` the variables of its states, `.lab` their labels, `.srew` and `.trew`
//! rewards. [`ExplicitModel`] reads these files, [`Property`] a question in the language of that
//! model checker, and [`ExplicitModel::game`] makes the zero-sum game between the coalition and all
//! other players.

mod explicit;
mod explored;
mod names;
mod product;
mod property;
mod qualitative;
mod question;

pub use ::prism_model as language;

pub use crate::error::ModelError;
pub use explicit::{ExplicitFiles, ExplicitModel, Probabilities};
#[doc(hidden)]
pub use explicit::{SIGNIFICANT, digits, nearest, simplest};
pub use explored::{Exploration, ExplorationCheckpoint, StatesFound, is_model_text};
pub use property::Property;
pub use question::{Answer, Bound, Interval, Question, Solve, Verdict};

use crate::Error;
use crate::StochasticGame;

/// Reads an export and makes the game of a property, as `pencil-tennis solve MODEL.tra --property`
/// does; also returns the [assumptions](ExplicitModel::assumptions).
///
/// ```
/// use stochastic_game::model_checking::{ExplicitFiles, Probabilities, read_prism};
/// use stochastic_game::StochasticSolver;
///
/// // Both players show a side of a coin; equal sides lead to state 1, others to state 2.
/// let path = std::env::temp_dir().join(format!("pennies{}.tra", std::process::id()));
/// let cells = "0 0 1 1 [h1,h2]\n0 1 2 1 [h1,t2]\n0 2 2 1 [t1,h2]\n0 3 1 1 [t1,t2]\n1 0 1 1 [h1,h2]\n2 0 2 1 [h1,h2]\n";
/// std::fs::write(&path, format!("# Transitions (CSG)\n3:2 6 6\n{cells}"))?;
/// std::fs::write(path.with_extension("lab"), "0=\"init\" 1=\"equal\"\n0: 0\n1: 1\n")?;
///
/// let files = ExplicitFiles::beside(&path);
/// let (game, _) = read_prism(&files, "<<1>>Pmax=? [ F \"equal\" ]", Probabilities::Exact, 1 << 30)?;
/// let start = game.place("0")?;
/// assert_eq!(StochasticSolver::new(game).solve()?.value(&start)?, 0.5);
/// # std::fs::remove_file(path.with_extension("lab"))?;
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`Property`], [`ExplicitModel::read`] and [`ExplicitModel::game`].
pub fn read_prism(
    files: &ExplicitFiles,
    property: &str,
    probabilities: Probabilities,
    memory_limit: u64,
) -> Result<(StochasticGame, Vec<String>), Error> {
    let property: Property = property.parse()?;
    let model = ExplicitModel::read(files, probabilities)?;
    Ok((model.game(&property, memory_limit)?, model.assumptions))
}

/// Explores a model in the modelling language and makes the game of a property, as `pencil-tennis
/// solve MODEL.prism --property` does; also returns the [assumptions](ExplicitModel::assumptions).
/// The callback may cancel.
///
/// ```
/// use stochastic_game::model_checking::language::read_value;
/// use stochastic_game::model_checking::read_prism_text;
/// use stochastic_game::StochasticSolver;
///
/// let path = std::env::temp_dir().join(format!("coin{}.prism", std::process::id()));
/// std::fs::write(&path, "dtmc const double p; module m s : [0..2]; [] s=0 -> p : (s'=1) + 1-p : (s'=2); endmodule")?;
/// let constants = [("p".to_owned(), read_value("1/4")?)];
/// let mut watch = |_| std::ops::ControlFlow::Continue(());
/// let (game, _) = read_prism_text(&path, "P=? [ F s=1 ]", &constants, 1 << 30, &mut watch)?;
/// assert_eq!(StochasticSolver::new(game).solve()?.value(&0)?, 0.25);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`Property`], [`ExplicitModel::read_text`] and [`ExplicitModel::game`].
pub fn read_prism_text(
    file: &std::path::Path,
    property: &str,
    constants: &[(String, language::Value)],
    memory_limit: u64,
    found: &mut StatesFound<'_>,
) -> Result<(StochasticGame, Vec<String>), Error> {
    let property: Property = property.parse()?;
    let model = Exploration::within(memory_limit).read(file, None, constants, found)?;
    Ok((model.game(&property, memory_limit)?, model.assumptions))
}
