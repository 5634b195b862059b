//! The values of a given policy, and its loss at each state.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::component::JudgedComponent;
use super::policy::StationaryPolicy;
use super::state::StateJudge;
use crate::bounds::{BOUND_BITS, Bounds, Enclosure};
use crate::cycles::{
    CHOICES_OF_NATURE, CheckCancel, LARGEST, LocalGame, LongClaims, LongSide, PolicyClaim,
    PolicyIteration, Side, Sizes, Weights,
};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::model::{NumberedGame, Scale, StochasticGame};
use crate::player::Player;
use crate::published::enclosure;
use crate::solution::{StochasticSolution, WIDE_UNITS};
use crate::sweep::Cycles;
use crate::work::{Watch, WorkError};

/// The values of a policy of a solved game at every state against a best response, within proved
/// bounds.
#[derive(Clone, Debug)]
pub struct PolicyJudgement {
    player: Player,
    is_rounded: bool,
    scale: Scale,
    values: PolicyValues,
    /// Bounds of the game's values, in units of the solution's scale.
    game_values: Vec<Bounds>,
    /// An upper bound of the loss by the strategy at the state alone, in the same units.
    regrets: Vec<i64>,
    solution_scale: Scale,
}

/// The proved bounds of a policy from a state on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StateJudgement {
    /// Bounds of A's payoff when the policy meets its best response, and nature's worst choice of
    /// uncertain probabilities.
    pub secured: Enclosure,
    /// Bounds of the policy's loss of the state's value against its best response. Where nature
    /// chooses for the policy's player in the game, the loss includes the gain by that.
    pub loss: Enclosure,
    /// An upper bound of the loss by the policy's choice at this state alone, with optimal play from
    /// the next state on.
    pub regret: Enclosure,
}

/// Bounds that are this close differ by rounding.
const NOISE_UNITS: i64 = 64;

/// Bounds that are wider than this share of the value, or of 1, are narrowed in longer numbers,
/// however few units that is: payoffs that the policy hardly meets may make the unit coarse. The
/// bounds of values are called wide by the same share.
const COARSE: f64 = WIDE_UNITS as f64 / (1_u64 << BOUND_BITS) as f64;

/// Longer numbers are given up that do not narrow bounds by this factor: then the successors'
/// bounds are as wide.
const NARROWED: f64 = 0.5;

/// Bounds of a policy's values by the numbers of states, or by their places in a component.
#[derive(Clone, Debug)]
struct PolicyValues {
    /// In one unit.
    bounds: Vec<Bounds>,
    /// Where longer numbers prove more than the unit shows.
    finer: BTreeMap<usize, Enclosure>,
}

impl PolicyValues {
    fn enclosure(&self, state: usize, exponent: u32) -> Enclosure {
        self.finer
            .get(&state)
            .copied()
            .unwrap_or_else(|| Enclosure::proved(self.bounds[state], exponent))
    }

    /// The largest width, rounded up.
    fn widest(&self, scale: Scale) -> f64 {
        let width = |state| self.enclosure(state, scale.exponent).width();
        (0..self.bounds.len()).map(width).fold(0.0, f64::max)
    }
}

impl StochasticSolution {
    /// Judges a policy against a best response; the callback hears the progress and may cancel. A
    /// game by rules is judged as [written
    /// down](crate::StochasticGame::from_rules).
    ///
    /// Uncertain probabilities are chosen against the policy, for whomever nature chooses in the
    /// game: what is proved is the worst case over the opponent and nature.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`]; the first state where the policy's value is infinite, or larger
    /// than can be counted; [`StochasticGameFault::Policy`] for a policy of another game.
    pub fn judge(
        &self,
        policy: &StationaryPolicy,
        watch: &mut Watch<'_>,
    ) -> Result<PolicyJudgement, Error> {
        policy.check(self.game())?;
        let opponent = policy.player.opponent();
        let worst_case = match self.game().nature() {
            Some(nature) if nature != opponent => Cow::Owned(self.game().with_nature(opponent)),
            _ => Cow::Borrowed(self.game()),
        };
        let game = &*worst_case;
        let cycles = Cycles::new(game, watch)?;
        // A policy's value may be less than all values of the game.
        let mut scale = self.scale().min(cycles.scale().unwrap_or_default());
        let mut values = loop {
            match judge_in(policy, &cycles, scale, watch)? {
                Judged::Values(values) => break values,
                // At least a bit, so that this ends.
                Judged::TooFine { bits } => scale.exponent -= bits,
            }
        };
        while let Some(finer) = cycles.finer(scale, &values.bounds) {
            match judge_in(policy, &cycles, finer, watch) {
                Ok(Judged::Values(found)) if found.widest(finer) < values.widest(scale) => {
                    (values, scale) = (found, finer);
                }
                Err(error @ Error::Work(WorkError::Cancelled)) => return Err(error),
                // The unit is too fine for some bounds, or no better.
                _ => break,
            }
        }
        let regrets = regrets(self, game, policy)?;
        watch(1.0).continue_value().ok_or(WorkError::Cancelled)?;
        let StationaryPolicy { player, is_rounded, .. } = *policy;
        Ok(PolicyJudgement {
            player,
            is_rounded,
            scale,
            values,
            game_values: self.bounds().to_vec(),
            regrets,
            solution_scale: self.scale(),
        })
    }
}

