//! Shared by the examples of games: solving with a report, and strategies as text.

mod program;

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::Instant;

#[cfg(feature = "mpi")]
use pencil_tennis::mpi;
use pencil_tennis::stochastic_game::{
    GameRules, LayerFolder, RankedRules, RankedSolution, StochasticSolution, StochasticSolver,
};
pub(crate) use program::{argument, run, say};

/// Solves a game on as many threads as the variable `THREADS` says, or all; prints the states, the
/// time and the width of the bounds, and on a terminal how far it is.
#[allow(dead_code, reason = "ranked games are solved below")]
pub(crate) fn solve<R: GameRules>(rules: R) -> Result<StochasticSolution<R>, Box<dyn Error>> {
    let begin = Instant::now();
    let mut solver = StochasticSolver::new(rules)
        .on_explored(|states| tell(&format!("{states} states found")))
        .on_progress(|share| {
            if share > 0.0 {
                tell(&format!("{:.0} % solved", 100.0 * share))
            } else {
                ControlFlow::Continue(())
            }
        });
    if let Some(threads) = number("THREADS")? {
        solver = solver.threads(threads);
    }
    let solution = solver.solve()?;
    let (seconds, width) = (begin.elapsed().as_secs_f64(), solution.widest_enclosure());
    say!("{} states in {seconds:.4} s, proved to {width:.1e}", solution.len());
    say!("{} states looked at for mistakes of symmetry", solution.check_symmetry(10_000)?);
    Ok(solution)
}

/// Solves a ranked game in the same way: alone, or on all ranks of an MPI world if there is a
/// variable `MPI`; rank 0 alone prints and gets the solution. The variable `FOLDER` names a folder
/// for the layers, which keeps all if there is a variable `KEEP`; `VERIFY` says how many states of
/// every layer are proved anew, and `SEED` which ones.
#[allow(dead_code, reason = "some games have no ranks")]
pub(crate) fn solve_ranked<R: RankedRules>(
    rules: R,
) -> Result<Option<RankedSolution<R>>, Box<dyn Error>> {
    let begin = Instant::now();
    let mut solver = StochasticSolver::new(rules)
        .on_progress(|share| tell(&format!("{:.1} % solved", 100.0 * share)));
    if let Some(threads) = number("THREADS")? {
        solver = solver.threads(threads);
    }
    let seed = number("SEED")?
        .map_or_else(|| RandomState::new().build_hasher().finish(), |seed| seed as u64);
    let folder = std::env::var_os("FOLDER").map(|folder| {
        let folder = LayerFolder::new(folder).seed(seed);
        if std::env::var_os("KEEP").is_some() { folder.keep_all() } else { folder }
    });
    let solution = match std::env::var_os("MPI") {
        None => solver.solve_ranked(folder)?,
        #[cfg(feature = "mpi")]
        Some(_) => {
            let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)
                .ok_or("MPI starts once")?;
            match solver.solve_ranked_on(folder, &universe.world())? {
                Some(solution) => solution,
                None => return Ok(None),
            }
        }
        #[cfg(not(feature = "mpi"))]
        Some(_) => return Err("built without the feature mpi".into()),
    };
    let (seconds, width) = (begin.elapsed().as_secs_f64(), solution.widest_enclosure());
    let bounds = match solution.stored_states() {
        0 => format!("proved to {width:.1e}"),
        stored => format!(
            "bounds of {width:.1e}, {stored} of them stored and not proved (a sample was, SEED={seed})"
        ),
    };
    say!(
        "{} states, {} matrix games in {seconds:.4} s, {bounds}",
        solution.len(),
        solution.matrices()
    );
    say!("SHA-256 of all bounds {}", solution.digest());
    if let Some(states) = number("VERIFY")? {
        say!("{} states proved anew (SEED={seed})", solution.verify_seeded(states as u64, seed)?);
    }
    Ok(Some(solution))
}

/// Tells on a terminal how far the work is.
fn tell(text: &str) -> ControlFlow<()> {
    if io::stderr().is_terminal() {
        // Nothing is lost where it cannot be shown.
        let _ = write!(io::stderr(), "\r{text:<30}\r");
    }
    ControlFlow::Continue(())
}

/// The number in a variable, if there is one.
fn number(name: &str) -> Result<Option<usize>, Box<dyn Error>> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    Ok(Some(text.parse().map_err(|_| format!("{name}={text} is no number"))?))
}

/// The actions that are chosen, with their probabilities.
pub(crate) fn shown(strategy: &[(usize, f64)], name: impl Fn(usize) -> String) -> String {
    let actions: Vec<String> =
        strategy.iter().map(|&(action, share)| format!("{} {share:.4}", name(action))).collect();
    actions.join(", ")
}
