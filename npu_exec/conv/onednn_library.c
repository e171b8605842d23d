/* Opens the library at run time without harm and asks it about the machine. */
#include "npu_exec/conv/onednn_library.h"

#ifndef HAVE_ONEDNN

const char *onednn_load(OnednnUse use)
{
    (void)use;
    return NULL;
}

const char *onednn_about(Arena *a, bool *ret_fast)
{
    (void)a;
    *ret_fast = false;
    return "this program was built without it (libdnnl-dev): values run through plain kernels, "
           "slower";
}

bool onednn_is_ready(void)
{
    return false;
}

void onednn_configure(void)
{
}

#else

#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>

/* Making a primitive takes a millisecond or so, in which the plain kernels do this much. */
static const int64_t MIN_MACS = 1 << 24;

/* The process's one library, and its only state here: once loaded, it stays. */
static OnednnLibrary library;

const OnednnLibrary *onednn(void)
{
    return &library;
}

static bool find_functions(void *handle)
{
    bool ok = true;
#define X(f)                                                                                       \
    {                                                                                              \
        void *at = dlsym(handle, #f);                                                              \
        memcpy(&library.f, &at, sizeof at);                                                        \
        ok &= at != NULL;                                                                          \
    }
    ONEDNN_SHARED(X)
    ONEDNN_OWN(X)
#undef X
    return ok;
}

#ifdef __GLIBC__
static void end_as_limits_do(int status, void *unused)
{
    (void)unused;
    if (status == EXIT_FAILURE)
        exit_cleanup_fail_silently(2);
}
#endif

/* libgomp says that there is no memory, and calls exit.  What is registered last is called first:
 * once more after what a library registers, whose end is not for other threads to see. */
static void watch_exit(void)
{
#ifdef __GLIBC__
    on_exit(end_as_limits_do, NULL);
#endif
}

/* A C++ library throws when memory ends, and C code cannot catch that. */
static void end_without_memory(void)
{
    typedef void (*Handler)(void);
    Handler (*set_terminate)(Handler);
    void *handle = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL),
         *at = handle ? dlsym(handle, "_ZSt13set_terminatePFvvE") : NULL;
    memcpy(&set_terminate, &at, sizeof at);
    if (set_terminate)
        set_terminate(limits_out_of_memory);
    watch_exit();
}

/* "libdnnl.so.3"; distributions also count within: Debian 13 calls 3.7 "libdnnl.so.3.6". */
static void *open_library(void)
{
    char name[40];
    snprintf(name, sizeof name, "libdnnl.so.%d", DNNL_VERSION_MAJOR);
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (int minor = DNNL_VERSION_MINOR; !handle && minor >= 0; minor--) {
        snprintf(name, sizeof name, "libdnnl.so.%d.%d", DNNL_VERSION_MAJOR, minor);
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

/* Where there is no memory 2.x also writes to where an object was not made. */
static void on_load_crash(int signal_number)
{
    (void)signal_number;
    exit_cleanup_fail(
        2, "oneDNN broke off while it was loaded: --kernels plain does without it, --memory "
           "gives it more");
}

/* Those that it makes, and registers the end of, when they are first asked for. */
static void make_late_objects(void)
{
    int capacity;
    library.dnnl_get_effective_cpu_isa();
    library.dnnl_get_primitive_cache_capacity(&capacity);
}

static bool start_library(void)
{
    void *handle = open_library();
    bool ok =
        handle && find_functions(handle) && library.dnnl_version()->major == DNNL_VERSION_MAJOR &&
        library.dnnl_engine_create(&library.engine, dnnl_cpu, 0) == dnnl_success &&
        library.dnnl_stream_create(&library.stream, library.engine, dnnl_stream_default_flags) ==
            dnnl_success;
    if (ok)
        make_late_objects();
    return ok;
}

static bool start_guarded(void)
{
    struct sigaction guard = {.sa_handler = on_load_crash}, before;
    end_without_memory();
    sigaction(SIGSEGV, &guard, &before);
    bool ok = start_library();
    sigaction(SIGSEGV, &before, NULL);
    watch_exit();
    return ok;
}

const char *onednn_load(OnednnUse use)
{
    setenv("OMP_WAIT_POLICY", "passive", 0); /* threads that spin are in the way of others */
    if (!library.ready && !start_guarded())
        return NULL;
    const dnnl_version_t *v = library.dnnl_version();
    snprintf(library.name, sizeof library.name, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
    library.ready = true;
    library.least_macs = use == ONEDNN_ALWAYS ? 0 : MIN_MACS;
    return library.name;
}

bool onednn_is_ready(void)
{
    return library.ready;
}

void onednn_configure(void)
{
    int capacity;
    if (library.ready && library.dnnl_get_primitive_cache_capacity(&capacity) == dnnl_success) {
        library.dnnl_set_primitive_cache_capacity(0); /* forgets all of them */
        library.dnnl_set_primitive_cache_capacity(capacity);
    }
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

bool onednn_adds_bytes(void)
{
    switch ((int)library.dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_avx2_vnni:
    case dnnl_cpu_isa_avx512_core_vnni:
    case dnnl_cpu_isa_avx512_core_bf16:
    case dnnl_cpu_isa_avx512_core_amx:
        return true;
    default:
        return false;
    }
}

static const char *isa_name(void)
{
    static const struct {
        dnnl_cpu_isa_t isa;
        const char *name;
    } known[] = {
        {dnnl_cpu_isa_avx512_core_amx, "AMX"},
        {dnnl_cpu_isa_avx512_core_bf16, "AVX-512 with VNNI and bfloat16"},
        {dnnl_cpu_isa_avx512_core_vnni, "AVX-512 with VNNI"},
        {dnnl_cpu_isa_avx2_vnni, "AVX2 with VNNI"},
        {dnnl_cpu_isa_avx512_core, "AVX-512"},
        {dnnl_cpu_isa_avx2, "AVX2"},
    };
    int isa = (int)library.dnnl_get_effective_cpu_isa();
    return LIST_VALUE(i, sizeof known / sizeof *known, isa == (int)known[i].isa, known[i].name,
                      "instructions of another set");
}

const char *onednn_about(Arena *a, bool *ret_fast)
{
    const char *name = onednn_load(ONEDNN_LARGE);
    *ret_fast = name != NULL;
    if (!name)
        return arena_printf(a,
                            "libdnnl.so.%d is not there: values run through plain kernels, slower; "
                            "install libdnnl%d, or the package of another name that has it",
                            DNNL_VERSION_MAJOR, DNNL_VERSION_MAJOR);
    return arena_printf(a, "%s, %s: floats and bytes run through it%s", name, isa_name(),
                        onednn_adds_bytes() ? "" : ", bytes twice because VNNI is missing");
}

#endif
