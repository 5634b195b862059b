//! Folders of layers: damaged, forged, of other rules, of interrupted solves.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use pencil_tennis::num_rational::BigRational;
use pencil_tennis::stochastic_game::Error;
use pencil_tennis::stochastic_game::{
    GameRules, LayerFolder, Node, Outcomes, RankedRules, RankedSolution, StochasticSolver,
};
use sha2::{Digest as _, Sha256};

use crate::goofspiel::Goofspiel;

/// The bytes before the bounds, and the places of some of them.
const HEADER: usize = 84;
const WIDEST: usize = 44;
const DIGEST: usize = 52;

/// Layers of random 2×2 games with rewards and chance; the states of layer 0 are ends.
#[derive(Clone, Copy, Default)]
struct Drawn {
    /// A change of the rules at one state.
    change: Option<(Change, (u32, u64))>,
    /// Another version of the rules.
    is_second: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Payoff,
    Reward,
    Weight,
    Successor,
    Actions,
}

const LAYERS: u32 = 4;
const STATES: u64 = 1_000;

impl Drawn {
    fn changed(change: Change, layer: u32, rank: u64) -> Self {
        Self { change: Some((change, (layer, rank))), ..Self::default() }
    }

    fn is_changed(self, change: Change, state: (u32, u64)) -> bool {
        self.change == Some((change, state))
    }
}

impl GameRules for Drawn {
    /// The layer and the rank.
    type State = (u32, u64);

    fn starts(&self) -> Vec<(u32, u64)> {
        vec![(LAYERS - 1, 0)]
    }

    fn node(&self, &(layer, number): &(u32, u64)) -> Node {
        if layer == 0 {
            let payoff = number * 7_919 % 1_001
                + u64::from(self.is_changed(Change::Payoff, (layer, number)));
            return Node::Over(BigRational::new(payoff.into(), 7.into()));
        }
        Node::Choose { a: 2, b: 2 + usize::from(self.is_changed(Change::Actions, (layer, number))) }
    }

    fn after(&self, &state: &(u32, u64), a: usize, b: usize, outcomes: &mut Outcomes<(u32, u64)>) {
        let (layer, number) = state;
        let [reward, weight, next] = [Change::Reward, Change::Weight, Change::Successor]
            .map(|change| u64::from((a, b) == (1, 1) && self.is_changed(change, state)));
        let next = number * 31 + a as u64 * 17 + b as u64 * 101 + next;
        outcomes.reward((a + 2 * b) as i64 % 3 + reward as i64);
        outcomes.by_chance(2 + weight, (layer - 1, next % STATES));
        outcomes.by_chance(1, (layer - 1, (next + 500) % STATES));
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1_000)
    }
}

impl RankedRules for Drawn {
    type Layer = ();

    fn version(&self) -> &str {
        if self.is_second { "the second" } else { "" }
    }

    fn layers(&self) -> u32 {
        LAYERS
    }

    fn len(&self, layer: u32) -> u64 {
        if layer + 1 == LAYERS { 1 } else { STATES }
    }

    fn state(&self, layer: u32, rank: u64) -> (u32, u64) {
        (layer, rank)
    }

    fn rank(&self, state: &(u32, u64)) -> Option<(u32, u64)> {
        Some(*state)
    }

    fn layer(&self, _: u32) {}
}

fn solved<R: RankedRules>(rules: R, path: &Path) -> RankedSolution<R> {
    StochasticSolver::new(rules)
        .threads(2)
        .solve_ranked(Some(LayerFolder::new(path).keep_all()))
        .unwrap()
}

/// The words with which a folder is refused.
fn refusal<R: RankedRules>(rules: R, path: &Path) -> String {
    RankedSolution::open(rules, path).map(|_| ()).unwrap_err().to_string()
}

/// Opens a finished folder with a sample that this seed draws.
fn opened(path: &Path, seed: u64) -> Result<RankedSolution<Drawn>, Error> {
    let folder = LayerFolder::new(path).keep_all().seed(seed);
    StochasticSolver::new(Drawn::default()).threads(1).solve_ranked(Some(folder))
}

