//! A factorised basis that rows and columns enter and leave.

use std::sync::Arc;

use super::{Basis, EqualiserSystem};
use crate::matrix_game::Payoffs;
use crate::matrix_game::dense::{Lu, dot, subtract_scaled};

/// The equaliser system of a basis, factorised once and then followed through exchanges of rows and columns.
///
/// Every exchange borders the system `M₀` that was factorised by one more unknown and one more equation (Bisschop and Meeraus
/// 1977): a column that enters is a new unknown, a row that enters a new equation; a column that leaves gets the equation that it
/// is 0, a row that leaves an unknown that absorbs it. The bordered system `[M₀ U; V D]` is solved through the small Schur
/// complement `S = D − V M₀⁻¹ U`, so that an exchange costs two solves with the old factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct BasisFactorisation {
    /// Shared with the bases of later games that start from it.
    base: Arc<EqualiserSystem>,
    base_rows: Vec<usize>,
    base_columns: Vec<usize>,
    /// The size of `M₀`; its last equation is the sum of probabilities, its last unknown the value.
    order: usize,
    equations: Vec<Equation>,
    unknowns: Vec<Unknown>,
    /// `M₀⁻¹ U`, column by column, and `V M₀⁻¹`, row by row.
    from_unknowns: Vec<f64>,
    from_equations: Vec<f64>,
    /// `S`, row by row, the one before it, and its factors.
    schur: Vec<f64>,
    smaller_schur: Vec<f64>,
    schur_factors: Lu,
    /// The rows and columns of the present basis, rising, each with its equation or unknown.
    rows: Vec<(usize, usize)>,
    columns: Vec<(usize, usize)>,
    /// The base's part of the last right-hand sides, and their solutions with `M₀` alone: what a new unknown or equation needs.
    base_right: Vec<f64>,
    base_left: Vec<f64>,
    base_solution: Vec<f64>,
    base_transposed: Vec<f64>,
    work: Vec<f64>,
    scratch: Vec<f64>,
}

/// An equation added to the base.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Equation {
    /// A row of the game is tight.
    Row(usize),
    /// An unknown is 0: its column has left.
    Zero(usize),
}

/// An unknown added to the base.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unknown {
    /// The probability of a column of the game.
    Column(usize),
    /// The slack of an equation: its row has left.
    Slack(usize),
}

impl BasisFactorisation {
    /// Factorises a basis afresh; `false` when it is singular.
    pub(crate) fn factorise(&mut self, payoffs: &impl Payoffs, basis: &Basis) -> bool {
        self.base_rows.clone_from(&basis.rows);
        self.base_columns.clone_from(&basis.columns);
        self.order = basis.size() + 1;
        for list in [&mut self.from_unknowns, &mut self.from_equations, &mut self.schur] {
            list.clear();
        }
        self.equations.clear();
        self.unknowns.clear();
        self.rows.clear();
        self.rows.extend(basis.rows.iter().copied().zip(0..));
        self.columns.clear();
        self.columns.extend(basis.columns.iter().copied().zip(0..));
        if Arc::get_mut(&mut self.base).is_none() {
            self.base = Arc::default();
        }
        Arc::get_mut(&mut self.base).is_some_and(|base| base.factorise(payoffs, basis))
    }

    /// Becomes the same system as another, whose factors are shared.
    pub(crate) fn take_over(&mut self, known: &Self) {
        self.base = Arc::clone(&known.base);
        self.order = known.order;
        self.base_rows.clone_from(&known.base_rows);
        self.base_columns.clone_from(&known.base_columns);
        self.equations.clone_from(&known.equations);
        self.unknowns.clone_from(&known.unknowns);
        self.from_unknowns.clone_from(&known.from_unknowns);
        self.from_equations.clone_from(&known.from_equations);
        self.schur.clone_from(&known.schur);
        self.schur_factors.take_over(&known.schur_factors);
        self.rows.clone_from(&known.rows);
        self.columns.clone_from(&known.columns);
    }

