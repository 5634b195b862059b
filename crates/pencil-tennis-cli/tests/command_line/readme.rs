//! The front page shows what the program prints.

use crate::program::{folder, stdout};

const README: &str = include_str!("../../../../README.md");

/// Seconds, the only numbers with three decimals, differ from run to run, and nothing else does.
fn without_seconds(text: &str) -> String {
    let is_seconds =
        |word: &str| word.trim().split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3);
    text.split_inclusive(char::is_whitespace)
        .map(|word| if is_seconds(word) { "… " } else { word })
        .collect()
}

#[test]
fn the_solution_on_the_front_page_is_the_one_that_is_printed() {
    let shown = README
        .split("```text\n$ cargo run --release -- solve\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let shown = without_seconds(shown.expect("a run of solve"));
    let printed = without_seconds(&stdout(folder().path(), &["solve"]));
    assert_eq!(shown, printed);
}

/// The file on the front page is a game of the value that the text beside it names.
#[test]
fn the_game_on_the_front_page_is_worth_what_is_said() {
    let game = README
        .split("```text\n{")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a game");
    let folder = folder();
    std::fs::write(folder.path().join("pennies.jsonl"), format!("{{{game}")).expect("written");
    let printed = stdout(folder.path(), &["solve", "pennies.jsonl"]);
    let sentence = "start is worth 0.2 to A";
    assert!(README.contains(sentence) && printed.contains(sentence), "{printed}");
}

/// A figure that is shown is there.
#[test]
fn pictures_and_documents_of_the_front_page_exist() {
    let project = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut links = 0;
    for link in README.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        // A heading of a document is not looked for.
        let document = link.split('#').next().unwrap_or(link);
        assert!(link.starts_with("http") || project.join(document).exists(), "{link}");
        links += 1;
    }
    assert!(links > 10);
}
