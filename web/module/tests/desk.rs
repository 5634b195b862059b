//! Questions as the page asks them.

use pencil_tennis_web::Desk;
use serde_json::{Value, json};

/// A desk with Tennis for these points.
fn tennis(points: [u32; 2]) -> Desk {
    let mut desk = Desk::default();
    let rules = json!({"field": 2, "motion": "net", "scoring": "two-one"});
    ask(&mut desk, &json!({"ask": "solve", "points": points, "rules": rules, "exact_bits": 64}));
    desk
}

fn ask(desk: &mut Desk, question: &Value) -> Value {
    let answer = serde_json::from_str(&desk.answer(&question.to_string(), &[], |_| ()).json);
    answer.expect("an answer is JSON")
}

/// The article's example: its matrix by hand, and the equaliser of its rows 2 and 3.
#[test]
fn the_example_of_the_article() {
    let mut desk = tennis([4, 4]);
    let state = ask(&mut desk, &json!({"ask": "state", "state": "4:3@-2"}));
    assert_eq!(
        state["matrix"],
        json!([[1.0, -2.0, -2.0], [1.0, 1.0, -2.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 1.0]])
    );
    let loss = |player: &str, bid_index: usize| {
        state["worth"][player][bid_index]["loss"].as_f64().expect("a number")
    };
    assert_eq!(
        [0, 1, 2, 3].map(|bid_index| loss("a", bid_index)),
        [0.0; 4],
        "against 1 and 3 all of A's bids come to -1/5"
    );
    assert!((loss("b", 1) - 1.2).abs() < 1e-12, "2 lets A win 1");
    assert_eq!(state["best_replies"][0], json!([[0, 1], [1, 2], [2, 3]]));
    assert_eq!(state["best_replies"][1], json!([[1, 2], [2], [0], [0, 1]]));
    assert_eq!(state["ball_after"], json!([1, -2, -3]));
    let exact = ask(&mut desk, &json!({"ask": "exact", "state": "4:3@-2"}));
    assert_eq!(exact["exact"]["value"], "-1/5");
    assert_eq!(
        exact["exact"]["a"],
        json!([{"bid": 2, "probability": "2/5"}, {"bid": 3, "probability": "3/5"}])
    );
}

/// In the German encyclopedia's first example A wins with the ball on B's side.
#[test]
fn a_written_game_is_read_and_judged() {
    let mut desk = tennis([50, 50]);
    let text = "0 50 50 0\n1 5 10 45 40 -1\n2 5 10 40 30 -2\n3 15 10 25 20 1\n4 15 10 10 10 2\n5 10 10 0 0 2";
    let written = ask(&mut desk, &json!({"ask": "read", "text": text}));
    assert_eq!(written["bids"], json!([[5, 10], [5, 10], [15, 10], [15, 10], [10, 10]]));
    let played = ask(
        &mut desk,
        &json!({"ask": "replay", "start": written["start"], "bids": written["bids"]}),
    );
    assert_eq!((&played["outcome"], &played["payoff"]), (&json!(1), &json!(1.0)));
    let turns = played["turns"].as_array().expect("turns");
    assert_eq!(turns[0]["cost"][0], 0.0, "5 is one of the bids of the opening");
    // README: 10 costs 0.018 at the start.
    assert!((turns[0]["cost"][1].as_f64().expect("a number") - 0.018).abs() < 5e-4);
    // The table is read back as an equal game, rules included.
    let again = ask(&mut desk, &json!({"ask": "read", "text": played["table"]}));
    assert_eq!(again, written);
}

#[test]
fn a_bid_is_drawn_with_its_probability() {
    let mut desk = tennis([4, 4]);
    let mut draw = |bits: &str| {
        let question = json!({"ask": "draw", "state": "4:3@-2", "player": "A", "bidder": "optimal", "bits": bits});
        ask(&mut desk, &question)["bid"].clone()
    };
    // 2 has the first two fifths of the random numbers: 2/5 · 2⁶⁴ = 0x6666666666666666.
    assert_eq!((draw("0000000000000000"), draw("6666666600000000")), (json!(2), json!(2)));
    assert_eq!((draw("6666666700000000"), draw("ffffffffffffffff")), (json!(3), json!(3)));
}

