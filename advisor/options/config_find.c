/* Finds the settings files that apply to a model and checks who owns them. */
#include "advisor/options/config_parts.h"

#include <sys/stat.h>

static const char config_name[] = "npu-advise.json";

const char *config_path_resolve(Arena *a, const char *path)
{
    char real[PATH_MAX];
    return arena_strdup(a, realpath(path, real) ? real : path);
}

static const char *child_path(Arena *a, const char *folder, const char *name)
{
    return arena_printf(a, "%s/%s", folder[1] ? folder : "", name);
}

bool config_path_is_within(const char *folder, const char *above)
{
    size_t n = strlen(above);
    return !strcmp(above, "/") || (!strncmp(folder, above, n) && (!folder[n] || folder[n] == '/'));
}

/* A submodule, whose .git is a file that points into /modules/, is not a root. */
static bool is_repository(Arena *a, const char *folder)
{
    const char *path = child_path(a, folder, ".git");
    char text[4096];
    size_t n = file_in_peek(path, text, sizeof text);
    return access(path, F_OK) == 0 && !memmem(text, n, "/modules/", sizeof "/modules/" - 1);
}

static const char *find_root(Arena *a, const char *model_folder)
{
    const char *dir = model_folder, *here = config_path_resolve(a, ".");
    for (int i = 0; i < CONFIG_DEPTH && *dir == '/'; i++) {
        if (is_repository(a, dir))
            return dir;
        if (!dir[1])
            break;
        dir = file_folder(a, dir);
    }
    return config_path_is_within(model_folder, here) ? here : model_folder;
}

/* Files of other users are not obeyed, except for --root's owner and sudo's caller. */
static const char *why_not_ours(Arena *a, const char *path, const char *vouched)
{
    struct stat st, root;
    const char *caller = getenv("SUDO_UID");
    if (stat(path, &st) != 0)
        return "cannot be read";
    uid_t me = geteuid();
    if (st.st_uid == me || st.st_uid == 0)
        return NULL;
    if (vouched && stat(vouched, &root) == 0 && root.st_uid == st.st_uid)
        return NULL;
    if (me == 0 && caller && strtoul(caller, NULL, 10) == st.st_uid)
        return NULL;
    return arena_printf(
        a,
        "belongs to another user (%u, you are %u): give --root with the folder that "
        "you trust, --config, or --isolated",
        (unsigned)st.st_uid, (unsigned)me);
}

/* The folders from the root down to the model's, at most CONFIG_DEPTH. */
static const char **folders_to_root(Arena *a, const char *root, const char *model_folder,
                                    size_t *ret_count)
{
    const char **dir = ARENA_ARRAY(a, const char *, CONFIG_DEPTH), *at = model_folder;
    size_t first = CONFIG_DEPTH;
    while (first > 0) {
        dir[--first] = at;
        if (!strcmp(at, root) || !at[1])
            break;
        at = file_folder(a, at);
    }
    *ret_count = CONFIG_DEPTH - first;
    return dir + first;
}

static void find_in_tree(Arena *a, const Args *args, const char *root, const char *model_folder,
                         FoundFile **ret, size_t *ret_count)
{
    assert(config_path_is_within(model_folder, root));
    size_t n, cap = *ret_count;
    bool root_decides = !args_flag(args, OPTION_CONFIG) && !args_flag(args, OPTION_BASELINE);
    const char **dir = folders_to_root(a, root, model_folder, &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = child_path(a, dir[i], config_name);
        if (access(path, F_OK) != 0)
            continue;
        *VEC_PUSH(a, *ret, *ret_count, cap) =
            (FoundFile){.path = path,
                        .root = root,
                        .shown = path + strlen(root) + (root[1] ? 1 : 0),
                        .decides = root_decides && !strcmp(dir[i], root),
                        .refused = why_not_ours(a, path, args_text(args, OPTION_ROOT, NULL))};
    }
}

static Status check_given(const Args *args, Diag *diag)
{
    const OptionId other[] = {OPTION_CONFIG, OPTION_ROOT};
    for (size_t i = 0; args_flag(args, OPTION_ISOLATED) && i < 2; i++)
        if (args_text(args, other[i], NULL))
            return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s and --isolated exclude each other",
                            option_flag(other[i]));
    return STATUS_OK;
}

/* A root that cannot be found may still have settings. */
static Status check_depth(const char *model_path, Diag *diag)
{
    char real[PATH_MAX];
    if (!realpath(model_path, real) && errno == ENAMETOOLONG)
        return diag_set(diag, STATUS_INPUT, model_path, NULL,
                        "lies too deep (its full path has more than %d bytes) to find the "
                        "npu-advise.json above it; --isolated reads none",
                        PATH_MAX - 1);
    return STATUS_OK;
}

Status config_find(Arena *a, const Args *args, const char *model_path, ConfigScope scope,
                   FoundFile **ret, size_t *ret_count, Diag *diag)
{
    const char *given = args_text(args, OPTION_CONFIG, NULL),
               *vouched = args_text(args, OPTION_ROOT, NULL);
    const char *model_folder =
        config_path_resolve(a, file_folder(a, config_path_resolve(a, model_path)));
    const char *root = vouched ? config_path_resolve(a, vouched) : find_root(a, model_folder);
    Status st = check_given(args, diag);
    *ret = ARENA_NEW(a, FoundFile);
    *ret_count = 0;
    if (st || args_flag(args, OPTION_ISOLATED))
        return st;
    if ((st = check_depth(model_path, diag)))
        return st;
    if (vouched && !config_path_is_within(model_folder, root))
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_ROOT),
                        "'%s' is not above the model", vouched);
    if (given)
        (*ret)[(*ret_count)++] =
            (FoundFile){.path = given, .shown = given, .root = root, .decides = true};
    if (scope == CONFIG_IN_TREE)
        find_in_tree(a, args, root, model_folder, ret, ret_count);
    return STATUS_OK;
}
