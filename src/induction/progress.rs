//! How far a solve has come.

/// How far a solve has come, handed to the callback after every layer, and about twice a second while a layer takes longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// States known so far.
    pub states: u64,
    /// All states.
    pub of_states: u64,
    /// The share of the work that is done, from 0 to 1, by a model that counts big stage games for what they cost.
    pub work: f64,
}
