//! A solved game, and everything that is asked about it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::ControlFlow;

use pencil_tennis::agents::Level;
use pencil_tennis::analysis::{Endgame, ForcedPlay, Matchup, PolicyEvaluation};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::matrix_game::DyadicStrategy;
use pencil_tennis::report::{ExploitReport, PolicyFormat};
use pencil_tennis::{
    Ball, Digits, Error, GameError, GameRecord, Outcome, Player, Policy, Solution, Solver, State,
    unwatched,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::any_game::{AnyGame, MOST_CELLS, SendWatch};
use crate::blind::BlindGame;
use crate::digest;
use crate::played::{Played, Written, double};
use crate::request::{Bidder, Request, RulesText};
use crate::stage::Stage;

/// A solved game that answers questions.
#[derive(Debug, Default)]
pub struct Desk {
    solved: Option<Solved>,
    any: Option<AnyGame>,
}

/// The solved game, and all that is known of it.
#[derive(Debug)]
struct Solved {
    solution: Solution,
    optimal: OnceCell<Policy>,
    forced: Option<ForcedPlay>,
    blind: Option<BlindGame>,
    /// The policies that were read or made: to be played against, to be judged, and the one called
    /// by name.
    policies: [Option<Policy>; 3],
}

/// An answer: a JSON object, which has the member `error` where something was wrong, an object with
/// code, sentence and fields, and an array of numbers, often empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The JSON.
    pub json: String,
    /// The numbers.
    pub numbers: Vec<f64>,
}

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Library(#[from] Error),
    #[error("no blind game has been solved")]
    NotBlind,
    #[error("the question is not understood: {0}")]
    Question(#[from] serde_json::Error),
    #[error("no game has been solved")]
    Unsolved,
    #[error(
        "the game has {0} pairs of actions; the page solves up to {MOST_CELLS}, and `pencil-tennis solve FILE` any number"
    )]
    TooLarge(usize),
    #[error("no policy has been read")]
    NoPolicy,
    #[error("a file is read as `opponent` or `judged`")]
    NoFile,
    #[error("`{0}` is not a number of 16 hexadecimal digits")]
    Bits(String),
    #[error("there is no game {0}; expected one below {most}", most = digest::GAMES.len())]
    Digest(usize),
}

impl Refusal {
    /// Those of the library as it says them; those of the page with the same members.
    fn object(&self) -> Value {
        let message = self.to_string();
        match self {
            Self::Game(error) => json!(Error::from(error.clone()).object()),
            Self::Library(error) => json!(error.object()),
            Self::NotBlind => json!({"code": "page.not_blind", "message": message}),
            Self::Question(_) => json!({"code": "page.question", "message": message}),
            Self::Unsolved => json!({"code": "page.unsolved", "message": message}),
            Self::TooLarge(cells) => {
                json!({"code": "page.too_large", "message": message, "cells": cells, "most": MOST_CELLS})
            }
            Self::NoPolicy => json!({"code": "page.no_policy", "message": message}),
            Self::NoFile => json!({"code": "page.no_file", "message": message}),
            Self::Bits(_) => json!({"code": "page.bits", "message": message}),
            Self::Digest(_) => json!({"code": "page.digest", "message": message}),
        }
    }
}

/// The memory that a solution may take in a module that can address 4 GiB.
const MEMORY_LIMIT: u64 = 1 << 30;

impl Desk {
    /// Answers a question; `file` are the bytes of a policy where one is to be read, and `progress`
    /// hears how much of long work is done.
    pub fn answer(
        &mut self,
        question: &str,
        file: &[u8],
        progress: impl FnMut(f64) + Send,
    ) -> Answer {
        self.try_answer(question, file, progress).unwrap_or_else(|refusal| Answer {
            json: json!({"error": refusal.object()}).to_string(),
            numbers: Vec::new(),
        })
    }

