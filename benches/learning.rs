//! Games of learners, sweeps of players without regret, duels. Every bench asserts the answer it
//! times.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use pencil_tennis::agents::{
    Duel, Evaluation, Learner, LearnerKind, LearnerOptions, Lookahead, SampledPlays, Training,
};
use pencil_tennis::analysis::Exploitability;
use pencil_tennis::{Policy, Rules, unwatched};

fn training(kind: LearnerKind, games: u64) -> Training {
    let mut training = Training::new(kind, &Rules::tennis(), 50, LearnerOptions::default(), 1)
        .expect("a game of usual size");
    training.play(games).expect("few games");
    training
}

fn learners(c: &mut Criterion) {
    let mut group = c.benchmark_group("learning");
    group.sample_size(20);
    let games = 100_000;
    group.throughput(Throughput::Elements(games));
    // Trained players play longer games than players who bid at random.
    let saved = training(LearnerKind::Simple, 1_000_000).to_bytes();
    group.bench_function("simple, after 1,000,000 games", |b| {
        b.iter_batched(
            || Training::from_bytes(&saved).expect("what was saved"),
            |mut training| {
                training.play(games).expect("few games");
                assert_eq!(training.games(), 1_000_000 + games);
                training
            },
            BatchSize::LargeInput,
        );
    });
    group.throughput(Throughput::Elements(13_005));
    let learned = Training::from_bytes(&saved).expect("what was saved").policy().expect("a policy");
    group.bench_function("judgement of simple, after 1,000,000 games", |b| {
        b.iter(|| {
            let exploitability =
                Exploitability::new(&Rules::tennis(), black_box(&learned), &mut unwatched)
                    .expect("both players")
                    .mean();
            assert!((exploitability.middle() - 1.756_963_827_864_241_7).abs() < 1e-14);
            exploitability
        });
    });
    for (kind, bound) in [
        (LearnerKind::CfrPlus, 1.0),
        (LearnerKind::RegretMatching, 1.9),
        (LearnerKind::FictitiousPlay, 2.0),
    ] {
        let saved = training(kind, 20 * 13_005).to_bytes();
        group.bench_function(format!("{kind}, a sweep"), |b| {
            let mut training = Training::from_bytes(&saved).expect("what was saved");
            b.iter(|| training.play(1).expect("few games"));
            let policy = training.policy().expect("a policy");
            assert!(
                Exploitability::new(&Rules::tennis(), &policy, &mut unwatched)
                    .expect("both players")
                    .mean()
                    .middle()
                    < bound
            );
        });
    }
}

fn matchups(c: &mut Criterion) {
    let rules = Rules::tennis();
    let uniform = Policy::uniform(&rules, [50, 50]).expect("a game of usual size");
    let mut group = c.benchmark_group("arena");
    group.throughput(Throughput::Elements(10_000));
    group.bench_function("duel of players at random", |b| {
        let mut duel = Duel::new(
            &rules,
            "50:50@0".parse().expect("a state"),
            &uniform,
            &uniform,
            1,
            &mut unwatched,
        )
        .expect("both players");
        b.iter(|| duel.play(10_000).expect("policies of the game"));
        assert!(
            (duel.tally().mean() - duel.matchup().value().middle()).abs()
                < 5.0 * duel.tally().standard_error()
        );
    });
    group.finish();
    let leaves = Evaluation::expected(&rules, &uniform).expect("both players");
    c.bench_function("lookahead of one turn, all states", |b| {
        b.iter(|| {
            let lookahead = Lookahead::new(black_box(&leaves), 1).expect("a turn");
            // By symmetry, whatever the values of the leaves.
            assert!(
                lookahead.values.value("50:50@0".parse().expect("a state")).expect("a value").abs()
                    < 1e-12
            );
            lookahead
        });
    });
}

criterion_group!(benches, learners, matchups);
criterion_main!(benches);
