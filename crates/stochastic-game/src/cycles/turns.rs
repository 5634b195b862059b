//! The longest expected stay in a cycle, and bounds that follow from it alone.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::cycle::{CheckCancel, CyclicState, Weights};
use super::cyclic::LARGEST;
use super::local_game::{LocalGame, Side};
use super::longest_stay::{LongestStay, ROUNDINGS_A_TURN};
use super::most_paid::{MostPaid, most_paid};
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError};
use crate::matrix_game::DyadicStrategy;
use crate::model::{Components, Kind, NumberedGame, StochasticGame};
use crate::player::Player;
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
}

/// The factor for a component's most turns in the unit of its bounds: more than any of the usual
/// reserves takes.
const SCALE_RESERVE: f64 = 1.02;

/// Nature changes its choice at most this often in a cycle: policy iteration mostly takes fewer
/// than ten steps.
pub(crate) const CHOICES_OF_NATURE: usize = 100;

/// What is collected at most is the size of numbers, and nature's choice is good enough for it
/// once all states together gain no more than this share.
const NATURE_GAIN: f64 = 1.0 + 1e-6;

/// Sums that are collected are compared as integers up to this one.
const LARGEST_SUM: f64 = (1_u64 << 50) as f64;

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
            Some((Side::from(game.collector()).other(), choices))
        } else {
            None
        };
        // A geometric sum; rounded up.
        let left = (BigRational::one() - game.discount()).to_f64().unwrap_or(1.0);
        let discounted = 1.0 / left * (1.0 + 1e-9) + 1.0;
        let (mut most_collected, mut too_long) = (vec![0.0; components.len()], None);
        for component in (0..components.len()).filter(|&component| components.is_cyclic(component))
        {
            let states = components.states(component);
            let mut is_known = true;
            let mut check_cancel = || watch(0.0);
            let mut choice = ChoiceOfNature::to_stay(game, components, component);
            match game.kind() {
                Kind::Stopping => {
                    let found = choice.longest_stay(&mut check_cancel)?;
                    is_known = found.is_some();
                    stays[component] = found;
                }
                Kind::Total | Kind::Target => {
                    let Some((payer, choices)) = &payer else { continue };
                    let strategies: Vec<Weights> =
                        states.iter().map(|&state| evenly(&choices[state as usize])).collect();
                    let found = choice.most_paid(*payer, &strategies, &mut check_cancel)?;
                    is_known = found.is_some();
                    most_collected[component] = found.unwrap_or(f64::INFINITY);
                }
                Kind::Acyclic | Kind::Discounted | Kind::Recursive => {}
            }
            too_long = too_long.or((!is_known).then_some(component));
        }
        Ok(Self { too_long, stays, discounted, most_collected, payer })
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
        most.max(1.0) * SCALE_RESERVE
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
    /// payer has strategies instead, whose values are still to be proved.
    pub(crate) fn start(
        &self,
        component: usize,
        states: &[u32],
        local: &LocalGame,
    ) -> Vec<CyclicState> {
        let all = |bounds: Bounds| vec![CyclicState::with_any_strategy(bounds); local.len()];
        match local.kind {
            Kind::Discounted => all(LARGEST),
            Kind::Stopping => match &self.stays[component] {
                Some(stay) => {
                    stay.bounds(local).into_iter().map(CyclicState::with_any_strategy).collect()
                }
                None => all(LARGEST),
            },
            Kind::Acyclic | Kind::Recursive | Kind::Total | Kind::Target => {
                let (outside, endless) = (local.outside().unwrap_or(local.endless), local.endless);
                let mut start = all(Bounds::new(
                    outside.lower.min(endless.lower),
                    outside.upper.max(endless.upper),
                ));
                if let Some((payer, choices)) = &self.payer {
                    for (cyclic_state, &state) in start.iter_mut().zip(states) {
                        *payer.bound_mut(&mut cyclic_state.bounds) = payer.bound(LARGEST);
                        cyclic_state.weights[payer.index()] = evenly(&choices[state as usize]);
                    }
                }
                start
            }
        }
    }
}

/// Nature's choice in a component where play is to last, or to pay, as long as possible: policy
/// iteration (Iyengar 2005), in which the choice is fixed while the players do their best for it,
/// and then changed by what they reach.
struct ChoiceOfNature<'g> {
    game: &'g StochasticGame,
    components: &'g Components,
    component: usize,
    /// By state of the game, what is reached from there, in any unit, as nature's player counts it.
    known: Vec<Bounds>,
}

impl<'g> ChoiceOfNature<'g> {
    /// The choice that keeps play in the component.
    fn to_stay(game: &'g StochasticGame, components: &'g Components, component: usize) -> Self {
        let known = vec![Bounds::default(); game.len()];
        let mut choice = Self { game, components, component, known };
        choice.set(|_| 1);
        choice
    }

    /// Sets what is reached from each state of the component.
    fn set(&mut self, reached: impl Fn(usize) -> i64) {
        // Nature of A takes what is largest, and nature of B what is least.
        let sign = if self.game.nature() == Some(Player::B) { -1 } else { 1 };
        for (place, &state) in self.components.states(self.component).iter().enumerate() {
            let reached = sign * reached(place);
            self.known[state as usize] = Bounds::new(reached, reached);
        }
    }

    /// The component in whole units, with nothing outside.
    fn local(&self) -> Result<LocalGame, StochasticGameError> {
        let Self { game, components, component, .. } = *self;
        LocalGame::new(game, components, component, 0, &self.known, Bounds::default())
    }

    /// The longest stay; `None` where it is too long for a bound.
    fn longest_stay(
        &mut self,
        check_cancel: &mut CheckCancel<'_>,
    ) -> Result<Option<LongestStay>, Error> {
        let mut local = self.local()?;
        for _ in 0..CHOICES_OF_NATURE {
            let found = LongestStay::find(&local, check_cancel).continue_value();
            let Some(stay) = found.ok_or(WorkError::Cancelled)? else { return Ok(None) };
            if self.game.nature().is_none() {
                return Ok(Some(stay));
            }
            self.set(|place| stay.turns(place));
            local = self.local()?;
            if stay.is_proved(&local) {
                return Ok(Some(stay));
            }
        }
        Ok(None)
    }

    /// How often the largest reward is paid at most; `None` where that is not finite, or not known.
    fn most_paid(
        &mut self,
        payer: Side,
        strategies: &[Weights],
        check_cancel: &mut CheckCancel<'_>,
    ) -> Result<Option<f64>, Error> {
        let mut most: Option<MostPaid> = None;
        for _ in 0..CHOICES_OF_NATURE {
            let found = most_paid(&self.local()?, payer, strategies, check_cancel).continue_value();
            let Some(found) = found.ok_or(WorkError::Cancelled)? else { return Ok(None) };
            let is_more = most.is_none_or(|most| found.sum() > most.sum() * NATURE_GAIN);
            if self.game.nature().is_none() || !is_more {
                return Ok(Some(found.most()));
            }
            let unit = LARGEST_SUM / found.most();
            self.set(|place| (found.of(place) * unit) as i64);
            most = Some(found);
        }
        Ok(None)
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
