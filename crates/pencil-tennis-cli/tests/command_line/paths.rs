//! Names of files that are no UTF-8: every command takes them, and says the same of them as of
//! plain names.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Output;

use super::program::{folder, program};

/// Runs a line of words in which `%` begins the name of a file.
fn run(folder: &Path, line: &str, begin: &[u8]) -> Output {
    let words = line.split(' ').map(|word| {
        let bytes: Vec<&[u8]> = word.split('%').map(str::as_bytes).collect();
        OsStr::from_bytes(&bytes.join(begin)).to_owned()
    });
    let words: Vec<OsString> = words.collect();
    // A person who always takes the first action, and soon has enough.
    std::fs::write(folder.join("answers"), "1\n1\n1\nq\n").expect("a file");
    let answers = std::fs::File::open(folder.join("answers")).expect("the file");
    program(folder, &[]).args(words).stdin(answers).output().expect("the program starts")
}

/// The output, with every spelling of the beginning of names as `%`.
fn printed(bytes: &[u8], begin: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace(&*String::from_utf8_lossy(begin), "%");
    // As a shell makes such a name.
    let octal = String::from_utf8_lossy(begin).replace('\u{fffd}', "\\377").replace('-', "\\055");
    let mut parts = text.split("\"$(printf '");
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("')\"").expect("an end of the name");
        read += &(name.replace(&octal, "%") + rest);
    }
    let is_time =
        |line: &&str| line.contains(" s (") || line.contains(" s, ") || line.ends_with(" s");
    read.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn names_that_are_no_text_are_taken_by_every_command() {
    const LINES: [&str; 49] = [
        "solve 4 --save %t.table --threads 1",
        "solve %t.table --outcomes",
        "solve 4 --resume %t.table",
        "solve 5 --checkpoint %c.part",
        "show %t.table 4:3@-2",
        "show 4:3@-2 --table %t.table",
        "export policy %t.table -o %p.csv",
        "export weights 4 -o %w.csv",
        "exploit %p.csv 4",
        "exploit lookahead:1:%p.csv 4 --map %m.csv",
        "exploit %w.csv 4 --best-response %r.npz",
        "duel %p.csv lookahead:1:%p.csv 4 --games 1000",
        "play 4 --against %p.csv --seed 1 --record %g.txt",
        "prove 4 -o %4.proof",
        "verify %4.proof",
        "plot regret %p.csv 4 -o %r.svg",
        "plot values %t.table -o %v.svg",
        "train simple --games 100 --points 4 -o %s.npz --save %s.training --curve %s.csv",
        "plot curves %s.csv -o %s.svg",
        "duel %s.npz optimal 4 --games 1000",
        "replay %g.txt",
        "explore --game %g.txt -o %e.html --no-open",
        "export strategies @soccer -o %soccer.csv",
        "prove @soccer -o %soccer.proof",
        "verify %soccer.proof",
        "solve %game.jsonl",
        "show %game.jsonl start",
        "show %game.jsonl nowhere",
        "export values %game.jsonl -o %values.csv",
        "exploit %soccer.csv @soccer",
        "duel %soccer.csv uniform @soccer --games 100",
        "duel uniform uniform %game.jsonl --games 100",
        "play %game.jsonl --seed 1 --record %play.jsonl",
        "play @soccer --against %soccer.csv --seed 1",
        "explore %game.jsonl -o %g.html --no-open",
        "plot strategies %game.jsonl -o %game.svg",
        "replay %play.jsonl %game.jsonl",
        "export strategies @kuhn -o %kuhn.csv",
        "exploit %kuhn.csv @kuhn",
        "duel %kuhn.csv uniform @kuhn --games 100",
        "train rm %game.jsonl --games 100 -o %learned.csv",
        "train cfr-plus %tree.efg --games 100 -o %learned.csv",
        "solve %tree.efg",
        "solve %matrix.csv",
        "check %model.prism %model.props",
        "tennis blind 4 -o %blind.csv",
        "play 4 --blind --against %blind.csv --seed 1",
        "solve %nowhere.jsonl",
        "exploit %nowhere.csv 4",
    ];
    const GAME: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["start"]}
{"id":"win","value":"1"}
{"id":"hit","value":"0"}
{"id":"start","a":["hide","run"],"b":["wait","throw"],"cells":[[{"to":[["1","start"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","start"]]}]]}
"#;
    const MODEL: &str =
        "mdp\nmodule m\n  s : [0..1] init 0;\n  [go] s=0 -> 1/2:(s'=1) + 1/2:(s'=0);\nendmodule\n";
    const FILES: [(&str, &str); 5] = [
        ("game.jsonl", GAME),
        ("matrix.csv", "1,0\n0,2\n"),
        ("tree.efg", include_str!("../../../../tests/corpus/hidden/pennies.efg")),
        ("model.prism", MODEL),
        ("model.props", "Pmax=? [ F s=1 ];\n"),
    ];
    let reply = |begin: &[u8]| {
        let folder = folder();
        for (name, content) in FILES {
            let name = OsStr::from_bytes(&[begin, name.as_bytes()].concat()).to_owned();
            std::fs::write(folder.path().join(name), content).expect("a file");
        }
        LINES.map(|line| {
            let Output { status, stdout, stderr } = run(folder.path(), line, begin);
            // Every line of a training has its time.
            let on_stdout =
                if line.starts_with("train ") { String::new() } else { printed(&stdout, begin) };
            (line, status.code(), on_stdout, printed(&stderr, begin))
        })
    };
    let (plain, strange) = (reply(b"Z-"), reply(b"Z\xff-"));
    let differing: Vec<_> =
        plain.iter().zip(&strange).filter(|(plain, strange)| plain != strange).collect();
    assert!(differing.is_empty(), "{differing:#?}");
    // The lines mean something: all but those that name what is not there succeed.
    let refused: Vec<_> =
        plain.iter().filter(|(_, status, ..)| *status != Some(0)).map(|(line, ..)| *line).collect();
    assert_eq!(
        refused,
        ["show %game.jsonl nowhere", "solve %nowhere.jsonl", "exploit %nowhere.csv 4"]
    );
}

/// Words that are no text are refused where they cannot be the name of a file.
#[test]
fn what_is_no_name_of_a_file_has_to_be_text() {
    let folder = folder();
    for (line, words) in [
        ("show @rps %state", "is no text in UTF-8, and names no state"),
        ("duel cmd:./% uniform 4 --games 10", "expected a link to it with another name"),
        ("play 4 --against cmd:./%", "expected a link to it with another name"),
    ] {
        let Output { status, stdout, stderr } = run(folder.path(), line, b"Z\xff-");
        let message = String::from_utf8_lossy(&stderr);
        assert!(
            !status.success() && stdout.is_empty() && message.contains(words),
            "{line}: {message}"
        );
    }
}
