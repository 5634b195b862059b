//! Proves stored bounds.

use super::stored::{refusal, refusal_at};
use crate::bounds::Bounds;
use crate::error::Error;
use crate::game::{Player, SecuredBounds, State};
use crate::induction::{Tables, work};
use crate::solution::{BidStrategy, Solver};
use crate::work::{Parts, Threads, Watch};

/// Proves the bounds of all solved states by their strategies and the successors' bounds; rejects
/// the first unproved state.
pub(in crate::solution) fn prove_by_strategies(
    tables: &Tables,
    strategies: impl Fn(State) -> Result<[BidStrategy; 2], Error> + Sync,
    threads: &Threads,
    watch: &mut Watch<'_>,
) -> Result<(), Error> {
    let layers_done = tables.checkpoint.layers_done;
    let mut parts = Parts::new(watch, tables.order.solved_up_to(layers_done).map(work).sum());
    let mut randomised = 0;
    for total in 1..=layers_done {
        let layer: Vec<State> = tables.order.solved(total).collect();
        let checked = threads.map(&layer, |expectations: &mut Vec<i128>, &state| {
            let pair = strategies(state)?;
            check_secured(tables, state, &pair, expectations)?;
            Ok::<_, Error>(pair.iter().all(|strategy| strategy.probabilities().len() == 1))
        });
        for (&state, is_pure) in layer.iter().zip(checked) {
            randomised += u64::from(!is_pure?) * tables.order.image_count(state);
        }
        parts.done(layer.into_iter().map(work).sum())?;
    }
    check_count(tables, randomised)
}

/// Rejects strategies that do not secure a state's bounds over those of its successors.
pub(in crate::solution) fn check_secured(
    tables: &Tables,
    state: State,
    strategies: &[BidStrategy; 2],
    expectations: &mut Vec<i128>,
) -> Result<(), Error> {
    for (player, strategy) in Player::BOTH.into_iter().zip(strategies) {
        let strategy = strategy.dyadic(tables.rules.lowest_bid(state.points(player)));
        let secured = tables.secures(player, state, &strategy, expectations);
        if secured < tables.bounds_at(state).secured_by(player) {
            return Err(refusal_at(state, "the bounds do not follow from the strategies"));
        }
    }
    Ok(())
}

/// Rejects the bounds of a state if strategies, computed from its successors' bounds, secure more
/// for a player than the other player's bound allows.
pub(in crate::solution) fn check_agrees(
    tables: &Tables,
    state: State,
    strategies: &[BidStrategy; 2],
) -> Result<(), Error> {
    let bounds = tables.bounds_at(state);
    for (player, strategy) in Player::BOTH.into_iter().zip(strategies) {
        let strategy = strategy.dyadic(tables.rules.lowest_bid(state.points(player)));
        let secured = tables.secures(player, state, &strategy, &mut Vec::new());
        if i128::from(secured) + i128::from(bounds.secured_by(player.opponent())) > 0 {
            return Err(refusal_at(state, "the bounds contradict those of the next states"));
        }
    }
    Ok(())
}

/// Proves the bounds of a whole game without strategies by solving it again; rejects the first
/// bounds narrower than the new ones.
pub(in crate::solution) fn prove_by_solving(
    tables: &Tables,
    watch: &mut Watch<'_>,
) -> Result<(), Error> {
    let solver =
        Solver::new(&tables.rules).points(tables.order.space.points()).method(tables.method);
    let solver = solver.use_symmetry(tables.order.mirrored).keep_strategies(false);
    let again = solver.solve_within(watch)?;
    for state in tables.order.solved_up_to(tables.checkpoint.layers_done) {
        let [stated, proved] = [tables, again.tables()].map(|tables| tables.bounds_at(state));
        if stated.lower > proved.lower || stated.upper < proved.upper {
            let Bounds { lower, upper } = proved;
            return Err(refusal_at(
                state,
                format!("the bounds are narrower than the proved ones, {lower} and {upper} units"),
            ));
        }
    }
    check_count(tables, again.tables().checkpoint.randomised)
}

fn check_count(tables: &Tables, randomised: u64) -> Result<(), Error> {
    let stated = tables.checkpoint.randomised;
    if stated == randomised {
        return Ok(());
    }
    Err(refusal(format!(
        "it counts {stated} states in which a player randomises, and there are {randomised}"
    )))
}
