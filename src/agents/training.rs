//! Trainings of Tennis, and the files in which they are saved.

use super::catalogue::LearnerKind;
use super::counted_rng::CountedRng;
use super::learner::{Learner, Method, Words, count};
use super::options::{LearnerOptions, Reward, Schedule};
use super::reinforcement::Reinforcement;
use super::session::Session;
use super::state_learner::StateLearner;
use crate::error::{AgentError, Error};
use crate::game::codec::RulesCode;
use crate::game::{GameError, Player, Rules};
use crate::policy::Policy;
use crate::work::unwatched;
use stochastic_game::internal::sealed::{seal, unsealed};

const MAGIC: u64 = u64::from_be_bytes(*b"tennis\x00\x01");

/// A learner of this crate with its game, options and seed, which can be saved and resumed.
///
/// The same settings and seed give the same policy, to the byte, however often the training was
/// [saved](Self::to_bytes) and [resumed](Self::from_bytes). A training runs on one thread. (The
/// learner `exponential` uses the system's `exp`, so that machines may differ in last bits.)
///
/// ```
/// use pencil_tennis::agents::{Learner, LearnerKind, LearnerOptions, Training};
/// use pencil_tennis::analysis::Exploitability;
/// use pencil_tennis::{Rules, unwatched};
///
/// let mut training = Training::new(LearnerKind::Simple, &Rules::tennis(), 8, LearnerOptions::default(), 2012)?;
/// training.play(2_000)?;
/// let mut resumed = Training::from_bytes(&training.to_bytes())?;
/// training.play(1_000)?;
/// resumed.play(1_000)?;
/// assert_eq!(training.policy()?, resumed.policy()?);
/// println!("{}", Exploitability::new(&Rules::tennis(), &training.policy()?, &mut unwatched)?.mean().middle());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub struct Training {
    kind: LearnerKind,
    options: LearnerOptions,
    seed: u64,
    session: Session,
    method: Box<dyn Method>,
}

impl Training {
    /// The most points that learners support: their tables then take some hundred MiB.
    pub const MOST_POINTS: u32 = 200;

    /// A learner that has not played yet, in a game with `points` each.
    ///
    /// # Errors
    /// [`AgentError`] for a scoring or an option that the learner cannot use.
    pub fn new(
        kind: LearnerKind,
        rules: &Rules,
        points: u32,
        options: LearnerOptions,
        seed: u64,
    ) -> Result<Self, Error> {
        if points > Self::MOST_POINTS {
            return Err(GameError::TooManyPoints { points, most: Self::MOST_POINTS }.into());
        }
        kind.check(&options)?;
        let session = Session::new(rules, points, seed)?;
        let method = method_of(kind, &session, options)?;
        Ok(Self { kind, options, seed, session, method })
    }

    pub const fn kind(&self) -> LearnerKind {
        self.kind
    }

    pub const fn rules(&self) -> &Rules {
        &self.session.rules
    }

    pub const fn points(&self) -> u32 {
        self.session.space.points()[0]
    }

    pub const fn options(&self) -> &LearnerOptions {
        &self.options
    }

    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The most games that the learner can play before its counters are full: some 2³² for `simple`
    /// and `extended`, unlimited for the others.
    pub fn most_games(&self) -> u64 {
        self.method.most_games()
    }

