//! Errors as objects: what a program finds in them.

use pencil_tennis::hidden::{GameTree, HiddenProof};
use pencil_tennis::report::{PolicyFormat, read_game_policy};
use pencil_tennis::stochastic_game::StochasticGame;
use pencil_tennis::{Error, GameRecord, Player, Policy, Rules, certificate, unwatched};
use serde_json::{Value, json};

fn object(error: impl Into<Error>) -> Value {
    let error = error.into();
    let object = serde_json::to_value(error.object()).expect("an object");
    assert_eq!(
        (&object["code"], &object["message"]),
        (&error.code().into(), &error.to_string().into())
    );
    object
}

/// An object without the members that every error has.
fn fields(mut object: Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    members.retain(|name, _| name != "message");
    members.values_mut().for_each(|value| {
        if let Some(inner) = value.as_object_mut() {
            inner.remove("message");
        }
    });
    object
}

#[test]
fn a_line_of_a_game_says_what_is_wrong_with_it() {
    let refused =
        |table: &str| fields(object(GameRecord::from_table(&Rules::tennis(), table).unwrap_err()));
    let line = |number: u64, reason: Value| json!({"code": "game.record_line", "line": number, "reason": reason});
    assert_eq!(refused(""), line(1, json!({"code": "record.no_start"})));
    assert_eq!(refused("0 4 x -2"), line(1, json!({"code": "record.number", "text": "x"})));
    let after = json!({
        "code": "record.after", "bid_a": 2, "bid_b": 2, "before": "2:2@1", "after": "0:0@1", "written": "0:0@2",
    });
    assert_eq!(refused("0 4 3 -2\n1 2 1 2 2 1\n2 2 2 0 0 2"), line(3, after));
    let illegal =
        json!({"code": "game.bid_illegal", "player": "A", "bid": 5, "lowest": 1, "highest": 4});
    assert_eq!(refused("0 4 3 -2\n1 5 1 2 2 1"), line(2, illegal));
}

