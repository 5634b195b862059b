//! Certificates that each break exactly one rule of `docs/certificate.md`, written here by that
//! page alone: `verify` and `docs/check_certificate.py` both refuse them, and for that rule.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pencil_tennis::certificate;

/// A strategy: the number of bids that it claims, the bids, and the weights of all but the last.
type Strategy = (u16, Vec<u16>, Vec<u64>);

/// The weight of certainty.
const WHOLE: u64 = 1 << 62;

/// A certificate, part by part.
#[derive(Clone)]
struct Certificate {
    letters: [u8; 8],
    version: u32,
    field: u32,
    motion: u8,
    mirror: u8,
    points: [u32; 2],
    payoffs: [[i64; 2]; 5],
    /// The strategies of states that are not to have the lowest bid alone: `(a, b, ball, player)`.
    strategies: Vec<((u32, u32, i32, usize), Strategy)>,
    /// Bytes that follow the last strategy, or are missing from its end.
    surplus: i32,
    checksum: u32,
}

impl Certificate {
    /// A sound certificate of a game with these points: everybody always makes the lowest bid.
    fn new(points: [u32; 2]) -> Self {
        Self {
            letters: *b"TENNISPF",
            version: 1,
            field: 1,
            motion: 0,
            mirror: 0,
            points,
            payoffs: [[2, 1], [1, 1], [0, 1], [-1, 1], [-2, 1]],
            strategies: Vec::new(),
            surplus: 0,
            checksum: 0,
        }
    }

    /// The same, and at `3:2@0` these bids and weights of A or of B.
    fn with(player: usize, size: u16, bids: &[u16], weights: &[u64]) -> Self {
        let mut certificate = Self::new([3, 3]);
        certificate.strategies.push(((3, 2, 0, player), (size, bids.to_vec(), weights.to_vec())));
        certificate
    }

    /// The same, and at `3:2@2`, which is worth 2, strategies of no bids: they secure 0 against
    /// everything, and concede no more.
    fn of_no_bids() -> Self {
        let mut certificate = Self::new([3, 3]);
        certificate.field = 2;
        certificate
            .strategies
            .extend([0, 1].map(|player| ((3, 2, 2, player), (0, Vec::new(), Vec::new()))));
        certificate
    }

    /// The same, and these bids of B, who has no points left, at `3:0@0`.
    fn of_empty_account(bids: &[u16]) -> Self {
        let mut certificate = Self::new([3, 3]);
        certificate.strategies.push(((3, 0, 0, 1), (1, bids.to_vec(), Vec::new())));
        certificate
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.letters.to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend(self.field.to_le_bytes());
        out.extend([self.motion, self.mirror]);
        self.points.iter().for_each(|points| out.extend(points.to_le_bytes()));
        self.payoffs.as_flattened().iter().for_each(|number| out.extend(number.to_le_bytes()));
        let [most_a, most_b] = self.points;
        let field = self.field as i32;
        for total in 1..=most_a + most_b {
            for a in total.saturating_sub(most_b)..=total.min(most_a) {
                let b = total - a;
                for ball in -field..=field {
                    let image_inside = b <= most_a && a <= most_b;
                    if self.mirror == 1 && image_inside && (a < b || (a == b && ball > 0)) {
                        continue;
                    }
                    for (player, points) in [a, b].into_iter().enumerate() {
                        let strategy = self
                            .strategies
                            .iter()
                            .find(|(place, _)| *place == (a, b, ball, player));
                        // Of version 2 the smallest bid is 0.
                        let lowest = if self.version == 2 { 0 } else { points.min(1) as u16 };
                        let (size, bids, weights) = strategy.map_or_else(
                            || (1, vec![lowest], Vec::new()),
                            |(_, strategy)| strategy.clone(),
                        );
                        out.extend(size.to_le_bytes());
                        for (index, bid) in bids.iter().enumerate() {
                            out.extend(bid.to_le_bytes());
                            weights
                                .get(index)
                                .into_iter()
                                .for_each(|weight| out.extend(weight.to_le_bytes()));
                        }
                    }
                }
            }
        }
        let surplus = usize::try_from(self.surplus.max(0)).unwrap_or_default();
        out.extend(vec![0; surplus]);
        out.truncate(out.len() - usize::try_from(-self.surplus).unwrap_or_default());
        let checksum = crc32fast::hash(&out) ^ self.checksum;
        out.extend(checksum.to_le_bytes());
        out
    }
}

