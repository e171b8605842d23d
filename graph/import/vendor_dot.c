/* Reads the DOT of the vendor's quantizer: operators with HTML labels, tensors, edges. */
#include "graph/import/vendor_read.h"

#include "graph/import/dot_scan.h"
#include "graph/import/vendor_label.h"

/* A tensor as an end of the graph: its position there. */
typedef struct {
    int64_t position;
    uint32_t tensor;
} End;

typedef struct {
    End *end;
    size_t count, cap;
} Ends;

typedef struct {
    VendorGraph *g;
    Diag *diag;
    DotScan scan;
    StrMap op, tensor;         /* by node name */
    const char **tensor_label; /* by tensor; NULL: only seen in edges */
    size_t nlabel, label_cap;
    Ends inputs, outputs;
} DotReader;

bool vendor_graph_is_dot(const uint8_t *data, size_t size)
{
    static const char digraph[] = "digraph", label[] = "[label=<", table[] = "<TABLE", o[] = ">O";
    const uint8_t *at = size ? memmem(data, size, label, sizeof label - 1) : NULL;
    if (!at || !memmem(data, (size_t)(at - data), digraph, sizeof digraph - 1))
        return false;
    size_t rest = size - (size_t)(at - data);
    return memmem(at, rest, table, sizeof table - 1) && memmem(at, rest, o, sizeof o - 1);
}

static Status reader_error(const DotReader *d, const char *fact)
{
    return diag_set(d->diag, STATUS_INPUT, d->g->path,
                    arena_printf(d->g->arena, "line %zu", d->scan.line), "%s", fact);
}

/* ---- nodes */

/* "tensor_12" of word "tensor_": its number. */
static bool numbered(const char *name, const char *word, uint32_t *ret)
{
    size_t n = strlen(word);
    if (strncmp(name, word, n) != 0 || !isdigit((unsigned char)name[n]))
        return false;
    unsigned long long id = strtoull(name + n, NULL, 10);
    *ret = id < VENDOR_NONE ? (uint32_t)id : VENDOR_NONE;
    return id < VENDOR_NONE && name[n + strspn(name + n, "0123456789")] == 0;
}

/* The operator, made when it is new: valid until the next one is. */
static VendorOp *find_operator(DotReader *d, const char *name)
{
    uint32_t index = strmap_number(&d->op, name, d->g->nop);
    if (index == d->g->nop)
        *VEC_PUSH(d->g->arena, d->g->op, d->g->nop, d->g->op_cap) =
            (VendorOp){.name = "", .model = VENDOR_NONE};
    return &d->g->op[index];
}

static uint32_t find_tensor(DotReader *d, const char *name, uint32_t id)
{
    uint32_t index = strmap_number(&d->tensor, name, d->g->ntensor);
    if (index < d->g->ntensor)
        return index;
    *VEC_PUSH(d->g->arena, d->g->tensor, d->g->ntensor, d->g->tensor_cap) =
        (VendorTensor){.id = id, .name = "", .axis = -1, .producer = VENDOR_NONE};
    *VEC_PUSH(d->g->arena, d->tensor_label, d->nlabel, d->label_cap) = NULL;
    return index;
}

static void add_end(DotReader *d, Ends *ends, int64_t position, uint32_t id)
{
    if (position >= 0)
        *VEC_PUSH(d->g->arena, ends->end, ends->count, ends->cap) = (End){position, id};
}

static Status label_error(const DotReader *d, const char *node, const char *fact)
{
    return reader_error(d, arena_printf(d->g->arena, "%s: %s", node, fact));
}

/* A tensor's node is repeated wherever the tensor is read. */
static Status label_tensor(DotReader *d, const char *node, uint32_t id, const char *label)
{
    uint32_t index = find_tensor(d, node, id);
    const char *before = d->tensor_label[index];
    VendorEnd end;
    if (before)
        return strcmp(before, label) == 0
                   ? STATUS_OK
                   : label_error(d, node, "is described twice, and differently");
    d->tensor_label[index] = label;
    const char *fact = vendor_label_tensor(d->g->arena, label, &d->g->tensor[index], &end);
    if (fact)
        return label_error(d, node, fact);
    add_end(d, &d->inputs, end.input, id);
    add_end(d, &d->outputs, end.output, id);
    return STATUS_OK;
}

static Status label_operator(DotReader *d, const char *node, const char *label)
{
    VendorOp *op = find_operator(d, node);
    if (op->type)
        return label_error(d, node, "is described twice");
    const char *fact = vendor_label_operator(d->g->arena, label, op);
    return fact ? label_error(d, node, fact) : STATUS_OK;
}

static Status label_node(DotReader *d, const char *node, const char *label)
{
    uint32_t id;
    if (numbered(node, "tensor_", &id))
        return label_tensor(d, node, id, label);
    if (numbered(node, "operator_", &id))
        return label_operator(d, node, label);
    return label_error(d, node, "is neither tensor_N nor operator_N");
}

/* ---- edges */

static Status add_input(DotReader *d, const char *node, const char *port, uint32_t tensor)
{
    uint32_t number;
    VendorOp *op = find_operator(d, node);
    if (!port || !numbered(port, "Input", &number) || number != op->input.count ||
        number >= VENDOR_MAX_PORTS)
        return label_error(d, node, "its edges do not lead to Input0, Input1 and so on");
    vendor_port_add(d->g->arena, &op->input, tensor);
    return STATUS_OK;
}

