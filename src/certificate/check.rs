//! The check of a certificate, plain on purpose: rules, integers and two loops.

use std::ops::RangeInclusive;

use super::format::{CHECKSUM, HEADER, Proof, read_header, refusal};
use crate::bounds::Bounds;
use crate::error::{CertificateFault, Error};
use crate::game::codec::GameHeader;
use crate::game::{Outcome, Payoff, Player, Rules, State, StateSpace};
use stochastic_game::internal::codec::Bytes;

/// Weights of a strategy sum to 2^this.
const WHOLE_BITS: u32 = 62;

/// No bound exceeds 2^this in absolute value: a weight times a bound, summed over a distribution,
/// fits 128 bits.
const BOUND_BITS: u32 = 61;

/// The fewest bytes of a state: two pure strategies of a size and a bid.
const LEAST_STATE: u64 = 8;

/// Checks a certificate and returns the bounds that it proves.
///
/// Recomputes every bound from the rules and the weights: the security levels of both players'
/// strategies. Time O(Σ support · bids), memory O(states), bounded by a multiple of the
/// certificate's length.
///
/// # Errors
/// [`Error::Certificate`] with the first fault.
///
/// ```
/// use pencil_tennis::{certificate, unwatched};
///
/// let bytes = pencil_tennis::solve(8)?.certificate(&mut unwatched)?;
/// let proof = certificate::verify(&bytes)?;
/// let value = proof.enclosure("8:8@-1".parse()?)?;
/// assert!(value.lower() <= value.upper() && proof.widest_enclosure() < 1e-16);
/// assert!(certificate::verify(&bytes[..bytes.len() - 1]).is_err());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn verify(certificate: &[u8]) -> Result<Proof, Error> {
    let Some((content, checksum)) =
        certificate.split_last_chunk::<CHECKSUM>().filter(|(content, _)| content.len() >= HEADER)
    else {
        return Err(refusal(CertificateFault::Short));
    };
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(refusal(CertificateFault::Checksum));
    }
    let mut bytes = Bytes(content);
    let GameHeader { rules, points, mirrored } = read_header(&mut bytes)?;
    let space = StateSpace::new(&rules, points);
    // Before memory is taken: at least half the states that are not ended must follow.
    let least = (space.len() as u64 / 2).saturating_sub(rules.positions() as u64) * LEAST_STATE;
    if (bytes.0.len() as u64) < least {
        return Err(refusal(CertificateFault::FewStates));
    }
    let mut proof =
        Proof::new(rules, points, exponent(&rules), vec![Bounds::default(); space.len()]);
    let ends = Outcome::EACH
        .map(|outcome| payoff_bounds(rules.scoring().payoff(outcome), proof.exponent()));
    for state in space.layer(0) {
        if let Some(outcome) = rules.outcome(state) {
            proof.set(state, ends[outcome.index()]);
        }
    }
    for state in (1..=space.layers()).flat_map(|total| space.layer(total)) {
        let image = state.mirrored();
        let image_inside = mirrored && space.contains(image);
        if image_inside && is_image(state) {
            continue;
        }
        let bounds = bounds_of(&proof, &ends, state, &mut bytes)?;
        proof.set(state, bounds);
        if image_inside && image != state {
            proof.set(image, bounds.mirrored());
        }
    }
    if !bytes.0.is_empty() {
        return Err(refusal(CertificateFault::Surplus { bytes: bytes.0.len() }));
    }
    Ok(proof)
}

/// Whether a state is left out in favour of its mirror image: A has fewer points, or as many and
/// the better ball.
fn is_image(state: State) -> bool {
    state.a < state.b || (state.a == state.b && state.ball.position() > 0)
}