fn file(path: &Path, layer: u32) -> std::path::PathBuf {
    path.join(format!("layer-{layer:03}"))
}

fn bounds(bytes: &[u8]) -> Vec<[i64; 2]> {
    let number = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().unwrap());
    bytes[HEADER..bytes.len() - 4]
        .chunks(16)
        .map(|chunk| [number(&chunk[..8]), number(&chunk[8..])])
        .collect()
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&checksum);
    bytes
}

/// Changes the bounds of a layer, and repairs its checksum.
fn forge(path: &Path, layer: u32, change: impl FnOnce(&mut [[i64; 2]])) {
    let mut bytes = fs::read(file(path, layer)).unwrap();
    let mut all_bounds = bounds(&bytes);
    change(&mut all_bounds);
    let end = bytes.len() - 4;
    bytes[HEADER..end].copy_from_slice(
        &all_bounds.concat().into_iter().flat_map(i64::to_le_bytes).collect::<Vec<u8>>(),
    );
    fs::write(file(path, layer), with_checksum(bytes)).unwrap();
}

/// Repairs what each file says of the files before it: their largest width and their digest.
fn relink(path: &Path) {
    let (mut widest, mut digest) = (0, [0; 32]);
    for layer in (0..10).take_while(|&layer| file(path, layer).exists()) {
        let mut bytes = fs::read(file(path, layer)).unwrap();
        bytes[WIDEST..DIGEST].copy_from_slice(&i64::to_le_bytes(widest));
        bytes[DIGEST..HEADER].copy_from_slice(&digest);
        let all_bounds = bounds(&bytes);
        widest = all_bounds
            .iter()
            .map(|[lower, upper]| upper.wrapping_sub(*lower))
            .fold(widest, i64::max);
        digest = Sha256::new_with_prefix(digest)
            .chain_update(&bytes[HEADER..bytes.len() - 4])
            .finalize()
            .into();
        fs::write(file(path, layer), with_checksum(bytes)).unwrap();
    }
}

/// Every layer is wider than the one before it by so much that its bounds are true. The start is
/// said to be worth a number between the bounds that follow from these layers, which is false.
fn forge_widely(path: &Path, layers: u32) {
    for layer in 1..layers {
        forge(path, layer, |all| {
            for state_bounds in all {
                if layer + 1 == layers {
                    *state_bounds = [state_bounds[1] + (1 << 36); 2];
                } else {
                    state_bounds[1] += i64::from(layer) << 40;
                }
            }
        });
    }
}

#[test]
fn a_folder_of_wide_layers_and_a_false_start_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let digest = solved(Drawn::default(), path).digest();
    assert_eq!(RankedSolution::open(Drawn::default(), path).unwrap().digest(), digest);
    forge_widely(path, LAYERS);
    let reason = refusal(Drawn::default(), path);
    assert!(reason.ends_with("layer-002 does not go on from the layers before it"), "{reason}");
    relink(path);
    let reason = refusal(Drawn::default(), path);
    assert!(
        reason.starts_with("state `(3, 0)`: the checkpoint says that the value lies in"),
        "{reason}"
    );
}

#[test]
fn true_bounds_that_are_wide_are_opened_with_their_width_and_digest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let narrow = solved(Drawn::default(), path);
    let (digest, widest) = (narrow.digest(), narrow.widest_enclosure());
    forge(path, 3, |all| all[0][1] += 1 << 40);
    relink(path);
    let wide = RankedSolution::open(Drawn::default(), path).unwrap();
    assert_eq!(wide.verify(u64::MAX).unwrap(), wide.len());
    assert_ne!(wide.digest(), digest);
    assert!(wide.widest_enclosure() > 1e3 * widest);
    assert_eq!(wide.widest_enclosure(), wide.enclosure(&(3, 0)).unwrap().width());
    assert_eq!((wide.matrices(), wide.stored_states()), (0, 2 * (STATES - 256) + STATES - 256));
}