impl PolicyJudgement {
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether its probabilities were rounded; see [`StationaryPolicy::is_rounded`].
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// The proved bounds of the policy from a state on, by the state's number.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`].
    pub fn state(&self, number: usize) -> Result<StateJudgement, StochasticGameError> {
        let Some((&regret, &value)) = self.regrets.get(number).zip(self.game_values.get(number))
        else {
            return Err(StochasticGameFault::UnknownState { name: number.to_string() }.into());
        };
        let secured = self.values.enclosure(number, self.scale.exponent);
        let value = Enclosure::proved(value, self.solution_scale.exponent);
        let loss = match self.player {
            Player::A => value.above(&secured),
            Player::B => secured.above(&value),
        };
        let regret = Enclosure::of_width(regret, self.solution_scale.exponent);
        Ok(StateJudgement { secured, loss, regret })
    }

    /// Half the sum of both best responses' gains from a state on, by its number; `None` unless A's
    /// part and B's part were judged. Nature helps either best response, so that uncertain
    /// probabilities may leave gains against any policies.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`].
    pub fn exploitability(
        judgements: &[Self],
        state: usize,
    ) -> Result<Option<Enclosure>, StochasticGameError> {
        let [a, b] = judgements else { return Ok(None) };
        Ok(Some(b.state(state)?.secured.above(&a.state(state)?.secured).half()))
    }

    /// The states by regret, the largest first.
    pub fn worst_states(&self) -> Vec<usize> {
        let mut states: Vec<usize> = (0..self.values.bounds.len()).collect();
        states.sort_by_key(|&state| std::cmp::Reverse(self.regrets[state]));
        states
    }
}

/// What is known of a policy.
enum Judged {
    Values(PolicyValues),
    /// Values of the policy are so large that the unit has to be coarser by this many bits.
    TooFine {
        bits: u32,
    },
}

/// The policy's values at all states in a unit.
fn judge_in(
    policy: &StationaryPolicy,
    cycles: &Cycles<'_>,
    scale: Scale,
    watch: &mut Watch<'_>,
) -> Result<Judged, Error> {
    let Cycles { game, components, turns } = cycles;
    let mut bounds = vec![Bounds::default(); game.len()];
    let mut finer = BTreeMap::new();
    let mut alone = StateJudge::new(game, policy.player, scale.exponent);
    for component in 0..components.len() {
        if component % 256 == 0 && watch(component as f64 / components.len() as f64).is_break() {
            return Err(WorkError::Cancelled.into());
        }
        let states = components.states(component);
        let first = states[0] as usize;
        if let Some(value) = game.end_value(first) {
            bounds[first] = scale.bounds(value);
            continue;
        }
        if !components.is_cyclic(component) {
            bounds[first] = alone.value(states[0], policy.weights.at(first), &bounds)?;
            continue;
        }
        let endless = turns.endless(game.kind(), scale.bounds(game.endless(first)));
        let strategies: Vec<Weights> =
            states.iter().map(|&state| policy.weights.at(state as usize).to_vec()).collect();
        let judged = JudgedComponent {
            game,
            states,
            exponent: scale.exponent,
            outside: &bounds,
            player: policy.player,
            weights: &strategies,
        };
        let mut check_cancel = || watch(component as f64 / components.len() as f64);
        let cycle = Cycle { cycles, component, endless };
        match judge_cycle(&judged, &cycle, &mut check_cancel)? {
            Judged::Values(found) => {
                finer.extend(
                    found
                        .finer
                        .into_iter()
                        .map(|(place, enclosure)| (states[place] as usize, enclosure)),
                );
                states
                    .iter()
                    .zip(found.bounds)
                    .for_each(|(&state, found)| bounds[state as usize] = found);
            }
            too_fine @ Judged::TooFine { .. } => return Ok(too_fine),
        }
    }
    Ok(Judged::Values(PolicyValues { bounds, finer }))
}

