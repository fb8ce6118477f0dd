//! Statistics of a document: those of the paper's tables 10 and 14, for documents of any format.

use lengthwise::tam::{Document, Node, Step, Vocabulary};

use crate::words::word;

/// What a document consists of, as the tables of the paper count it (sections 5.4 and 6.1).
///
/// A *container* is an element, an object or an array; lists of attributes, and the list around a document, are none. The
/// paper's table 14 is reproduced from its files: its "Avg Depth" is [`Stats::mean_depth`], whose explanation there says
/// something else, and its "Avg Children" is [`Stats::mean_children`], which counts texts and comments too.
///
/// ```
/// # use lengthwise::{Format, Options, tam::Table};
/// use lengthwise_inspect::Stats;
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let mut table = Table::new();
/// let order = br#"<order id="17"><item>tea</item><item>milk</item></order>"#;
/// let stats = Stats::of(&lengthwise::read(order, Format::Xml, &Options::default(), &mut table)?);
/// // Three elements, an attribute and two texts; the list of the attribute comes on top.
/// assert_eq!((stats.units, stats.rows), (6, 7));
/// assert_eq!((stats.most_depth, stats.most_children), (2, 2));
/// assert_eq!(stats.tsf_bytes(), b"3order<1=2id[171item<3[tea1item<4[milk".len() as u64);
/// // One for the content of each element and of the list, and one for the outermost level.
/// assert_eq!((stats.tam_allocations, stats.tree_allocations()), (5, 6));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The units of each type, in the order in which the types first appear.
    pub types: Vec<TypeStats>,
    /// Lexical units as the paper counts them: without lists of attributes and without the list around a document.
    pub units: u64,
    /// All units: rows of the table.
    pub rows: u64,
    /// Containers.
    pub containers: u64,
    /// The most containers on a path, as the paper's "Max Depth".
    pub most_depth: u64,
    /// The most units directly inside a container, attributes left out.
    pub most_children: u64,
    /// The lengths of names in bytes.
    pub names: LengthClasses,
    /// The lengths of the data of primitive units in bytes. Classes are the numbers of digits that TSF writes them with (table 10).
    pub data: LengthClasses,
    /// Allocations of the paper's model (section 4.1): one for the content of each structured unit that is not empty, and
    /// one for the outermost units unless that is a single structured unit without a name (4.3).
    pub tam_allocations: u64,
    /// For XML, what its elements take beside their first name and their content (table 10): 5 bytes and the name again.
    pub tag_bytes: Option<u64>,
    /// For each container the number of those around it, and of units in it.
    depths: u64,
    children: u64,
}

/// The units of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeStats {
    /// The name of the type, as [`word`](crate::word()) has it.
    pub word: &'static str,
    /// How many there are.
    pub units: u64,
    /// Bytes of their names, as TSF has them.
    pub name_bytes: u64,
    /// Bytes of their data.
    pub data_bytes: u64,
    /// Bytes of their numbers and types in TSF.
    pub head_bytes: u64,
}

/// How many lengths there are in each of some classes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LengthClasses {
    /// For each class its greatest length, and how many are in it.
    pub classes: Vec<(u64, u64)>,
}

impl Default for LengthClasses {
    fn default() -> LengthClasses {
        LengthClasses::up_to(&[])
    }
}

impl LengthClasses {
    fn up_to(bounds: &[u64]) -> LengthClasses {
        LengthClasses { classes: bounds.iter().chain(&[u64::MAX]).map(|bound| (*bound, 0)).collect() }
    }

    fn add(&mut self, length: usize) {
        if let Some((_, count)) = self.classes.iter_mut().find(|(most, _)| length as u64 <= *most) {
            *count += 1;
        }
    }
}

impl Stats {
    /// The statistics of a document.
    #[must_use]
    pub fn of(document: &Document<'_>) -> Stats {
        let is_xml = document.types().vocabulary() == Vocabulary::Xml;
        let mut stats = Stats {
            names: LengthClasses::up_to(&[0, 1, 2, 4, 8, 16, 32]),
            data: LengthClasses::up_to(&[0, 9, 99, 999, 9999]),
            tag_bytes: is_xml.then_some(0),
            ..Stats::default()
        };
        let mut roots = document.roots();
        let is_lone = matches!((roots.next(), roots.next()), (Some(root), None) if is_nameless_container(&root));
        stats.tam_allocations = u64::from(!is_lone);
        // The types of the open units, and how many of them are containers.
        let (mut around, mut depth) = (Vec::new(), 0);
        for step in document.walk() {
            match step {
                Step::Primitive(node) => {
                    stats.add(&node, &around);
                    stats.data.add(node.value().len());
                }
                Step::Open(node) => {
                    stats.add(&node, &around);
                    stats.tam_allocations += u64::from(node.children().len() > 0);
                    around.push(node.kind());
                    if !is_list(&node) {
                        stats.add_container(&node, depth);
                        depth += 1;
                    }
                }
                Step::Close(node) => {
                    around.pop();
                    depth -= u64::from(!is_list(&node));
                }
            }
        }
        stats
    }

