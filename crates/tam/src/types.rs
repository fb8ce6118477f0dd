//! Type sets: which characters are types, and which types hold other units.

use core::fmt;

use crate::row::STRUCTURED;

/// Which characters are types, and which of them are structured (paper sections 2.1 and 2.3).
///
/// A type character is ASCII 0x20-0x7E, not a digit, not `"` and not `\`.
///
/// ```
/// use lengthwise_tam::TypeSet;
///
/// let readings = TypeSet::new(b"{", b"#%").unwrap();
/// assert!(readings.is_structured(b'{'));
/// assert!(readings.is_type(b'#') && !readings.is_structured(b'#'));
/// assert!(TypeSet::new(b"7", b"").is_err());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TypeSet {
    class: [u16; 256],
    vocabulary: Vocabulary,
}

/// What the types of a set mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vocabulary {
    /// XML: the set [`TypeSet::XML`].
    Xml,
    /// JSON as its tokens: the set [`TypeSet::JSON`].
    Json,
    /// Typed values: the set [`TypeSet::VALUE`].
    Value,
    /// Known to the user alone.
    Custom,
}

impl Vocabulary {
    /// `xml`, `json`, `value` or `custom`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Vocabulary::Xml => "xml",
            Vocabulary::Json => "json",
            Vocabulary::Value => "value",
            Vocabulary::Custom => "custom",
        }
    }
}

/// Why characters do not make a type set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeSetError {
    /// The character cannot be a type: a digit, `"`, `\`, or outside 0x20-0x7E.
    NotAType(u8),
    /// The character is named twice.
    Twice(u8),
    /// No character is named.
    Empty,
}

impl fmt::Display for TypeSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TypeSetError::NotAType(c) => write!(
                f,
                "{:?} cannot be a type: types are ASCII 0x20-0x7E, not a digit, not '\"' and not '\\'",
                char::from(c)
            ),
            TypeSetError::Twice(c) => write!(f, "the type {:?} is named twice", char::from(c)),
            TypeSetError::Empty => f.write_str("a type set needs at least one type"),
        }
    }
}

impl core::error::Error for TypeSetError {}

impl TypeSet {
    /// Class of the character that opens an extended name; it can never be a type.
    pub const QUOTE: u16 = 1 << 15;

    /// XML: `<` element, `=` attribute list, `@` array; `[` text or attribute value, `]` CDATA,
    /// `!` DOCTYPE, `?` processing instruction, `+` comment (paper tables 7 and 8; `@` is from its author's program).
    pub const XML: &'static TypeSet = &TypeSet::built_in(b"<=@", b"[]!?+", Vocabulary::Xml);

    /// JSON as the paper has it: `{` object, `[` array, `'` any scalar as its JSON token
    /// (paper section 3.1).
    pub const JSON: &'static TypeSet = &TypeSet::built_in(b"{[", b"'", Vocabulary::Json);

    /// Typed values: `{` object, `[` array; `'` string, `#` integer, `%` float, `?` boolean
    /// (`t` or `f`), `~` null, `*` binary, `^` character, `` ` `` byte.
    pub const VALUE: &'static TypeSet = &TypeSet::built_in(b"{[", b"'#%?~*^`", Vocabulary::Value);

    /// A type set from its structured and its primitive type characters.
    ///
    /// # Errors
    /// When a character cannot be a type, is named twice, or none is named.
    pub fn new(structured: &[u8], primitive: &[u8]) -> Result<TypeSet, TypeSetError> {
        if structured.is_empty() && primitive.is_empty() {
            return Err(TypeSetError::Empty);
        }
        TypeSet::build(structured, primitive, Vocabulary::Custom)
    }

    const fn built_in(structured: &[u8], primitive: &[u8], vocabulary: Vocabulary) -> TypeSet {
        match TypeSet::build(structured, primitive, vocabulary) {
            Ok(types) => types,
            Err(_) => TypeSet { class: [0; 256], vocabulary },
        }
    }

    const fn build(structured: &[u8], primitive: &[u8], vocabulary: Vocabulary) -> Result<TypeSet, TypeSetError> {
        let mut class = [0; 256];
        class[b'"' as usize] = TypeSet::QUOTE;
        let mut i = 0;
        while i < structured.len() + primitive.len() {
            let (c, flag) = if i < structured.len() {
                (structured[i], STRUCTURED as u16)
            } else {
                (primitive[i - structured.len()], 0)
            };
            if !matches!(c, b' '..=b'~') || c.is_ascii_digit() || c == b'"' || c == b'\\' {
                return Err(TypeSetError::NotAType(c));
            }
            if class[c as usize] != 0 {
                return Err(TypeSetError::Twice(c));
            }
            class[c as usize] = c as u16 | flag;
            i += 1;
        }
        Ok(TypeSet { class, vocabulary })
    }

    /// What the types mean: which of the built-in sets this is, or the user's own.
    #[must_use]
    pub const fn vocabulary(&self) -> Vocabulary {
        self.vocabulary
    }

    /// Whether `c` is a type.
    #[inline]
    #[must_use]
    pub const fn is_type(&self, c: u8) -> bool {
        let class = self.class[c as usize];
        class != 0 && class != TypeSet::QUOTE
    }

    /// Whether `c` is a structured type.
    #[inline]
    #[must_use]
    pub const fn is_structured(&self, c: u8) -> bool {
        self.class[c as usize] & STRUCTURED as u16 != 0
    }

    /// Class of `c`: 0 for a name character, [`TypeSet::QUOTE`] for `"`, and for a type what
    /// [`Row::new`](crate::Row::new) takes.
    #[inline(always)]
    #[must_use]
    pub const fn class(&self, c: u8) -> u16 {
        self.class[c as usize]
    }

    /// Whether a class belongs to a structured type.
    #[inline(always)]
    #[must_use]
    pub const fn is_structured_class(class: u16) -> bool {
        class & STRUCTURED as u16 != 0
    }

    /// The set whose types are looked for in names: of `json` that is `value`, which has all of its types.
    #[cfg(feature = "alloc")]
    pub(crate) const fn in_names(&self) -> &TypeSet {
        match self.vocabulary {
            Vocabulary::Json => TypeSet::VALUE,
            _ => self,
        }
    }

    /// The type characters, structured ones first.
    pub fn characters(&self) -> impl Iterator<Item = u8> + '_ {
        let of =
            |structured: bool| (b' '..=b'~').filter(move |&c| self.is_type(c) && self.is_structured(c) == structured);
        of(true).chain(of(false))
    }
}

impl fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypeSet({}:", self.vocabulary.as_str())?;
        for c in self.characters() {
            write!(f, " {}", char::from(c))?;
        }
        f.write_str(")")
    }
}
