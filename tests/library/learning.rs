//! Learners against a plain retelling of their rules, against what is proved about them, and
//! against exact expectations.

use std::collections::HashMap;
use std::ops::ControlFlow;

use pencil_tennis::agents::{
    AgentError, Duel, Evaluation, Learner, LearnerKind, LearnerOptions, LearningCurve, Lookahead,
    Reward, SampledPlays, Schedule, Training,
};
use pencil_tennis::analysis::{Exploitability, Matchup, PolicyEvaluation};
use pencil_tennis::{
    Ball, Error, GameError, Outcome, Player, Policy, PolicyError, Rules, Scoring, State, unwatched,
};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

fn training(kind: LearnerKind, points: u32, options: LearnerOptions, seed: u64) -> Training {
    Training::new(kind, &Rules::tennis(), points, options, seed).expect("a possible training")
}

fn trained(
    kind: LearnerKind,
    points: u32,
    options: LearnerOptions,
    seed: u64,
    games: u64,
) -> Training {
    let mut training = training(kind, points, options, seed);
    training.play(games).expect("few games");
    training
}

fn exploitability(policy: &Policy) -> f64 {
    Exploitability::new(&Rules::tennis(), policy, &mut unwatched)
        .expect("both players")
        .mean()
        .middle()
}

/// A choice of options that the kind takes, some of them changed.
fn some_options(kind: LearnerKind) -> LearnerOptions {
    let usual = LearnerOptions::default();
    match kind {
        LearnerKind::Extended => LearnerOptions {
            reward: Reward::Points,
            loss: 1,
            rare: 5,
            every: 7,
            middle: 0.3,
            close: true,
            forget: 100,
            ..usual
        },
        LearnerKind::OutcomeSampling => LearnerOptions { explore: 0.2, ..usual },
        LearnerKind::Simple => usual,
        _ => LearnerOptions { schedule: Schedule::Games, explore: 0.2, ..usual },
    }
}

mod the_articles_learner {
    use super::*;

    /// The article's rules once more, with maps and running sums, as slowly as one likes.
    struct Retold {
        points: u32,
        options: LearnerOptions,
        generator: Pcg64Mcg,
        /// Weights by own points, the opponent's, the ball toward the opponent's end, and the bid.
        weights: HashMap<(u32, u32, i32, u32), u64>,
        games: u64,
        waiting: Vec<((u32, u32, i32, u32), u64)>,
    }

    impl Retold {
        fn weight(&self, key: (u32, u32, i32, u32)) -> u64 {
            self.weights.get(&key).copied().unwrap_or(1)
        }

        fn bid(&mut self, points: u32, other: u32, ball: i32) -> u32 {
            if points == 0 {
                return 0;
            }
            let total: u64 = (1..=points).map(|bid| self.weight((points, other, ball, bid))).sum();
            let mut ticket =
                ((u128::from(self.generator.next_u64()) * u128::from(total)) >> 64) as u64;
            for bid in 1..=points {
                let weight = self.weight((points, other, ball, bid));
                if ticket < weight {
                    return bid;
                }
                ticket -= weight;
            }
            unreachable!("a ticket is below the total")
        }

        fn play(&mut self) {
            let rules = Rules::tennis();
            let mut state = State::new(self.points, self.points, Ball::NET);
            let mut bids: [Vec<(u32, u32, i32, u32)>; 2] = Default::default();
            while rules.outcome(state).is_none() {
                let ball = state.ball.position();
                let a = self.bid(state.a, state.b, ball);
                let b = self.bid(state.b, state.a, -ball);
                bids[0].extend((a > 0).then_some((state.a, state.b, ball, a)));
                bids[1].extend((b > 0).then_some((state.b, state.a, -ball, b)));
                state = rules.play(state, a, b).expect("legal bids");
            }
            let payoff = rules.payoff(state).expect("the end").to_integer();
            let reward =
                if self.options.reward == Reward::Points { payoff.unsigned_abs() } else { 1 };
            if payoff != 0 {
                let winner = usize::from(payoff < 0);
                self.waiting.extend(bids[winner].iter().map(|&key| (key, reward)));
                if self.options.loss > 0 {
                    self.waiting.extend(bids[1 - winner].iter().map(|&key| (key, 0)));
                }
            }
            self.games += 1;
            if self.games.is_multiple_of(self.options.every) {
                for (key, reward) in std::mem::take(&mut self.waiting) {
                    self.learn(key, reward);
                }
            }
            if self.options.forget > 0 && self.games.is_multiple_of(self.options.forget) {
                for weight in self.weights.values_mut() {
                    *weight = weight.div_ceil(2);
                }
            }
        }

