//! The game that a property makes of a model.

use std::collections::{HashMap, HashSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use prism_model::{
    Coalition, Direction, Endless, Missed, Operator, Path, PlayerName, Probability, Quantity,
    Relation, Rewarded, StepBound, Structure, expected_one_of, steps,
};

use super::explicit::{Choice, ExplicitModel, ModelType, RewardStructure};
use super::names::{in_property, refuse};
use super::property::{Property, operator_of};
use crate::Error;
use crate::error::ModelError;
use crate::player::Player;
use crate::work::WorkError;
use crate::{CellTable, Kind, StochasticGame, StochasticGameBuilder, StochasticGameFault};

/// The part of a property that concerns single states.
struct Payoffs<'m> {
    /// The payoff of states that decide it, from the least number of steps on.
    ends: Vec<Option<BigRational>>,
    /// The payoff of states that decide it earlier.
    early_ends: Vec<Option<BigRational>>,
    /// The least number of steps.
    least: u64,
    /// The payoff of every other state when no step is left.
    last: Vec<BigRational>,
    endless: BigRational,
    rewards: Option<&'m RewardStructure>,
    kind: Kind,
    steps: Option<u64>,
}

/// A condition on plays, by state: one formula has to hold until another one does.
pub(super) struct Duty {
    pub(super) hold: Vec<bool>,
    pub(super) reach: Vec<bool>,
    pub(super) endless: Endless,
}

/// Who maximises.
pub(super) struct Aim<'a> {
    pub(super) coalition: &'a Coalition,
    pub(super) direction: Direction,
    /// The aim of nature, which chooses uncertain probabilities; unstated, it is against the
    /// coalition.
    pub(super) nature: Direction,
}

struct Product<'m> {
    model: &'m ExplicitModel,
    /// Where play starts.
    starts: &'m [u32],
    payoffs: Payoffs<'m>,
    /// Whether each player is of the maximising side.
    is_a: Vec<bool>,
    /// The player for whom nature chooses; `None` if all probabilities are known.
    nature: Option<Player>,
    /// Whether each state is left out, because its value is infinite.
    infinite: Vec<bool>,
}

impl ExplicitModel {
    /// The zero-sum game between a coalition and all other players: A is the side that maximises,
    /// so that the value is that of the property. States have their numbers as names; with `k`
    /// steps left, state 5 is `5@k`.
    ///
    /// *Memory.* A property with a bound of steps has a state for each state of the model that can
    /// be reached, and each number of steps left there; more than `memory_limit` bytes are refused
    /// before the game is made.
    ///
    /// States where a total reward is infinite are left out, with the actions of the minimising
    /// side that may lead to them.
    ///
    /// # Errors
    /// [`ModelError`] where property and model do not fit, with the state; [`WorkError::Memory`];
    /// those of [`StochasticGameBuilder`], so [`StochasticGameFault::Infinite`] where the value is
    /// infinite.
    pub fn game(&self, property: &Property, memory_limit: u64) -> Result<StochasticGame, Error> {
        let resolved = self.resolve(&property.expression)?;
        let Some(operator) = operator_of(&resolved) else {
            return Ok(refuse("it is no single operator")?);
        };
        let Relation::Query(direction) = operator.relation else {
            return Ok(refuse("it asks whether a bound holds")?);
        };
        self.check_nature(operator)?;
        let aim = Aim { coalition: &operator.coalition, direction, nature: operator.nature };
        self.game_of(&aim, &operator.quantity, &self.initial, memory_limit)
    }

    /// The game of a quantity whose names are resolved, from some states.
    pub(super) fn game_of(
        &self,
        aim: &Aim<'_>,
        quantity: &Quantity,
        starts: &[u32],
        memory_limit: u64,
    ) -> Result<StochasticGame, Error> {
        let mut product = Product {
            model: self,
            payoffs: self.payoffs(quantity)?,
            is_a: self.maximisers(aim)?,
            nature: self.nature(aim)?,
            infinite: vec![false; self.choices.len()],
            starts,
        };
        let refused = match product.game(memory_limit)?.finish() {
            Ok(game) => return Ok(game),
            Err(refused) => refused,
        };
        let states = match refused.fault() {
            StochasticGameFault::Infinite { states, .. } => states,
            StochasticGameFault::Endless { states, .. } => {
                let missed = format!(
                    "some rewards are below 0, and play can miss the target for ever at state {}",
                    states[0]
                );
                return Ok(refuse(format!(
                    "{missed}; expected a target that is certainly reached"
                ))?);
            }
            _ => return Err(refused.into()),
        };
        // States have their numbers as names.
        states
            .iter()
            .filter_map(|state| state.parse::<usize>().ok())
            .for_each(|state| product.infinite[state] = true);
        if starts.iter().any(|&state| product.infinite[state as usize]) {
            return Err(refused.into());
        }
        Ok(product.game(memory_limit)?.finish()?)
    }

