// gSOAP at its best: WITH_FAST and WITH_NOIDREF, no HTTP, the message handed over in one piece, its
// memory given back to its own pool between messages.
#include "soapH.h"
#include <stdlib.h>
#include <string.h>

SOAP_NMAC struct Namespace namespaces[] = {
    {"SOAP-ENV", "http://schemas.xmlsoap.org/soap/envelope/", NULL, NULL},
    {"SOAP-ENC", "http://schemas.xmlsoap.org/soap/encoding/", NULL, NULL},
    {"xsi", "http://www.w3.org/2001/XMLSchema-instance", NULL, NULL},
    {"xsd", "http://www.w3.org/2001/XMLSchema", NULL, NULL},
    {"b", "urn:bsoap-bench", NULL, NULL},
    {NULL, NULL, NULL, NULL}};

int b__sendDoubles(struct soap *soap, struct Doubles data) { return SOAP_OK; }
int b__sendInts(struct soap *soap, struct Ints data) { return SOAP_OK; }
int b__sendPoints(struct soap *soap, struct Points data) { return SOAP_OK; }

struct peer {
    struct soap *soap;
    const char *at;
    size_t left;
    struct b__sendDoubles doubles;
    struct b__sendInts ints;
    struct b__sendPoints points;
};

static size_t receive(struct soap *soap, char *to, size_t most) {
    struct peer *peer = soap->user;
    size_t n = peer->left < most ? peer->left : most;
    memcpy(to, peer->at, n);
    peer->at += n;
    peer->left -= n;
    return n;
}

long gsoap_version(void) { return GSOAP_VERSION; }

struct peer *gsoap_new(void) {
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer) abort();
    peer->soap = soap_new();
    if (!peer->soap) abort();
    peer->soap->frecv = receive;
    peer->soap->user = peer;
    return peer;
}

void gsoap_free(struct peer *peer) {
    soap_destroy(peer->soap);
    soap_end(peer->soap);
    soap_free(peer->soap);
    free(peer);
}

// Reads a message: of doubles (0), of ints (1), of points (2). Gives the number of items, -1 for an error.
long gsoap_read(struct peer *peer, int kind, const char *xml, size_t len) {
    struct soap *soap = peer->soap;
    soap_destroy(soap);
    soap_end(soap);
    peer->at = xml;
    peer->left = len;
    soap_begin(soap);
    if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) || soap_body_begin_in(soap))
        return -1;
    long items = -1;
    if (kind == 0) {
        soap_default_b__sendDoubles(soap, &peer->doubles);
        if (soap_get_b__sendDoubles(soap, &peer->doubles, "b:sendDoubles", NULL)) items = peer->doubles.data.__size;
    } else if (kind == 1) {
        soap_default_b__sendInts(soap, &peer->ints);
        if (soap_get_b__sendInts(soap, &peer->ints, "b:sendInts", NULL)) items = peer->ints.data.__size;
    } else {
        soap_default_b__sendPoints(soap, &peer->points);
        if (soap_get_b__sendPoints(soap, &peer->points, "b:sendPoints", NULL)) items = peer->points.data.__size;
    }
    if (items < 0 || soap_body_end_in(soap) || soap_envelope_end_in(soap) || soap_end_recv(soap)) return -1;
    return items;
}

// One number of the message read last, to compare.
double gsoap_item(const struct peer *peer, int kind, long item) {
    if (kind == 0) return peer->doubles.data.__ptr[item];
    return kind == 1 ? peer->ints.data.__ptr[item] : peer->points.data.__ptr[item].v;
}
