//! One value by its path.

use super::Value;
use crate::compiled::Kind;
use crate::jer::CONTAINING;

impl<'v> Value<'v> {
    /// The value at a path.
    ///
    /// A path is a sequence of steps, separated by `/`; a `/` in front may be left out, and the empty path is the value
    /// itself. A step is
    /// * in a SEQUENCE or SET, the identifier of a component, which is its default if it is absent;
    /// * in a CHOICE, the identifier of the alternative that is chosen;
    /// * in an open type, a step in the value that is there;
    /// * in a string that contains a value, `containing`;
    /// * in a SEQUENCE OF or SET OF, the number of a component, from 0, without leading zeros.
    ///
    /// [`Document::get`](tam::Document::get) finds the same value by the same path in the document that
    /// [`jer::write`](crate::jer::write) makes, except for defaults, which are not in the document. It has further
    /// kinds of steps, such as a number for the component of a SEQUENCE.
    ///
    /// `None` if a step leads nowhere: to a name that the type does not have, an absent component without a default, an
    /// alternative that is not chosen, or beyond the last component.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_asn1::{Compiled, Limits, Values, notation};
    ///
    /// # fn main() -> Result<(), lengthwise_tam::Error> {
    /// let types = Compiled::from_notation(
    ///     "Shop DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    ///         Day   ::= SEQUENCE { orders SEQUENCE OF Order }
    ///         Order ::= SEQUENCE { total INTEGER, pay CHOICE { cash NULL, card UTF8String }, copies INTEGER DEFAULT 1 }
    ///      END",
    /// )?;
    /// let text = r#"{ orders { { total 1250, pay cash : NULL }, { total 90, pay card : "3714" } } }"#;
    /// let mut values = Values::new();
    /// let day = notation::read_value(text, &types, Some(types.find("Day")?), &Limits::default(), &mut values)?;
    /// assert_eq!(day.get("orders/1/total").unwrap().as_i64(), Some(90));
    /// assert_eq!(day.get("/orders/1/pay/card").unwrap().as_str(), Some("3714"));
    /// assert_eq!(day.get("orders/0/copies").unwrap().as_i64(), Some(1));
    /// assert!(day.get("orders/0/pay/card").is_none() && day.get("orders/2").is_none());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn get(self, path: &str) -> Option<Value<'v>> {
        match path.strip_prefix('/').unwrap_or(path) {
            "" => Some(self.content().bare()),
            steps => steps.split('/').try_fold(self.content(), Value::step).map(Value::bare),
        }
    }

    fn step(self, step: &str) -> Option<Value<'v>> {
        match self.kind() {
            Kind::Record(_) => self.member(self.types().member(self.node_id(), step)?.index),
            Kind::Choice(_) => self.chosen().filter(|(chosen, _)| *chosen == step).map(|(_, value)| value),
            Kind::Array(_) => self.item(tam::index(step)?),
            Kind::Open(_) => self.contained().filter(|_| step == CONTAINING),
            _ => None,
        }
    }
}
