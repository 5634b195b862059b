//! The settings of a solve, and the choice of a method.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use num_traits::ToPrimitive;

use super::checkpoint::HiddenCheckpoint;
use super::finder::lexicographic::TremblingBasis;
use super::finder::merging::Merging;
#[cfg(feature = "lp")]
use super::finder::vertex::exact_plan;
use super::finder::vertex::trembling_plan;
use super::method::{HiddenMethod, HiddenProgress};
use super::proof::Judgement;
use super::rules::HiddenRules;
use super::search::{Search, SearchedGame};
use super::sequence_form::SequenceForm;
use super::settings::{Checkpoints, SolverSettings, search_setters};
use super::solution::HiddenSolution;
use super::strategy::BehaviourStrategy;
use super::test_sequence::TestSequence;
use super::tree::GameTree;
use crate::bounds::Enclosure;
use crate::error::{Error, HiddenError};
use crate::game::{ByPlayer, Player};
use crate::work::{Callback, WorkError, setters};

/// Solves a game with hidden information.
#[derive(Debug)]
pub struct HiddenSolver<'p> {
    tree: Arc<GameTree>,
    settings: SolverSettings<'p, HiddenCheckpoint>,
    refinement: Option<HiddenRefinement>,
}

/// Which optimal strategies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HiddenRefinement {
    /// Quasi-perfect strategies (van Damme 1984), by the programme of Miltersen and Sørensen
    /// (2010): at every information set a best reply to an opponent who makes every mistake with a
    /// very small probability. The player may have made mistakes before, and makes none later. They
    /// are undominated, and sequentially rational.
    QuasiPerfect,
}

/// The span of payoffs in the sequence form, which scales them to −1..1.
const SPAN: f64 = 2.0;

impl HiddenSolver<'static> {
    /// A solver for a tree, which may be shared.
    pub fn new(tree: impl Into<Arc<GameTree>>) -> Self {
        Self { tree: tree.into(), settings: SolverSettings::new(Self::GAP), refinement: None }
    }

    /// A solver for the tree that rules describe.
    ///
    /// # Errors
    /// Those of [`GameTree::from_rules`].
    pub fn from_rules<R: HiddenRules>(rules: &R) -> Result<Self, HiddenError> {
        Ok(Self::new(GameTree::from_rules(rules)?))
    }
}

impl<'p> HiddenSolver<'p> {
    /// The default gap, as a share of the span of payoffs: the linear programme is that accurate,
    /// and the interior-point method gets there.
    pub const GAP: f64 = 1e-9;

    /// The default of [`memory_limit`](Self::memory_limit): 8 GiB.
    pub const MEMORY_LIMIT: u64 = SolverSettings::<HiddenCheckpoint>::MEMORY_LIMIT;

    /// The most sequences, of both players together, for which linear programmes are tried first
    /// unless a method is set. The programmes' time grows with their cube.
    pub const PROGRAMME_SEQUENCES: usize = 4_000;

    /// The most sequences, of both players together, of a game whose strategies are refined: the
    /// tableau takes 16 bytes for each pair of a row and a column. In all games below it that were
    /// tried, Leduc poker with 674 among them, strategies were refined.
    pub const REFINED_SEQUENCES: usize = 2_500;

    setters! {
        /// Sets the method (default: linear programmes for small games; for others, and where
        /// bounds stay wider than the gap, the interior-point method, unless regret minimisation is
        /// likely to be faster; whichever fails is followed by the other).
        method(method: HiddenMethod) => settings.search.method = Some(method);

        /// Asks for the strategies of a refinement. Where they are found and proved, which takes
        /// fractions, [`HiddenSolution::test_sequence`] has the proof; otherwise the strategies are
        /// those of a solve without it.
        refinement(refinement: HiddenRefinement) => refinement = Some(refinement);

        /// Resumes a checkpoint of this game, to the strategies of a solve without the
        /// interruption.
        resume(checkpoint: HiddenCheckpoint) => settings.resumed = Some(checkpoint);
    }

    search_setters!(HiddenCheckpoint);