    /// Saves the training: little-endian words of 64 bits, and a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let RulesCode { field, motion, payoffs } = RulesCode::of(self.rules());
        let mut words = vec![
            MAGIC,
            self.kind.code().into(),
            self.points().into(),
            self.seed,
            field.into(),
            motion,
        ];
        words.extend(payoffs.into_iter().flatten().map(|number| number as u64));
        let LearnerOptions { reward, loss, rare, every, middle, close, forget, schedule, explore } =
            self.options;
        words.extend([
            reward.code().into(),
            loss.into(),
            rare.into(),
            every,
            middle.to_bits(),
            close.into(),
        ]);
        words.extend([forget, schedule.code().into(), explore.to_bits()]);
        words.extend([self.session.games, self.session.entries, self.session.rng.given()]);
        self.method.save(&self.session, &mut words);
        seal(words.into_iter().flat_map(u64::to_le_bytes).collect())
    }

    /// Resumes a saved training.
    ///
    /// # Errors
    /// [`AgentError::TrainingFile`] for bytes that are no training; as for [`Self::new`] for
    /// impossible settings.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.get(..8) != Some(&MAGIC.to_le_bytes()) {
            return Err(refused("it does not begin as one, or is of another version").into());
        }
        let damaged = || refused("it is damaged: length or checksum are not right");
        let body = unsealed(bytes).ok().filter(|body| body.len() % 8 == 0).ok_or_else(damaged)?;
        let words: Vec<u64> = body
            .chunks_exact(8)
            .filter_map(<[u8]>::first_chunk)
            .map(|word| u64::from_le_bytes(*word))
            .collect();
        let mut words = words[1..].iter().copied();
        let mut training = Self::with_settings(&mut words)?;
        training
            .load(&mut words)
            .ok_or_else(|| refused("the learner's memory does not fit its settings"))?;
        if words.next().is_some() {
            return Err(refused("it is longer than the learner's memory").into());
        }
        Ok(training)
    }

    fn load(&mut self, words: &mut Words<'_>) -> Option<()> {
        let most = self.most_games();
        self.session.games = count(words).filter(|&games| games <= most)?;
        self.session.entries = count(words)?;
        self.session.rng = CountedRng::resumed(self.seed, count(words)?);
        self.method.load(&self.session, words)
    }

    /// A learner with the settings of a file, without its memory.
    fn with_settings(words: &mut Words<'_>) -> Result<Self, Error> {
        let [kind, points, seed, field, motion] = take(words)?;
        let payoffs: [u64; 10] = take(words)?;
        let [reward, loss, rare, every, middle, close, forget, schedule, explore] = take(words)?;
        let small = |word: u64| u32::try_from(word).unwrap_or(u32::MAX);
        let impossible = |what: &str| refused(&format!("{what} is not possible"));
        let flag =
            |word: u64, what: &str| if word > 1 { Err(impossible(what)) } else { Ok(word == 1) };
        let kind = LearnerKind::of_code(kind).ok_or_else(|| impossible("the learner"))?;
        let payoffs = std::array::from_fn(|end| {
            [payoffs[2 * end], payoffs[2 * end + 1]].map(|word| word as i64)
        });
        let rules = RulesCode { field: small(field), motion, payoffs }
            .decode()
            .map_err(|fault| refused(&fault.to_string()))?;
        let options = LearnerOptions {
            reward: Reward::of_code(reward).ok_or_else(|| impossible("the reward"))?,
            loss: small(loss),
            rare: small(rare),
            every,
            middle: f64::from_bits(middle),
            close: flag(close, "the option close")?,
            forget,
            schedule: Schedule::of_code(schedule).ok_or_else(|| impossible("the schedule"))?,
            explore: f64::from_bits(explore),
        };
        let points = small(points);
        if points <= Self::MOST_POINTS && words.len() < least_words(&rules, points) {
            return Err(refused("it ends too soon for its game").into());
        }
        Self::new(kind, &rules, points, options, seed)
    }
}

fn refused(reason: &str) -> AgentError {
    AgentError::TrainingFile { reason: reason.to_owned() }
}

/// The fewest words that any learner saves: one for every legal bid of each row. Checked before
/// memory is taken.
fn least_words(rules: &Rules, points: u32) -> usize {
    let points = points as usize;
    points * (points + 1) / 2 * (points + 1) * rules.positions()
}

fn take<const N: usize>(words: &mut Words<'_>) -> Result<[u64; N], AgentError> {
    let mut taken = [0; N];
    for word in &mut taken {
        *word = words.next().ok_or_else(|| refused("it ends too soon"))?;
    }
    Ok(taken)
}

impl Learner for Training {
    fn play(&mut self, games: u64) -> Result<(), Error> {
        let (games_then, most) = (self.games().saturating_add(games), self.most_games());
        if games_then > most {
            return Err(AgentError::TooManyGames { games: games_then, most }.into());
        }
        self.method.play(&mut self.session, games);
        Ok(())
    }

    fn policy(&self) -> Result<Policy, Error> {
        Policy::from_weights(
            self.rules(),
            self.session.space.points(),
            &Player::BOTH,
            &mut unwatched,
            |state, player, weights| {
                self.method.weights(self.session.rows(state)[player as usize], weights);
            },
        )
    }

    fn games(&self) -> u64 {
        self.session.games
    }

    fn entries_read(&self) -> Option<u64> {
        Some(self.session.entries)
    }
}

impl std::fmt::Debug for Training {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, options, seed, .. } = self;
        write!(
            f,
            "Training of {kind} with {} points, {options:?}, seed {seed}, after {} games",
            self.points(),
            self.games()
        )
    }
}

fn method_of(
    kind: LearnerKind,
    session: &Session,
    options: LearnerOptions,
) -> Result<Box<dyn Method>, Error> {
    Ok(match kind {
        LearnerKind::Simple | LearnerKind::Extended => {
            Box::new(Reinforcement::new(session, options)?)
        }
        LearnerKind::RegretMatching
        | LearnerKind::RegretMatchingPlus
        | LearnerKind::CfrPlus
        | LearnerKind::FictitiousPlay
        | LearnerKind::ExponentialWeights
        | LearnerKind::OutcomeSampling => Box::new(StateLearner::new(session, kind, options)?),
    })
}