        fn learn(&mut self, key: (u32, u32, i32, u32), reward: u64) {
            let (points, other, ball, _) = key;
            let weight = self.weight(key);
            let learned = if reward == 0 {
                weight.saturating_sub(u64::from(self.options.loss)).max(1)
            } else {
                let total: u64 =
                    (1..=points).map(|bid| self.weight((points, other, ball, bid))).sum();
                let bonus =
                    (total / (u64::from(points) * weight)).clamp(1, u64::from(self.options.rare));
                weight + reward * bonus
            };
            self.weights.insert(key, learned);
        }

        fn policy(&self) -> Policy {
            Policy::from_weights(
                &Rules::tennis(),
                [self.points; 2],
                &Player::BOTH,
                &mut unwatched,
                |state, player, weights| {
                    let (points, other) = (state.points(player), state.points(player.opponent()));
                    for (bid, weight) in (1..).zip(weights) {
                        *weight = self.weight((
                            points,
                            other,
                            state.ball.position() * player.direction(),
                            bid,
                        )) as f64;
                    }
                },
            )
            .expect("positive weights")
        }
    }

    fn check(kind: LearnerKind, options: LearnerOptions) {
        let (points, seed) = (19, 2012);
        let generator = Pcg64Mcg::seed_from_u64(seed);
        let mut retold = Retold {
            points,
            options,
            generator,
            weights: HashMap::new(),
            games: 0,
            waiting: Vec::new(),
        };
        let mut training = training(kind, points, options, seed);
        for games in [1, 1, 8, 90, 1_900] {
            training.play(games).expect("few games");
            (0..games).for_each(|_| retold.play());
            assert!(
                training.policy().expect("a policy") == retold.policy(),
                "{options:?} after {} games",
                retold.games
            );
        }
    }

    #[test]
    fn plays_by_the_rules_as_retold() {
        check(LearnerKind::Simple, LearnerOptions::default());
    }

    #[test]
    fn so_does_every_proposal_and_all_together() {
        let usual = LearnerOptions::default();
        for options in [
            LearnerOptions { reward: Reward::Points, ..usual },
            LearnerOptions { loss: 2, ..usual },
            LearnerOptions { rare: 4, ..usual },
            LearnerOptions { every: 10, ..usual },
            LearnerOptions { forget: 50, ..usual },
            LearnerOptions {
                reward: Reward::Points,
                loss: 1,
                rare: 4,
                every: 3,
                forget: 100,
                ..usual
            },
        ] {
            check(LearnerKind::Extended, options);
        }
    }

    /// With two points each there are so few games that one can follow them: after one game, the
    /// winner's bids have weight 2, all others 1.
    #[test]
    fn one_game_by_hand() {
        for seed in 0..50 {
            let policy = trained(LearnerKind::Simple, 2, LearnerOptions::default(), seed, 1)
                .policy()
                .expect("a policy");
            let opening: Vec<f64> = (1..=2)
                .map(|bid| policy.probability("2:2@0".parse().unwrap(), Player::A, bid).unwrap())
                .collect();
            // 1-2 leaves 1:0@-1, where A must bid 1 and hits back: A wins, with the low bid. 1-1
            // and 2-2 stay on the net: a draw.
            let (low, even) = ([2.0 / 3.0, 1.0 / 3.0], [0.5, 0.5]);
            assert!(opening == low || opening == even, "seed {seed}: {opening:?}");
        }
    }

    #[test]
    fn a_full_table_is_refused_before_it_overflows() {
        let options =
            LearnerOptions { reward: Reward::Points, rare: 1000, ..LearnerOptions::default() };
        let mut training = training(LearnerKind::Extended, 8, options, 1);
        // 2³² − 1 − 8 over rewards of up to 2 · 1000.
        assert_eq!(
            training.play(2_147_484),
            Err(AgentError::TooManyGames { games: 2_147_484, most: 2_147_483 }.into())
        );
        assert_eq!(training.games(), 0);
    }
}

