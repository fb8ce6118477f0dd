//! Performances with prices and areas: `citm_catalog.json`, or the generated `events.json`, which
//! lacks some of its members.

use serde::{Deserialize, Serialize};

use crate::Members;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "S: Deserialize<'de>"))]
pub struct Catalog<S> {
    pub area_names: Members<S, S>,
    #[serde(default)]
    pub audience_sub_category_names: Members<S, S>,
    #[serde(default)]
    pub block_names: Members<S, S>,
    pub events: Members<S, Event<S>>,
    pub performances: Vec<Performance<S>>,
    pub seat_category_names: Members<S, S>,
    pub sub_topic_names: Members<S, S>,
    #[serde(default)]
    pub subject_names: Members<S, S>,
    #[serde(default)]
    pub topic_names: Members<S, S>,
    #[serde(default)]
    pub topic_sub_topics: Members<S, Vec<u64>>,
    #[serde(default)]
    pub venue_names: Members<S, S>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event<S> {
    pub description: Option<S>,
    pub id: u64,
    pub logo: Option<S>,
    pub name: S,
    pub sub_topic_ids: Vec<u64>,
    pub subject_code: Option<S>,
    pub subtitle: Option<S>,
    pub topic_ids: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Performance<S> {
    pub event_id: u64,
    pub id: u64,
    pub logo: Option<S>,
    pub name: Option<S>,
    pub prices: Vec<Price>,
    pub seat_categories: Vec<SeatCategory>,
    pub seat_map_image: Option<S>,
    pub start: u64,
    pub venue_code: S,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    pub amount: u64,
    pub audience_sub_category_id: u64,
    pub seat_category_id: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatCategory {
    pub areas: Vec<Area>,
    pub seat_category_id: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    pub area_id: u64,
    pub block_ids: Vec<u64>,
}
