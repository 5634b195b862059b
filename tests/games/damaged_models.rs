//! Damaged files of model checkers: each is read, or refused in a sentence that names the place.
//!
//! The damage is the same on every machine. The full size is 2,000 damaged files of each format:
//!
//! ```sh
//! DAMAGED_FILES=2000 cargo test --release --test games damaged_models -- --nocapture
//! ```

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use pencil_tennis::WorkError;
use pencil_tennis::model_checking::language::{Instance, LanguageError, Model, PropertyFile};
use pencil_tennis::model_checking::{ExplicitFiles, ExplicitModel, Probabilities, Question};
use pencil_tennis::stochastic_game::Error;

use crate::random_games::numbers;

/// The most characters of a refusal: it is a sentence, and does not repeat a file.
const LONGEST: usize = 1_000;

/// Games and models that take more bytes are refused.
const LIMIT: u64 = 1 << 24;

/// A file takes milliseconds; this is for busy machines, and for builds without optimisation.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of damaged files of each format.
fn count() -> usize {
    std::env::var("DAMAGED_FILES")
        .map_or(100, |text| text.parse().expect("DAMAGED_FILES is a number of files"))
}

/// Pieces that stand where others are expected.
const PIECES: [&str; 40] = [
    "0",
    "1",
    "9",
    "10000000",
    "4294967296",
    "-1",
    "0.5",
    "1/3",
    "1/0",
    "1e-9",
    "1e999999999",
    "nan",
    ":",
    " ",
    "\n",
    "#",
    "(SMG)",
    "(MDP)",
    "[a,b]",
    "[0.1,0.3]",
    "[0.3,0.1]",
    "\u{feff}",
    "\0",
    "\u{1f3be}",
    "(",
    ")",
    "((((((((",
    "[",
    "]",
    "\"",
    "'",
    "=",
    "->",
    ";",
    "..",
    "module",
    "endmodule",
    "min(",
    "P>=0 [",
    "filter(",
];

/// Makes one or two changes: pieces, missing parts, repeated and exchanged lines, single bits, an
/// early end.
fn damage(bytes: &mut Vec<u8>, next: &mut impl FnMut(u64) -> u64) {
    for _ in 0..=next(2) {
        if bytes.is_empty() {
            return;
        }
        let at = next(bytes.len() as u64) as usize;
        let end = (at + next(9) as usize).min(bytes.len());
        match next(8) {
            0..=2 => {
                let piece = PIECES[next(PIECES.len() as u64) as usize];
                bytes.splice(at..end, piece.bytes());
            }
            3 => drop(bytes.drain(at..end)),
            4 => bytes[at] ^= 1 << next(8),
            5 => bytes.truncate(at),
            6 => {
                let line = line_around(bytes, at);
                bytes.splice(at..at, line);
            }
            _ => {
                let line = line_around(bytes, at);
                let copies = 1 + next(200) as usize;
                let offset = bytes.len();
                bytes.splice(offset..offset, line.repeat(copies));
            }
        }
    }
}

/// The line of a place, with its end.
fn line_around(bytes: &[u8], at: usize) -> Vec<u8> {
    let begin = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |offset| offset + 1);
    let end = bytes[at..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(bytes.len(), |offset| at + offset + 1);
    bytes[begin..end].to_vec()
}

/// What became of damaged files of one format.
#[derive(Debug, Default)]
struct Tally {
    read: usize,
    refused: usize,
    slowest: Duration,
}

impl Tally {
    fn add(&mut self, is_read: bool, begin: Instant) {
        self.read += usize::from(is_read);
        self.refused += usize::from(!is_read);
        let took = begin.elapsed();
        assert!(took < PATIENCE, "a damaged file took {took:?}");
        self.slowest = self.slowest.max(took);
    }

    /// Some damage is harmless, and most is not.
    fn finish(&self, format: &str) {
        println!("{format}: {self:?}");
        assert!(self.read > 0 && self.refused > 0, "{format}: {self:?}");
    }
}

fn assert_sentence(error: &str) {
    let length = error.chars().count();
    assert!(length <= LONGEST, "a refusal of {length} characters: {error}");
}

