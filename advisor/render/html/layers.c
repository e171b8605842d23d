/* Computes the layers, adds dummies to long edges, and orders each layer by barycentres. */
#include "advisor/render/html/layers.h"

enum { SWEEPS = 8 };

/* A link joins places of adjacent layers (or, where dummies ran out, of distant ones). */
typedef struct {
    LayerEdge *link;
    size_t nlink, cap_link, cap_place;
    Layers l;
    Arena *a;
} Draw;

static void assign_layers(Draw *d, const LayerEdge *edge, size_t nedge)
{
    /* Nodes are in topological order, so edges sorted by target settle in one pass. */
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < nedge; i++) {
            uint32_t want = d->l.place[edge[i].from].layer + 1;
            if (d->l.place[edge[i].to].layer < want) {
                d->l.place[edge[i].to].layer = want;
                moved = true;
            }
        }
    }
    for (size_t i = 0; i < d->l.nnode; i++)
        if (d->l.place[i].layer >= d->l.nlayer)
            d->l.nlayer = d->l.place[i].layer + 1;
}

static void add_link(Draw *d, uint32_t from, uint32_t to)
{
    *VEC_PUSH(d->a, d->link, d->nlink, d->cap_link) = (LayerEdge){from, to};
}

static void add_edge(Draw *d, uint32_t number, LayerEdge e)
{
    uint32_t from = e.from, last = d->l.place[e.to].layer;
    size_t dummies = d->l.nplace - d->l.nnode;
    for (uint32_t layer = d->l.place[e.from].layer + 1;
         layer < last && dummies + (last - layer) <= LAYERS_DUMMIES; layer++) {
        uint32_t id = (uint32_t)d->l.nplace;
        *VEC_PUSH(d->a, d->l.place, d->l.nplace, d->cap_place) =
            (LayerPosition){.layer = layer, .route = number};
        add_link(d, from, id);
        from = id;
    }
    add_link(d, from, e.to);
}

typedef struct {
    double weight;
    uint32_t id, before; /* before: its position until now, the tie-breaker */
} Seat;

ORDER_BY(by_weight, Seat, COMPARE(a->weight, b->weight), COMPARE(a->before, b->before))

/* Places and links, by layer: those of layer k are [start[k], start[k + 1]). */
typedef struct {
    uint32_t *start, *item;
} Bucket;

/* Counting sort of n items whose layer is key[i]. */
static Bucket bucket_by_layer(Arena *a, const uint32_t *key, size_t n, uint32_t nlayer)
{
    Bucket b = {ARENA_ARRAY(a, uint32_t, nlayer + 1), ARENA_ARRAY(a, uint32_t, n)};
    uint32_t *fill = ARENA_ARRAY(a, uint32_t, nlayer);
    for (size_t i = 0; i < n; i++)
        b.start[key[i] + 1]++;
    for (uint32_t k = 0; k < nlayer; k++)
        b.start[k + 1] += b.start[k];
    for (uint32_t i = 0; i < n; i++)
        b.item[b.start[key[i]] + fill[key[i]]++] = i;
    return b;
}

typedef struct {
    Bucket places, links;
    double *sum;     /* of the neighbours' columns, per place */
    uint32_t *count; /* of the neighbours */
    Seat *seat;
} Order;

static void sum_neighbour_columns(const Draw *d, Order *o, uint32_t layer, bool down)
{
    uint32_t by = down ? layer - 1 : layer; /* links are filed under the layer they leave */
    for (uint32_t i = o->links.start[by]; i < o->links.start[by + 1]; i++) {
        LayerEdge e = d->link[o->links.item[i]];
        uint32_t here = down ? e.to : e.from, there = down ? e.from : e.to;
        o->sum[here] += d->l.place[there].column;
        o->count[here]++;
    }
}

/* Orders one layer by the mean column of its neighbours above (down) or below, and spreads it. */
static void seat_layer(Draw *d, Order *o, uint32_t layer)
{
    uint32_t *member = o->places.item + o->places.start[layer];
    uint32_t n = o->places.start[layer + 1] - o->places.start[layer];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = member[i];
        double mean = o->count[id] ? o->sum[id] / o->count[id] : d->l.place[id].column;
        o->seat[i] = (Seat){mean, id, i};
        o->sum[id] = 0;
        o->count[id] = 0;
    }
    ORDER_LIST(o->seat, n, by_weight);
    for (uint32_t i = 0; i < n; i++) {
        member[i] = o->seat[i].id;
        d->l.place[member[i]].column = (double)i - (double)(n - 1) / 2;
    }
}

static Order order_new(const Draw *d)
{
    size_t n = d->l.nplace;
    uint32_t *place_layer = ARENA_ARRAY(d->a, uint32_t, n);
    uint32_t *link_layer = ARENA_ARRAY(d->a, uint32_t, d->nlink);
    for (size_t i = 0; i < n; i++)
        place_layer[i] = d->l.place[i].layer;
    for (size_t i = 0; i < d->nlink; i++)
        link_layer[i] = d->l.place[d->link[i].from].layer;
    return (Order){.places = bucket_by_layer(d->a, place_layer, n, d->l.nlayer),
                   .links = bucket_by_layer(d->a, link_layer, d->nlink, d->l.nlayer),
                   .sum = ARENA_ARRAY(d->a, double, n),
                   .count = ARENA_ARRAY(d->a, uint32_t, n),
                   .seat = ARENA_ARRAY(d->a, Seat, n)};
}

static void order_layers(Draw *d)
{
    Order o = order_new(d);
    for (uint32_t k = 0; k < d->l.nlayer; k++)
        seat_layer(d, &o, k);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool down = sweep % 2 == 0;
        for (uint32_t k = 1; k < d->l.nlayer; k++) {
            uint32_t layer = down ? k : d->l.nlayer - 1 - k;
            sum_neighbour_columns(d, &o, layer, down);
            seat_layer(d, &o, layer);
        }
    }
}

Layers layers_arrange(Arena *a, size_t nnode, const LayerEdge *edge, size_t nedge)
{
    Draw d = {.a = a, .l.nnode = nnode, .l.nplace = nnode, .cap_place = nnode};
    d.l.place = ARENA_ARRAY(a, LayerPosition, nnode);
    for (size_t i = 0; i < nnode; i++)
        d.l.place[i].route = UINT32_MAX;
    assign_layers(&d, edge, nedge);
    for (size_t i = 0; i < nedge; i++)
        add_edge(&d, (uint32_t)i, edge[i]);
    order_layers(&d);
    for (size_t i = 0; i < d.l.nplace; i++) {
        double c = d.l.place[i].column;
        d.l.left = c < d.l.left ? c : d.l.left;
        d.l.right = c > d.l.right ? c : d.l.right;
    }
    return d.l;
}
