//! One matrix game by size and kind, the sweep by points and method, the proof pass, queries,
//! policies, digits and fractions. Every bench asserts the answer it times.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pencil_tennis::analysis::UniqueCount;
use pencil_tennis::analysis::{Exploitability, ForcedPlay, Matchup, PolicyEvaluation};
use pencil_tennis::matrix_game::{LinearProgramme, Matrix, Payoffs, Simplex};
use pencil_tennis::report::ForcedReport;
use pencil_tennis::{
    Method, Player, Policy, Refined, Rules, Solution, Solver, State, TableFile, certificate,
    unwatched,
};

fn solved(points: u32, method: Method) -> Solution {
    Solver::new(&Rules::tennis())
        .points([points, points])
        .method(method)
        .threads(1)
        .solve()
        .expect("a game that can be solved")
}

/// A matrix without structure: every entry from a fixed congruential sequence in −100..=100.
fn irregular(size: usize) -> Matrix {
    let mut seed = 12_345_u64;
    let mut entry = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % 201) as f64 - 100.0
    };
    let rows: Vec<Vec<f64>> = (0..size).map(|_| (0..size).map(|_| entry()).collect()).collect();
    Matrix::from_rows(&rows).expect("finite entries")
}

fn matrix_games(c: &mut Criterion) {
    let mut group = c.benchmark_group("matrix_game");
    let solution = solved(50, Method::Simplex);
    let stage = |state: &str| {
        Matrix::copy_of(&solution.stage_game(state.parse().expect("a state")).expect("solved"))
            .expect("finite")
    };
    let games = [
        ("saddle point 50x50", stage("50:50@1")),
        ("stage game 50x50", stage("50:50@-2")),
        ("irregular 10x10", irregular(10)),
        ("irregular 50x50", irregular(50)),
    ];
    for (name, game) in &games {
        let mut simplex = Simplex::new();
        group.bench_function(BenchmarkId::new("simplex", name), |b| {
            b.iter(|| {
                let equilibrium = simplex.solve(black_box(game));
                assert!(equilibrium.gap() <= 1e-10);
                equilibrium
            });
        });
        group.bench_function(BenchmarkId::new("lp", name), |b| {
            b.iter(|| {
                let equilibrium =
                    LinearProgramme::new().solve(black_box(game)).expect("a solvable programme");
                assert!(equilibrium.gap() <= 1e-8 * game.rows() as f64);
                equilibrium
            });
        });
    }
}

fn sweeps(c: &mut Criterion) {
    let mut group = c.benchmark_group("sweep");
    group.sample_size(10);
    let sweeps = [
        (16, Method::Simplex),
        (50, Method::Simplex),
        (100, Method::Simplex),
        (50, Method::Tableau),
        (16, Method::Lp),
    ];
    for (points, method) in sweeps {
        group.bench_function(BenchmarkId::new(method.to_string(), points), |b| {
            b.iter(|| {
                let solution = solved(points, method);
                assert!(solution.widest_enclosure() < 1e-10);
                assert!(solution.value(solution.start()).expect("solved").abs() < 1e-10);
                solution
            });
        });
    }
}

/// Bounds of all states from given strategies, as a sceptic's program computes them.
fn proof_pass(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.sample_size(20);
    for points in [50, 100] {
        let solution = solved(points, Method::Simplex);
        let certificate = solution.certificate(&mut unwatched).expect("nobody cancels");
        group.bench_function(BenchmarkId::from_parameter(points), |b| {
            b.iter(|| {
                let proof =
                    certificate::verify(black_box(&certificate)).expect("a valid certificate");
                assert!(proof.widest_enclosure() < 1e-15);
                proof
            });
        });
    }
}

fn queries(c: &mut Criterion) {
    let solution = solved(50, Method::Simplex);
    let state: State = "50:50@-1".parse().expect("a state");
    c.bench_function("query/equilibrium", |b| {
        b.iter(|| {
            let equilibrium = solution.equilibrium(black_box(state)).expect("solved");
            assert!((equilibrium.value + 0.757_168_758_003_445).abs() < 1e-14);
            equilibrium
        });
    });
    let again = Solver::new(&Rules::tennis())
        .keep_strategies(false)
        .threads(1)
        .solve()
        .expect("a game that can be solved");
    c.bench_function("query/equilibrium found again", |b| {
        b.iter(|| {
            let equilibrium = again.equilibrium(black_box(state)).expect("solved");
            assert!((equilibrium.value + 0.757_168_758_003_445).abs() < 1e-14);
            equilibrium
        });
    });
    let forced = ForcedPlay::new(&Rules::tennis(), [50, 50]).expect("a small table");
    c.bench_function("query/report of forced play", |b| {
        b.iter(|| {
            let report = ForcedReport::new(black_box(&forced)).expect("all states are there");
            assert_eq!((report.forced.states().count(), report.decided_states()), (13_005, 9_331));
            report
        });
    });
    c.bench_function("query/table file", |b| {
        let path = std::env::temp_dir().join(format!("pencil-tennis-bench-{}", std::process::id()));
        let mut file = std::fs::File::create(&path).expect("a place for temporary files");
        solution.write_table(&mut file).expect("room for a small file");
        b.iter(|| {
            let read = TableFile::open(&path)
                .and_then(TableFile::into_solution)
                .expect("the file is whole");
            let equilibrium = read.equilibrium(black_box(state)).expect("solved");
            assert!((equilibrium.value + 0.757_168_758_003_445).abs() < 1e-14);
            equilibrium
        });
        std::fs::remove_file(&path).expect("it is there");
    });
}

