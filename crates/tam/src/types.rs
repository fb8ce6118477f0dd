//! Type sets: which characters are types, and which types hold other units.

use core::fmt;

use crate::Meaning;
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
///
/// A set of one's own may say what its types [mean](Meaning): then its documents are values, as those of [`TypeSet::VALUE`] are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypeSet {
    class: [u16; 256],
    vocabulary: Vocabulary,
    /// For each type its meaning.
    meanings: [Option<Meaning>; 128],
    /// For each meaning the first type that has it, or 0.
    kinds: [u8; Meaning::ALL.len()],
}

/// What the types of a set mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vocabulary {
    /// XML: the sets [`TypeSet::XML`] and [`TypeSet::XML_REFERENCES`].
    Xml,
    /// JSON as its tokens: the set [`TypeSet::JSON`].
    Json,
    /// Typed values: the set [`TypeSet::VALUE`].
    Value,
    /// A set of the user's own: see [`TypeSet::meaning`].
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
    /// The character is no type of the set.
    Missing(u8),
    /// The type is structured and the meaning is not, or the other way round.
    Unlike(u8, Meaning),
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
            TypeSetError::Missing(c) => write!(f, "the set has no type {:?}", char::from(c)),
            TypeSetError::Unlike(c, meaning) => {
                let kind = if meaning.is_structured() { "primitive" } else { "structured" };
                write!(f, "the type {:?} is {kind}, which '{}' is not", char::from(c), meaning.as_str())
            }
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

    /// [`TypeSet::XML`] and `&`: a reference to an entity whose text is not known, with the entity's name as its data (XML Infoset
    /// section 2.5). Documents that have one are of this set. XML and infosets hold them, TSF does not.
    pub const XML_REFERENCES: &'static TypeSet = &TypeSet::built_in(b"<=@", b"[]!?+&", Vocabulary::Xml);

    /// JSON as the paper has it: `{` object, `[` array, `'` any scalar as its JSON token
    /// (paper section 3.1).
    pub const JSON: &'static TypeSet = &TypeSet::built_in(b"{[", b"'", Vocabulary::Json);

    /// Typed values: `{` object, `[` array; `'` string, `#` integer, `%` float, `?` boolean
    /// (`t` or `f`), `~` null, `*` binary, `^` character, `` ` `` byte.
    pub const VALUE: &'static TypeSet = &TypeSet::values();

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
            Err(_) => TypeSet::EMPTY,
        }
    }

    const fn values() -> TypeSet {
        let mut types = TypeSet::built_in(b"{[", b"'#%?~*^`", Vocabulary::Value);
        let mut i = 0;
        while i < Meaning::ALL.len() {
            let meaning = Meaning::ALL[i];
            // Integers and floats have types of their own.
            if !matches!(meaning, Meaning::Number) {
                let _ = types.mean(meaning.kind(), meaning);
            }
            i += 1;
        }
        types
    }

    /// A set without types.
    pub(crate) const EMPTY: TypeSet = {
        let mut class = [0; 256];
        class[b'"' as usize] = TypeSet::QUOTE;
        TypeSet { class, vocabulary: Vocabulary::Custom, meanings: [None; 128], kinds: [0; Meaning::ALL.len()] }
    };

    const fn build(structured: &[u8], primitive: &[u8], vocabulary: Vocabulary) -> Result<TypeSet, TypeSetError> {
        let mut types = TypeSet::EMPTY;
        types.vocabulary = vocabulary;
        let mut i = 0;
        while i < structured.len() + primitive.len() {
            let is_structured = i < structured.len();
            let c = if is_structured { structured[i] } else { primitive[i - structured.len()] };
            if let Err(error) = types.add(c, is_structured) {
                return Err(error);
            }
            i += 1;
        }
        Ok(types)
    }

    /// Adds a type.
    pub(crate) const fn add(&mut self, c: u8, is_structured: bool) -> Result<(), TypeSetError> {
        if !matches!(c, b' '..=b'~') || c.is_ascii_digit() || c == b'"' || c == b'\\' {
            return Err(TypeSetError::NotAType(c));
        }
        if self.class[c as usize] != 0 {
            return Err(TypeSetError::Twice(c));
        }
        self.class[c as usize] = c as u16 | if is_structured { STRUCTURED as u16 } else { 0 };
        Ok(())
    }

    /// Sets what a type means.
    pub(crate) const fn mean(&mut self, kind: u8, meaning: Meaning) -> Result<(), TypeSetError> {
        if !self.is_type(kind) {
            return Err(TypeSetError::Missing(kind));
        }
        if self.is_structured(kind) != meaning.is_structured() {
            return Err(TypeSetError::Unlike(kind, meaning));
        }
        if self.meanings[kind as usize].is_some() {
            return Err(TypeSetError::Twice(kind));
        }
        self.meanings[kind as usize] = Some(meaning);
        if self.kinds[meaning as usize] == 0 {
            self.kinds[meaning as usize] = kind;
        }
        Ok(())
    }

    /// The same set, one of its types having a meaning.
    ///
    /// ```
    /// use lengthwise_tam::{Meaning, TypeSet};
    ///
    /// let readings = TypeSet::new(b"(", b"#").unwrap();
    /// let readings = readings.with_meaning(b'#', Meaning::Integer).unwrap();
    /// assert_eq!(readings.meaning(b'#'), Some(Meaning::Integer));
    /// assert!(readings.with_meaning(b'(', Meaning::Integer).is_err());
    /// ```
    ///
    /// # Errors
    /// When the character is no type of the set, has a meaning, or is structured and the meaning is not, or the other way round.
    pub const fn with_meaning(mut self, kind: u8, meaning: Meaning) -> Result<TypeSet, TypeSetError> {
        self.vocabulary = Vocabulary::Custom;
        match self.mean(kind, meaning) {
            Ok(()) => Ok(self),
            Err(error) => Err(error),
        }
    }

    /// What a type of values means. `None` in the sets [`TypeSet::XML`] and [`TypeSet::JSON`], and where the user has not said it.
    #[inline]
    #[must_use]
    pub const fn meaning(&self, kind: u8) -> Option<Meaning> {
        if kind < 128 { self.meanings[kind as usize] } else { None }
    }

    /// The type of a meaning: of several the first that was given it.
    #[inline]
    #[must_use]
    pub const fn type_of(&self, meaning: Meaning) -> Option<u8> {
        match self.kinds[meaning as usize] {
            0 => None,
            kind => Some(kind),
        }
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
        // The class of a type holds the character; that of a quote does not.
        self.class[c as usize] as u8 != 0
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