    /// Passes on to a game in which the same entries stand one row and one column farther on.
    pub(crate) fn shift(&mut self) {
        self.base_rows.iter_mut().chain(&mut self.base_columns).for_each(|place| *place += 1);
        self.rows.iter_mut().chain(&mut self.columns).for_each(|(place, _)| *place += 1);
        for equation in &mut self.equations {
            if let Equation::Row(row) = equation {
                *row += 1;
            }
        }
        for unknown in &mut self.unknowns {
            if let Unknown::Column(column) = unknown {
                *column += 1;
            }
        }
    }

    /// The memory that the factorisation and what was added to it take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.order * (self.order + 2 * self.updates()) * size_of::<f64>()
    }

    /// The number of exchanges since the factorisation.
    pub(crate) fn updates(&self) -> usize {
        self.equations.len()
    }

    /// The number of rows of the present basis.
    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    /// The present basis.
    pub(crate) fn basis(&self, basis: &mut Basis) {
        basis.rows.clear();
        basis.rows.extend(self.rows.iter().map(|&(row, _)| row));
        basis.columns.clear();
        basis.columns.extend(self.columns.iter().map(|&(column, _)| column));
    }

    /// The rows, or the columns, of the present basis, rising.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = usize> {
        self.rows.iter().map(|&(row, _)| row)
    }

    /// The columns of the present basis, rising.
    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = usize> {
        self.columns.iter().map(|&(column, _)| column)
    }

    /// FTRAN: solves `M z = right` for the present basis, in place: right-hand sides of the rows and of the sum; probabilities
    /// and the value.
    pub(crate) fn solve(&mut self, right: &mut [f64]) {
        let size = self.size();
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.resize(self.order + self.updates(), 0.0);
        for (&(_, equation), &number) in self.rows.iter().zip(right.iter()) {
            full[equation] = number;
        }
        full[self.order - 1] = right[size];
        self.ftran_bordered(&mut full);
        for (number, &(_, unknown)) in right.iter_mut().zip(&self.columns) {
            *number = full[unknown];
        }
        right[size] = full[self.order - 1];
        self.work = full;
    }

    /// BTRAN: solves `Mᵀ z = right` for the present basis, in place: right-hand sides of the columns and of the value; numbers of
    /// the rows and of the sum.
    pub(crate) fn solve_transposed(&mut self, right: &mut [f64]) {
        let size = self.size();
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.resize(self.order + self.updates(), 0.0);
        for (&(_, unknown), &number) in self.columns.iter().zip(right.iter()) {
            full[unknown] = number;
        }
        full[self.order - 1] = right[size];
        self.btran_bordered(&mut full);
        for (number, &(_, equation)) in right.iter_mut().zip(&self.rows) {
            *number = full[equation];
        }
        right[size] = full[self.order - 1];
        self.work = full;
    }

    /// FTRAN of a growing column: `M⁻¹` times the bordered entries of a column outside the basis (with `column` all its entries).
    /// The result is in the order of the present basis, the value last.
    pub(crate) fn ftran_column(&mut self, column: &[f64], result: &mut Vec<f64>) {
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.extend(self.base_rows.iter().map(|&row| column[row]));
        full.push(1.0);
        full.extend(self.equations.iter().map(|equation| match *equation {
            Equation::Row(row) => column[row],
            Equation::Zero(_) => 0.0,
        }));
        self.ftran_bordered(&mut full);
        self.take_columns(full, result);
    }

    /// The same for the slack of a row inside the basis: the column of `M⁻¹` that belongs to it.
    pub(crate) fn ftran_slack(&mut self, row: usize, result: &mut Vec<f64>) {
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.resize(self.order + self.updates(), 0.0);
        full[self.equation_of(row)] = 1.0;
        self.ftran_bordered(&mut full);
        self.take_columns(full, result);
    }

    /// BTRAN of an entering row: the negative of the bordered entries of a row outside the basis (with `row` all its entries)
    /// times `M⁻¹`. The result is in the order of the present basis, the sum last.
    pub(crate) fn btran_row(&mut self, row: &[f64], result: &mut Vec<f64>) {
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.extend(self.base_columns.iter().map(|&column| -row[column]));
        full.push(1.0);
        full.extend(self.unknowns.iter().map(|unknown| match *unknown {
            Unknown::Column(column) => -row[column],
            Unknown::Slack(_) => 0.0,
        }));
        self.btran_bordered(&mut full);
        self.take_rows(full, result);
    }

    /// BTRAN of a leaving column: the row of `M⁻¹` that belongs to a column inside the basis.
    pub(crate) fn btran_column(&mut self, column: usize, result: &mut Vec<f64>) {
        let mut full = std::mem::take(&mut self.work);
        full.clear();
        full.resize(self.order + self.updates(), 0.0);
        full[self.unknown_of(column)] = 1.0;
        self.btran_bordered(&mut full);
        self.take_rows(full, result);
    }

    fn take_columns(&mut self, full: Vec<f64>, result: &mut Vec<f64>) {
        result.clear();
        result.extend(self.columns.iter().map(|&(_, unknown)| full[unknown]));
        result.push(full[self.order - 1]);
        self.work = full;
    }

    fn take_rows(&mut self, full: Vec<f64>, result: &mut Vec<f64>) {
        result.clear();
        result.extend(self.rows.iter().map(|&(_, equation)| full[equation]));
        result.push(full[self.order - 1]);
        self.work = full;
    }

    /// The place of a row in the present basis.
    pub(crate) fn place_of_row(&self, row: usize) -> Option<usize> {
        self.rows.binary_search_by_key(&row, |&(row, _)| row).ok()
    }

    /// The place of a column in the present basis.
    pub(crate) fn place_of_column(&self, column: usize) -> Option<usize> {
        self.columns.binary_search_by_key(&column, |&(column, _)| column).ok()
    }

    fn equation_of(&self, row: usize) -> usize {
        self.place_of_row(row).map_or(0, |place| self.rows[place].1)
    }

    fn unknown_of(&self, column: usize) -> usize {
        self.place_of_column(column).map_or(0, |place| self.columns[place].1)
    }

    /// Exchanges as the last [`ftran_column`](Self::ftran_column) or [`ftran_slack`](Self::ftran_slack) and the last
    /// [`btran_row`](Self::btran_row) or [`btran_column`](Self::btran_column) announced it: with `column` a column
    /// enters, else the row `loose` leaves; with `row` a row enters, else the column `gone` leaves.
    ///
    /// `false` when the result is singular.
    pub(crate) fn exchange(&mut self, payoffs: &impl Payoffs, entering: Entering, leaving: Leaving) -> bool {
        let age = self.updates();
        let unknown = match entering {
            Entering::Column(column) => Unknown::Column(column),
            Entering::Slack(row) => Unknown::Slack(self.equation_of(row)),
        };
        let equation = match leaving {
            Leaving::Slack(row) => Equation::Row(row),
            Leaving::Column(column) => Equation::Zero(self.unknown_of(column)),
        };
        // A row was followed with the opposite sign.
        if matches!(equation, Equation::Row(_)) {
            self.base_left.iter_mut().for_each(|number| *number = -*number);
            self.base_transposed.iter_mut().for_each(|number| *number = -*number);
        }
        // The new row and column of S = D − V M₀⁻¹ U.
        let (order, last) = (self.order, self.order + age);
        let mut schur = std::mem::take(&mut self.smaller_schur);
        schur.clear();
        for (place, row) in self.from_equations.chunks_exact(order).enumerate() {
            schur.extend_from_slice(&self.schur[place * age..][..age]);
            let corner = corner(payoffs, (self.equations[place], order + place), (unknown, last));
            schur.push(corner - dot(row, &self.base_right));
        }
        for (place, column) in self.from_unknowns.chunks_exact(order).enumerate() {
            let corner = corner(payoffs, (equation, last), (self.unknowns[place], order + place));
            schur.push(corner - dot(column, &self.base_left));
        }
        schur.push(corner(payoffs, (equation, last), (unknown, last)) - dot(&self.base_solution, &self.base_left));
        self.smaller_schur = std::mem::replace(&mut self.schur, schur);
        self.from_unknowns.extend_from_slice(&self.base_solution);
        self.from_equations.extend_from_slice(&self.base_transposed);
        self.unknowns.push(unknown);
        self.equations.push(equation);
        match entering {
            Entering::Column(column) => insert(&mut self.columns, column, self.order + age),
            Entering::Slack(row) => remove(&mut self.rows, row),
        }
        match leaving {
            Leaving::Slack(row) => insert(&mut self.rows, row, self.order + age),
            Leaving::Column(column) => remove(&mut self.columns, column),
        }
        let schur = &self.schur;
        self.schur_factors.factorise(age + 1, |entries| entries.extend_from_slice(schur))
    }

    /// Solves the bordered system in place: the base's equations first.
    fn ftran_bordered(&mut self, right: &mut [f64]) {
        let (order, age) = (self.order, self.updates());
        let (base, added) = right.split_at_mut(order);
        for (number, row) in added.iter_mut().zip(self.from_equations.chunks_exact(order)) {
            *number -= dot(row, base);
        }
        self.base_right.clear();
        self.base_right.extend_from_slice(base);
        self.base.solve(base, &mut self.scratch);
        self.base_solution.clear();
        self.base_solution.extend_from_slice(base);
        if age > 0 {
            self.schur_factors.solve(added, &mut self.scratch);
            for (&number, column) in added.iter().zip(self.from_unknowns.chunks_exact(order)) {
                subtract_scaled(base, column, number);
            }
        }
    }

    /// Solves the transposed bordered system in place: the base's unknowns first.
    fn btran_bordered(&mut self, right: &mut [f64]) {
        let (order, age) = (self.order, self.updates());
        let (base, added) = right.split_at_mut(order);
        for (number, column) in added.iter_mut().zip(self.from_unknowns.chunks_exact(order)) {
            *number -= dot(column, base);
        }
        self.base_left.clear();
        self.base_left.extend_from_slice(base);
        self.base.solve_transposed(base, &mut self.scratch);
        self.base_transposed.clear();
        self.base_transposed.extend_from_slice(base);
        if age > 0 {
            self.schur_factors.solve_transposed(added, &mut self.scratch);
            for (&number, row) in added.iter().zip(self.from_equations.chunks_exact(order)) {
                subtract_scaled(base, row, number);
            }
        }
    }
}