mod same_bytes {
    use super::*;

    #[test]
    fn the_seed_decides() {
        for kind in LearnerKind::ALL {
            let options = some_options(kind);
            let [one, same, other] = [1, 1, 2].map(|seed| trained(kind, 9, options, seed, 500));
            assert_eq!(one.to_bytes(), same.to_bytes(), "{kind}");
            assert!(one.policy() == same.policy(), "{kind}");
            assert!(one.policy() != other.policy(), "{kind}");
        }
    }

    #[test]
    fn playing_in_pieces_changes_nothing() {
        for kind in LearnerKind::ALL {
            let options = some_options(kind);
            let whole = trained(kind, 9, options, 3, 800);
            let mut resumed = training(kind, 9, options, 3);
            for games in [1, 9, 290, 500] {
                resumed.play(games).expect("few games");
                resumed = Training::from_bytes(&resumed.to_bytes()).expect("what was saved");
            }
            assert_eq!(whole.to_bytes(), resumed.to_bytes(), "{kind}");
        }
    }

    #[test]
    fn settings_come_back() {
        let scoring: Scoring = "3,1/2,0,-1/2,-3".parse().expect("a scoring");
        let rules = Rules::new(3, pencil_tennis::Motion::Step, scoring).expect("rules");
        let options = LearnerOptions { explore: 0.25, ..LearnerOptions::default() };
        let saved = Training::new(LearnerKind::OutcomeSampling, &rules, 7, options, 77)
            .expect("possible")
            .to_bytes();
        let training = Training::from_bytes(&saved).expect("what was saved");
        assert_eq!((training.rules(), training.points(), training.seed()), (&rules, 7, 77));
        assert_eq!((training.kind(), training.options()), (LearnerKind::OutcomeSampling, &options));
    }

    #[test]
    fn damage_is_noticed() {
        for kind in [LearnerKind::Extended, LearnerKind::CfrPlus] {
            let saved = trained(kind, 4, some_options(kind), 1, 20).to_bytes();
            let refused = |bytes: &[u8]| {
                matches!(
                    Training::from_bytes(bytes),
                    Err(Error::Agent(AgentError::TrainingFile { .. }))
                )
            };
            for place in (0..saved.len()).step_by(13) {
                let mut damaged = saved.clone();
                damaged[place] ^= 0x10;
                assert!(refused(&damaged), "{kind}, byte {place}");
            }
            for length in (0..saved.len()).step_by(29) {
                assert!(refused(&saved[..length]), "{kind}, {length} bytes");
            }
            assert!(refused(&[&saved[..], b"12345678"].concat()));
        }
    }
}

mod guarantees {
    use super::*;

    const WITHOUT_REGRET: [LearnerKind; 5] = [
        LearnerKind::RegretMatching,
        LearnerKind::RegretMatchingPlus,
        LearnerKind::CfrPlus,
        LearnerKind::FictitiousPlay,
        LearnerKind::ExponentialWeights,
    ];

    /// After t lessons, the average regret at a state with n bids and payoffs of span s is at most
    /// s · √(n / t) for regret matching, and less for exponential weights. A game of 6 points has 6
    /// turns at most, and exploitability is at most what both players regret in all turns, halved:
    /// with s = 4, n = 6 and t = 20,000 that is 6 · 4 · √(6 / 20,000) = 0.42. For fictitious play
    /// no such rate is proved; it does as well here.
    #[test]
    fn players_without_regret_come_close_to_the_optimum() {
        let sweep = 7 * 7 * 5;
        for kind in WITHOUT_REGRET {
            let mut training = training(kind, 6, LearnerOptions::default(), 1);
            training.play(1_250 * sweep).expect("few games");
            let early = exploitability(&training.policy().expect("a policy"));
            training.play(18_750 * sweep).expect("few games");
            let late = exploitability(&training.policy().expect("a policy"));
            assert!(late <= 6.0 * 4.0 * (6.0_f64 / 20_000.0).sqrt(), "{kind}: {late}");
            // Sixteen times the lessons make a quarter of the bound; half of the loss leaves room
            // for luck.
            assert!(late <= early / 2.0, "{kind}: {early} then {late}");
        }
    }