/// A component to which play can return.
struct Cycle<'c> {
    cycles: &'c Cycles<'c>,
    component: usize,
    /// The payoff of infinite plays.
    endless: Bounds,
}

impl Cycle<'_> {
    /// The component in which nature chooses by these bounds of all states, of which those outside
    /// are bounds of the policy's values.
    fn local(&self, exponent: u32, bounds: &[Bounds]) -> Result<LocalGame, StochasticGameError> {
        let Cycles { game, components, .. } = self.cycles;
        LocalGame::new(*game, components, self.component, exponent, bounds, self.endless)
    }
}

/// The policy's values in a cycle, which begin with bounds of any strategies where these are known.
///
/// Where probabilities are uncertain, nature's choice is fixed while best replies are found, and
/// then changed by the values found: policy iteration of nature (Iyengar 2005). The gate finds the
/// choice again.
fn judge_cycle(
    judged: &JudgedComponent<'_>,
    cycle: &Cycle<'_>,
    check_cancel: &mut CheckCancel<'_>,
) -> Result<Judged, Error> {
    let mut local = cycle.local(judged.exponent, judged.outside)?;
    let start = cycle.cycles.turns.start(cycle.component, judged.states, &local);
    let mut bounds: Vec<Bounds> = start.iter().map(|start| start.bounds).collect();
    let is_total = local.kind().is_total();
    if is_total || judged.check_any_policy(&bounds).is_err() {
        // The largest numbers stand for what nothing has proved yet.
        bounds.fill(LARGEST);
    }
    let is_unknown = bounds.contains(&LARGEST);

    let is_uncertain = judged.game.nature().is_some();
    let mut choices =
        Choices { known: if is_uncertain { judged.outside.to_vec() } else { Vec::new() } };
    let mut is_narrow = false;
    for _ in 0..CHOICES_OF_NATURE {
        let side = Side::from(judged.player);
        let found =
            PolicyIteration::enclose(&local, side, judged.weights, bounds.clone(), check_cancel)
                .continue_value();
        let (claims, is_claimed_narrow) = found.ok_or(WorkError::Cancelled)?;
        let mut has_passed = true;
        for claim in &claims {
            has_passed &= judged.narrow(&mut bounds, claim);
        }
        is_narrow = is_claimed_narrow;
        if !is_uncertain || (is_narrow && has_passed) || !choices.change(judged, &claims) {
            break;
        }
        local = cycle.local(judged.exponent, &choices.known)?;
    }

    let limit = if is_narrow { WIDE_UNITS } else { NOISE_UNITS };
    let (most, finer) = enclose(judged, &local, &mut bounds, limit, check_cancel)?;
    if !is_unknown || bounds.iter().all(is_finite) {
        return Ok(Judged::Values(PolicyValues { bounds, finer }));
    }
    let beyond = most.map_or(0, |most| (most + 1).saturating_sub(BOUND_BITS as usize)) as u32;
    let reason = match beyond {
        0 => "against the policy so much can be collected here that no bound was found".to_owned(),
        bits if bits <= judged.exponent => return Ok(Judged::TooFine { bits }),
        _ => format!("the policy is worth more here than can be counted (at most 2^{BOUND_BITS})"),
    };
    Err(judged
        .game
        .refuse(judged.states[0] as usize, StochasticGameFault::PolicyPayoff { reason })
        .into())
}

/// The bounds of all states by which nature chooses in a cycle.
struct Choices {
    known: Vec<Bounds>,
}

impl Choices {
    /// Takes the last claim of each side for the bounds of the cycle's states; returns whether any
    /// changed.
    fn change(&mut self, judged: &JudgedComponent<'_>, claims: &[PolicyClaim]) -> bool {
        let side = Side::from(judged.player);
        let before: Vec<Bounds> =
            judged.states.iter().map(|&state| self.known[state as usize]).collect();
        for claim in claims {
            let (of, claimed) = match claim {
                PolicyClaim::Secured(bounds) => (side, bounds),
                PolicyClaim::Conceded { bounds, .. } => (side.other(), bounds),
            };
            for (&state, &bound) in judged.states.iter().zip(claimed) {
                *of.bound_mut(&mut self.known[state as usize]) = bound;
            }
        }
        judged
            .states
            .iter()
            .zip(before)
            .any(|(&state, before)| self.known[state as usize] != before)
    }
}