/// Players by name are made on demand, judged and drawn from; the uniform one needs no policy.
#[test]
fn a_player_by_name_is_made_judged_and_drawn_from() {
    let mut desk = tennis([4, 4]);
    let judge = json!({"ask": "judge", "bidder": "level"});
    assert_eq!(ask(&mut desk, &judge)["error"]["code"], "page.no_policy");
    assert_eq!(
        ask(&mut desk, &json!({"ask": "level", "name": "simple:1e2"}))["name"],
        "simple:100"
    );
    assert!(ask(&mut desk, &judge)["exploitability"].as_f64().expect("a number") > 0.1);
    // A lookahead over a whole game is optimal.
    ask(&mut desk, &json!({"ask": "level", "name": "lookahead:4:nothing"}));
    assert!(ask(&mut desk, &judge)["exploitability"].as_f64().expect("a number") < 1e-12);
    let refused = ask(&mut desk, &json!({"ask": "level", "name": "nobody"}));
    assert!(
        refused["error"]["message"]
            .as_str()
            .expect("a sentence")
            .starts_with("`nobody` is not a player")
    );
    // What the page puts in words of its own: code and fields.
    let refused = ask(&mut desk, &json!({"ask": "state", "state": "3:9@0"}))["error"].clone();
    assert_eq!(
        (&refused["code"], &refused["state"], &refused["b"]),
        (&"game.outside".into(), &"3:9@0".into(), &4.into()),
        "{refused}"
    );
    let mut draw = |bidder: &str, bits: &str| {
        let question = json!({"ask": "draw", "state": "4:3@-2", "player": "A", "bidder": bidder, "bits": bits});
        ask(&mut desk, &question)["bid"].clone()
    };
    let uniform = ["0000000000000000", "4000000000000000", "bfffffffffffffff", "ffffffffffffffff"]
        .map(|bits| draw("uniform", bits));
    assert_eq!(uniform, [json!(1), json!(2), json!(3), json!(4)]);
    assert!(draw("level", "8000000000000000").is_number());
}

/// By hand, with bids from 0: A, who has the ball on B's side, wins by waiting, and B, who has
/// nothing, cannot do anything else.
#[test]
fn a_game_that_stands_still_is_decided_where_the_ball_lies() {
    let mut desk = Desk::default();
    let rules = json!({"field": 3, "motion": "step", "scoring": "win-loss", "min_bid": 0});
    let solved = ask(&mut desk, &json!({"ask": "solve", "points": [2, 1], "rules": rules}));
    assert_eq!(solved["rules"], rules);
    let state = ask(&mut desk, &json!({"ask": "state", "state": "1:0@1"}));
    assert_eq!((&state["value"], &state["matrix"]), (&json!(1.0), &json!([[1.0], [1.0]])));
    let mut draw = |state: &str, bidder: &str| {
        let question = json!({"ask": "draw", "state": state, "player": "B", "bidder": bidder, "bits": "0000000000000000"});
        ask(&mut desk, &question)
    };
    assert_eq!(draw("1:0@1", "optimal"), json!({"bid": 0, "waits": true}));
    assert_eq!(draw("0:1@1", "uniform"), json!({"bid": 0, "waits": false}));
    let mut played = |stands: bool| {
        let played = ask(
            &mut desk,
            &json!({"ask": "replay", "start": "1:0@1", "bids": [[0, 0]], "stands": stands}),
        );
        assert_eq!(
            (&played["turns"][0]["after"], &played["value"]),
            (&json!("1:0@1"), &json!(1.0))
        );
        [played["outcome"].clone(), played["payoff"].clone()]
    };
    assert_eq!((played(false), played(true)), ([Value::Null, Value::Null], [json!(1), json!(1.0)]));
    // Both wait with the ball on the net: all games end there, and none of them by itself.
    let ends = ask(
        &mut desk,
        &json!({"ask": "outcomes", "state": "1:0@3", "a": "uniform", "b": "uniform"}),
    );
    assert_eq!(
        (&ends["endless"], &ends["standstills"], &ends["ends"][0]),
        (&json!(0.0), &json!(1.0), &json!(1.0))
    );
}

