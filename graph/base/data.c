/* Looks for a data file in $NPU_ADVISE_DATA, beside the binary and in the installed folders. */
#include "graph/base/data.h"

#include "graph/base/executable.h"

static const char variable[] = "NPU_ADVISE_DATA";

/* Beside the binary: up from build/npu-advise, build/debug/npu-advise or build/debug/fuzz/rule. */
static char *beside_binary(Arena *a, const char *room, const char *below)
{
    static const char *const up[] = {"..", "../..", "../../.."};
    const char *folder = executable_folder(a);
    if (!folder)
        return NULL;
    for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
        char *path = arena_printf(a, "%s/%s/%s/%s", folder, up[i], room, below);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Where it lies in a source tree, and below a folder that was installed. */
static char *find_data_path(Arena *a, const char *in_tree, const char *installed, const char *below)
{
    const char *named = getenv(variable);
    if (named && *named)
        return arena_printf(a, "%s/%s/%s", named, installed, below);
    char *path = beside_binary(a, in_tree, below);
    if (!path) /* bin/ and share/ of one prefix, wherever that was moved to */
        path = beside_binary(a, arena_printf(a, "share/npu-advise/%s", installed), below);
    return path ? path : arena_printf(a, "%s/%s/%s", NPU_ADVISE_DATADIR, installed, below);
}

char *data_path(Arena *a, const char *below_rules)
{
    return find_data_path(a, "rules", "rules", below_rules);
}

char *data_silicon_path(Arena *a, const char *name)
{
    return find_data_path(a, "npu_exec/silicon", "silicon", name);
}

bool data_has_silicon(Arena *a, const char *chip)
{
    return access(data_silicon_path(a, arena_printf(a, "%s.xml", chip)), R_OK) == 0;
}

Status data_check(const char *path, Diag *diag)
{
    const char *named = getenv(variable);
    if (access(path, R_OK) == 0)
        return STATUS_OK;
    if (named && *named)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "%s is '%s', which is not a folder with rules and silicon in it; name one, "
                        "such as /usr/share/npu-advise, or unset it",
                        variable, named);
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "the rules are found neither beside the program nor in %s: install the whole "
                    "package again, or set %s to the folder that holds rules and silicon",
                    NPU_ADVISE_DATADIR, variable);
}