    #[test]
    fn learning_along_games_gets_there_too() {
        for kind in [LearnerKind::RegretMatchingPlus, LearnerKind::CfrPlus] {
            let options = LearnerOptions {
                schedule: Schedule::Games,
                explore: 0.3,
                ..LearnerOptions::default()
            };
            let policy = trained(kind, 6, options, 1, 100_000).policy().expect("a policy");
            // Uniform play loses 1.8 here.
            assert!(exploitability(&policy) < 0.2, "{kind}: {}", exploitability(&policy));
        }
    }

    #[test]
    fn results_alone_teach_something() {
        let options = LearnerOptions { explore: 0.2, ..LearnerOptions::default() };
        let mut training = training(LearnerKind::OutcomeSampling, 5, options, 1);
        training.play(1_000).expect("few games");
        let early = exploitability(&training.policy().expect("a policy"));
        training.play(499_000).expect("few games");
        let late = exploitability(&training.policy().expect("a policy"));
        assert!(late < 0.2 && late < early / 2.0, "{early} then {late}");
    }
}

mod curves {
    use super::*;

    /// A learner from outside the crate, who knows it all.
    struct Master(Policy);

    impl Learner for Master {
        fn play(&mut self, _: u64) -> Result<(), Error> {
            Ok(())
        }

        fn policy(&self) -> Result<Policy, Error> {
            Ok(self.0.clone())
        }

        fn games(&self) -> u64 {
            1
        }
    }

    #[test]
    fn a_master_has_nothing_to_lose() {
        let solution = pencil_tennis::solve(20).expect("solved");
        let mut curve = LearningCurve::new(&solution).expect("a small game");
        curve
            .note(&Master(Policy::optimal(&solution, &mut unwatched).expect("nobody cancels")))
            .expect("both players");
        let point = curve.points()[0];
        assert!(point.exploitability < 1e-15 && point.against_optimum.abs() < 1e-15, "{point:?}");
        assert!(point.against_uniform > 1.5, "{point:?}");
    }

    #[test]
    fn judgements_are_those_of_the_judge() {
        let solution = pencil_tennis::solve(12).expect("solved");
        let mut training = training(LearnerKind::Simple, 12, LearnerOptions::default(), 5);
        let mut curve = LearningCurve::new(&solution).expect("a small game");
        for games in [100, 1_000] {
            curve.train(&mut training, games, |_| ControlFlow::Continue(())).expect("few games");
        }
        let evaluation =
            PolicyEvaluation::new(&solution, &training.policy().expect("a policy"), &mut unwatched)
                .expect("the same game");
        let last = curve.points()[1];
        assert_eq!(last.games, 1_000);
        assert_eq!(last.exploitability, evaluation.exploitability().expect("both").mean().middle());
        let as_a = evaluation.value_against_optimum(Player::A).expect("covered").middle();
        assert!(
            (last.against_optimum - as_a).abs() < 1e-15,
            "the game looks the same from both sides"
        );
        assert!(
            last.seconds >= curve.points()[0].seconds
                && last.entries_read > curve.points()[0].entries_read
        );
    }

    #[test]
    fn of_another_game_it_says_so() {
        let solution = pencil_tennis::solve(6).expect("solved");
        let mut curve = LearningCurve::new(&solution).expect("a small game");
        let learner = training(LearnerKind::Simple, 7, LearnerOptions::default(), 1);
        assert!(matches!(curve.note(&learner), Err(Error::Policy(PolicyError::OtherGame { .. }))));
    }
}

mod duels {
    use super::*;

    /// Every end within four standard errors of its exact probability, and so the mean; a right
    /// program fails once in some thousand seeds.
    fn check(rules: &Rules, start: State, a: &Policy, b: &Policy, seed: u64) {
        let mut duel = Duel::new(rules, start, a, b, seed, &mut unwatched).expect("both players");
        duel.play(60_000).unwrap();
        duel.play(40_000).unwrap();
        let tally = duel.tally();
        assert_eq!(tally.games(), 100_000);
        for &outcome in Outcome::ALL {
            let exact = duel.matchup().probability(outcome);
            let expected = 1e5 * exact;
            let error = (expected * (1.0 - exact)).sqrt();
            let count = tally.count(outcome) as f64;
            assert!(
                (count - expected).abs() <= 4.0 * error,
                "{start}: {outcome} {count} times, expected {expected}"
            );
        }
        let exact = duel.matchup().value().middle();
        assert!(
            (tally.mean() - exact).abs() <= 4.0 * tally.standard_error(),
            "{start}: {} for {exact}",
            tally.mean()
        );
        assert!((tally.mean_turns() - duel.matchup().mean_turns()).abs() < 0.05);
    }

