//! One matrix game for C and for WebAssembly: `include/matrix_game.h` says what there is.
//!
//! The one crate of this workspace with unsafe code: it makes slices of a caller's pointers, after
//! it has looked at all that can be looked at (null, alignment, sizes, buffers that overlap).

#![cfg_attr(all(target_arch = "wasm32", not(feature = "std")), no_std)]

use core::ffi::c_int;
use core::slice;

use matrix_game::quick::{QuickError, SecurityLevels};

/// The answers of [`matrix_game_solve`]; the numbers are those of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// The game is solved.
    Ok = 0,
    /// A pointer is null, or not aligned as a double is.
    Pointer = 1,
    /// No row, no column, or more payoffs than [`MOST_PAYOFFS`] (in WebAssembly, more than 16 rows
    /// or columns).
    Size = 2,
    /// A payoff is not finite, or too large to be added to another.
    Payoff = 3,
    /// Buffers overlap.
    Overlap = 4,
    /// A fault of this library.
    Fault = 5,
}

/// The most payoffs of a game: 128 MiB.
pub const MOST_PAYOFFS: usize = 1 << 24;

/// The value of a game and proved bounds of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct MatrixGameLevels {
    /// Between the bounds.
    pub value: f64,
    /// The row strategy secures at least this.
    pub lower: f64,
    /// The column strategy concedes at most this.
    pub upper: f64,
}

/// Solves a game; see the header.
///
/// # Safety
/// `payoffs` points to `rows · columns` doubles that nobody writes meanwhile; `row`, `column` and
/// `levels` point to `rows` doubles, `columns` doubles and one [`MatrixGameLevels`] that nobody
/// else reads or writes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn matrix_game_solve(
    payoffs: *const f64,
    rows: usize,
    columns: usize,
    row: *mut f64,
    column: *mut f64,
    levels: *mut MatrixGameLevels,
) -> c_int {
    let buffers = [
        Buffer::of(payoffs, rows.saturating_mul(columns)),
        Buffer::of(row, rows),
        Buffer::of(column, columns),
        Buffer::of(levels.cast::<f64>(), size_of::<MatrixGameLevels>() / size_of::<f64>()),
    ];
    if let Err(status) = check(&buffers, rows, columns) {
        return status as c_int;
    }
    // SAFETY: the pointer is aligned and not null, the caller answers for what it points to, and
    // the length is at most `MOST_PAYOFFS`.
    let payoffs = unsafe { slice::from_raw_parts(payoffs, rows * columns) };
    // SAFETY: as above, and none of the buffers overlap, so that each is borrowed once.
    let (row, column) = unsafe {
        (slice::from_raw_parts_mut(row, rows), slice::from_raw_parts_mut(column, columns))
    };
    match solve(payoffs, row, column) {
        Ok(SecurityLevels { value, lower, upper }) => {
            // SAFETY: as above.
            unsafe { levels.write(MatrixGameLevels { value, lower, upper }) };
            Status::Ok as c_int
        }
        Err(status) => status as c_int,
    }
}

/// Where a buffer of doubles lies.
#[derive(Clone, Copy)]
struct Buffer {
    address: usize,
    length: usize,
}

impl Buffer {
    fn of(pointer: *const f64, length: usize) -> Self {
        Self { address: pointer.addr(), length }
    }

    const fn is_aligned(self) -> bool {
        self.address != 0 && self.address.is_multiple_of(align_of::<f64>())
    }

    const fn overlaps(self, other: Self) -> bool {
        let [end, other_end] = [self.end(), other.end()];
        self.address < other_end && other.address < end
    }

    const fn end(self) -> usize {
        self.address.saturating_add(self.length * size_of::<f64>())
    }
}

/// Checks all that can be seen of pointers and sizes.
fn check(buffers: &[Buffer; 4], rows: usize, columns: usize) -> Result<(), Status> {
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MOST_PAYOFFS {
        return Err(Status::Size);
    }
    if !buffers.iter().all(|buffer| buffer.is_aligned()) {
        return Err(Status::Pointer);
    }
    let mut pairs = buffers
        .iter()
        .enumerate()
        .flat_map(|(place, one)| buffers[place + 1..].iter().map(move |other| (one, other)));
    if pairs.any(|(one, other)| one.overlaps(*other)) { Err(Status::Overlap) } else { Ok(()) }
}

/// Solves a game of any size.
#[cfg(feature = "std")]
fn solve(payoffs: &[f64], row: &mut [f64], column: &mut [f64]) -> Result<SecurityLevels, Status> {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    // No panic goes through C.
    let solved = catch_unwind(AssertUnwindSafe(|| {
        matrix_game::quick::QuickSolver::new().solve(payoffs, row, column)
    }));
    solved.map_err(|_| Status::Fault)?.map_err(|error| status_of(&error, Status::Fault))
}