/// Asks a question without solving its game.
fn ask(model: &ExplicitModel, question: &str) {
    let Ok(question) = question.parse::<Question>() else { panic!("{question} is sound") };
    let mut stop = |_| Err(WorkError::Cancelled.into());
    if let Err(error) = model.answer(&question, LIMIT, &mut stop) {
        assert_sentence(&error.to_string());
    }
}

/// An export: the endings of its files with their texts.
struct Export {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const EXPORTS: [Export; 5] = [
    Export {
        name: "CSG",
        files: &[
            (
                ".tra",
                "# Transitions (CSG)\n3:2 6 7\n0 0 0 0.5 [h,h]\n0 0 1 0.5 [h,h]\n0 1 2 1 [h,t]\n0 2 2 1 [t,h]\n0 3 1 1 [t,t]\n\
                 1 0 1 1 [h,h]\n2 0 2 1 [h,h]\n",
            ),
            (".lab", "0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0\n1: 2\n"),
            (".sta", "(s,done)\n0:(0,false)\n1:(1,true)\n2:(2,true)\n"),
            (".srew", "# Reward structure \"r\"\n# State rewards\n3 2\n0 1.5\n1 0.25\n"),
            (
                ".trew",
                "# Reward structure \"r\"\n# Transition rewards\n3 6 2\n0 0 1 2\n0 3 1 1/3\n",
            ),
        ],
    },
    Export {
        name: "SMG",
        files: &[
            (
                ".tra",
                "# Transitions (SMG)\n4:2 6 7\n0:0 0 1 0.75 fast\n0:0 0 3 0.25 fast\n0:0 1 1 1 slow\n1:1 0 2 1\n1:1 1 0 1\n\
                 2:0 0 2 1\n3:0 0 3 1\n",
            ),
            (".lab", "# Labels\n0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0\n2: 2\n"),
            (".sta", "(s)\n0:(0)\n1:(1)\n2:(2)\n3:(3)\n"),
            (".srew", "# Reward structure \"r\"\n4 1\n0 1\n"),
            (".trew", "# Reward structure \"r\"\n4 6 3\n0 0 1 1\n0 1 1 3\n1 0 2 1\n"),
        ],
    },
    Export {
        name: "MDP",
        files: &[
            (".tra", "3 4 5\n0 0 1 0.333333 a\n0 0 2 0.666667 a\n0 1 2 1 b\n1 0 1 1\n2 0 2 1\n"),
            (".lab", "0=\"init\" 1=\"goal\"\n0: 0\n1: 1\n"),
            (".srew", "3 1\n0 1\n"),
            (".trew", "3 4 1\n0 0 1 2\n"),
        ],
    },
    Export {
        name: "DTMC",
        files: &[
            (".tra", "3 5\n0 0 0.25\n0 1 0.5\n0 2 0.25\n1 1 1\n2 2 1\n"),
            (".lab", "0=\"init\" 1=\"goal\"\n0: 0\n1: 1\n"),
            (".srew", "3 1\n0 1\n"),
            (".trew", "3 1\n0 1 2\n"),
        ],
    },
    Export {
        name: "IMDP",
        files: &[
            (
                ".tra",
                "# Transitions (IMDP)\n3 3 5\n0 0 0 [0.1,0.2] east\n0 0 1 [0.5,0.9] east\n0 0 2 [1e-3,0.5] east\n1 0 1 [1,1] stuck\n\
                 2 0 2 1 stuck\n",
            ),
            (".lab", "0=\"init\" 1=\"goal\"\n0: 0\n1: 1\n"),
            (".srew", "# Reward structure \"r\"\n3 1\n0 1\n"),
        ],
    },
];

const QUESTIONS: [&str; 3] =
    ["<<1>>P>=0.5 [ F<=3 \"goal\" ]", "<<1>>P>=1 [ F \"goal\" ]", "<<1>>R{1}min=? [ Fc \"goal\" ]"];

fn write_export(folder: &Path, files: &[(&str, Vec<u8>)]) -> ExplicitFiles {
    for (ending, bytes) in files {
        fs::write(folder.join(format!("m{ending}")), bytes).expect("room");
    }
    ExplicitFiles::beside(&folder.join("m.tra"))
}

#[test]
fn damaged_exports_are_read_or_refused_in_a_sentence() {
    for export in EXPORTS {
        let sound: Vec<(&str, Vec<u8>)> =
            export.files.iter().map(|(ending, text)| (*ending, text.as_bytes().to_vec())).collect();
        for (index, (ending, _)) in export.files.iter().enumerate() {
            let folder = tempfile::tempdir().expect("a folder");
            ExplicitModel::read(&write_export(folder.path(), &sound), Probabilities::Nearest)
                .expect("a sound export");
            let mut next = numbers(7 + index as u64);
            let mut tally = Tally::default();
            for round in 0..count() {
                let mut damaged = sound.clone();
                damage(&mut damaged[index].1, &mut next);
                let files = write_export(folder.path(), &damaged[index..=index]);
                let reading =
                    if round % 2 == 0 { Probabilities::Nearest } else { Probabilities::Exact };
                let begin = Instant::now();
                let read = ExplicitModel::read(&files, reading);
                match &read {
                    Ok(model) => QUESTIONS.iter().for_each(|question| ask(model, question)),
                    Err(error) => {
                        let error = error.to_string();
                        assert_sentence(&error);
                        // Another file may be refused: one that fitted the sound transitions.
                        assert!(error.contains("/m."), "{error}");
                    }
                }
                tally.add(read.is_ok(), begin);
            }
            tally.finish(&format!("{} {ending}", export.name));
        }
    }
}

/// A count in a header takes no memory.
#[test]
fn counts_in_headers_are_checked_against_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for count in ["10000000", "4294967294", "18446744073709551615"] {
        for export in EXPORTS {
            for (ending, text) in export.files {
                let header = text.lines().find(|line| {
                    line.starts_with(|first: char| first.is_ascii_digit() && first != '0')
                });
                let Some(header) = header else { continue };
                for index in 0..header.split([' ', ':']).count() {
                    let mut numbers: Vec<&str> = header.split_inclusive([' ', ':']).collect();
                    let sign = numbers[index]
                        .trim_start_matches(|digit: char| digit.is_ascii_digit())
                        .to_owned();
                    let forged = format!("{count}{sign}");
                    numbers[index] = &forged;
                    let damaged = text.replacen(header, &numbers.concat(), 1);
                    for (other, text) in export.files {
                        let text = if other == ending { &damaged } else { *text };
                        fs::write(folder.path().join(format!("m{other}")), text).expect("room");
                    }
                    let files = ExplicitFiles::beside(&folder.path().join("m.tra"));
                    let read = ExplicitModel::read(&files, Probabilities::Nearest);
                    if *ending == ".trew" && index == 1 {
                        // Rewards are read without the number of choices, which programs count in
                        // different ways.
                        continue;
                    }
                    let refused = read.expect_err(&damaged).to_string();
                    assert!(refused.contains(&format!("m{ending}")), "{refused}");
                    assert_sentence(&refused);
                }
            }
            fs::remove_dir_all(folder.path())
                .and_then(|()| fs::create_dir(folder.path()))
                .expect("an empty folder");
        }
    }
}

