//! What reading may cost, a reader: the table that `docs/security.md` shows, and the check against it.

use std::time::{Duration, Instant};

use crate::{memory, seconds};

/// The most memory that a reader holds at once, in bytes:
/// `message * A + units * U + expansion * E + B`. `units` and `expansion` are the limits that the reader is given:
/// `Limits::units`, and the sum of `Limits::entity_expansion` and `Limits::decompressed_bytes`. What it allocates in
/// total, blocks that were given back among it, is at most `TOTAL` times as much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The reader.
    pub reader: &'static str,
    /// Bytes of memory a byte of input.
    pub a: usize,
    /// Bytes of memory a unit that `Limits::units` allows.
    pub u: usize,
    /// Bytes of memory a byte that `Limits::entity_expansion` and `Limits::decompressed_bytes` allow.
    pub e: usize,
    /// Bytes of memory whatever the input.
    pub b: usize,
}

/// How many times the most memory a reader may allocate in total.
pub const TOTAL: usize = 8;

/// Processor time a byte of input, a unit and a byte of expansion, in nanoseconds of a debug build, and whatever the
/// input. This is far above what any reader takes, and far below what a reader takes that goes over its input again
/// for each part of it.
const NANOSECONDS: u64 = 4_000;
const BASE_TIME: Duration = Duration::from_millis(500);

/// The bounds that a reader works within.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Bytes of the input: of the message, and of the schema where that is read as well.
    pub input: usize,
    /// `Limits::units`.
    pub units: usize,
    /// `Limits::entity_expansion` and `Limits::decompressed_bytes`.
    pub expansion: usize,
}

/// What reading cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The most bytes that were held at once.
    pub peak: usize,
    /// All bytes that were asked for.
    pub total: usize,
    /// As [`timed`] measures it.
    pub time: Duration,
}

/// What `work` gives, and what it cost. The program's allocator is [`memory::Counting`].
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    assert!(memory::is_counted(), "the program does not count what it allocates");
    let taken = memory::taken();
    let ((result, peak, _), time) = timed(|| memory::cost(work));
    (result, Cost { peak, total: memory::taken().wrapping_sub(taken), time })
}

/// What work returns, and the processor time that it takes on this thread; the time by the clock where the system is not Linux.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let processor_time = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    let (clock, start) = (Instant::now(), processor_time());
    let done = work();
    let taken = match (start, processor_time()) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        _ => clock.elapsed(),
    };
    (done, taken)
}

/// Checks that work takes at most so many seconds of processor time, and times more where a test is slower ([`seconds`]).
///
/// # Panics
/// If it takes longer.
pub fn within<T>(most: u32, what: &str, work: impl FnOnce() -> T) -> T {
    let (done, taken) = timed(work);
    assert!(taken < seconds(most), "{what}: {taken:?}");
    done
}

/// Checks that work takes time by its size: four times as much takes at most ten times the processor time, the least of
/// three tries each. What is quadratic takes sixteen times as long. `prepare` is not measured.
///
/// # Panics
/// If it takes longer.
pub fn linear<T>(what: &str, size: usize, prepare: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let least = |size| {
        let prepared = prepare(size);
        (0..3).map(|_| timed(|| work(&prepared)).1).min().unwrap_or_default()
    };
    // Under Miri only that it runs is of interest.
    let size = if cfg!(miri) { size.div_ceil(2_000) } else { size };
    let (small, large) = (least(size), least(4 * size));
    // The system counts in steps of up to 4 ms.
    let most = 10 * small.max(Duration::from_millis(5));
    assert!(large <= most, "{what}: {large:?}, a fourth of it {small:?}");
}

impl Bound {
    /// The bound of a reader.
    ///
    /// # Panics
    /// If there is none of that name.
    #[must_use]
    #[allow(clippy::panic, reason = "a test without a bound tests nothing")]
    pub fn of(reader: &str) -> &'static Bound {
        let found = BOUNDS.iter().find(|bound| bound.reader == reader);
        found.unwrap_or_else(|| panic!("no bound is stated for the reader {reader}"))
    }

    /// The most memory, in bytes.
    #[must_use]
    pub fn memory(&self, given: &Given) -> usize {
        given.input * self.a + given.units * self.u + given.expansion * self.e + self.b
    }

    /// What of a cost is beyond the bound, in words.
    ///
    /// # Errors
    /// If anything is.
    pub fn check(&self, given: &Given, cost: &Cost) -> Result<(), String> {
        let most = self.memory(given);
        let work = given.input + given.units + given.expansion;
        let time = BASE_TIME + Duration::from_nanos(NANOSECONDS * work as u64);
        let reader = self.reader;
        if cost.peak > most {
            return Err(format!("{reader} holds {} bytes, {most} are allowed for {given:?}", cost.peak));
        }
        if cost.total > most * TOTAL {
            let total = most * TOTAL;
            return Err(format!("{reader} allocates {} bytes in total, {total} are allowed for {given:?}", cost.total));
        }
        if cost.time > time {
            return Err(format!("{reader} takes {:?}, {time:?} are allowed for {given:?}", cost.time));
        }
        Ok(())
    }
}

