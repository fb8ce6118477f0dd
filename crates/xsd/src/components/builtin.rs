//! The built-in types (Part 2 section 3).

use super::SimpleId;

macro_rules! builtins {
    ($($variant:ident $name:literal $base:ident;)*) => {
        /// A built-in simple type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // Each is `xs:` and its name.
        pub enum Builtin { $($variant,)* }

        impl Builtin {
            /// All built-in types, each after its base.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$variant,)*];

            /// The local name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name,)* }
            }

            /// Its base type. For lists, and for `xs:anySimpleType` itself, this is `xs:anySimpleType`.
            #[must_use]
            pub const fn base(self) -> Builtin {
                match self { $(Builtin::$variant => Builtin::$base,)* }
            }
        }
    };
}

builtins! {
    AnySimpleType "anySimpleType" AnySimpleType;
    String "string" AnySimpleType;
    Boolean "boolean" AnySimpleType;
    Decimal "decimal" AnySimpleType;
    Float "float" AnySimpleType;
    Double "double" AnySimpleType;
    Duration "duration" AnySimpleType;
    DateTime "dateTime" AnySimpleType;
    Time "time" AnySimpleType;
    Date "date" AnySimpleType;
    GYearMonth "gYearMonth" AnySimpleType;
    GYear "gYear" AnySimpleType;
    GMonthDay "gMonthDay" AnySimpleType;
    GDay "gDay" AnySimpleType;
    GMonth "gMonth" AnySimpleType;
    HexBinary "hexBinary" AnySimpleType;
    Base64Binary "base64Binary" AnySimpleType;
    AnyUri "anyURI" AnySimpleType;
    QName "QName" AnySimpleType;
    Notation "NOTATION" AnySimpleType;
    NormalizedString "normalizedString" String;
    Token "token" NormalizedString;
    Language "language" Token;
    NmToken "NMTOKEN" Token;
    NmTokens "NMTOKENS" AnySimpleType;
    Name "Name" Token;
    NcName "NCName" Name;
    Id "ID" NcName;
    IdRef "IDREF" NcName;
    IdRefs "IDREFS" AnySimpleType;
    Entity "ENTITY" NcName;
    Entities "ENTITIES" AnySimpleType;
    Integer "integer" Decimal;
    NonPositiveInteger "nonPositiveInteger" Integer;
    NegativeInteger "negativeInteger" NonPositiveInteger;
    Long "long" Integer;
    Int "int" Long;
    Short "short" Int;
    Byte "byte" Short;
    NonNegativeInteger "nonNegativeInteger" Integer;
    UnsignedLong "unsignedLong" NonNegativeInteger;
    UnsignedInt "unsignedInt" UnsignedLong;
    UnsignedShort "unsignedShort" UnsignedInt;
    UnsignedByte "unsignedByte" UnsignedShort;
    PositiveInteger "positiveInteger" NonNegativeInteger;
}

impl Builtin {
    /// The id of its definition. Built-in types come first in every schema.
    #[must_use]
    pub const fn id(self) -> SimpleId {
        SimpleId(self as u32)
    }

    /// Whether it is one of the nineteen primitive types.
    #[must_use]
    pub const fn is_primitive(self) -> bool {
        self as u8 >= Builtin::String as u8 && self as u8 <= Builtin::Notation as u8
    }

    /// The item type of the three built-in lists; `None` for other types.
    #[must_use]
    pub const fn item(self) -> Option<Builtin> {
        match self {
            Builtin::NmTokens => Some(Builtin::NmToken),
            Builtin::IdRefs => Some(Builtin::IdRef),
            Builtin::Entities => Some(Builtin::Entity),
            _ => None,
        }
    }

    /// The primitive type it is derived from. For `xs:anySimpleType` and lists, this is `xs:anySimpleType`.
    #[must_use]
    pub const fn primitive(self) -> Builtin {
        let mut ty = self;
        while !ty.is_primitive() && !matches!(ty, Builtin::AnySimpleType) {
            ty = ty.base();
        }
        ty
    }
}