/// The variable that an exchange lets grow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entering {
    /// The probability of a column outside the basis: the column enters.
    Column(usize),
    /// The slack of a row inside the basis: the row leaves.
    Slack(usize),
}

/// The variable that an exchange makes 0.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaving {
    /// The probability of a column inside the basis: the column leaves.
    Column(usize),
    /// The slack of a row outside the basis: the row enters.
    Slack(usize),
}

/// The entry of `D` where an added equation meets an added unknown, both with their index in the bordered system.
fn corner(
    payoffs: &impl Payoffs,
    (equation, equation_index): (Equation, usize),
    (unknown, unknown_index): (Unknown, usize),
) -> f64 {
    match (equation, unknown) {
        (Equation::Row(row), Unknown::Column(column)) => payoffs.entry(row, column),
        (_, Unknown::Slack(missing)) if missing == equation_index => 1.0,
        (Equation::Zero(zero), _) if zero == unknown_index => 1.0,
        _ => 0.0,
    }
}

fn insert(list: &mut Vec<(usize, usize)>, choice: usize, index: usize) {
    let place = list.partition_point(|&(own, _)| own < choice);
    list.insert(place, (choice, index));
}

fn remove(list: &mut Vec<(usize, usize)>, choice: usize) {
    list.retain(|&(own, _)| own != choice);
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::matrix_game::Matrix;
    use crate::matrix_game::exact::solve_rational_system;

    fn game() -> Matrix {
        let entry =
            |i: usize, j: usize| ((i * i * 37 + j * j * j * 53 + i * j * 29 + i * 13 + i * i * j * j * 7) % 97) as f64 / 40.0;
        let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..7).map(|j| entry(i, j)).collect()).collect();
        Matrix::from_rows(&rows).unwrap()
    }

    fn row(i: usize) -> Vec<f64> {
        (0..7).map(|j| game().entry(i, j)).collect()
    }

    fn column(j: usize) -> Vec<f64> {
        (0..6).map(|i| game().entry(i, j)).collect()
    }

    /// Solutions in both directions agree with those of the basis factorised afresh.
    fn assert_follows(changing: &mut BasisFactorisation, rows: &[usize], columns: &[usize]) {
        let mut basis = Basis::default();
        changing.basis(&mut basis);
        assert_eq!((basis.rows.as_slice(), basis.columns.as_slice()), (rows, columns));
        let mut fresh = BasisFactorisation::default();
        assert!(fresh.factorise(&game(), &basis));
        let right: Vec<f64> = (0..=rows.len()).map(|index| index as f64 * 1.5 - 2.0).collect();
        let solved = |with: &mut BasisFactorisation| {
            let (mut forward, mut backward) = (right.clone(), right.clone());
            with.solve(&mut forward);
            with.solve_transposed(&mut backward);
            [forward, backward].concat()
        };
        for (left, right) in solved(changing).into_iter().zip(solved(&mut fresh)) {
            // The systems are small and well-conditioned: updates lose two or three digits of sixteen at most.
            assert!((left - right).abs() <= 1e-12, "{left} and {right}");
        }
    }

    #[test]
    fn exchanges_of_all_four_kinds_lead_to_the_same_solutions_as_a_fresh_start() {
        let mut result = Vec::new();
        let mut changing = BasisFactorisation::default();
        assert!(changing.factorise(&game(), &Basis { rows: vec![0, 2, 5], columns: vec![1, 3, 4] }));
        assert_follows(&mut changing, &[0, 2, 5], &[1, 3, 4]);
        // A column for a column, a row for a row, one of each in, one of each out, and what was added leaves again.
        changing.ftran_column(&column(6), &mut result);
        changing.btran_column(3, &mut result);
        assert!(changing.exchange(&game(), Entering::Column(6), Leaving::Column(3)));
        assert_follows(&mut changing, &[0, 2, 5], &[1, 4, 6]);
        changing.ftran_slack(0, &mut result);
        changing.btran_row(&row(3), &mut result);
        assert!(changing.exchange(&game(), Entering::Slack(0), Leaving::Slack(3)));
        assert_follows(&mut changing, &[2, 3, 5], &[1, 4, 6]);
        changing.ftran_column(&column(0), &mut result);
        changing.btran_row(&row(1), &mut result);
        assert!(changing.exchange(&game(), Entering::Column(0), Leaving::Slack(1)));
        assert_follows(&mut changing, &[1, 2, 3, 5], &[0, 1, 4, 6]);
        changing.ftran_slack(3, &mut result);
        changing.btran_column(6, &mut result);
        assert!(changing.exchange(&game(), Entering::Slack(3), Leaving::Column(6)));
        assert_follows(&mut changing, &[1, 2, 5], &[0, 1, 4]);
        changing.ftran_column(&column(3), &mut result);
        changing.btran_column(0, &mut result);
        assert!(changing.exchange(&game(), Entering::Column(3), Leaving::Column(0)));
        assert_follows(&mut changing, &[1, 2, 5], &[1, 3, 4]);
        assert_eq!(changing.updates(), 5);
    }

    #[test]
    fn a_system_moves_on_to_a_game_that_has_a_row_and_a_column_before_it() {
        let mut result = Vec::new();
        let rows: Vec<Vec<f64>> = (1..6).map(|i| row(i)[1..].to_vec()).collect();
        let smaller = Matrix::from_rows(&rows).unwrap();
        let mut changing = BasisFactorisation::default();
        assert!(changing.factorise(&smaller, &Basis { rows: vec![0, 1, 4], columns: vec![0, 2, 3] }));
        // With an exchange in between: what was added moves, too.
        let line = |places: usize, entry: &dyn Fn(usize) -> f64| (0..places).map(entry).collect::<Vec<f64>>();
        changing.ftran_column(&line(5, &|i| smaller.entry(i, 5)), &mut result);
        changing.btran_row(&line(6, &|j| smaller.entry(2, j)), &mut result);
        assert!(changing.exchange(&smaller, Entering::Column(5), Leaving::Slack(2)));
        changing.shift();
        assert_follows(&mut changing, &[1, 2, 3, 5], &[1, 3, 4, 6]);
        changing.ftran_column(&column(0), &mut result);
        changing.btran_row(&row(0), &mut result);
        assert!(changing.exchange(&game(), Entering::Column(0), Leaving::Slack(0)));
        assert_follows(&mut changing, &[0, 1, 2, 3, 5], &[0, 1, 3, 4, 6]);
    }

    /// Forty exchanges at random, each checked against the basis factorised afresh and against the same system in rationals.
    #[test]
    fn a_random_walk_of_exchanges_keeps_the_solutions() {
        let mut seed = 3_u64;
        let mut draw = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % bound
        };
        let entries: Vec<Vec<f64>> = (0..9).map(|_| (0..8).map(|_| draw(41) as f64 - 20.0).collect()).collect();
        let game = Matrix::from_rows(&entries).unwrap();
        let mut walking = BasisFactorisation::default();
        let mut present = Basis { rows: vec![1, 4, 6], columns: vec![0, 3, 7] };
        assert!(walking.factorise(&game, &present));
        let mut result = Vec::new();
        let mut exchanges = 0;
        while exchanges < 40 {
            let (column, row) = (draw(8), draw(9));
            let entering = if present.columns.contains(&column) {
                let leaving_row = present.rows[draw(present.size())];
                Entering::Slack(leaving_row)
            } else {
                Entering::Column(column)
            };
            let leaving = if present.rows.contains(&row) {
                Leaving::Column(present.columns[draw(present.size())])
            } else {
                Leaving::Slack(row)
            };
            let mut next = present.clone();
            match entering {
                Entering::Column(column) => next.columns.push(column),
                Entering::Slack(row) => next.rows.retain(|&own| own != row),
            }
            match leaving {
                Leaving::Slack(row) => next.rows.push(row),
                Leaving::Column(column) => next.columns.retain(|&own| own != column),
            }
            next.rows.sort_unstable();
            next.columns.sort_unstable();
            let size = next.size();
            // [A_RC −1; 1ᵀ 0] z = (1, 2, 3, …), in rationals.
            let entry = |i: usize, j: usize| match (i == size, j) {
                (_, j) if j == size + 1 => i as i64 + 1,
                (false, j) if j < size => entries[next.rows[i]][next.columns[j]] as i64,
                (false, _) => -1,
                (true, j) => i64::from(j != size),
            };
            if size == 0 {
                continue;
            }
            let system: Vec<Vec<RBig>> = (0..=size).map(|i| (0..size + 2).map(|j| RBig::from(entry(i, j))).collect()).collect();
            let Some(exact) = solve_rational_system(size + 1, |i, j| &system[i][j]) else { continue };
            let exact: Vec<f64> = exact.iter().map(|number| number.to_f64().value()).collect();
            let largest = exact.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
            if largest > 1e4 {
                // So badly conditioned that no tolerance means anything.
                continue;
            }
            match entering {
                Entering::Column(column) => {
                    walking.ftran_column(&entries.iter().map(|row| row[column]).collect::<Vec<_>>(), &mut result);
                }
                Entering::Slack(row) => walking.ftran_slack(row, &mut result),
            }
            match leaving {
                Leaving::Slack(row) => walking.btran_row(&entries[row], &mut result),
                Leaving::Column(column) => walking.btran_column(column, &mut result),
            }
            assert!(walking.exchange(&game, entering, leaving));
            (present, exchanges) = (next, exchanges + 1);
            let mut fresh = BasisFactorisation::default();
            assert!(fresh.factorise(&game, &present));
            let right: Vec<f64> = (0..=size).map(|i| i as f64 + 1.0).collect();
            for factorisation in [&mut walking, &mut fresh] {
                let mut solution = right.clone();
                factorisation.solve(&mut solution);
                for (found, exact) in solution.iter().zip(&exact) {
                    // Conditions along the way multiply into the updates' errors; they stay below some 1e6 in this walk.
                    assert!((found - exact).abs() <= 1e-9 * largest, "{found} is not {exact} after {exchanges} exchanges");
                }
            }
            let [mut backward, mut backward_fresh] = [right.clone(), right];
            walking.solve_transposed(&mut backward);
            fresh.solve_transposed(&mut backward_fresh);
            let largest = backward_fresh.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
            assert!(backward.iter().zip(&backward_fresh).all(|(found, fresh)| (found - fresh).abs() <= 1e-9 * largest));
        }
    }
}