#[test]
fn one_false_state_among_many_is_found_by_proving_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    solved(Drawn::default(), path);
    // A layer from which nothing follows: the start is solved from other states.
    let start = RankedSolution::open(Drawn::default(), path).unwrap().enclosure(&(3, 0)).unwrap();
    forge(path, 2, |all| all[777] = all[777].map(|bound| bound + 8));
    relink(path);
    let accepted = (0..32).find_map(|seed| opened(path, seed).ok()).unwrap();
    assert_eq!(accepted.enclosure(&(3, 0)).unwrap(), start);
    for _ in 0..2 {
        let error = accepted.verify(u64::MAX).unwrap_err().to_string();
        assert!(
            error.starts_with("state `(2, 777)`: the checkpoint says that the value lies in"),
            "{error}"
        );
    }
    // A seed draws the same states every time; other seeds draw others, so that some find it.
    let finds: Vec<bool> = (0..32).map(|seed| opened(path, seed).is_err()).collect();
    assert_eq!(finds, (0..32).map(|seed| opened(path, seed).is_err()).collect::<Vec<bool>>());
    assert!(finds.contains(&true) && finds.contains(&false), "{finds:?}");
    let draws: Vec<bool> = (0..32).map(|seed| accepted.verify_seeded(256, seed).is_err()).collect();
    assert_eq!(draws, finds);
    // Without a seed, every call draws anew.
    let calls: Vec<bool> = (0..64).map(|_| accepted.verify(256).is_err()).collect();
    assert!(calls.contains(&true) && calls.contains(&false), "{calls:?}");
}

/// The value of a 2×2 game in fractions: a saddle point, or both players' equalisers.
fn value(matrix: &[[BigRational; 2]; 2]) -> BigRational {
    let [[a, b], [c, d]] = matrix;
    let lower = a.min(b).max(c.min(d));
    let upper = a.max(c).min(b.max(d));
    if lower == upper { lower.clone() } else { (a * d - b * c) / (a + d - b - c) }
}

/// The integers next to the exact values of a state of layer 1 over the lower and over the upper
/// bounds of the ends.
fn narrowest(rank: u64, ends: &[[i64; 2]], exponent: u32) -> [i64; 2] {
    let whole = |number: i64| BigRational::from_integer(number.into());
    let value_of = |side: usize| {
        let payoff = |a: usize, b: usize| {
            let mut outcomes = HashMap::new();
            let next = rank * 31 + a as u64 * 17 + b as u64 * 101;
            *outcomes.entry(next % STATES).or_insert(0) += 2;
            *outcomes.entry((next + 500) % STATES).or_insert(0) += 1;
            let mean = outcomes
                .iter()
                .map(|(&next, &weight)| whole(ends[next as usize][side]) * whole(weight))
                .sum::<BigRational>();
            mean / whole(3) + whole(((a + 2 * b) as i64 % 3) << exponent)
        };
        value(&[[payoff(0, 0), payoff(0, 1)], [payoff(1, 0), payoff(1, 1)]])
    };
    [value_of(0).floor(), value_of(1).ceil()].map(|bound| bound.to_integer().try_into().unwrap())
}