    /// The estimated bytes of tree and search.
    pub fn memory(&self) -> u64 {
        /// A node with its successors, its share of names, and both players' payoffs there.
        const NODE: u64 = 100;
        /// Numbers of regret minimisation, strategies in integers, and bounds of best responses.
        const SEQUENCE: u64 = 300;

        let refinement = if self.refinement.is_some() { self.tableau() } else { 0 };
        self.tree.len() as u64 * NODE + self.sequences() as u64 * SEQUENCE + refinement
    }

    /// The bytes of the tableau that a refinement takes.
    fn tableau(&self) -> u64 {
        let rows =
            self.tree.information_sets(Player::A).len() + self.tree.sequence_count(Player::B);
        let columns =
            self.tree.sequence_count(Player::A) + self.tree.information_sets(Player::B).len();
        (rows as u64).saturating_mul(columns as u64).saturating_mul(TremblingBasis::ENTRY_BYTES)
    }

    /// The number of both players' sequences.
    fn sequences(&self) -> usize {
        Player::BOTH.into_iter().map(|player| self.tree.sequence_count(player)).sum()
    }

    fn check(&self) -> Result<(), Error> {
        if !self.settings.is_gap_possible() {
            return Err(HiddenError::Gap { gap: self.settings.search.gap.to_string() }.into());
        }
        self.settings.check_method()?;
        if self.refinement.is_some() && self.sequences() > Self::REFINED_SEQUENCES {
            return Err(HiddenError::RefinedSize {
                sequences: self.sequences(),
                limit: Self::REFINED_SEQUENCES,
            }
            .into());
        }
        let what = || format!("a game of {} nodes", self.tree.len());
        WorkError::check_memory(what, self.memory(), self.settings.memory_limit)?;
        Ok(())
    }

    /// Finds strategies and proves bounds of the value by them.
    ///
    /// # Errors
    /// [`HiddenError::Gap`]; [`HiddenError::RefinedSize`] for a refinement of a large game;
    /// [`MethodError::Missing`](crate::MethodError) for the linear programme without the feature
    /// `lp`; [`WorkError::Memory`], [`WorkError::ThreadCount`]; [`HiddenError::Checkpoint`] for one
    /// of another game.
    pub fn solve(mut self) -> Result<HiddenSolution, Error> {
        self.check()?;
        let resources = self.settings.start(self.memory())?;
        let game = SearchedTree::new(self.tree.clone());
        let learning = match self.settings.resumed.take() {
            Some(checkpoint) => Some(checkpoint.into_learning(&self.tree, &game.form)?),
            None => None,
        };
        let SolverSettings { search, checkpoint, .. } = &mut self.settings;
        let mut search = Search::new(&game, search, &resources);
        search.run(
            learning,
            &mut checkpoint.saver(|learning| HiddenCheckpoint::of(&game.tree, learning)),
        );
        let refined = self.refinement.and_then(|refinement| refined(refinement, &mut search));
        let Search { best, iterations, .. } = search;
        let proved = match &refined {
            Some((_, limits)) => limits.clone(),
            None => best.map(Judgement::into_strategy),
        };
        let judgements = proved.map(|strategy| Judgement::exactly(&self.tree, strategy));
        let solution =
            HiddenSolution::new(self.tree, judgements, iterations, resources.clock.elapsed());
        match refined {
            Some((test_sequence, _)) => Ok(solution.refined(test_sequence)),
            None => Ok(solution),
        }
    }
}

/// A tree with its sequence form.
struct SearchedTree {
    tree: Arc<GameTree>,
    form: SequenceForm,
    /// The form in which one decision stands for all that are alike, if there are such.
    merged: Option<(Merging, SequenceForm)>,
    span: f64,
}

impl SearchedTree {
    fn new(tree: Arc<GameTree>) -> Self {
        let [smallest, largest] = tree.payoff_range();
        let span = (largest - smallest).to_f64().unwrap_or(f64::INFINITY);
        let form = SequenceForm::new(&tree);
        let merged = Merging::find(&form).map(|merging| {
            let merged = form.merged(&merging);
            (merging, merged)
        });
        Self { tree, form, merged, span }
    }
}