    #[test]
    fn sampled_games_agree_with_the_exact_expectation() {
        let rules = Rules::tennis();
        let solution = pencil_tennis::Solver::new(&rules).points([14, 12]).solve().expect("solved");
        let optimal = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
        let uniform = Policy::uniform(&rules, [14, 12]).expect("a small game");
        check(&rules, solution.start(), &optimal, &uniform, 1);
        check(&rules, solution.start(), &uniform, &optimal, 2);
        check(&rules, "9:12@-2".parse().expect("a state"), &optimal, &optimal, 3);
        let learned = trained(LearnerKind::Simple, 12, LearnerOptions::default(), 1, 5_000)
            .policy()
            .expect("a policy");
        check(&rules, "12:12@0".parse().expect("a state"), &learned, &optimal, 4);
    }

    #[test]
    fn the_seed_decides() {
        let uniform = Policy::uniform(&Rules::tennis(), [9, 9]).expect("a small game");
        let results = [1, 1, 2].map(|seed| {
            let mut duel = Duel::new(
                &Rules::tennis(),
                "9:9@0".parse().expect("a state"),
                &uniform,
                &uniform,
                seed,
                &mut unwatched,
            )
            .expect("both");
            duel.play(1_000).unwrap();
            Outcome::ALL.iter().map(|&outcome| duel.tally().count(outcome)).collect::<Vec<u64>>()
        });
        assert!(results[0] == results[1] && results[0] != results[2], "{results:?}");
    }
}

mod lookahead {
    use super::*;

    fn state(text: &str) -> State {
        text.parse().expect("a state")
    }

    #[test]
    fn expectations_are_those_of_matchups() {
        let rules = Rules::tennis();
        let uniform = Policy::uniform(&rules, [9, 8]).expect("a small game");
        let expected = Evaluation::expected(&rules, &uniform).expect("both players");
        let sampled = Evaluation::sampled(&rules, &uniform, 2_000, 1).expect("both players");
        for text in ["9:8@0", "9:8@-2", "3:8@1", "5:5@0", "0:4@2", "0:0@-1"] {
            let exact = match rules.payoff(state(text)) {
                Some(payoff) => payoff.to_integer() as f64,
                None => Matchup::new(&rules, state(text), &uniform, &uniform, &mut unwatched)
                    .expect("both players")
                    .value()
                    .middle(),
            };
            assert!(
                (expected.value(state(text)).expect("covered") - exact).abs() < 1e-14,
                "{text}"
            );
            // A result is at most 2 from 0, so that a standard error is at most 2 / √2000.
            assert!(
                (sampled.value(state(text)).expect("covered") - exact).abs()
                    <= 4.0 * 2.0 / 2_000_f64.sqrt(),
                "{text}"
            );
        }
        assert!(matches!(
            expected.value(state("9:9@0")),
            Err(Error::Game(GameError::Outside { .. }))
        ));
    }

    #[test]
    fn one_turn_by_hand() {
        let nothing = Evaluation::nothing(&Rules::tennis(), [4, 4]).expect("a small game");
        let lookahead = Lookahead::new(&nothing, 1).expect("a turn");
        // A bids 2 and the ball stays on B's side for 1 point; after 1 the game goes on, for 0 as
        // far as is known.
        assert_eq!(lookahead.values.value(state("2:1@1")).expect("covered"), 1.0);
        assert_eq!(lookahead.policy.probability(state("2:1@1"), Player::A, 2), Ok(1.0));
        // Whoever bids higher hits out of the outer field: A can, B cannot stop it.
        assert_eq!(lookahead.values.value(state("4:3@2")).expect("covered"), 2.0);
        assert!(matches!(
            Lookahead::new(&nothing, 0),
            Err(Error::Agent(AgentError::LookaheadDepth))
        ));
    }