#[test]
fn bounds_narrower_than_the_solvers_are_proved_in_fractions_up_to_the_exact_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    solved(Drawn::default(), path);
    let bytes = fs::read(file(path, 0)).unwrap();
    let exponent = u32::from_le_bytes(bytes[20..24].try_into().unwrap());
    let ends = bounds(&bytes);
    let found = bounds(&fs::read(file(path, 1)).unwrap());
    let narrow: Vec<[i64; 2]> = (0..STATES).map(|rank| narrowest(rank, &ends, exponent)).collect();
    assert!(
        found
            .iter()
            .zip(&narrow)
            .all(|(found, narrow)| found[0] <= narrow[0] && narrow[1] <= found[1])
    );
    for side in 0..2 {
        let rank =
            (0..STATES as usize).find(|&rank| found[rank][side] != narrow[rank][side]).unwrap();
        // Only layer 1 is read, since later ones rest on the bounds that were found.
        let proved = |bound: i64| {
            let copy = tempfile::tempdir().unwrap();
            (0..2).for_each(|layer| {
                assert!(fs::copy(file(path, layer), file(copy.path(), layer)).is_ok());
            });
            forge(copy.path(), 1, |all| all[rank][side] = bound);
            relink(copy.path());
            opened(copy.path(), 1).map(|_| ())
        };
        proved(narrow[rank][side]).unwrap();
        let error = proved(narrow[rank][side] + [1, -1][side]).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("state `(1, {rank})`: the checkpoint says that")),
            "{error}"
        );
    }
}

#[test]
fn a_flipped_bit_anywhere_in_any_layer_is_refused_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    solved(Goofspiel::new(4, false), path);
    for layer in 0..=4 {
        let whole = fs::read(file(path, layer)).unwrap();
        let step = whole.len().div_ceil(40);
        for place in (0..whole.len()).step_by(step).chain([
            8,
            12,
            20,
            24,
            28,
            36,
            WIDEST,
            DIGEST,
            whole.len() - 1,
        ]) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            fs::write(file(path, layer), bytes).unwrap();
            let reason = refusal(Goofspiel::new(4, false), path);
            assert!(reason.contains(&format!("layer-{layer:03} ")), "{place}: {reason}");
        }
        fs::write(file(path, layer), &whole[..whole.len() - 1]).unwrap();
        assert!(
            refusal(Goofspiel::new(4, false), path).ends_with("has another length than it says")
        );
        fs::write(file(path, layer), [&whole[..], &[0]].concat()).unwrap();
        assert!(
            refusal(Goofspiel::new(4, false), path).ends_with("has another length than it says")
        );
        fs::write(file(path, layer), [0; 92]).unwrap();
        assert!(
            refusal(Goofspiel::new(4, false), path)
                .ends_with("does not begin as the file of a layer does")
        );
        fs::write(file(path, layer), whole).unwrap();
    }
    RankedSolution::open(Goofspiel::new(4, false), path).unwrap();
}

#[test]
fn headers_that_are_false_under_a_true_checksum_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    solved(Drawn::default(), path);
    let whole = fs::read(file(path, 2)).unwrap();
    let refused = |place: usize, value: u64, bytes: usize| {
        let mut forged = whole.clone();
        forged[place..place + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        fs::write(file(path, 2), with_checksum(forged)).unwrap();
        refusal(Drawn::default(), path)
    };
    let faults = [
        (
            8,
            1,
            4,
            "is of version 1 of the format; only version 2 is known, so that the game is to be solved again",
        ),
        (12, 7, 8, "is of another game"),
        (20, 7, 4, "is of another game"),
        (24, 1, 4, "is the file of layer 1"),
        (28, 999, 8, "says that layer 2 has 999 states"),
        (36, 999, 8, "has another length than it says"),
        (WIDEST, 0, 8, "does not go on from the layers before it"),
        (DIGEST, 7, 8, "does not go on from the layers before it"),
    ];
    for (place, value, bytes, expected) in faults {
        let reason = refused(place, value, bytes);
        assert!(reason.ends_with(&format!("layer-002 {expected}")), "{place}: {reason}");
    }
    // A state less, and as long as that says.
    let mut shorter = whole[..whole.len() - 16].to_vec();
    shorter[36..44].copy_from_slice(&(STATES - 1).to_le_bytes());
    fs::write(file(path, 2), with_checksum(shorter)).unwrap();
    assert!(refusal(Drawn::default(), path).ends_with("layer-002 has another length than it says"));
    // A layer in the place of another one that has as many states.
    fs::copy(file(path, 1), file(path, 2)).unwrap();
    assert!(refusal(Drawn::default(), path).ends_with("layer-002 is the file of layer 1"));
    fs::write(file(path, 2), &whole).unwrap();
    // Bounds that no state has: they cross, or lie beyond the payoffs.
    for impossible in [[1, 0], [-(1 << 62), 0], [0, 1 << 62]] {
        fs::write(file(path, 2), &whole).unwrap();
        forge(path, 2, |all| all[5] = impossible);
        assert!(
            refusal(Drawn::default(), path).ends_with("layer-002 holds bounds that no state has"),
            "{impossible:?}"
        );
    }
}

