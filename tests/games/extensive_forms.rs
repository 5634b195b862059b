//! Gambit's extensive forms: random trees against a solver of trees in fractions, and refusals with
//! their lines.

use std::fmt::Write;
use std::ops::ControlFlow;

use num_traits::Zero;
use pencil_tennis::Error;
use pencil_tennis::model_checking::Probabilities;
use pencil_tennis::report::ExtensiveForm;
use pencil_tennis::stochastic_game::{StochasticGame, StochasticSolver};

use crate::kernels::{Fraction, kernels};
use crate::random_games::{fraction, numbers};

/// Writes trees in prefix order, and knows their values.
struct Writer<'n> {
    next: &'n mut dyn FnMut(u64) -> u64,
    text: String,
    /// The number of information sets, and of outcomes.
    sets: usize,
    outcomes: usize,
}

impl Writer<'_> {
    /// A new outcome or none; its payoff to player 1, of 7 for both together at an end.
    fn outcome(&mut self, is_end: bool) -> Fraction {
        if !is_end && (self.next)(2) == 0 {
            self.text.push_str("0\n");
            return Fraction::zero();
        }
        self.outcomes += 1;
        let (payoff, sum) =
            (fraction((self.next)(19) as i64 - 9, 4), fraction(if is_end { 7 } else { 0 }, 1));
        writeln!(self.text, "{} \"\" {{ {payoff}, {} }}", self.outcomes, sum - &payoff)
            .expect("room");
        payoff
    }

    /// A tree of so many turns; its value.
    fn tree(&mut self, turns: u64) -> Fraction {
        if turns == 0 || (self.next)(6) == 0 {
            self.text.push_str("t \"\" ");
            return self.outcome(true);
        }
        self.sets += 1;
        let set = self.sets;
        match (self.next)(4) {
            0 => {
                write!(self.text, "c \"\" {set} \"\" {{ \"x\" 1/3 \"y\" 0.25 \"z\" 5/12 }} ")
                    .expect("room");
                let paid = self.outcome(false);
                let shares = [fraction(1, 3), fraction(1, 4), fraction(5, 12)];
                shares.into_iter().map(|share| share * self.tree(turns - 1)).sum::<Fraction>()
                    + paid
            }
            1 => {
                let player = 1 + (self.next)(2);
                write!(self.text, "p \"\" {player} {set} \"\" {{ \"l\" \"\" \"r\" }} ")
                    .expect("room");
                let paid = self.outcome(false);
                let values = [(); 3].map(|()| self.tree(turns - 1)).into_iter();
                (if player == 1 { values.max() } else { values.min() }).expect("three") + paid
            }
            _ => {
                let first = 1 + (self.next)(2);
                write!(self.text, "p \"\" {first} {set} \"\" {{ \"l\" \"r\" }} ").expect("room");
                let paid = self.outcome(false);
                self.sets += 1;
                let second = self.sets;
                let row = |writer: &mut Self, actions: &str| -> Vec<Fraction> {
                    write!(writer.text, "p \"node\" {} {second} {actions} ", 3 - first)
                        .expect("room");
                    let paid = writer.outcome(false);
                    (0..3).map(|_| writer.tree(turns - 1) + &paid).collect()
                };
                let rows = [row(self, "\"\" { \"u\" \"m\" \"d\" }"), row(self, "")];
                let columns = |column: usize| rows.iter().map(|row| row[column].clone()).collect();
                let matrix = if first == 1 { rows.to_vec() } else { (0..3).map(columns).collect() };
                kernels(&matrix).next().expect("every game has a value").0 + paid
            }
        }
    }
}

fn read_game(file: &str, bytes: &[u8]) -> Result<StochasticGame, Error> {
    ExtensiveForm::read(file, bytes, Probabilities::Exact)?.simultaneous_game()
}

