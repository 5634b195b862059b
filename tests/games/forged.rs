//! Certificates that break one rule each: valid but for that rule, in units so large that one of
//! them tells.
//!
//! `forged.json` has them, each as a change of a sound one: `forged.py` makes the same files for
//! the checker in Python, and the tests of the Python package read them as well. Those that do not
//! change the game are tried with a digest in its place, too.

use std::path::Path;
use std::process::Command;

use num_bigint::BigInt;
use num_integer::Integer;
use pencil_tennis::Enclosure;
use pencil_tennis::stochastic_game::{
    GameRules, Kind, Node, Outcomes, StochasticGame, StochasticProof, StochasticSolver,
};
use serde_json::{Map, Value, json};

use crate::kernels::Fraction;

type Fields = Map<String, Value>;

/// The sound certificates, each with its changes.
fn all() -> Vec<Value> {
    let mut all: Vec<Value> = serde_json::from_str(include_str!("forged.json")).unwrap();
    for state in all.iter_mut().flat_map(|base| base["states"].as_array_mut().unwrap()) {
        repeat_first_actions(state);
    }
    all
}

/// Writes out the tables of states with very many actions: a player's first action is there as
/// often as `times` says.
fn repeat_first_actions(state: &mut Value) {
    let Some(Value::Object(times)) = state.as_object_mut().unwrap().remove("times") else { return };
    for (player, times) in times {
        let times = times.as_u64().unwrap() as usize;
        let names = state[&player].as_array_mut().unwrap();
        let first = text(&names[0]).to_owned();
        names.splice(0..1, (0..times).map(|number| json!(format!("{first}{number}"))));
        let rows = state["cells"].as_array_mut().unwrap();
        let repeat = |list: &mut Vec<Value>| drop(list.splice(0..1, vec![list[0].clone(); times]));
        if player == "a" {
            repeat(rows);
        } else {
            rows.iter_mut().map(|row| row.as_array_mut().unwrap()).for_each(repeat);
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// An object with other fields; one that becomes nothing goes.
fn changed(fields: &Value, change: &Value) -> Value {
    let mut fields = fields.as_object().unwrap().clone();
    for (name, value) in change.as_object().unwrap_or(&Map::new()) {
        fields.insert(name.clone(), value.clone());
    }
    fields.retain(|_, value| !value.is_null());
    Value::Object(fields)
}

/// A number in units that are 2^`finer` times finer; before it as many zeros as it says, as in
/// `0*20:7`.
fn in_finer_units(number: &Value, finer: u64) -> Value {
    let Some(written) = number.as_str() else { return number.clone() };
    let (zeros, digits) =
        written.strip_prefix("0*").and_then(|rest| rest.split_once(':')).unwrap_or(("0", written));
    let are_digits =
        digits.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<BigInt> = digits.parse().ok().filter(|_| finer > 0 && are_digits);
    json!(
        "0".repeat(zeros.parse().unwrap())
            + &number.map_or(digits.to_owned(), |number| (number << finer).to_string())
    )
}

/// The proof of a state with bounds and weights in finer units.
fn finer(mut proof: Value, [bounds, weights]: [u64; 2]) -> Value {
    for value in proof.as_object_mut().unwrap().values_mut() {
        match value {
            Value::Array(pairs) => {
                for pair in pairs {
                    pair[1] = in_finer_units(&pair[1], weights);
                }
            }
            number => *number = in_finer_units(number, bounds),
        }
    }
    proof
}

/// In finer units by so much the same is a certificate of version 2.
const LONGER: u64 = 300;

/// The certificate of a game, with one change; one of version 1 becomes one of version 2 if it is
/// to be `longer`.
fn certificate(base: &Value, change: &Value, by_digest: bool, longer: bool) -> String {
    let states = list(&base["states"]);
    // With a digest one line is for all states that are the same.
    let has_line = |state: &&Value| !by_digest || base["exchanged"][text(&state["id"])].is_null();
    let by = [&change["finer"][0], &change["finer"][1]].map(|by| by.as_u64().unwrap_or(0));
    let by = [by[0], by[1] + if longer { LONGER } else { 0 }];
    let proofs: Vec<Value> = states
        .iter()
        .filter(has_line)
        .map(|state| text(&state["id"]))
        .map(|name| finer(changed(&base["proofs"][name], &change["proofs"][name]), by))
        .collect();
    let weights = if longer { Some(62) } else { base["weight_exponent"].as_u64() };
    let header = json!({
        "format": "stochastic-game-proof", "version": 1 + u32::from(weights.is_some()), "states": proofs.len(),
        "exponent": base["exponent"].as_u64().unwrap() + by[0], "weight_exponent": weights.map(|weights| weights + by[1]),
        "digest": by_digest.then(|| &base["digest"]),
    });
    let mut lines = vec![changed(&header, &change["header"])];
    if !by_digest {
        lines.extend(game(base, change));
    }
    lines.extend(proofs);
    lines.extend(best_payoffs(base, change));
    lines.truncate(lines.len() - change["without"].as_u64().unwrap_or(0) as usize);
    if change["twice"] == 1 {
        lines.push(lines[lines.len() - 1].clone());
    }
    match list(&change["replace"]) {
        [from, to] => written(&lines).replacen(text(from), text(to), 1),
        _ => written(&lines),
    }
}

/// The second part of a certificate: the claims of best payoffs, with one change. The order of
/// states is that of the game.
fn best_payoffs(base: &Value, change: &Value) -> Vec<Value> {
    let Some(claims) = base["best"].as_object() else { return Vec::new() };
    let players: Vec<&str> =
        ["a", "b"].into_iter().filter(|player| claims.contains_key(*player)).collect();
    let header = json!({ "format": "stochastic-game-best-payoffs", "version": 1, "players": players.concat().to_uppercase() });
    let mut lines = vec![changed(&header, &change["best"]["header"])];
    for player in players {
        for state in list(&base["states"]) {
            let name = text(&state["id"]);
            lines.push(changed(&claims[player][name], &change["best"][player][name]));
        }
    }
    lines
}

/// The lines of a game, with one change; nothing for one that is empty.
fn game(base: &Value, change: &Value) -> Vec<Value> {
    let head = changed(&json!({ "format": "stochastic-game", "version": 1 }), &base["game"]);
    let states = list(&base["states"])
        .iter()
        .map(|state| changed(state, &change["states"][text(&state["id"])]));
    let empty = (change["empty line"] == true).then_some(Value::Null);
    [changed(&head, &change["game"])].into_iter().chain(states).chain(empty).collect()
}

fn written(lines: &[Value]) -> String {
    lines
        .iter()
        .map(|line| if line.is_null() { "\n".to_owned() } else { line.to_string() + "\n" })
        .collect()
}

/// A game of the file by its name, as text and as rules.
pub(crate) fn named(name: &str) -> (String, Table) {
    let base = all().into_iter().find(|base| base["name"] == name).unwrap();
    (written(&game(&base, &Value::Null)), Table::new(&base))
}

/// The rules of a game that is written down; states are their places.
#[derive(Debug)]
pub(crate) struct Table {
    kind: Kind,
    game: Fields,
    states: Vec<Value>,
    exchanged: Value,
}

impl Table {
    fn new(base: &Value) -> Self {
        let game = base["game"].as_object().unwrap().clone();
        let kind = text(&game["kind"]).parse().unwrap();
        Self {
            kind,
            game,
            states: list(&base["states"]).to_vec(),
            exchanged: base["exchanged"].clone(),
        }
    }

    fn place(&self, name: &Value) -> usize {
        self.states.iter().position(|state| state["id"] == *name).unwrap()
    }
}

fn number(written: &Value) -> Fraction {
    written.as_str().unwrap_or("0").parse().unwrap()
}

impl GameRules for Table {
    type State = usize;

    fn starts(&self) -> Vec<usize> {
        list(&self.game["start"]).iter().map(|name| self.place(name)).collect()
    }

    fn node(&self, &state: &usize) -> Node {
        let state = &self.states[state];
        if state["value"].is_null() {
            Node::Choose { a: list(&state["a"]).len(), b: list(&state["b"]).len() }
        } else {
            Node::Over(number(&state["value"]))
        }
    }

    fn after(&self, &state: &usize, a: usize, b: usize, outcomes: &mut Outcomes<usize>) {
        let cell = &self.states[state]["cells"][a][b];
        let to: Vec<(Fraction, usize)> = list(&cell["to"])
            .iter()
            .map(|outcome| (number(&outcome[0]), self.place(&outcome[1])))
            .collect();
        let common =
            to.iter().fold(1.into(), |common: BigInt, (share, _)| common.lcm(share.denom()));
        for (share, next) in to {
            outcomes.by_chance((share * &common).to_integer().try_into().unwrap(), next);
        }
        let reward = number(&cell["reward"]);
        outcomes.reward_fraction(
            reward.numer().try_into().unwrap(),
            reward.denom().try_into().unwrap(),
        );
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn discount(&self) -> Fraction {
        self.game.get("discount").map_or_else(|| Fraction::from_integer(1.into()), number)
    }

    fn endless(&self, &state: &usize) -> Fraction {
        number(&self.states[state]["endless"])
    }

    fn canonical(&self, state: usize) -> (usize, bool) {
        let other = &self.exchanged[text(&self.states[state]["id"])];
        if other.is_null() { (state, false) } else { (self.place(other), true) }
    }

    fn index(&self, &state: &usize) -> usize {
        state
    }

    fn index_limit(&self) -> usize {
        self.states.len()
    }

    fn name(&self, &state: &usize) -> String {
        text(&self.states[state]["id"]).to_owned()
    }
}

/// Bounds of the states whose values are known, or why the certificate is refused.
fn verified(
    base: &Value,
    certificate: &str,
    by_digest: bool,
) -> Result<Vec<(Enclosure, Fraction)>, String> {
    let values =
        base["values"].as_object().unwrap().iter().map(|(name, value)| (name, number(value)));
    if by_digest {
        let table = Table::new(base);
        let places: Vec<usize> =
            values.clone().map(|(name, _)| table.place(&json!(name))).collect();
        let proof = StochasticProof::verify_by(table, certificate.as_bytes())
            .map_err(|error| error.to_string())?;
        Ok(places
            .iter()
            .zip(values)
            .map(|(place, (_, value))| (proof.enclosure(place).unwrap(), value))
            .collect())
    } else {
        let proof =
            StochasticProof::verify(certificate.as_bytes()).map_err(|error| error.to_string())?;
        let bounds = |name: &str| proof.enclosure(&proof.game().place(name).unwrap()).unwrap();
        Ok(values.map(|(name, value)| (bounds(name), value)).collect())
    }
}

#[test]
fn certificates_keep_every_rule() {
    let mut tried = [0; 2];
    for base in all() {
        let sound = [json!({ "rule": "sound" })];
        for change in sound.iter().chain(list(&base["changed"])) {
            for (by_digest, longer) in [(false, false), (true, false), (false, true), (true, true)]
            {
                // Other rules have another digest; rules in code know no uncertain probabilities,
                // and have none.
                let is_other = change["game"].is_object()
                    || change["states"].is_object()
                    || base["digest"].is_null();
                let is_other = by_digest && is_other;
                if is_other
                    || (longer && (base["weight_exponent"].is_u64() || change["version"] == 1))
                {
                    continue;
                }
                let found =
                    verified(&base, &certificate(&base, change, by_digest, longer), by_digest);
                let rule = format!(
                    "{}: {}, digest {by_digest}, longer {longer}",
                    base["name"], change["rule"]
                );
                let expected =
                    &change[if by_digest { "with digest" } else { "with game" }]["verify"];
                let words = expected.as_str().or(change["verify"].as_str());
                match (found, words) {
                    (Ok(bounds), None) => {
                        for (enclosure, value) in bounds {
                            assert!(
                                enclosure.contains(&value),
                                "{rule}: {value} is not in {:?}",
                                enclosure.decimal()
                            );
                        }
                    }
                    (Err(sentence), Some(words)) => {
                        assert!(sentence.contains(words), "{rule}: {sentence}");
                    }
                    (found, words) => {
                        panic!("{rule}: {words:?} is expected, and found is {found:?}")
                    }
                }
                tried[usize::from(words.is_some())] += 1;
            }
        }
    }
    assert!(tried[0] >= 40 && tried[1] >= 300, "{tried:?}");
}

/// The same files, made anew by another program, which shares nothing with the library.
#[test]
fn the_checker_in_python_keeps_the_same_rules() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forged");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/forged.py");
    let output = Command::new("python3").args(["-B", program]).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let count: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    assert!(count >= 340, "{count}");
}

/// Files of games may begin with a byte-order mark. The other checkers refuse one within a
/// certificate, and so does this one.
#[test]
fn a_byte_order_mark_within_a_certificate_is_refused() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
        {"id":"e","value":"1"}
        {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1","e"]]}]]}"#;
    let solution =
        StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).solve().unwrap();
    let mut certificate = Vec::new();
    solution.write_certificate(&mut certificate).unwrap();
    StochasticProof::verify(&certificate[..]).unwrap();
    let lines: Vec<&[u8]> = certificate.split_inclusive(|byte| *byte == b'\n').collect();
    for place in 0..lines.len() {
        let (before, after) = (lines[..place].concat(), lines[place..].concat());
        let marked = [&before[..], "\u{feff}".as_bytes(), &after].concat();
        assert!(StochasticProof::verify(&marked[..]).is_err(), "before line {}", place + 1);
    }
}