#[test]
fn a_look_up_reads_nothing_that_was_not_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let solution = solved(Drawn::default(), path);
    let known = [0, 255, 256, 999].map(|rank| solution.enclosure(&(0, rank)).unwrap());
    for solution in [solution, RankedSolution::open(Drawn::default(), path).unwrap()] {
        assert_eq!([0, 255, 256, 999].map(|rank| solution.enclosure(&(0, rank)).unwrap()), known);
        let whole = fs::read(file(path, 0)).unwrap();
        let mut bytes = whole.clone();
        bytes[HEADER + 16 * 300] ^= 1;
        fs::write(file(path, 0), &bytes).unwrap();
        let refused = solution.enclosure(&(0, 299)).unwrap_err().to_string();
        assert!(refused.ends_with("layer-000 has changed since it was checked"), "{refused}");
        let refused = solution.verify(1).unwrap_err().to_string();
        assert!(refused.ends_with("layer-000 has changed since it was checked"), "{refused}");
        // Strategies rest on these states, too.
        let refused =
            (0..STATES).find_map(|rank| solution.strategies(&(1, rank)).err()).unwrap().to_string();
        assert!(refused.ends_with("layer-000 has changed since it was checked"), "{refused}");
        assert_eq!(solution.enclosure(&(0, 999)).unwrap(), known[3], "another block");
        fs::write(file(path, 0), &bytes[..HEADER + 16 * 300]).unwrap();
        assert!(
            solution
                .enclosure(&(0, 300))
                .unwrap_err()
                .to_string()
                .ends_with("has changed since it was checked")
        );
        fs::remove_file(file(path, 0)).unwrap();
        let refused = solution.enclosure(&(0, 300)).unwrap_err().to_string();
        assert_eq!(refused, "the checkpoint has not kept layer 0");
        fs::write(file(path, 0), whole).unwrap();
    }
}

#[test]
fn layers_after_a_missing_one_are_as_their_first_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let digest = solved(Drawn::default(), path).digest();
    fs::remove_file(file(path, 1)).unwrap();
    let solution = RankedSolution::open(Drawn::default(), path).unwrap();
    assert_eq!(solution.digest(), digest);
    assert_eq!(
        solution.stored_states(),
        (STATES - 256) + STATES + STATES,
        "one of the last layer is proved"
    );
    assert_eq!(solution.verify(u64::MAX).unwrap(), STATES + 1, "ends, and the start");
    fs::remove_file(file(path, 2)).unwrap();
    assert!(refusal(Drawn::default(), path).ends_with("layer-002 is missing"));
}

/// Leaves the folder of a solve that was stopped when two layers were complete, and half of the
/// third was solved.
fn interrupted(path: &Path) {
    let stop =
        |share: f64| if share < 0.7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let folder = LayerFolder::new(path).keep_all();
    let stopped = StochasticSolver::new(Drawn::default())
        .threads(1)
        .on_progress(stop)
        .solve_ranked(Some(folder));
    assert!(stopped.is_err(), "it was stopped");
    assert!(file(path, 1).exists() && !file(path, 2).exists());
    // All of the layer was solved, and written; of half of it the file is this one.
    let mut part = fs::read(path.join("part")).unwrap();
    part.truncate(HEADER + 16 * 512 + 4);
    part[36..44].copy_from_slice(&512_u64.to_le_bytes());
    fs::write(path.join("part"), with_checksum(part)).unwrap();
}