#[test]
fn a_game_says_where_it_is_wrong() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"s","a":["x"],"b":["y"],"endless":"0","cells":[[{"to":[["1/2","s"],["1/3","t"]]}]]}
{"id":"t","value":"1"}"#;
    let refused = |text: &str| fields(object(StochasticGame::read(text.as_bytes()).unwrap_err()));
    let at = json!({"line": 2, "state": "s", "actions": ["x", "y"]});
    assert_eq!(refused(text), json!({"code": "stochastic_game.sum", "sum": "5/6", "at": at}));
    let expected = "one of `id`, `value`, `a`, `b`, `endless`, `cells`, `picture`";
    let unknown = json!({"code": "line.unknown", "field": "sum", "expected": expected, "column": 15, "at": {"line": 3, "state": "t"}});
    let right = text.replace("1/3", "1/2");
    assert_eq!(refused(&right.replace(r#""id":"t","value""#, r#""id":"t","sum""#)), unknown);
    let game = StochasticGame::read(right.as_bytes()).expect("a game");
    let refused = |csv: &str| fields(object(read_game_policy(&game, csv.as_bytes()).unwrap_err()));
    let unknown = json!({
        "code": "stochastic_game.action_unknown", "player": "A", "action": "z", "name": "s", "known": "expected `x`", "at": {"line": 2},
    });
    assert_eq!(refused("state,player,action,probability\ns,A,z,1\n"), unknown);
    let twice = json!({
        "code": "stochastic_game.policy", "player": "A", "reason": {"code": "actions.twice", "action": "x"}, "at": {"state": "s"},
    });
    assert_eq!(refused("state,player,action,probability\ns,A,x,1\ns,A,x,1\n"), twice);
}

#[test]
fn a_policy_says_which_number_is_wrong() {
    let refused = |csv: &str| {
        let csv = format!("a,b,ball,player,bid,probability\n{csv}");
        fields(object(
            PolicyFormat::Csv.read(csv.as_bytes(), &Rules::tennis(), [2, 2]).unwrap_err(),
        ))
    };
    let reason = json!({"code": "bids.number", "bid": 1, "number": -1.0});
    assert_eq!(
        refused("2,2,0,A,1,-1\n"),
        json!({"code": "policy.distribution", "player": "A", "state": "2:2@0", "reason": reason})
    );
    // JSON has no NaN: it is a word.
    let nan = Policy::from_weights(
        &Rules::tennis(),
        [2, 2],
        &[Player::A],
        &mut unwatched,
        |_, _, weights| {
            weights.fill(f64::NAN);
        },
    )
    .unwrap_err();
    assert_eq!(
        fields(object(nan))["reason"],
        json!({"code": "bids.weight", "bid": 1, "number": "NaN"})
    );
    let weights = PolicyFormat::WeightsCsv
        .read(b"0,0,0\n\n0,\xff,0\n", &Rules::tennis(), [2, 2])
        .unwrap_err();
    let not_text = json!({"code": "table.not_text", "line": 3});
    assert_eq!(fields(object(weights)), json!({"code": "policy.file", "reason": not_text}));
    let expected = "a whole number from 0";
    let entry = json!({"code": "table.entry", "line": 2, "column": "bid", "text": "many", "expected": expected});
    assert_eq!(refused("2,2,0,A,many,1\n"), json!({"code": "policy.file", "reason": entry}));
}

/// The places of numbers in a certificate are those in `docs/certificate.md`: version, field,
/// motion, mirror flag, the points of both players, five payoffs; then the strategies, the first of
/// which is A's at `1:0@-2`.
#[test]
fn a_certificate_says_where_it_is_wrong() {
    let sound = pencil_tennis::solve(2)
        .expect("a solution")
        .certificate(&mut unwatched)
        .expect("nobody cancels");
    let content = &sound[..sound.len() - 4];
    let refused = |content: &[u8]| {
        let mut bytes = content.to_vec();
        bytes.extend(crc32fast::hash(content).to_le_bytes());
        let object = fields(object(certificate::verify(&bytes).unwrap_err()));
        assert_eq!(object["code"], "certificate.invalid");
        object["reason"].clone()
    };
    let changed = |place: usize, bytes: &[u8]| {
        let mut content = content.to_vec();
        content[place..place + bytes.len()].copy_from_slice(bytes);
        refused(&content)
    };
    assert_eq!(refused(&content[..3]), json!({"code": "certificate.short"}));
    assert_eq!(
        fields(object(certificate::verify(content).unwrap_err()))["reason"]["code"],
        "certificate.checksum"
    );
    assert_eq!(changed(0, b"X"), json!({"code": "certificate.letters"}));
    assert_eq!(changed(8, &[9]), json!({"code": "certificate.version", "version": 9, "latest": 3}));
    assert_eq!(
        changed(8, &[2]),
        json!({"code": "certificate.rules_version", "version": 2, "needed": 1})
    );
    assert_eq!(changed(16, &[77]), json!({"code": "header.motion", "number": 77}));
    assert_eq!(changed(17, &[7]), json!({"code": "header.mirror_flag", "flag": 7}));
    assert_eq!(changed(18, &[0]), json!({"code": "header.points", "a": 0, "b": 2}));
    assert_eq!(changed(12, &[0]), json!({"code": "game.field_size", "field": 0, "largest": 99}));
    assert_eq!(changed(18, &[255]), json!({"code": "certificate.few_states"}));
    assert_eq!(
        refused(&[content, &[0]].concat()),
        json!({"code": "certificate.surplus", "bytes": 1})
    );
    assert_eq!(refused(&content[..content.len() - 1]), json!({"code": "certificate.ends"}));
    let strategy = 8 + 4 + 4 + 1 + 1 + 4 + 4 + 5 * 16;
    let size = json!({"code": "certificate.size", "state": "1:0@-2", "player": "A", "size": 9});
    assert_eq!(changed(strategy, &[9]), size);
    let bid = json!({"code": "certificate.bid", "state": "1:0@-2", "player": "A", "bid": 9});
    assert_eq!(changed(strategy + 2, &[9]), bid);
}

/// A chooses one of two ends, and names the better one.
#[test]
fn a_certificate_of_hidden_information_says_where_it_is_wrong() {
    let sound = r#"{"format":"hidden-game-proof","version":1,"lower":"2","upper":"2"}
["A","s",["x","y"]]
["end","2"]
["end","1"]
["weights","A","s",["1","0"]]
"#;
    let refused = |from: &str, to: &str| {
        let text = sound.replacen(from, to, 1);
        let object = fields(object(HiddenProof::verify(text.as_bytes()).unwrap_err()));
        assert_eq!(object["code"], "hidden.certificate");
        (object["line"].clone(), object["reason"].clone())
    };
    assert!(HiddenProof::verify(sound.as_bytes()).is_ok());
    let line = |number: u64, reason: Value| (json!(number), reason);
    assert_eq!(refused(sound, ""), line(1, json!({"code": "hidden_file.empty"})));
    assert_eq!(
        refused("-proof", ""),
        line(1, json!({"code": "hidden_file.format", "expected": "hidden-game-proof"}))
    );
    assert_eq!(refused(":1,", ":2,"), line(1, json!({"code": "hidden_file.version", "known": 1})));
    assert_eq!(
        refused(r#""2","#, "2,"),
        line(1, json!({"code": "hidden_file.type", "expected": "a fraction as text"}))
    );
    assert_eq!(
        refused(r#""end","2""#, r#""end","z""#),
        line(3, json!({"code": "stochastic_game.number", "text": "z"}))
    );
    assert_eq!(
        refused("[\"end\",\"1\"]\n", ""),
        line(4, json!({"code": "hidden.incomplete", "node": 1, "missing": 1}))
    );
    assert_eq!(
        refused(r#"A","s",["1"#, r#"B","s",["1"#),
        line(5, json!({"code": "hidden_file.weights", "player": "A", "set": "s"}))
    );
    assert_eq!(refused(r#"["1","#, r#"["-1","#), line(5, json!({"code": "hidden_file.weight"})));
    assert_eq!(refused(r#""0"]]"#, "\"0\"]]\n[]"), line(6, json!({"code": "hidden_file.end"})));
    assert_eq!(
        refused(r#""lower":"2""#, r#""lower":"3""#),
        (Value::Null, json!({"code": "hidden_file.lower", "lower": "3"}))
    );
    assert_eq!(
        refused(r#""upper":"2""#, r#""upper":"3/2""#),
        (Value::Null, json!({"code": "hidden_file.upper", "upper": "3/2"}))
    );
    let tree = fields(object(GameTree::read(&b"["[..]).unwrap_err()));
    assert_eq!((&tree["code"], &tree["line"]), (&json!("hidden.tree_file"), &json!(1)));
    assert_eq!(tree["reason"]["code"], "hidden_file.json");
}

/// The codes of both crates' lists of faults.
fn codes() -> Vec<String> {
    let lists = ["src/error/code.rs", "crates/stochastic-game/src/error/code.rs"];
    let quoted = |line: &str| Some(line.split_once("=> \"")?.1.split_once('"')?.0.to_owned());
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let codes = |list: &&str| {
        let source = std::fs::read_to_string(root.join(list)).expect("a list");
        source.lines().filter_map(quoted).collect::<Vec<_>>()
    };
    lists.iter().flat_map(codes).collect()
}

#[test]
fn every_code_is_one_faults() {
    let named = |word: &str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    let is_code =
        |code: &str| code.split_once('.').is_some_and(|(part, fault)| named(part) && named(fault));
    let codes = codes();
    assert!(codes.len() > 200 && codes.iter().all(|code| is_code(code)), "{codes:?}");
    assert_eq!(codes.iter().collect::<std::collections::BTreeSet<_>>().len(), codes.len());
}