/// Whether neither bound stands for what nothing has proved.
fn is_finite(bounds: &Bounds) -> bool {
    bounds.lower > LARGEST.lower && bounds.upper < LARGEST.upper
}

/// Narrows bounds that are wider than a limit, or than the unit lets them be narrow, in finer
/// units: in long plays, whole units lose too much. Of n states, play that leaves at all does so
/// within some 2^62n turns. Returns the most bits of a whole bound where both sides are proved, and
/// the bounds in finer units.
fn enclose(
    judged: &JudgedComponent<'_>,
    local: &LocalGame,
    bounds: &mut [Bounds],
    limit: i64,
    check_cancel: &mut CheckCancel<'_>,
) -> Result<(Option<usize>, BTreeMap<usize, Enclosure>), Error> {
    let long = |weights: &Weights| {
        weights.iter().map(|&(action, weight)| (action, weight.into())).collect()
    };
    let (bits, side) = (DyadicStrategy::WHOLE_BITS as usize, Side::from(judged.player));
    let (mut finer, mut most) = (2 * bits, None);
    // Bounds that meet at the largest number are beyond it.
    let is_wide =
        |bounds: &Bounds| bounds.upper.saturating_sub(bounds.lower) > limit || !is_finite(bounds);
    let mut enclosures: Vec<Enclosure> = Vec::new();
    let widths =
        bounds.iter().map(|&bounds| relative_width(&Enclosure::proved(bounds, judged.exponent)));
    let mut widest = widths.fold(0.0, f64::max);
    let mut is_coarse = widest > COARSE;
    while (is_coarse || bounds.iter().any(is_wide)) && finer <= bits * (2 * local.len() + 2) {
        let strategies = judged.weights.iter().map(long).collect();
        let sizes = Sizes { weight_bits: bits, finer };
        let found =
            LongSide::enclosed(local, side, strategies, sizes, check_cancel).continue_value();
        let Some(claims) = found.ok_or(WorkError::Cancelled)? else { break };
        // Where a policy's value is infinite, one of the sides is not proved.
        let is_proved = judged.narrow_by_long(bounds, &claims, finer);
        if is_proved {
            enclosures = enclosures_of(&claims, side, judged.exponent + finer as u32);
            let found = enclosures.iter().map(relative_width).fold(0.0, f64::max);
            is_coarse = found > COARSE && found < NARROWED * widest;
            widest = found;
        }
        most = claims.most_bits().checked_sub(finer).filter(|_| is_proved);
        if most.is_some_and(|most| most >= BOUND_BITS as usize) {
            break;
        }
        finer *= 2;
    }
    Ok((most, enclosures.into_iter().enumerate().collect()))
}

/// Both bounds of every state that claims in longer numbers have, in units of 2^−`exponent`. The
/// claims are proved.
fn enclosures_of(claims: &LongClaims, side: Side, exponent: u32) -> Vec<Enclosure> {
    let Some((conceded, _)) = &claims.conceded else { return Vec::new() };
    let pairs = claims.secured.iter().zip(conceded);
    let ordered = pairs.map(|(secured, conceded)| match side {
        Side::Lower => [secured, conceded],
        Side::Upper => [conceded, secured],
    });
    ordered.map(|bounds| enclosure(bounds, exponent)).collect()
}

/// The width as a share of the value, or of 1.
fn relative_width(enclosure: &Enclosure) -> f64 {
    enclosure.width() / enclosure.middle().abs().max(1.0)
}

/// Upper bounds of the losses by the strategies of all states, of the game where nature is against
/// the policy, each with optimal play afterwards, which secures the solution's bounds.
///
/// # Errors
/// The gate's refusal, with the state.
fn regrets(
    solution: &StochasticSolution,
    game: &StochasticGame,
    policy: &StationaryPolicy,
) -> Result<Vec<i64>, StochasticGameError> {
    let (values, exponent) = (solution.bounds(), solution.scale().exponent);
    let mut alone = StateJudge::new(game, policy.player, exponent);
    let mut regrets = vec![0; game.len()];
    for (state, regret) in regrets.iter_mut().enumerate() {
        if game.actions(state).is_none() {
            continue;
        }
        let secured = alone.secured(state as u32, policy.weights.at(state), values)?;
        let lost = match policy.player {
            Player::A => values[state].upper - secured,
            Player::B => secured - values[state].lower,
        };
        *regret = lost.max(0);
    }
    Ok(regrets)
}