const TEXTS: [(&str, &str); 4] = [
    (
        "csg",
        "csg\nplayer p one endplayer player q two endplayer\nconst int k = 3;\nformula same = a = b;\nmodule one\n  a : [0..2];\n  \
         [h1] a = 0 -> (a'=1);\n  [t1] true -> 1/3 : (a'=2) + 2/3 : true;\nendmodule\nmodule two = one [ a=b, h1=h2, t1=t2 ] \
         endmodule\nmodule count c : [0..k]; [h1,t2] c < k -> (c'=a'+1); [] !same -> true; endmodule\nlabel \"even\" = mod(c,2) = \
         0;\nrewards \"r\" [h1] true : c; same : pow(2,c); endrewards\n",
    ),
    (
        "smg",
        "smg\nplayer p m, [go] endplayer\nplayer q n endplayer\nglobal x : [0..5] init 1;\nmodule m\n  [] x=1 -> 0.25 : (x'=2) + 0.75 : \
         (x'=x);\n  [go] x=2 -> (x'=min(5,x*2));\nendmodule\nmodule n b : bool; [] x>3 -> (b'=!b) & (x'=b ? 1 : 3); endmodule\n",
    ),
    (
        "mdp with intervals",
        "mdp\nconst double eps = 1/100;\nmodule walk\n  s : [0..2];\n  [go] s=0 -> [0.7,0.9] : (s'=1) + [0.05,0.25+eps] : true + 1/20 \
         : (s'=2);\nendmodule\nmodule copy = walk [ s=t ] endmodule\ninit s<2 & t=0 endinit\n",
    ),
    (
        "dtmc",
        "dtmc\nconst double p = 0.5;\nmodule die\n  s : [0..7] init 0; d : [0..6] init 0;\n  [] s=0 -> p : (s'=1) + 1-p : (s'=2);\n  [a] \
         s=1 -> 1/2 : (s'=s+2) & (d'=floor(s/2)) + 1/2 : (s'=4);\n  [] s>1 -> true;\nendmodule\nrewards [] s<7 : 1; s=3 : log(8,2); \
         endrewards\n",
    ),
];