#[test]
fn every_state_of_the_last_layer_is_proved_before_a_solve_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    interrupted(path);
    forge(path, 1, |all| all[777] = all[777].map(|bound| bound + 8));
    relink(path);
    let part = fs::read(path.join("part")).unwrap();
    let last = fs::read(file(path, 1)).unwrap();
    let digest = Sha256::new_with_prefix(&last[DIGEST..HEADER])
        .chain_update(&last[HEADER..last.len() - 4])
        .finalize();
    let mut linked = part.clone();
    linked[DIGEST..HEADER].copy_from_slice(&digest);
    fs::write(path.join("part"), with_checksum(linked)).unwrap();
    for seed in 0..8 {
        let reason = opened(path, seed).map(|_| ()).unwrap_err().to_string();
        assert!(
            reason.starts_with("state `(1, 777)`: the checkpoint says that the value lies in"),
            "{reason}"
        );
    }
}

#[test]
fn a_resumed_solve_counts_what_it_has_not_proved() {
    let whole = tempfile::tempdir().unwrap();
    let whole = solved(Drawn::default(), whole.path());
    assert_eq!((whole.stored_states(), whole.sample_seed()), (0, None));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    interrupted(path);
    let resumed = opened(path, 5).unwrap();
    assert_eq!(
        (resumed.digest(), resumed.widest_enclosure()),
        (whole.digest(), whole.widest_enclosure())
    );
    assert_eq!(resumed.sample_seed(), Some(5));
    // Of the ends and of the solved half layer a sample was proved, of the last complete layer all
    // states.
    assert_eq!(resumed.stored_states(), STATES - 256 + 512 - 256);
    assert_eq!((whole.matrices(), resumed.matrices()), (3 * STATES + 1, STATES - 512 + 1));
    assert_eq!(resumed.verify(u64::MAX).unwrap(), resumed.len());
}

#[test]
fn a_part_that_does_not_go_on_from_the_last_layer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    interrupted(path);
    let part = path.join("part");
    let whole = fs::read(&part).unwrap();
    let refused = |bytes: Vec<u8>| {
        fs::write(&part, with_checksum(bytes)).unwrap();
        opened(path, 1).map(|_| ()).unwrap_err().to_string()
    };
    let mut other = whole.clone();
    other[DIGEST] ^= 1;
    assert!(refused(other).ends_with("part does not go on from layer 2"));
    // A state less than whole blocks.
    let mut shorter = whole[..whole.len() - 16].to_vec();
    shorter[36..44].copy_from_slice(&511_u64.to_le_bytes());
    assert!(refused(shorter).ends_with("part does not go on from layer 2"));
    // A layer later than the next one.
    let mut later = whole.clone();
    later[24] = 3;
    later[28..36].copy_from_slice(&1_u64.to_le_bytes());
    later.truncate(HEADER + 16 + 4);
    later[36..44].copy_from_slice(&1_u64.to_le_bytes());
    assert!(refused(later).ends_with("part does not go on from layer 2"));
    // A false state among those of the sample.
    let mut forged = whole.clone();
    for chunk in forged[HEADER..whole.len() - 4].chunks_mut(8) {
        let bound = i64::from_le_bytes(chunk.try_into().unwrap()) + 8;
        chunk.copy_from_slice(&bound.to_le_bytes());
    }
    assert!(refused(forged).starts_with("state `(2, "));
    // The part of a layer that was completed since is of no use, and does no harm.
    fs::write(&part, &whole).unwrap();
    let digest = opened(path, 1).unwrap().digest();
    assert!(!part.exists());
    fs::write(&part, &whole).unwrap();
    assert_eq!(opened(path, 1).unwrap().digest(), digest);
}

