//! The table file: what was solved is what is read, damage is noticed, and an interrupted solve
//! loses nothing.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pencil_tennis::{
    Error, Method, Motion, Rules, Scoring, Solution, Solver, TableFile, WorkError, certificate,
    unwatched,
};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn saved(solution: &Solution, path: &Path) -> PathBuf {
    let mut bytes = Vec::new();
    solution.write_table(&mut bytes).expect("memory");
    std::fs::write(path, bytes).expect("a place for the file");
    path.to_owned()
}

fn solver(n: u32) -> Solver<'static> {
    Solver::new(&Rules::tennis()).points([n, n])
}

/// Everything a solution says: bounds and strategies of every state.
fn assert_same(left: &Solution, right: &Solution) {
    assert_eq!(
        (left.rules(), left.points(), left.method()),
        (right.rules(), right.points(), right.method())
    );
    assert_eq!(left.randomised_states(), right.randomised_states());
    let mut count = 0;
    for (left, right) in left.equilibria().zip(right.equilibria()) {
        assert_eq!(left, right);
        count += 1;
    }
    assert_eq!((count, left.states().len()), (right.states().len(), right.states().len()));
}

#[test]
fn what_is_read_is_what_was_written() {
    let folder = folder();
    let step =
        Rules::new(3, Motion::Step, "1,1/2,1/3,0,-2".parse::<Scoring>().expect("five payoffs"))
            .expect("rules");
    let solvers = [
        solver(14),
        Solver::new(&Rules::tennis()).points([9, 13]),
        Solver::new(&step).points([8, 6]),
        Solver::new(&Rules::footsteps()).points([12, 12]).method(Method::Tableau),
        Solver::new(&Rules::tennis()).points([7, 7]).method(Method::Lp).use_symmetry(false),
    ];
    for (number, solver) in solvers.into_iter().enumerate() {
        let solution = solver.solve().expect("a solution");
        let path = saved(&solution, &folder.path().join(number.to_string()));
        let read =
            TableFile::open(&path).and_then(TableFile::into_solution).expect("the file is whole");
        assert!(read.keeps_strategies());
        assert_same(&solution, &read);
        // Written again from the file it is the same file.
        let again = saved(&read, &folder.path().join("again"));
        assert_eq!(
            std::fs::read(path).expect("it is there"),
            std::fs::read(again).expect("it is there")
        );
    }
}

/// Without kept strategies the bounds are the same, and strategies found again prove the value as
/// closely.
#[test]
fn strategies_found_again_are_optimal() {
    let folder = folder();
    let kept = solver(24).solve().expect("a solution");
    let solution = solver(24).keep_strategies(false).solve().expect("a solution");
    let path = saved(&solution, &folder.path().join("small"));
    let read = TableFile::open(path).and_then(TableFile::into_solution).expect("the file is whole");
    assert!(!read.keeps_strategies());
    let rules = kept.rules();
    for state in kept.states() {
        let enclosure = kept.enclosure(state).expect("a state");
        assert_eq!(solution.enclosure(state), Ok(enclosure));
        assert_eq!(read.enclosure(state), Ok(enclosure));
        if kept.rules().outcome(state).is_some() {
            continue;
        }
        let found = read.equilibrium(state).expect("a state");
        // Independent of the proof pass: what A's mixture earns against each of B's bids, in
        // floating point, and the other way round.
        let game = kept.stage_game(state).expect("a state");
        let entry = |a: u32, b: u32| {
            let [row, column] = [(a, state.a), (b, state.b)]
                .map(|(bid, points)| (bid - rules.lowest_bid(points)) as usize);
            pencil_tennis::matrix_game::Payoffs::entry(&game, row, column)
        };
        let secured_a = rules
            .legal_bids(state.b)
            .map(|b| found.a.probabilities().map(|(a, p)| p * entry(a, b)).sum::<f64>());
        let secured_b = rules
            .legal_bids(state.a)
            .map(|a| found.b.probabilities().map(|(b, p)| p * entry(a, b)).sum::<f64>());
        let (lower, upper) =
            (secured_a.fold(f64::INFINITY, f64::min), secured_b.fold(f64::NEG_INFINITY, f64::max));
        // Sums of at most 24 products of size 2 in floating point.
        assert!(
            (lower - found.value).abs() < 1e-14 && (upper - found.value).abs() < 1e-14,
            "{state}: {lower} {upper}"
        );
    }
}

