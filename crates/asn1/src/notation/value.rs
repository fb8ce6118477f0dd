//! Values as written (X.680 clause 17), before their type is known.

use super::Read;
use super::lexer::{Kind, Token, decoded, digits};
use super::parser::Parser;
use super::ty::is_built_in;
use super::word::is_reserved;
use crate::schema::{SpecialReal, Type, Value};

impl Parser<'_> {
    /// Reads a value.
    pub(crate) fn value(&mut self) -> Read<Value> {
        self.enter()?;
        let value = match self.token().kind {
            Kind::Lower if self.peek(1)?.text == ":" => self.choice()?,
            _ if self.is_open_value()? => self.open_value()?,
            Kind::Lower if matches!(self.peek(1)?.text, "{" | ".") => {
                let of = self.instance("a value")?;
                match self.is(".") {
                    true => Value::Field(Box::new(self.field_reference(of)?)),
                    false => Value::Instance(Box::new(of)),
                }
            }
            Kind::Sign if self.is("{") => self.braces()?,
            Kind::Upper if self.is("CONTAINING") => {
                self.take()?;
                Value::Containing(Box::new(self.value()?))
            }
            _ => self.simple_value()?,
        };
        self.leave();
        Ok(value)
    }

    /// Reads `alternative : value`.
    fn choice(&mut self) -> Read<Value> {
        let name = self.take()?.text.to_owned();
        self.take()?;
        Ok(Value::Choice(name, Box::new(self.value()?)))
    }

    /// Whether `Type : value` follows.
    pub(super) fn is_open_value(&mut self) -> Read<bool> {
        let token = self.token();
        Ok(match (token.kind, token.text) {
            (Kind::Upper, "NULL") => self.peek(1)?.text == ":",
            (Kind::Upper, word) if is_reserved(word) => is_built_in(word),
            (Kind::Upper, _) => match self.peek(1)?.text {
                "." => self.peek(2)?.kind == Kind::Upper || self.peek(2)?.text == "&",
                next => matches!(next, ":" | "(" | "{"),
            },
            (Kind::Lower, _) | (_, "[") => self.is_type()?,
            _ => false,
        })
    }

    /// Reads `Type : value`.
    fn open_value(&mut self) -> Read<Value> {
        let ty = self.ty()?;
        self.value_of(ty)
    }

    /// Reads `: value`, after a type.
    pub(super) fn value_of(&mut self, ty: Type) -> Read<Value> {
        self.expect(":", "':' and a value")?;
        Ok(Value::Open(Box::new(ty), Box::new(self.value()?)))
    }

    /// Reads `{ a 1, b 2 }`.
    fn braces(&mut self) -> Read<Value> {
        self.take()?;
        let mut items = Vec::new();
        if self.takes("}")? {
            return Ok(Value::Braces(items));
        }
        loop {
            let mut item = Vec::new();
            loop {
                self.item(&mut item)?;
                if self.is(",") || self.is("}") {
                    break;
                }
            }
            items.push(item);
            if !self.takes(",")? {
                break;
            }
        }
        self.take()?;
        Ok(Value::Braces(items))
    }

    /// Reads a value within braces, which may be one of several.
    fn item(&mut self, item: &mut Vec<Value>) -> Read<()> {
        let token = self.token();
        if token.kind == Kind::Lower {
            match self.peek(1)?.text {
                ":" | "." | "<" => {}
                "(" => return self.name_and_number(item),
                _ => {
                    item.push(self.simple_value()?);
                    return Ok(());
                }
            }
        } else if token.text == "&" || (token.kind == Kind::Upper && self.is_object(token)?) {
            return Err(self.unsupported("an information object, or a set of them (X.681)", "a value"));
        }
        item.push(self.value()?);
        Ok(())
    }

    /// Whether a capitalized word is not a value, so that the braces hold an information object.
    fn is_object(&mut self, word: Token<'_>) -> Read<bool> {
        Ok(match word.text {
            "NULL" | "TRUE" | "FALSE" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER" | "CONTAINING" => false,
            word if is_reserved(word) => !self.is_open_value()?,
            _ => !matches!(self.peek(1)?.text, "." | ":" | "("),
        })
    }

    /// Reads `iso(1)`.
    fn name_and_number(&mut self, item: &mut Vec<Value>) -> Read<()> {
        let name = self.take()?.text.to_owned();
        self.take()?;
        let number = match self.number_or_name("a number, or the name of a value")? {
            Value::Number(number) => number,
            Value::Name { module: Some(module), name } => format!("{module}.{name}"),
            Value::Name { name, .. } => name,
            _ => String::new(),
        };
        self.expect(")", "')'")?;
        item.push(Value::NameAndNumber(name, number));
        Ok(())
    }

    /// Reads a value of one item, or of two with a sign or a module name.
    fn simple_value(&mut self) -> Read<Value> {
        let token = self.token();
        let value = match (token.kind, token.text) {
            (Kind::Number | Kind::Real, text) => Value::Number(text.to_owned()),
            (Kind::Text, text) => Value::Text(decoded(text)),
            (Kind::Binary, text) => Value::Binary(digits(text)),
            (Kind::Hexadecimal, text) => Value::Hexadecimal(digits(text)),
            (Kind::Upper, "NULL") => Value::Null,
            (Kind::Upper, "TRUE") => Value::Boolean(true),
            (Kind::Upper, "FALSE") => Value::Boolean(false),
            (Kind::Upper, "PLUS-INFINITY") => Value::Special(SpecialReal::PlusInfinity),
            (Kind::Upper, "MINUS-INFINITY") => Value::Special(SpecialReal::MinusInfinity),
            (Kind::Upper, "NOT-A-NUMBER") => Value::Special(SpecialReal::NotANumber),
            (Kind::Sign, "-") => return self.negative(),
            (Kind::Sign, "<") => return Err(self.unsupported("a value in XML", "a value")),
            _ => return self.defined_value("a value"),
        };
        self.take()?;
        Ok(value)
    }

    /// Reads a number after its sign.
    fn negative(&mut self) -> Read<Value> {
        self.take()?;
        if !matches!(self.token().kind, Kind::Number | Kind::Real) {
            return Err(self.unexpected("a number after its sign"));
        }
        Ok(Value::Number(format!("-{}", self.take()?.text)))
    }

    /// Reads `value`, or `Module.value`.
    pub(super) fn defined_value(&mut self, expected: &'static str) -> Read<Value> {
        if self.token().kind == Kind::Lower {
            return Ok(Value::Name { module: None, name: self.take()?.text.to_owned() });
        }
        if !self.is_reference() || self.peek(1)?.text != "." || self.peek(2)?.kind != Kind::Lower {
            return Err(self.unexpected(expected));
        }
        let module = Some(self.take()?.text.to_owned());
        self.take()?;
        Ok(Value::Name { module, name: self.take()?.text.to_owned() })
    }

    /// Reads a whole number, or the name of one.
    pub(super) fn number_or_name(&mut self, expected: &'static str) -> Read<Value> {
        match self.token().kind {
            Kind::Number => Ok(Value::Number(self.take()?.text.to_owned())),
            Kind::Sign if self.is("-") && self.peek(1)?.kind == Kind::Number => self.negative(),
            _ => self.defined_value(expected),
        }
    }
}
