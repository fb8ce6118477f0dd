//! What a tag says of types: `xsi:type`, and the `arrayType` of SOAP's encoding (SOAP 1.1 section 5).

use crate::markup::scan::Unusual;
use crate::markup::scope::Tag;
use crate::regular::{Kind, Regular};
use crate::schema::compiled::{CompiledName, CompiledType, Uri};
use crate::schema::{Simple, TypeId};
use crate::trace::Part;

impl Regular<'_, '_> {
    pub(crate) fn check_simple_type(&self, tag: &Tag, simple: Simple) -> Result<(), Unusual> {
        match tag.ty {
            Some((Uri::XSD | Uri::ENCODING, (from, to))) if !simple.is_called(self.scanner.slice(from, to)) => {
                Err(Unusual)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_complex_type(&self, tag: &Tag, name: Option<&CompiledName>) -> Result<(), Unusual> {
        let Some((uri, (from, to))) = tag.ty else { return Ok(()) };
        let local = self.scanner.slice(from, to);
        let fits = match name {
            Some(name) => name.uri == uri && *name.local == *local,
            None => uri != Uri::XSD && (uri != Uri::ENCODING || local == b"Struct"),
        };
        if fits { Ok(()) } else { Err(Unusual) }
    }

    /// The frame of an array (SOAP 1.1 section 5.4.2).
    pub(crate) fn array(&mut self, tag: &Tag, array_ty: TypeId, item: TypeId) -> Result<Kind, Unusual> {
        if let Some((uri, (from, to))) = tag.ty
            && (uri == Uri::XSD || uri == Uri::ENCODING && self.scanner.slice(from, to) != b"Array")
        {
            return Err(Unusual);
        }
        let mut array = self.pool.array(&self.schema.schema, item);
        let (mut declared, mut count) = (None, None);
        if let Some((start, end)) = tag.array_type.filter(|_| self.encoded) {
            let value = self.scanner.slice(start, end);
            let inner = value.strip_suffix(b"]").ok_or(Unusual)?;
            let open = inner.iter().rposition(|&byte| byte == b'[').ok_or(Unusual)?;
            let ranks = inner.iter().position(|&byte| byte == b'[').unwrap_or(open);
            if inner[ranks..open].iter().any(|byte| !matches!(byte, b'[' | b']' | b',')) {
                return Err(Unusual);
            }
            let ty = self.progress.scope.qname(&self.scanner, (start, start + ranks))?;
            self.check_item_type(item, ty, ranks < open)?;
            let sizes = &inner[open + 1..];
            if !sizes.is_empty() {
                let sizes: Vec<u32> =
                    sizes.split(|&byte| byte == b',').map(size).collect::<Option<_>>().ok_or(Unusual)?;
                let product = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size as usize));
                declared = Some(product.ok_or(Unusual)?);
                if sizes.len() == 1 {
                    count = Some(self.progress.trace.parts.len());
                    self.progress.trace.parts.push(Part::Count { start: start + open + 1, end: end - 1 });
                } else {
                    array.dimensions = sizes;
                }
            }
        }
        Ok(Kind::Array { ty: array_ty, array, declared, count })
    }

    fn check_item_type(
        &self,
        item: TypeId,
        (uri, (from, to)): (Uri, (usize, usize)),
        is_ranked: bool,
    ) -> Result<(), Unusual> {
        let local = self.scanner.slice(from, to);
        let is_builtin = uri == Uri::XSD || uri == Uri::ENCODING;
        let is_any = is_builtin && matches!(local, b"anyType" | b"ur-type" | b"anySimpleType") && !is_ranked;
        let fits = match self.schema.get(item) {
            CompiledType::Simple(simple) => !is_ranked && (!is_builtin || simple.is_called(local)),
            CompiledType::Union(_) => !is_ranked,
            CompiledType::Array { .. } => is_ranked || !is_builtin || local == b"Array",
            CompiledType::Complex { name: Some(name), .. } => !is_ranked && name.uri == uri && *name.local == *local,
            CompiledType::Complex { name: None, .. } => !is_ranked && !is_builtin,
        };
        if fits || is_any { Ok(()) } else { Err(Unusual) }
    }
}

/// A size of an `arrayType`.
fn size(text: &[u8]) -> Option<u32> {
    let digits = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits?.parse().ok()
}