fn assert_place(error: &LanguageError, text: &str) {
    // After a line end the column is that of the next line.
    let lines = text.split('\n').count();
    assert!(
        (1..=lines as u32).contains(&error.at.line) && error.at.column > 0,
        "{error} in {text}"
    );
    assert_sentence(&error.to_string());
}

/// Explores a model; false if it is refused.
fn is_explored(text: &str) -> bool {
    let instance = match Model::read(text).and_then(|model| Instance::new(&model, None, &[])) {
        Ok(instance) => instance,
        Err(error) => {
            assert_place(&error, text);
            return false;
        }
    };
    match ExplicitModel::explore("m.prism", &instance, LIMIT, &mut |_| ControlFlow::Continue(())) {
        Ok(_) => true,
        Err(error @ Error::Model(_)) => {
            let error = error.to_string();
            assert!(error.contains("m.prism, line ") && error.contains("column "), "{error}");
            assert_sentence(&error);
            false
        }
        Err(error) => {
            assert!(matches!(error, Error::Work(WorkError::Memory { .. })), "{error}");
            false
        }
    }
}

#[test]
fn damaged_models_are_explored_or_refused_with_line_and_column() {
    for (kind, sound) in TEXTS {
        assert!(is_explored(sound), "{kind}");
        let mut next = numbers(11);
        let mut tally = Tally::default();
        for _ in 0..count() {
            let mut damaged = sound.as_bytes().to_vec();
            damage(&mut damaged, &mut next);
            let text = String::from_utf8_lossy(&damaged);
            let begin = Instant::now();
            let is_read = is_explored(&text);
            tally.add(is_read, begin);
        }
        tally.finish(kind);
    }
}

const PROPERTIES: &str = "const int k = 3; label \"far\" = x > k;\nformula near = !\"far\";\n\"first\": <<p,2>>Pmax=? [ F<=k x=3 ]; // \
    RESULT: 1/2\n<<*>>R{\"r\"}<=3 [ Fc \"far\" ] & !(P>=1 [ G[1,k] x<3 ])\nfilter(max, R{2}min=? [ C<=(k+1) ], near) <=> 1 + \"first\" >= \
    2;\nP=? [ (x=1 R x<2) ]\nPmaxmin=? [ X !(x=1) ]\n";

#[test]
fn damaged_properties_are_read_or_refused_with_line_and_column() {
    let mut next = numbers(13);
    let mut tally = Tally::default();
    for _ in 0..count() {
        let mut damaged = PROPERTIES.as_bytes().to_vec();
        damage(&mut damaged, &mut next);
        let text = String::from_utf8_lossy(&damaged);
        let begin = Instant::now();
        let mut is_read = false;
        match PropertyFile::read(&text) {
            Ok(file) => {
                is_read = file.properties.iter().all(|property| property.property.is_ok());
                for error in
                    file.properties.iter().filter_map(|property| property.property.as_ref().err())
                {
                    assert_place(error, &text);
                }
            }
            Err(error) => assert_place(&error, &text),
        }
        tally.add(is_read, begin);
    }
    tally.finish("properties");
}