    /// Whether each player is of the maximising side.
    fn maximisers(&self, aim: &Aim<'_>) -> Result<Vec<bool>, ModelError> {
        let maximises = match aim.direction {
            Direction::Maximise => true,
            Direction::Minimise => false,
            Direction::Unstated if self.kind == ModelType::Chain => true,
            Direction::Unstated => {
                return refuse(
                    "P=? and R=? do not say whether to maximise; expected max=? or min=?",
                );
            }
        };
        let is_member = self.members(aim.coalition)?;
        Ok(is_member.into_iter().map(|is_member| is_member == maximises).collect())
    }

    fn is_uncertain(&self) -> bool {
        self.probabilities.iter().any(|probability| matches!(probability, Probability::Between(_)))
    }

    /// Refuses an operator that states an aim of nature where it has no choice.
    pub(super) fn check_nature(&self, operator: &Operator) -> Result<(), ModelError> {
        if operator.nature == Direction::Unstated || self.is_uncertain() {
            return Ok(());
        }
        refuse(
            "it says twice whether to maximise, but all probabilities are known; expected max=? or min=?",
        )
    }

    /// The player of the game, A if nature maximises, for whom nature chooses.
    fn nature(&self, aim: &Aim<'_>) -> Result<Option<Player>, ModelError> {
        if !self.is_uncertain() {
            return Ok(None);
        }
        // In a chain nature alone chooses.
        let against =
            if self.kind == ModelType::Chain { aim.direction } else { aim.direction.opposite() };
        let direction = if aim.nature == Direction::Unstated { against } else { aim.nature };
        match direction {
            Direction::Maximise => Ok(Some(Player::A)),
            Direction::Minimise => Ok(Some(Player::B)),
            Direction::Unstated => refuse("probabilities are uncertain; expected max=? or min=?"),
        }
    }

    /// Whether each player belongs to a coalition.
    pub(super) fn members(&self, coalition: &Coalition) -> Result<Vec<bool>, ModelError> {
        let mut is_member = vec![false; self.players];
        match coalition {
            // Without a coalition, whoever chooses chooses for it.
            Coalition::All | Coalition::Unnamed => is_member.fill(true),
            Coalition::Players(members) => {
                for member in members {
                    is_member[self.player(member)?] = true;
                }
            }
        }
        Ok(is_member)
    }

    /// The actions in a choice of a state of the model's players who play `side`: those of A, or
    /// all others.
    pub(super) fn side_of(
        &self,
        state: u32,
        choice: &Choice,
        is_a: &[bool],
        side: Player,
    ) -> Vec<u32> {
        let plays_a = side == Player::A;
        if let Some(&owner) = self.owners.get(state as usize) {
            let is_own = is_a[owner as usize] == plays_a;
            return if is_own { choice.actions.clone() } else { Vec::new() };
        }
        let actions = choice.actions.iter().zip(is_a).filter(|&(_, &is_a)| is_a == plays_a);
        actions.map(|(&action, _)| action).collect()
    }

    /// The player of a name or number, counted from 0.
    fn player(&self, player: &PlayerName) -> Result<usize, ModelError> {
        let found = match player {
            PlayerName::Number(number) => Some(number - 1).filter(|&player| player < self.players),
            PlayerName::Name(name) => self.player_names.iter().position(|known| known == name),
        };
        match (found, player) {
            (Some(player), _) => Ok(player),
            (None, PlayerName::Number(_)) => {
                refuse(format!("there is no player {player}; the model has {}", self.players))
            }
            (None, PlayerName::Name(_)) if self.player_names.is_empty() => refuse(format!(
                "there is no player {player}; this model numbers its players, 1 to {}",
                self.players
            )),
            (None, PlayerName::Name(_)) => {
                let known: Vec<&str> = self.player_names.iter().map(String::as_str).collect();
                refuse(format!("there is no player {player}; {}", expected_one_of(&known)))
            }
        }
    }

