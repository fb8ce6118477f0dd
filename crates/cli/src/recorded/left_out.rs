//! What of a recording is not replayed, in words and as JSON.

use crate::line::Line;
use crate::recorded::{Recording, Skipped};

impl Recording<'_> {
    /// What is left out, in one sentence, if anything is.
    pub(crate) fn left_out(&self) -> Option<String> {
        let mut parts = Vec::new();
        let all: u64 = self.skipped.iter().map(|skipped| skipped.count).sum();
        if all > 0 {
            let reasons: Vec<String> = self.skipped.iter().map(Skipped::words).collect();
            parts.push(format!("skipped {}: {}", of(all, "message"), reasons.join(", ")));
        }
        if self.attachments.count > 0 {
            let bytes = of(self.attachments.bytes, "byte");
            let attachments = of(self.attachments.count, "attachment");
            parts.push(format!("{attachments} ({bytes}), read only where a message includes them"));
        }
        if parts.is_empty() { None } else { Some(parts.join("; ")) }
    }

    /// The same as lines of JSON.
    pub(crate) fn left_out_lines(&self, file: &str) -> String {
        let skipped = self.skipped.iter().map(|skipped| {
            let (first, what) = &skipped.first;
            let line = Line::new().text("file", file).json("messages_skipped", skipped.count);
            line.text("message", skipped.reason.words()).json("first", first).text("found", what).end()
        });
        let attachments = (self.attachments.count > 0).then(|| {
            let line = Line::new().text("file", file).json("attachments", self.attachments.count);
            line.json("attachment_bytes", self.attachments.bytes).end()
        });
        skipped.chain(attachments).collect()
    }
}

impl Skipped {
    fn words(&self) -> String {
        let (first, what) = &self.first;
        let what = if what.is_empty() { String::new() } else { format!(": {what}") };
        format!("{} {} (first: message {first}{what})", self.count, self.reason.words())
    }
}

fn of(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
