//! A layer in memory, and the account of it and of those before.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use crate::bounds::Bounds;

/// A layer in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptLayer<'k> {
    /// The account of the layers before.
    pub(super) before: Account,
    pub(super) bounds: Cow<'k, [Bounds]>,
}

/// The account of complete layers, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Account {
    /// The largest distance of two bounds, in units.
    pub(super) widest: i64,
    /// SHA-256 of the digest of the layers before, 32 zeros at first, and the layer's bounds.
    pub(super) digest: [u8; 32],
}

impl Account {
    /// The account with one more layer.
    pub(super) fn with_layer(self, bounds: &[Bounds]) -> Self {
        let mut digest = Sha256::new_with_prefix(self.digest);
        for bounds in bounds.chunks(1 << 12) {
            digest.update(as_bytes(bounds));
        }
        let widest = bounds.iter().map(|bounds| bounds.width()).fold(self.widest, i64::max);
        Self { widest, digest: digest.finalize().into() }
    }
}

/// The lower and the upper bound of each state in eight bytes each, little end first.
pub(super) fn as_bytes(bounds: &[Bounds]) -> Vec<u8> {
    bounds
        .iter()
        .flat_map(|bounds| [bounds.lower, bounds.upper])
        .flat_map(i64::to_le_bytes)
        .collect()
}
