//! The native module of the Python package `pencil_tennis`: a thin layer over the public library.
//!
//! It takes and gives numpy arrays, numbers and strings, lets other Python threads run while it
//! works, and turns errors into exceptions with the same sentences. The Python code in
//! `py_src/pencil_tennis` builds the user's interface on it.

mod array_game;
mod arrays;
mod blind;
mod enclosures;
mod errors;
mod explorer;
mod figures;
mod files;
mod forced;
mod games;
mod hidden;
mod judging;
mod learners;
mod matrix_analysis;
mod matrix_game;
mod memory;
mod merged_solution;
mod played_games;
mod policy;
mod progress;
mod rules;
mod rules_table;
mod series;
mod shares;
mod simulator;
mod solution;
mod states;
mod stochastic_game;

use pyo3::prelude::*;

/// The native part of `pencil_tennis`; use the package, not this.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::array_game::{PyRowNumbers, game_from_arrays};
    #[pymodule_export]
    use crate::blind::{
        PyBlindBestResponse, PyBlindPolicy, PyBlindSolution, blind_size, solve_blind,
    };
    #[pymodule_export]
    use crate::errors::{
        AgentError, CertificateError, DefectError, Error, GameError, MatrixError, PolicyError,
        TableFileError,
    };
    #[pymodule_export]
    use crate::explorer::PyExplorer;
    #[pymodule_export]
    use crate::figures::{draw_forced, draw_regret, draw_solution, draw_strategies, draw_strategy};
    #[pymodule_export]
    use crate::files::{PyProof, checkpoint};
    #[pymodule_export]
    use crate::forced::PyForcedPlay;
    #[pymodule_export]
    use crate::games::{PyGames, draw_bid};
    #[pymodule_export]
    use crate::hidden::{
        PyGameTree, PyHiddenJudgement, PyHiddenSolution, hidden_nash_conv, read_game_tree,
        restored_game_tree, restored_hidden_solution, unfold_game, verify_hidden_game,
    };
    #[pymodule_export]
    use crate::judging::{PyBestResponse, PyJudgement, duel, exploitability, meeting};
    #[pymodule_export]
    use crate::learners::{PyLearningCurve, PyTraining, learners};
    #[pymodule_export]
    use crate::matrix_analysis::{maximum_entropy, optimal_strategies, sensitivity, undominated};
    #[pymodule_export]
    use crate::matrix_game::{
        PyExactMatrixGame, PyMatrixSolution, solve_doubles, solve_many_doubles,
    };
    #[pymodule_export]
    use crate::merged_solution::{PyMergedSolution, solution_of_rules_table, solve_rules_table};
    #[pymodule_export]
    use crate::played_games::PyPlayedGames;
    #[pymodule_export]
    use crate::policy::{
        PyPolicy, level_policy, policy_from_arrays, policy_from_weights, uniform_policy,
    };
    #[pymodule_export]
    use crate::rules::PyRules;
    #[pymodule_export]
    use crate::rules_table::PyRulesTable;
    #[pymodule_export]
    use crate::series::{PySeries, solve_series};
    #[pymodule_export]
    use crate::shares::shares;
    #[pymodule_export]
    use crate::simulator::PyPlaySession;
    #[pymodule_export]
    use crate::solution::{PySolution, load_table, solve};
    #[pymodule_export]
    use crate::states::parse_state;
    #[pymodule_export]
    use crate::stochastic_game::{
        PyPolicyJudgement, PyStochasticCheckpoint, PyStochasticGame, PyStochasticSolution,
        read_game, read_prism_game, solution_from_bytes, solution_of, solve_stochastic_game,
        unpacked_game, verify_stochastic_game,
    };

    use super::{Bound, PyAnyMethods, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Errors of the Python code have no code.
        module.py().get_type::<Error>().setattr("code", module.py().None())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
