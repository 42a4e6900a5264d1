//! Small square matrices: inverse, determinant, condition number.
//!
//! The one decision: judges' scales have two to a dozen grades, so plain elimination with pivoting and Jacobi's rotations are
//! enough, and no library of linear algebra is needed. What cannot be inverted is `None`, never huge numbers.

use std::ops::Index;

/// A square matrix, rows first.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

/// A pivot below this share of the matrix's largest entry is zero but for rounding.
const NOTHING: f64 = 1e-12;

impl Matrix {
    /// The matrix whose entry (row, column) is `entry`'s.
    pub fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        let cells = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        Matrix { size, cells }
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    /// This times a column vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| self.row(row).iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// A row vector times this.
    pub fn left_times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|column| (0..self.size).map(|row| vector[row] * self[(row, column)]).sum()).collect()
    }

    /// The inverse; `None` for a singular matrix.
    pub fn inverse(&self) -> Option<Matrix> {
        let unit = |row: usize| (0..self.size).map(|column| f64::from(u8::from(row == column))).collect();
        let rows = self.eliminate((0..self.size).map(unit).collect())?;
        Some(Matrix { size: self.size, cells: rows.concat() })
    }

    /// The vector that this matrix takes to `right`; `None` for a singular matrix.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        self.eliminate(right.iter().map(|&cell| vec![cell]).collect()).map(|rows| rows.concat())
    }

    /// The inverse times `right`, given by rows: Gauss and Jordan with row pivoting. `None` for a singular matrix.
    fn eliminate(&self, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
        let n = self.size;
        let least = NOTHING * self.cells.iter().fold(0.0f64, |most, cell| most.max(cell.abs()));
        let mut left: Vec<Vec<f64>> = (0..n).map(|row| self.row(row).to_vec()).collect();
        for column in 0..n {
            let pivot = (column..n).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
            // `!(>)`, so that NaN is no pivot either.
            if !matches!(left[pivot][column].abs(), size if size > least) {
                return None;
            }
            left.swap(pivot, column);
            right.swap(pivot, column);
            let scale = left[column][column];
            left[column].iter_mut().chain(&mut right[column]).for_each(|cell| *cell /= scale);
            let (own_left, own_right) = (left[column].clone(), right[column].clone());
            for row in (0..n).filter(|&row| row != column) {
                let factor = left[row][column];
                left[row].iter_mut().zip(&own_left).for_each(|(cell, own)| *cell -= factor * own);
                right[row].iter_mut().zip(&own_right).for_each(|(cell, own)| *cell -= factor * own);
            }
        }
        Some(right)
    }

    /// The determinant, by elimination with row pivoting.
    pub fn determinant(&self) -> f64 {
        let n = self.size;
        let mut left = self.clone();
        let mut product = 1.0;
        for column in 0..n {
            let by_size = |&a: &usize, &b: &usize| left[(a, column)].abs().total_cmp(&left[(b, column)].abs());
            let pivot = (column..n).max_by(by_size).unwrap_or(column);
            if left[(pivot, column)] == 0.0 {
                return 0.0;
            }
            if pivot != column {
                left.swap(pivot, column);
                product = -product;
            }
            product *= left[(column, column)];
            for row in column + 1..n {
                let factor = left[(row, column)] / left[(column, column)];
                for at in column..n {
                    left.cells[row * n + at] -= factor * left.cells[column * n + at];
                }
            }
        }
        product
    }

    /// Determinant without this row and column, with its sign: how the determinant grows with the entry.
    pub fn cofactor(&self, row: usize, column: usize) -> f64 {
        let skip = |at: usize, left_out: usize| at + usize::from(at >= left_out);
        let minor = Matrix::from_fn(self.size.saturating_sub(1), |r, c| self[(skip(r, row), skip(c, column))]);
        let sign = if (row + column).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * minor.determinant()
    }

    /// Largest over smallest singular value: by how much a relative error may grow through the inverse. `None` if singular.
    pub fn condition(&self) -> Option<f64> {
        let values = self.singular_values();
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        (least > NOTHING * most).then(|| most / least)
    }

    /// Singular values by one-sided Jacobi: columns are turned until they are orthogonal, then their lengths are the values.
    fn singular_values(&self) -> Vec<f64> {
        let n = self.size;
        let mut columns: Vec<Vec<f64>> = (0..n).map(|c| (0..n).map(|r| self[(r, c)]).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for _ in 0..60 {
            let mut turned = false;
            for first in 0..n {
                for second in first + 1..n {
                    let (p, q) = (dot(&columns[first], &columns[first]), dot(&columns[second], &columns[second]));
                    let common = dot(&columns[first], &columns[second]);
                    if common.abs() <= 1e-15 * (p * q).sqrt() {
                        continue;
                    }
                    turned = true;
                    let ratio = (q - p) / (2.0 * common);
                    let tangent = ratio.signum() / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
                    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                    let sine = cosine * tangent;
                    let (before, after) = columns.split_at_mut(second);
                    for (one, other) in before[first].iter_mut().zip(&mut after[0]) {
                        (*one, *other) = (cosine * *one - sine * *other, sine * *one + cosine * *other);
                    }
                }
            }
            if !turned {
                break;
            }
        }
        columns.iter().map(|column| dot(column, column).sqrt()).collect()
    }

    fn swap(&mut self, a: usize, b: usize) {
        (0..self.size).for_each(|at| self.cells.swap(a * self.size + at, b * self.size + at));
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.cells[row * self.size + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        Matrix::from_fn(N, |row, column| rows[row][column])
    }

    #[test]
    fn two_by_two_and_three_by_three_by_hand() {
        // [[.8, .2], [.3, .7]]: det .5, inverse [[1.4, -.4], [-.6, 1.6]].
        let inverse = of([[0.8, 0.2], [0.3, 0.7]]).inverse().unwrap();
        for (at, expected) in [((0, 0), 1.4), ((0, 1), -0.4), ((1, 0), -0.6), ((1, 1), 1.6)] {
            assert!((inverse[at] - expected).abs() < 1e-14);
        }
        // [[2, 1, 0], [0, 3, 0], [1, 0, 1]]: det 2·3·1 + 0 = 6; cofactor of (0, 2) is 0·0 − 3·1 = −3.
        let three = of([[2.0, 1.0, 0.0], [0.0, 3.0, 0.0], [1.0, 0.0, 1.0]]);
        assert!((three.determinant() - 6.0).abs() < 1e-14 && (three.cofactor(0, 2) + 3.0).abs() < 1e-14);
        let back = three.inverse().unwrap();
        for row in 0..3 {
            let product = back.left_times(three.row(row));
            (0..3).for_each(|c| assert!((product[c] - f64::from(u8::from(c == row))).abs() < 1e-14));
        }
        assert_eq!(three.times(&[1.0, 2.0, 3.0]), [4.0, 6.0, 4.0]);
        let back = three.solve(&[4.0, 6.0, 4.0]).unwrap();
        (0..3).for_each(|at| assert!((back[at] - (at + 1) as f64).abs() < 1e-14));
    }

    #[test]
    fn condition_numbers() {
        // Diagonal 4, 1/2: 8. [[1, 1], [0, 1]]: singular values are the golden ratio and its inverse, so φ² = 2.618.
        assert!((of([[4.0, 0.0], [0.0, 0.5]]).condition().unwrap() - 8.0).abs() < 1e-13);
        let golden = (3.0 + 5f64.sqrt()) / 2.0;
        assert!((of([[1.0, 1.0], [0.0, 1.0]]).condition().unwrap() - golden).abs() < 1e-13);
        let singular = of([[0.5, 0.5], [0.5, 0.5]]);
        assert_eq!((singular.inverse(), singular.condition(), singular.determinant()), (None, None, 0.0));
        assert_eq!(of([[0.0, 0.0], [0.0, 0.0]]).inverse(), None);
        assert_eq!(singular.solve(&[1.0, 2.0]), None);
        // Needs a pivot: a zero on the diagonal.
        assert_eq!(of([[0.0, 1.0], [1.0, 0.0]]).inverse().unwrap(), of([[0.0, 1.0], [1.0, 0.0]]));
        assert_eq!(of([[0.0, 1.0], [1.0, 0.0]]).determinant(), -1.0);
    }
}
