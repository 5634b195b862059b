use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Assigns items to `size` ranks, given the estimated seconds of each and the rank that must solve it, if any; the free items,
/// longest first, go to the rank with the least work.
///
/// All ranks know the same times, and compute the same shares.
pub(super) fn assign(items: impl Iterator<Item = (f32, Option<u16>)>, size: usize, owners: &mut Vec<u16>) {
    owners.clear();
    let mut loads = vec![0.0_f32; size];
    let mut free = Vec::new();
    for (index, (seconds, owner)) in items.enumerate() {
        owners.push(owner.unwrap_or_default());
        match owner {
            Some(owner) => loads[usize::from(owner)] += seconds,
            None => free.push((seconds, index)),
        }
    }
    // Positive numbers compare as their bits; a stable sort keeps equal ones in the order of the items.
    free.sort_by_key(|&(seconds, _)| Reverse(seconds.to_bits()));
    let mut heap: BinaryHeap<_> = loads.into_iter().enumerate().map(|(rank, load)| Reverse((load.to_bits(), rank))).collect();
    for (seconds, index) in free {
        if let Some(Reverse((load, rank))) = heap.pop() {
            owners[index] = rank as u16;
            heap.push(Reverse(((f32::from_bits(load) + seconds).to_bits(), rank)));
        }
    }
}
