//! JSON to the shapes of two well-known files.

use std::fmt::Write as _;

use super::{FAR_WORDS, Rng, WORDS};

/// JSON with white space that shows the structure.
struct JsonWriter {
    out: String,
    step: usize,
    /// For each open container: whether it has content already.
    open: Vec<(char, bool)>,
}

impl JsonWriter {
    fn new(step: usize) -> JsonWriter {
        JsonWriter { out: String::new(), step, open: Vec::new() }
    }

    fn line(&mut self) {
        let indent = self.step * self.open.len();
        let _ = write!(self.out, "\n{:indent$}", "");
    }

    /// The place of the next value: `name` where it is a member, empty where it is an item.
    fn place(&mut self, name: &str) {
        if let Some(open) = self.open.last_mut() {
            if std::mem::replace(&mut open.1, true) {
                self.out.push(',');
            }
            self.line();
        }
        if !name.is_empty() {
            let _ = write!(self.out, "\"{name}\": ");
        }
    }

    fn open(&mut self, name: &str, bracket: char) {
        self.place(name);
        self.out.push(bracket);
        self.open.push((bracket, false));
    }

    fn close(&mut self) {
        if let Some((bracket, filled)) = self.open.pop() {
            if filled {
                self.line();
            }
            self.out.push(if bracket == '{' { '}' } else { ']' });
        }
    }

    /// A value as it is written in JSON.
    fn raw(&mut self, name: &str, value: &str) {
        self.place(name);
        self.out.push_str(value);
    }

    /// A string without anything to escape.
    fn string(&mut self, name: &str, value: &str) {
        self.raw(name, &format!("\"{value}\""));
    }

    fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out.push('\n');
        self.out
    }
}

/// Posts with their authors: many names, long strings, much that is not ASCII, some escapes.
pub(super) fn posts() -> String {
    let mut rng = Rng(20);
    let mut w = JsonWriter::new(2);
    w.open("", '{');
    w.open("statuses", '[');
    for i in 0..100 {
        w.open("", '{');
        post(&mut w, &mut rng);
        if i % 4 != 3 {
            w.open("reposted_status", '{');
            post(&mut w, &mut rng);
            w.close();
        }
        w.close();
    }
    w.close();
    w.open("search_metadata", '{');
    w.raw("completed_in", "0.087");
    w.raw("count", "100");
    w.string("query", "%E4%B8%80");
    w.close();
    w.finish()
}

fn far_text(rng: &mut Rng, words: u64) -> String {
    let mut out = String::new();
    for i in 0..words {
        out.push_str(if i == 0 {
            ""
        } else if rng.chance(8) {
            "\\n"
        } else {
            " "
        });
        let far = rng.chance(60);
        out.push_str(rng.pick(if far { &FAR_WORDS[5..10] } else { &WORDS }));
    }
    out
}