    fn try_answer(
        &mut self,
        question: &str,
        file: &[u8],
        mut progress: impl FnMut(f64) + Send,
    ) -> Result<Answer, Refusal> {
        let mut watch = |share| {
            progress(share);
            ControlFlow::Continue(())
        };
        let solved = self.solved.as_mut().ok_or(Refusal::Unsolved);
        let any = self.any.as_mut().ok_or(Refusal::Unsolved);
        match serde_json::from_str(question)? {
            Request::Solve { points, rules, exact_bits } => {
                let solved = Solved::new(points, &rules, exact_bits, &mut watch)?;
                let summary = solved.summary();
                self.solved = Some(solved);
                plain(&summary)
            }
            Request::Values => solved?.values(),
            Request::Decided => solved?.decided(),
            Request::State { state } => {
                let solution = &solved?.solution;
                plain(&Stage::new(solution, state.parse()?)?)
            }
            Request::Exact { state } => solved?.exact(state.parse()?),
            Request::Digits { state, digits } => {
                let digits = solved?.solution.digits(state.parse()?, digits, &mut watch)?;
                plain(&found_digits(&digits))
            }
            Request::Outcomes { state, a, b } => solved?.outcomes(state.parse()?, a, b),
            Request::Endgame { ball } => solved?.endgame(ball),
            Request::Prepare => {
                solved?.optimal()?;
                plain(&json!({}))
            }
            Request::Level { name } => {
                let solved = solved?;
                let level: Level = name.parse().map_err(Error::from)?;
                solved.policies[2] = Some(level.policy(&solved.solution, &mut watch)?);
                plain(&json!({"name": level.to_string()}))
            }
            Request::Policy { bidder } => solved?.read_policy(bidder, file),
            Request::Judge { bidder } => solved?.judge(bidder, &mut watch),
            Request::Draw { state, player, bidder, bits } => {
                solved?.draw(state.parse()?, player.into(), bidder, random(&bits)?)
            }
            Request::Sha256 { text } => plain(&json!({"sha256": digest::of_text(&text)})),
            Request::Replay { start, bids, stands } => {
                let solution = &solved?.solution;
                plain(&Played::new(
                    solution,
                    &GameRecord::replay(solution.rules(), start.parse()?, bids)?,
                    stands,
                )?)
            }
            Request::Blind { start, player, bidder } => {
                let solved = solved?;
                let (rules, start) = (solved.solution.rules(), start.parse()?);
                let progress = |share| {
                    let _ = watch(share);
                };
                solved.blind = Some(BlindGame::new(rules, start, player.into(), bidder, progress)?);
                plain(&json!({}))
            }
            Request::BlindDraw { bids, bits } => {
                let blind = solved?.blind()?;
                plain(&json!({"bid": blind.draw(&blind.replay(bids)?, random(&bits)?)?}))
            }
            Request::BlindReplay { bids } => {
                let blind = solved?.blind()?;
                plain(&Played::blind(blind, &blind.replay(bids)?)?)
            }
            Request::BlindHint { bids } => {
                let blind = solved?.blind()?;
                plain(&blind.hint(&blind.replay(bids)?)?)
            }
            Request::Read { text } => {
                let rules = GameRecord::rules_of_table(&text)?;
                let rules =
                    rules.map_or_else(|| solved.map(|solved| *solved.solution.rules()), Ok)?;
                plain(&Written::new(&GameRecord::from_table(&rules, &text)?))
            }
            Request::AnyOpen => {
                let any = AnyGame::new(file, &mut watch)?.map_err(Refusal::TooLarge)?;
                let summary = any.summary()?;
                self.any = Some(any);
                plain(&summary)
            }
            Request::AnyFind { word } => plain(&any?.find(&word)?),
            Request::AnyStage { state } => plain(&any?.stage(&state)?),
            Request::AnyNear { state } => plain(&any?.near(&state)?),
            Request::AnyPlayer { player, level } => {
                plain(&json!({"known": any?.player(player.into(), level.as_deref(), file)?}))
            }
            Request::AnyDraw { state, player, bits } => {
                plain(&json!({"action": any?.draw(&state, player.into(), random(&bits)?)?}))
            }
            Request::AnyNext { state, actions, bits } => {
                plain(&json!({"to": any?.next(&state, actions, random(&bits)?)?}))
            }
            Request::AnyJudge => plain(&any?.judge(file, &mut watch)?),
            Request::Digest { game } => digest_of(game),
        }
    }
}

fn digest_of(game: usize) -> Result<Answer, Refusal> {
    let (game, digest) = digest::of_game(game)?.ok_or(Refusal::Digest(game))?;
    plain(&json!({"game": game, "digest": digest}))
}

fn found_digits(digits: &Digits) -> Value {
    json!({"lower": digits.lower, "upper": digits.upper, "agreeing": digits.agreeing()})
}

/// The index of a bidder's policy among those that were read or made.
const fn policy_slot(bidder: Bidder) -> Option<usize> {
    match bidder {
        Bidder::Opponent => Some(0),
        Bidder::Judged => Some(1),
        Bidder::Level => Some(2),
        Bidder::Optimal | Bidder::Uniform => None,
    }
}