    fn payoffs(&self, quantity: &Quantity) -> Result<Payoffs<'_>, ModelError> {
        let number = |truth: bool| if truth { BigRational::one() } else { BigRational::zero() };
        let count = self.choices.len();
        let plain = Payoffs {
            ends: vec![None; count],
            early_ends: Vec::new(),
            least: 0,
            last: vec![BigRational::zero(); count],
            endless: BigRational::zero(),
            rewards: None,
            kind: Kind::Acyclic,
            steps: None,
        };
        Ok(match quantity {
            Quantity::Probability(Path::Next(formula)) => Payoffs {
                last: self.truths(formula)?.into_iter().map(number).collect(),
                steps: Some(1),
                ..plain
            },
            Quantity::Probability(
                path @ (Path::Until { steps, .. } | Path::Release { steps, .. }),
            ) => {
                let Duty { hold, reach, endless } = self.duty(path)?;
                let least = steps
                    .as_ref()
                    .map_or(Ok(0), StepBound::least)
                    .map_err(|error| in_property(&error))?;
                let steps = steps.as_ref().map(most_steps).transpose()?;
                if let Some(most) = steps.filter(|&most| most < least) {
                    return refuse(format!("its bound of steps is empty: {least} to {most}"));
                }
                // Before the least number of steps, only a broken condition decides; one with `G`
                // has to last from then on alone.
                let breaks =
                    |hold: &bool| (!hold && endless == Endless::Fails).then(BigRational::zero);
                let early_ends = hold.iter().map(breaks).collect();
                let endless = number(endless == Endless::Counts);
                let decided = |(hold, reach): (bool, bool)| {
                    if reach || !hold { Some(number(reach)) } else { None }
                };
                Payoffs {
                    ends: hold.into_iter().zip(reach).map(decided).collect(),
                    early_ends,
                    least,
                    last: vec![endless.clone(); count],
                    endless,
                    kind: if steps.is_some() { Kind::Acyclic } else { Kind::Recursive },
                    steps,
                    ..plain
                }
            }
            Quantity::Reward { structure, of } => {
                let rewards = self.structure(structure)?;
                match of {
                    Rewarded::Steps(bound) => {
                        Payoffs { rewards: Some(rewards), steps: Some(most_steps(bound)?), ..plain }
                    }
                    Rewarded::Instant(number) => {
                        let number = steps(number).map_err(|error| in_property(&error))?;
                        let reward =
                            |state| rewards.states.get(&state).cloned().unwrap_or_default();
                        Payoffs {
                            last: (0..count as u32).map(reward).collect(),
                            steps: Some(number),
                            ..plain
                        }
                    }
                    Rewarded::Until { target, missed } => {
                        let paid = rewards
                            .states
                            .values()
                            .chain(rewards.choices.values())
                            .chain(rewards.transitions.values());
                        let is_signed = paid.into_iter().any(Signed::is_negative);
                        let end = |reached: bool| reached.then(BigRational::zero);
                        Payoffs {
                            ends: self.truths(target)?.into_iter().map(end).collect(),
                            rewards: Some(rewards),
                            // Rewards of both signs add up where play certainly ends.
                            kind: match missed {
                                _ if is_signed => Kind::Stopping,
                                Missed::Infinite => Kind::Target,
                                Missed::Collected => Kind::Total,
                            },
                            ..plain
                        }
                    }
                }
            }
        })
    }

    /// The states where the formulas of a path hold.
    pub(super) fn duty(&self, path: &Path) -> Result<Duty, ModelError> {
        match path {
            Path::Until { hold, reach, endless, .. } => {
                Ok(Duty { hold: self.truths(hold)?, reach: self.truths(reach)?, endless: *endless })
            }
            Path::Release { release, hold, .. } => {
                let hold = self.truths(hold)?;
                let released = self.truths(release)?;
                // The duty ends where both hold.
                let reach =
                    released.iter().zip(&hold).map(|(released, hold)| *released && *hold).collect();
                Ok(Duty { hold, reach, endless: Endless::Counts })
            }
            Path::Next(_) => refuse("the next state alone is no duty that lasts"),
        }
    }

    fn structure(&self, structure: &Structure) -> Result<&RewardStructure, ModelError> {
        let found = match structure {
            Structure::Only if self.rewards.len() > 1 => {
                return refuse(
                    "the model has several reward structures; name one: R{\"time\"}max=?",
                );
            }
            Structure::Only => self.rewards.first(),
            Structure::Number(number) => self.rewards.get(number - 1),
            Structure::Named(name) => {
                let named = |rewards: &&RewardStructure| rewards.name.as_deref() == Some(name);
                // Older exports do not name the structure.
                let only = self
                    .rewards
                    .first()
                    .filter(|only| self.rewards.len() == 1 && only.name.is_none());
                self.rewards.iter().find(named).or(only)
            }
        };
        let known = || {
            self.rewards
                .iter()
                .map(|rewards| rewards.name.as_deref().unwrap_or("one without a name"))
                .collect::<Vec<_>>()
        };
        found.map_or_else(
            || refuse(format!("there is no such reward structure; {}", expected_one_of(&known()))),
            Ok,
        )
    }
}

