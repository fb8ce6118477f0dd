//! XER encoding instructions (X.693 Amendment 1), in prefixes and in a control section.

use super::Read;
use super::lexer::{Kind, decoded};
use super::parser::Parser;
use crate::schema::{Argument, EncodingControl, Instruction};

/// The first words of instructions.
const KEYWORDS: [&str; 21] = [
    "ANY-ATTRIBUTES",
    "ANY-ELEMENT",
    "ATTRIBUTE",
    "BASE64",
    "DECIMAL",
    "DEFAULT-FOR-EMPTY",
    "EMBED-VALUES",
    "GLOBAL-DEFAULTS",
    "LIST",
    "NAME",
    "NAMESPACE",
    "PI-OR-COMMENT",
    "TEXT",
    "UNTAGGED",
    "USE-NIL",
    "USE-NUMBER",
    "USE-ORDER",
    "USE-QNAME",
    "USE-TYPE",
    "USE-UNION",
    "WHITESPACE",
];

const EXPECTED: &str = "an encoding instruction of XER";

/// Whether a word begins the arguments of an instruction with this keyword.
fn begins_arguments(keyword: &str, word: &str) -> bool {
    match keyword {
        "GLOBAL-DEFAULTS" => true,
        "WHITESPACE" => matches!(word, "REPLACE" | "COLLAPSE"),
        "ANY-ATTRIBUTES" | "ANY-ELEMENT" => matches!(word, "FROM" | "EXCEPT"),
        _ => word == "AS",
    }
}

impl Parser<'_> {
    fn is_keyword(&self) -> bool {
        self.token().kind == Kind::Upper && KEYWORDS.binary_search(&self.token().text).is_ok()
    }

    /// Reads the beginning of an instruction: whether it is negating, and its keyword.
    fn keyword(&mut self) -> Read<Instruction> {
        let position = self.position();
        let negating = self.takes("NOT")?;
        if !self.is_keyword() {
            return Err(self.unexpected(EXPECTED));
        }
        let keyword = self.take()?.text.to_owned();
        Ok(Instruction { negating, keyword, targets: Vec::new(), arguments: Vec::new(), position })
    }

    /// Reads an instruction in a prefix, after its bracket.
    pub(super) fn prefixed_instruction(&mut self) -> Read<crate::schema::Prefix> {
        let mut instruction = self.keyword()?;
        while !self.takes("]")? {
            self.argument(&mut instruction.arguments, "']'")?;
        }
        Ok(crate::schema::Prefix::Instruction(instruction))
    }

    fn argument(&mut self, arguments: &mut Vec<Argument>, expected: &'static str) -> Read<()> {
        let token = self.token();
        arguments.push(match token.kind {
            Kind::End => return Err(self.unexpected(expected)),
            Kind::Text => Argument::Text(decoded(token.text)),
            _ => Argument::Word(token.text.to_owned()),
        });
        self.take()?;
        Ok(())
    }

    /// Reads `ENCODING-CONTROL XER …`, up to the module's end.
    pub(super) fn encoding_control(&mut self) -> Read<EncodingControl> {
        let position = self.position();
        self.take()?;
        if !self.is("XER") && self.is_reference() {
            return Err(self.unsupported("encoding control other than that of XER", "XER"));
        }
        self.expect("XER", "XER after ENCODING-CONTROL")?;
        let mut instructions = Vec::new();
        while !self.is("END") && !self.is("ENCODING-CONTROL") && self.token().kind != Kind::End {
            let mut instruction = self.keyword()?;
            self.targets(&mut instruction)?;
            while !self.ends_instruction()? {
                self.argument(&mut instruction.arguments, EXPECTED)?;
            }
            instructions.push(instruction);
        }
        Ok(EncodingControl { instructions, position })
    }

    /// Whether the instruction ends here.
    fn ends_instruction(&mut self) -> Read<bool> {
        let token = self.token();
        Ok(self.is_keyword() || token.kind == Kind::End || matches!(token.text, "NOT" | "END" | "ENCODING-CONTROL"))
    }

    /// Reads the types and components that an instruction of a control section applies to, separated by commas.
    fn targets(&mut self, instruction: &mut Instruction) -> Read<()> {
        let mut target = String::new();
        let mut close = true;
        loop {
            let token = self.token();
            if token.kind == Kind::Text
                || begins_arguments(&instruction.keyword, token.text)
                || self.ends_instruction()?
            {
                break;
            }
            self.take()?;
            if token.text == "," && !target.is_empty() {
                instruction.targets.push(std::mem::take(&mut target));
                close = true;
                continue;
            }
            let sign = matches!(token.text, "." | ":");
            if !close && !sign {
                target.push(' ');
            }
            target.push_str(token.text);
            close = sign;
        }
        if !target.is_empty() {
            instruction.targets.push(target);
        }
        Ok(())
    }
}