#[test]
fn trees_have_the_values_of_their_definition() {
    let mut simultaneous = 0;
    for seed in 0..60 {
        let mut next = numbers(seed);
        let mut writer = Writer {
            next: &mut next,
            text: "EFG 2 R \"a \\\"tree\\\"\" { \"A\" \"B\" }\n\"comment\"\n".into(),
            sets: 0,
            outcomes: 0,
        };
        let value = writer.tree(4);
        simultaneous += writer.text.matches("\"node\"").count();
        let game = read_game("tree.efg", writer.text.as_bytes()).expect("a tree");
        let solution = StochasticSolver::new(game).solve().expect("a solution");
        let exact = solution.exact(4_096, &mut |_| ControlFlow::Continue(())).expect("fractions");
        let root = solution.game().place("1").expect("the root");
        assert_eq!(exact.value(&root).expect("a state"), Some(value), "{seed}: {}", writer.text);
    }
    assert!(simultaneous > 200, "{simultaneous}");
}

/// Players who do not know what chance chose, or what they chose themselves, though as many nodes
/// follow as there would be of simultaneous moves. As simultaneous games they would have other
/// values.
#[test]
fn hidden_information_is_refused_in_any_place() {
    let head = "EFG 2 R \"hidden\" { \"A\" \"B\" }\n";
    let (one, two) = ("{ \"H\" \"T\" }", "{ \"h\" \"t\" }");
    let ends = |outcomes: [u32; 4]| outcomes.map(|outcome| format!("t \"\" {outcome}\n"));
    let outcome = |number: u32, a: i32| format!("t \"\" {number} \"\" {{ {a} {} }}\n", -a);
    // Chance draws a game; player 2 sees what player 1 chose, but not which game it is.
    let [e, f, g, h] = ends([2, 1, 1, 2]);
    let drawn = format!(
        "{head}c \"\" 1 \"\" {{ \"x\" 1/2 \"y\" 1/2 }} 0\n\
         p \"\" 1 1 \"\" {one} 0\np \"\" 2 1 \"\" {two} 0\n{}{}p \"\" 2 2 \"\" {two} 0\n{e}{f}\
         p \"\" 1 2 \"\" {one} 0\np \"\" 2 1 0\n{e}{f}p \"\" 2 2 0\n{g}{h}",
        outcome(1, 1),
        outcome(2, 0)
    );
    // Player 1 chooses, then player 2 without having seen it, and then player 1 without having seen
    // player 2's choice.
    let later = |set: u32, outcomes: [u32; 4]| {
        let [e, f, g, h] = ends(outcomes);
        format!("p \"\" 1 {set} \"\" {one} 0\n{e}{f}p \"\" 1 {set} 0\n{g}{h}")
    };
    let hidden = format!(
        "p \"\" 1 2 \"\" {one} 0\n{}{}p \"\" 1 2 0\nt \"\" 2\nt \"\" 1\n",
        outcome(1, 1),
        outcome(2, 0)
    );
    let blind = format!(
        "{head}p \"\" 1 1 \"\" {one} 0\np \"\" 2 1 \"\" {two} 0\n{hidden}p \"\" 2 1 0\n{}",
        later(3, [2, 1, 1, 2])
    );
    for (text, expected) in [
        (drawn, "player 2 cannot tell node 3 from node 10"),
        (blind, "player 1 cannot tell node 3 from node 6"),
    ] {
        let refused =
            read_game("t.efg", text.as_bytes()).expect_err("hidden information").to_string();
        assert!(refused.contains(expected), "{refused}\n{text}");
    }
}

