//! The records of `messages/proto/uds.proto`.

use super::*;

codes! {
    Version: "1.0" "1.1" "2.0";
    Country: "AT" "BE" "CH" "DE" "DK" "ES" "FI" "FR" "GB" "IE" "IT" "LU" "NL" "NO" "PT" "SE";
    CountryCode: "31" "32" "33" "34" "39" "41" "43" "44" "45" "46" "47" "49" "351" "352" "353" "358";
    Language: "de" "en" "es" "fr" "it" "nl" "pt" "sv";
    Charging: "free" "inquiry" "listing" "subscription";
    Field: "surname" "givenName" "street" "locality" "businessCategory" "subscriberNumber";
    Match: "exact" "initial" "word" "approximate";
    SortOrder: "relevance" "name" "distance";
    ResultCode: "100" "101" "200" "201" "300" "400";
    Kind: "residential" "business" "government" "professional";
    NameUse: "listed" "former" "trading";
    Title: "Mr" "Mrs" "Dr" "Prof";
    AddressUse: "home" "work" "postal";
    Service: "telephone" "mobile" "fax" "pager" "telex" "data";
    Status: "listed" "unlisted" "changed" "disconnected";
}

records! {
    SearchRequest {
        control "control" One [message, optional, tag = "1"] Option<Control>;
        criteria "criteria" All [message, repeated, tag = "2"] Vec<Criteria>;
        maximum_results "maximumResults" Is<Number> [uint32, tag = "3"] u32;
        sort_order "sortOrder" Maybe<Code<SortOrder>> [int32, optional, tag = "4"] Option<i32>;
    }
    SearchResponse {
        control "control" One [message, optional, tag = "1"] Option<Control>;
        result_code "resultCode" Is<Code<ResultCode>> [int32, tag = "2"] i32;
        total_found "totalFound" Is<Number> [uint32, tag = "3"] u32;
        listing "listing" All [message, repeated, tag = "4"] Vec<Listing>;
    }
    Control {
        version "version" Is<Code<Version>> [int32, tag = "1"] i32;
        inquiry_number "inquiryNumber" Is<Number> [uint32, tag = "2"] u32;
        requestor "requestor" One [message, optional, tag = "3"] Option<Party>;
        responder "responder" One [message, optional, tag = "4"] Option<Party>;
        sent "sent" Is<Time> [int64, tag = "5"] i64;
        language "language" Is<Code<Language>> [int32, tag = "6"] i32;
        charging "charging" Is<Code<Charging>> [int32, tag = "7"] i32;
    }
    Party {
        country "country" Is<Code<Country>> [int32, tag = "1"] i32;
        operator "operator" Is<Text> [string, tag = "2"] String;
        position "position" Is<Number> [uint32, tag = "3"] u32;
    }
    Criteria {
        field "field" Is<Code<Field>> [int32, tag = "1"] i32;
        matching "match" Is<Code<Match>> [int32, tag = "2"] i32;
        weight "weight" Is<Number> [uint32, tag = "3"] u32;
        phonetic "phonetic" Is<Flag> [bool, tag = "4"] bool;
        value "value" Is<Text> [string, tag = "5"] String;
    }
    Listing {
        number "number" Is<Number> [uint32, tag = "1"] u32;
        kind "kind" Is<Code<Kind>> [int32, tag = "2"] i32;
        relevance "relevance" Is<Number> [uint32, tag = "3"] u32;
        name "name" All [message, repeated, tag = "4"] Vec<ListedName>;
        address "address" All [message, repeated, tag = "5"] Vec<Address>;
        telephone "telephone" All [message, repeated, tag = "6"] Vec<Telephone>;
        electronic_mail "electronicMail" Maybe<Text> [string, optional, tag = "7"] Option<String>;
        provider "provider" Maybe<Text> [string, optional, tag = "8"] Option<String>;
    }
    ListedName {
        purpose "use" Is<Code<NameUse>> [int32, tag = "1"] i32;
        title "title" Maybe<Code<Title>> [int32, optional, tag = "2"] Option<i32>;
        surname "surname" Is<Text> [string, tag = "3"] String;
        given_name "givenName" Maybe<Text> [string, optional, tag = "4"] Option<String>;
    }
    Address {
        purpose "use" Is<Code<AddressUse>> [int32, tag = "1"] i32;
        street "street" Is<Text> [string, tag = "2"] String;
        house "house" Is<Number> [uint32, tag = "3"] u32;
        postal_code "postalCode" Is<Number> [uint32, tag = "4"] u32;
        locality "locality" Is<Text> [string, tag = "5"] String;
        region "region" Maybe<Text> [string, optional, tag = "6"] Option<String>;
        country "country" Is<Code<Country>> [int32, tag = "7"] i32;
    }
    Telephone {
        service "service" Is<Code<Service>> [int32, tag = "1"] i32;
        status "status" Is<Code<Status>> [int32, tag = "2"] i32;
        country_code "countryCode" Is<Code<CountryCode>> [int32, tag = "3"] i32;
        area_code "areaCode" Is<Number> [uint32, tag = "4"] u32;
        subscriber_number "subscriberNumber" Is<Number> [uint32, tag = "5"] u32;
    }
}