static Status add_edge(DotReader *d, const char *from, const char *to, const char *port)
{
    uint32_t id, number;
    if (numbered(from, "tensor_", &id) && numbered(to, "operator_", &number)) {
        find_tensor(d, from, id);
        return add_input(d, to, port, id);
    }
    if (!numbered(from, "operator_", &number) || !numbered(to, "tensor_", &id))
        return reader_error(d, "an edge that is not between an operator and a tensor");
    find_tensor(d, to, id);
    VendorOp *op = find_operator(d, from);
    if (op->output.count == VENDOR_MAX_PORTS)
        return label_error(d, from, "writes too many tensors");
    vendor_port_add(d->g->arena, &op->output, id);
    return STATUS_OK;
}

/* ---- statements */

/* [label=… xlabel=… …] */
static Status parse_attributes(DotReader *d, const char *node)
{
    Status st = STATUS_OK;
    dot_scan_next(&d->scan);
    while (!st && !dot_scan_at_mark(&d->scan, ']')) {
        if (d->scan.now.kind == TOKEN_END || d->scan.now.kind == TOKEN_BAD)
            return reader_error(d, "a list of attributes does not end");
        const char *key = d->scan.now.kind == TOKEN_ID ? d->scan.now.text : NULL;
        dot_scan_next(&d->scan);
        if (!key || !dot_scan_at_mark(&d->scan, '='))
            continue;
        dot_scan_next(&d->scan);
        if (d->scan.now.kind == TOKEN_ID && strcmp(key, "label") == 0)
            st = label_node(d, node, d->scan.now.text);
        if (d->scan.now.kind == TOKEN_ID)
            dot_scan_next(&d->scan);
    }
    dot_scan_next(&d->scan);
    return st;
}

/* Takes ":Port". */
static const char *take_port(DotReader *d)
{
    if (!dot_scan_at_mark(&d->scan, ':'))
        return NULL;
    dot_scan_next(&d->scan);
    const char *port = d->scan.now.kind == TOKEN_ID ? d->scan.now.text : NULL;
    if (port)
        dot_scan_next(&d->scan);
    return port;
}

static Status parse_edge(DotReader *d, const char *from)
{
    dot_scan_next(&d->scan);
    if (d->scan.now.kind != TOKEN_ID)
        return reader_error(d, "an edge leads nowhere");
    const char *to = d->scan.now.text;
    dot_scan_next(&d->scan);
    return add_edge(d, from, to, take_port(d));
}

static Status parse_statement(DotReader *d)
{
    if (d->g->nop + d->g->ntensor >= VENDOR_MAX_ITEMS)
        return reader_error(d, "has more than 262,144 tensors and operators");
    if (dot_scan_at_mark(&d->scan, ';')) {
        dot_scan_next(&d->scan);
        return STATUS_OK;
    }
    if (d->scan.now.kind != TOKEN_ID)
        return reader_error(d, "is not the vendor's DOT");
    const char *node = d->scan.now.text;
    dot_scan_next(&d->scan);
    take_port(d);
    if (d->scan.now.kind == TOKEN_ARROW)
        return parse_edge(d, node);
    return dot_scan_at_mark(&d->scan, '[') ? parse_attributes(d, node) : STATUS_OK;
}

/* ---- graph */

ORDER_BY(by_position, End, COMPARE(a->position, b->position))

static void put_ends(DotReader *d, Ends *ends, VendorPorts *ports)
{
    ORDER_LIST(ends->end, ends->count, by_position);
    for (size_t i = 0; i < ends->count; i++)
        vendor_port_add(d->g->arena, ports, ends->end[i].tensor);
}

/* Every node has a label; the last input of ONNX Runtime is its model. */
static Status end_nodes(DotReader *d)
{
    for (size_t i = 0; i < d->g->ntensor; i++)
        if (!d->tensor_label[i])
            return reader_error(d,
                                arena_printf(d->g->arena, "tensor_%u has no label: it is cut off",
                                             d->g->tensor[i].id));
    for (size_t i = 0; i < d->g->nop; i++) {
        VendorOp *op = &d->g->op[i];
        if (!op->type)
            return reader_error(d, "an operator has no label: the file is cut off");
        if (op->kind == VENDOR_ONNX_RUNTIME && op->input.count)
            op->model = op->input.tensor[--op->input.count];
    }
    return STATUS_OK;
}

Status vendor_read_dot(VendorGraph *g, Bytes file, Diag *diag)
{
    DotReader d = {.g = g, .diag = diag};
    strmap_init(&d.op, g->arena, 256);
    strmap_init(&d.tensor, g->arena, 256);
    dot_scan_begin(&d.scan, g->arena, (const char *)file.data, file.size);
    while (d.scan.now.kind == TOKEN_ID) /* digraph DAG */
        dot_scan_next(&d.scan);
    if (!dot_scan_at_mark(&d.scan, '{'))
        return reader_error(&d, "a digraph begins with '{'");
    dot_scan_next(&d.scan);
    Status st = STATUS_OK;
    while (!st && !dot_scan_at_mark(&d.scan, '}'))
        st = d.scan.now.kind == TOKEN_END ? reader_error(&d, "the graph does not end")
                                          : parse_statement(&d);
    if (st)
        return st;
    put_ends(&d, &d.inputs, &g->input);
    put_ends(&d, &d.outputs, &g->output);
    return end_nodes(&d);
}
