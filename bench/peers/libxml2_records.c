/* libxml2: the messages of the table tdxml as records, by its tree and by its writer. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#define ACCOUNT 8
#define PRODUCT 11

static const char *const account_names[ACCOUNT] = {
    "customerAccountNumber", "customerFirstName", "customerLastName", "customerStreetAddress",
    "customerEmailAddress", "accountOpeningDate", "lastTransactionDate", "isPreferredCustomer"};
static const char *const product_names[PRODUCT] = {
    "productNumber", "productDescription", "manufacturerCode", "orderedQuantity", "deliveredQuantity", "unitOfMeasure",
    "pricePerUnit", "discountPercentage", "isTaxExempted", "deliveryDateAndTime", "totalAmountDue"};

typedef struct {
    char *field[PRODUCT];
    int count;
} record;

/* A text alone, or accounts, or an account with products or with a picture. */
typedef struct {
    char *root;
    char *text;
    record *records;
    int count, room, is_one;
    const char *const *names[64];
} message;

static char *copy(const xmlNode *node) {
    /* The text of a leaf is one node: it contains no unresolved reference. */
    const xmlNode *text = node->children;
    return strdup(text && text->content ? (const char *)text->content : "");
}

static int fill(record *out, const xmlNode *node, const char *const *names, int count) {
    int next = 0;
    out->count = count;
    memset(out->field, 0, sizeof out->field);
    for (const xmlNode *child = node->children; child; child = child->next) {
        if (child->type != XML_ELEMENT_NODE)
            continue;
        int found = next;
        while (found < count && strcmp((const char *)child->name, names[found]) != 0)
            found++;
        if (found == count)
            return -1;
        out->field[found] = copy(child);
        next = found + 1;
    }
    return 0;
}

static record *one_more(message *m, const char *const *names) {
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 4;
        m->records = realloc(m->records, m->room * sizeof(record));
    }
    m->names[m->count] = names;
    return &m->records[m->count++];
}

void libxml2_message_free(message *m) {
    for (int i = 0; i < m->count; i++)
        for (int j = 0; j < m->records[i].count; j++)
            free(m->records[i].field[j]);
    free(m->records);
    free(m->root);
    free(m->text);
    free(m);
}

message *libxml2_message_read(const char *xml, size_t len) {
    xmlDoc *doc = xmlReadMemory(xml, (int)len, NULL, NULL, XML_PARSE_NONET | XML_PARSE_COMPACT | XML_PARSE_NOBLANKS | XML_PARSE_HUGE);
    if (!doc)
        return NULL;
    xmlNode *root = xmlDocGetRootElement(doc);
    message *m = calloc(1, sizeof *m);
    m->root = strdup((const char *)root->name);
    int failed = 0;
    if (root->children && root->children->type == XML_TEXT_NODE) {
        m->text = copy(root);
    } else if (strcmp(m->root, "CustomerAccount") == 0) {
        m->is_one = 1;
        failed = fill(one_more(m, account_names), root, account_names, ACCOUNT);
    } else {
        for (xmlNode *child = root->children; child && !failed; child = child->next) {
            if (strcmp((const char *)child->name, "Product") == 0)
                failed = fill(one_more(m, product_names), child, product_names, PRODUCT);
            else if (strcmp((const char *)child->name, "photograph") == 0)
                m->text = copy(child);
            else
                failed = fill(one_more(m, account_names), child, account_names, ACCOUNT);
        }
    }
    xmlFreeDoc(doc);
    if (failed) {
        libxml2_message_free(m);
        return NULL;
    }
    return m;
}

static void put(xmlTextWriter *writer, const record *one, const char *const *names) {
    xmlTextWriterStartElement(writer, BAD_CAST(names == product_names ? "Product" : "CustomerAccount"));
    for (int j = 0; j < one->count; j++)
        if (one->field[j])
            xmlTextWriterWriteElement(writer, BAD_CAST names[j], BAD_CAST one->field[j]);
    xmlTextWriterEndElement(writer);
}

/* Writes into a buffer that is kept; gives how long the text is. */
size_t libxml2_message_write(const message *m, xmlBuffer *buffer) {
    xmlBufferEmpty(buffer);
    xmlTextWriter *writer = xmlNewTextWriterMemory(buffer, 0);
    if (m->is_one) {
        put(writer, &m->records[0], m->names[0]);
    } else {
        xmlTextWriterStartElement(writer, BAD_CAST m->root);
        for (int i = 0; i < m->count; i++)
            put(writer, &m->records[i], m->names[i]);
        if (m->text && m->count)
            xmlTextWriterWriteElement(writer, BAD_CAST "photograph", BAD_CAST m->text);
        else if (m->text)
            xmlTextWriterWriteString(writer, BAD_CAST m->text);
        xmlTextWriterEndElement(writer);
    }
    xmlTextWriterFlush(writer);
    xmlFreeTextWriter(writer);
    return (size_t)xmlBufferLength(buffer);
}

xmlBuffer *libxml2_buffer_new(void) { return xmlBufferCreate(); }
void libxml2_buffer_free(xmlBuffer *buffer) { xmlBufferFree(buffer); }
const char *libxml2_buffer_text(xmlBuffer *buffer) { return (const char *)xmlBufferContent(buffer); }
const char *libxml2_version(void) { return LIBXML_DOTTED_VERSION; }
