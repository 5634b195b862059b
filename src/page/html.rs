//! Assembles the page's one file from its sources in `web/page` and the packed module.

use std::collections::BTreeMap;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::joined::joined;
use super::{Page, PageError, hidden};
use crate::analysis::StateAnalysis;
use crate::bounds::rounded_up;
use crate::hidden::games::{HiddenGoofspiel, LiarsDice, gallery_game as gallery_tree};
use crate::hidden::{GameTree, HiddenRefinement, HiddenSolver};
use crate::report::{gallery, gallery_game};
use crate::{GameRecord, Rules, Solver};

const SKELETON: &str = include_str!("../../web/page/index.html");
const STYLE: &str = include_str!("../../web/page/style.css");
const WORKER: &str = include_str!("../../web/page/worker.js");

/// The solver for the browser, gzipped; `web/build` makes it.
const MODULE: &[u8] = include_bytes!("../../web/explorer.wasm.gz");

macro_rules! sources {
    ($($name:ident)*) => {
        [$((stringify!($name), include_str!(concat!("../../web/page/", stringify!($name), ".js")))),*]
    };
}

/// The page's modules, by the names under which they import each other.
const SOURCES: [(&str, &str); 51] = sources! {
    amounts bidchart bidform boards cards colours court dom explore first frontier gallery game games gridmap hidden
    hiddentree judge learn main matrixeditor matrixgame mixer mygames notation notice ownrule picture pitch play players
    policyfile puzzle record replay rules share sheet shortgame solver stagegame state store table vote welcome worth errors
    hiddenwords gamestrings strings
};

/// Games of the gallery of which the page has the rules, in `boards.js`.
const ON_BOARDS: [&str; 2] = ["pursuit", "soccer"];

/// Smaller trees than this take milliseconds to refine.
const MOST_REFINED_NODES: usize = 500;

/// The games with hidden information that every page has, by name. Dice of 5 sides and Goofspiel
/// with 4 cards, which the gallery has, would take 60 kB; a page that is opened with them has them,
/// too.
fn hidden_games() -> Result<BTreeMap<&'static str, Value>, PageError> {
    let dice = GameTree::from_rules(&LiarsDice::new(4))?;
    let goofspiel = GameTree::from_rules(&HiddenGoofspiel::new(3))?;
    let mut games = BTreeMap::from([
        ("liars-dice-4", solved(dice)?),
        ("hidden-goofspiel-3", solved(goofspiel)?),
    ]);
    for name in ["kuhn", "leduc", "secret-inspection"] {
        if let Some(tree) = gallery_tree(name).transpose()? {
            games.insert(name, solved(tree)?);
        }
    }
    Ok(games)
}

/// A game with hidden information, solved; its strategies are refined where this takes no time, so
/// that they are sensible also after mistakes.
fn solved(tree: GameTree) -> Result<Value, PageError> {
    let is_small = tree.len() <= MOST_REFINED_NODES;
    let mut solver = HiddenSolver::new(tree);
    if is_small {
        solver = solver.refinement(HiddenRefinement::QuasiPerfect);
    }
    Ok(hidden::packed(&solver.solve()?))
}

/// The start of Tennis with 50 points each, which the page shows until it has solved the game: the
/// state's report without the matrix, and the payoff of every bid.
fn first_view() -> Result<Value, PageError> {
    let solution = crate::solve(50)?;
    let state = solution.start();
    let report = StateAnalysis::new(&solution, state)?;
    let mut view = serde_json::to_value(&report)?;
    view["worth"] = serde_json::to_value(&report.bids)?;
    view["width"] = rounded_up(solution.enclosure(state)?.width()).into();
    view["by_symmetry"] = solution.rules().is_even(state).into();
    if let Some(view) = view.as_object_mut() {
        view.remove("matrix");
    }
    Ok(view)
}

/// The state of the lesson, which the page shows until it has solved it.
fn lesson() -> Result<Value, PageError> {
    let state = "4:3@-2".parse()?;
    let solution =
        Solver::new(&Rules::tennis()).points([4, 4]).exact(Solver::EXACT_BITS).solve()?;
    let mut view = serde_json::to_value(StateAnalysis::new(&solution, state)?)?;
    let mut balls = Vec::new();
    for bids in [(2, 1), (1, 1), (1, 2)] {
        balls.push(GameRecord::replay(solution.rules(), state, [bids])?.state().ball.position());
    }
    view["ball_after"] = balls.into();
    Ok(view)
}

/// The whole page, with `head` added to its head.
pub(super) fn assemble(page: &Page, head: &str) -> Result<String, PageError> {
    let modules = script("module", MODULE) + &script("packed", &packed(page)?);
    let attributes =
        attribute("start", page.start.as_deref()) + &attribute("address", page.address.as_deref());
    Ok(SKELETON
        .replace("/*{start}*/", &attributes)
        .replace("<!--{head}-->\n", head)
        .replace("<!--{modules}-->", &modules))
}

/// An element that holds gzipped bytes as text.
fn script(id: &str, bytes: &[u8]) -> String {
    let (length, text) = (bytes.len(), letters(bytes));
    format!(
        "<script type=\"application/gzip\" id=\"{id}\" data-length=\"{length}\">\n{text}\n</script>\n"
    )
}