/// By hand: B bids 1 or 2, each half of the time. A's 1 comes to a draw or, against 2, to a win of
/// 1; A's 2 loses 1 or draws.
#[test]
fn a_blind_game_tells_what_its_player_can_know() {
    let mut desk = tennis([4, 4]);
    let hint = json!({"ask": "blind_hint", "bids": []});
    assert_eq!(ask(&mut desk, &hint)["error"]["code"], "page.not_blind");
    ask(&mut desk, &json!({"ask": "blind", "start": "2:2@0", "player": "A", "bidder": "uniform"}));
    let expected = json!({
        "left": [2, 2], "best": [{"bid": 1, "probability": 1.0, "exact": null}], "losses": [[1, 0.0], [2, 1.0]],
    });
    assert_eq!(ask(&mut desk, &hint), expected);
    // The ball goes to A's side: B, who bid 2 of 2, has nothing left.
    assert_eq!(
        ask(&mut desk, &json!({"ask": "blind_hint", "bids": [[1, 2]]}))["left"],
        json!([0, 0])
    );
    let mut draw = |bits: &str| {
        ask(&mut desk, &json!({"ask": "blind_draw", "bids": [], "bits": bits}))["bid"].clone()
    };
    assert_eq!((draw("7fffffffffffffff"), draw("8000000000000000")), (json!(1), json!(2)));
    let played = ask(&mut desk, &json!({"ask": "blind_replay", "bids": [[2, 1], [0, 1]]}));
    assert_eq!(
        (&played["outcome"], &played["payoff"], &played["value"]),
        (&json!(3), &json!(-1.0), &Value::Null)
    );
    let turns = played["turns"].as_array().expect("turns");
    assert_eq!(turns[0]["cost"], json!([1.0, null]), "the other's bid is not judged");
    assert_eq!((&turns[0]["best"], &turns[1]["cost"]), (&json!([1]), &json!([0.0, null])));
    let large = ask(
        &mut desk,
        &json!({"ask": "blind", "start": "40:40@0", "player": "B", "bidder": "optimal"}),
    );
    assert!(
        large["error"]["message"]
            .as_str()
            .expect("a sentence")
            .contains("that is enough for 12:12 points"),
        "{large}"
    );
}

/// In symmetric positions the value is 0, however long the fractions of their strategies are.
#[test]
fn symmetry_is_known() {
    let mut desk = tennis([50, 50]);
    let start = ask(&mut desk, &json!({"ask": "state", "state": "50:50@0"}));
    assert_eq!((&start["by_symmetry"], &start["exact"]), (&json!(true), &json!("0")));
    assert_eq!(ask(&mut desk, &json!({"ask": "state", "state": "50:50@1"}))["by_symmetry"], false);
}