#[test]
fn the_folder_of_other_rules_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    solved(Drawn::default(), path);
    let second = Drawn { is_second: true, ..Drawn::default() };
    assert!(refusal(second, path).ends_with("layer-000 is of another game"));
    for change in [Change::Reward, Change::Weight, Change::Successor, Change::Actions] {
        for rank in [0, 1, 500, 998] {
            let reason = refusal(Drawn::changed(change, 1, rank), path);
            assert!(
                reason.ends_with("layer-000 is of another game"),
                "{change:?} at {rank}: {reason}"
            );
        }
    }
    for rank in [0, 1, 500, 998] {
        assert!(
            refusal(Drawn::changed(Change::Payoff, 0, rank), path)
                .ends_with("layer-000 is of another game")
        );
    }
    let more = refusal(Goofspiel::new(4, true), path);
    assert!(more.ends_with("layer-000 is of another game"), "{more}");
}

/// Runs the checker in Python on a folder of 4 cards: whether it accepts, and its words.
fn checked(path: &Path, arguments: &[&str]) -> (bool, String) {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/check_layers.py");
    let output =
        Command::new("python3").arg(program).arg(path).arg("4").args(arguments).output().unwrap();
    let words = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(words).unwrap())
}

/// A forgery of the folder of Goofspiel with 4 cards.
type Forgery = fn(&Path);

/// Every forgery, with the reasons of the library and of the checker in Python.
const FORGERIES: [(Forgery, &str, &str); 9] = [
    (
        |path| forge_widely(path, 5),
        "does not go on from",
        "does not go on from the layers before it",
    ),
    (
        |path| {
            forge_widely(path, 5);
            relink(path);
        },
        "the checkpoint says that the value lies in",
        "is worth",
    ),
    (
        |path| {
            forge(path, 4, |all| all[0] = [40, 50]);
            relink(path);
        },
        "the checkpoint says that the value lies in",
        "rank 0 of layer 4 is worth",
    ),
    (
        |path| {
            forge(path, 2, |all| all[3] = all[3].map(|bound| bound - 4));
            relink(path);
        },
        "the checkpoint says that the value lies in",
        "rank 3 of layer 2 is worth",
    ),
    (
        |path| {
            let mut bytes = fs::read(file(path, 2)).unwrap();
            bytes[HEADER] ^= 4;
            fs::write(file(path, 2), bytes).unwrap();
        },
        "layer-002 has a wrong checksum",
        "layer-002 has a wrong checksum",
    ),
    (
        |path| {
            let mut bytes = fs::read(file(path, 2)).unwrap();
            bytes[12] ^= 1;
            fs::write(file(path, 2), with_checksum(bytes)).unwrap();
        },
        "layer-002 is of another game",
        "layer-002 is of another game than the layers before it",
    ),
    (
        |path| fs::write(file(path, 2), [0; 92]).unwrap(),
        "layer-002 does not begin as the file of a layer does",
        "layer-002 is no layer of version 2 of the format",
    ),
    (
        |path| {
            let mut bytes = fs::read(file(path, 4)).unwrap();
            bytes[WIDEST..DIGEST].copy_from_slice(&0_u64.to_le_bytes());
            bytes[DIGEST..HEADER].fill(0xab);
            fs::write(file(path, 4), with_checksum(bytes)).unwrap();
        },
        "layer-004 does not go on from the layers before it",
        "layer-004 does not go on from the layers before it",
    ),
    (
        |path| {
            let bytes = fs::read(file(path, 2)).unwrap();
            fs::write(file(path, 2), &bytes[..bytes.len() - 20]).unwrap();
        },
        "layer-002 has another length than it says",
        "layer-002 ends too early",
    ),
];

