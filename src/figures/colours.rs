use super::svg::Colour;

/// Brown for B, white for even, blue for A: after `ColorBrewer`'s diverging schemes, which are safe for all common kinds of
/// colour vision.
const DIVERGING: [Colour; 5] =
    [Colour(127, 59, 8), Colour(224, 130, 20), Colour(247, 247, 247), Colour(67, 147, 195), Colour(5, 48, 97)];

/// White to dark blue: `ColorBrewer`'s sequential scheme.
const SEQUENTIAL: [Colour; 5] =
    [Colour(255, 255, 255), Colour(198, 219, 239), Colour(107, 174, 214), Colour(33, 113, 181), Colour(8, 48, 107)];

/// Colours for lines that people with any colour vision tell apart (M. Okabe and K. Ito, 2008), darkest first.
pub(super) const LINES: [Colour; 7] = [
    Colour(0, 0, 0),
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(86, 180, 233),
    Colour(230, 159, 0),
];

/// The steps of a scale: more cannot be distinguished, and neighbours of one colour are drawn as one.
const STEPS: f64 = 32.0;

#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    Diverging { most: f64 },
    Sequential { most: f64 },
}

impl Scale {
    pub(super) const fn range(self) -> [f64; 2] {
        match self {
            Self::Diverging { most } => [-most, most],
            Self::Sequential { most } => [0.0, most],
        }
    }

    pub(super) fn colour(self, number: f64) -> Colour {
        let [least, most] = self.range();
        let share = if most > least { ((number - least) / (most - least)).clamp(0.0, 1.0) } else { 0.5 };
        let stops = match self {
            Self::Diverging { .. } => DIVERGING,
            Self::Sequential { .. } => SEQUENTIAL,
        };
        let place = (share * STEPS).round() / STEPS * (stops.len() - 1) as f64;
        let below = (place as usize).min(stops.len() - 2);
        let rest = place - below as f64;
        let mix = |from: u8, to: u8| (f64::from(from) + rest * (f64::from(to) - f64::from(from))).round() as u8;
        let (from, to) = (stops[below], stops[below + 1]);
        Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_of_a_scale() {
        let scale = Scale::Diverging { most: 2.0 };
        assert_eq!([-3.0, -2.0, 0.0, 2.0, 9.0].map(|number| scale.colour(number)), [0, 0, 2, 4, 4].map(|stop| DIVERGING[stop]));
        let scale = Scale::Sequential { most: 0.0 };
        assert_eq!(scale.colour(1.0), SEQUENTIAL[2], "a scale without width has one colour");
    }
}
