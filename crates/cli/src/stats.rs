//! `inspect --stats`: how many units a document has, how long and how deep they are, and what reading them costs.

use lengthwise::Options;
use lengthwise::tam;
use lengthwise_inspect::{Device, LengthClasses, Stats};

use crate::args::Inspect;
use crate::line::Line;
use crate::messages::Message;
use crate::output::Standard;
use crate::report::{Failure, Reading};
use crate::table::Table;

const DEVICE: Device = Device::CORTEX_M0_PLUS;

pub(crate) fn run(args: &Inspect, message: &Message<'_>, options: &Options<'_>) -> Result<(), Failure> {
    let Message { input, bytes, detected, .. } = message;
    let mut table = tam::Table::new();
    let document = lengthwise::read(bytes, detected.format, options, &mut table)
        .map_err(|error| Failure::unread(input, &Reading::new(*detected, options), error, bytes))?;
    let stats = Stats::of(&document);
    let mut out = Standard::new();
    if args.common.json {
        out.put(line(&stats, message))?;
    } else {
        out.put(message.heading())?;
        out.put(tables(&stats, message))?;
    }
    out.end()
}

fn line(stats: &Stats, message: &Message<'_>) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let types = stats.types.iter().map(|of| {
        let line = Line::new().text("type", of.word).json("units", of.units).json("name_bytes", of.name_bytes);
        line.json("data_bytes", of.data_bytes).json("head_bytes", of.head_bytes).object()
    });
    let classes = |lengths: &LengthClasses| {
        let class = |(from, to, count)| Line::new().json("from", from).maybe("to", to).json("count", count).object();
        list(classes(lengths).map(class).collect())
    };
    let device = Line::new()
        .json("instructions_per_unit", format!("{:.1}", DEVICE.instructions_per_unit))
        .json("picojoules_per_instruction", format!("{:.1}", DEVICE.joules_per_instruction * 1e12))
        .json("microjoules_per_byte", format!("{:.1}", DEVICE.joules_per_byte * 1e6));
    let (read, sent) = (message.bytes.len() as u64, stats.tsf_bytes());
    let energy = Line::new()
        .json("reading_tsf", micro(stats.reading_joules(&DEVICE)))
        .json("radio", micro(DEVICE.radio_joules(read)))
        .json("radio_tsf", micro(DEVICE.radio_joules(sent)))
        .json("model", device.object());
    message
        .start_of_line()
        .text("format", message.detected.format.as_str())
        .json("bytes", read)
        .json("tsf_bytes", sent)
        .json("units", stats.units)
        .json("rows", stats.rows)
        .json("bytes_per_unit", format!("{:.1}", stats.bytes_per_unit()))
        .json("types", list(types.collect()))
        .json("names", classes(&stats.names))
        .json("data", classes(&stats.data))
        .json("containers", stats.containers)
        .json("mean_depth", format!("{:.1}", stats.mean_depth()))
        .json("most_depth", stats.most_depth)
        .json("mean_children", format!("{:.1}", stats.mean_children()))
        .json("most_children", stats.most_children)
        .json("tam_allocations", stats.tam_allocations)
        .json("tree_allocations", stats.tree_allocations())
        .maybe("tag_bytes", stats.tag_bytes)
        .json("microjoules", energy.object())
        .end()
}

fn tables(stats: &Stats, message: &Message<'_>) -> String {
    let mut types = Table::<5>::new(&["type", "units", "bytes of names", "of data", "of numbers and types"]);
    let mut sums = [0; 4];
    for of in &stats.types {
        let numbers = [of.units, of.name_bytes, of.data_bytes, of.head_bytes];
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        types.row(row(of.word, numbers));
    }
    types.row(row("all", sums));

    let mut all = Table::new(&["", ""]);
    let mut add = |what: &str, value: String| all.row([what.to_owned(), value]);
    let (read, sent) = (message.bytes.len() as u64, stats.tsf_bytes());
    let format = message.detected.format;
    add("lexical units, without lists", stats.units.to_string());
    add(&format!("bytes in {format}"), read.to_string());
    add("bytes in TSF", sent.to_string());
    add("bytes in TSF a unit, mean", format!("{:.1}", stats.bytes_per_unit()));
    if let Some(bytes) = stats.tag_bytes {
        add("bytes of tags in XML: 5 and the name for each element", bytes.to_string());
    }
    add("depth, mean", format!("{:.1}", stats.mean_depth()));
    add("depth, most", stats.most_depth.to_string());
    add("children, mean without the most", format!("{:.1}", stats.mean_children()));
    add("children, most", stats.most_children.to_string());
    add("allocations of TAM: one for each unit with units in it", stats.tam_allocations.to_string());
    add("allocations of a tree: one for each lexical unit", stats.tree_allocations().to_string());
    add("energy to read it from TSF, uJ", micro(stats.reading_joules(&DEVICE)));
    add(&format!("energy to send or receive it in {format}, uJ"), micro(DEVICE.radio_joules(read)));
    add("energy to send or receive it in TSF, uJ", micro(DEVICE.radio_joules(sent)));

    let (names, data) = (lengths("length of names", &stats.names), lengths("length of data", &stats.data));
    format!("{}\n{names}\n{data}{}\n{}", types.text(), all.text(), assumptions())
}

fn row<const N: usize>(of: &str, numbers: [u64; 4]) -> [String; N] {
    let mut cells = std::iter::once(of.to_owned()).chain(numbers.map(|number| number.to_string()));
    std::array::from_fn(|_| cells.next().unwrap_or_default())
}

fn lengths(heading: &str, lengths: &LengthClasses) -> String {
    let mut table = Table::new(&[heading, "units"]);
    for (from, to, count) in classes(lengths).filter(|(.., count)| *count > 0) {
        let class = match to {
            Some(to) if to == from => to.to_string(),
            Some(to) => format!("{from}-{to}"),
            None => format!("{from} and more"),
        };
        table.row([class, count.to_string()]);
    }
    table.text()
}

/// The classes of lengths: the least, the greatest if there is one, and how many are in it.
fn classes(lengths: &LengthClasses) -> impl Iterator<Item = (u64, Option<u64>, u64)> {
    let starts = std::iter::once(0).chain(lengths.classes.iter().map(|(most, _)| most.saturating_add(1)));
    starts.zip(&lengths.classes).map(|(from, (most, count))| (from, (*most < u64::MAX).then_some(*most), *count))
}

fn micro(joules: f64) -> String {
    format!("{:.2}", joules * 1e6)
}

fn assumptions() -> String {
    format!(
        "  The energy is an estimate: {:.0} instructions a unit by the cursor of the library for C, {:.0} pJ an instruction\n  \
         (Cortex-M0+, 54 pJ a cycle, 1.4 cycles an instruction), {:.1} uJ a byte (radio at 50 kbit/s and 20 mW).\n",
        DEVICE.instructions_per_unit,
        DEVICE.joules_per_instruction * 1e12,
        DEVICE.joules_per_byte * 1e6,
    )
}