/// Reads both strategies of a state and computes the bounds that they prove.
fn bounds_of(
    proof: &Proof,
    ends: &[Bounds; 5],
    state: State,
    bytes: &mut Bytes<'_>,
) -> Result<Bounds, Error> {
    let rules = proof.rules();
    let strategy_a = read_strategy(bytes, rules, state, Player::A)?;
    let strategy_b = read_strategy(bytes, rules, state, Player::B)?;
    let entry = |bid_a: u32, bid_b: u32| {
        let next = rules.next(state, bid_a, bid_b);
        match rules.outcome(next) {
            Some(outcome) => ends[outcome.index()],
            None => proof.get(next),
        }
    };
    // Infinite plays are decided where the ball lies, as if everything were spent.
    let endless = ends[rules.end_at(state.ball.position()).index()];
    let [endless_a, endless_b] =
        [endless.lower, -endless.upper].map(|gain| (rules.min_bid() == 0).then_some(gain));
    let replies_b = rules.lowest_bid_of(Player::B, state.b)..=state.b;
    let replies_a = rules.lowest_bid_of(Player::A, state.a)..=state.a;
    let lower =
        secured(&strategy_a, replies_b, endless_a, |bid_a, bid_b| entry(bid_a, bid_b).lower);
    let minus_upper =
        secured(&strategy_b, replies_a, endless_b, |bid_b, bid_a| -entry(bid_a, bid_b).upper);
    Ok(Bounds { lower, upper: -minus_upper })
}

/// The least that a strategy gains in the mean, rounded down, whatever the reply.
///
/// `endless` is the gain of infinite plays, where two bids of 0 repeat the state. There the
/// strategy is repeated until the state is left: against bids of 0 for ever the mean over its bids
/// of 1 and more counts, or without such bids `endless`.
fn secured(
    strategy: &[(u32, i64)],
    replies: RangeInclusive<u32>,
    endless: Option<i64>,
    gain: impl Fn(u32, u32) -> i64,
) -> i64 {
    let mut least = i128::MAX;
    for reply in replies {
        let (waits, leaving) = match strategy {
            [(0, waits), leaving @ ..] if reply == 0 && endless.is_some() => (*waits, leaving),
            _ => (0, strategy),
        };
        let mut sum = 0;
        for &(bid, weight) in leaving {
            sum += i128::from(weight) * i128::from(gain(bid, reply));
        }
        least = least.min(match endless {
            Some(endless) if leaving.is_empty() => endless.into(),
            Some(_) if waits > 0 => sum.div_euclid((1 << WHOLE_BITS) - i128::from(waits)),
            // Shifting rounds down.
            _ => sum >> WHOLE_BITS,
        });
    }
    least as i64
}

/// Reads a distribution over legal bids and rejects everything else.
fn read_strategy(
    bytes: &mut Bytes<'_>,
    rules: &Rules,
    state: State,
    player: Player,
) -> Result<Vec<(u32, i64)>, Error> {
    let points = state.points(player);
    let legal = rules.lowest_bid_of(player, points)..=points;
    let size = u32::from(bytes.u16().map_err(refusal)?);
    if size == 0 || size > legal.end() - legal.start() + 1 {
        return Err(refusal(CertificateFault::Size { state, player, size }));
    }
    let mut left: u64 = 1 << WHOLE_BITS;
    let mut strategy: Vec<(u32, i64)> = Vec::new();
    for index in 0..size {
        let bid = u32::from(bytes.u16().map_err(refusal)?);
        if !legal.contains(&bid) || strategy.last().is_some_and(|&(previous, _)| previous >= bid) {
            return Err(refusal(CertificateFault::Bid { state, player, bid }));
        }
        let weight = if index + 1 < size { bytes.u64().map_err(refusal)? } else { left };
        // Once the weights reach the whole, the next one is rejected.
        if weight == 0 || weight > left {
            return Err(refusal(CertificateFault::Weights { state, player }));
        }
        left -= weight;
        strategy.push((bid, weight as i64));
    }
    Ok(strategy)
}

/// The exponent of the unit 2^−exponent: the largest for which no payoff exceeds 2^61 units.
fn exponent(rules: &Rules) -> u32 {
    let fits = |exponent: u32| {
        rules.scoring().payoffs().iter().all(|payoff| {
            let magnitude = i128::from(*payoff.numer()).abs();
            magnitude << exponent <= i128::from(*payoff.denom()) << BOUND_BITS
        })
    };
    // Zero payoffs fit any unit.
    if rules.scoring().payoffs().iter().all(|payoff| *payoff.numer() == 0) {
        return BOUND_BITS;
    }
    // All others are above 2^−63.
    (1..=BOUND_BITS + 63).take_while(|&exponent| fits(exponent)).last().unwrap_or(0)
}

fn payoff_bounds(payoff: Payoff, exponent: u32) -> Bounds {
    let (numerator, denominator) =
        (i128::from(*payoff.numer()) << exponent, i128::from(*payoff.denom()));
    Bounds {
        lower: numerator.div_euclid(denominator) as i64,
        upper: -(-numerator).div_euclid(denominator) as i64,
    }
}
