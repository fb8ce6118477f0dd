//! The records of `messages/proto/ranap.proto`.

use super::*;

codes! {
    ProcedureCode: "0" "1" "2" "10";
    Criticality: "reject" "ignore" "notify";
    TrafficClass: "conversational" "streaming" "interactive" "background";
    AsymmetryIndicator: "symmetric-bidirectional" "asymmetric-unidirectional-downlink"
        "asymmetric-unidirectional-uplink" "asymmetric-bidirectional";
    DeliveryOrder: "delivery-order-requested" "delivery-order-not-requested";
    DeliveryOfErroneousSdu: "yes" "no" "no-error-detection-consideration";
    PreemptionCapability: "shall-not-trigger-pre-emption" "may-trigger-pre-emption";
    PreemptionVulnerability: "not-pre-emptable" "pre-emptable";
    QueuingAllowed: "queueing-not-allowed" "queueing-allowed";
    SourceStatisticsDescriptor: "speech" "unknown";
    RelocationRequirement: "lossless" "none" "realtime";
    UserPlaneMode: "transparent-mode" "support-mode-for-predefined-SDU-sizes";
    ServiceHandover: "handover-to-GSM-should-be-performed" "handover-to-GSM-should-not-be-performed"
        "handover-to-GSM-shall-not-be-performed";
    PdpType: "empty" "ppp" "osp-ihoss" "ipv4" "ipv6";
    DataVolumeReporting: "do-report" "do-not-report";
}

