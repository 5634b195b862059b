//! The command `explore`: the page is whole, and it is what stands in the sources.

use std::fs;

use crate::program::{assert_refused, folder, run, text};

#[test]
fn explore_writes_one_whole_page() {
    let folder = folder();
    let output = run(folder.path(), &["explore", "-o", "page.html"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(
        !page.contains("<!--{modules}-->") && !page.contains("/*{style}*/"),
        "every piece is in its place"
    );
    let sources = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/page")).unwrap();
    let modules = sources
        .filter(|file| {
            file.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "js")
        })
        .count();
    let listed =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/page/html.rs")).unwrap();
    assert!(
        listed.contains(&format!("const SOURCES: [(&str, &str); {}]", modules - 1)),
        "all but the worker"
    );
    assert!(!page.contains("data-start") && page.len() < 1_100_000, "{} bytes", page.len());
    // A gzip file begins with 1f 8b 08, in 13 bits 0 0011 1111 0001 = 11 · 91 + 8: the 12th letter
    // from `#` on, and the 9th.
    assert!(
        page.split_once("id=\"module\"").is_some_and(|(_, module)| module
            .split_once(">\n")
            .unwrap()
            .1
            .starts_with(".+"))
    );
    let piped = run(folder.path(), &["explore", "-o", "-"]);
    assert_eq!(text(&piped.stdout), page);
    let refused = run(folder.path(), &["explore", "-o", "no/such/page.html"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("there is no folder no/such"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn the_page_knows_its_address() {
    let folder = folder();
    let page = text(
        &run(folder.path(), &["explore", "-o", "-", "--url", "https://example.org/t.html?a&b"])
            .stdout,
    );
    assert!(page.contains(" data-address=\"https://example.org/t.html?a&amp;b\""));
}

#[test]
fn the_page_begins_where_it_is_asked_to() {
    let folder = folder();
    let start = |words: &[&str]| {
        let output = run(folder.path(), &[&["explore", "-o", "-"], words].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let page = text(&output.stdout);
        let (_, after) = page.split_once("data-start=\"").expect("a link to begin with");
        after.split_once('"').expect("the end of the attribute").0.replace("&amp;", "&")
    };
    let tennis = "field=2&motion=net&scoring=two-one";
    assert_eq!(start(&["36:39@2"]), format!("#explore?points=50:50&{tennis}&state=36:39@2"));
    assert_eq!(start(&["60:39@-1"]), format!("#explore?points=60:50&{tennis}&state=60:39@-1"));
    let step = start(&["4:3@0", "--motion", "step", "--scoring", "1,1/2,0,-1/2,-1"]);
    assert_eq!(
        step,
        "#explore?points=50:50&field=2&motion=step&scoring=1,1/2,0,-1/2,-1&state=4:3@0"
    );
    let zero_bids = start(&[
        "4:3@0",
        "--field",
        "3",
        "--motion",
        "step",
        "--scoring",
        "win-loss",
        "--min-bid",
        "0",
    ]);
    assert_eq!(
        zero_bids,
        "#explore?points=50:50&field=3&motion=step&scoring=win-loss&min-bid=0&state=4:3@0"
    );
    fs::write(
        folder.path().join("game.txt"),
        "# rules: field 2 motion net scoring win-loss\n0 4 3 -2\n1 2 1 2 2 1\n",
    )
    .unwrap();
    let game = start(&["--game", "game.txt"]);
    assert_eq!(
        game,
        "#play?points=50:50&field=2&motion=net&scoring=win-loss&state=4:3@-2&bids=2-1"
    );
    for (words, said) in [
        (&["4:3@9"][..], "ball 9 is outside the field"),
        (&["--game", "missing.txt"], "cannot read missing.txt"),
        (&["--url", "https://example.org/#play"], "expected an address such as https://"),
        (&["9999:3@0"], "at most 400 points"),
        (&["--site", "public", "--url", "example.org"], "expected an address such as https://"),
    ] {
        let refused = run(folder.path(), &[&["explore"], words].concat());
        assert!(
            !refused.status.success() && text(&refused.stderr).contains(said),
            "{words:?}: {}",
            text(&refused.stderr)
        );
    }
    assert!(
        !folder.path().join("explorer.html").exists(),
        "nothing is written where something is wrong"
    );
}

/// Games that are one step larger than the page takes are refused with a command that takes them,
/// and no page is written.
#[test]
fn games_that_are_too_large_for_the_page_are_refused() {
    let folder = folder();
    let folder = folder.path();
    // A root, and three nodes after each of 33,334 draws: A does not see which one it was.
    let draws = 33_334;
    let chances: Vec<String> = (0..draws).map(|draw| format!("\"{draw}\" 1/{draws}")).collect();
    let choice =
        "p \"\" 1 1 \"s\" { \"l\" \"r\" } 0\nt \"\" 1 \"\" { 1 -1 }\nt \"\" 2 \"\" { 0 0 }\n";
    let root = format!("c \"\" 1 \"\" {{ {} }} 0\n", chances.join(" "));
    let tree = format!("EFG 2 R \"wide\" {{ \"A\" \"B\" }}\n{root}{}", choice.repeat(draws));
    fs::write(folder.join("wide.efg"), tree).expect("room");
    let words = [
        "wide.efg has 100,003 nodes, and the page shows at most 100,000; `pencil-tennis show wide.efg` shows it",
    ];
    assert_refused(folder, &["explore", "wide.efg", "-o", "page.html", "--no-open"], 1, &words);

    // A state of 100,001 pairs of actions: 11 times 9,091.
    let actions = |count: usize| {
        (0..count).map(|action| format!("\"{action}\"")).collect::<Vec<_>>().join(",")
    };
    let row = format!("[{}]", vec![r#"{"to":[["1","end"]]}"#; 9_091].join(","));
    let game = format!(
        "{}\n{}\n{{\"id\":\"s\",\"a\":[{}],\"b\":[{}],\"cells\":[{}]}}\n",
        r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}"#,
        r#"{"id":"end","value":"1"}"#,
        actions(11),
        actions(9_091),
        vec![row; 11].join(",")
    );
    fs::write(folder.join("wide.jsonl"), game).expect("room");
    let words = [
        "wide.jsonl has 100,001 pairs of actions, and the page solves at most 100,000; `pencil-tennis solve wide.jsonl`",
    ];
    assert_refused(folder, &["explore", "wide.jsonl", "-o", "page.html", "--no-open"], 1, &words);
    assert!(!folder.join("page.html").exists());
}

#[test]
fn a_site_is_a_folder_to_be_served() {
    let folder = folder();
    let output =
        run(folder.path(), &["explore", "--site", "public", "--url", "https://example.org/tennis"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| {
        fs::read(folder.path().join("public").join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let page = String::from_utf8(read("index.html")).unwrap();
    assert!(page.contains(
        "<meta property=\"og:image\" content=\"https://example.org/tennis/picture.png\">"
    ));
    assert!(page.contains("rel=\"manifest\" href=\"manifest.webmanifest\""));
    let manifest: serde_json::Value =
        serde_json::from_slice(&read("manifest.webmanifest")).unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        assert!(!read(icon["src"].as_str().unwrap()).is_empty());
    }
    // Width and height stand in a PNG at bytes 16 and 20.
    let size = |name: &str| {
        let bytes = read(name);
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
        [16, 20].map(|offset| u32::from_be_bytes(bytes[offset..offset + 4].try_into().unwrap()))
    };
    assert_eq!((size("picture.png"), size("icon.png")), ([1200, 630], [512, 512]));
    let worker = String::from_utf8(read("sw.js")).unwrap();
    assert!(!worker.contains("{version}"));
    // Another page is another version, which replaces what a browser keeps.
    run(folder.path(), &["explore", "4:3@-2", "--site", "other"]);
    let other = fs::read_to_string(folder.path().join("other/sw.js")).unwrap();
    assert_ne!(worker, other);
}
