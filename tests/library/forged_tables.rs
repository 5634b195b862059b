//! Table files that lie: what they state is refused, or it is not called proved.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use pencil_tennis::{
    Error, Method, Motion, Rules, Scoring, Solution, Solver, State, TableFile, WorkError, unwatched,
};
use tempfile::TempDir;

use crate::forged::{COUNT, LAYERS, METHOD, Position, STRATEGIES, Table, u16_at};

/// A file, which is written again for every forgery.
struct Reader(TempDir);

impl Reader {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("table")
    }

    /// The sentence that names the file and says why it is refused.
    fn sentence(&self, reason: &str) -> String {
        format!("the table file {} cannot be used: {reason}", self.path().display())
    }

    fn open(&self, bytes: &[u8]) -> TableFile {
        std::fs::write(self.path(), bytes).expect("room");
        TableFile::open(self.path()).expect("a table file")
    }

    fn read(&self, bytes: &[u8]) -> Solution {
        self.open(bytes).into_solution().expect("nothing in it is impossible")
    }

    /// The refusal to prove what the bytes state.
    fn refusal(&self, bytes: &[u8]) -> String {
        let mut solution = self.read(bytes);
        let refusal = prove(&mut solution).expect_err("something in it is false").to_string();
        assert!(!solution.is_proved());
        refusal
    }
}

fn prove(solution: &mut Solution) -> Result<(), Error> {
    solution.prove(&mut |_| ControlFlow::Continue(())).map(|_| ())
}

fn table(solution: &Solution) -> Table {
    let mut bytes = Vec::new();
    solution.write_table(&mut bytes).expect("memory");
    Table::new(bytes)
}

fn tennis(points: u32) -> Solver<'static> {
    Solver::new(&Rules::tennis()).points([points; 2])
}

fn state((a, b, ball): Position) -> State {
    format!("{a}:{b}@{ball}").parse().expect("a state")
}

/// Games with and without symmetry, by all methods, with payoffs that no double and no unit holds.
fn solvers() -> Vec<Solver<'static>> {
    let skewed: Scoring = "1,1/2,1/3,0,-2".parse().expect("five payoffs");
    let step = Rules::new(3, Motion::Step, skewed).expect("rules");
    vec![
        tennis(14),
        tennis(9).use_symmetry(false),
        tennis(8).exact(4_096),
        tennis(8).method(Method::Tableau),
        Solver::new(&Rules::tennis()).points([13, 9]),
        Solver::new(&step).points([8, 6]),
        Solver::new(&Rules::footsteps()).points([12, 12]),
        Solver::new(&Rules::tennis().with_scoring("1/3,1/7,0,-1/7,-1/3".parse().expect("payoffs")))
            .points([9, 9]),
    ]
}

#[test]
fn what_the_solver_wrote_is_stored_until_it_is_proved() {
    let reader = Reader::new();
    for keep in [true, false] {
        for solver in solvers() {
            let solution = solver.keep_strategies(keep).solve().expect("a solution");
            assert!(solution.is_proved());
            let mut read = reader.read(&table(&solution).bytes);
            assert!(!read.is_proved());
            assert_eq!(prove(&mut read), Ok(()));
            assert!(read.is_proved());
        }
    }
}