fn policies(c: &mut Criterion) {
    let rules = Rules::tennis();
    let solution = solved(50, Method::Simplex);
    let uniform = Policy::uniform(&rules, [50, 50]).expect("a game of usual size");
    c.bench_function("policy/exploitability of uniform", |b| {
        b.iter(|| {
            let exploitability = Exploitability::new(&rules, black_box(&uniform), &mut unwatched)
                .expect("both players")
                .mean();
            assert!((exploitability.middle() - 1.979_901_432_674_391_8).abs() < 1e-14);
            exploitability
        });
    });
    c.bench_function("policy/evaluation of uniform", |b| {
        b.iter(|| {
            let evaluation = PolicyEvaluation::new(&solution, black_box(&uniform), &mut unwatched)
                .expect("the same game");
            assert_eq!(evaluation.worst(1)[0].state, solution.start());
            let exploitability = evaluation.exploitability().expect("both players").mean();
            assert!((exploitability.middle() - 1.979_901_432_674_391_8).abs() < 1e-14);
            evaluation
        });
    });
    let against_optimum = Policy::joined(
        &uniform,
        &Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
    )
    .expect("the same game");
    c.bench_function("policy/evaluation of players who bid unlike", |b| {
        b.iter(|| {
            let evaluation =
                PolicyEvaluation::new(&solution, black_box(&against_optimum), &mut unwatched)
                    .expect("the same game");
            // Nothing is won from an optimal player.
            assert!(
                evaluation.best_response_value(Player::A).expect("both players").middle().abs()
                    < 1e-15
            );
            evaluation
        });
    });
    let small = solved(20, Method::Simplex);
    c.bench_function("policy/refined strategies of 20 points", |b| {
        b.iter(|| {
            let refined = small.refined_equilibria(&mut unwatched).expect("in memory");
            let known = refined
                .iter()
                .find(|refined| refined.state.to_string() == "5:5@2")
                .expect("a state");
            assert_eq!(known.refined.into_array(), [Refined::Changed, Refined::Unchanged]);
            refined
        });
    });
    let optimal = Policy::optimal(&solution, &mut unwatched).expect("nobody cancels");
    c.bench_function("policy/matchup of perfect players", |b| {
        b.iter(|| {
            let matchup = Matchup::new(
                &rules,
                solution.start(),
                black_box(&optimal),
                &optimal,
                &mut unwatched,
            )
            .expect("both players");
            assert!(matchup.value().middle().abs() < 1e-15);
            matchup
        });
    });
}

fn long_numbers(c: &mut Criterion) {
    let mut group = c.benchmark_group("long numbers");
    group.sample_size(10);
    let solution = solved(30, Method::Simplex);
    let state: State = "30:30@-1".parse().expect("a state");
    group.bench_function("60 digits", |b| {
        b.iter(|| {
            let digits = solution.digits(black_box(state), 60, &mut unwatched).expect("solved");
            assert_eq!(
                digits.value.as_deref(),
                Some("-0.785908295686744122284173294276594189423946524640753754897787")
            );
            digits
        });
    });
    let exact = || {
        Solver::new(&Rules::tennis())
            .points([15, 15])
            .exact(1 << 20)
            .threads(1)
            .solve()
            .expect("a small game")
    };
    group.bench_function("fractions of 15 points", |b| {
        b.iter(|| {
            let solution = exact();
            assert_eq!(solution.exact_states(), solution.states().len());
            let known = solution
                .exact_value("7:8@1".parse().expect("a state"))
                .expect("solved")
                .expect("a fraction");
            assert_eq!(known.to_string(), "-47/83");
            solution
        });
    });
    let solution =
        Solver::new(&Rules::tennis()).points([20, 20]).exact(Solver::EXACT_BITS).threads(1).solve();
    let solution = solution.expect("a small game");
    group.bench_function("unique strategies of 20 points", |b| {
        b.iter(|| {
            let counts =
                UniqueCount::of_all(black_box(&solution), &mut |_| ControlFlow::Continue(()))
                    .expect("in memory");
            assert_eq!((counts.a.unique, counts.a.several, counts.b.unknown), (571, 1594, 40));
            counts
        });
    });
}

criterion_group!(benches, matrix_games, sweeps, proof_pass, queries, policies, long_numbers);
criterion_main!(benches);