/// Solves a small game.
#[cfg(not(feature = "std"))]
fn solve(payoffs: &[f64], row: &mut [f64], column: &mut [f64]) -> Result<SecurityLevels, Status> {
    matrix_game::quick::solve_small(payoffs, row, column)
        .map_err(|error| status_of(&error, Status::Size))
}

/// The status of a refused game; `other` where it is refused for no payoff.
const fn status_of(error: &QuickError, other: Status) -> Status {
    match error {
        QuickError::Entry { .. } | QuickError::Range { .. } => Status::Payoff,
        _ => other,
    }
}

/// A panic ends the module.
#[cfg(all(target_arch = "wasm32", not(feature = "std")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::ptr;

    use super::*;

    /// Rock, paper, scissors, where rock beats scissors twice.
    const PAYOFFS: [f64; 9] = [0.0, -1.0, 2.0, 1.0, 0.0, -1.0, -2.0, 1.0, 0.0];

    fn call(
        payoffs: *const f64,
        size: [usize; 2],
        strategies: [*mut f64; 2],
        levels: *mut MatrixGameLevels,
    ) -> c_int {
        let [rows, columns] = size;
        let [row, column] = strategies;
        // SAFETY: the tests pass buffers of 9, 3, 3 doubles and one `MatrixGameLevels`, or what is
        // refused before it is read.
        unsafe { matrix_game_solve(payoffs, rows, columns, row, column, levels) }
    }

    #[test]
    fn a_game_is_solved_into_the_buffers() {
        let (mut row, mut column, mut levels) = ([9.0; 3], [9.0; 3], MatrixGameLevels::default());
        let status = call(
            PAYOFFS.as_ptr(),
            [3, 3],
            [row.as_mut_ptr(), column.as_mut_ptr()],
            &raw mut levels,
        );
        assert_eq!(status, Status::Ok as c_int);
        assert!(
            levels.lower <= 0.0 && 0.0 <= levels.upper && levels.upper - levels.lower < 1e-14,
            "{levels:?}"
        );
        for (share, expected) in row.iter().chain(&column).zip([0.25, 0.5, 0.25].iter().cycle()) {
            assert!((share - expected).abs() < 1e-15, "{row:?} {column:?}");
        }
    }

    #[test]
    fn what_can_be_seen_to_be_wrong_is_refused() {
        let (mut row, mut column, mut levels) = ([9.0; 3], [9.0; 3], MatrixGameLevels::default());
        let payoffs = PAYOFFS.as_ptr();
        let [own, others] = [row.as_mut_ptr(), column.as_mut_ptr()];
        let refused = |payoffs, sizes, buffers, levels| {
            Status::Ok as c_int != call(payoffs, sizes, buffers, levels)
        };
        assert_eq!(
            call(ptr::null(), [3, 3], [own, others], &raw mut levels),
            Status::Pointer as c_int
        );
        assert_eq!(
            call(payoffs, [3, 3], [ptr::null_mut(), others], &raw mut levels),
            Status::Pointer as c_int
        );
        assert_eq!(
            call(payoffs, [3, 3], [own, ptr::null_mut()], &raw mut levels),
            Status::Pointer as c_int
        );
        assert_eq!(call(payoffs, [3, 3], [own, others], ptr::null_mut()), Status::Pointer as c_int);
        assert_eq!(
            call(payoffs.wrapping_byte_add(1), [3, 2], [own, others], &raw mut levels),
            Status::Pointer as c_int
        );
        for sizes in
            [[0, 3], [3, 0], [usize::MAX, 2], [usize::MAX, usize::MAX], [MOST_PAYOFFS + 1, 1]]
        {
            assert_eq!(
                call(payoffs, sizes, [own, others], &raw mut levels),
                Status::Size as c_int,
                "{sizes:?}"
            );
        }
        assert_eq!(call(payoffs, [3, 3], [own, own], &raw mut levels), Status::Overlap as c_int);
        assert_eq!(
            call(payoffs, [3, 3], [own, payoffs.cast_mut().wrapping_add(8)], &raw mut levels),
            Status::Overlap as c_int
        );
        assert!(refused(payoffs, [3, 3], [own, others], own.cast()));
        for wrong in [f64::NAN, f64::INFINITY, f64::MAX] {
            let mut payoffs = PAYOFFS;
            payoffs[4] = wrong;
            let status = call(payoffs.as_ptr(), [3, 3], [own, others], &raw mut levels);
            assert_eq!(status, Status::Payoff as c_int, "{wrong}");
        }
        assert_eq!(
            (row, column, levels),
            ([9.0; 3], [9.0; 3], MatrixGameLevels::default()),
            "nothing is written"
        );
    }
}
