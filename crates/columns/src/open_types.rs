//! Which rules the octets of open types in columns are by: the metadata of their fields says it.

use std::collections::HashMap;

use arrow_schema::{DataType, Field, Fields};
use asn1::EncodingRules;
use tam::{Error, ErrorKind};

use crate::FORMAT;

/// The name in the metadata of a field; the value is that of [`EncodingRules::as_str`].
const RULES: &str = "lengthwise.rules";

const ALL: [EncodingRules; 5] =
    [EncodingRules::Uper, EncodingRules::Aper, EncodingRules::Ber, EncodingRules::Cer, EncodingRules::Oer];

/// The field of a column of octets by some rules.
pub(crate) fn with_rules(field: Field, rules: EncodingRules) -> Field {
    field.with_metadata(HashMap::from([(RULES.to_owned(), rules.as_str().to_owned())]))
}

/// The rules of the octets of open types in columns, if their fields say it.
///
/// # Errors
/// Kind unsupported if they are of several rules.
pub(crate) fn rules_of(fields: &Fields) -> Result<Option<EncodingRules>, Error> {
    let mut found: Option<EncodingRules> = None;
    let mut left: Vec<&Field> = fields.iter().map(|field| &**field).collect();
    while let Some(field) = left.pop() {
        match field.data_type() {
            DataType::Struct(fields) => left.extend(fields.iter().map(|field| &**field)),
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _) => left.push(item),
            _ => {}
        }
        let said = field.metadata().get(RULES).and_then(|name| ALL.into_iter().find(|rules| rules.as_str() == name));
        match (found, said) {
            (Some(one), Some(other)) if one != other => {
                let words = format!("open types by {} and by {}", one.as_str(), other.as_str());
                return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, words, "columns of messages of one kind"));
            }
            (None, Some(_)) => found = said,
            _ => {}
        }
    }
    Ok(found)
}
