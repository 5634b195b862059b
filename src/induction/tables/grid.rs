use crate::game::View;

/// A number for every state, indexed by a player's [`View`]. The rows of a stage game lie in contiguous memory.
///
/// The opponent's points run backwards in memory, so that rising bids of the opponent have rising addresses. Positions one beyond
/// the field are constant.
#[derive(Clone, Debug)]
pub(crate) struct Grid<T> {
    field: i32,
    own: usize,
    opponent: usize,
    inside: Vec<T>,
    /// The value of a ball out of the field, repeated for every number of points of the opponent.
    out_won: Vec<T>,
    out_lost: Vec<T>,
}

/// The part of a [`Grid`] for one position of the ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<'a, T> {
    numbers: &'a [T],
    stride: usize,
    width: usize,
}

impl<'a, T> Plane<'a, T> {
    /// The numbers for `own` points, the opponent's points falling to 0.
    #[inline]
    pub(crate) fn row(&self, own: usize) -> &'a [T] {
        &self.numbers[own * self.stride..][..self.width]
    }

    #[inline]
    pub(crate) fn part(&self, own: usize, start: usize, end: usize) -> &'a [T] {
        &self.numbers[own * self.stride + start..own * self.stride + end]
    }
}

impl Grid<u32> {
    /// A grid that holds its own indices inside the field, and two given indices out of it.
    pub(crate) fn numbered(field: i32, points: [u32; 2], out: [u32; 2]) -> Self {
        let mut grid = Self::new(field, points, 0, out);
        for (place, number) in grid.inside.iter_mut().enumerate() {
            *number = place as u32;
        }
        grid
    }
}

impl<T: Copy> Grid<T> {
    /// A grid filled with `unknown`; `out_won` and `out_lost` are the values of a ball out at the opponent's and at the own end.
    pub(crate) fn new(field: i32, [own, opponent]: [u32; 2], unknown: T, [out_won, out_lost]: [T; 2]) -> Self {
        let (own, opponent) = (own as usize, opponent as usize);
        let positions = 2 * field as usize + 1;
        Self {
            field,
            own,
            opponent,
            inside: vec![unknown; positions * (own + 1) * (opponent + 1)],
            out_won: vec![out_won; opponent + 1],
            out_lost: vec![out_lost; opponent + 1],
        }
    }

    /// Replaces the values of a ball out of the field, for the opponent's points from 0 upward: `change` gets the points, the
    /// number, and the new number for one point less.
    pub(crate) fn map_out(&mut self, change: impl Fn(usize, T, T) -> T)
    where
        T: Default,
    {
        for out in [&mut self.out_won, &mut self.out_lost] {
            let mut fewer = T::default();
            for (points, number) in out.iter_mut().rev().enumerate() {
                fewer = change(points, *number, fewer);
                *number = fewer;
            }
        }
    }

    pub(crate) fn map<U>(&self, change: impl Fn(T) -> U) -> Grid<U> {
        let changed = |numbers: &[T]| numbers.iter().map(|&number| change(number)).collect();
        Grid {
            field: self.field,
            own: self.own,
            opponent: self.opponent,
            inside: changed(&self.inside),
            out_won: changed(&self.out_won),
            out_lost: changed(&self.out_lost),
        }
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = T> {
        self.inside.iter().chain(&self.out_won).chain(&self.out_lost).copied()
    }

    const fn index(&self, View { own, opponent, position }: View) -> usize {
        let plane = (position + self.field) as usize;
        (plane * (self.own + 1) + own as usize) * (self.opponent + 1) + self.opponent - opponent as usize
    }

    pub(crate) fn get(&self, view: View) -> T {
        self.inside[self.index(view)]
    }

    pub(crate) fn set(&mut self, view: View, number: T) {
        let index = self.index(view);
        self.inside[index] = number;
    }

    pub(crate) const fn most_opponent(&self) -> usize {
        self.opponent
    }

    /// The numbers of one position of the ball, inside the field or one beyond it.
    pub(crate) fn plane(&self, position: i32) -> Plane<'_, T> {
        let width = self.opponent + 1;
        if position > self.field {
            return Plane { numbers: &self.out_won, stride: 0, width };
        }
        if position < -self.field {
            return Plane { numbers: &self.out_lost, stride: 0, width };
        }
        let size = (self.own + 1) * width;
        let plane = (position + self.field) as usize;
        Plane { numbers: &self.inside[plane * size..][..size], stride: width, width }
    }
}