/// An answer without numbers.
fn plain(json: &impl Serialize) -> Result<Answer, Refusal> {
    Ok(Answer { json: serde_json::to_string(json)?, numbers: Vec::new() })
}

impl Solved {
    fn new(
        points: [u32; 2],
        rules: &RulesText,
        exact_bits: Option<usize>,
        watch: &mut SendWatch<'_>,
    ) -> Result<Self, Error> {
        let mut solver =
            Solver::new(&rules.rules()?).points(points).threads(1).memory_limit(MEMORY_LIMIT);
        if let Some(bits) = exact_bits {
            solver = solver.exact(bits);
        }
        let solution = solver.on_progress(watch).solve()?;
        Ok(Self {
            solution,
            optimal: OnceCell::new(),
            forced: None,
            blind: None,
            policies: [None, None, None],
        })
    }

    fn blind(&self) -> Result<&BlindGame, Refusal> {
        self.blind.as_ref().ok_or(Refusal::NotBlind)
    }

    fn summary(&self) -> Value {
        let (solution, rules) = (&self.solution, self.solution.rules());
        let start = solution.start();
        json!({
            "rules": RulesText::of(rules),
            "points": solution.points(),
            "start": start.to_string(),
            "states": solution.states().len(),
            "randomised": solution.randomised_states(),
            "widest": rounded_up(solution.widest_enclosure()),
            "payoffs": rules.scoring().payoffs().iter().copied().map(double).collect::<Vec<_>>(),
            "payoff_texts": rules.scoring().payoffs().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "antisymmetric": rules.is_antisymmetric(),
            "exact_states": solution.exact_states(),
        })
    }

    fn values(&self) -> Result<Answer, Refusal> {
        let numbers = self
            .solution
            .states()
            .map(|state| self.solution.value(state))
            .collect::<Result<_, GameError>>()?;
        Ok(Answer { json: "{}".to_owned(), numbers })
    }

    fn forced(&mut self) -> Result<&ForcedPlay, Error> {
        let [a, b] = self.solution.points();
        let forced = match self.forced.take() {
            Some(forced) => forced,
            None => ForcedPlay::new(self.solution.rules(), [a, b])?,
        };
        Ok(self.forced.insert(forced))
    }

    fn decided(&mut self) -> Result<Answer, Refusal> {
        let states = self.solution.states();
        let forced = self.forced()?;
        let value = |state| Ok(forced.value(state)?.map_or(f64::NAN, double));
        let numbers = states.map(value).collect::<Result<_, GameError>>()?;
        Ok(Answer { json: "{}".to_owned(), numbers })
    }

    fn exact(&self, state: State) -> Result<Answer, Refusal> {
        let exact = self.solution.exact(state)?.map(|exact| {
            let bids = |bids: &[(u32, num_rational::BigRational)]| -> Vec<Value> {
                bids.iter().map(|(bid, probability)| json!({"bid": bid, "probability": probability.to_string()})).collect()
            };
            json!({"value": exact.value.to_string(), "a": bids(&exact.strategies.a), "b": bids(&exact.strategies.b)})
        });
        plain(&json!({"exact": exact}))
    }

    fn optimal(&self) -> Result<&Policy, Refusal> {
        if let Some(policy) = self.optimal.get() {
            return Ok(policy);
        }
        let policy = Policy::optimal(&self.solution, &mut unwatched).map_err(Error::from)?;
        Ok(self.optimal.get_or_init(|| policy))
    }