/// Every state of a small game in turn: the bounds of a value that is not there are refused where
/// that state is asked for, and by the proof of all; wider bounds are true.
#[test]
fn bounds_that_do_not_follow_are_refused() {
    let reader = Reader::new();
    for (solver, with_strategies) in [
        (tennis(5), true),
        (tennis(5).use_symmetry(false), true),
        (tennis(4).keep_strategies(false), false),
    ] {
        let honest = table(&solver.solve().expect("a solution"));
        for &position in &honest.states {
            let [lower, upper] = honest.bounds(position);
            let own_image = position.0 == position.1 && position.2 == 0;
            // The upper end of a payoff of 2, and the lower one of -2.
            let most = 1 << 61;
            // A unit too narrow above, below; a value that is too large, too small.
            for (low, high) in [
                (lower, upper - 1),
                (lower + 1, upper),
                (upper + 1, upper + 1),
                (lower - 1, lower - 1),
            ] {
                if low > high || low < -most || high > most || own_image && honest.bytes[17] == 1 {
                    continue;
                }
                let mut forged = honest.clone();
                forged.set_bounds(position, [low, high]);
                let forged = forged.sealed();
                let refusal = reader.refusal(&forged);
                let state = state(position);
                assert!(
                    refusal.contains(&format!("at {state} the bounds ")),
                    "{state} in [{low}, {high}]: {refusal}"
                );
                let asked = reader.read(&forged).equilibrium(state);
                if with_strategies {
                    assert!(asked.is_err(), "{state} in [{low}, {high}]");
                } else if let Err(refusal) = asked {
                    // Strategies that are computed again show only that another value is stated.
                    let words =
                        format!("at {state} the bounds contradict those of the next states");
                    assert!(
                        (low > upper || high < lower) && refusal.to_string().ends_with(&words),
                        "{refusal}"
                    );
                }
            }
        }
        // The last states are nobody's successors; of one that is its own mirror image both bounds
        // are kept as one.
        let last =
            *honest.states.iter().rev().find(|(a, b, ball)| a != b || *ball != 0).expect("a state");
        let [lower, upper] = honest.bounds(last);
        let mut wider = honest.clone();
        wider.set_bounds(last, [lower - 5, upper + 7]);
        let mut read = reader.read(&wider.sealed());
        assert_eq!(prove(&mut read), Ok(()));
        let bounds = read.enclosure(state(last)).expect("a state").integers();
        assert_eq!((bounds.lower, bounds.upper), (lower - 5, upper + 7));
    }
}