#[test]
fn every_altered_byte_is_noticed() {
    let folder = folder();
    let solution = solver(3).solve().expect("a solution");
    let path = saved(&solution, &folder.path().join("table"));
    let bytes = std::fs::read(&path).expect("it is there");
    let read_all = |bytes: &[u8]| -> Result<(), Error> {
        std::fs::write(&path, bytes).expect("room");
        let read = TableFile::open(&path)?.into_solution()?;
        read.states().try_for_each(|state| read.equilibrium(state).map(|_| ()))
    };
    assert_eq!(read_all(&bytes), Ok(()));
    for place in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[place] ^= 0x10;
        let result = read_all(&altered);
        assert!(
            matches!(result, Err(Error::TableFile { .. } | Error::Work(WorkError::Memory { .. }))),
            "byte {place}: {result:?}"
        );
    }
    for length in 0..bytes.len() {
        let result = read_all(&bytes[..length]);
        assert!(matches!(result, Err(Error::TableFile { .. })), "{length} bytes: {result:?}");
    }
}

/// Bounds that were read are enough to find strategies again, should the rest of the file be lost
/// meanwhile.
#[test]
fn a_file_that_breaks_under_a_reader_is_an_error_for_one_state_and_no_hole_in_all() {
    let folder = folder();
    let solution = solver(8).solve().expect("a solution");
    let path = saved(&solution, &folder.path().join("table"));
    let read =
        TableFile::open(&path).and_then(TableFile::into_solution).expect("the file is whole");
    std::fs::write(&path, "").expect("a place for the file");
    let state = "8:7@1".parse().expect("a state");
    assert!(matches!(read.equilibrium(state), Err(Error::TableFile { .. })));
    assert_eq!(read.equilibria().count(), solution.states().len());
    let width = |state| {
        solution
            .enclosure(state)
            .map(|enclosure| enclosure.integers().upper - enclosure.integers().lower)
            .expect("solved")
    };
    let proof = certificate::verify(&read.certificate(&mut unwatched).expect("nobody cancels"))
        .expect("valid");
    let widest = proof.iter().map(|(_, bounds)| bounds.upper - bounds.lower).max();
    assert_eq!(widest, solution.states().map(width).max());
}

#[test]
fn a_checkpoint_is_no_solution_yet_and_goes_on_to_the_same_bytes() {
    let folder = folder();
    for keep in [true, false] {
        let whole = saved(
            &solver(40).keep_strategies(keep).solve().expect("a solution"),
            &folder.path().join("whole"),
        );
        let whole = std::fs::read(whole).expect("it is there");
        let mut checkpoints = Vec::new();
        solver(40)
            .keep_strategies(keep)
            .on_checkpoint(Duration::ZERO, |checkpoint| {
                let mut bytes = Vec::new();
                checkpoint.write(&mut bytes).expect("memory");
                checkpoints.push(bytes);
            })
            .solve()
            .expect("a solution");
        // A stretch is 32 layers of 80, and the last checkpoint is the whole.
        assert_eq!(checkpoints.len(), 3);
        assert!(checkpoints[2] == whole);
        for (number, bytes) in checkpoints.into_iter().enumerate() {
            let path = folder.path().join("checkpoint");
            std::fs::write(&path, bytes).expect("room");
            let open = || TableFile::open(&path).expect("a table file");
            assert_eq!(
                (open().is_finished(), open().into_solution().is_ok()),
                (number == 2, number == 2)
            );
            // With another number of threads, too.
            let resumed = Solver::new(&Rules::tennis())
                .resume(open())
                .threads(1 + number % 3)
                .solve()
                .expect("a solution");
            let mut bytes = Vec::new();
            resumed.write_table(&mut bytes).expect("memory");
            assert!(bytes == whole, "resumed from checkpoint {number}");
        }
    }
}

#[test]
fn cancelling_leaves_a_checkpoint() {
    let mut layers = 0;
    let result =
        solver(20)
            .on_progress(|share| {
                if share > 0.3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .on_checkpoint(Duration::from_secs(1_000), |_| layers += 1)
            .solve();
    assert_eq!((result.err(), layers), (Some(WorkError::Cancelled.into()), 1));
}

/// A linear programme leaves no basis, and nothing of what else was solved on the way to it: files
/// are whole, and the same however states were shared out among threads.
#[test]
fn files_of_linear_programmes_do_not_depend_on_what_else_was_solved() {
    let folder = folder();
    for points in [[5, 9], [6, 5], [12, 12]] {
        let files = [1, 2].map(|threads| {
            let solver = Solver::new(&Rules::tennis())
                .points(points)
                .method(Method::Lp)
                .threads(threads)
                .exact(4096);
            let path = saved(
                &solver.solve().expect("a solution"),
                &folder.path().join(threads.to_string()),
            );
            TableFile::open(&path).and_then(TableFile::into_solution).expect("the file is whole");
            std::fs::read(path).expect("it is there")
        });
        assert!(files[0] == files[1], "{points:?}");
    }
}
