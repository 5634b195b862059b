//! The page in one piece: its sources in `web/page`, and the packed module.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const SKELETON: &str = include_str!("../../../web/page/index.html");
const STYLE: &str = include_str!("../../../web/page/style.css");
const WORKER: &str = include_str!("../../../web/page/worker.js");

/// The solver for the browser, gzipped; `web/build` makes it.
const MODULE: &[u8] = include_bytes!("../../../web/explorer.wasm.gz");

macro_rules! sources {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../../../web/page/", $name)))),*] };
}

/// The page's modules, by the names under which they import each other.
const SOURCES: [(&str, &str); 33] = sources![
    "bidchart.js",
    "bidform.js",
    "colours.js",
    "court.js",
    "dom.js",
    "errors.js",
    "explore.js",
    "frontier.js",
    "game.js",
    "gridmap.js",
    "judge.js",
    "learn.js",
    "main.js",
    "mixer.js",
    "mygames.js",
    "notice.js",
    "ownrule.js",
    "play.js",
    "players.js",
    "policyfile.js",
    "puzzle.js",
    "record.js",
    "replay.js",
    "rules.js",
    "share.js",
    "solver.js",
    "stagegame.js",
    "state.js",
    "store.js",
    "strings.js",
    "table.js",
    "welcome.js",
    "worth.js",
];

/// The page; it begins at the link `start`, if one is given, and has `head` among the lines of its head.
pub(super) fn assemble(start: Option<&str>, head: &str) -> String {
    let mut parts: Vec<String> =
        SOURCES.iter().map(|(name, source)| script(&format!("type=\"text/plain\" data-module=\"{name}\""), source)).collect();
    parts.push(script("type=\"text/plain\" id=\"worker\"", WORKER));
    parts.push(script("type=\"application/gzip\" id=\"module\"", &STANDARD.encode(MODULE)));
    // A link has no letter that would end the attribute.
    let start = start.map(|link| format!(" data-start=\"{}\"", link.replace('&', "&amp;"))).unwrap_or_default();
    SKELETON
        .replace("/*{start}*/", &start)
        .replace("<!--{head}-->\n", head)
        .replace("/*{style}*/", STYLE)
        .replace("<!--{modules}-->", &parts.concat())
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
