//! What the fuzz target of descriptions of services holds true of any bytes.

use dds::{Reader, Value};
use lengthwise::Service;
use xsd::wsdl::Description;
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
    let read = Description::read_from(source, "a", &options);
    let service = match read.and_then(|description| Service::from_wsdl(&description, &options)) {
        Ok(service) => service,
        Err(error) => {
            // How many members there may be is no matter of a document.
            let has_path = !error.path().is_empty() || error.kind() == tam::ErrorKind::Limit;
            return assert!(has_path, "{error}");
        }
    };
    assert!(service.left_out().iter().all(|left_out| !left_out.error.path().is_empty()));
    let methods = service.schema().methods().len();
    let operations = service.bindings().iter().flat_map(|binding| &binding.operations);
    let numbers = operations.flat_map(|operation| [operation.request, operation.response]).flatten();
    assert!(methods > 0 && numbers.into_iter().all(|method| method < methods));
    // Each method can be read by, whatever its element is called.
    let reader = Reader::new(service.schema().clone(), &dds::Options::default());
    for method in service.schema().methods().iter().take(8) {
        let (namespace, local) = (&method.name.namespace, &method.name.local);
        let message = format!(
            "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><{local} xmlns='{namespace}'/>\
             </e:Body></e:Envelope>"
        );
        if let Ok(message) = reader.read(message.as_bytes()) {
            assert!(!matches!(message.value(), Some(Value::Absent)));
        }
    }
}
