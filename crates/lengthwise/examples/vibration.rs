//! Writes `samples/vibration.pon`: a report of a pump's vibration sensor, with binary samples.
//!
//! ```text
//! cargo run -p lengthwise --example vibration > samples/vibration.pon
//! ```

use std::io::{self, Write};

use lengthwise::pon::Backward;

fn main() -> io::Result<()> {
    let samples = samples();
    let mut buffer = [0; 1024];
    let message = message(&samples, &mut buffer).map_err(io::Error::other)?;
    io::stdout().write_all(message)
}

/// The message, last member first: so the length of each container is known when its head is due.
pub(crate) fn message<'b>(samples: &[u8], buffer: &'b mut [u8]) -> Result<&'b [u8], lengthwise::Error> {
    let mut out = Backward::new(buffer);
    let reading = out.end();
    out.binary(samples);
    out.key("samples");
    out.null();
    out.key("fault");
    let limits = out.end();
    for limit in [7100, 4500, 1800] {
        out.unsigned(limit);
    }
    out.array(limits);
    out.key("limits");
    out.boolean(true);
    out.key("calibrated");
    out.octet(4);
    out.key("gain");
    out.character('Z');
    out.key("axis");
    out.float_text("0.061");
    out.key("mg_per_step");
    out.unsigned(800);
    out.key("hz");
    out.unsigned(1_731_823_200);
    out.key("at");
    out.string("pump-7");
    out.key("sensor");
    out.object(reading);
    out.finish()
}

/// A third of a second of acceleration: 256 steps of 16 bits, the low byte first. A hum of 50 Hz
/// with its third harmonic, and a knock that dies away.
pub(crate) fn samples() -> Vec<u8> {
    let steps = (0..256_i32).map(|n| {
        let knock = if n < 90 { 0 } else { 9_000 * (n % 2 * 2 - 1) / (1 << ((n - 90) / 8)) };
        wave(n, 16, 6_000) + wave(3 * n, 16, 1_500) + knock
    });
    steps.flat_map(|step| (step as i16).to_le_bytes()).collect()
}

/// Half waves of parabolas: whole numbers, so that every machine makes the same.
fn wave(n: i32, period: i32, height: i32) -> i32 {
    let (half, at) = (period / 2, n % period);
    let above = if at < half { 1 } else { -1 };
    let at = at % half;
    above * 4 * height * at * (half - at) / (half * half)
}
