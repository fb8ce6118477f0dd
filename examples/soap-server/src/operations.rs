//! What the operations do.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use lengthwise::Service;
use lengthwise::dds::{Body, Message, Schema, Templates, Value};
use lengthwise_http::service::{Fault, Handler, escaped};

/// The description of the service, which is also a sample of the command.
pub(crate) const WSDL: &str = include_str!("../../../samples/search.wsdl");

/// The address that the description has for the service.
const ADDRESS: &str = "http://127.0.0.1:8080/";

/// The operations of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// `doGoogleSearch` of the paper's figure 1, encoded.
    EncodedSearch,
    /// An array of doubles, encoded.
    EncodedSum,
    /// Their literal twins.
    Search,
    Sum,
}

/// The messages that are requests, and their operations.
#[derive(Debug)]
pub(crate) struct Operations {
    /// By the number of the request's method: the operation, and the SOAPActions that it may come with.
    requests: HashMap<usize, (Operation, Vec<String>)>,
    actions: HashSet<String>,
    service: Service,
}

impl Operations {
    pub(crate) fn of(service: Service) -> Operations {
        let mut requests: HashMap<usize, (Operation, Vec<String>)> = HashMap::new();
        for described in service.bindings().iter().flat_map(|binding| &binding.operations) {
            let operation = match described.name.as_str() {
                "doGoogleSearch" => Operation::EncodedSearch,
                "sendDoubles" => Operation::EncodedSum,
                "search" => Operation::Search,
                "sum" => Operation::Sum,
                _ => continue,
            };
            if let Some(request) = described.request {
                let (_, actions) = requests.entry(request).or_insert((operation, Vec::new()));
                actions.push(described.action.clone());
            }
        }
        let actions = requests.values().flat_map(|(_, actions)| actions.iter().cloned()).collect();
        Operations { requests, actions, service }
    }

    /// The schema of the service, in which responses are refused before they are read.
    pub(crate) fn requests_alone(&self) -> Schema {
        let mut schema = self.service.schema().clone();
        let responses = (0..schema.methods().len()).filter(|method| !self.requests.contains_key(method));
        responses.collect::<Vec<_>>().into_iter().for_each(|method| schema.refuse(method));
        schema
    }
}

impl Handler for Operations {
    type Messages = Templates;

    fn has_action(&self, action: &str) -> bool {
        self.actions.contains(action)
    }

    fn call(&self, message: &Message, action: &str) -> Result<String, Fault> {
        self.service.check_version(message).map_err(|error| Fault::sender(error.to_string()))?;
        let Body::Call { method, value } = &message.body else {
            return Err(Fault::sender("A fault is no request."));
        };
        let Some((operation, actions)) = self.requests.get(method) else {
            return Err(Fault::sender("A response is no request."));
        };
        // An empty SOAPAction leaves it to the body to say what is asked for.
        if !action.is_empty() && !actions.iter().any(|own| own == action) {
            return Err(Fault::sender(format!("The SOAPAction '{action}' is not that of the message in the body.")));
        }
        match operation {
            Operation::EncodedSearch => {
                let [question, start, most] = [1, 2, 3].map(|n| value.member(n));
                encoded_results(&Question::of(question, start, most)?)
            }
            Operation::Search => {
                let [question, start, most] = [0, 1, 2].map(|n| value.member(n));
                literal_results(&Question::of(question, start, most)?)
            }
            Operation::EncodedSum => {
                let (_, sum) = sum(value)?;
                Ok(format!(
                    "<n:sendDoublesResponse xmlns:n=\"urn:GoogleSearch\" \
                     soap:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\">\
                     <return xsi:type=\"xsd:double\">{}</return></n:sendDoublesResponse>",
                    double(sum)
                ))
            }
            Operation::Sum => {
                let (count, sum) = sum(value)?;
                let sum = double(sum);
                let namespace = "urn:example:search";
                Ok(format!("<sumResponse xmlns=\"{namespace}\"><count>{count}</count><sum>{sum}</sum></sumResponse>"))
            }
        }
    }

    fn description(&self, host: Option<&str>) -> Option<String> {
        Some(match host {
            Some(host) => WSDL.replace(ADDRESS, &format!("http://{}/", escaped(host))),
            None => WSDL.to_owned(),
        })
    }
}

