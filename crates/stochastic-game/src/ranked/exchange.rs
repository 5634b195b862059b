//! Ranked games on several processes: the records of blocks.

use super::RankedRules;
use super::files::from_bytes;
use super::identity::identity;
use super::kept_layer::{Account, as_bytes};
use super::sweep::{RankedSweep, Solved};
use crate::bounds::Bounds;
use crate::codec::{Bytes, EndsEarly};
use crate::distributed::{Exchanged, Ranks, check_same};
use crate::error::{DistributedError, Error};
use crate::layers::Layered;

fn read_bounds(bytes: &mut Bytes<'_>) -> Result<Bounds, String> {
    Ok(Bounds::new(i64::from_le_bytes(bytes.take()?), i64::from_le_bytes(bytes.take()?)))
}

impl<R: RankedRules> Exchanged for RankedSweep<R> {
    type History = ();

    fn expected(&self, (): &(), item: (u32, u32)) -> (f32, Option<u16>) {
        (self.work(item) as f32, None)
    }

    fn write(&self, batch: &Solved, for_all: &mut Vec<u8>, _: &mut Vec<u8>) {
        for_all.extend(batch.matrices.to_le_bytes());
        for_all.extend(as_bytes(&batch.bounds));
    }

    fn read(
        &self,
        item: (u32, u32),
        record: &mut Bytes<'_>,
        _: Option<&mut Bytes<'_>>,
        batch: &mut Solved,
    ) -> Result<f32, String> {
        batch.matrices = record.u64()?;
        for _ in self.ranks(item) {
            batch.bounds.push(read_bounds(record)?);
        }
        Ok(0.0)
    }
}

