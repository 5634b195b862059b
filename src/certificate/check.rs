//! The check of a certificate, plain on purpose: rules, integers and two loops.

use super::format::Proof;
use super::format::{CHECKSUM, HEADER, read_header, refusal, refusal_at, unreadable};
use crate::bounds::Bounds;
use crate::error::Error;
use crate::game::codec::{Bytes, GameHeader};
use crate::game::{Outcome, Payoff, Player, Rules, State, StateSpace};

/// Weights of a strategy sum to 2^this.
const WHOLE_BITS: u32 = 62;
const WHOLE: i128 = 1 << WHOLE_BITS;

/// No bound exceeds 2^this in absolute value: a weight times a bound, summed over a distribution, fits 128 bits.
const BOUND_BITS: u32 = 61;

/// The fewest bytes of a state: two pure strategies of a size and a bid.
const LEAST_STATE: u64 = 8;

/// Checks a certificate and returns the bounds that it proves.
///
/// Recomputes every bound from the rules and the weights: the security levels of both players' strategies. Time O(Σ support ·
/// bids), memory O(states), bounded by a multiple of the certificate's length.
///
/// # Errors
/// [`super::CertificateError::Refused`] with the first fault.
///
/// ```
/// use pencil_tennis::certificate;
///
/// let bytes = pencil_tennis::solve(8)?.certificate();
/// let proof = certificate::verify(&bytes)?;
/// let bounds = proof.bounds("8:8@-1".parse()?)?;
/// assert!(bounds.lower <= bounds.upper && proof.widest_units() < 100);
/// assert!(certificate::verify(&bytes[..bytes.len() - 1]).is_err());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn verify(certificate: &[u8]) -> Result<Proof, Error> {
    let Some((content, checksum)) = certificate.split_last_chunk::<CHECKSUM>().filter(|(content, _)| content.len() >= HEADER)
    else {
        return Err(refusal("it is too short"));
    };
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(refusal("its checksum does not fit its content"));
    }
    let mut bytes = Bytes(content);
    let GameHeader { rules, points, mirrored } = read_header(&mut bytes)?;
    let space = StateSpace::new(&rules, points);
    // Before memory is taken: at least half the states that are not ended must follow.
    let least = (space.len() as u64 / 2).saturating_sub(rules.positions() as u64) * LEAST_STATE;
    if (bytes.0.len() as u64) < least {
        return Err(refusal("it is too short for its number of points"));
    }
    let mut proof = Proof::new(rules, points, exponent(&rules));
    let ends = Outcome::EACH.map(|outcome| payoff_bounds(rules.scoring().payoff(outcome), proof.exponent()));
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
        return Err(refusal(format!("{} bytes are left over at its end", bytes.0.len())));
    }
    Ok(proof)
}

/// Whether a state is left out in favour of its mirror image: A has fewer points, or as many and the better ball.
fn is_image(state: State) -> bool {
    state.a < state.b || (state.a == state.b && state.ball.position() > 0)
}

/// Reads both strategies of a state and computes the bounds that they prove.
fn bounds_of(proof: &Proof, ends: &[Bounds; 5], state: State, bytes: &mut Bytes<'_>) -> Result<Bounds, Error> {
    let mut secured_by = |player| {
        let strategy = read_strategy(bytes, proof.rules(), state, player)?;
        Ok::<_, Error>(secured(proof, ends, state, player, &strategy))
    };
    Ok(Bounds { lower: secured_by(Player::A)?, upper: -secured_by(Player::B)? })
}

/// What a player's strategy secures, repeated until the state is left where two bids of 0 repeat it.
///
/// Against bids of 0 for ever the mean over the other bids counts, or without such bids the payoff of infinite plays, which are
/// decided where the ball lies, as if everything were spent.
fn secured(proof: &Proof, ends: &[Bounds; 5], state: State, player: Player, strategy: &[(u32, i64)]) -> i64 {
    let (rules, opponent) = (proof.rules(), player.opponent());
    let gain = |bounds: Bounds| i128::from(if player == Player::A { bounds.lower } else { -bounds.upper });
    let gain_after = |bid: u32, reply: u32| {
        let next = if player == Player::A { rules.next(state, bid, reply) } else { rules.next(state, reply, bid) };
        gain(rules.outcome(next).map_or_else(|| proof.get(next), |outcome| ends[outcome.index()]))
    };
    let endless = ends[rules.end_at(state.ball.position()).index()];
    let secured_against = |reply: u32| {
        let repeats = |bid: u32| rules.min_bid() == 0 && bid + reply == 0;
        let (mut weights, mut sum) = (0, 0);
        for &(bid, weight) in strategy.iter().filter(|(bid, _)| !repeats(*bid)) {
            weights += i128::from(weight);
            sum += i128::from(weight) * gain_after(bid, reply);
        }
        match weights {
            0 => gain(endless),
            // The quotient, which shifting finds sooner.
            WHOLE => sum >> WHOLE_BITS,
            _ => sum.div_euclid(weights),
        }
    };
    let points = state.points(opponent);
    let secured = (rules.lowest_bid_of(opponent, points)..=points).map(secured_against).min();
    // There is a reply, and a mean of numbers of 64 bits has as many.
    secured.unwrap_or(i128::MIN) as i64
}

/// Reads a distribution over legal bids and rejects everything else.
fn read_strategy(bytes: &mut Bytes<'_>, rules: &Rules, state: State, player: Player) -> Result<Vec<(u32, i64)>, Error> {
    let points = state.points(player);
    let legal = rules.lowest_bid_of(player, points)..=points;
    let size = u32::from(bytes.u16().map_err(|error| unreadable(&error))?);
    if size == 0 || size > legal.end() - legal.start() + 1 {
        return Err(refusal_at(state, format!("{player} has {size} bids to choose from")));
    }
    let mut left = WHOLE as u64;
    let mut strategy: Vec<(u32, i64)> = Vec::new();
    for index in 0..size {
        let bid = u32::from(bytes.u16().map_err(|error| unreadable(&error))?);
        if !legal.contains(&bid) || strategy.last().is_some_and(|&(previous, _)| previous >= bid) {
            return Err(refusal_at(state, format!("{player}'s bid {bid} is not legal or not in rising order")));
        }
        let weight = if index + 1 < size { bytes.u64().map_err(|error| unreadable(&error))? } else { left };
        // Once the weights reach the whole, the next one is rejected.
        if weight == 0 || weight > left {
            return Err(refusal_at(state, format!("{player}'s weights are not positive with the sum 2^62")));
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
    let mut exponent = 0;
    while fits(exponent + 1) {
        exponent += 1;
    }
    exponent
}

fn payoff_bounds(payoff: Payoff, exponent: u32) -> Bounds {
    let (numerator, denominator) = (i128::from(*payoff.numer()) << exponent, i128::from(*payoff.denom()));
    Bounds { lower: numerator.div_euclid(denominator) as i64, upper: -(-numerator).div_euclid(denominator) as i64 }
}
