//! A lower and an upper bound.

/// A lower and an upper bound of what A wins, as integers in a unit given elsewhere.
///
/// ```
/// use pencil_tennis::certificate;
///
/// let proof = certificate::verify(&pencil_tennis::solve(8)?.certificate())?;
/// let bounds = proof.bounds("8:7@0".parse()?)?;
/// assert!(0 < bounds.lower && bounds.lower <= bounds.upper);
/// assert_eq!(proof.bounds("7:8@0".parse()?)?, bounds.mirrored());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "not above and not below the number")]
pub struct Bounds {
    pub lower: i64,
    pub upper: i64,
}

impl Bounds {
    /// A pair of bounds.
    pub const fn new(lower: i64, upper: i64) -> Self {
        Self { lower, upper }
    }

    pub(crate) const fn side(self, upper: bool) -> i64 {
        if upper { self.upper } else { self.lower }
    }

    /// The bounds as the other player counts.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self { lower: self.upper.wrapping_neg(), upper: self.lower.wrapping_neg() }
    }
}