/// Sends the layers that rank 0 has to all ranks.
///
/// # Errors
/// [`DistributedError::OtherGame`], [`DistributedError::Garbled`].
pub(super) fn share<R: RankedRules>(
    ranks: &impl Ranks,
    sweep: &mut RankedSweep<R>,
) -> Result<(), Error> {
    check_same(ranks, &identity(&sweep.rules).to_le_bytes(), |rank| DistributedError::OtherGame {
        rank,
    })?;
    let mut header = Vec::new();
    header.extend(sweep.kept.first.to_le_bytes());
    header.extend(sweep.kept.layer_in_work().to_le_bytes());
    header.extend(sweep.kept.solved().to_le_bytes());
    header.extend(sweep.kept.layers[0].before.widest.to_le_bytes());
    header.extend(sweep.kept.layers[0].before.digest);
    ranks.broadcast(&mut header);
    let garbled = |_: EndsEarly| DistributedError::Garbled { rank: 0 };
    let mut bytes = Bytes(&header);
    let [first, last] = [bytes.u32().map_err(garbled)?, bytes.u32().map_err(garbled)?];
    let solved = bytes.u64().map_err(garbled)?;
    let widest = bytes.u64().map_err(garbled)? as i64;
    let digest = bytes.take().map_err(garbled)?;
    if ranks.rank() > 0 {
        sweep.kept.begin_at(first, Account { widest, digest });
    }
    for layer in first..=last {
        let states = if layer == last { solved } else { sweep.rules.len(layer) };
        let mut message = as_bytes(sweep.kept.layer(layer).unwrap_or_default());
        message.resize(states as usize * 16, 0);
        ranks.broadcast(&mut message);
        if ranks.rank() > 0 {
            *sweep.kept.current() = from_bytes(&message);
            if layer < last {
                sweep.kept.complete_layer();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use crate::distributed::threads_as_ranks::on_threads;
    use crate::ranked::lock::FolderLock;
    use crate::{
        GameRules, LayerFolder, Node, Outcomes, RankedRules, RankedSolution, StochasticSolver,
    };

    /// Some layers of random 2×2 games; a state may follow itself.
    struct Random {
        follows_itself: Option<(u32, u64)>,
    }

    impl GameRules for Random {
        type State = (u32, u64);

        fn starts(&self) -> Vec<(u32, u64)> {
            vec![(3, 0)]
        }

        fn node(&self, &(layer, number): &(u32, u64)) -> Node {
            if layer == 0 {
                Node::over(number * 7_919 % 1_001)
            } else {
                Node::Choose { a: 2, b: 2 }
            }
        }

        fn after(
            &self,
            &(layer, number): &(u32, u64),
            a: usize,
            b: usize,
            outcomes: &mut Outcomes<(u32, u64)>,
        ) {
            let itself = self.follows_itself == Some((layer, number));
            outcomes.to((
                layer - u32::from(!itself),
                (number * 31 + a as u64 * 17 + b as u64 * 101) % self.len(0),
            ));
        }

        fn payoff_bound(&self) -> Option<u64> {
            Some(1_000)
        }
    }

    impl RankedRules for Random {
        type Layer = ();

        fn layers(&self) -> u32 {
            4
        }

        fn len(&self, _: u32) -> u64 {
            3_000
        }

        fn state(&self, layer: u32, rank: u64) -> (u32, u64) {
            (layer, rank)
        }

        fn rank(&self, state: &(u32, u64)) -> Option<(u32, u64)> {
            Some(*state)
        }

        fn layer(&self, _: u32) {}
    }

    fn solver<'p>(follows_itself: Option<(u32, u64)>) -> StochasticSolver<'p, Random> {
        StochasticSolver::new(Random { follows_itself }).threads(1)
    }

    #[test]
    fn ranks_find_the_same_bytes_and_go_on_from_a_folder() {
        let all = |solution: &RankedSolution<Random>| {
            (solution.digest(), solution.widest_enclosure(), solution.sweep.kept.layers.clone())
        };
        let alone = all(&solver(None).solve_ranked(None).expect("a solution"));
        for size in 1..4 {
            let mut together = on_threads(size, |ranks| {
                solver(None).solve_on_ranks(None, ranks).expect("a solution")
            });
            assert_eq!(
                all(&together.swap_remove(0).expect("rank 0 has it")),
                alone,
                "{size} ranks"
            );
            assert!(together.iter().all(Option::is_none));
            let path = std::env::temp_dir()
                .join(format!("pencil-tennis-ranks-{}-{size}", std::process::id()));
            let folder = || Some(LayerFolder::new(&path));
            let stop = |share| {
                if share < 0.6 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let errors = on_threads(size, |ranks| {
                solver(None)
                    .on_progress(stop)
                    .solve_on_ranks(folder(), ranks)
                    .expect_err("it was stopped")
                    .to_string()
            });
            assert!(errors.iter().all(|error| error == "cancelled"), "{errors:?}");
            let mut resumed = on_threads(size, |ranks| {
                solver(None).solve_on_ranks(folder(), ranks).expect("a solution")
            });
            assert_eq!(
                all(&resumed.swap_remove(0).expect("rank 0 has it")),
                alone,
                "{size} ranks, resumed"
            );
            std::fs::remove_dir_all(&path).expect("it was made");
        }
    }

    /// Rank 0 alone reads and locks the folder.
    #[test]
    fn all_ranks_hear_of_a_folder_that_is_damaged_or_taken() {
        let path = std::env::temp_dir()
            .join(format!("pencil-tennis-ranks-damaged-{}", std::process::id()));
        let folder = || Some(LayerFolder::new(&path).keep_all());
        let refused = |words: &str| {
            let errors = on_threads(3, |ranks| {
                solver(None)
                    .solve_on_ranks(folder(), ranks)
                    .map(|_| ())
                    .expect_err("it is refused")
                    .to_string()
            });
            assert!(
                errors.iter().all(|error| error.contains(words) && error.ends_with(&errors[0])),
                "{errors:?}"
            );
        };
        solver(None).solve_ranked(folder()).expect("a solution");
        let lock = FolderLock::take(&path).expect("nobody else solves here");
        refused("is solved in by process");
        drop(lock);
        let layer = path.join("layer-001");
        let sound = std::fs::read(&layer).expect("it was written");
        let mut damaged = sound.clone();
        damaged[1_000] ^= 1;
        for (bytes, words) in [
            (&damaged[..], "has a wrong checksum"),
            (&sound[..sound.len() - 1], "has another length"),
        ] {
            std::fs::write(&layer, bytes).expect("room");
            refused(words);
            assert!(std::fs::read(&layer).expect("it is there") == bytes, "it is left as it is");
        }
        std::fs::write(&layer, &sound).expect("room");
        let whole = on_threads(3, |ranks| {
            solver(None).solve_on_ranks(folder(), ranks).expect("a solution")
        });
        assert!(whole[0].is_some());
        std::fs::remove_dir_all(&path).expect("it was made");
    }

    #[test]
    fn all_ranks_hear_of_a_fault_that_one_meets() {
        for wrong in [(2, 5), (1, 2_999)] {
            let errors = on_threads(3, |ranks| {
                solver(Some(wrong))
                    .solve_on_ranks(None, ranks)
                    .map(|_| ())
                    .expect_err("it is wrong")
                    .to_string()
            });
            assert!(
                errors.iter().all(|error| error.contains(&format!("state `{wrong:?}`"))),
                "{errors:?}"
            );
        }
    }
}
