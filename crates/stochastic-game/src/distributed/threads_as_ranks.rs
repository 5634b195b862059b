//! Threads in place of processes, to test ranks without MPI.

use std::sync::{Barrier, Mutex, PoisonError};

use super::ranks::{Gathered, Ranks};
use crate::error::Error;

/// The place where threads leave their messages.
struct Room {
    slots: Vec<Mutex<Vec<u8>>>,
    barrier: Barrier,
}

pub struct ThreadRank<'r> {
    room: &'r Room,
    rank: usize,
}

/// Runs the work of every rank.
///
/// # Panics
/// If a rank does.
pub fn on_threads<T: Send>(size: usize, work: impl Fn(&ThreadRank<'_>) -> T + Sync) -> Vec<T> {
    let room =
        &Room { slots: (0..size).map(|_| Mutex::default()).collect(), barrier: Barrier::new(size) };
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..size).map(|rank| scope.spawn(move || work(&ThreadRank { room, rank }))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    })
}

impl ThreadRank<'_> {
    fn exchange(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let slot =
            |rank: usize| self.room.slots[rank].lock().unwrap_or_else(PoisonError::into_inner);
        slot(self.rank).splice(.., message.iter().copied());
        self.room.barrier.wait();
        let all = (0..self.size()).map(|rank| slot(rank).clone()).collect();
        self.room.barrier.wait();
        all
    }
}

impl Ranks for ThreadRank<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.room.slots.len()
    }

    fn all_gather(&self, message: &[u8]) -> Result<Gathered, Error> {
        let messages = self.exchange(message);
        let room = Gathered::room(
            &messages.iter().map(|message| message.len() as u64).collect::<Vec<_>>(),
        )?;
        Ok(Gathered { bytes: messages.concat(), ..room })
    }

    fn gather(&self, message: &[u8]) -> Result<Gathered, Error> {
        self.all_gather(message)
    }

    fn broadcast(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.exchange(bytes)[0]);
    }
}