#[test]
fn trees_that_do_not_fit_are_refused_with_the_line() {
    const PENNIES: &str = "EFG 2 R \"pennies\" { \"A\" \"B\" }\np \"\" 1 1 \"\" { \"H\" \"T\" } 0\np \"\" 2 1 \"\" { \"h\" \"t\" } 0\n\
        t \"\" 1 \"\" { 1 -1 }\nt \"\" 2 \"\" { 0 0 }\np \"\" 2 1 0\nt \"\" 2\nc \"\" 1 \"\" { \"x\" 1/2 \"y\" 0.5 } 0\nt \"\" 1\nt \"\" 2\n";
    let read = |text: &str| {
        read_game("t.efg", text.as_bytes())
            .map(|game| game.len())
            .map_err(|error| error.to_string())
    };
    // Both nodes of player 2 are one state with the first.
    assert_eq!(read(PENNIES), Ok(7));
    let mut wrong = Vec::new();
    for (from, to, expected) in [
        ("EFG", "NFG", "line 1: `NFG` stands where EFG"),
        ("EFG 2", "EFG 1", "line 1: `1` stands where version 2"),
        ("\"B\" }", "\"B\" \"C\" }", "line 1: it has 3 players"),
        ("\"pennies\"", "\"pennies", "quotation mark"),
        ("p \"\" 1", "q \"\" 1", "line 2: `q` begins no node"),
        ("p \"\" 1", "p \"\" 3", "line 2: there is no player `3`"),
        (
            "p \"\" 1 1 \"\" { \"H\" \"T\" } 0",
            "p \"\" 1 1 0",
            "line 2: information set 1 is not described",
        ),
        ("{ \"H\" \"T\" }", "{ }", "line 2: an information set has no actions"),
        (
            "p \"\" 2 1 0",
            "p \"\" 2 1 \"\" { \"h\" \"s\" } 0",
            "line 6: information set 1 is described in another way than in line 3",
        ),
        ("p \"\" 2 1 0", "p \"\" 2 1 7", "line 6: outcome 7 is not described"),
        ("{ 1 -1 }", "{ 1 -1 0 }", "line 4: an outcome has 3 payoffs"),
        ("{ 1 -1 }", "{ 1 one }", "line 4: `one` is no number"),
        (
            "{ 1 -1 }",
            "{ 1 1 }",
            "line 5: both players' payoffs sum to 0, and to 2 in line 4; expected a constant sum",
        ),
        ("\"y\" 0.5", "\"y\" 0.25", "line 8: the probabilities are negative or sum to 3/4"),
        ("\"x\" 1/2 \"y\" 0.5", "\"x\" 3/2 \"y\" -0.5", "line 8: the probabilities are negative"),
        ("t \"\" 1\nt \"\" 2\n", "t \"\" 1\n", "line 8: 1 actions of node 7 have no successor"),
        (
            "t \"\" 1\nt \"\" 2\n",
            "t \"\" 1\nt \"\" 2\nt \"\" 2\n",
            "line 11: the tree is complete with 9 nodes",
        ),
        (
            "t \"\" 1\nt \"\" 2\n",
            "t \"\" 1\nt \"\"",
            "it ends where the number of an outcome is expected",
        ),
        ("t \"\" 2\nc", "t 2\nc", "line 7: `2` stands where the name of a node"),
        // A player who does not know what chance, or the player's own past, chose.
        (
            "c \"\" 1 \"\" { \"x\" 1/2 \"y\" 0.5 } 0\nt \"\" 1",
            "p \"\" 2 1 0\nt \"\" 1",
            "line 3: player 2 cannot tell node 2 from node 5 of line 6",
        ),
        (
            "p \"\" 1 1 \"\" { \"H\" \"T\" } 0",
            "c \"\" 5 \"\" { \"H\" 1/2 \"T\" 0.5 } 0",
            "cannot tell",
        ),
        ("p \"\" 1 1 \"\" { \"H\" \"T\" } 0", "p \"\" 2 2 \"\" { \"H\" \"T\" } 0", "cannot tell"),
    ] {
        let damaged = PENNIES.replacen(from, to, 1);
        assert_ne!(damaged, PENNIES, "{from}");
        match read(&damaged) {
            Err(refused) if refused.contains(expected) && refused.starts_with("t.efg") => {}
            other => wrong.push(format!("{to}: {other:?}")),
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(read("").unwrap_err().contains("it ends where EFG"));
    assert!(read("EFG 2 R \"\" { \"A\" \"B\" }").unwrap_err().contains("it has no nodes"));
    // A path of many turns does not exhaust the stack.
    let long = "p \"\" 1 1 \"\" { \"a\" } 0\n".to_owned();
    let path: String = (1..50_000).map(|set| long.replace("1 1", &format!("1 {set}"))).collect();
    assert_eq!(
        read(&format!("EFG 2 R \"\" {{ \"A\" \"B\" }}\n{path}t \"\" 1 \"\" {{ 1 -1 }}")),
        Ok(50_000)
    );
}