/// The bounds of all readers.
pub const BOUNDS: &[Bound] = &[
    Bound { reader: "tsf", a: 16, u: 0, e: 0, b: 16 << 10 },
    Bound { reader: "pon", a: 32, u: 0, e: 0, b: 16 << 10 },
    Bound { reader: "pon owned", a: 128, u: 0, e: 0, b: 16 << 10 },
    Bound { reader: "xml", a: 64, u: 0, e: 8, b: 64 << 10 },
    Bound { reader: "xml events", a: 32, u: 0, e: 8, b: 64 << 10 },
    Bound { reader: "json", a: 32, u: 0, e: 0, b: 16 << 10 },
    Bound { reader: "infoset", a: 128, u: 0, e: 16, b: 6144 << 10 },
    Bound { reader: "tdxml", a: 256, u: 0, e: 8, b: 64 << 10 },
    Bound { reader: "tdxml lookup", a: 256, u: 0, e: 0, b: 64 << 10 },
    Bound { reader: "asn1 notation", a: 1024, u: 0, e: 0, b: 64 << 10 },
    Bound { reader: "asn1 value", a: 1024, u: 16, e: 0, b: 64 << 10 },
    Bound { reader: "per", a: 1024, u: 64, e: 8, b: 64 << 10 },
    Bound { reader: "aligned per", a: 1024, u: 64, e: 8, b: 64 << 10 },
    Bound { reader: "oer", a: 1024, u: 64, e: 0, b: 64 << 10 },
    Bound { reader: "ber", a: 1024, u: 64, e: 0, b: 64 << 10 },
    Bound { reader: "jer", a: 1024, u: 64, e: 0, b: 64 << 10 },
    Bound { reader: "xsd", a: 1024, u: 256, e: 0, b: 16384 << 10 },
    Bound { reader: "x694", a: 2048, u: 1024, e: 0, b: 16384 << 10 },
    Bound { reader: "xsd instance", a: 1024, u: 256, e: 8, b: 16384 << 10 },
    Bound { reader: "x694 instance", a: 2048, u: 1024, e: 8, b: 16384 << 10 },
    Bound { reader: "x694 templates", a: 4096, u: 2048, e: 16, b: 16384 << 10 },
    Bound { reader: "wsdl", a: 1024, u: 256, e: 0, b: 16384 << 10 },
    Bound { reader: "soap service", a: 2048, u: 1024, e: 0, b: 16384 << 10 },
    Bound { reader: "soap", a: 512, u: 128, e: 16, b: 1024 << 10 },
    Bound { reader: "soap templates", a: 1024, u: 256, e: 32, b: 4096 << 10 },
    Bound { reader: "http body", a: 16, u: 0, e: 8, b: 128 << 10 },
    Bound { reader: "frames", a: 16, u: 0, e: 0, b: 128 << 10 },
    Bound { reader: "hexadecimal", a: 16, u: 0, e: 0, b: 64 << 10 },
    Bound { reader: "capture", a: 16, u: 0, e: 0, b: 256 << 10 },
    Bound { reader: "compressed", a: 16, u: 0, e: 8, b: 128 << 10 },
];

/// The table of `docs/security.md`.
#[must_use]
pub fn page() -> String {
    let mut page = String::from("| reader | A, a byte of input | U, a unit | E, a byte of expansion | B |\n");
    page += "| --- | --- | --- | --- | --- |\n";
    for Bound { reader, a, u, e, b } in BOUNDS {
        page += &format!("| `{reader}` | {a} | {u} | {e} | {} KiB |\n", b >> 10);
    }
    page
}

#[cfg(test)]
mod tests {
    /// What looks at everything again for each part of it is found.
    #[test]
    #[cfg_attr(not(target_os = "linux"), ignore = "only Linux says how much processor time a thread has taken")]
    #[should_panic(expected = "a square: ")]
    fn quadratic_work_is_not_linear() {
        let work = |size: &usize| {
            for outer in 0..*size {
                let all: usize = (0..*size).map(|inner| std::hint::black_box(outer ^ inner)).sum();
                std::hint::black_box(all);
            }
        };
        super::linear("a square", 2_000, |size| size, work);
    }
}