/// A bid of 0 of a player in a game that favours one, as this motion says.
fn favouring(player: usize, motion: u8) -> Vec<u8> {
    let mut certificate = Certificate::with(player, 1, &[0], &[]);
    (certificate.version, certificate.motion) = (3, motion);
    certificate.bytes()
}

/// Sound certificates by name.
fn sound() -> Vec<(&'static str, Vec<u8>)> {
    let half = WHOLE / 2;
    let mut mirrored = Certificate::new([3, 2]);
    mirrored.mirror = 1;
    let mut widest = Certificate::new([2, 2]);
    (widest.field, widest.motion) = (99, 1);
    let mut largest = Certificate::new([2, 2]);
    largest.payoffs =
        [[1 << 60, 1], [1, 1 << 60], [0, 1], [-1, 1 << 60], [-(1 << 60), (1 << 60) - 1]];
    // Nobody ever bids: what endless play pays is no number of units.
    let mut waiting = Certificate::new([2, 2]);
    (waiting.version, waiting.motion, waiting.payoffs) =
        (2, 2, [[2, 1], [1, 3], [0, 1], [-1, 3], [-2, 1]]);
    vec![
        ("waiting", waiting.bytes()),
        ("plain", Certificate::new([3, 3]).bytes()),
        ("mirrored", mirrored.bytes()),
        ("widest", widest.bytes()),
        ("largest", largest.bytes()),
        ("mixed", Certificate::with(0, 2, &[1, 3], &[half]).bytes()),
        ("nearly pure", Certificate::with(1, 2, &[1, 2], &[WHOLE - 1]).bytes()),
        ("favouring A", favouring(0, 4)),
        ("favouring B", favouring(1, 9)),
        ("all bids", Certificate::with(0, 3, &[1, 2, 3], &[1, 1]).bytes()),
    ]
}

