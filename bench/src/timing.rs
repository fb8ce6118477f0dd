//! Medians of interleaved rounds.

use std::time::{Duration, Instant};

use crate::ffi::thread_time;

/// Shortest time a sample may take: far above what reading the clock costs and jitters.
const SAMPLE: Duration = Duration::from_millis(2);

/// One of those that do the same work: runs it so many times, and says how long that took.
pub(crate) struct Contestant<'a> {
    pub(crate) name: String,
    run: Box<dyn FnMut(u32) -> Duration + 'a>,
    /// It runs in another process, which says how long it had the processor.
    elsewhere: bool,
}

impl<'a> Contestant<'a> {
    /// `work` is all that is timed.
    pub(crate) fn new<R>(name: impl Into<String>, mut work: impl FnMut() -> R + 'a) -> Contestant<'a> {
        let run = move |times| {
            let start = Instant::now();
            for _ in 0..times {
                std::hint::black_box(work());
            }
            start.elapsed()
        };
        Contestant { name: name.into(), run: Box::new(run), elsewhere: false }
    }

    /// For work that runs and times itself.
    #[cfg_attr(not(rust_peers), allow(dead_code))]
    pub(crate) fn timed(name: impl Into<String>, run: impl FnMut(u32) -> Duration + 'a) -> Contestant<'a> {
        Contestant { name: name.into(), run: Box::new(run), elsewhere: false }
    }

    /// For work in another process, which says how long that had the processor.
    pub(crate) fn elsewhere(name: impl Into<String>, run: impl FnMut(u32) -> Duration + 'a) -> Contestant<'a> {
        Contestant { elsewhere: true, ..Contestant::timed(name, run) }
    }

    /// For work that destroys its input: `prepare` makes it whole again, outside the time.
    pub(crate) fn prepared<S: 'a, R>(
        name: impl Into<String>,
        mut state: S,
        mut prepare: impl FnMut(&mut S) + 'a,
        mut work: impl FnMut(&mut S) -> R + 'a,
    ) -> Contestant<'a> {
        let run = move |times| {
            let mut all = Duration::ZERO;
            for _ in 0..times {
                prepare(&mut state);
                let start = Instant::now();
                std::hint::black_box(work(&mut state));
                all += start.elapsed();
            }
            all
        };
        Contestant { name: name.into(), run: Box::new(run), elsewhere: false }
    }
}

/// Times all contestants and gives each one's median nanoseconds, in their order.
///
/// Every round runs each of them once, and the next round starts with another: so a clock that
/// drifts, and what one leaves in the caches, meets all of them alike.
pub(crate) fn race(contestants: &mut [Contestant<'_>], rounds: usize) -> Vec<f64> {
    let times: Vec<u32> = contestants.iter_mut().map(|c| calibrate(&mut c.run)).collect();
    let mut samples = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            let i = (round + turn) % contestants.len();
            samples[i].push(sample(&mut contestants[i], times[i]));
        }
    }
    samples.into_iter().map(median).collect()
}

/// Nanoseconds of one run: what the clock on the wall says, less the share of the sample in which
/// the processor was given to another program.
fn sample(contestant: &mut Contestant<'_>, times: u32) -> f64 {
    let (wall, cpu) = (Instant::now(), thread_time());
    let took = (contestant.run)(times).as_nanos() as f64 / f64::from(times);
    if contestant.elsewhere {
        return took;
    }
    let (wall, cpu) = (wall.elapsed(), thread_time().saturating_sub(cpu));
    let share = cpu.as_secs_f64() / wall.as_secs_f64();
    if share > 0.0 && share < 1.0 { took * share } else { took }
}

/// How often work must run for a sample; also warms it up.
fn calibrate(run: &mut dyn FnMut(u32) -> Duration) -> u32 {
    run(1);
    let mut times = 1;
    loop {
        let took = run(times);
        if took >= SAMPLE || times >= 1 << 20 {
            return times;
        }
        let wanted = SAMPLE.as_nanos() as f64 * 1.1 / took.as_nanos().max(1) as f64;
        times = ((f64::from(times) * wanted).ceil() as u32).clamp(times + 1, times.saturating_mul(16));
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 { samples[middle] } else { f64::midpoint(samples[middle - 1], samples[middle]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn longer_work_takes_longer() {
        let spin = |n: u64| move || (0..n).fold(0u64, |a, b| std::hint::black_box(a ^ b));
        let mut both = [Contestant::new("short", spin(1_000)), Contestant::new("long", spin(100_000))];
        let times = race(&mut both, 5);
        assert!(times[1] > 2.0 * times[0], "{times:?}");
    }
}