fn post(w: &mut JsonWriter, rng: &mut Rng) {
    w.open("metadata", '{');
    w.string("result_type", "recent");
    w.string("iso_language_code", "ja");
    w.close();
    let created = format!("Sun Aug {} {} +0000 2014", rng.range(10, 31), rng.time());
    w.string("created_at", &created);
    let id = rng.digits(18);
    w.raw("id", &id);
    w.string("id_str", &id);
    let words = rng.range(18, 46);
    w.string("text", &far_text(rng, words));
    w.string("source", "<a href=\\\"http://post.example.org/app\\\" rel=\\\"nofollow\\\">Post for phones</a>");
    w.raw("truncated", "false");
    for name in ["in_reply_to_status_id", "in_reply_to_status_id_str", "in_reply_to_user_id", "in_reply_to_name"] {
        w.raw(name, "null");
    }
    w.open("user", '{');
    let id = rng.digits(9);
    w.raw("id", &id);
    w.string("id_str", &id);
    w.string("name", &far_text(rng, 2));
    w.string("screen_name", &rng.compound());
    w.string("location", &far_text(rng, 3));
    let words = rng.range(6, 24);
    w.string("description", &far_text(rng, words));
    w.raw("url", "null");
    w.open("entities", '{');
    w.open("description", '{');
    w.open("urls", '[');
    for _ in 0..3 {
        w.close();
    }
    for name in ["protected", "geo_enabled", "verified", "contributors_enabled", "is_translator", "default_image"] {
        w.raw(name, rng.pick(&["true", "false"]));
    }
    for name in ["followers_count", "friends_count", "listed_count", "favourites_count", "statuses_count"] {
        let digits = rng.range(1, 6) as u32;
        w.raw(name, &rng.digits(digits));
    }
    w.raw("utc_offset", "null");
    w.raw("time_zone", "null");
    w.string("created_at", &created);
    for name in ["link_color", "sidebar_border_color", "sidebar_fill_color", "text_color", "background_color"] {
        let value = format!("{:06X}", rng.range(0, 1 << 24));
        w.string(&format!("profile_{name}"), &value);
    }
    for name in ["background_image_url", "background_image_url_https", "image_url", "image_url_https", "banner_url"] {
        let value = format!("http://post.example.org/profile_images/{}/{}.jpeg", rng.digits(18), rng.compound());
        w.string(&format!("profile_{name}"), &value);
    }
    for name in ["use_background_image", "default_profile", "following", "follow_request_sent", "notifications"] {
        w.raw(name, rng.pick(&["true", "false"]));
    }
    w.close();
    for name in ["geo", "coordinates", "place", "contributors"] {
        w.raw(name, "null");
    }
    w.raw("repost_count", &rng.range(0, 900).to_string());
    w.raw("favorite_count", &rng.range(0, 90).to_string());
    w.open("entities", '{');
    for name in ["hashtags", "symbols"] {
        w.open(name, '[');
        w.close();
    }
    w.open("urls", '[');
    if rng.chance(50) {
        w.open("", '{');
        for name in ["url", "expanded_url", "display_url"] {
            w.string(name, &format!("http://post.example.org/{}", rng.compound()));
        }
        w.close();
    }
    w.close();
    w.open("user_mentions", '[');
    for _ in 0..rng.range(0, 3) {
        w.open("", '{');
        w.string("screen_name", &rng.compound());
        w.string("name", &far_text(rng, 2));
        let id = rng.digits(9);
        w.raw("id", &id);
        w.string("id_str", &id);
        w.open("indices", '[');
        w.raw("", "3");
        w.raw("", "15");
        w.close();
        w.close();
    }
    w.close();
    w.close();
    for name in ["favorited", "reposted", "possibly_sensitive", "has_media"] {
        w.raw(name, "false");
    }
    if rng.chance(25) {
        w.raw("media_count", "1");
    }
    w.string("lang", "ja");
}

/// Performances with prices and areas: small objects, integers of nine digits, wide indentation.
pub(super) fn events() -> String {
    let mut rng = Rng(21);
    let mut w = JsonWriter::new(4);
    let logo = |w: &mut JsonWriter, rng: &mut Rng| {
        let image = if rng.chance(49) { format!("\"/images/{}\"", rng.digits(18)) } else { "null".into() };
        w.raw("logo", &image);
    };
    w.open("", '{');
    for (name, count) in [("areaNames", 17), ("seatCategoryNames", 64), ("subTopicNames", 19)] {
        w.open(name, '{');
        for _ in 0..count {
            let id = rng.digits(9);
            let text = format!("{} {}", rng.pick(&FAR_WORDS[..4]), rng.phrase(6, 20));
            w.string(&id, &text);
        }
        w.close();
    }
    w.open("events", '{');
    for _ in 0..184 {
        let id = rng.digits(9);
        w.open(&id, '{');
        w.raw("description", "null");
        w.raw("id", &id);
        logo(&mut w, &mut rng);
        w.string("name", &rng.phrase(10, 30));
        w.open("subTopicIds", '[');
        for _ in 0..3 {
            w.raw("", &rng.digits(9));
        }
        w.close();
        w.raw("subjectCode", "null");
        w.raw("subtitle", "null");
        w.open("topicIds", '[');
        for _ in 0..2 {
            w.raw("", &rng.digits(9));
        }
        w.close();
        w.close();
    }
    w.close();
    w.open("performances", '[');
    for _ in 0..240 {
        w.open("", '{');
        w.raw("eventId", &rng.digits(9));
        w.raw("id", &rng.digits(9));
        logo(&mut w, &mut rng);
        w.raw("name", "null");
        let categories = rng.range(2, 7);
        w.open("prices", '[');
        for _ in 0..categories {
            w.open("", '{');
            w.raw("amount", &format!("{}0", rng.digits(4)));
            w.raw("audienceSubCategoryId", "337100890");
            w.raw("seatCategoryId", &rng.digits(9));
            w.close();
        }
        w.close();
        w.open("seatCategories", '[');
        for _ in 0..categories {
            w.open("", '{');
            w.open("areas", '[');
            for _ in 0..rng.range(3, 16) {
                w.open("", '{');
                w.raw("areaId", &rng.digits(9));
                w.open("blockIds", '[');
                w.close();
                w.close();
            }
            w.close();
            w.raw("seatCategoryId", &rng.digits(9));
            w.close();
        }
        w.close();
        w.raw("seatMapImage", "null");
        w.raw("start", &rng.digits(13));
        w.string("venueCode", "HALL_NORTH");
        w.close();
    }
    w.finish()
}
