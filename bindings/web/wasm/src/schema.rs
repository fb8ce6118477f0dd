//! Schemas: modules of ASN.1, schemas of XML, descriptions of services.

use lengthwise::Schema;
use wasm_bindgen::prelude::*;

use crate::codec::Codec;
use crate::failure::{json, thrown, wrong};

#[wasm_bindgen]
impl Codec {
    /// Takes modules of ASN.1, each with a name.
    ///
    /// # Errors
    /// If one of them is invalid; the error says which.
    pub fn use_notation(
        &mut self,
        names: Vec<String>,
        texts: Vec<String>,
        root: Option<String>,
    ) -> Result<(), JsValue> {
        let sources: Vec<(&str, &str)> =
            names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let schema = Schema::from_notation(&sources, &self.limits())
            .map_err(|error| JsValue::from_str(&json(&error.error, Some(&error.name))))?;
        self.take(schema, root)
    }

    fn take(&mut self, schema: Schema, root: Option<String>) -> Result<(), JsValue> {
        let schema = match root {
            Some(root) => schema.with_root(&root).map_err(|error| thrown(&error))?,
            None => schema,
        };
        self.schema = Some(schema);
        Ok(())
    }

    /// The types that messages can be of: `Module.Type`, or the roots of a schema of XML.
    ///
    /// # Errors
    /// If there is no schema.
    pub fn types(&self) -> Result<Vec<String>, JsValue> {
        let schema = self.schema.as_ref().ok_or_else(|| wrong("no schema"))?;
        Ok(schema.types().types().map(|(module, name, _)| format!("{module}.{name}")).collect())
    }

    /// The type that messages are of.
    #[must_use]
    pub fn root(&self) -> Option<String> {
        let schema = self.schema.as_ref()?;
        let root = schema.root().ok()?;
        Some(schema.types().node(root).name.to_string())
    }

    /// The modules of ASN.1: those of the schema, or what X.694 makes of a schema of XML.
    ///
    /// # Errors
    /// If there is no schema.
    pub fn notation(&self) -> Result<String, JsValue> {
        let schema = self.schema.as_ref().ok_or_else(|| wrong("no schema"))?;
        Ok(lengthwise::asn1::notation::print_schema(schema.model()))
    }
}

#[cfg(feature = "xsd")]
mod of_xml {
    use lengthwise::x694::mapping;
    use lengthwise::xsd::{self, Memory, wsdl::Description};

    use super::*;

    #[wasm_bindgen]
    impl Codec {
        /// Takes documents of XML Schema, or a description of a service and its schemas, each with a name. Imports of names
        /// that are not given are errors.
        ///
        /// # Errors
        /// If one of them is invalid.
        pub fn use_xsd(&mut self, names: Vec<String>, texts: Vec<String>, root: Option<String>) -> Result<(), JsValue> {
            let is_description = texts.first().is_some_and(|text| text.contains("http://schemas.xmlsoap.org/wsdl/"));
            let source =
                || names.iter().zip(&texts).fold(Memory::new(), |of, (name, text)| of.with(name, text.as_bytes()));
            let options = xsd::Options::default().with_limits(self.limits());
            let schema = match is_description {
                true => Description::read_all(source(), &names, &options).map(|description| description.schema),
                false => xsd::Schema::read_all(source(), &names, &options),
            };
            let schema = schema.and_then(|schema| Schema::from_xsd(schema, &mapping::Options::default()));
            self.take(schema.map_err(|error| thrown(&error))?, root)
        }
    }
}