#[test]
fn the_library_and_the_checker_in_python_refuse_the_same_forgeries() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let solution = solved(Goofspiel::new(4, false), &whole);
    let (is_accepted, words) = checked(&whole, &[]);
    assert!(is_accepted && words.contains(&format!("{} states proved", solution.len())), "{words}");
    assert!(words.contains(&solution.digest()), "{words}");
    for (number, (forgery, by_library, by_python)) in FORGERIES.into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        fs::create_dir(&path).unwrap();
        for layer in 0..=4 {
            fs::copy(file(&whole, layer), file(&path, layer)).unwrap();
        }
        forgery(&path);
        let reason = refusal(Goofspiel::new(4, false), &path);
        assert!(reason.contains(by_library), "{number}: {reason}");
        let (is_accepted, words) = checked(&path, &[]);
        assert!(!is_accepted && words.contains(by_python), "{number}: {words}");
    }
    fs::remove_file(file(&whole, 1)).unwrap();
    assert_eq!(
        checked(&whole, &[]),
        (false, format!("{} is missing\n", file(&whole, 1).display()))
    );
}

/// The names in a folder, sorted.
fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

const ALL_LAYERS: [&str; 5] = ["layer-000", "layer-001", "layer-002", "layer-003", "lock"];

#[test]
fn one_process_at_a_time_solves_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut refused = Vec::new();
    let during = |_: f64| {
        let other = StochasticSolver::new(Drawn::default())
            .threads(1)
            .solve_ranked(Some(LayerFolder::new(path)));
        refused.push((other.map(|_| ()).unwrap_err().to_string(), refusal(Drawn::default(), path)));
        ControlFlow::Continue(())
    };
    let solver = StochasticSolver::new(Drawn::default()).threads(1).on_progress(during);
    let solution = solver.solve_ranked(Some(LayerFolder::new(path).keep_all())).unwrap();
    assert!(refused.len() >= 4, "{refused:?}");
    for (solving, reading) in refused {
        let holder = format!(
            "the checkpoint {} is solved in by process {}",
            path.display(),
            std::process::id()
        );
        assert_eq!(solving, holder);
        assert!(reading.ends_with("of 4 layers"), "{reading}");
    }
    assert_eq!(names(path), ALL_LAYERS);
    // The lock is held no longer, by the solution either.
    assert_eq!(solved(Drawn::default(), path).digest(), solution.digest());
}

#[test]
fn a_file_that_cannot_be_written_ends_the_solve_and_the_next_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // A folder in the place of the third layer, which is solved and cannot be renamed.
    let place = |share: f64| {
        if share > 0.7 && !file(path, 2).exists() {
            fs::create_dir(file(path, 2)).unwrap();
        }
        ControlFlow::Continue(())
    };
    let solver = StochasticSolver::new(Drawn::default()).threads(1).on_progress(place);
    let error = solver
        .solve_ranked(Some(LayerFolder::new(path).keep_all()))
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&format!(
            "the checkpoint {} cannot be written: ",
            file(path, 2).display()
        )),
        "{error}"
    );
    assert!(
        error.ends_with("; layer 1 is kept, and solving again in this folder goes on from there"),
        "{error}"
    );
    assert_eq!(names(path), ["layer-000", "layer-001", "layer-002", "lock"]);
    fs::remove_dir(file(path, 2)).unwrap();
    let resumed = solved(Drawn::default(), path);
    assert_eq!(resumed.matrices(), STATES + 1, "two layers were kept");
    let nowhere = path.join("lock").join("below a file");
    let error = StochasticSolver::new(Drawn::default())
        .solve_ranked(Some(LayerFolder::new(&nowhere)))
        .map(|_| ())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("the checkpoint {} cannot be written: ", nowhere.display())),
        "{error}"
    );
}

#[test]
fn what_a_killed_process_left_unfinished_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    interrupted(path);
    for name in [".layer-001.pencil-tennis-abcdef", ".part.pencil-tennis-qwerty"] {
        fs::write(path.join(name), [0; 100]).unwrap();
    }
    // As a process that was killed leaves it.
    fs::write(path.join("lock"), "12345").unwrap();
    solved(Drawn::default(), path);
    assert_eq!(names(path), ALL_LAYERS);
    assert_eq!(fs::read_to_string(path.join("lock")).unwrap(), std::process::id().to_string());
}