records! {
    Pdu {
        initiating_message "initiatingMessage" One [message, optional, tag = "1"] Option<InitiatingMessage>;
        successful_outcome "successfulOutcome" One [message, optional, tag = "2"] Option<Outcome>;
        unsuccessful_outcome "unsuccessfulOutcome" One [message, optional, tag = "3"] Option<Outcome>;
        outcome "outcome" One [message, optional, tag = "4"] Option<Outcome>;
    }
    InitiatingMessage {
        procedure_code "procedureCode" Is<Code<ProcedureCode>> [int32, tag = "1"] i32;
        criticality "criticality" Is<Code<Criticality>> [int32, tag = "2"] i32;
        assignment_request "rAB-AssignmentRequest" One [message, optional, tag = "3"] Option<AssignmentRequest>;
        release_request "rAB-ReleaseRequest" One [message, optional, tag = "4"] Option<ReleaseList>;
    }
    Outcome {
        procedure_code "procedureCode" Is<Code<ProcedureCode>> [int32, tag = "1"] i32;
        criticality "criticality" Is<Code<Criticality>> [int32, tag = "2"] i32;
        released_list "rAB-ReleasedList" One [message, optional, tag = "3"] Option<ReleaseList>;
    }
    AssignmentRequest {
        setup_or_modify_list "rAB-SetupOrModifyList" One [message, optional, tag = "1"] Option<SetupOrModifyList>;
        release_list "rAB-ReleaseList" One [message, optional, tag = "2"] Option<ReleaseList>;
    }
    SetupOrModifyList {
        item "rAB-SetupOrModifyItem" All [message, repeated, tag = "1"] Vec<SetupOrModifyItem>;
    }
    SetupOrModifyItem {
        id "rAB-ID" Is<Hex> [bytes = "vec", tag = "1"] Vec<u8>;
        synchronisation "nAS-SynchronisationIndicator" Maybe<Number> [uint32, optional, tag = "2"] Option<u32>;
        parameters "rAB-Parameters" One [message, optional, tag = "3"] Option<Parameters>;
        user_plane "userPlaneInformation" One [message, optional, tag = "4"] Option<UserPlane>;
        transport_layer "transportLayerInformation" One [message, optional, tag = "5"] Option<TransportLayer>;
        service_handover "service-Handover" Maybe<Code<ServiceHandover>> [int32, optional, tag = "6"] Option<i32>;
        pdp_type "pDP-Type" Many<Code<PdpType>> [int32, repeated, tag = "7"] Vec<i32>;
        data_volume_reporting "dataVolumeReportingIndication" Maybe<Code<DataVolumeReporting>>
            [int32, optional, tag = "8"] Option<i32>;
    }
    Parameters {
        traffic_class "trafficClass" Is<Code<TrafficClass>> [int32, tag = "1"] i32;
        asymmetry_indicator "rAB-AsymmetryIndicator" Is<Code<AsymmetryIndicator>> [int32, tag = "2"] i32;
        max_bitrate "maxBitrate" Many<Number> [uint32, repeated, tag = "3"] Vec<u32>;
        guaranteed_bitrate "guaranteedBitRate" Many<Number> [uint32, repeated, tag = "4"] Vec<u32>;
        delivery_order "deliveryOrder" Is<Code<DeliveryOrder>> [int32, tag = "5"] i32;
        max_sdu_size "maxSDU-Size" Is<Number> [uint32, tag = "6"] u32;
        sdu_parameters "sDU-Parameters" All [message, repeated, tag = "7"] Vec<SduParameters>;
        transfer_delay "transferDelay" Maybe<Number> [uint32, optional, tag = "8"] Option<u32>;
        handling_priority "trafficHandlingPriority" Maybe<Number> [uint32, optional, tag = "9"] Option<u32>;
        allocation "allocationOrRetentionPriority" One [message, optional, tag = "10"] Option<Allocation>;
        statistics "sourceStatisticsDescriptor" Maybe<Code<SourceStatisticsDescriptor>>
            [int32, optional, tag = "11"] Option<i32>;
        relocation "relocationRequirement" Maybe<Code<RelocationRequirement>> [int32, optional, tag = "12"] Option<i32>;
    }
    SduParameters {
        error_ratio "sDU-ErrorRatio" One [message, optional, tag = "1"] Option<Ratio>;
        residual_bit_error_ratio "residualBitErrorRatio" One [message, optional, tag = "2"] Option<Ratio>;
        delivery_of_erroneous "deliveryOfErroneousSDU" Is<Code<DeliveryOfErroneousSdu>> [int32, tag = "3"] i32;
        format "sDU-FormatInformationParameters" All [message, repeated, tag = "4"] Vec<Format>;
    }
    Ratio {
        mantissa "mantissa" Is<Number> [uint32, tag = "1"] u32;
        exponent "exponent" Is<Number> [uint32, tag = "2"] u32;
    }
    Format {
        subflow_sdu_size "subflowSDU-Size" Maybe<Number> [uint32, optional, tag = "1"] Option<u32>;
        combination_bitrate "rAB-SubflowCombinationBitRate" Maybe<Number> [uint32, optional, tag = "2"] Option<u32>;
    }
    Allocation {
        priority_level "priorityLevel" Is<Number> [uint32, tag = "1"] u32;
        capability "pre-emptionCapability" Is<Code<PreemptionCapability>> [int32, tag = "2"] i32;
        vulnerability "pre-emptionVulnerability" Is<Code<PreemptionVulnerability>> [int32, tag = "3"] i32;
        queuing_allowed "queuingAllowed" Is<Code<QueuingAllowed>> [int32, tag = "4"] i32;
    }
    UserPlane {
        mode "userPlaneMode" Is<Code<UserPlaneMode>> [int32, tag = "1"] i32;
        versions "uP-ModeVersions" Is<Hex> [bytes = "vec", tag = "2"] Vec<u8>;
    }
    TransportLayer {
        address "transportLayerAddress" Is<Hex> [bytes = "vec", tag = "1"] Vec<u8>;
        gtp_tei "gTP-TEI" Maybe<Hex> [bytes = "vec", optional, tag = "2"] Option<Vec<u8>>;
        binding_id "bindingID" Maybe<Hex> [bytes = "vec", optional, tag = "3"] Option<Vec<u8>>;
    }
    ReleaseList {
        item "rAB-ReleaseItem" All [message, repeated, tag = "1"] Vec<ReleaseItem>;
    }
    ReleaseItem {
        id "rAB-ID" Is<Hex> [bytes = "vec", tag = "1"] Vec<u8>;
        cause "cause" One [message, optional, tag = "2"] Option<Cause>;
    }
    Cause {
        radio_network "radioNetwork" Maybe<Number> [uint32, optional, tag = "1"] Option<u32>;
        transmission_network "transmissionNetwork" Maybe<Number> [uint32, optional, tag = "2"] Option<u32>;
        nas "nAS" Maybe<Number> [uint32, optional, tag = "3"] Option<u32>;
        protocol "protocol" Maybe<Number> [uint32, optional, tag = "4"] Option<u32>;
        misc "misc" Maybe<Number> [uint32, optional, tag = "5"] Option<u32>;
    }
}