/// What breaks a rule: its name, the bytes, words of the refusal by `verify`, words of that by the
/// Python checker.
type Broken = (&'static str, Vec<u8>, &'static str, &'static str);

#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn broken_header() -> Vec<Broken> {
    let case = |name, change: &dyn Fn(&mut Certificate), verify, python| {
        let mut certificate = Certificate::new([3, 3]);
        change(&mut certificate);
        (name, certificate.bytes(), verify, python)
    };
    let payoffs = |name, numbers: [[i64; 2]; 5], python| {
        case(name, &|it| it.payoffs = numbers, "payoff ", python)
    };
    let (most, more) = (1_i64 << 60, (1_i64 << 60) + 1);
    // The header of a huge game before the strategies of a small one.
    let mut promise = Certificate::new([3, 3]).bytes();
    let content = promise.len() - 4;
    promise[18..26].copy_from_slice(&[255, 255, 0, 0, 255, 255, 0, 0]);
    let checksum = crc32fast::hash(&promise[..content]).to_le_bytes();
    promise[content..].copy_from_slice(&checksum);
    vec![
        case(
            "letters",
            &|it| it.letters[7] = b'B',
            "does not begin as a certificate",
            "the letters TENNISPF",
        ),
        case("version 0", &|it| it.version = 0, "version 0", "version 0"),
        case(
            "version 2",
            &|it| it.version = 2,
            "version 2, and its rules need version 1",
            "the motion",
        ),
        case(
            "version 3",
            &|it| it.version = 3,
            "version 3, and its rules need version 1",
            "the motion",
        ),
        case("version 4", &|it| it.version = 4, "version 4", "version 4"),
        case(
            "motion 4",
            &|it| it.motion = 4,
            "version 1, and its rules need version 3",
            "the motion",
        ),
        case(
            "motion 6",
            &|it| (it.version, it.motion) = (3, 6),
            "there is no motion 6",
            "the motion",
        ),
        case(
            "favoured and mirrored",
            &|it| (it.version, it.motion, it.mirror) = (3, 4, 1),
            "symmetry",
            "favour a player",
        ),
        case("checksum", &|it| it.checksum = 1, "checksum", "checksum"),
        case("field 0", &|it| it.field = 0, "field", "half-width"),
        case("field 100", &|it| it.field = 100, "field", "half-width"),
        case(
            "motion 2",
            &|it| it.motion = 2,
            "version 1, and its rules need version 2",
            "the motion",
        ),
        case("mirror 2", &|it| it.mirror = 2, "the mirror flag is 2", "the mirror flag"),
        case("no points of A", &|it| it.points = [0, 3], "0:3 points", "the points"),
        case("no points of B", &|it| it.points = [3, 0], "3:0 points", "the points"),
        case("too many points of A", &|it| it.points = [65_536, 1], "65536:1 points", "the points"),
        case("too many points of B", &|it| it.points = [1, 65_536], "1:65536 points", "the points"),
        payoffs("denominator 0", [[2, 0], [1, 1], [0, 1], [-1, 1], [-2, 1]], "a denominator"),
        payoffs("denominator below 0", [[2, 1], [1, 1], [0, 1], [1, -1], [-2, 1]], "a denominator"),
        payoffs("not in lowest terms", [[2, 1], [2, 4], [0, 1], [-1, 1], [-2, 1]], "lowest terms"),
        payoffs(
            "0 not in lowest terms",
            [[2, 1], [1, 1], [0, 2], [-1, 1], [-2, 1]],
            "lowest terms",
        ),
        payoffs("too large", [[more, 1], [1, 1], [0, 1], [-1, 1], [-2, 1]], "above 2^60"),
        payoffs("too small", [[2, 1], [1, 1], [0, 1], [-1, 1], [-more, 1]], "above 2^60"),
        payoffs("too fine", [[2, 1], [1, more], [0, 1], [-1, 1], [-2, 1]], "above 2^60"),
        case(
            "mirrored ends",
            &|it| (it.mirror, it.payoffs[4]) = (1, [-3, 1]),
            "symmetry",
            "not antisymmetric",
        ),
        case(
            "mirrored sides",
            &|it| (it.mirror, it.payoffs[3]) = (1, [-most, 1]),
            "symmetry",
            "not antisymmetric",
        ),
        case(
            "mirrored draw",
            &|it| (it.mirror, it.payoffs[2]) = (1, [1, 1]),
            "symmetry",
            "not antisymmetric",
        ),
        case("a byte more", &|it| it.surplus = 1, "1 bytes are left over", "additional bytes"),
        case("a byte less", &|it| it.surplus = -1, "too early", "before its last strategy"),
        (
            "promise of many points",
            promise,
            "too short for its number of points",
            "too short for its number of points",
        ),
        ("nothing", Vec::new(), "too short", "too short"),
        (
            "header alone",
            Certificate::new([3, 3]).bytes()[..106].to_vec(),
            "too short",
            "too short",
        ),
    ]
}

fn broken_strategies() -> Vec<Broken> {
    let half = WHOLE / 2;
    let case =
        |name, (player, size): (usize, u16), bids: &[u16], weights: &[u64], verify, python| {
            (name, Certificate::with(player, size, bids, weights).bytes(), verify, python)
        };
    let (illegal, sum) = ("not legal or not in rising order", "not positive with the sum 2^62");
    vec![
        // With strategies of no bids anything would be worth 0.
        ("no bids at all", Certificate::of_no_bids().bytes(), "at 3:2@2 A has 0 bids", "no bids"),
        case("no bids of A", (0, 0), &[], &[], "at 3:2@0 A has 0 bids", "no bids"),
        case("no bids of B", (1, 0), &[], &[], "at 3:2@0 B has 0 bids", "no bids"),
        case(
            "more bids than there are",
            (1, 3),
            &[1, 2, 3],
            &[1, 1],
            "at 3:2@0 B has 3 bids",
            "illegal bid",
        ),
        case("bid 0 with points left", (0, 1), &[0], &[], illegal, "illegal bid"),
        ("bid 0 of B where A is favoured", favouring(1, 4), illegal, "illegal bid"),
        ("bid 0 of A where B is favoured", favouring(0, 8), illegal, "illegal bid"),
        case("more than A has", (0, 1), &[4], &[], illegal, "illegal bid"),
        case("more than B has", (1, 1), &[3], &[], illegal, "illegal bid"),
        (
            "a bid without points",
            Certificate::of_empty_account(&[1]).bytes(),
            illegal,
            "illegal bid",
        ),
        case("a bid twice", (0, 2), &[2, 2], &[half], illegal, "do not rise"),
        case("falling bids", (0, 2), &[3, 1], &[half], illegal, "do not rise"),
        case("weight 0", (0, 2), &[1, 3], &[0], sum, "not positive"),
        case("nothing left for the last", (0, 2), &[1, 3], &[WHOLE], sum, "not positive"),
        case("more than the whole", (0, 2), &[1, 3], &[WHOLE + 1], sum, "not positive"),
        case(
            "more than the whole together",
            (0, 3),
            &[1, 2, 3],
            &[half, half + 1],
            sum,
            "not positive",
        ),
        case("a negative weight", (0, 2), &[1, 3], &[1_u64.wrapping_neg()], sum, "not positive"),
    ]
}

