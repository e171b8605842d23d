/* Maps the kinds of edit to their names and back. */
#include "graph/edit/edit.h"

static const char *const name_of[] = {
#define EDIT(id, name, function, resizes) name,
#include "graph/edit/edits.def"
};
static_assert(sizeof name_of / sizeof *name_of == EDIT_COUNT, "a name for each kind of edit");

const char *edit_name(EditKind k)
{
    assert(k < EDIT_COUNT);
    return name_of[k];
}

bool edit_from_name(const char *name, EditKind *ret)
{
    int kind = LIST_VALUE(k, EDIT_COUNT, strcmp(name_of[k], name) == 0, k, -1);
    if (kind >= 0)
        *ret = (EditKind)kind;
    return kind >= 0;
}
