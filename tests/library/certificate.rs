//! Certificates prove what the solution claims, and whatever is done to one, nothing false is ever
//! proved.

use num_rational::BigRational;
use pencil_tennis::certificate::{self, Proof};
use pencil_tennis::{Bounds, Player, Rules, Scoring, Solution, Solver, State, unwatched};
use proptest::prelude::RngExt;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The bytes before the strategies.
const HEADER: usize = 106;

fn solved(rules: Rules, a: u32, b: u32) -> Solution {
    Solver::new(&rules).points([a, b]).solve().unwrap()
}

/// Puts a fresh checksum under changed content, so that the change is looked at and not only
/// noticed.
fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let checksum = crc32fast::hash(&content);
    content.extend(checksum.to_le_bytes());
    content
}

fn content(certificate: &[u8]) -> Vec<u8> {
    certificate[..certificate.len() - 4].to_vec()
}

/// A fixed stream of random numbers: failures must be reproducible.
fn random(seed: u64) -> TestRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

/// Every bound of the proof contains the exact value of the game that the proof says it is about.
fn assert_true(proof: &Proof) {
    let [a, b] = proof.points();
    let exact =
        Solver::new(proof.rules()).points([a, b]).threads(1).exact(usize::MAX).solve().unwrap();
    for (state, Bounds { lower, upper }) in proof.iter() {
        let value = exact.exact_value(state).unwrap().unwrap();
        let unit = |bound: i64| {
            BigRational::new(bound.into(), num_bigint::BigInt::from(1) << proof.exponent())
        };
        assert!(
            unit(lower) <= value && value <= unit(upper),
            "{state}: {value} is not in [{lower}, {upper}]"
        );
    }
}

/// The check shares only the rules with the solver and comes to the same integers.
#[test]
fn a_certificate_proves_the_enclosures_of_the_solution_bit_for_bit() {
    let skewed: Scoring = "1,1/2,1/3,0,-2".parse().unwrap();
    let games = [
        (Rules::tennis(), 50, 50),
        (Rules::tennis(), 9, 14),
        (Rules::tennis(), 14, 9),
        (Rules::footsteps(), 12, 12),
        (Rules::oshi_zumo(3).unwrap(), 10, 11),
        (Rules::tennis().with_scoring(skewed), 12, 10),
    ];
    for (rules, a, b) in games {
        let solution = solved(rules, a, b);
        let proof =
            certificate::verify(&solution.certificate(&mut unwatched).expect("nobody cancels"))
                .unwrap();
        assert_eq!(
            (proof.rules(), proof.points(), proof.iter().len()),
            (&rules, [a, b], solution.states().len())
        );
        for (state, bounds) in proof.iter() {
            let enclosure = solution.enclosure(state).unwrap();
            assert_eq!(
                (bounds, proof.exponent()),
                (enclosure.integers(), enclosure.unit_exponent()),
                "{state}"
            );
        }
    }
}

/// A valid certificate is not the one to be written if it is of another game, or proves wider
/// bounds of the same one.
#[test]
fn a_solution_agrees_with_its_own_certificate_alone() {
    let solution = solved(Rules::tennis(), 5, 5);
    let proof = |bytes: &[u8]| certificate::verify(bytes).unwrap();
    assert!(
        solution
            .agrees_with(&proof(&solution.certificate(&mut unwatched).expect("nobody cancels")))
    );
    let others = [
        solved(Rules::tennis(), 5, 4).certificate(&mut unwatched).expect("nobody cancels"),
        solved(Rules::tennis().with_scoring("3,1,0,-1,-3".parse().unwrap()), 5, 5)
            .certificate(&mut unwatched)
            .expect("nobody cancels"),
        certificate_of(&Rules::tennis(), 5, |_, account| weights(account, |_| 1.0)),
    ];
    for other in others {
        assert!(!solution.agrees_with(&proof(&other)));
    }
    let limit = Solver::new(&Rules::tennis()).points([4, 3]).limit().unwrap();
    for (favoured, other) in [(Player::A, Player::B), (Player::B, Player::A)] {
        let [game, other] = [favoured, other].map(|player| limit.game(player).expect("two games"));
        let proof = proof(&game.certificate(&mut unwatched).expect("nobody cancels"));
        assert!(game.agrees_with(&proof) && !other.agrees_with(&proof));
    }
}

/// Writes a certificate of a game without mirror symmetry from any weights at all.
fn certificate_of(
    rules: &Rules,
    points: u32,
    mut strategy: impl FnMut(State, u32) -> Vec<(u16, u64)>,
) -> Vec<u8> {
    let mut bytes = content(
        &Solver::new(rules)
            .points([points, points])
            .use_symmetry(false)
            .solve()
            .unwrap()
            .certificate(&mut unwatched)
            .expect("nobody cancels"),
    );
    bytes.truncate(HEADER);
    for total in 1..=2 * points {
        for a in total.saturating_sub(points)..=total.min(points) {
            for ball in -rules.field()..=rules.field() {
                let state: State = format!("{a}:{}@{ball}", total - a).parse().unwrap();
                for account in [state.a, state.b] {
                    let weights = strategy(state, account);
                    bytes.extend((weights.len() as u16).to_le_bytes());
                    for (index, (bid, weight)) in weights.iter().enumerate() {
                        bytes.extend(bid.to_le_bytes());
                        if index + 1 < weights.len() {
                            bytes.extend(weight.to_le_bytes());
                        }
                    }
                }
            }
        }
    }
    sealed(bytes)
}