fn broken() -> Vec<Broken> {
    broken_header().into_iter().chain(broken_strategies()).collect()
}

#[test]
fn what_is_sound_is_accepted() {
    for (name, bytes) in sound() {
        assert!(
            certificate::verify(&bytes).is_ok(),
            "{name}: {:?}",
            certificate::verify(&bytes).err()
        );
    }
    // A claim of many points is refused by its length, before the strategies are read; the shortest
    // file that is long enough is not.
    let mut long = Certificate::new([3, 3]);
    long.points = [1, 1];
    assert!(certificate::verify(&long.bytes()).is_ok());
}

#[test]
fn every_rule_is_needed_and_kept() {
    for (name, bytes, words, _) in broken() {
        let refusal = certificate::verify(&bytes)
            .map(|proof| proof.iter().len())
            .expect_err(name)
            .to_string();
        assert!(
            refusal.starts_with("the certificate is not valid: ") && refusal.contains(words),
            "{name}: {refusal}"
        );
    }
}

/// One process of Python for all files, which tells for each the exit status and what is said on
/// standard error, and writes a table of what is proved beside it.
const CHECK_ALL: &str = "
import contextlib, importlib.util, io, sys
spec = importlib.util.spec_from_file_location('checker', sys.argv[1])
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)
for path in sys.argv[2:]:
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = checker.main([path, path + '.csv'])
    print(status, said.getvalue().strip())
";

/// The same files and the program in Python, which follows the page alone; they are left in the
/// folder for temporary files.
#[test]
fn the_checker_in_python_keeps_the_same_rules() {
    let checker = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/check_certificate.py");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("certificates");
    fs::create_dir_all(&folder).expect("a folder");
    let sound = sound().into_iter().map(|(name, bytes)| (format!("sound-{name}"), bytes, None));
    let broken =
        broken().into_iter().map(|(name, bytes, _, words)| (name.to_owned(), bytes, Some(words)));
    let mut files = Vec::new();
    for (name, bytes, words) in sound.chain(broken) {
        let path = folder.join(name.replace(' ', "-"));
        fs::write(&path, bytes).expect("room");
        files.push((path, words));
    }
    let paths = files.iter().map(|(path, _)| path);
    let Ok(output) =
        Command::new("python3").args(["-c", CHECK_ALL]).arg(&checker).args(paths).output()
    else {
        // On the machines that check every change Python is there: `.ci/run` runs the checker, too.
        println!("there is no python3: the checker was not tested");
        return;
    };
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(
        printed.lines().count(),
        files.len(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (line, (path, words)) in printed.lines().zip(files) {
        match words {
            None => {
                assert_eq!(line, "0 ", "{}", path.display());
                // The same bounds of every state.
                let bytes = fs::read(&path).expect("it was written");
                let proof = certificate::verify(&bytes).expect("it is sound");
                let table = fs::read_to_string(path.with_extension("csv")).expect("a table");
                assert_eq!(table.lines().count(), 1 + proof.iter().count());
                for row in table.lines().skip(1) {
                    let numbers: Vec<i64> =
                        row.split(',').map(|number| number.parse().expect("an integer")).collect();
                    let state = format!("{}:{}@{}", numbers[0], numbers[1], numbers[2])
                        .parse()
                        .expect("a state");
                    let bounds = proof.enclosure(state).expect("a state of the game").integers();
                    assert_eq!(
                        [bounds.lower, bounds.upper],
                        [numbers[3], numbers[4]],
                        "{} at {state}",
                        path.display()
                    );
                }
            }
            Some(words) => assert!(
                line.starts_with("1 refused: ") && line.contains(words),
                "{}: {line}",
                path.display()
            ),
        }
    }
}
