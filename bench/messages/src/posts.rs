//! Posts with their authors: `twitter.json`, or the generated `posts.json`, some of whose members
//! have other names (the aliases) and which lacks others (the defaults). What is written has the
//! names and all members of the first.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posts<S> {
    pub statuses: Vec<Status<S>>,
    pub search_metadata: SearchMetadata<S>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status<S> {
    pub metadata: Metadata<S>,
    pub created_at: S,
    pub id: u64,
    pub id_str: S,
    pub text: S,
    pub source: S,
    pub truncated: bool,
    pub in_reply_to_status_id: Option<u64>,
    pub in_reply_to_status_id_str: Option<S>,
    pub in_reply_to_user_id: Option<u64>,
    pub in_reply_to_user_id_str: Option<S>,
    #[serde(alias = "in_reply_to_name")]
    pub in_reply_to_screen_name: Option<S>,
    pub user: User<S>,
    pub geo: Option<S>,
    pub coordinates: Option<S>,
    pub place: Option<S>,
    pub contributors: Option<S>,
    #[serde(alias = "reposted_status")]
    pub retweeted_status: Option<Box<Status<S>>>,
    #[serde(alias = "repost_count")]
    pub retweet_count: u32,
    pub favorite_count: u32,
    pub entities: Entities<S>,
    pub favorited: bool,
    #[serde(alias = "reposted")]
    pub retweeted: bool,
    pub possibly_sensitive: Option<bool>,
    pub lang: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata<S> {
    pub result_type: S,
    pub iso_language_code: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct User<S> {
    pub id: u64,
    pub id_str: S,
    pub name: S,
    pub screen_name: S,
    pub location: S,
    pub description: S,
    pub url: Option<S>,
    pub entities: UserEntities<S>,
    pub protected: bool,
    pub followers_count: u32,
    pub friends_count: u32,
    pub listed_count: u32,
    pub created_at: S,
    pub favourites_count: u32,
    pub utc_offset: Option<i32>,
    pub time_zone: Option<S>,
    pub geo_enabled: bool,
    pub verified: bool,
    pub statuses_count: u32,
    pub lang: Option<S>,
    pub contributors_enabled: bool,
    pub is_translator: bool,
    #[serde(default)]
    pub is_translation_enabled: bool,
    pub profile_background_color: S,
    pub profile_background_image_url: S,
    pub profile_background_image_url_https: S,
    #[serde(default)]
    pub profile_background_tile: bool,
    pub profile_image_url: S,
    pub profile_image_url_https: S,
    pub profile_banner_url: Option<S>,
    pub profile_link_color: S,
    pub profile_sidebar_border_color: S,
    pub profile_sidebar_fill_color: S,
    pub profile_text_color: S,
    #[serde(alias = "use_background_image")]
    pub profile_use_background_image: bool,
    pub default_profile: bool,
    #[serde(alias = "default_image")]
    pub default_profile_image: bool,
    pub following: bool,
    pub follow_request_sent: bool,
    pub notifications: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserEntities<S> {
    pub url: Option<Links<S>>,
    pub description: Links<S>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Links<S> {
    pub urls: Vec<Link<S>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link<S> {
    pub url: S,
    pub expanded_url: S,
    pub display_url: S,
    #[serde(default)]
    pub indices: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entities<S> {
    pub hashtags: Vec<Hashtag<S>>,
    pub symbols: Vec<Hashtag<S>>,
    pub urls: Vec<Link<S>>,
    pub user_mentions: Vec<Mention<S>>,
    pub media: Option<Vec<Media<S>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hashtag<S> {
    pub text: S,
    pub indices: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mention<S> {
    pub screen_name: S,
    pub name: S,
    pub id: u64,
    pub id_str: S,
    pub indices: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Media<S> {
    pub id: u64,
    pub id_str: S,
    pub indices: Vec<u32>,
    pub media_url: S,
    pub media_url_https: S,
    pub url: S,
    pub display_url: S,
    pub expanded_url: S,
    #[serde(rename = "type")]
    pub kind: S,
    pub sizes: Sizes<S>,
    pub source_status_id: Option<u64>,
    pub source_status_id_str: Option<S>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sizes<S> {
    pub medium: Size<S>,
    pub small: Size<S>,
    pub thumb: Size<S>,
    pub large: Size<S>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Size<S> {
    pub w: u32,
    pub h: u32,
    pub resize: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchMetadata<S> {
    pub completed_in: f64,
    #[serde(default)]
    pub max_id: u64,
    pub max_id_str: Option<S>,
    pub next_results: Option<S>,
    pub query: S,
    pub refresh_url: Option<S>,
    pub count: u32,
    #[serde(default)]
    pub since_id: u64,
    pub since_id_str: Option<S>,
}
