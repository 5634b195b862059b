use super::catalogue::LearnerKind;
use super::learner::{Learner, Snapshot, Words};
use super::options::{LearnerOptions, Reward, Schedule};
use crate::error::{AgentError, Error};
use crate::game::codec::RulesCode;
use crate::game::{GameError, Rules};
use crate::policy::Policy;
use crate::sealed::{seal, unsealed};

const MAGIC: u64 = u64::from_be_bytes(*b"tennis\x00\x01");

/// A learner of this crate with its game, options and seed, which can be saved and resumed.
///
/// The same settings and seed give the same policy, to the byte, however often the training was [saved](Self::to_bytes) and
/// [resumed](Self::from_bytes). A training runs on one thread. (The learner `exponential` uses the system's `exp`, so that
/// machines may differ in last bits.)
///
/// ```
/// use pencil_tennis::agents::{Learner, LearnerKind, LearnerOptions, Training};
/// use pencil_tennis::analysis::Exploitability;
/// use pencil_tennis::Rules;
///
/// let mut training = Training::new(LearnerKind::Simple, &Rules::tennis(), 8, LearnerOptions::default(), 2012)?;
/// training.play(2_000)?;
/// let mut resumed = Training::from_bytes(&training.to_bytes())?;
/// training.play(1_000)?;
/// resumed.play(1_000)?;
/// assert_eq!(training.policy()?, resumed.policy()?);
/// println!("{}", Exploitability::new(&Rules::tennis(), &training.policy()?)?.mean().middle());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub struct Training {
    kind: LearnerKind,
    rules: Rules,
    points: u32,
    options: LearnerOptions,
    seed: u64,
    learner: Box<dyn Snapshot>,
}

impl Training {
    /// The most points that learners support: their tables then take some hundred MiB.
    pub const MOST_POINTS: u32 = 200;

    /// A learner that has not played yet, in a game with `points` each.
    ///
    /// # Errors
    /// [`AgentError`] for a scoring or an option that the learner cannot use.
    pub fn new(kind: LearnerKind, rules: &Rules, points: u32, options: LearnerOptions, seed: u64) -> Result<Self, Error> {
        if points > Self::MOST_POINTS {
            return Err(GameError::TooManyPoints { points, most: Self::MOST_POINTS }.into());
        }
        let learner = kind.build(rules, points, options, seed)?;
        Ok(Self { kind, rules: *rules, points, options, seed, learner })
    }

    pub const fn kind(&self) -> LearnerKind {
        self.kind
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn points(&self) -> u32 {
        self.points
    }

    pub const fn options(&self) -> &LearnerOptions {
        &self.options
    }

    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The most games that the learner can play before its counters are full: some 2³² for `simple` and `extended`, unlimited for
    /// the others.
    pub fn most_games(&self) -> u64 {
        self.learner.most_games()
    }

    /// Saves the training: little-endian words of 64 bits, and a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words = vec![MAGIC];
        let place = LearnerKind::ALL.iter().position(|&kind| kind == self.kind).unwrap_or_default();
        words.extend([place as u64, u64::from(self.points), self.seed]);
        let RulesCode { field, motion, payoffs } = RulesCode::of(&self.rules);
        words.extend([u64::from(field), motion]);
        words.extend(payoffs.into_iter().flatten().map(|number| number as u64));
        let options = &self.options;
        words.extend([
            u64::from(options.reward == Reward::Points),
            u64::from(options.loss),
            u64::from(options.rare),
            options.every,
        ]);
        words.extend([options.middle.to_bits(), u64::from(options.close), options.forget]);
        words.extend([u64::from(options.schedule == Schedule::Games), options.explore.to_bits()]);
        self.learner.save(&mut words);
        seal(words.into_iter().flat_map(u64::to_le_bytes).collect())
    }

