/* Boxes that are kept picture by picture: what is taken back, what is none, and which are alike. */
#include "advisor/measure/average_precision.h"
#include "tests/unit/check.h"

#include <string.h>

static const struct {
    const char *kept;
    bool good;
} row[] = {
    {"{\"there\":[],\"drawn\":[]}", true},
    {"{\"there\":[0,1],\"drawn\":[0,0.5,1023,0]}", true}, /* ten IoUs: 2^10 - 1 */
    {"{\"there\":[1000000000,1000000000],\"drawn\":[1000000000,-2.5,0,1023]}", true},
    {"{\"there\":[0,1]}", false},
    {"{\"drawn\":[0,0.5,1,0]}", false},
    {"{\"there\":{},\"drawn\":[]}", false},
    {"{\"there\":[],\"drawn\":{}}", false},
    {"{\"there\":[0],\"drawn\":[]}", false},
    {"{\"there\":[0,1,2],\"drawn\":[]}", false},
    {"{\"there\":[0,\"1\"],\"drawn\":[]}", false},
    {"{\"there\":[-1,1],\"drawn\":[]}", false},
    {"{\"there\":[0,-1],\"drawn\":[]}", false},
    {"{\"there\":[0.5,1],\"drawn\":[]}", false},
    {"{\"there\":[0,1.5],\"drawn\":[]}", false},
    {"{\"there\":[1000000001,1],\"drawn\":[]}", false},
    {"{\"there\":[0,1000000001],\"drawn\":[]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,1]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,1,0,0]}", false},
    {"{\"there\":[],\"drawn\":[0,null,1,0]}", false},
    {"{\"there\":[],\"drawn\":[-1,0.5,1,0]}", false},
    {"{\"there\":[],\"drawn\":[0.5,0.5,1,0]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,1024,0]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,0,1024]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,0.5,0]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,0,0.5]}", false},
    {"{\"there\":[],\"drawn\":[0,0.5,-1,0]}", false},
};

/* What is kept of a ranking that this was put into is the same text. */
static void check_restored(Arena *a)
{
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        AveragePrecision *p = average_precision_new(a);
        cJSON *o = cJSON_Parse(row[i].kept), *back = NULL;
        char *text = NULL;
        CHECK(average_precision_restore(p, o) == row[i].good);
        if (row[i].good) {
            back = average_precision_to_json(p, 0);
            text = cJSON_PrintUnformatted(back);
            CHECK(!strcmp(text, row[i].kept));
        }
        cJSON_free(text);
        cJSON_Delete(back);
        cJSON_Delete(o);
    }
}

static AveragePrecision *ranking_of(Arena *a, const char *const *kept, size_t n)
{
    AveragePrecision *p = average_precision_new(a);
    for (size_t i = 0; i < n; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"there\":[],\"drawn\":%s}", kept[i]);
        cJSON *o = cJSON_Parse(text);
        CHECK(average_precision_restore(p, o));
        cJSON_Delete(o);
    }
    return p;
}

/* A picture of nothing before the one to look at, and one behind it. */
static AveragePrecision *among(Arena *a, const char *drawn)
{
    return ranking_of(a, (const char *[]){"[]", drawn, "[7,0.25,1,0]"}, 3);
}

/* What the next picture has is not this one's; behind the last there is nothing. */
static void check_ends(Arena *a)
{
    const char *both[] = {"[0,0.5,1,0,0,0.25,1,0]", "[]"},
               *apart[] = {"[0,0.5,1,0]", "[0,0.25,1,0]"}, *one[] = {"[0,0,0,0]"}, *none[] = {"[]"};
    AveragePrecision *p = ranking_of(a, both, 2), *q = ranking_of(a, apart, 2);
    CHECK(!average_precision_same(p, q, 0) && !average_precision_same(q, p, 0));
    p = ranking_of(a, one, 1);
    q = ranking_of(a, none, 1);
    CHECK(!average_precision_same(p, q, 0) && !average_precision_same(q, p, 0) &&
          average_precision_same(q, q, 0));
}

static void check_alike(Arena *a)
{
    static const char *const other[] = {"[]",
                                        "[0,0.5,3,4]",
                                        "[0,0.5,3,4,1,0.5,3,8]",
                                        "[0,0.5,3,4,1,0.5,2,4]",
                                        "[0,0.5,3,4,2,0.5,3,4]",
                                        "[0,0.5,3,4,1,0.25,3,4]",
                                        "[0,0.5,3,4,1,0.75,3,4]",
                                        "[0,0.5,3,4,1,0.5,3,4,1,0.5,3,4]"};
    const char *one = "[0,0.5,3,4,1,0.5,3,4]";
    AveragePrecision *p = among(a, one);
    CHECK(average_precision_same(p, among(a, one), 1));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        AveragePrecision *q = among(a, other[i]);
        CHECK(!average_precision_same(p, q, 1) && !average_precision_same(q, p, 1));
        CHECK(average_precision_same(p, q, 0) && average_precision_same(p, q, 2));
    }
}

int main(void)
{
    Arena *a = arena_new(0);
    check_restored(a);
    check_alike(a);
    check_ends(a);
    arena_free(a);
    return check_failures() != 0;
}