    /// A policy; that of a file for one player alone serves both, where they can bid alike.
    fn policy(&self, bidder: Bidder) -> Result<Cow<'_, Policy>, Refusal> {
        Ok(match bidder {
            Bidder::Optimal => Cow::Borrowed(self.optimal()?),
            Bidder::Uniform => {
                Cow::Owned(Policy::uniform(self.solution.rules(), self.solution.points())?)
            }
            Bidder::Opponent | Bidder::Judged | Bidder::Level => Cow::Borrowed(
                policy_slot(bidder)
                    .and_then(|slot| self.policies[slot].as_ref())
                    .ok_or(Refusal::NoPolicy)?,
            ),
        })
    }

    fn outcomes(&self, state: State, a: Bidder, b: Bidder) -> Result<Answer, Refusal> {
        self.solution.check(state)?;
        let (a, b) = (self.policy(a)?, self.policy(b)?);
        let matchup =
            Matchup::new(self.solution.rules(), state, a.as_ref(), b.as_ref(), &mut unwatched)?;
        plain(&json!({
            "ends": Outcome::ALL.iter().map(|&outcome| matchup.probability(outcome)).collect::<Vec<f64>>(),
            "turns": matchup.mean_turns(),
            "left": Player::BOTH.map(|player| matchup.mean_points_left(player)),
            "endless": matchup.endless(),
            "standstills": matchup.mean_standstills(),
            "value": matchup.value().middle(),
        }))
    }

    fn endgame(&mut self, ball: i32) -> Result<Answer, Refusal> {
        let endgame = Endgame::of(self.forced()?, Ball::new(ball)?)?;
        plain(&json!({
            "decided_states": endgame.decided_states,
            "decided_to": endgame.decided_to,
            "first_undecided": endgame.first_undecided.iter().map(State::to_string).collect::<Vec<_>>(),
            "needed": Player::BOTH.map(|player| &endgame.needed[player]),
        }))
    }

    fn read_policy(&mut self, bidder: Bidder, file: &[u8]) -> Result<Answer, Refusal> {
        let slot =
            policy_slot(bidder).filter(|_| bidder != Bidder::Level).ok_or(Refusal::NoFile)?;
        let (rules, points) = (self.solution.rules(), self.solution.points());
        let mut policy = PolicyFormat::of(file)?.read(file, rules, points)?;
        let covers = Player::BOTH.map(|player| policy.covers(player));
        if rules.is_antisymmetric() && points[0] == points[1] {
            policy = policy.completed_by_mirror()?;
        }
        self.policies[slot] = Some(policy);
        plain(&json!({"covers": covers}))
    }

    fn judge(&self, bidder: Bidder, watch: &mut SendWatch<'_>) -> Result<Answer, Refusal> {
        let evaluation =
            PolicyEvaluation::new(&self.solution, self.policy(bidder)?.as_ref(), watch)?;
        let report =
            ExploitReport { policy: "", solution: &self.solution, evaluation: &evaluation };
        let states = self.solution.states().len();
        let mut numbers = vec![f64::NAN; 2 * states];
        // States where the game is over have no regret; all others come in the order of the
        // solution's.
        for player in Player::BOTH {
            let mut regrets =
                evaluation.state_regrets().filter(|entry| entry.player == player).peekable();
            for (index, state) in self.solution.states().enumerate() {
                if let Some(entry) = regrets.next_if(|entry| entry.state == state) {
                    numbers[player as usize * states + index] = entry.regret;
                }
            }
        }
        Ok(Answer { json: serde_json::to_string(&report)?, numbers })
    }

    fn draw(
        &self,
        state: State,
        player: Player,
        bidder: Bidder,
        random: u64,
    ) -> Result<Answer, Refusal> {
        let bid = self.bid(state, player, bidder, random)?;
        // The most random bits draw the highest bid.
        let waits = bid == Some(0) && self.bid(state, player, bidder, u64::MAX)? == Some(0);
        plain(&json!({"bid": bid, "waits": waits}))
    }

    fn bid(
        &self,
        state: State,
        player: Player,
        bidder: Bidder,
        random: u64,
    ) -> Result<Option<u32>, Refusal> {
        Ok(match bidder {
            // A bid of one state does not wait for the strategies of all.
            Bidder::Optimal => {
                draw(self.solution.equilibrium(state)?.strategy(player).weights(), random)
            }
            Bidder::Uniform => {
                self.solution.check(state)?;
                let legal = self.solution.rules().legal_bids(state.points(player));
                let offset =
                    (u128::from(random) * u128::from(legal.end() - legal.start() + 1)) >> u64::BITS;
                Some(legal.start() + offset as u32)
            }
            Bidder::Opponent | Bidder::Judged | Bidder::Level => {
                Some(self.policy(bidder)?.draw(state, player, random)?)
            }
        })
    }
}

/// Random bits in hexadecimal digits.
fn random(bits: &str) -> Result<u64, Refusal> {
    let random = Some(bits)
        .filter(|bits| bits.len() == 16)
        .and_then(|bits| u64::from_str_radix(bits, 16).ok());
    random.ok_or_else(|| Refusal::Bits(bits.to_owned()))
}

/// The bid that random bits draw by weights out of [`DyadicStrategy::WHOLE`], as [`Policy::draw`]
/// does.
fn draw(weights: impl Iterator<Item = (u32, u64)>, random: u64) -> Option<u32> {
    let ticket = random >> (u64::BITS - DyadicStrategy::WHOLE_BITS);
    let mut sum = 0;
    let mut drawn = weights.skip_while(|(_, weight)| {
        sum += weight;
        sum <= ticket
    });
    drawn.next().map(|(bid, _)| bid)
}