/// Weights in proportion to `shares`, none of them 0.
fn weights(account: u32, shares: impl Fn(u32) -> f64) -> Vec<(u16, u64)> {
    let legal: Vec<u32> = Rules::tennis().legal_bids(account).collect();
    let sum: f64 = legal.iter().map(|&bid| shares(bid)).sum();
    let whole = (1_u64 << 62) as f64;
    // 2^-20 less than the share keeps the sum below the whole: the last bid takes what is left.
    legal
        .iter()
        .map(|&bid| (bid as u16, (shares(bid) / sum * whole * (1.0 - 1e-6)).max(1.0) as u64))
        .collect()
}

/// The integer pass gives true bounds for every pair of strategies: good, bad or absurd.
#[test]
fn any_strategies_prove_true_bounds() {
    for rules in [Rules::tennis(), Rules::tennis().with_scoring("1,1/2,1/3,0,-2".parse().unwrap())]
    {
        let uniform = certificate_of(&rules, 8, |_, account| weights(account, |_| 1.0));
        let highest = certificate_of(&rules, 8, |_, account| vec![(account as u16, 0)]);
        let lowest = certificate_of(&rules, 8, |_, account| vec![(account.min(1) as u16, 0)]);
        let mut rng = random(1);
        let irregular = certificate_of(&rules, 8, |_, account| {
            let shares: Vec<f64> =
                (0..=account).map(|_| rng.random::<f64>().powi(8) + 1e-15).collect();
            weights(account, |bid| shares[bid as usize])
        });
        for bytes in [uniform, highest, lowest, irregular] {
            assert_true(&certificate::verify(&bytes).unwrap());
        }
        // Optimal strategies, every probability off by about a thousandth.
        let solution = solved(rules, 8, 8);
        for seed in 0..20 {
            let mut rng = random(seed);
            let mut player = 0;
            let perturbed = certificate_of(&rules, 8, |state, account| {
                let equilibrium = solution.equilibrium(state).unwrap();
                let strategy = if player == 0 { equilibrium.a } else { equilibrium.b };
                player = 1 - player;
                let noise: Vec<f64> =
                    (0..=account).map(|_| 1e-3 * rng.random::<f64>() + 1e-18).collect();
                weights(account, |bid| strategy.probability(bid) + noise[bid as usize])
            });
            let proof = certificate::verify(&perturbed).unwrap();
            assert_true(&proof);
            assert!(proof.widest_enclosure() > 1e-5, "errors of a thousandth cannot go unnoticed");
        }
    }
}

/// 12,000 alterations with a checksum that fits: refused with a sentence, or true all the same.
#[test]
fn altered_certificates_prove_nothing_false() {
    // One certificate as it is written, in which most strategies are pure, and one made of weights
    // almost entirely.
    let written = content(
        &solved(Rules::tennis(), 5, 5).certificate(&mut unwatched).expect("nobody cancels"),
    );
    let mixed = content(&certificate_of(&Rules::tennis(), 5, |_, account| {
        weights(account, |bid| f64::from(bid + 1))
    }));
    let mut rng = random(2);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..12_000 {
        let mut altered = if round % 3 == 0 { written.clone() } else { mixed.clone() };
        let place = rng.random_range(0..altered.len());
        match round % 4 {
            0 => altered[place] ^= 1 << rng.random_range(0..8_u32),
            1 => altered[place] = rng.random(),
            2 => altered.truncate(place),
            _ => {
                let length = rng.random_range(1..=8_usize.min(altered.len() - place));
                rng.fill(&mut altered[place..place + length]);
            }
        }
        match certificate::verify(&sealed(altered)) {
            Err(error) => {
                assert!(error.to_string().starts_with("the certificate is not valid: "), "{error}");
                refused += 1;
            }
            // Where a change of the points or the field makes another game of it, that game's
            // values are what counts.
            Ok(proof) => {
                assert_true(&proof);
                accepted += 1;
            }
        }
    }
    assert!(
        refused > 1_000 && accepted > 1_000,
        "{refused} refused and {accepted} accepted: both must occur to mean anything"
    );
}

/// Without a new checksum every change of a byte, and every cut, is noticed.
#[test]
fn damage_is_noticed() {
    let certificate =
        solved(Rules::tennis(), 3, 3).certificate(&mut unwatched).expect("nobody cancels");
    for place in 0..certificate.len() {
        for bit in 0..8 {
            let mut damaged = certificate.clone();
            damaged[place] ^= 1 << bit;
            assert!(certificate::verify(&damaged).is_err(), "bit {bit} of byte {place}");
        }
        assert!(certificate::verify(&certificate[..place]).is_err(), "cut at {place}");
    }
    let mut longer = content(&certificate);
    longer.push(0);
    assert!(certificate::verify(&sealed(longer)).is_err(), "a byte too many");
}

/// A header may promise a huge game: it is refused before memory is taken for it.
#[test]
fn a_promise_of_many_points_allocates_nothing() {
    let mut bytes = content(
        &solved(Rules::tennis(), 2, 2).certificate(&mut unwatched).expect("nobody cancels"),
    );
    for place in [18, 22] {
        bytes[place..place + 4].copy_from_slice(&65_535_u32.to_le_bytes());
    }
    let error = certificate::verify(&sealed(bytes)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the certificate is not valid: it is too short for its number of points"
    );
}

/// Bytes that never were a certificate.
#[test]
fn noise_is_refused() {
    let mut runner = TestRunner::new(Config::with_cases(256));
    runner
        .run(&proptest::collection::vec(proptest::num::u8::ANY, 0..400), |bytes| {
            assert!(certificate::verify(&bytes).is_err());
            let mut dressed = b"TENNISPF\x01\0\0\0".to_vec();
            dressed.extend(&bytes);
            if let Ok(proof) = certificate::verify(&sealed(dressed)) {
                assert!(proof.iter().len() <= 400);
            }
            Ok(())
        })
        .unwrap();
}
