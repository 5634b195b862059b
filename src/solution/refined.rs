//! Equilibria that are chosen among several optimal ones.

use super::{BidStrategy, Solution, StateEquilibrium};
use crate::bounds::{Bounds, Enclosure};
use crate::error::Error;
use crate::game::{ByPlayer, Player, SecuredBounds, State};
use crate::matrix_game::{
    DyadicStrategy, ROUNDING_UNITS, Refined, proves_strict_complementarity, refine_dresher,
};
use crate::work::{Parts, Watch};

impl Solution {
    /// The optimal strategies that Dresher's procedure selects, those that gain most from the
    /// opponent's errors, with the enclosure that *they* prove.
    ///
    /// They maximise the smallest gain over all replies that can be errors, then the smallest over
    /// the rest, and so on (Dresher 1961): part of a proper equilibrium of the stage game (van
    /// Damme 1991). Computed in floating point (gains closer than 1e-9 of the payoffs' range are
    /// equal) and accepted if proved to secure the state's bound up to 32 units; otherwise the
    /// usual strategy is kept, with [`Refined::Kept`].
    ///
    /// Two [bids of 0](crate::Rules::with_min_bid) have the state's own value, as if the opponent
    /// erred once. The strategy secures the value if it is repeated until the state is left;
    /// waiting for ever is never selected.
    ///
    /// *Complexity.* O(bids³) or a few times that.
    ///
    /// ```
    /// use pencil_tennis::Refined;
    ///
    /// let solution = pencil_tennis::solve(5)?;
    /// let state = "5:5@2".parse()?;
    /// assert_eq!(solution.equilibrium(state)?.a.probabilities().len(), 2, "A bids 1 or 5");
    /// let refined = solution.refined(state)?;
    /// assert_eq!(refined.refined.into_array(), [Refined::Changed, Refined::Unchanged]);
    /// assert!((refined.a.probability(2) - 1.0 / 6.0).abs() < 1e-15, "and sometimes 2");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn refined(&self, state: State) -> Result<StateEquilibrium, Error> {
        let mut equilibrium = self.equilibrium(state)?;
        if self.rules().outcome(state).is_some() {
            return Ok(equilibrium);
        }
        let lowest = |player| self.rules().lowest_bid(state.points(player));
        let standard =
            Player::BOTH.map(|player| equilibrium.strategy(player).dyadic(lowest(player)));
        let supports = standard.each_ref().map(DyadicStrategy::support);
        if proves_strict_complementarity(&self.tables.enclosed_stage(state), supports) {
            return Ok(equilibrium);
        }
        let [(of_a, a, lower), (of_b, b, minus_upper)] =
            Player::BOTH.map(|player| self.refine(state, player, &standard[player as usize]));
        (equilibrium.a, equilibrium.b) = (a, b);
        equilibrium.enclosure =
            Enclosure::proved(Bounds::new(lower, -minus_upper), self.tables.scale.exponent);
        equilibrium.refined = ByPlayer { a: of_a, b: of_b };
        Ok(equilibrium)
    }

    /// The outcome for a player's strategy, the strategy, and its security level.
    fn refine(
        &self,
        state: State,
        player: Player,
        standard: &DyadicStrategy,
    ) -> (Refined, BidStrategy, i64) {
        let secured = self.tables.secured_stage(player, state);
        let least = self.tables.bounds_at(state).secured_by(player) - ROUNDING_UNITS;
        let mut expectations = Vec::new();
        let mut secures = |strategy: &DyadicStrategy| {
            self.tables.secures(player, state, strategy, &mut expectations)
        };
        let is_secure = |strategy: &DyadicStrategy| secures(strategy) >= least;
        let (refined, strategy) = refine_dresher(&secured, standard, is_secure);
        let secures = secures(&strategy);
        (
            refined,
            BidStrategy::from_dyadic(&strategy, self.rules().lowest_bid(state.points(player))),
            secures,
        )
    }

    /// The refined equilibria of all states in the order of [`Self::states`]. Takes a second at 50
    /// points, most of a minute at 100.
    pub fn refined_equilibria(
        &self,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<StateEquilibrium>, Error> {
        let threads = self.start_threads()?;
        // Where both players have the same views, to the last bit, one of two mirror images
        // suffices.
        let order = self.tables.order;
        let is_own =
            |state| !self.tables.are_views_shared() || order.representative(state) == state;
        let states: Vec<State> = self.states().filter(|&state| is_own(state)).collect();
        let mut parts = Parts::new(watch, states.iter().map(work).sum());
        let mut refined: Vec<Option<StateEquilibrium>> = vec![None; self.states().len()];
        for piece in states.chunks(PIECE) {
            let found = threads.map(piece, |(): &mut (), &state| self.refined(state));
            for (&state, equilibrium) in piece.iter().zip(found) {
                let equilibrium = equilibrium?;
                if let Some(image) = order.image(state).filter(|&image| !is_own(image)) {
                    refined[order.space.index(image)] =
                        Some(equilibrium.mirrored(self.value_within(self.enclosure_of(image))));
                }
                refined[order.space.index(state)] = Some(equilibrium);
            }
            parts.done(piece.iter().map(work).sum())?;
        }
        Ok(self.states().filter_map(|state| refined[order.space.index(state)].take()).collect())
    }
}

/// The number of states between two reports: enough to keep all threads busy.
const PIECE: usize = 512;

/// The relative cost of a state: a few linear programmes.
fn work(state: &State) -> f64 {
    let bids = f64::from(state.a.min(state.b) + 1);
    bids * f64::from(state.a + 1) * f64::from(state.b + 1)
}
