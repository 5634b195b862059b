//! Games as bytes. Bytes that encode no game are refused with the reason, in words that follow the
//! name of a file.

use stochastic_game::internal::codec::{Bytes, EndsEarly};

use super::{HeaderFault, Motion, Outcome, Payoff, Player, Rules, Scoring};

/// What is added to a motion's code where the smallest bid is 0.
const ZERO_BIDS: u64 = 2;

/// What is added to a motion's code where A is favoured.
const A_FAVOURED: u64 = 4;

/// What is added to a motion's code where B is favoured.
const B_FAVOURED: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RulesCode {
    pub(crate) field: u32,
    /// The motion's code, 0 or 1, plus [`ZERO_BIDS`], [`A_FAVOURED`] or [`B_FAVOURED`]: all in one
    /// number, so that older readers reject games that they do not know.
    pub(crate) motion: u64,
    /// Numerators and denominators in the order of [`Outcome::ALL`].
    pub(crate) payoffs: [[i64; 2]; 5],
}

impl RulesCode {
    pub(crate) fn of(rules: &Rules) -> Self {
        let further = match (rules.min_bid(), rules.favoured()) {
            (0, _) => ZERO_BIDS,
            (_, None) => 0,
            (_, Some(Player::A)) => A_FAVOURED,
            (_, Some(Player::B)) => B_FAVOURED,
        };
        let payoffs =
            Outcome::EACH.map(|outcome| rules.scoring().payoff(outcome).into_raw().into());
        Self {
            field: rules.field() as u32,
            motion: u64::from(rules.motion().code()) + further,
            payoffs,
        }
    }

    /// The rules that the numbers encode.
    ///
    /// # Errors
    /// An unknown motion, a field or payoffs out of range.
    pub(crate) fn decode(self) -> Result<Rules, HeaderFault> {
        let unknown = || HeaderFault::Motion { number: self.motion };
        let motion = Motion::of_code(self.motion % ZERO_BIDS).ok_or_else(unknown)?;
        let (min_bid, favoured) = match self.motion - self.motion % ZERO_BIDS {
            0 => (1, None),
            ZERO_BIDS => (0, None),
            A_FAVOURED => (1, Some(Player::A)),
            B_FAVOURED => (1, Some(Player::B)),
            _ => return Err(unknown()),
        };
        // Scoring checks for a proper fraction in lowest terms.
        let rules = Scoring::new(|outcome| {
            let [numerator, denominator] = self.payoffs[outcome.index()];
            Payoff::new_raw(numerator, denominator)
        })
        .and_then(|scoring| {
            Rules::new(i32::try_from(self.field).unwrap_or(i32::MAX), motion, scoring)?
                .with_min_bid(min_bid)
        })
        .and_then(|rules| favoured.map_or(Ok(rules), |player| rules.favouring(player)));
        Ok(rules?)
    }
}

/// A game: rules, points, and whether mirror images share a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameHeader {
    pub(crate) rules: Rules,
    pub(crate) points: [u32; 2],
    pub(crate) mirrored: bool,
}

impl GameHeader {
    pub(crate) const BYTES: usize = 4 + 1 + 1 + 4 + 4 + 5 * 16;

    /// Bids in files have two bytes.
    const MOST_POINTS: u32 = 0xffff;

    /// Appends the bytes, integers in little-endian order.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let RulesCode { field, motion, payoffs } = RulesCode::of(&self.rules);
        out.extend(field.to_le_bytes());
        out.push(motion as u8);
        out.push(u8::from(self.mirrored));
        for points in self.points {
            out.extend(points.to_le_bytes());
        }
        for term in payoffs.into_iter().flatten() {
            out.extend(term.to_le_bytes());
        }
    }

    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Result<Self, HeaderFault> {
        let field = bytes.u32()?;
        let [motion, mirrored] = bytes.take()?;
        let points = [bytes.u32()?, bytes.u32()?];
        let mut payoffs = [[0; 2]; 5];
        for term in payoffs.iter_mut().flatten() {
            *term = i64::from_le_bytes(bytes.take()?);
        }
        let rules = RulesCode { field, motion: motion.into(), payoffs }.decode()?;
        if mirrored > 1 {
            return Err(HeaderFault::MirrorFlag { flag: mirrored.into() });
        }
        if points.iter().any(|points| !(1..=Self::MOST_POINTS).contains(points)) {
            return Err(HeaderFault::Points { a: points[0], b: points[1] });
        }
        if mirrored == 1 && !rules.is_antisymmetric() {
            return Err(HeaderFault::Asymmetric);
        }
        Ok(Self { rules, points, mirrored: mirrored == 1 })
    }
}

impl From<EndsEarly> for HeaderFault {
    fn from(EndsEarly: EndsEarly) -> Self {
        Self::Ends
    }
}

#[cfg(test)]
mod tests {
    use stochastic_game::internal::codec::Bytes;

    use super::{GameHeader, RulesCode, ZERO_BIDS};
    use crate::{Motion, Player, Rules, Scoring};

    /// Rules of every motion with every further rule.
    fn all_rules() -> Vec<Rules> {
        let plain = Motion::CODED
            .iter()
            .map(|&motion| Rules::new(3, motion, Scoring::two_one()).expect("rules"));
        let varied = plain.flat_map(|rules| {
            let favouring = |player| rules.favouring(player).expect("a favourite");
            [
                rules,
                rules.with_min_bid(0).expect("a smallest bid"),
                favouring(Player::A),
                favouring(Player::B),
            ]
        });
        varied.collect()
    }

    #[test]
    fn rules_are_read_as_they_were_written() {
        for rules in all_rules() {
            assert_eq!(RulesCode::of(&rules).decode(), Ok(rules));
            let header = GameHeader { rules, points: [4, 3], mirrored: false };
            let mut bytes = Vec::new();
            header.write(&mut bytes);
            assert_eq!(GameHeader::read(&mut Bytes(&bytes)), Ok(header));
        }
    }

    #[test]
    fn rules_have_codes_of_their_own_that_leave_room_for_each_other() {
        let mut codes: Vec<u64> =
            all_rules().iter().map(|rules| RulesCode::of(rules).motion).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all_rules().len());
        // A motion with a larger code needs another place for what is added.
        assert!(Motion::CODED.iter().all(|motion| u64::from(motion.code()) < ZERO_BIDS));
    }
}
