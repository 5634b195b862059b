//! The longest expected stay in a cycle, and bounds that follow from it alone.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::cycle::{CyclicState, Weights};
use super::cyclic::LARGEST;
use super::local_game::{LocalGame, Side};
use super::longest_stay::LongestStay;
use super::most_paid::most_paid;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{Components, Kind, NumberedGame, StochasticGame};
use crate::work::{Watch, WorkError};

/// The expected turns that play can be kept in each cyclic component, by state, where that is
/// finite for all ways to play.
#[derive(Debug)]
pub(crate) struct Turns {
    /// The first component where play may be too long for a bound.
    too_long: Option<usize>,
    /// By component; `None` where it is of no use, or not known.
    stays: Vec<Option<LongestStay>>,
    /// The expected turns of a discounted game.
    discounted: f64,
    /// By component of a game of total reward: how often the largest reward is paid at most.
    most_collected: Vec<f64>,
    /// Of a game of total reward: the player who pays, and actions that, mixed evenly, keep the
    /// collected reward finite; by state.
    payer: Option<(Side, Vec<Vec<u32>>)>,
    /// The factor by which nature may prolong all stays.
    of_nature: f64,
}

/// The factor for a component's most turns in the unit of its bounds: more than any of the usual
/// reserves takes.
const SCALE_RESERVE: f64 = 1.02;

/// Stays are found with one choice of nature, and others may be longer. The unit that this factor
/// makes coarser becomes as fine as the values found allow, once these are known.
const NATURE_RESERVE: f64 = 65_536.0;

/// The units by which a turn may cost more than its reward: the bound of a state is rounded up
/// once, those of its successors too, and a cell is rounded down, which takes three; one is to
/// spare.
pub(super) const ROUNDINGS_A_TURN: i128 = 4;

impl Turns {
    /// Finds the longest expected stay in every cycle of a discounted or a stopping game; the
    /// callback may cancel.
    ///
    /// # Errors
    /// Faults of total rewards that are infinite or undecided, [`WorkError::Cancelled`].
    pub(crate) fn new(
        game: &StochasticGame,
        components: &Components,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let mut stays: Vec<Option<LongestStay>> = vec![None; components.len()];
        let payer = if game.kind().is_total() {
            let choices =
                game.paid_finitely().map_err(|(state, fault)| game.refuse(state, fault))?;
            Some((Side::of(game.collector()).other(), choices))
        } else {
            None
        };
        // A geometric sum; rounded up.
        let left = (BigRational::one() - game.discount()).to_f64().unwrap_or(1.0);
        let discounted = 1.0 / left * (1.0 + 1e-9) + 1.0;
        let outside = vec![Bounds::default(); game.len()];
        let (mut most_collected, mut too_long) = (vec![0.0; components.len()], None);
        for component in (0..components.len()).filter(|&component| components.is_cyclic(component))
        {
            let states = components.states(component);
            let mut is_known = true;
            let mut go_on = || watch(0.0);
            match game.kind() {
                Kind::Stopping => {
                    let local = LocalGame::new(
                        game,
                        (components, component),
                        0,
                        &outside,
                        Bounds::default(),
                    )?;
                    let found = LongestStay::find(&local, &mut go_on)
                        .continue_value()
                        .ok_or(WorkError::Cancelled)?;
                    is_known = found.is_some();
                    stays[component] = found;
                }
                Kind::Total | Kind::Target => {
                    let Some((payer, choices)) = &payer else { continue };
                    let local = LocalGame::new(
                        game,
                        (components, component),
                        0,
                        &outside,
                        Bounds::default(),
                    )?;
                    let strategies: Vec<Weights> =
                        states.iter().map(|&state| evenly(&choices[state as usize])).collect();
                    let found = most_paid(&local, *payer, &strategies, &mut go_on).continue_value();
                    let found = found.ok_or(WorkError::Cancelled)?;
                    is_known = found.is_some();
                    most_collected[component] = found.unwrap_or(f64::INFINITY);
                }
                Kind::Acyclic | Kind::Discounted | Kind::Recursive => {}
            }
            too_long = too_long.or((!is_known).then_some(component));
        }
        let of_nature = if game.nature().is_some() { NATURE_RESERVE } else { 1.0 };
        Ok(Self { too_long, stays, discounted, most_collected, payer, of_nature })
    }

    /// The most turns from any state of a component; where play need not end, how often the largest
    /// reward is paid at most.
    pub(crate) fn most(&self, component: usize, kind: Kind) -> f64 {
        let most = match kind {
            Kind::Discounted => self.discounted,
            Kind::Total | Kind::Target => self.most_collected[component],
            Kind::Acyclic | Kind::Stopping | Kind::Recursive => {
                self.stays[component].as_ref().map_or(1.0, LongestStay::most)
            }
        };
        most.max(1.0) * SCALE_RESERVE * self.of_nature
    }

    /// The first component whose longest stay, or largest sum of rewards, is too long for a bound.
    pub(crate) fn too_long(&self) -> Option<usize> {
        self.too_long
    }

    /// The units that all turns in a component may cost beyond their rewards.
    pub(crate) fn roundings(&self, component: usize) -> f64 {
        self.stays[component]
            .as_ref()
            .map_or(0.0, |stay| ROUNDINGS_A_TURN as f64 * stay.most() * SCALE_RESERVE)
    }

    /// The player who pays all rewards of a game of total reward.
    pub(crate) fn payer(&self) -> Option<Side> {
        self.payer.as_ref().map(|&(payer, _)| payer)
    }

    /// The payoff of infinite plays: `endless`, or infinite.
    pub(crate) fn endless(&self, kind: Kind, endless: Bounds) -> Bounds {
        match &self.payer {
            Some((payer, _)) if kind == Kind::Target => {
                Bounds::new(payer.bound(LARGEST), payer.bound(LARGEST))
            }
            _ => endless,
        }
    }

    /// The first bounds of a component, which any strategies prove; in a game of total reward the
    /// payer has strategies instead whose worth is still to be proved.
    pub(crate) fn start(
        &self,
        component: usize,
        states: &[u32],
        local: &LocalGame,
    ) -> Vec<CyclicState> {
        let all = |bounds: Bounds| vec![CyclicState::anyhow(bounds); local.len()];
        match local.kind {
            Kind::Discounted => all(LARGEST),
            Kind::Stopping => match &self.stays[component] {
                Some(stay) => stay.bounds(local).into_iter().map(CyclicState::anyhow).collect(),
                None => all(LARGEST),
            },
            Kind::Acyclic | Kind::Recursive | Kind::Total | Kind::Target => {
                let (outside, endless) = (local.outside().unwrap_or(local.endless), local.endless);
                let mut start = all(Bounds::new(
                    outside.lower.min(endless.lower),
                    outside.upper.max(endless.upper),
                ));
                if let Some((payer, choices)) = &self.payer {
                    for (own, &state) in start.iter_mut().zip(states) {
                        *payer.bound_mut(&mut own.bounds) = payer.bound(LARGEST);
                        own.weights[payer.own()] = evenly(&choices[state as usize]);
                    }
                }
                start
            }
        }
    }
}

/// The strategy that mixes these actions evenly.
fn evenly(choices: &[u32]) -> Weights {
    let mut even = DyadicStrategy::default();
    even.assign(
        choices.iter().map(|&action| (action, DyadicStrategy::WHOLE as i64 / choices.len() as i64)),
    );
    even.support().to_vec()
}
