//! Where the bits of a message go: sums over the rows that have the same names above them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Inspection, Kind, Row, Shape, array};
use crate::json::push_json_string;

/// Rows of one name and kind, below rows that are of one name and kind as well.
struct Sum<'i> {
    parent: Option<u32>,
    name: &'i [u8],
    kind: Kind,
    /// The first of the rows, and their number.
    row: u32,
    rows: u32,
    /// Their bits, and those of them that no row below has.
    bits: u64,
    own: u64,
}

/// The most sums. Rows of further names count for the rows above them.
const MOST: usize = 2_000;

impl Inspection {
    /// The bits of the message by the names of its rows, as an array of JSON. An item is all rows of a name and kind at one
    /// place of the structure, whatever their index: it has the number of the item above it as `parent` (or null), `name`, `kind`,
    /// the first `row`, the number of `rows`, their `bits`, and as `own` those that no row below has. It has at most 2 000 items;
    /// further rows count for those above them.
    #[must_use]
    pub fn sizes(&self) -> String {
        array(self.sums().iter(), |sum, out| {
            let parent = sum.parent.map_or_else(|| "null".to_owned(), |parent| parent.to_string());
            let Sum { row, rows, bits, own, .. } = sum;
            let _ = write!(
                out,
                "{{\"parent\":{parent},\"row\":{row},\"rows\":{rows},\"bits\":{bits},\"own\":{own},\"kind\":"
            );
            push_json_string(out, &self.kind_name(sum.kind));
            out.push_str(",\"name\":");
            push_json_string(out, &String::from_utf8_lossy(sum.name));
            out.push('}');
        })
    }

    fn sums(&self) -> Vec<Sum<'_>> {
        let mut sums: Vec<Sum<'_>> = Vec::new();
        let mut known = BTreeMap::new();
        // The sum of each row.
        let mut of_row: Vec<u32> = Vec::with_capacity(self.rows.len());
        for (number, row) in self.rows.iter().enumerate() {
            let parent = of_row.get(row.parent as usize).copied();
            let name = self.name_in_sums(row);
            let key = (parent, name, self.kind_name(row.kind));
            let known = match (known.get(&key), parent) {
                (Some(sum), _) => *sum,
                (None, Some(parent)) if sums.len() >= MOST => {
                    of_row.push(parent);
                    continue;
                }
                _ => {
                    let sum = sums.len() as u32;
                    known.insert(key, sum);
                    sums.push(Sum { parent, name, kind: row.kind, row: number as u32, rows: 0, bits: 0, own: 0 });
                    sum
                }
            };
            if let Some(sum) = sums.get_mut(known as usize) {
                sum.rows += 1;
            }
            of_row.push(known);
        }
        for span in &self.spans {
            let sum = of_row.get(span.row as usize).and_then(|sum| sums.get_mut(*sum as usize));
            if let Some(sum) = sum {
                sum.own += span.bits;
                sum.bits += span.bits;
            }
        }
        for number in (0..sums.len()).rev() {
            let (parent, bits) = sums.get(number).map_or((None, 0), |sum| (sum.parent, sum.bits));
            if let Some(above) = parent.and_then(|parent| sums.get_mut(parent as usize)) {
                above.bits += bits;
            }
        }
        sums
    }

    /// The name of a row in sums: items of a list have none.
    fn name_in_sums(&self, row: &Row) -> &[u8] {
        let name = self.text(row.name);
        match self.shape {
            Shape::Units => name,
            #[cfg(feature = "asn1")]
            Shape::Values if name.first().is_some_and(u8::is_ascii_digit) => b"",
            #[cfg(feature = "asn1")]
            Shape::Values => name,
            #[cfg(feature = "asn1")]
            Shape::Elements => b"",
        }
    }
}