/// What no game has is refused when it is read, with the words for it.
#[test]
fn what_is_impossible_is_refused() {
    let reader = Reader::new();
    let honest = table(&tennis(9).solve().expect("a solution"));
    let refusal = |forged: Table| {
        reader.open(&forged.sealed()).into_solution().expect_err("it is impossible").to_string()
    };
    let most = 1 << 61;
    for (position, bounds) in [
        ((4, 3, -2), [1, 0]),
        ((4, 3, -2), [-most - 1, 0]),
        ((4, 3, -2), [0, most + 1]),
        ((9, 9, 0), [1, 3]),
        ((9, 9, 0), [-3, -1]),
    ] {
        let mut forged = honest.clone();
        forged.set_bounds(position, bounds);
        assert!(
            refusal(forged).ends_with(&format!("at {} the bounds are impossible", state(position))),
            "{bounds:?} at {position:?}"
        );
    }
    let mut tried = [0; 3];
    for (position, size) in honest.bases() {
        let bids = usize::from(u16_at(&honest.bytes, size));
        for (points, first) in [(position.0, size + 2), (position.1, size + 2 + 2 * bids)] {
            let last = first + 2 * (bids - 1);
            let second = u16_at(&honest.bytes, first);
            // More than the account, nothing from an account that is not empty, the same bid twice.
            let changes = [
                (last, points as u16 + 1, true),
                (first, 0, points > 0),
                (first + 2, second, bids > 1),
            ];
            for (number, (at, bid, _)) in
                changes.into_iter().enumerate().filter(|(_, (_, _, possible))| *possible)
            {
                let mut forged = honest.clone();
                forged.bytes[at..at + 2].copy_from_slice(&bid.to_le_bytes());
                assert!(
                    refusal(forged).ends_with("the basis is impossible"),
                    "bid {bid} at {position:?}"
                );
                tried[number] += 1;
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried > 0), "{tried:?}");
}

/// The table of another game under the name of this one: almost every state follows from the next
/// ones, and all is false.
#[test]
fn a_lie_told_consistently_is_not_called_proved() {
    let reader = Reader::new();
    for keep in [true, false] {
        let other: Scoring = "2,1/2,0,-1/2,-2".parse().expect("payoffs");
        let solver =
            Solver::new(&Rules::tennis().with_scoring(other)).points([6; 2]).keep_strategies(keep);
        let truth = tennis(6).solve().expect("a solution");
        let mut forged = table(&solver.solve().expect("a solution"));
        // The payoffs, 16 bytes each, begin behind the points.
        forged.bytes[26..106].copy_from_slice(&table(&truth).bytes[26..106]);
        let forged = forged.sealed();
        let read = reader.read(&forged);
        assert_eq!(read.rules(), truth.rules());
        let asked: State = "6:6@1".parse().expect("a state");
        let [stated, true_value] =
            [&read, &truth].map(|solution| solution.enclosure(asked).expect("a state"));
        assert!(stated.upper() < true_value.lower(), "the file says less than the truth");
        assert!(
            read.equilibrium(asked).is_ok(),
            "its strategies secure what it says over what it says of later states"
        );
        assert!(!read.is_proved());
        assert!(reader.refusal(&forged).contains("at 1:0@-2 the bounds "));
        // Decimals are proved whatever the bounds are.
        let digits = read.digits(asked, 20, &mut unwatched).expect("digits");
        assert_eq!(digits.lower, truth.digits(asked, 20, &mut unwatched).expect("digits").lower);
        let proof = pencil_tennis::certificate::verify(
            &read.certificate(&mut unwatched).expect("nobody cancels"),
        )
        .expect("a certificate");
        let proved = proof.enclosure(asked).expect("a state");
        assert!(proved.lower() <= true_value.upper() && true_value.lower() <= proved.upper());
    }
}

#[test]
fn impossible_strategies_are_refused() {
    let reader = Reader::new();
    let honest = table(&tennis(8).solve().expect("a solution"));
    let mut tried = [0; 7];
    for &position in &honest.states {
        for (player, points) in [position.0, position.1].into_iter().enumerate() {
            let weights = honest.weights(position, player);
            let (first, last) = (weights[0], *weights.last().expect("a bid"));
            let mixed = weights.len() > 1;
            let bid = u16_at(&honest.bytes, first - 2);
            // A bid above the account, none from an account that is not empty, the same twice; a
            // weight of 0, a sum that is not 1; falling bids; a sum that is 1 but for a carry
            // beyond 64 bits.
            let second = u16_at(&honest.bytes, weights[usize::from(mixed)] - 2);
            let changes: [(usize, Vec<u8>, bool); 7] = [
                (last - 2, (points as u16 + 1).to_le_bytes().to_vec(), true),
                (first - 2, vec![0; 2], points > 0),
                (first + 8, bid.to_le_bytes().to_vec(), mixed),
                (first, vec![0; 8], mixed),
                (first, vec![honest.bytes[first] ^ 1], true),
                (first - 2, second.to_le_bytes().to_vec(), mixed),
                (first + 7, vec![honest.bytes[first + 7] ^ 128], mixed),
            ];
            for (number, (at, bytes, _)) in
                changes.into_iter().enumerate().filter(|(_, (.., possible))| *possible)
            {
                let mut forged = honest.clone();
                forged.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
                if number == 3 {
                    // What the first bid had goes to the second: the sum stays.
                    let weight = |at: usize| {
                        u64::from_le_bytes(*honest.bytes[at..].first_chunk().expect("eight bytes"))
                    };
                    let both = weight(first) + weight(weights[1]);
                    forged.bytes[weights[1]..weights[1] + 8].copy_from_slice(&both.to_le_bytes());
                }
                match number {
                    5 => forged.bytes[first + 8..first + 10].copy_from_slice(&bid.to_le_bytes()),
                    6 => forged.bytes[weights[1] + 7] ^= 128,
                    _ => {}
                }
                let state = state(position);
                let refusal = reader
                    .read(&forged.sealed())
                    .equilibrium(state)
                    .expect_err("it is impossible")
                    .to_string();
                assert!(
                    refusal.ends_with(&format!("at {state} a strategy is impossible")),
                    "change {number} at {state}: {refusal}"
                );
                tried[number] += 1;
            }
        }
    }
    assert!(tried.iter().all(|&tried| tried > 0), "{tried:?}");
}

/// The strategies of a state are looked for where the index says: one after the other, up to the
/// end of the file.
#[test]
fn an_index_that_points_elsewhere_is_refused() {
    let reader = Reader::new();
    let honest = table(&tennis(6).solve().expect("a solution"));
    let (position, length) = ((6, 5, 1), honest.strategies() as u64);
    let behind = "its index points beyond its end";
    let out_of_order = "at 6:5@1 its index is out of order";
    for (start, words) in [
        (length, behind),
        (length + 1, behind),
        (1 << 40, behind),
        (i64::MAX as u64, behind),
        // A place before the beginning, if the sum wrapped.
        (1_u64.wrapping_neg(), behind),
        (length.wrapping_neg(), behind),
        // In the file, but behind the next state's.
        (length - 1, out_of_order),
    ] {
        let forged = honest.clone().with_index(position, start);
        let refusal =
            reader.open(&forged).into_solution().expect_err("it points nowhere").to_string();
        assert_eq!(refusal, reader.sentence(words), "{start}");
    }
    // Bytes before the first record, and between two of them, that no index mentions.
    let first = honest.states[0];
    let refusal = reader
        .open(&honest.clone().with_index(first, 1))
        .into_solution()
        .expect_err("a byte before")
        .to_string();
    assert_eq!(refusal, reader.sentence(&format!("at {} its index is out of order", state(first))));
    let moved = honest.clone().with_index(position, honest.start(position) - 1);
    let read = reader.open(&moved).into_solution().expect("records of other lengths");
    assert!(
        read.equilibrium(state((6, 5, 0))).is_err() && read.equilibrium(state(position)).is_err()
    );
    // A shorter record with a checksum of its own in the place of a longer one: A bids the first
    // bid for certain.
    let mixed = *honest
        .states
        .iter()
        .find(|&&position| honest.weights(position, 0).len() > 1)
        .expect("a mixed strategy");
    let begin = honest.bytes.len() - honest.strategies() + honest.start(mixed) as usize;
    let weights = honest.weights(mixed, 0);
    let (first_bid, behind) = (weights[0] - 2, weights[weights.len() - 1] + 8);
    let end = begin + honest.record_length(mixed) - 4;
    let mut record =
        [&[1, 0], &honest.bytes[first_bid..first_bid + 2], &(1_u64 << 62).to_le_bytes()].concat();
    record.extend(&honest.bytes[behind..end]);
    record.extend(crc32fast::hash(&record).to_le_bytes());
    let mut inner = honest.bytes.clone();
    inner[begin..begin + record.len()].copy_from_slice(&record);
    let refusal = reader.read(&inner).equilibrium(state(mixed)).expect_err("a gap").to_string();
    let words =
        format!("at {} the strategies have another length than the index says", state(mixed));
    assert_eq!(refusal, reader.sentence(&words));
}

/// Bytes behind the last part belong to nothing.
#[test]
fn bytes_behind_the_end_are_refused() {
    let reader = Reader::new();
    for keep in [true, false] {
        let mut checkpoints = Vec::new();
        let write = |checkpoint: &pencil_tennis::Checkpoint<'_>| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).expect("memory");
            checkpoints.push(bytes);
        };
        let solution = tennis(20)
            .keep_strategies(keep)
            .on_checkpoint(Duration::ZERO, write)
            .solve()
            .expect("a solution");
        let whole = table(&solution).bytes;
        for more in [&[0][..], &[0; 28], &whole[whole.len() - 28..]] {
            let longer = [&whole, more].concat();
            let refusal =
                reader.open(&longer).into_solution().expect_err("it is longer").to_string();
            assert_eq!(refusal, reader.sentence("it goes on after its end"), "{keep}");
            for checkpoint in &checkpoints {
                let longer = reader.open(&[checkpoint, more].concat());
                let refusal = Solver::new(&Rules::tennis())
                    .resume(longer)
                    .solve()
                    .expect_err("it is longer")
                    .to_string();
                assert_eq!(refusal, reader.sentence("it goes on after its end"), "{keep}");
            }
        }
    }
}

