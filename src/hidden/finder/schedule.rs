//! When a search proves its strategies, and when it stops.

/// The iterations to prove, and the widths there, which decide when to stop. A resumed run needs
/// them to stop where an uninterrupted one does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Proofs {
    next: u64,
    pub(crate) widths: Widths,
}

/// Widths of proved bounds, in payoffs; infinite before the first proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Widths {
    pub(crate) last: f64,
    /// The narrowest, but for later ones that are hardly narrower.
    pub(crate) narrowest: f64,
    /// The iteration of the narrowest.
    pub(crate) iteration: u64,
}

impl Default for Widths {
    fn default() -> Self {
        Self { last: f64::INFINITY, narrowest: f64::INFINITY, iteration: 0 }
    }
}

impl Proofs {
    /// The fewest iterations before the stopping rule applies, however slowly a game begins.
    const PATIENCE: u64 = 1 << 12;

    /// The proofs of a run that has come to this iteration, with the widths so far; without these a
    /// proof is due at once.
    pub(crate) fn new(iteration: u64, widths: Widths) -> Self {
        let mut proofs = Self { next: 0, widths };
        // The iteration itself is proved again if it was: the same bounds as before.
        if let Some(before) = iteration.checked_sub(1) {
            proofs.are_due(before);
        }
        proofs
    }

    /// Whether the next proof is due. Proofs, each as costly as an iteration, stay a small part of
    /// the work.
    pub(crate) fn are_due(&mut self, iteration: u64) -> bool {
        let are_due = iteration >= self.next || self.widths.last == f64::INFINITY;
        while self.next <= iteration {
            self.next += self.next / 8 + 4;
        }
        are_due
    }

    /// Notes the width of the bounds at an iteration at which a proof was due.
    pub(crate) fn note(&mut self, iteration: u64, width: f64) {
        self.widths.last = width;
        if width < 0.875 * self.widths.narrowest {
            (self.widths.narrowest, self.widths.iteration) = (width, iteration);
        }
    }

    /// Whether four times the iterations narrowed the bounds by less than an eighth: it gains more
    /// until doubles are exhausted (even CFR+, which is slower, at 10:8 needs sixteen times the
    /// iterations for two fifths).
    pub(crate) fn have_ended(&self, iteration: u64) -> bool {
        iteration >= Self::PATIENCE && iteration / 4 >= self.widths.iteration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run whose bounds narrow for a while, as doubles let them: where it stops, and the widths
    /// after every iteration.
    fn run(begun: u64, widths: Widths) -> (u64, Vec<Widths>) {
        let (mut proofs, mut heard) = (Proofs::new(begun, widths), Vec::new());
        for iteration in begun.. {
            if proofs.are_due(iteration) {
                proofs.note(iteration, 1.0 / (iteration + 1).min(3_000) as f64);
                if proofs.have_ended(iteration) {
                    return (iteration, heard);
                }
            }
            heard.push(proofs.widths);
        }
        unreachable!("it ends")
    }

    /// From wherever a run is resumed, it stops at the same iteration.
    #[test]
    fn a_resumed_run_stops_where_an_uninterrupted_one_does() {
        let (end, heard) = run(0, Widths::default());
        assert!((9_000..16_000).contains(&end), "{end}");
        for (iteration, &widths) in (0..).zip(&heard) {
            assert_eq!(run(iteration, widths).0, end, "resumed at {iteration}");
        }
    }
}