/// The digest of `abc` stands in the appendix of FIPS 180-2.
#[test]
fn sha_256_is_sha_256() {
    let answer = ask(&mut Desk::default(), &json!({"ask": "sha256", "text": "abc"}));
    assert_eq!(
        answer["sha256"],
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn what_is_wrong_is_said() {
    let mut desk = tennis([4, 4]);
    for (question, said) in [
        (json!({"ask": "state", "state": "5:3@0"}), "5:3@0"),
        (json!({"ask": "state", "state": "4:3@4"}), "4"),
        (json!({"ask": "nothing"}), "nothing"),
        (json!({"ask": "judge", "bidder": "judged"}), "no policy has been read"),
        (json!({"ask": "policy", "bidder": "optimal"}), "`opponent` or `judged`"),
        (
            json!({"ask": "draw", "state": "4:3@-2", "player": "A", "bidder": "optimal", "bits": "12"}),
            "`12`",
        ),
        (json!({"ask": "digest", "game": 99}), "99"),
    ] {
        let answer = ask(&mut desk, &question);
        assert!(
            answer["error"]["message"].as_str().is_some_and(|error| error.contains(said)),
            "{question}: {answer}"
        );
    }
    assert_eq!(
        ask(&mut Desk::default(), &json!({"ask": "values"}))["error"]["code"],
        "page.unsolved"
    );
}

/// Hide or run: A gets home with any probability below 1; running into a throw loses nearly all of
/// it.
#[test]
fn a_game_of_any_rules() {
    let mut desk = Desk::default();
    let mut asked = |question: Value, file: &[u8]| -> Value {
        serde_json::from_str(&desk.answer(&question.to_string(), file, |_| ()).json)
            .expect("an answer is JSON")
    };
    let text = include_bytes!("../../../assets/games/snowball.jsonl");
    assert!(
        asked(json!({"ask": "any_stage", "state": "hidden"}), &[])["error"]["code"].is_string(),
        "nothing is open"
    );
    assert_eq!(asked(json!({"ask": "any_open"}), text)["start"], json!(["hidden"]));
    let stage = asked(json!({"ask": "any_stage", "state": "hidden"}), &[]);
    assert!(stage["value"].as_f64().expect("a number") > 1.0 - 1e-9);
    assert_eq!(stage["cells"][1][0]["to"], json!([["1", "home"]]));
    assert_eq!(asked(json!({"ask": "any_find", "word": "HI"}), &[])["found"], 2);
    let near = asked(json!({"ask": "any_near", "state": "hidden"}), &[]);
    assert_eq!((near["states"].as_array().map(Vec::len), &near["hidden"]), (Some(3), &json!(0)));
    let bits = "ffffffffffffffff";
    assert_eq!(
        asked(json!({"ask": "any_next", "state": "hidden", "actions": [1, 1], "bits": bits}), &[])
            ["to"],
        "hit"
    );
    assert!(
        asked(json!({"ask": "any_next", "state": "hidden", "actions": [2, 0], "bits": bits}), &[])
            ["to"]
            .is_null()
    );
    let policy = b"state,player,action,probability\nhidden,A,run,1\n";
    assert_eq!(
        asked(json!({"ask": "any_player", "player": "A", "level": null}), policy)["known"],
        true
    );
    let drawn = json!({"ask": "any_draw", "state": "hidden", "player": "A", "bits": bits});
    assert_eq!(asked(drawn, &[])["action"], "run");
    // Who always runs is always hit.
    let judged = asked(json!({"ask": "any_judge"}), policy);
    assert_eq!(judged["players"][0]["worst_states"][0]["state"], "hidden");
    assert!(judged["players"][0]["worth"]["upper"].as_f64().expect("a number") < 1e-9);
    let large = format!(
        "{{\"format\":\"stochastic-game\",\"version\":1,\"kind\":\"acyclic\",\"start\":[\"s\"]}}\n{{\"id\":\"e\",\"value\":\"0\"}}\n{{\"id\":\"s\",\"a\":[{}],\"b\":[\"y\"],\"cells\":[{}]}}\n",
        (0..=100_000).map(|action| format!("\"{action}\"")).collect::<Vec<_>>().join(","),
        vec!["[{\"to\":[[\"1\",\"e\"]]}]"; 100_001].join(",")
    );
    assert!(
        asked(json!({"ask": "any_open"}), large.as_bytes())["error"]["message"]
            .as_str()
            .expect("a refusal")
            .contains("100000")
    );
}
