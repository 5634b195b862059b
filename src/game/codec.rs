//! Games as bytes. Bytes that encode no game are refused with the reason, in words that follow the name of a file.

use super::{Motion, Outcome, Payoff, Player, Rules, Scoring};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RulesCode {
    pub(crate) field: u32,
    /// 0 for over the net, 1 for one step; plus 2 where the smallest bid is 0, plus 4 or 8 where A or B is favoured. All in one
    /// number, so that older readers reject games that they do not know.
    pub(crate) motion: u64,
    /// Numerators and denominators in the order of [`Outcome::ALL`].
    pub(crate) payoffs: [[i64; 2]; 5],
}

impl RulesCode {
    pub(crate) fn of(rules: &Rules) -> Self {
        let zero_bids = if rules.min_bid() == 0 { 2 } else { 0 };
        let payoffs = Outcome::EACH.map(|outcome| rules.scoring().payoff(outcome).into_raw().into());
        Self {
            field: rules.field() as u32,
            motion: rules.motion() as u64 + zero_bids + rules.favoured().map_or(0, |player| 4 << player as u64),
            payoffs,
        }
    }

    /// The rules that the numbers encode.
    ///
    /// # Errors
    /// An unknown motion, a field or payoffs out of range.
    pub(crate) fn decode(self) -> Result<Rules, String> {
        let motion = if self.motion.is_multiple_of(2) { Motion::Net } else { Motion::Step };
        let (min_bid, favoured) = match self.motion - self.motion % 2 {
            0 => (1, None),
            2 => (0, None),
            4 => (1, Some(Player::A)),
            8 => (1, Some(Player::B)),
            _ => return Err(format!("there is no motion {}", self.motion)),
        };
        // Scoring checks for a proper fraction in lowest terms.
        let rules = Scoring::new(|outcome| {
            let [numerator, denominator] = self.payoffs[outcome.index()];
            Payoff::new_raw(numerator, denominator)
        })
        .and_then(|scoring| Rules::new(i32::try_from(self.field).unwrap_or(i32::MAX), motion, scoring)?.with_min_bid(min_bid))
        .and_then(|rules| favoured.map_or(Ok(rules), |player| rules.favouring(player)));
        rules.map_err(|error| error.to_string())
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

    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Result<Self, String> {
        let field = bytes.u32()?;
        let [motion, mirrored] = bytes.take()?;
        let points = [bytes.u32()?, bytes.u32()?];
        let mut payoffs = [[0; 2]; 5];
        for term in payoffs.iter_mut().flatten() {
            *term = i64::from_le_bytes(bytes.take()?);
        }
        let rules = RulesCode { field, motion: motion.into(), payoffs }.decode()?;
        if mirrored > 1 {
            return Err(format!("the mirror flag is {mirrored} instead of 0 or 1"));
        }
        if points.iter().any(|points| !(1..=Self::MOST_POINTS).contains(points)) {
            return Err(format!("its players start with {}:{} points", points[0], points[1]));
        }
        if mirrored == 1 && !rules.is_antisymmetric() {
            return Err("it uses the mirror symmetry although the scoring does not have it".to_owned());
        }
        Ok(Self { rules, points, mirrored: mirrored == 1 })
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl Bytes<'_> {
    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (head, rest) = self.0.split_first_chunk().ok_or("it ends too early")?;
        self.0 = rest;
        Ok(*head)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, String> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.take()?))
    }
}