/// An attribute of the page's root element, or nothing. [`Page`] has checked that the text cannot
/// end the attribute.
fn attribute(name: &str, text: Option<&str>) -> String {
    text.map_or(String::new(), |text| format!(" data-{name}=\"{}\"", text.replace('&', "&amp;")))
}

/// Encodes bytes as text, two characters for every 13 bits, high bits first: a twelfth shorter than
/// base64. The 91 characters are ASCII from `#` to `~` without `<`, so that they cannot end the
/// element.
fn letters(bytes: &[u8]) -> String {
    let letter =
        |digit: u32| char::from(b'#' + digit as u8 + u8::from(digit >= u32::from(b'<' - b'#')));
    let mut text = String::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut rest, mut bits) = (0_u32, 0);
    let mut write = |number: u32| text.extend([letter(number / 91), letter(number % 91)]);
    for &byte in bytes {
        (rest, bits) = (rest << 8 | u32::from(byte), bits + 8);
        if bits >= 13 {
            bits -= 13;
            write(rest >> bits);
            rest &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        write(rest << (13 - bits));
    }
    text
}

/// All that the page shows and runs but the module, gzipped: sources, the games of other rules, and
/// two states for the time until the first game is solved.
fn packed(page: &Page) -> Result<Vec<u8>, PageError> {
    let sources = SOURCES.map(|(name, source)| (name, without_comments(source)));
    let mut games = BTreeMap::new();
    for name in gallery() {
        let text = String::from_utf8_lossy(&gallery_game(name)?).into_owned();
        // The page makes the states of games on boards from their rules.
        let first_line = text.split_inclusive('\n').next().unwrap_or_default();
        games.insert(name, if ON_BOARDS.contains(&name) { first_line.to_owned() } else { text });
    }
    games.extend(page.game.as_ref().map(|(name, text)| (name.as_str(), text.clone())));
    let mut hidden_games: BTreeMap<&str, Value> = hidden_games()?;
    hidden_games
        .extend(page.hidden_game.as_ref().map(|(name, game)| (name.as_str(), game.clone())));
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    let worker = without_comments(WORKER);
    let style = STYLE.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    let parts = json!({
        "script": joined("main", &sources), "worker": worker, "style": style, "games": games, "hidden": hidden_games,
        "first": first_view()?, "lesson": lesson()?,
    });
    serde_json::to_writer(&mut out, &parts)?;
    Ok(out.finish()?)
}

/// The source without indentation, which no text of several lines has, without the lines that are
/// comments, and without those of types that stand on lines of their own.
fn without_comments(source: &str) -> String {
    let mut kept = Vec::new();
    let mut in_types = false;
    for line in source.lines() {
        let text = line.trim();
        let begins_types =
            text.starts_with("/**") && (text.ends_with("*/") || !text.contains("*/"));
        let is_comment = in_types || begins_types || text.starts_with("//");
        in_types = (in_types || begins_types) && !text.ends_with("*/");
        if !is_comment {
            kept.push(line.trim_start());
        }
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 13 bits of 1 are 8191 = 90 · 91 + 1; `<` would be the 26th letter, and `=` takes
    /// its place.
    #[test]
    fn bytes_are_letters() {
        assert_eq!(letters(&[]), "");
        assert_eq!(letters(&[0xff, 0xf8]), "~$##");
        // 25 · 91 = 2275 = 0x8e3, in 13 bits 0 1000 1110 0011.
        assert_eq!(letters(&[0x47, 0x18]), "=###");
        assert!(
            letters(MODULE).bytes().all(|letter| (b'#'..=b'~').contains(&letter) && letter != b'<')
        );
        assert_eq!(letters(MODULE).len(), 2 * (8 * MODULE.len()).div_ceil(13));
    }

    #[test]
    fn comments_stay_behind_and_code_does_not() {
        let source = "// a\n/** @type {X} */\nlet b = /** @type {Y} */ (c);\n/**\n * @param {Z} d\n */\n/** @type {Z} */ (e).f();\n  g * h;";
        assert_eq!(
            without_comments(source),
            "let b = /** @type {Y} */ (c);\n/** @type {Z} */ (e).f();\ng * h;"
        );
    }

    #[test]
    fn every_module_is_joined_to_what_it_imports() {
        let sources = SOURCES.map(|(name, source)| (name, without_comments(source)));
        let script = joined("main", &sources);
        let offset = |name: &str| {
            script.find(&format!("\nconst ${name} = (")).map_or(0, |offset| offset + 1)
        };
        for (name, source) in &sources {
            assert!(
                script[offset(name)..].starts_with(&format!("const ${name} = (")),
                "{name} is not there"
            );
            for line in source.lines().filter(|line| line.starts_with("import ")) {
                let (_, from) =
                    line.split_once("from 'page/").expect("imports name a module of the page");
                assert!(offset(from.trim_end_matches(".js';")) < offset(name), "{name}: {line}");
            }
        }
        for line in script.lines() {
            assert!(
                !line.starts_with("import ") && !line.starts_with("export "),
                "not joined: {line}"
            );
        }
    }

    #[test]
    fn nothing_is_fetched() {
        for (name, source) in SOURCES {
            for word in
                ["fetch(", "XMLHttpRequest", "http://", "https://", "sendBeacon", "WebSocket"]
            {
                let allowed = word == "http://" && source.contains("http://www.w3.org/2000/svg");
                assert!(allowed || !source.contains(word), "{name} says {word}");
            }
        }
    }
}