impl Payoffs<'_> {
    /// The payoff of a state that decides the property with this many steps left.
    fn end(&self, state: u32, left: Option<u64>) -> Option<&BigRational> {
        let is_early = match (self.steps, left) {
            (Some(steps), Some(left)) => steps - left < self.least,
            _ => false,
        };
        let ends = if is_early { &self.early_ends } else { &self.ends };
        ends[state as usize].as_ref()
    }
}

/// The most steps of a bound.
fn most_steps(bound: &StepBound) -> Result<u64, ModelError> {
    bound.most().map_err(|error| in_property(&error))
}

impl Product<'_> {
    fn game(&self, memory_limit: u64) -> Result<StochasticGameBuilder, Error> {
        let (model, payoffs) = (self.model, &self.payoffs);
        let levels = self.levels(memory_limit)?;
        let mut builder = StochasticGame::builder(payoffs.kind, None)?;
        if let Some(nature) = self.nature {
            builder.nature(nature);
        }
        for &state in self.starts {
            builder.start(&self.name(state, payoffs.steps))?;
        }
        let mut is_defined = vec![false; model.choices.len()];
        for (level, states) in levels.iter().enumerate() {
            let left = payoffs.steps.map(|steps| steps - level as u64);
            for &state in states {
                let name = self.name(state, left);
                if let Some(value) = payoffs.end(state, left) {
                    // Ends have one name for all numbers of steps, unless those matter.
                    let is_known = std::mem::replace(&mut is_defined[state as usize], true);
                    if !is_known || payoffs.least > 0 {
                        builder.end(&name, value.clone())?;
                    }
                } else if left == Some(0) {
                    builder.end(&name, payoffs.last[state as usize].clone())?;
                } else {
                    self.add_state(&mut builder, &name, state, left.map(|left| left - 1))?;
                }
            }
        }
        Ok(builder)
    }

    /// The name of a state with this many steps left.
    fn name(&self, state: u32, left: Option<u64>) -> String {
        match left {
            Some(left) if self.payoffs.least > 0 || self.payoffs.ends[state as usize].is_none() => {
                format!("{state}@{left}")
            }
            _ => state.to_string(),
        }
    }

    /// The numbers of a state's choices with which the minimising side certainly avoids infinite
    /// states.
    fn finite(&self, state: u32) -> Vec<usize> {
        let choices = &self.model.choices[state as usize];
        let is_risk =
            |choice: &&Choice| choice.to.iter().any(|&(_, to)| self.infinite[to as usize]);
        let risks: HashSet<Vec<u32>> = choices
            .iter()
            .filter(is_risk)
            .map(|choice| self.side(state, choice, Player::B))
            .collect();
        let is_safe = |&number: &usize| {
            risks.is_empty() || !risks.contains(&self.side(state, &choices[number], Player::B))
        };
        (0..choices.len()).filter(is_safe).collect()
    }

    /// The actions of the players of one side in a choice of a state.
    fn side(&self, state: u32, choice: &Choice, side: Player) -> Vec<u32> {
        self.model.side_of(state, choice, &self.is_a, side)
    }

    /// The states that play can come to, by the steps before; all at one level without a bound of
    /// steps.
    fn levels(&self, memory_limit: u64) -> Result<Vec<Vec<u32>>, Error> {
        let (mut bytes, mut count) = (0, 0_u64);
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let mut is_met = vec![false; self.model.choices.len()];
        let mut frontier: Vec<u32> = self.starts.to_vec();
        for left in (0..=self.payoffs.steps.unwrap_or(u64::MAX)).rev() {
            let mut next = Vec::new();
            frontier.retain(|&state| !std::mem::replace(&mut is_met[state as usize], true));
            if frontier.is_empty() {
                break;
            }
            for &state in &frontier {
                let is_over = left == 0
                    || self.payoffs.end(state, self.payoffs.steps.map(|_| left)).is_some();
                let choices = if is_over { Vec::new() } else { self.finite(state) };
                let before = next.len();
                for &number in &choices {
                    next.extend(
                        self.model.choices[state as usize][number].to.iter().map(|&(_, to)| to),
                    );
                }
                bytes += StochasticGameBuilder::estimate([1, choices.len(), next.len() - before]);
            }
            if self.payoffs.steps.is_some() {
                // The next level may have them again.
                for &state in &frontier {
                    is_met[state as usize] = false;
                }
            }
            count += frontier.len() as u64;
            WorkError::check_memory(
                || format!("a game of more than {count} states"),
                bytes,
                memory_limit,
            )?;
            levels.push(std::mem::replace(&mut frontier, next));
        }
        if self.payoffs.steps.is_none() {
            // One level, in the order of the model.
            let mut all = levels.concat();
            all.sort_unstable();
            levels = vec![all];
        }
        Ok(levels)
    }

    /// Adds a state whose successors have `left` steps left.
    fn add_state(
        &self,
        builder: &mut StochasticGameBuilder,
        name: &str,
        state: u32,
        left: Option<u64>,
    ) -> Result<(), Error> {
        let (model, payoffs) = (self.model, &self.payoffs);
        let choices = &model.choices[state as usize];
        let mut actions: [Vec<Vec<u32>>; 2] = Default::default();
        let mut places = HashMap::new();
        for number in self.finite(state) {
            let place = Player::BOTH.map(|side| {
                let joint = self.side(state, &choices[number], side);
                let known = &mut actions[side as usize];
                known.iter().position(|other| *other == joint).unwrap_or_else(|| {
                    known.push(joint);
                    known.len() - 1
                })
            });
            places.insert(place, number);
        }
        let names = actions.each_ref().map(|actions| -> Vec<String> {
            let joint = |action: &Vec<u32>| {
                action
                    .iter()
                    .map(|&one| model.actions[one as usize].as_str())
                    .collect::<Vec<_>>()
                    .join(",")
            };
            actions
                .iter()
                .map(joint)
                .map(|name| if name.is_empty() { "-".to_owned() } else { name })
                .collect()
        });
        let reward_of_state = payoffs.rewards.and_then(|rewards| rewards.states.get(&state));
        let mut cells = CellTable::default();
        let [a, b] = &names;
        for (row, action) in a.iter().enumerate() {
            for (column, other) in b.iter().enumerate() {
                let Some(&number) = places.get(&[row, column]) else {
                    let reason = format!(
                        "state {state} has no choice for {action} of the maximising side against {other} of the other; every pair \
                         needs one"
                    );
                    return Ok(ModelError::in_file(&model.file, choices[0].line, reason)?);
                };
                let mut reward = reward_of_state.cloned().unwrap_or_default();
                if let Some(paid) =
                    payoffs.rewards.and_then(|rewards| rewards.choices.get(&[state, number as u32]))
                {
                    reward += paid;
                }
                for &(probability, successor) in &choices[number].to {
                    let probability = &model.probabilities[probability as usize];
                    let paid = payoffs.rewards.and_then(|rewards| {
                        rewards.transitions.get(&[state, number as u32, successor])
                    });
                    if let Some(paid) = paid {
                        let Probability::Known(probability) = probability else {
                            let reason = format!(
                                "state {state}: a reward depends on the successor, whose probability is uncertain"
                            );
                            return Ok(ModelError::in_file(
                                &model.file,
                                choices[number].line,
                                reason,
                            )?);
                        };
                        reward += probability * paid;
                    }
                    let name = self.name(successor, left);
                    match probability {
                        Probability::Known(probability) => cells.follow(probability, name),
                        Probability::Between([least, most]) => {
                            cells.follow_between(least, most, name);
                        }
                    }
                }
                cells.push(&reward);
            }
            cells.end_row();
        }
        Ok(builder.state(name, [a, b], payoffs.endless.clone(), &cells)?)
    }
}
