//! The attributes of an element in a message in SOAP's encoding (SOAP 1.1 section 5).

use tam::ErrorKind;
use text::xml::StartTag;
use xml::name::{is_qualified, split};
use xml::namespaces::declared;
use xml::white_space::trim;

use super::{AttributeMatch, Checked, Fault, State};
use crate::components::{Builtin, ComplexId, SimpleId, TypeId, Variety};
use crate::{ENCODING_NAMESPACE, NamespaceId, XSD_NAMESPACE};

/// A type that a message names: whether it is built in or of the encoding, its namespace and its local name.
#[derive(Clone, Copy)]
struct Named<'r> {
    is_built_in: bool,
    namespace: NamespaceId,
    local: &'r str,
}

impl State<'_> {
    /// Checks the attributes of an element of a type; `ty` is the value of its `xsi:type`. Other attributes than those of
    /// the encoding say nothing.
    #[inline(never)]
    pub(super) fn check_encoded(
        &mut self,
        tag: StartTag<'_>,
        of: Option<TypeId>,
        nil: bool,
        ty: Option<&str>,
    ) -> Checked<()> {
        let Some(of) = of else { return Ok(()) };
        if let Some(written) = ty
            && !self.may_be_called(of, written)
        {
            return Err(Fault::new(format!("xsi:type '{}'", trim(written)), self.described(of)));
        }
        let encoding = self.schema.names.find_uri(ENCODING_NAMESPACE);
        let is_array = self.schema.array_item(of).is_some();
        let is_item = self
            .frames
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|around| matches!(around.ty, Some(around) if self.schema.array_item(around).is_some()));
        for (written, value) in tag.attributes() {
            if declared(written).is_some() {
                continue;
            }
            let (prefix, local) = split(written);
            if prefix.is_empty() {
                if local == "href" && !nil {
                    return Err(Fault::new(format!("a reference to '{value}'"), "a value"));
                }
                continue;
            }
            if Some(self.namespace_of(prefix)?) != encoding {
                continue;
            }
            match local {
                "arrayType" if is_array => self.array_type(of, value)?,
                "offset" if is_array && trim(value) != "[0]" => {
                    return Err(unsupported("an array that begins after its first item"));
                }
                "position" if is_item => return Err(unsupported("an item with a position")),
                _ => {}
            }
        }
        Ok(())
    }

    fn named<'r>(&self, written: &'r str) -> Option<Named<'r>> {
        let written = trim(written);
        let (prefix, local) = split(written);
        if !is_qualified(written) {
            return None;
        }
        let namespace = self.bindings.namespace(prefix)?;
        let is_built_in = [XSD_NAMESPACE, ENCODING_NAMESPACE].contains(&self.schema.names.uri(namespace));
        Some(Named { is_built_in, namespace, local })
    }

    /// Whether `xsi:type` may call a value so. Users' names of simple types and arrays are not compared, because programs
    /// often write those of their own language.
    fn may_be_called(&self, ty: TypeId, written: &str) -> bool {
        let Some(named) = self.named(written) else { return false };
        match ty {
            TypeId::Simple(id) => !named.is_built_in || self.is_simple_called(id, named.local),
            TypeId::Complex(_) if self.schema.array_item(ty).is_some() => !named.is_built_in || named.local == "Array",
            TypeId::Complex(_) => {
                let is_any = self.schema.type_name(ty).is_none() && named.is_built_in && named.local == "Struct";
                is_any || self.is_struct_called(ty, named)
            }
        }
    }

    /// Whether a built-in name is that of a simple type, or of one that is derived from it.
    fn is_simple_called(&self, id: SimpleId, local: &str) -> bool {
        let ty = &self.schema.simple_types[id];
        if matches!(ty.variety, Variety::Union(_)) {
            return true;
        }
        let local = if local == "base64" { Builtin::Base64Binary.name() } else { local };
        let mut named = Builtin::ALL.iter().copied().find(|builtin| builtin.name() == local);
        while let Some(one) = named {
            if one == ty.lexical {
                return true;
            }
            named = (one != Builtin::AnySimpleType).then(|| one.base());
        }
        false
    }

    fn is_struct_called(&self, ty: TypeId, named: Named<'_>) -> bool {
        match self.schema.type_name(ty) {
            Some(name) => self.find_name(named.namespace, named.local) == name,
            None => !named.is_built_in,
        }
    }

    fn described(&self, ty: TypeId) -> String {
        match ty {
            _ if self.schema.array_item(ty).is_some() => "an array".to_owned(),
            TypeId::Simple(id) if matches!(self.schema.simple_types[id].variety, Variety::Union(_)) => {
                "a value of one of the union's types".to_owned()
            }
            TypeId::Simple(id) => format!("a value of the type '{}'", self.schema.simple_types[id].lexical.name()),
            TypeId::Complex(_) => match self.schema.type_name(ty) {
                Some(name) => format!("a value of the type '{}'", self.shown(name)),
                None => "a struct".to_owned(),
            },
        }
    }

    /// `SOAP-ENC:arrayType` (SOAP 1.1 section 5.4.2): the type of the items, and how many there are.
    fn array_type(&mut self, of: TypeId, value: &str) -> Checked<()> {
        let (Some(item), TypeId::Complex(id)) = (self.schema.array_item(of), of) else { return Ok(()) };
        let written = trim(value);
        let wrong = |expected: String| Fault::new(format!("the arrayType '{written}'"), expected);
        let no_sizes = || wrong("the name of a type, and sizes in brackets".to_owned());
        let (ty, sizes) = written.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).ok_or_else(no_sizes)?;
        let (name, ranks) = ty.find('[').map_or((ty, ""), |at| ty.split_at(at));
        let Some(named) = self.named(name).filter(|_| ranks.bytes().all(|byte| matches!(byte, b'[' | b']' | b',')))
        else {
            return Err(no_sizes());
        };
        let is_any = named.is_built_in && matches!(named.local, "anyType" | "ur-type" | "anySimpleType");
        let fits = match item {
            _ if self.schema.array_item(item).is_some() => {
                !ranks.is_empty() || !named.is_built_in || named.local == "Array"
            }
            _ if !ranks.is_empty() => false,
            TypeId::Simple(id) => !named.is_built_in || self.is_simple_called(id, named.local),
            TypeId::Complex(_) => self.is_struct_called(item, named),
        };
        if !(fits || is_any && ranks.is_empty()) {
            return Err(wrong(self.described(item)));
        }
        if sizes.is_empty() {
            return Ok(());
        }
        let size = |size: &str| {
            let size = trim(size);
            size.parse::<u32>().ok().filter(|_| size.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let sizes = sizes.split(',').map(size).collect::<Option<Vec<u32>>>();
        let sizes = sizes.ok_or_else(|| wrong("sizes in brackets".to_owned()))?;
        // So many items that no message has them are too many in any case.
        self.items = Some(sizes.iter().fold(1, |all: u64, size| all.saturating_mul((*size).into())));
        if sizes.len() > 1 {
            self.keep_dimensions(id, &sizes);
        }
        Ok(())
    }

    /// Adds the sizes of an array of several dimensions as an attribute.
    fn keep_dimensions(&mut self, id: ComplexId, sizes: &[u32]) {
        let Some(used) = self.schema.complex_types[id].attributes.first() else { return };
        let attribute = &self.schema.attributes[used.attribute];
        let from = self.values.len() as u32;
        for size in sizes {
            self.values.push_str(&size.to_string());
            self.values.push(' ');
        }
        let end = self.values.len() as u32;
        self.attributes.push(AttributeMatch {
            name: attribute.name,
            place: Some(0),
            attribute: Some(used.attribute),
            ty: Some(attribute.ty),
            declared: Some(attribute.ty),
            value: (from, end),
            written_end: end,
        });
    }
}

#[cold]
fn unsupported(found: &'static str) -> Box<Fault> {
    Box::new(Fault { kind: ErrorKind::Unsupported, ..*Fault::new(found, "an array of all its items") })
}
