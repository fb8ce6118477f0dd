//! What the fuzz target of descriptions of services holds true of any bytes.

use asn1::Values;
use lengthwise::soap::{Body, Name, Service, SoapVersion};
use x694::xer;
use xsd::{Limits, Memory, Options};

/// Deep enough to be seen, small enough to cost no time.
const LIMITS: Limits = Limits { depth: 100, units: 1 << 12, entity_expansion: 1 << 14, ..Limits::DEFAULT };

/// Two descriptions, separated by a zero byte: one can import the other as `b`. The result is valid, and errors refer
/// to a document.
pub fn wsdl_read(input: &[u8]) {
    let options = Options::default().with_limits(LIMITS).with_documents(8).with_particles(1 << 12);
    let mut parts = input.splitn(2, |byte| *byte == 0);
    let source = ["a", "b"].into_iter().fold(Memory::new(), |source, name| match parts.next() {
        Some(text) => source.with(name, text),
        None => source,
    });
    let service = match Service::read(source, "a", &options) {
        Ok(service) => service,
        Err(error) => {
            // How many members there may be, and how types are mapped, is no matter of a document.
            let has_path = !error.path().is_empty() || error.kind() != tam::ErrorKind::Syntax;
            return assert!(has_path, "{error}");
        }
    };
    assert!(service.left_out().iter().all(|left_out| !left_out.error.path().is_empty()));
    let versions = [SoapVersion::Soap11, SoapVersion::Soap12];
    let messages: Vec<(SoapVersion, &Name)> =
        versions.iter().flat_map(|version| service.messages(*version).map(|name| (*version, name))).collect();
    for binding in service.bindings() {
        let names = binding.operations.iter().flat_map(|operation| [&operation.request, &operation.response]).flatten();
        names.for_each(|name| assert!(messages.contains(&(binding.version, name)), "{name}"));
    }
    // Each message can be read by, whatever its element is called.
    for (version, name) in messages.into_iter().take(8) {
        let soap = version.namespace();
        let message = format!(
            "<e:Envelope xmlns:e='{soap}'><e:Body><{} xmlns='{}'/></e:Body></e:Envelope>",
            name.local, name.namespace
        );
        let mut values = Values::new();
        if let Ok(value) = xer::read(message.as_bytes(), service.types(), &options, &mut values) {
            assert!(matches!(service.message(value).body(), Some(Body::Call { name: found, .. }) if found == name));
        }
    }
}
