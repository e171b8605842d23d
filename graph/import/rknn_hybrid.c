/* Reads the settings of hybrid_quantization_step1: YAML with the types of tensors that the user
 * chose, and of all. */
#include "graph/import/imported.h"
#include "graph/import/rknn_table.h"

#include <yaml.h>

/* Pairs of a mapping; none of anything else. */
#define EACH_PAIR(p, map)                                                                          \
    for (const yaml_node_pair_t *p = (map)->data.mapping.pairs.start;                              \
         (map)->type == YAML_MAPPING_NODE && p < (map)->data.mapping.pairs.top; p++)

static const char *text_of(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

/* The member of that name; the mapping itself where it has none. */
static const yaml_node_t *member(yaml_document_t *d, const yaml_node_t *map, const char *name)
{
    EACH_PAIR(p, map)
    {
        if (!strcmp(text_of(yaml_document_get_node(d, p->key)), name))
            return yaml_document_get_node(d, p->value);
    }
    return map;
}

/* "NAME: float16", or "NAME:" with a mapping that has "dtype"; the line that is neither, or 0. */
static size_t read_types(Arena *a, yaml_document_t *d, const yaml_node_t *map, const char *by,
                         RknnLog *l)
{
    EACH_PAIR(p, map)
    {
        const yaml_node_t *key = yaml_document_get_node(d, p->key);
        const char *type = text_of(member(d, yaml_document_get_node(d, p->value), "dtype"));
        if (!strpbrk(type, "0123456789"))
            return key->start_mark.line + 1;
        if (!strcmp(type, "float16") && l->nloss < IMPORT_MAX_ITEMS)
            *VEC_PUSH(a, l->loss, l->nloss, l->loss_cap) =
                (RknnLoss){arena_strdup(a, text_of(key)), NAN, by};
    }
    return map->type == YAML_SEQUENCE_NODE || *text_of(map) ? map->start_mark.line + 1 : 0;
}

size_t rknn_read_hybrid(Arena *a, const char *text, size_t size, RknnLog *log)
{
    yaml_parser_t yaml;
    yaml_document_t d;
    if (!yaml_parser_initialize(&yaml))
        return 1;
    yaml_parser_set_input_string(&yaml, (const unsigned char *)text, size);
    bool good = yaml_parser_load(&yaml, &d);
    size_t bad = yaml.problem_mark.line + 1;
    if (good) {
        const yaml_node_t *root = yaml_document_get_root_node(&d);
        bad = read_types(a, &d, member(&d, root, "custom_quantize_layers"), "user", log);
        if (!bad)
            bad = read_types(a, &d, member(&d, root, "quantize_parameters"), "toolkit", log);
        yaml_document_delete(&d);
    }
    yaml_parser_delete(&yaml);
    return bad;
}