/// How many doubles there are, and their sum, from the first to the last.
fn sum(value: &Value) -> Result<(usize, f64), Fault> {
    let array = value.member(0).and_then(Value::as_array);
    let Some(doubles) = array.and_then(|array| array.as_doubles()) else {
        return Err(Fault::sender("There is no array."));
    };
    // Rust's sum of no doubles is -0.
    Ok((doubles.len(), doubles.iter().fold(0.0, |sum, double| sum + double)))
}

/// A double as XML Schema writes it, in the fewest digits that identify it.
fn double(value: f64) -> String {
    match value {
        f64::INFINITY => "INF".to_owned(),
        f64::NEG_INFINITY => "-INF".to_owned(),
        _ => format!("{value:?}"),
    }
}

/// What is searched: address, title, and text.
const PAGES: [[&str; 3]; 5] = [
    ["http://grid.example/", "Grid computing", "Binghamton & friends: computing on a grid of machines"],
    ["http://soap.example/dds", "Differential deserialization", "Only what differs from the message before is read"],
    ["http://soap.example/ds", "Differential serialization", "Only what has changed is written <again>"],
    ["http://xml.example/pull", "Pull parsing", "XML, asked for piece by piece"],
    ["http://xml.example/sax", "SAX", "XML, read piece by piece"],
];

/// A question, and which of the answers are wanted.
struct Question<'v> {
    text: &'v str,
    start: usize,
    most: usize,
}

impl<'v> Question<'v> {
    /// Answers at a time.
    const MOST: usize = 10;
    /// Bytes of a question.
    const LONGEST: usize = 4 << 10;

    fn of(text: Option<&'v Value>, start: Option<&Value>, most: Option<&Value>) -> Result<Question<'v>, Fault> {
        let number = |value: Option<&Value>| match value {
            Some(Value::Int(value)) => usize::try_from(*value).ok(),
            _ => None,
        };
        let (Some(text), Some(start), Some(most)) = (text.and_then(Value::as_text), number(start), number(most)) else {
            return Err(Fault::sender("A search needs a question, and numbers that are not negative."));
        };
        if text.len() > Question::LONGEST {
            return Err(Fault::sender(format!("A question has at most {} bytes.", Question::LONGEST)));
        }
        Ok(Question { text, start, most: most.min(Question::MOST) })
    }

    /// The pages that have every word of the question in them.
    fn found(&self) -> Vec<&'static [&'static str; 3]> {
        let words: Vec<String> = self.text.split_whitespace().map(str::to_lowercase).collect();
        let has_all = |page: &&[&str; 3]| {
            let page = page.join(" ").to_lowercase();
            words.iter().all(|word| page.contains(word.as_str()))
        };
        PAGES.iter().filter(has_all).collect()
    }
}

fn encoded_results(question: &Question<'_>) -> Result<String, Fault> {
    let found = question.found();
    let shown: Vec<_> = found.iter().skip(question.start).take(question.most).collect();
    let mut out = format!(
        "<n:doGoogleSearchResponse xmlns:n=\"urn:GoogleSearch\" xmlns:enc=\"http://schemas.xmlsoap.org/soap/encoding/\" \
         soap:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><return xsi:type=\"n:SearchResult\">\
         <searchQuery xsi:type=\"xsd:string\">{}</searchQuery>\
         <estimatedTotalResultsCount xsi:type=\"xsd:int\">{}</estimatedTotalResultsCount>\
         <resultElements xsi:type=\"n:ArrayOfResultElement\" enc:arrayType=\"n:ResultElement[{}]\">",
        escaped(question.text),
        found.len(),
        shown.len()
    );
    for page in shown {
        let [url, title, snippet] = page.map(escaped);
        let _ = write!(
            out,
            "<item xsi:type=\"n:ResultElement\"><URL xsi:type=\"xsd:string\">{url}</URL>\
             <title xsi:type=\"xsd:string\">{title}</title><snippet xsi:type=\"xsd:string\">{snippet}</snippet></item>"
        );
    }
    out.push_str("</resultElements></return></n:doGoogleSearchResponse>");
    Ok(out)
}

fn literal_results(question: &Question<'_>) -> Result<String, Fault> {
    let found = question.found();
    let mut out = format!(
        "<searchResponse xmlns=\"urn:example:search\"><q>{}</q>\
         <estimatedTotalResultsCount>{}</estimatedTotalResultsCount>",
        escaped(question.text),
        found.len()
    );
    for page in found.iter().skip(question.start).take(question.most) {
        let [url, title, snippet] = page.map(escaped);
        let _ = write!(out, "<result><url>{url}</url><title>{title}</title><snippet>{snippet}</snippet></result>");
    }
    out.push_str("</searchResponse>");
    Ok(out)
}
