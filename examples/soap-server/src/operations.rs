//! What the operations do.

use std::collections::{HashMap, HashSet};

use lengthwise::asn1::Value;
use lengthwise::soap::{Body, Name, Service};
use lengthwise_http::service::{Answer, Call, Fault, Handler, escaped};
use serde::Serialize;

/// The description of the service, which is also a sample of the command.
pub(crate) const WSDL: &str = include_str!("../../../samples/search.wsdl");

/// The address that the description has for the service.
const ADDRESS: &str = "http://127.0.0.1:8080/";

/// The operations of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// `doGoogleSearch` of the paper's figure 1, encoded.
    EncodedSearch,
    /// An array of doubles, encoded.
    EncodedSum,
    /// Their literal twins.
    Search,
    Sum,
}

/// A message that is a request.
#[derive(Clone, Debug)]
struct Request {
    task: Task,
    response: Name,
    /// The SOAPActions that it may come with.
    actions: HashSet<String>,
}

/// The messages that are requests, by their names.
#[derive(Debug)]
pub(crate) struct Operations(HashMap<Name, Request>);

impl Operations {
    pub(crate) fn of(service: &Service) -> Operations {
        let mut requests: HashMap<Name, Request> = HashMap::new();
        for described in service.bindings().iter().flat_map(|binding| &binding.operations) {
            let task = match described.name.as_str() {
                "doGoogleSearch" => Task::EncodedSearch,
                "sendDoubles" => Task::EncodedSum,
                "search" => Task::Search,
                "sum" => Task::Sum,
                _ => continue,
            };
            if let (Some(request), Some(response)) = (&described.request, &described.response) {
                let made = || Request { task, response: response.clone(), actions: HashSet::new() };
                requests.entry(request.clone()).or_insert_with(made).actions.insert(described.action.clone());
            }
        }
        Operations(requests)
    }
}

impl Handler for Operations {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let Some(Body::Call { name, value }) = call.message.body() else {
            return Err(Fault::sender("A fault is no request."));
        };
        let Some(request) = self.0.get(name) else { return Err(Fault::sender("A response is no request.")) };
        // An empty SOAPAction leaves it to the body to say what is asked for.
        if !call.action.is_empty() && !request.actions.contains(call.action) {
            let action = call.action;
            return Err(Fault::sender(format!("The SOAPAction '{action}' is not that of the message in the body.")));
        }
        match request.task {
            Task::EncodedSearch => {
                let question = Question::of(value)?;
                let items = question
                    .asked()
                    .map(|[url, title, snippet]| Item { content: EncodedPage { url, title, snippet } })
                    .collect();
                let answer = Encoded {
                    result: EncodedResult {
                        query: question.text,
                        total: question.found().len(),
                        elements: Items { items },
                    },
                };
                call.reply.answer(&request.response, &answer)
            }
            Task::Search => {
                let question = Question::of(value)?;
                let result = question.asked().map(|[url, title, snippet]| Page { url, title, snippet }).collect();
                let answer = Results { q: question.text, total: question.found().len(), result };
                call.reply.answer(&request.response, &answer)
            }
            Task::EncodedSum => {
                let items = value.get("data/item").ok_or_else(|| Fault::sender("There is no array."))?;
                // An item may be nil.
                let sum =
                    items.items().filter_map(|item| item.get("content")?.as_f64()).fold(0.0, |sum, item| sum + item);
                call.reply.answer(&request.response, &EncodedSum { sum })
            }
            Task::Sum => {
                let data = value.get("data").ok_or_else(|| Fault::sender("There is no array."))?;
                // Rust's sum of no doubles is -0.
                let sum = data.items().filter_map(Value::as_f64).fold(0.0, |sum, item| sum + item);
                call.reply.answer(&request.response, &Sum { count: data.len(), sum })
            }
        }
    }

    fn waits(&self) -> bool {
        false
    }

    fn description(&self, host: Option<&str>) -> Option<String> {
        Some(match host {
            Some(host) => WSDL.replace(ADDRESS, &format!("http://{}/", escaped(host))),
            None => WSDL.to_owned(),
        })
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

    fn of(value: Value<'v>) -> Result<Question<'v>, Fault> {
        let number = |name: &str| usize::try_from(value.get(name)?.as_i64()?).ok();
        let text = value.get("q").and_then(Value::as_str);
        let (Some(text), Some(start), Some(most)) = (text, number("start"), number("maxResults")) else {
            return Err(Fault::sender("A question has a text, and numbers that are not negative."));
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

    /// Those that are wanted.
    fn asked(&self) -> impl Iterator<Item = &'static [&'static str; 3]> {
        self.found().into_iter().skip(self.start).take(self.most)
    }
}

/// The answers, in the order of their elements.
#[derive(Serialize)]
struct Encoded<'a> {
    #[serde(rename = "return")]
    result: EncodedResult<'a>,
}

#[derive(Serialize)]
struct EncodedResult<'a> {
    #[serde(rename = "searchQuery")]
    query: &'a str,
    #[serde(rename = "estimatedTotalResultsCount")]
    total: usize,
    #[serde(rename = "resultElements")]
    elements: Items<'a>,
}

#[derive(Serialize)]
struct Items<'a> {
    #[serde(rename = "item")]
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    content: EncodedPage<'a>,
}

#[derive(Serialize)]
struct EncodedPage<'a> {
    #[serde(rename = "URL")]
    url: &'a str,
    title: &'a str,
    snippet: &'a str,
}

#[derive(Serialize)]
struct EncodedSum {
    #[serde(rename = "return")]
    sum: f64,
}

#[derive(Serialize)]
struct Results<'a> {
    q: &'a str,
    #[serde(rename = "estimatedTotalResultsCount")]
    total: usize,
    result: Vec<Page<'a>>,
}

#[derive(Serialize)]
struct Page<'a> {
    url: &'a str,
    title: &'a str,
    snippet: &'a str,
}

#[derive(Serialize)]
struct Sum {
    count: usize,
    sum: f64,
}
