//! Text in columns.

use crate::visible::one_line;

/// A table: the first column is text, the others are numbers.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with its headings.
    pub(crate) fn new(headings: &[&str; N]) -> Table<N> {
        Table { rows: vec![headings.map(str::to_owned)] }
    }

    pub(crate) fn row(&mut self, row: [String; N]) {
        self.rows.push(row.map(|cell| one_line(&cell)));
    }

    /// The table, one row a line.
    pub(crate) fn text(&self) -> String {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line.push_str(&if at == 0 { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") });
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let mut table = Table::new(&["", "n"]);
        table.row(["a".into(), "1 µs".into()]);
        table.row(["long".into(), "".into()]);
        assert_eq!(table.text(), "           n\n  a     1 µs\n  long\n");
    }
}