    /// The article's table 1: all ends are four turns away at most.
    #[test]
    fn a_search_to_the_end_is_perfect() {
        let rules = Rules::tennis();
        let nothing = Evaluation::nothing(&rules, [8, 7]).expect("a small game");
        let lookahead = Lookahead::new(&nothing, 8).expect("turns");
        assert!((lookahead.values.value(state("4:3@-2")).expect("covered") + 0.2).abs() < 1e-14);
        assert!(
            (lookahead.values.value(state("7:6@1")).expect("covered") - 46.0 / 41.0).abs() < 1e-14
        );
        assert!(exploitability(&lookahead.policy) < 1e-12);
    }

    /// A player in B's role bids as A does at the mirror image, unless the evaluation tells the
    /// players apart.
    #[test]
    fn a_search_is_mirror_symmetric_where_its_leaves_are() {
        let rules = Rules::tennis();
        let uniform = Policy::uniform(&rules, [26, 26]).expect("a small game");
        let leaves =
            [Evaluation::nothing(&rules, [26, 26]), Evaluation::expected(&rules, &uniform)];
        for leaves in leaves.map(|leaves| leaves.expect("a small game")) {
            for depth in [1, 4] {
                let policy = Lookahead::new(&leaves, depth).expect("turns").policy;
                assert!(policy.mirrored() == policy, "{depth} turns");
            }
        }
        let sampled = Evaluation::sampled(&rules, &uniform, 1, 1).expect("both players");
        let policy = Lookahead::new(&sampled, 2).expect("turns").policy;
        assert!(policy.mirrored() != policy, "games of their own lead to numbers of their own");
    }

    #[test]
    fn with_true_values_one_turn_is_enough() {
        let solution = pencil_tennis::solve(15).expect("solved");
        let leaves = Evaluation::expected(
            &Rules::tennis(),
            &Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
        )
        .expect("both players");
        let lookahead = Lookahead::new(&leaves, 1).expect("a turn");
        assert!(exploitability(&lookahead.policy) < 1e-12);
    }
}

mod refusals {
    use super::*;

    fn refusal(kind: LearnerKind, rules: &Rules, points: u32, options: LearnerOptions) -> String {
        Training::new(kind, rules, points, options, 1).expect_err("impossible").to_string()
    }

    #[test]
    fn say_what_is_wrong_and_what_is_right() {
        let (rules, usual) = (Rules::tennis(), LearnerOptions::default());
        let simple = LearnerKind::Simple;
        let skewed = rules.with_scoring("1,1,0,0,0".parse().expect("a scoring"));
        assert!(refusal(simple, &skewed, 9, usual).contains("1,1,0,0,0"));
        let thirds = rules.with_scoring("1,1/3,0,-1/3,-1".parse().expect("a scoring"));
        assert!(
            refusal(simple, &thirds, 9, LearnerOptions { reward: Reward::Points, ..usual })
                .contains("1/3")
        );
        assert_eq!(
            refusal(simple, &rules, 0, usual),
            "A starts with 0 points; both players need at least 1"
        );
        assert_eq!(
            refusal(simple, &rules, 201, usual),
            "201 points are too many; at most 200 are supported"
        );
        assert_eq!(
            refusal(simple, &rules, 9, LearnerOptions { loss: 1, ..usual }),
            "the learner simple has no option loss; expected reward"
        );
        for (options, name) in [
            (LearnerOptions { loss: 1001, ..usual }, "loss cannot be 1001; expected 0 to 1000"),
            (LearnerOptions { rare: 0, ..usual }, "rare cannot be 0; expected 1 to 1000"),
            (LearnerOptions { every: 0, ..usual }, "every cannot be 0; expected 1 to 1000000"),
            (
                LearnerOptions { middle: 1.5, ..usual },
                "middle cannot be 1.5; expected a share from 0 to 1",
            ),
            (
                LearnerOptions { middle: f64::NAN, ..usual },
                "middle cannot be NaN; expected a share from 0 to 1",
            ),
        ] {
            assert_eq!(
                refusal(LearnerKind::Extended, &rules, 9, options),
                format!("the option {name}")
            );
        }
        assert!(
            refusal(
                LearnerKind::OutcomeSampling,
                &rules,
                9,
                LearnerOptions { explore: 0.0, ..usual }
            )
            .contains("positive")
        );
        assert!(
            "nobody"
                .parse::<LearnerKind>()
                .expect_err("unknown")
                .to_string()
                .contains("simple, extended, rm")
        );
    }
}
