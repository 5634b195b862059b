//! The linear programme of the sequence form: D. Koller, N. Megiddo, B. von Stengel: Efficient
//! computation of equilibria for extensive two-person games. Games and Economic Behavior 14 (1996).

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use good_lp::variable::UnsolvedProblem;
use good_lp::{
    Constraint, Expression, ProblemVariables, Solution as _, SolverModel, Variable, variable,
};

use super::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};

/// The linear programme of one player.
struct Programme {
    problem: UnsolvedProblem,
    constraints: Vec<Constraint>,
    plan: Vec<Variable>,
}

impl Programme {
    /// `max v₀` over plans `x ≥ 0`, `x₀ = 1`, `Σ x_s = x_parent` at every own decision, where for
    /// every sequence `s` of the opponent that ends at the decision `d`: `v_d ≤ Σ payoff·x + Σ v_e`
    /// over the ends of `s` and the opponent's decisions `e` that follow `s`. The objective is the
    /// right side for the empty sequence. For B payoffs are negated. Recall is perfect.
    fn new<G: SequenceGame>(game: &G, player: Player) -> Self {
        let opponent = player.opponent();
        let sign = f64::from(player.direction());
        let mut variables = ProblemVariables::new();
        let plan: Vec<Variable> = variables.add_vector(variable().min(0.0), game.sequences(player));
        let values: Vec<Variable> =
            variables.add_vector(variable(), game.decisions(opponent).len());
        let mut payoffs: Vec<Expression> = Vec::with_capacity(game.sequences(opponent));
        for sequence in 0..game.sequences(opponent) {
            let mut sum = Expression::with_capacity(8);
            for (own_sequence, payoff) in game.leaves(opponent, sequence) {
                sum.add_mul(sign * payoff, plan[own_sequence]);
            }
            payoffs.push(sum);
        }
        for (decision, &value) in game.decisions(opponent).iter().zip(&values) {
            payoffs[decision.parent as usize].add_mul(1.0, value);
        }
        let problem = variables.maximise(payoffs[0].clone());
        let mut constraints = Vec::new();
        for (decision, &value) in game.decisions(opponent).iter().zip(&values) {
            for sequence in decision.sequences() {
                let mut advantage = std::mem::take(&mut payoffs[sequence]);
                advantage.add_mul(-1.0, value);
                constraints.push(advantage.geq(0.0));
            }
        }
        constraints.push(Expression::from(plan[0]).eq(1.0));
        for decision in game.decisions(player) {
            let mut flow: Expression = plan[decision.sequences()].iter().sum();
            flow.add_mul(-1.0, plan[decision.parent as usize]);
            constraints.push(flow.eq(0.0));
        }
        Self { problem, constraints, plan }
    }

    /// A maximin realisation plan, by sequences; `None` if the backend gives up.
    fn solve<M: SolverModel>(self, backend: fn(UnsolvedProblem) -> M) -> Option<Vec<f64>> {
        let mut model = self.problem.using(backend);
        for constraint in self.constraints {
            model.add_constraint(constraint);
        }
        let solution = model.solve().ok()?;
        Some(self.plan.iter().map(|&weight| solution.value(weight).max(0.0)).collect())
    }
}

/// The maximin plans of both players, by sequences; `None` for a player whose programme the backend
/// gives up.
pub(crate) type Plans = ByPlayer<Option<Vec<f64>>>;

/// The time between two checks for cancellation.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Solves the programmes of both players, at the same time if there are several threads. Backends
/// cannot be stopped: if `check_cancel` breaks, their threads end by themselves, later, and nobody
/// waits for them.
///
/// Breaks if `check_cancel` does.
pub(crate) fn optimal_plans<G: SequenceGame, M: SolverModel + 'static>(
    game: &G,
    backend: fn(UnsolvedProblem) -> M,
    threads: usize,
    mut check_cancel: impl FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Plans> {
    let start = |player| start(Programme::new(game, player), backend);
    if threads < 2 {
        let a = wait(&start(Player::A), &mut check_cancel)?;
        let b = wait(&start(Player::B), &mut check_cancel)?;
        return ControlFlow::Continue(ByPlayer { a, b });
    }
    let [a, b] = Player::BOTH.map(start);
    ControlFlow::Continue(ByPlayer {
        a: wait(&a, &mut check_cancel)?,
        b: wait(&b, &mut check_cancel)?,
    })
}

/// Starts a thread that solves a programme and sends the plan; where there are no threads, solves
/// it at once.
fn start<M: SolverModel + 'static>(
    programme: Programme,
    backend: fn(UnsolvedProblem) -> M,
) -> Receiver<Option<Vec<f64>>> {
    let (sender, receiver) = channel();
    // Nobody hears of it if the receiver is gone.
    let work = move || drop(sender.send(programme.solve(backend)));
    if cfg!(feature = "threads") {
        // Without a thread, the sender is dropped, and the programme counts as given up.
        drop(std::thread::Builder::new().name("linear programme".to_owned()).spawn(work));
    } else {
        work();
    }
    receiver
}

/// Waits for a plan; breaks if `check_cancel` does.
fn wait(
    plan: &Receiver<Option<Vec<f64>>>,
    check_cancel: &mut impl FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    loop {
        match plan.recv_timeout(CHECK_INTERVAL) {
            Ok(plan) => return ControlFlow::Continue(plan),
            // The backend has panicked.
            Err(RecvTimeoutError::Disconnected) => return ControlFlow::Continue(None),
            Err(RecvTimeoutError::Timeout) => check_cancel()?,
        }
    }
}
