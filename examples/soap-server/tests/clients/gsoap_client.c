/* Calls the service with the code that gSOAP generates from its description: gsoap_client URL VERSION. VERSION is the
 * version of SOAP that soapcpp2 was run with, 1 or 2. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soapH.h"
#include "EncodedBinding.nsmap"

#define MOST 300

static uint64_t state = 7;

static uint32_t next(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Any double that is a number. */
static double some_double(void)
{
    double value;
    do {
        uint64_t bits = (uint64_t)next(1u << 31) << 33 ^ (uint64_t)next(1u << 31) << 11 ^ next(1u << 11);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void fail(struct soap *soap, const char *what)
{
    fprintf(stderr, "%s\n", what);
    if (soap->error)
        soap_print_fault(soap, stderr);
    exit(1);
}

/* A sum of doubles, a few of which change, while the array becomes longer and shorter; which of three ways. */
static void sums(struct soap *soap, const char *url, int way)
{
    double data[MOST];
    int n, round, size = 200;
    for (n = 0; n < MOST; n++)
        data[n] = some_double();
    for (round = 0; round < 60; round++) {
        double given = 0, sum = 0;
        int changes = (int)next(6);
        size += (int)next(3) - 1;
        while (changes-- > 0)
            data[next((uint32_t)size)] = some_double();
        for (n = 0; n < size; n++)
            sum += data[n];
        if (way == 0) {
            struct ArrayOfDouble array = { data, size };
            if (soap_call_ns1__sendDoubles(soap, url, NULL, &array, &given))
                fail(soap, "sendDoubles");
        } else {
            struct _ns2__sum request = { size, data };
            struct _ns2__sumResponse response;
            if (way == 1 ? soap_call___ns1__sum(soap, url, NULL, &request, &response)
                         : soap_call___ns1__sum_(soap, url, NULL, &request, &response))
                fail(soap, "sum");
            if (response.count != size)
                fail(soap, "another number of doubles");
            given = response.sum;
        }
        if (given != sum && !(isnan(given) && isnan(sum)))
            fail(soap, "another sum");
        soap_destroy(soap);
        soap_end(soap);
    }
}

static void searches(struct soap *soap, const char *url)
{
    static const char *questions[] = { "grid", "Differential", "<again>", "piece by", "& friends", "none such", "" };
    static const int found[] = { 1, 2, 1, 2, 1, 0, 5 };
    int round;
    for (round = 0; round < 70; round++) {
        int which = round % 7;
        char *question = (char *)questions[which];
        struct ns1__doGoogleSearchResponse encoded;
        struct _ns2__search request = { question, 0, 3, NULL, NULL };
        struct _ns2__searchResponse literal;
        int most = found[which] < 3 ? found[which] : 3;
        if (soap_call_ns1__doGoogleSearch(soap, url, NULL, "key", question, 0, 3, 1, "", 0, "", "latin1", "latin1", &encoded))
            fail(soap, "doGoogleSearch");
        if (!encoded.return_ || strcmp(encoded.return_->searchQuery, question) ||
            encoded.return_->estimatedTotalResultsCount != found[which] ||
            encoded.return_->resultElements->__size != most)
            fail(soap, "other results, encoded");
        if (soap_call___ns1__search(soap, url, NULL, &request, &literal))
            fail(soap, "search");
        if (strcmp(literal.q, question) || literal.estimatedTotalResultsCount != found[which] ||
            literal.__sizeresult != most)
            fail(soap, "other results, literal");
        soap_destroy(soap);
        soap_end(soap);
    }
}

int main(int argc, char **argv)
{
    struct soap *soap = soap_new1(SOAP_IO_KEEPALIVE);
    struct _ns2__search bad = { "a", -1, 1, NULL, NULL };
    struct _ns2__searchResponse none;
    int version = argc == 3 ? atoi(argv[2]) : 0;
    if (version == 1) {
        /* Arguments that are equal by their address are sent once, and referred to. */
        searches(soap, argv[1]);
        soap_set_omode(soap, SOAP_XML_TREE);
        sums(soap, argv[1], 0);
        sums(soap, argv[1], 1);
        if (soap_call___ns1__search(soap, argv[1], NULL, &bad, &none) != SOAP_FAULT)
            fail(soap, "no fault");
    } else {
        sums(soap, argv[1], 2);
        if (soap_call___ns1__search_(soap, argv[1], NULL, &bad, &none) != SOAP_FAULT)
            fail(soap, "no fault");
    }
    if (soap->version != version)
        fail(soap, "another version of SOAP");
    if (!strstr(version == 1 ? soap->fault->faultstring : soap->fault->SOAP_ENV__Reason->SOAP_ENV__Text, "negative"))
        fail(soap, "another fault");
    puts(version == 1 ? "260 calls" : "60 calls");
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return 0;
}
