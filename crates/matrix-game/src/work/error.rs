//! The errors of long work.

/// Long work that cannot begin, or was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the variants mean")]
pub enum WorkError {
    #[error("{what} would take {} of memory, above the limit of {}", memory(*bytes), memory(*limit))]
    Memory {
        /// A noun phrase for the consumer, such as `a game of 50:50 points`.
        what: String,
        bytes: u64,
        limit: u64,
    },
    /// No thread, or too many.
    #[error("{threads} threads are not possible; expected {}", possible_threads(*most))]
    ThreadCount { threads: usize, most: usize },
    #[error("threads could not be started: {reason}")]
    Threads { reason: String },
    #[error("{digits} decimals are too many; at most {most} are computed")]
    TooManyDigits { digits: usize, most: usize },
    #[error("cancelled")]
    Cancelled,
}

impl WorkError {
    /// The stable code of the fault, which stays as it is when the sentence is worded anew: such as
    /// `work.cancelled`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Memory { .. } => "work.memory",
            Self::ThreadCount { .. } => "work.thread_count",
            Self::Threads { .. } => "work.threads",
            Self::TooManyDigits { .. } => "work.too_many_digits",
            Self::Cancelled { .. } => "work.cancelled",
        }
    }

    /// Rejects a demand for more than `limit` bytes.
    #[doc(hidden)]
    pub fn check_memory(what: impl FnOnce() -> String, bytes: u64, limit: u64) -> Result<(), Self> {
        if bytes > limit { Err(Self::Memory { what: what(), bytes, limit }) } else { Ok(()) }
    }
}

/// Formats an amount of memory in the largest suitable unit.
pub fn memory(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    // Larger amounts are saturated.
    let more = if bytes == u64::MAX { "more than " } else { "" };
    format!("{more}{size:.1} {}", UNITS[unit])
}

fn possible_threads(most: usize) -> String {
    if most == 1 { "1 without the feature threads".to_owned() } else { format!("1 to {most}") }
}
