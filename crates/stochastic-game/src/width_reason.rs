//! Why bounds of a solution are wide.

use super::explore::Cells;
use super::model::{CellView, Components, GameRules, NumberedState, StochasticGame, closed_set};
use super::solution::{Limits, StochasticSolution};

/// Weights of this many bits are those of the smallest λ of the homotopy: rarer actions are not
/// tried.
const RAREST_BITS: usize = 1 << 13;

const ENDED_EARLY: &str = "wide because the solve ended early";
const ASKED: &str = "wide because narrower bounds were not asked for";
const BY_RULES: &str =
    "wide beside payoffs that are far larger: only games of files are narrowed in longer numbers";
const UNCERTAIN: &str =
    "wide where probabilities are uncertain: longer numbers do not know nature's choices";
const TOO_RARE: &str =
    "wide where play can go on for ever: better strategies take actions more rarely than is tried";
const NOT_FOUND: &str = "wide where play can go on for ever: no better strategies were found";
const LONG: &str = "wide where play can go on for very long: bounds close slowly there";

impl<G: GameRules> StochasticSolution<G> {
    /// The reason why the bounds of the [widest state](Self::widest_state) are wide, if they are
    /// wider than 5e-13 of the largest value, or of 1. Values that are approached and not attained
    /// are left out.
    pub fn width_reason(&self) -> Option<&'static str> {
        let least_wide = self.proof.least_wide();
        let is_attained = |&state: &usize| self.approached_payoff(state).is_none();
        // A search of the graph, for the wide ones alone.
        let wide = (0..self.bounds().len())
            .filter(|&state| self.width_of(state) > least_wide)
            .filter(is_attained);
        let widest =
            wide.max_by(|&one, &other| self.width_of(one).total_cmp(&self.width_of(other)))?;
        Some(self.reason_at(widest, least_wide))
    }

    fn width_of(&self, state: usize) -> f64 {
        self.enclosed(NumberedState::canonical(state)).width()
    }

    fn reason_at(&self, widest: usize, least_wide: f64) -> &'static str {
        let Limits { width, has_ended_early } = self.limits;
        if has_ended_early {
            return ENDED_EARLY;
        }
        if self.width_of(widest) <= width {
            return ASKED;
        }
        let Cells::Written(game) = self.proof.game.cells() else { return BY_RULES };
        if game.nature().is_some() {
            return UNCERTAIN;
        }
        let components = Components::new(game);
        let cause = self.first_wide(game, &components, widest, least_wide);
        if !can_be_kept(game, components.states(components.of(cause))) {
            return LONG;
        }
        match self.proof.reached.published.long().get(&(cause as u32)) {
            Some(long) if long.weight_bits >= RAREST_BITS => TOO_RARE,
            _ => NOT_FOUND,
        }
    }

    /// From a wide state, one that no wide state of an earlier component follows: bounds rest on
    /// those of earlier components.
    fn first_wide(
        &self,
        game: &StochasticGame,
        components: &Components,
        widest: usize,
        least_wide: f64,
    ) -> usize {
        let mut first = widest;
        loop {
            let component = components.of(first);
            let cells = components
                .states(component)
                .iter()
                .flat_map(|&state| game.all_cells(state as usize));
            let successors =
                cells.flat_map(|cell| cell.outcomes).map(|outcome| outcome.state as usize);
            let mut earlier = successors.filter(|&next| {
                components.of(next) != component && self.width_of(next) > least_wide
            });
            match earlier.next() {
                Some(next) => first = next,
                None => return first,
            }
        }
    }
}

/// Whether both players together can keep play for ever among these states without a reward, in a
/// game that need not end.
fn can_be_kept(game: &StochasticGame, states: &[u32]) -> bool {
    let successors =
        |cell: CellView<'_>| cell.outcomes.iter().map(|outcome| outcome.state).collect();
    let staying = |state: usize| {
        game.all_cells(state).filter(|cell| cell.reward == 0).map(successors).collect()
    };
    let choosing: Vec<u32> =
        states.iter().copied().filter(|&state| game.end_value(state as usize).is_none()).collect();
    game.kind().may_last() && !closed_set(&choosing, game.len(), staying).is_empty()
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use std::fmt::Write;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::StochasticSolver;

    /// A guesses bits of B on so many floors, falls to the first one by a wrong guess of 1, and
    /// loses by one of 0; a coin decides at the top, so that the value is 1/2 and is not the best
    /// payoff.
    fn purgatory(floors: usize) -> StochasticGame {
        let mut text = concat!(
            r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["f0"]}"#,
            "\n",
            r#"{"id":"won","value":"1"}"#,
            "\n",
            r#"{"id":"lost","value":"0"}"#
        )
        .to_owned();
        for floor in 0..floors {
            let up = format!(r#"["1","f{}"]"#, floor + 1);
            let up = if floor + 1 == floors { r#"["1/2","won"],["1/2","lost"]"# } else { &up };
            let [up, first, lost] =
                [up, r#"["1","f0"]"#, r#"["1","lost"]"#].map(|to| format!(r#"{{"to":[{to}]}}"#));
            let cells = format!("[[{up},{first}],[{lost},{up}]]");
            write!(text, "\n{{\"id\":\"f{floor}\",\"a\":[\"0\",\"1\"],\"b\":[\"0\",\"1\"],\"cells\":{cells}}}").unwrap();
        }
        StochasticGame::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn bounds_are_wide_because_the_solve_ended_early() {
        let flag = AtomicBool::new(true);
        let solution =
            StochasticSolver::new(purgatory(3)).threads(1).ends_early(&flag).solve().unwrap();
        assert_eq!(solution.width_reason(), Some(ENDED_EARLY));
    }

    #[test]
    fn bounds_are_wide_because_that_was_asked_for() {
        let solution = StochasticSolver::new(purgatory(3)).threads(1).width(0.5).solve().unwrap();
        assert_eq!(solution.width_reason(), Some(ASKED));
    }

    #[test]
    fn narrow_bounds_have_no_reason() {
        let solution = StochasticSolver::new(purgatory(3)).threads(1).solve().unwrap();
        assert_eq!(solution.width_reason(), None);
    }

    /// In the next components of a wide state no play can be kept: what keeps it wide is the first
    /// wide component.
    #[test]
    fn play_can_be_kept_where_no_cell_leaves_or_pays() {
        let text = |reward: &str| {
            format!(
                r#"{{"format":"stochastic-game","version":1,"kind":"total","start":["s"]}}
{{"id":"end","value":"0"}}
{{"id":"s","a":["x"],"b":["stay","go"],"cells":[[{{"to":[["1","s"]]{reward}}},{{"to":[["1","end"]],"reward":"1"}}]]}}"#
            )
        };
        for (reward, is_kept) in [("", true), (r#","reward":"1""#, false)] {
            let game = StochasticGame::read(text(reward).as_bytes()).unwrap();
            assert_eq!(can_be_kept(&game, &[game.place("s").unwrap() as u32]), is_kept);
        }
    }
}