    fn add(&mut self, node: &Node<'_>, around: &[u8]) {
        let mut outer = around.iter().rev().copied();
        let word = word(node, (outer.next(), outer.next()));
        let name = node.name();
        if !name.is_none() {
            self.names.add(name.bytes().count());
        }
        let row = node.row();
        let digits = 1 + u64::from(row.len().checked_ilog10().unwrap_or(0));
        let found = match self.types.iter().position(|known| known.word == word) {
            Some(at) => at,
            None => {
                self.types.push(TypeStats { word, units: 0, name_bytes: 0, data_bytes: 0, head_bytes: 0 });
                self.types.len() - 1
            }
        };
        let of_type = &mut self.types[found];
        of_type.units += 1;
        of_type.name_bytes += name.written().len() as u64;
        of_type.data_bytes += node.value().len() as u64;
        of_type.head_bytes += digits + 1;
        self.rows += 1;
        self.units += u64::from(!is_list(node));
    }

    fn add_container(&mut self, node: &Node<'_>, depth: u64) {
        let children = node.children().filter(|child| !is_list(child)).count() as u64;
        self.containers += 1;
        self.depths += depth;
        self.most_depth = self.most_depth.max(depth + 1);
        self.children += children;
        self.most_children = self.most_children.max(children);
        if let Some(bytes) = &mut self.tag_bytes {
            *bytes += 5 + node.name().written().len() as u64;
        }
    }

    /// Allocations of a tree of nodes, as the paper builds it for its comparison (section 6.2): one for each unit, with its
    /// name and data in it.
    #[must_use]
    pub fn tree_allocations(&self) -> u64 {
        self.units
    }

    /// The mean number of containers around a container, as the paper's "Avg Depth".
    #[must_use]
    pub fn mean_depth(&self) -> f64 {
        mean(self.depths, self.containers)
    }

    /// The mean number of units directly inside a container, those of the one with the most left out, as the paper's "Avg
    /// Children".
    #[must_use]
    pub fn mean_children(&self) -> f64 {
        mean(self.children - self.most_children, self.containers)
    }

    /// Bytes of the document in TSF of its own type set, with lengths in bytes.
    #[must_use]
    pub fn tsf_bytes(&self) -> u64 {
        self.types.iter().map(|of| of.name_bytes + of.data_bytes + of.head_bytes).sum()
    }

    /// Bytes of the document in TSF for each unit, as the paper's "Avg Bytes".
    #[must_use]
    pub fn bytes_per_unit(&self) -> f64 {
        mean(self.tsf_bytes(), self.units)
    }

    /// An estimate of the energy that a device takes to read the document from TSF, in joules.
    #[must_use]
    pub fn reading_joules(&self, device: &Device) -> f64 {
        self.rows as f64 * device.instructions_per_unit * device.joules_per_instruction
    }
}

/// What a device takes, by the model of `docs/embedded.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Device {
    /// Instructions to read a unit of TSF.
    pub instructions_per_unit: f64,
    /// Energy of an instruction.
    pub joules_per_instruction: f64,
    /// Energy of sending or receiving a byte.
    pub joules_per_byte: f64,
}

impl Device {
    /// A Cortex-M0+ at 54 pJ a cycle and 1.4 cycles an instruction, which reads by the cursor of the library for C (2 519
    /// instructions for a message of 17 units), and a radio at 50 kbit/s and 20 mW.
    pub const CORTEX_M0_PLUS: Device = Device {
        instructions_per_unit: 2519.0 / 17.0,
        joules_per_instruction: 54e-12 * 1.4,
        joules_per_byte: 8.0 / 50_000.0 * 0.020,
    };

    /// An estimate of the energy to send or to receive some bytes, in joules.
    #[must_use]
    pub fn radio_joules(&self, bytes: u64) -> f64 {
        bytes as f64 * self.joules_per_byte
    }
}

fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

/// A list of attributes, or the list around a document, which the paper does not count as units.
fn is_list(node: &Node<'_>) -> bool {
    node.kind() == b'=' && node.document().types().vocabulary() == Vocabulary::Xml
}

fn is_nameless_container(node: &Node<'_>) -> bool {
    node.is_structured() && node.name().is_none()
}
