//! The page in one piece: its sources in `web/page`, and the packed module.

use pencil_tennis::analysis::StateAnalysis;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::{GameRecord, Rules, Solver};

const SKELETON: &str = include_str!("../../../web/page/index.html");
const STYLE: &str = include_str!("../../../web/page/style.css");
const WORKER: &str = include_str!("../../../web/page/worker.js");

/// The solver for the browser, gzipped; `web/build` makes it.
const MODULE: &[u8] = include_bytes!("../../../web/explorer.wasm.gz");

macro_rules! sources {
    ($($name:ident)*) => {
        [$((concat!(stringify!($name), ".js"), include_str!(concat!("../../../web/page/", stringify!($name), ".js")))),*]
    };
}

/// The page's modules, by the names under which they import each other.
const SOURCES: [(&str, &str); 33] = sources! {
    bidchart bidform colours court dom errors explore frontier game gridmap judge learn main mixer mygames notice ownrule play
    players policyfile puzzle record replay rules share solver stagegame state store strings table welcome worth
};

/// The start of Tennis with 50 points each, which the page shows while it solves the game itself: the report of the state without
/// its matrix, and what every bid is worth.
fn first_view() -> anyhow::Result<String> {
    let solution = pencil_tennis::solve(50)?;
    let state = solution.start();
    let report = StateAnalysis::new(&solution, state)?;
    let worth = &report.bids;
    let mut view = serde_json::to_value(&report)?;
    view["worth"] = serde_json::to_value(worth)?;
    view["width"] = rounded_up(solution.enclosure(state)?.width()).into();
    view["by_symmetry"] = solution.rules().is_even(state).into();
    if let Some(view) = view.as_object_mut() {
        view.remove("matrix");
    }
    Ok(view.to_string())
}

/// The state of the lesson, which is shown until the page has solved it itself.
fn lesson() -> anyhow::Result<String> {
    let state = "4:3@-2".parse()?;
    let solution = Solver::new(&Rules::tennis()).points([4, 4]).exact(Solver::EXACT_BITS).solve()?;
    let mut view = serde_json::to_value(StateAnalysis::new(&solution, state)?)?;
    let ball_after = |bids| anyhow::Ok(GameRecord::replay(solution.rules(), state, [bids])?.state().ball.position());
    view["ball_after"] = [ball_after((2, 1))?, ball_after((1, 1))?, ball_after((1, 2))?].as_slice().into();
    Ok(view.to_string())
}

/// The page; it begins at the link `start`, if one is given, and has `head` among the lines of its head.
pub(super) fn assemble(start: Option<&str>, head: &str) -> anyhow::Result<String> {
    let mut parts: Vec<String> =
        SOURCES.iter().map(|(name, source)| code(&format!("type=\"text/plain\" data-module=\"{name}\""), source)).collect();
    parts.push(code("type=\"text/plain\" id=\"worker\"", WORKER));
    let attributes = format!("type=\"application/gzip\" id=\"module\" data-length=\"{}\"", MODULE.len());
    parts.push(script(&attributes, &letters(MODULE)));
    parts.push(script("type=\"application/json\" id=\"first-view\"", &first_view()?));
    parts.push(script("type=\"application/json\" id=\"lesson\"", &lesson()?));
    // A link has no letter that would end the attribute.
    let start = start.map(|link| format!(" data-start=\"{}\"", link.replace('&', "&amp;"))).unwrap_or_default();
    Ok(SKELETON
        .replace("/*{start}*/", &start)
        .replace("<!--{head}-->\n", head)
        .replace("/*{style}*/", STYLE)
        .replace("<!--{modules}-->", &parts.concat()))
}

/// Bytes as letters, two for every 13 bits, the high bits first: a twelfth less than base64 takes. The 91 letters are those of
/// ASCII from `#` to `~` without `<`, so that they cannot end the element they stand in.
fn letters(bytes: &[u8]) -> String {
    let letter = |digit: u32| char::from(b'#' + digit as u8 + u8::from(digit >= u32::from(b'<' - b'#')));
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

fn code(attributes: &str, source: &str) -> String {
    let lines: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    script(attributes, &lines.join("\n"))
}

fn script(attributes: &str, text: &str) -> String {
    format!("<script {attributes}>\n{text}\n</script>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_source_ends_the_element_it_stands_in() {
        for (name, source) in SOURCES.into_iter().chain([("worker.js", WORKER)]) {
            let lower = source.to_lowercase();
            assert!(!lower.contains("</script") && !lower.contains("<!--"), "{name}");
        }
        assert!(!STYLE.to_lowercase().contains("</style"));
    }

    /// By hand: 13 bits of 1 are 8191 = 90 · 91 + 1; `<` would be the 26th letter, and `=` takes its place.
    #[test]
    fn bytes_are_letters() {
        assert_eq!(letters(&[]), "");
        assert_eq!(letters(&[0xff, 0xf8]), "~$##");
        // 25 · 91 = 2275 = 0x8e3, in 13 bits 0 1000 1110 0011.
        assert_eq!(letters(&[0x47, 0x18]), "=###");
        assert!(letters(MODULE).bytes().all(|letter| (b'#'..=b'~').contains(&letter) && letter != b'<'));
        assert_eq!(letters(MODULE).len(), 2 * (8 * MODULE.len()).div_ceil(13));
    }

    #[test]
    fn every_import_is_there_and_everything_is_imported() {
        let imported = |name: &str| SOURCES.iter().any(|(_, source)| source.contains(&format!("from 'page/{name}'")));
        for (name, source) in SOURCES {
            assert!(name == "main.js" || imported(name), "nobody imports {name}");
            for line in source.lines().filter(|line| line.starts_with("import ")) {
                let (_, from) = line.split_once("from 'page/").expect("imports name a module of the page");
                assert!(SOURCES.iter().any(|(other, _)| from == format!("{other}';")), "{name}: {line}");
            }
        }
    }

    #[test]
    fn nothing_is_fetched() {
        for (name, source) in SOURCES {
            for word in ["fetch(", "XMLHttpRequest", "http://", "https://", "sendBeacon", "WebSocket"] {
                let allowed = word == "http://" && source.contains("http://www.w3.org/2000/svg");
                assert!(allowed || !source.contains(word), "{name} says {word}");
            }
        }
    }
}