    /// Resumes a saved training.
    ///
    /// # Errors
    /// [`AgentError::TrainingFile`] for bytes that are no training; as for [`Self::new`] for impossible settings.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |reason: &str| AgentError::TrainingFile { reason: reason.to_owned() };
        if bytes.get(..8) != Some(&MAGIC.to_le_bytes()) {
            return Err(refuse("it does not begin as one, or is of another version").into());
        }
        let damaged = "it is damaged: length or checksum are not right";
        let body = unsealed(bytes).ok().filter(|body| body.len() % 8 == 0).ok_or_else(|| refuse(damaged))?;
        let words: Vec<u64> =
            body.chunks_exact(8).filter_map(<[u8]>::first_chunk).map(|word| u64::from_le_bytes(*word)).collect();
        let mut words = words[1..].iter().copied();
        let ended = || refuse("it ends too soon");
        let mut training = Self::settings(&mut words).ok_or_else(ended)??;
        training.learner.load(&mut words).ok_or_else(|| refuse("the learner's memory does not fit its settings"))?;
        if words.next().is_some() {
            return Err(refuse("it is longer than the learner's memory").into());
        }
        Ok(training)
    }

    /// A learner with the settings of a file, without its memory; `None` where the file ends.
    fn settings(words: &mut Words<'_>) -> Option<Result<Self, Error>> {
        let refuse = |what: &str| AgentError::TrainingFile { reason: format!("{what} is not possible") };
        let small = |word: u64| u32::try_from(word).unwrap_or(u32::MAX);
        let flag = |word: u64, what: &str| match word {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(refuse(what)),
        };
        let [kind, points, seed, field, motion] = take(words)?;
        let payoffs: [u64; 10] = take(words)?;
        let [reward, loss, rare, every, middle, close, forget, schedule, explore] = take(words)?;
        let words_left = words.len();
        let built = || -> Result<Self, Error> {
            let kind =
                *usize::try_from(kind).ok().and_then(|kind| LearnerKind::ALL.get(kind)).ok_or_else(|| refuse("the learner"))?;
            let payoffs = std::array::from_fn(|end| [payoffs[2 * end], payoffs[2 * end + 1]].map(|word| word as i64));
            let rules = RulesCode { field: small(field), motion, payoffs }.decode();
            let rules = rules.map_err(|error| AgentError::TrainingFile { reason: error.to_string() })?;
            let options = LearnerOptions {
                reward: if flag(reward, "the reward")? { Reward::Points } else { Reward::Win },
                loss: small(loss),
                rare: small(rare),
                every,
                middle: f64::from_bits(middle),
                close: flag(close, "the option close")?,
                forget,
                schedule: if flag(schedule, "the schedule")? { Schedule::Games } else { Schedule::Sweeps },
                explore: f64::from_bits(explore),
            };
            let points = small(points);
            if points <= Self::MOST_POINTS && words_left < least_words(&rules, points) {
                return Err(AgentError::TrainingFile { reason: "it ends too soon for its game".to_owned() }.into());
            }
            Self::new(kind, &rules, points, options, seed)
        };
        Some(built())
    }
}

/// The fewest words that any learner saves: one for every legal bid of each row. Checked before memory is taken.
fn least_words(rules: &Rules, points: u32) -> usize {
    let points = points as usize;
    points * (points + 1) / 2 * (points + 1) * rules.positions()
}

fn take<const N: usize>(words: &mut Words<'_>) -> Option<[u64; N]> {
    let mut taken = [0; N];
    for word in &mut taken {
        *word = words.next()?;
    }
    Some(taken)
}

impl Learner for Training {
    fn play(&mut self, games: u64) -> Result<(), Error> {
        self.learner.play(games)
    }

    fn policy(&self) -> Result<Policy, Error> {
        self.learner.policy()
    }

    fn games(&self) -> u64 {
        self.learner.games()
    }

    fn entries_read(&self) -> Option<u64> {
        self.learner.entries_read()
    }
}

impl std::fmt::Debug for Training {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, points, options, seed, .. } = self;
        write!(f, "Training of {kind} with {points} points, {options:?}, seed {seed}, after {} games", self.games())
    }
}