impl SearchedGame for SearchedTree {
    type Form = SequenceForm;
    type Judgement = Judgement;

    #[cfg(feature = "lp")]
    const PROGRAMME_SEQUENCES: usize = HiddenSolver::PROGRAMME_SEQUENCES;

    /// Counting the factors took the time of some 200 to 600 iterations in liar's dice with 5 to 7
    /// sides.
    const REGRET_ITERATIONS: f64 = 500.0;

    fn form(&self) -> &SequenceForm {
        &self.form
    }

    fn merged(&self) -> &SequenceForm {
        match &self.merged {
            Some((_, merged)) => merged,
            None => &self.form,
        }
    }

    fn unfolded(&self, player: Player, weights: &[f64]) -> Vec<f64> {
        match &self.merged {
            Some((merging, _)) => merging.unfolded(player, weights),
            None => weights.to_vec(),
        }
    }

    /// The widths that regret minimisation reached narrowed with the square of the number of
    /// iterations at best.
    fn likely_iterations(&self, gap: f64) -> f64 {
        const SPEED: f64 = 0.5;

        gap.powf(-SPEED)
    }

    fn span(&self) -> f64 {
        self.span
    }

    fn scaled_span(&self) -> f64 {
        SPAN
    }

    fn judge(&self, player: Player, weights: &[f64]) -> Judgement {
        Judgement::bounded(&self.tree, BehaviourStrategy::approximate(&self.tree, player, weights))
    }

    fn judge_uniform(&self, player: Player) -> Judgement {
        Judgement::bounded(&self.tree, BehaviourStrategy::uniform(&self.tree, player))
    }

    fn is_better(&self, _: Player, judgement: &Judgement, other: &Judgement) -> bool {
        judgement.is_better_than(other)
    }

    fn value(&self, judgements: &ByPlayer<Judgement>) -> Enclosure {
        Judgement::value(judgements)
    }

    /// The vertices of the plans in fractions, if both secure the same.
    #[cfg(feature = "lp")]
    fn vertices(
        &self,
        plans: &ByPlayer<Vec<f64>>,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<ByPlayer<Judgement>>> {
        let mut weights = ByPlayer { a: None, b: None };
        for player in Player::BOTH {
            let merging = self.merged.as_ref().map(|(merging, _)| &merging.sequences[player][..]);
            let plan = self.unfolded(player, &plans[player]);
            weights[player] =
                exact_plan(&self.tree, &self.form, player, &plan, merging, check_cancel)?;
        }
        let refined = Player::BOTH.map(|player| {
            let plan = weights[player].as_ref()?;
            let found = BehaviourStrategy::approximate(
                &self.tree,
                player,
                &self.unfolded(player, &plans[player]),
            );
            let strategy = BehaviourStrategy::from_plan(&self.tree, plan, &found).ok()?;
            Some(Judgement::exactly(&self.tree, strategy))
        });
        if let [Some(a), Some(b)] = refined
            && a.exact().is_some()
            && a.exact() == b.exact()
        {
            return ControlFlow::Continue(Some(ByPlayer { a, b }));
        }
        ControlFlow::Continue(None)
    }
}

/// The refined strategies and their proof, if they are found before the callback or the time ends
/// the search.
fn refined(
    refinement: HiddenRefinement,
    search: &mut Search<'_, '_, SearchedTree>,
) -> Option<(TestSequence, ByPlayer<BehaviourStrategy>)> {
    let HiddenRefinement::QuasiPerfect = refinement;
    let SearchedTree { tree, form, .. } = search.game;
    let mut monitor = search.monitor();
    let basis =
        TremblingBasis::find(tree, form, &mut || monitor.check_cancel()).continue_value()??;
    let a = trembling_plan(tree, form, Player::A, &basis, &mut || monitor.check_cancel())
        .continue_value()??;
    let b = trembling_plan(tree, form, Player::B, &basis, &mut || monitor.check_cancel())
        .continue_value()??;
    TestSequence::prove(tree, ByPlayer { a, b }, &mut || monitor.check_cancel())
        .continue_value()?
        .ok()
}
