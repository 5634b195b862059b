//! Properties of any text read as a policy in JSON, as a written game, or as a matrix.
//!
//! The fuzz target `fuzz/fuzz_targets/texts.rs` includes this file.

use pencil_tennis::analysis::JudgedGame;
use pencil_tennis::report::{PayoffReading, PolicyFormat, WrittenMatrix};
use pencil_tennis::{GameError, GameRecord, Solver, State};

use super::policies;

/// Games of longer accounts or fields are read, but not judged, so that an input takes some
/// milliseconds.
const MOST_POINTS: u32 = 4;
const MOST_FIELD: i32 = 3;

/// The most characters of a refusal: a sentence, not a file that is told again.
const LONGEST: usize = 400;

/// Takes the bytes as a policy in JSON for some small games, as a written game and as a matrix;
/// returns how many times they were accepted.
///
/// # Panics
/// When what is accepted is not what it should be, or is not read again as it is written; when a
/// refusal is not what refusals are.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let mut accepted = 0;
    for (rules, points) in policies::games() {
        accepted += usize::from(policies::is_sound(PolicyFormat::Json, bytes, &rules, points));
    }
    check_matrix(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return accepted };
    let named = match GameRecord::rules_of_table(text) {
        Ok(named) => named,
        Err(error) => {
            assert_sentence(&error);
            return accepted;
        }
    };
    match GameRecord::from_table(&named.unwrap_or_default(), text) {
        Ok(game) => {
            assert_played(&game);
            accepted + 1
        }
        Err(error) => {
            assert_sentence(&error);
            accepted
        }
    }
}

/// Reads the bytes as a matrix game. One that is accepted has a name for every row and column, and
/// is read again as it is written in csv without names.
fn check_matrix(bytes: &[u8]) {
    let game = match WrittenMatrix::read(bytes, PayoffReading::Exact) {
        Ok(game) => game,
        Err(error) => {
            assert_short(&error.to_string());
            return;
        }
    };
    let [rows, columns] = game.names().each_ref().map(Vec::len);
    assert!(game.payoffs().len() == rows && game.payoffs().iter().all(|row| row.len() == columns));
    let mut csv = String::new();
    for row in game.payoffs() {
        csv += &(row.iter().map(ToString::to_string).collect::<Vec<_>>().join(",") + "\n");
    }
    // One column has no commas, and two numbers in a line may be a size.
    if columns > 1 && csv.len() < 10_000 {
        let again = WrittenMatrix::read(csv.as_bytes(), PayoffReading::Exact).expect("a matrix");
        assert!(again.payoffs() == game.payoffs() && again.assumptions().is_empty(), "{csv}");
    }
}

/// Whether a game follows from its bids, and is judged as the payoffs say.
fn assert_played(game: &GameRecord) {
    let table = game.to_table();
    let rules = GameRecord::rules_of_table(&table).expect("rules").expect("they are named");
    assert_eq!(
        (&rules, GameRecord::from_table(&rules, &table)),
        (game.rules(), Ok(game.clone())),
        "{table}"
    );
    let bids = game.turns().iter().map(|turn| (turn.bid_a, turn.bid_b));
    assert_eq!(GameRecord::replay(&rules, game.start(), bids).as_ref(), Ok(game));
    let mut before = game.start();
    for (number, turn) in game.turns().iter().enumerate() {
        for (bid, account, left) in
            [(turn.bid_a, before.a, turn.after.a), (turn.bid_b, before.b, turn.after.b)]
        {
            let legal = bid <= account && (bid >= rules.min_bid() || account == 0);
            assert!(legal && left == account - bid, "turn {}", number + 1);
        }
        assert!(
            before.ball.position().abs() <= rules.field() && before.a + before.b > 0,
            "turn {} after the end",
            number + 1
        );
        before = turn.after;
    }
    let out = before.ball.position().abs() > rules.field();
    assert_eq!(game.payoff().is_some(), out || before.a + before.b == 0);
    let State { a, b, .. } = game.start();
    if a.max(b) > MOST_POINTS || rules.field() > MOST_FIELD {
        return;
    }
    let solver = Solver::new(&rules).points([a.max(1), b.max(1)]).threads(1);
    let report =
        JudgedGame::new(&solver.solve().expect("a small game"), game).expect("a game of it");
    assert_eq!(report.turns.len(), game.turns().len());
    assert!(report.proved && report.losses.a >= 0.0 && report.losses.b >= 0.0, "a loss below 0");
    let largest = rules
        .scoring()
        .payoffs()
        .iter()
        .map(|payoff| (*payoff.numer() as f64 / *payoff.denom() as f64).abs());
    // Doubles to nearest, of sums of a few numbers of this size.
    let largest = largest.fold(0.0, f64::max) * (1.0 + 1e-9);
    assert!(
        report
            .turns
            .iter()
            .all(|turn| turn.value.abs() <= largest && turn.value_after.abs() <= largest)
    );
}

/// A refusal is a line that says what is wrong with a written game, and where.
fn assert_sentence(error: &GameError) {
    let sentence = error.to_string();
    assert!(
        matches!(error, GameError::RecordLine { .. }) && sentence.starts_with("line "),
        "{sentence}"
    );
    assert_short(&sentence);
}

fn assert_short(sentence: &str) {
    assert!(sentence.chars().count() <= LONGEST, "{sentence}");
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::fuzzing::{alter, feed, mutate};

    #[test]
    fn the_corpus_of_the_fuzzer_is_played_or_refused() {
        feed("texts", 6, check);
    }

    #[test]
    fn altered_texts_are_policies_or_games_or_refused() {
        alter("texts", 40, check);
    }

    #[test]
    #[ignore = "a fuzzer: as long as you like"]
    fn mutated_texts_are_policies_or_games_or_refused() {
        mutate("texts", check);
    }
}