#[test]
fn strategies_that_do_not_secure_the_bounds_are_refused() {
    let reader = Reader::new();
    let solution = tennis(8).solve().expect("a solution");
    let honest = table(&solution);
    let mut refused = 0;
    for &position in &honest.states {
        for player in 0..2 {
            let weights = honest.weights(position, player);
            if weights.len() < 2 {
                continue;
            }
            // A part of the weight moves from one bid to another.
            let mut forged = honest.clone();
            let move_by = |bytes: &mut [u8], offset: usize, by: i64| {
                let weight =
                    i64::from_le_bytes(*bytes[offset..].first_chunk().expect("eight bytes"));
                bytes[offset..offset + 8].copy_from_slice(&(weight + by).to_le_bytes());
            };
            let moved = 1 << 40;
            move_by(&mut forged.bytes, weights[0], -moved);
            move_by(&mut forged.bytes, weights[1], moved);
            let forged = forged.sealed();
            let state = state(position);
            let expected = reader
                .sentence(&format!("at {state} the bounds do not follow from the strategies"));
            assert_eq!(
                reader.read(&forged).equilibrium(state).expect_err("forged").to_string(),
                expected
            );
            assert_eq!(reader.refusal(&forged), expected);
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn a_false_count_and_false_flags_are_refused_or_harmless() {
    let reader = Reader::new();
    for keep in [true, false] {
        let solution = tennis(7).keep_strategies(keep).solve().expect("a solution");
        let honest = table(&solution);
        let mut forged = honest.clone();
        forged.bytes[COUNT] += 2;
        let count = solution.randomised_states();
        let expected = format!(
            "it counts {} states in which a player randomises, and there are {count}",
            count + 2
        );
        assert!(reader.refusal(&forged.sealed()).ends_with(&expected));
        // Linear programmes leave no bases, and both ways of the simplex leave the same ones.
        for (method, refusal) in
            [(1, None), (2, Some("the basis is not one that the method lp leaves"))]
        {
            let mut forged = honest.clone();
            forged.bytes[METHOD] = method;
            let read = reader.open(&forged.sealed()).into_solution();
            assert_eq!(read.is_err(), refusal.is_some());
            match read {
                Ok(mut read) => {
                    assert_eq!((read.method(), prove(&mut read)), (Method::Tableau, Ok(())));
                }
                Err(error) => assert!(
                    refusal.is_some_and(|words| error.to_string().ends_with(words)),
                    "{error}"
                ),
            }
        }
        // A flag that is none, and more layers than the game has.
        for (offset, value, words) in [
            (STRATEGIES, 2, "the flag for strategies is 2"),
            (LAYERS, 15, "it claims 15 layers of 14"),
        ] {
            let mut forged = honest.bytes.clone();
            forged[offset] = value;
            let checksum = crc32fast::hash(&forged[..120]).to_le_bytes();
            forged[120..124].copy_from_slice(&checksum);
            let path = reader.0.path().join("header");
            std::fs::write(&path, forged).expect("room");
            assert!(TableFile::open(&path).expect_err("refused").to_string().contains(words));
        }
        // The flag for strategies, the flag for mirror images.
        for (offset, value) in [(STRATEGIES, u8::from(!keep)), (17, 0)] {
            let mut forged = honest.clone();
            forged.bytes[offset] = value;
            // All other checksums stay as they are; a forger's would have to be of parts that are
            // not there.
            let checksum = crc32fast::hash(&forged.bytes[..120]).to_le_bytes();
            forged.bytes[120..124].copy_from_slice(&checksum);
            assert!(
                reader.open(&forged.bytes).into_solution().is_err(),
                "flag {value} at {offset}"
            );
        }
    }
}

/// A solve goes on from what is proved, or says that it trusts the file.
#[test]
fn a_resumed_solve_builds_on_no_lie_that_it_calls_proved() {
    let reader = Reader::new();
    for keep in [true, false] {
        let mut checkpoints = Vec::new();
        let write = |checkpoint: &pencil_tennis::Checkpoint<'_>| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).expect("memory");
            checkpoints.push(Table::new(bytes));
        };
        tennis(20)
            .keep_strategies(keep)
            .on_checkpoint(Duration::ZERO, write)
            .solve()
            .expect("a solution");
        for honest in checkpoints {
            let resume =
                |bytes: &[u8]| Solver::new(&Rules::tennis()).resume(reader.open(bytes)).solve();
            assert_eq!(resume(&honest.bytes).expect("a solution").is_proved(), keep);
            let mut forged = honest.clone();
            let position = (4, 3, -2);
            let [lower, upper] = forged.bounds(position);
            forged.set_bounds(position, [lower + (1 << 50), upper + (1 << 50)]);
            let resumed = resume(&forged.sealed());
            if keep {
                let refusal = resumed.expect_err("forged").to_string();
                assert_eq!(
                    refusal,
                    reader.sentence("at 4:3@-2 the bounds do not follow from the strategies")
                );
            } else {
                assert!(!resumed.expect("a solution").is_proved());
            }
            let mut forged = honest.clone();
            forged.bytes[COUNT] ^= 1;
            let resumed = resume(&forged.sealed());
            assert_eq!(resumed.is_err(), keep);
        }
    }
}

/// What the points of a header take in memory is compared with the limit before anything is read
/// into it.
#[test]
fn a_promise_of_a_huge_game_is_refused_for_its_memory() {
    let reader = Reader::new();
    let mut forged = table(&tennis(9).solve().expect("a solution")).bytes;
    forged[18..26].copy_from_slice(&[255, 255, 0, 0, 255, 255, 0, 0]);
    forged[LAYERS..LAYERS + 4].copy_from_slice(&131_070_u32.to_le_bytes());
    let checksum = crc32fast::hash(&forged[..120]).to_le_bytes();
    forged[120..124].copy_from_slice(&checksum);
    let refused = reader.open(&forged).into_solution().expect_err("it takes more");
    assert!(
        matches!(refused, Error::Work(WorkError::Memory { limit: Solver::MEMORY_LIMIT, .. })),
        "{refused}"
    );
}

/// Every method writes tables that can be read, proved and resumed, also of games with a smallest
/// bid of 0; a table without bases is none of a simplex.
#[test]
fn tables_of_every_method_are_read() {
    let reader = Reader::new();
    let with_zero = Rules::tennis().with_min_bid(0).expect("0 is possible");
    for rules in [Rules::tennis(), with_zero] {
        for method in [Method::Simplex, Method::Tableau, Method::Lp]
            .into_iter()
            .filter(|method| method.is_available())
        {
            for keep in [true, false] {
                let solution = Solver::new(&rules)
                    .points([5, 4])
                    .method(method)
                    .keep_strategies(keep)
                    .solve()
                    .expect("a solution");
                let bytes = table(&solution).bytes;
                let mut read = reader.read(&bytes);
                assert_eq!(
                    (read.method(), *read.rules(), prove(&mut read)),
                    (method, rules, Ok(()))
                );
                for state in solution.states() {
                    assert_eq!(read.enclosure(state), solution.enclosure(state), "{state}");
                    read.equilibrium(state).expect("a state");
                }
                let resumed = Solver::new(&Rules::tennis())
                    .resume(reader.open(&bytes))
                    .solve()
                    .expect("a solution");
                assert!(table(&resumed).bytes == bytes, "{method}");
            }
        }
    }
    // The bases are those of the method.
    let solve = |method| table(&tennis(5).method(method).solve().expect("a solution"));
    for (method, other) in
        [(Method::Lp, 0), (Method::Lp, 1), (Method::Simplex, 2), (Method::Tableau, 2)]
    {
        if method.is_available() {
            let mut forged = solve(method);
            forged.bytes[METHOD] = other;
            let refusal =
                reader.open(&forged.sealed()).into_solution().expect_err("other bases").to_string();
            assert!(refusal.contains("the basis is not one that the method "), "{refusal}");
        }
    }
}

/// A table without strategies cannot be proved by them, but what contradicts itself at a state is
/// not shown.
#[test]
fn bounds_that_contradict_those_of_the_next_states_are_refused() {
    let reader = Reader::new();
    for with_zero in [false, true] {
        let rules = if with_zero {
            Rules::tennis().with_min_bid(0).expect("0 is possible")
        } else {
            Rules::tennis()
        };
        let solution =
            Solver::new(&rules).points([5, 5]).keep_strategies(false).solve().expect("a solution");
        let honest = table(&solution);
        let read = reader.read(&honest.bytes);
        for &position in &honest.states {
            read.equilibrium(state(position)).expect("nothing contradicts it");
            let [lower, upper] = honest.bounds(position);
            for by in [1 << 40, -(1 << 40)] {
                if (lower + by).abs().max((upper + by).abs()) > 1 << 61
                    || (position.0 == position.1 && position.2 == 0)
                {
                    continue;
                }
                let mut forged = honest.clone();
                forged.set_bounds(position, [lower + by, upper + by]);
                let refusal = reader
                    .read(&forged.sealed())
                    .equilibrium(state(position))
                    .expect_err("forged")
                    .to_string();
                let words = format!(
                    "at {} the bounds contradict those of the next states",
                    state(position)
                );
                assert_eq!(refusal, reader.sentence(&words));
            }
        }
    }
}

#[test]
fn a_proof_tells_how_far_it_is_and_can_be_cancelled() {
    let reader = Reader::new();
    for keep in [true, false] {
        let mut read = reader
            .read(&table(&tennis(40).keep_strategies(keep).solve().expect("a solution")).bytes);
        let mut shares = Vec::new();
        let watch = &mut |share: f64| {
            shares.push(share);
            if share < 0.3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        assert_eq!(read.prove(watch).err(), Some(Error::Work(WorkError::Cancelled)));
        assert!(!read.is_proved());
        assert!(
            shares.is_sorted() && shares.last().is_some_and(|&share| (0.3..1.0).contains(&share)),
            "{shares:?}"
        );
    }
}
