//! The paper's own figures, for comparison with ours (its tables 2 and 3).

use crate::{
    dds_messages::SIZES,
    report::{Report, print_rows},
};

/// What table 2 measures: who, and milliseconds for ints, easy and hard doubles, 1000 to 100 000 of them.
type Row2 = (&'static str, [[f64; 6]; 3]);

#[rustfmt::skip]
const TABLE_2: [Row2; 2] = [
    ("No DDS", [[0.67, 6.93, 17.7, 35.4, 53.7, 71.3], [0.83, 8.24, 21.2, 42.7, 63.3, 85.0], [2.89, 28.7, 71.5, 144.0, 215.0, 288.0]]),
    ("compared", [[0.06, 0.51, 1.32, 2.63, 3.89, 5.63], [0.06, 0.57, 1.48, 2.95, 4.42, 5.75], [0.13, 1.32, 3.23, 5.89, 9.47, 12.5]]),
];

pub(crate) const PARTITIONS: [usize; 4] = [1, 100, 200, 500];
/// The paper's portion sizes.
const PORTIONS: [u32; 4] = [32, 512, 1024, 4096];

/// Table 3: milliseconds for hard doubles, by P, by the number of items, by T and by N.
#[rustfmt::skip]
const TABLE_3: [[[f64; 16]; 6]; 4] = [
    [
        [2.39, 1.04, 1.01, 1.24, 2.97, 3.61, 3.35, 3.44, 3.16, 3.46, 3.34, 3.23, 3.91, 3.46, 3.34, 3.26],
        [23.1, 10.2, 9.98, 9.72, 23.9, 15.0, 18.7, 32.4, 24.4, 19.8, 27.6, 32.3, 26.3, 33.4, 33.8, 32.3],
        [57.5, 26.0, 24.4, 23.7, 58.8, 30.3, 33.1, 57.6, 59.2, 34.9, 42.3, 80.6, 61.0, 49.5, 69.0, 80.6],
        [116.0, 51.0, 48.6, 47.4, 118.0, 55.7, 57.5, 81.6, 119.0, 60.5, 66.7, 116.0, 120.0, 75.1, 94.6, 162.0],
        [173.0, 77.0, 72.8, 70.4, 176.0, 82.6, 81.8, 105.0, 177.0, 85.8, 91.1, 140.0, 178.0, 100.0, 119.0, 242.0],
        [238.0, 111.0, 97.7, 94.3, 235.0, 108.0, 106.0, 128.0, 236.0, 112.0, 115.0, 164.0, 237.0, 126.0, 142.0, 269.0],
    ],
    [
        [4.67, 1.86, 1.88, 1.91, 4.68, 3.48, 3.38, 3.26, 5.20, 3.47, 3.34, 3.23, 5.70, 3.43, 3.32, 3.24],
        [41.1, 18.5, 17.7, 17.7, 41.9, 23.3, 26.4, 32.7, 42.1, 27.7, 33.5, 32.2, 44.0, 35.1, 33.8, 32.3],
        [103.0, 46.4, 44.1, 42.6, 103.0, 55.8, 52.9, 77.7, 104.0, 55.5, 61.8, 80.5, 105.0, 70.1, 84.1, 80.5],
        [205.0, 93.0, 88.5, 85.2, 207.0, 97.4, 97.4, 120.0, 207.0, 102.0, 106.0, 155.0, 209.0, 116.0, 134.0, 161.0],
        [308.0, 139.0, 132.0, 128.0, 311.0, 144.0, 143.0, 163.0, 312.0, 149.0, 150.0, 196.0, 313.0, 163.0, 178.0, 242.0],
        [413.0, 186.0, 177.0, 170.0, 414.0, 192.0, 186.0, 205.0, 415.0, 195.0, 194.0, 237.0, 417.0, 209.0, 223.0, 322.0],
    ],
    [
        [5.92, 2.71, 2.61, 2.62, 6.42, 3.46, 3.33, 3.26, 6.66, 3.46, 3.32, 3.23, 7.21, 3.46, 3.35, 3.25],
        [59.0, 26.9, 26.0, 25.0, 59.3, 31.4, 33.6, 32.2, 60.0, 35.8, 33.5, 32.1, 61.8, 35.5, 33.5, 32.3],
        [147.0, 67.4, 63.9, 61.5, 148.0, 72.4, 73.2, 80.5, 148.0, 76.4, 81.2, 80.7, 150.0, 87.7, 83.6, 80.6],
        [295.0, 135.0, 128.0, 123.0, 326.0, 139.0, 137.0, 158.0, 296.0, 144.0, 146.0, 161.0, 299.0, 158.0, 168.0, 161.0],
        [445.0, 202.0, 192.0, 185.0, 446.0, 206.0, 200.0, 219.0, 447.0, 211.0, 209.0, 241.0, 448.0, 224.0, 237.0, 242.0],
        [594.0, 270.0, 256.0, 246.0, 598.0, 274.0, 267.0, 280.0, 598.0, 280.0, 274.0, 316.0, 597.0, 292.0, 301.0, 322.0],
    ],
    [
        [7.72, 3.46, 3.32, 3.22, 7.65, 3.46, 3.33, 3.22, 7.70, 3.45, 3.31, 3.23, 7.66, 3.46, 3.32, 3.22],
        [77.2, 35.1, 33.5, 32.2, 76.4, 35.1, 33.4, 32.2, 76.6, 35.8, 33.5, 32.5, 76.9, 35.4, 33.5, 32.2],
        [191.0, 87.8, 85.2, 80.3, 191.0, 87.8, 83.6, 80.5, 192.0, 87.8, 84.0, 80.3, 191.0, 87.8, 84.2, 80.4],
        [391.0, 177.0, 168.0, 161.0, 387.0, 176.0, 168.0, 161.0, 386.0, 176.0, 168.0, 161.0, 385.0, 176.0, 167.0, 161.0],
        [581.0, 265.0, 251.0, 242.0, 590.0, 265.0, 252.0, 242.0, 582.0, 264.0, 251.0, 241.0, 583.0, 264.0, 252.0, 242.0],
        [780.0, 354.0, 336.0, 322.0, 779.0, 353.0, 335.0, 322.0, 779.0, 353.0, 335.0, 322.0, 779.0, 353.0, 335.0, 322.0],
    ],
];

/// The works that have the paper's P.
pub(crate) const CHANGED: [(&str, usize); 4] = [("p25", 25), ("p50", 50), ("p75", 75), ("p100", 100)];

/// The paper's tables with ours beside them, as far as ours were measured: each as a part of the time of its own
/// regular mode.
pub(crate) fn print(report: &Report) {
    if report.prints() {
        table_2(report);
        table_3(report);
    }
}

fn table_2(report: &Report) {
    let mut rows = vec![["table 2: part of regular mode", "message", "paper", "ours"].map(str::to_owned).to_vec()];
    let (who, paper) = &TABLE_2[1];
    for (kind, (times, regular)) in ["int", "easy", "hard"].iter().zip(paper.iter().zip(&TABLE_2[0].1)) {
        for (n, count) in SIZES.iter().enumerate() {
            let document = format!("{kind}-{count}");
            let Some((ours, whole)) = report.times("identical", &document, "read whole") else { continue };
            let parts = [times[n] / regular[n], ours / whole].map(|part| format!("{part:.3}"));
            rows.push([vec![(*who).to_owned(), document], parts.to_vec()].concat());
        }
    }
    if rows.len() > 1 {
        println!("\nTime for an identical message, beside the paper's.");
        print_rows(&rows);
    }
}

fn table_3(report: &Report) {
    let mut heading = vec!["table 3: P".to_owned(), "items".into(), "T".into()];
    heading.extend(PORTIONS.iter().map(|n| format!("paper, N = {n}")));
    heading.push("ours".into());
    let mut rows = vec![heading];
    for ((work, percent), of_percent) in CHANGED.iter().zip(&TABLE_3) {
        for ((count, of_count), regular) in SIZES.iter().zip(of_percent).zip(&TABLE_2[0].1[2]) {
            for (partitions, of_partitions) in PARTITIONS.iter().zip(of_count.chunks(PORTIONS.len())) {
                let document = format!("hard-{count}-T{partitions}");
                let Some((ours, whole)) = report.times(work, &document, "read whole") else { continue };
                let mut row = vec![format!("{percent} %"), count.to_string(), partitions.to_string()];
                row.extend(of_partitions.iter().map(|paper| format!("{:.2}", paper / regular)));
                row.push(format!("{:.2}", ours / whole));
                rows.push(row);
            }
        }
    }
    if rows.len() > 1 {
        println!("\nTime where P % of each of T partitions are new, as a part of regular mode, beside the paper's.");
        print_rows(&rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 4.4 and the abstract say what the table comes to.
    #[test]
    fn the_tables_come_to_what_the_text_says() {
        let hard = |row: usize| TABLE_2[row].1[2][5];
        assert!((hard(0) / hard(1)).floor() == 23.0);
        assert!(TABLE_3[3][5].iter().all(|&time| time > hard(0)));
    }
}
