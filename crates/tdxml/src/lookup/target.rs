//! A path of names as numbers.

use tam::Error;

use crate::path::Step;
use crate::place::schema as schema_error;
use crate::schema::{DataSchema, Element, NONE, Order};

/// The target of a lookup.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) steps: Vec<Step>,
    pub(super) attribute: Option<u32>,
    /// Whether the rows on the way are in the order of their paths.
    pub(super) sorted: bool,
    /// The value if no row has it.
    pub(super) default: Option<String>,
}

impl Target {
    pub(super) fn of(schema: &DataSchema, path: &str) -> Result<Target, Error> {
        let mut target = Target { steps: Vec::new(), attribute: None, sorted: true, default: None };
        let mut elements = std::slice::from_ref(schema.root());
        let mut content = None;
        let path = path.strip_prefix('/').unwrap_or(path);
        let mut steps = path.split('/').peekable();
        while let Some(step) = steps.next() {
            let record = content.and_then(|content| schema.record(content));
            let is_last = steps.peek().is_none();
            if step == "text()" && is_last && !target.steps.is_empty() {
                break;
            }
            if let Some(name) = step.strip_prefix('@').filter(|_| is_last) {
                let attributes = record.map_or(&[][..], |record| &record.attributes);
                let number = attributes.iter().position(|attribute| attribute.name == name);
                let number = number.ok_or_else(|| unknown(step))?;
                target.attribute = Some(number as u32);
                target.default = attributes.get(number).and_then(|attribute| attribute.default.clone());
                break;
            }
            // Only one alternative of a choice is present, so its rows are in order.
            target.sorted &= record.is_none_or(|record| record.order != Order::Set || record.elements.len() == 1);
            let (number, occurrence) = element(elements, step)?;
            target.steps.push(Step { number, occurrence });
            let found = elements.get(number as usize);
            content = found.map(|element| &element.content);
            elements = content.map_or(&[], |content| schema.elements_of(content));
        }
        Ok(target)
    }
}

/// The element that a step leads to, and its occurrence.
fn element(elements: &[Element], step: &str) -> Result<(u32, u32), Error> {
    let (name, nth) = match step.strip_suffix(']').and_then(|step| step.rsplit_once('[')) {
        Some((name, nth)) => {
            (name, nth.parse::<u32>().ok().and_then(|nth| nth.checked_sub(1)).ok_or_else(|| unknown(step))?)
        }
        None => (step, 0),
    };
    let mut passed = nth;
    for (number, element) in elements.iter().enumerate().filter(|(_, element)| element.name == name) {
        let number = number as u32;
        if element.repeated && nth < NONE {
            return Ok((number, passed));
        }
        // Others of the same name may follow it.
        match passed.checked_sub(1) {
            None => return Ok((number, NONE)),
            Some(fewer) => passed = fewer,
        }
    }
    Err(unknown(step))
}

#[cold]
fn unknown(step: &str) -> Error {
    schema_error(0, format!("the step '{}'", step.escape_debug()), "an element or @attribute that the schema has there")
}
