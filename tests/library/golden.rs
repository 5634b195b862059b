//! The bytes that leave the library, so that a change of the code that is to change none of them
//! does not.
//!
//! What is true of the values is tested elsewhere; here stands only that they are what they were. A
//! change that means to alter bytes says so in the changelog, and enters the new checksums that the
//! failing test prints.

use pencil_tennis::report::{Table, TableFormat};
use pencil_tennis::{Method, Motion, Rules, Scoring, Solver, unwatched};

/// The solution of Tennis with 50 points.
const TENNIS: [&str; 5] = [
    "certificate 441410 bytes, 87d593be3449d6d1",
    "table file 729240 bytes, a5011d79e0bc63a9",
    "values 440001 bytes, a24d005886745c3d",
    "strategies 3099534 bytes, 6ce8a12f1c69d21b",
    "policy 12329986 bytes, 535baefbe13f5aa4",
];

/// Length and FNV-1a hash of bytes. (The CRC-32 of anything that ends in its own CRC-32, as
/// certificates do, is always the same.)
fn checksum(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{} bytes, {hash:016x}", bytes.len())
}

/// The files that the solution of a game is written to, and their checksums.
fn checksums(solver: Solver<'_>) -> Vec<String> {
    let solution = solver.threads(2).solve().expect("a small game");
    let written = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("room in memory");
        checksum(&bytes)
    };
    let table = |table: Table| written(&|bytes| table.write(&solution, TableFormat::Csv, bytes));
    vec![
        format!(
            "certificate {}",
            checksum(&solution.certificate(&mut unwatched).expect("nobody cancels"))
        ),
        format!("table file {}", written(&|bytes| solution.write_table(bytes))),
        format!("values {}", table(Table::Values)),
        format!("strategies {}", table(Table::Strategies)),
        format!("policy {}", table(Table::Policy)),
    ]
}

#[test]
fn tennis_with_50_points() {
    assert_eq!(checksums(Solver::new(&Rules::tennis()).points([50, 50])), TENNIS);
}

#[test]
fn tennis_with_50_points_by_the_tableau() {
    let mut by_tableau =
        checksums(Solver::new(&Rules::tennis()).points([50, 50]).method(Method::Tableau));
    // The method is part of a table file.
    by_tableau[1] = TENNIS[1].to_owned();
    assert_eq!(by_tableau, TENNIS);
}

#[test]
fn a_game_without_symmetry() {
    let scoring: Scoring = "1,1/2,1/3,0,-2".parse().expect("five payoffs");
    let rules = Rules::new(3, Motion::Step, scoring).expect("a small field");
    let golden = [
        "certificate 185286 bytes, d64d1c469700392b",
        "table file 441822 bytes, a05c32b112a66649",
        "values 184181 bytes, 6562536565f43fdd",
        "strategies 672119 bytes, ad9514adb1ac7db0",
        "policy 2946016 bytes, 974888fd054914b2",
    ];
    assert_eq!(checksums(Solver::new(&rules).points([25, 31])), golden);
}
