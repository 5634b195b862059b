//! The memory of the sweep: a plane of numbers for each position of the ball.

use super::task::Task;
use crate::game::{Player, State};
use crate::matrix_game::rate;

/// A number for every state, indexed by its [view](State::seen_by) of one player. The rows of a
/// stage game lie in contiguous memory.
///
/// The opponent's points run backwards in memory, so that rising bids of the opponent have rising
/// addresses. Positions one beyond the field are constant.
#[derive(Clone, Debug)]
pub(crate) struct Grid<T> {
    field: i32,
    own_points: usize,
    pub(super) opponent_points: usize,
    /// The planes of all positions inside the field, and a row for the ball out at the opponent's
    /// and one for it at the own end.
    numbers: Vec<T>,
}

/// The part of a [`Grid`] for one position of the ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a, T> {
    numbers: &'a [T],
    /// The length of a row; 0 for a ball out of the field, where there is one row.
    stride: usize,
}

impl<'a, T: Copy> Plane<'a, T> {
    /// The numbers for `own_points`, the opponent's points falling to 0.
    #[inline]
    pub(crate) fn row(&self, own_points: usize) -> &'a [T] {
        if self.stride == 0 {
            self.numbers
        } else {
            &self.numbers[own_points * self.stride..][..self.stride]
        }
    }

    /// The number at a place of the row for `own_points`.
    #[inline]
    pub(crate) fn at(&self, own_points: usize, index: usize) -> T {
        self.numbers[own_points * self.stride + index]
    }

    #[inline]
    pub(crate) fn part(&self, own_points: usize, start: usize, end: usize) -> &'a [T] {
        &self.numbers[own_points * self.stride + start..own_points * self.stride + end]
    }
}

impl Grid<u32> {
    /// A grid that holds its own indices inside the field, and two given indices out of it.
    pub(crate) fn numbered(field: i32, points: [u32; 2], out: [u32; 2]) -> Self {
        let mut grid = Self::new(field, points, 0, out);
        let inside = grid.offset_of(field + 1);
        (0..).zip(&mut grid.numbers[..inside]).for_each(|(index, number)| *number = index);
        grid
    }
}

impl<T: Copy> Grid<T> {
    /// A grid filled with `unknown`, for the own and the opponent's most points; `out` has the
    /// values of a ball out at the opponent's and at the own end.
    pub(crate) fn new(field: i32, points: [u32; 2], unknown: T, out: [T; 2]) -> Self {
        let [own_points, opponent_points] = points.map(|most| most as usize);
        let [out_won, out_lost] = out;
        let mut grid = Self { field, own_points, opponent_points, numbers: Vec::new() };
        let (inside, width) = (grid.offset_of(field + 1), grid.opponent_points + 1);
        grid.numbers.reserve_exact(inside + 2 * width);
        for (number, end) in
            [(unknown, inside), (out_won, inside + width), (out_lost, inside + 2 * width)]
        {
            grid.numbers.resize(end, number);
        }
        grid
    }

    /// The first place of a position inside the field, or of a ball out at the opponent's end.
    const fn offset_of(&self, position: i32) -> usize {
        (position + self.field) as usize * (self.own_points + 1) * (self.opponent_points + 1)
    }

    const fn index(&self, view: State) -> usize {
        self.offset_of(view.ball.position())
            + view.a as usize * (self.opponent_points + 1)
            + self.opponent_points
            - view.b as usize
    }

    pub(crate) fn get(&self, view: State) -> T {
        self.numbers[self.index(view)]
    }

    pub(crate) fn set(&mut self, view: State, number: T) {
        let index = self.index(view);
        self.numbers[index] = number;
    }

    /// A grid of what is made of each number.
    pub(crate) fn map<U>(&self, make: impl FnMut(T) -> U) -> Grid<U> {
        let numbers = self.numbers.iter().copied().map(make).collect();
        Grid {
            field: self.field,
            own_points: self.own_points,
            opponent_points: self.opponent_points,
            numbers,
        }
    }

    /// The numbers of one position of the ball, inside the field or one beyond it.
    pub(crate) fn plane(&self, position: i32) -> Plane<'_, T> {
        let (inside, width) = (self.offset_of(self.field + 1), self.opponent_points + 1);
        match position {
            won if won > self.field => {
                Plane { numbers: &self.numbers[inside..][..width], stride: 0 }
            }
            lost if lost < -self.field => {
                Plane { numbers: &self.numbers[inside + width..], stride: 0 }
            }
            _ => Plane { numbers: &self.numbers[self.offset_of(position)..], stride: width },
        }
    }
}

/// For every state the sum of the values of the states in which the opponent has as many points or
/// fewer, weighted by the [`rate`] of the opponent's errors that lead there. Gives the gain of a
/// bid from these errors.
#[derive(Clone, Debug)]
pub(crate) struct RunningSums(pub(crate) Grid<f64>);

impl RunningSums {
    /// Sums in which only the values of a ball out are known, at the opponent's and at the own end.
    pub(crate) fn new(field: i32, points: [u32; 2], out: [f64; 2]) -> Self {
        let mut grid = Grid::new(field, points, f64::NAN, out);
        let inside = grid.offset_of(field + 1);
        for out in grid.numbers[inside..].chunks_exact_mut(grid.opponent_points + 1) {
            let mut fewer = 0.0;
            for (points, number) in out.iter_mut().rev().enumerate() {
                *number = rate(points) * *number + fewer;
                fewer = *number;
            }
        }
        Self(grid)
    }

    /// Adds the value of a state inside the field, after those in which the opponent has fewer
    /// points.
    pub(crate) fn enter(&mut self, view: State, value: f64) {
        let fewer = view.b.checked_sub(1).map_or(0.0, |b| self.0.get(State { b, ..view }));
        self.0.set(view, rate(view.b as usize) * value + fewer);
    }
}

/// A grid for each player's view, or one for both where the views agree.
///
/// If mirror images have opposite values and both accounts are equal, B's view of a state is A's
/// view of its mirror image, with the same security levels and opposite values.
#[derive(Clone, Debug)]
pub(crate) struct PlayerViews<G> {
    a: G,
    b: Option<G>,
}

impl<G> PlayerViews<G> {
    /// Calls `make` for each player, or for A on behalf of both where their views agree.
    pub(crate) fn new(task: &Task, mut make: impl FnMut(Player) -> G) -> Self {
        let a = make(Player::A);
        let b = if task.views_shared() { None } else { Some(make(Player::B)) };
        Self { a, b }
    }

    pub(crate) const fn are_shared(&self) -> bool {
        self.b.is_none()
    }

    pub(crate) fn of(&self, player: Player) -> &G {
        self.b.as_ref().filter(|_| player == Player::B).unwrap_or(&self.a)
    }

    /// The grid that stores a player's view; `None` if A's view of the mirror image stores it.
    pub(crate) fn entered(&mut self, player: Player) -> Option<&mut G> {
        match player {
            Player::A => Some(&mut self.a),
            Player::B => self.b.as_mut(),
        }
    }
}
