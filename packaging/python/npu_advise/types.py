"""The result of npu-advise as types, made from docs/schema/result.json by types_from_schema: change it there."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from npu_advise.document import Document


@dataclass(frozen=True)
class Tool:
    name: Literal["npu-advise"]
    version: str


@dataclass(frozen=True)
class Tensor:
    name: str
    dtype: str
    shape: list[int | str | None] | None


@dataclass(frozen=True)
class Model:
    file: str
    sha256: str
    opset: int
    inputs: list[Tensor]
    outputs: list[Tensor]
    precision: str | None = None


@dataclass(frozen=True)
class Trace:
    file: str
    sha256: str
    format: str
    inferences: int


@dataclass(frozen=True)
class Options:
    """What was compiled and run, as the options spell it; empty lists and maps are left in."""
    batch: int | None
    workers: int | None
    devices: int | None
    host_cores: int | None
    seed: int | None
    dim: dict[str, int]
    input_dtype: dict[str, str]
    output_dtype: dict[str, str]
    permute_input: list[list[int]]
    compiler_config: dict[str, str]
    min_share: float
    min_gain_ns: int
    needs: list[str]
    allow_sdk: bool
    pes: int | None = None
    queue_depth: int | None = None
    io_threads: int | None = None
    fill: int | None = None
    ddr_mhz: int | None = None
    unknown_on: str | None = None


@dataclass(frozen=True)
class SetupWord:
    value: str | None
    candidates: list[str]
    source: Literal["option", "trace", "settings", "default"]
    seen: str | None


@dataclass(frozen=True)
class SetupCount:
    value: int | None
    candidates: list[int]
    source: Literal["option", "trace", "settings", "default"]
    seen: int | None


@dataclass(frozen=True)
class Setup:
    """How the run was set up, and who says so. What was not said comes from the trace where it shows it. Null where
    MODEL is a compiled graph."""
    target: SetupWord
    sdk: SetupWord
    batch: SetupCount
    workers: SetupCount
    devices: SetupCount
    input_dtypes: SetupWord
    output_dtypes: SetupWord
    permute_input: SetupWord


@dataclass(frozen=True)
class FigureNs:
    lo: int
    mid: int
    hi: int
    mode: Literal["predicted"]


@dataclass(frozen=True)
class Figure:
    lo: float
    mid: float
    hi: float
    mode: Literal["predicted"]


@dataclass(frozen=True)
class Prediction:
    """Always the pure model, never mixed with measurements. Null for a compiled graph."""
    latency_ns: FigureNs
    npu_ns: FigureNs
    host_ns: FigureNs
    io_ns: FigureNs
    throughput_per_s: Figure


@dataclass(frozen=True)
class LatencyNs:
    min: int
    median: int
    mean: int
    p90: int
    p99: int
    max: int


@dataclass(frozen=True)
class Busy:
    """of wall time: each lane of the NPU and the link as the union of their spans, the host as the sum (cores)"""
    pe: list[float]
    link: float
    host: float


@dataclass(frozen=True)
class IntervalNs:
    lo: int
    mid: int
    hi: int


@dataclass(frozen=True)
class MeasuredNs:
    median: int
    lo: int
    hi: int
    mean: int | None = None


@dataclass(frozen=True)
class Samples:
    """What a gate judges by. One trace: its inferences; several that each hold inferences: the medians of the traces.
    Intervals are 90 %."""
    per: Literal["inference", "trace"]
    n: int
    values: list[int]
    median: IntervalNs
    p90: IntervalNs
    max: int
    npu_ns: MeasuredNs | None
    host_ns: MeasuredNs | None
    io_ns: MeasuredNs | None


@dataclass(frozen=True)
class Measured:
    inferences: int
    latency_ns: LatencyNs
    npu_ns: int
    host_ns: int
    io_ns: int
    unattributed_ns: int
    waiting_ns: int
    throughput_per_s: float
    concurrency: float
    busy: Busy
    npu_utilisation: float
    samples: Samples


@dataclass(frozen=True)
class LayerTensor:
    name: str
    dtype: str
    layout: str | None
    bytes: int | None


@dataclass(frozen=True)
class TableRow:
    """A row of such a table as printed. Cycles are the compiler's, counted at 1 GHz: no time."""
    id: int
    target: str
    dtype: str
    in_shape: str
    out_shape: str
    ddr_cycles: int | None
    npu_cycles: int | None
    total_cycles: int | None
    time_us: float | None
    mac_usage: str | None
    work_load: str | None
    rw_kb: float | None
    full_name: str | None


@dataclass(frozen=True)
class Layer:
    """Of a compiled graph, in the words of its file."""
    name: str
    kind: str
    work: str
    origin: str | None
    tactic: str | None
    weights: str | None
    inputs: list[LayerTensor]
    outputs: list[LayerTensor]
    row: TableRow | None = None


@dataclass(frozen=True)
class Step:
    id: int
    kind: Literal["host", "h2d", "npu", "d2h", "layer"]
    op: str
    onnx_nodes: list[str]
    deps: list[int]
    inputs: list[int]
    outputs: list[int]
    reason: str
    predicted_ns: IntervalNs | None
    measured_ns: MeasuredNs | None
    limited_by: Literal["unknown", "mac", "vector", "sram", "dram", "pcie", "launch", "host"]
    sensitivity: float | None
    layer: Layer | None = None


@dataclass(frozen=True)
class Value:
    id: int
    name: str | None
    from_: int | None
    dtype: str
    layout: Literal["plain", "padded", "lowered"]
    shape: list[int | None]
    bytes: int | None


@dataclass(frozen=True)
class Operator:
    step_id: int
    kind: str
    onnx_nodes: list[str]
    deps: list[int]
    output_shape: list[int | None]
    macs: int
    bytes: int
    sram_bytes: int
    predicted_ns: IntervalNs
    measured_ns: MeasuredNs | None
    limited_by: Literal["unknown", "mac", "vector", "sram", "dram", "pcie", "launch", "host"]


@dataclass(frozen=True)
class Coverage:
    nodes: int
    nodes_known: int
    unknown_ops: list[str]
    matched_time_share: float | None


@dataclass(frozen=True)
class Issue:
    code: str
    text: str


@dataclass(frozen=True)
class Evidence:
    grade: Literal["A", "B", "C", "D"]
    compared: int
    outside: int
    refuted: Literal["setup", "model", "size"] | None
    issues: list[Issue]


@dataclass(frozen=True)
class Ceiling:
    """Limits of any change: latency if all host work vanished, and if the NPU took no time. Null for a compiled
    graph."""
    host_free_ns: int
    npu_free_ns: int


@dataclass(frozen=True)
class Machine:
    """Limits of the PEs that one program uses; DRAM as the cost model prices activations that leave the SRAM."""
    pe_count: int
    peak_macs_per_s: float
    clock_hz: float
    dram_bytes_per_s: float
    sram_bytes: int
    record: str | None = None


@dataclass(frozen=True)
class Interval:
    lo: float
    mid: float
    hi: float


@dataclass(frozen=True)
class Worker:
    workers: int
    throughput_per_s: Interval | None


@dataclass(frozen=True)
class Batch:
    batch: int
    latency_ns: IntervalNs | None
    throughput_per_s: Interval | None


@dataclass(frozen=True)
class Curves:
    workers: list[Worker]
    batch: list[Batch]


@dataclass(frozen=True)
class Parts:
    """of the critical chain; they add up to total_ns: rest is hand-overs, waiting, and what nothing explains"""
    host_ns: int
    npu_ns: int
    io_ns: int
    rest_ns: int


@dataclass(frozen=True)
class Span:
    lane: Literal["host", "runtime", "pcie", "pe"]
    index: int
    count: int
    step_id: int | None
    name: str
    start_ns: int
    end_ns: int
    own: bool
    critical: bool


@dataclass(frozen=True)
class Gap:
    start_ns: int
    end_ns: int
    cause: Literal["request", "handoff", "launch", "queue", "runtime", "unexplained"]
    name: str | None


@dataclass(frozen=True)
class Cause:
    cause: Literal["request", "handoff", "launch", "queue", "runtime", "unexplained"]
    ns: int
    count: int


@dataclass(frozen=True)
class Timeline:
    """Times begin at 0, the start of the inference."""
    source: Literal["measured", "simulated", "predicted"]
    rule_ids: list[str]
    total_ns: int
    parts: Parts
    spans: list[Span]
    gaps: list[Gap]
    causes: list[Cause]
    spans_omitted: int
    gaps_omitted: int
    spans_outside: int


@dataclass(frozen=True)
class ResultTimeline:
    """One inference from beginning to end. `now`: the measured one that lies nearest to the median, else as predicted.
    `after`: predicted, with all that is recommended together, or the first where nothing is combined."""
    now: Timeline | None
    after: Timeline | None


@dataclass(frozen=True)
class Lane:
    lane: Literal["host", "pcie", "pe"]
    index: int
    count: int


@dataclass(frozen=True)
class DrawnRun:
    """One inference. Six numbers for each span, by start: lane, depth (1: an operator within a task), start less the
    start of the span before, length, name, element (steps and operators counted in program order; -1: none, -2: another
    request's)."""
    label: Literal["median", "fastest", "slowest", "predicted", "simulated"]
    inference: int | None
    total: int
    omitted: int
    spans: list[int]


@dataclass(frozen=True)
class Pictures:
    unit_ns: Literal[100]
    lanes: list[Lane]
    names: list[str]
    runs: list[DrawnRun]
    after: DrawnRun | None
    latencies: list[int] | None = None
    warm_up: int | None = None


@dataclass(frozen=True)
class Now:
    latency_ns: int | None
    throughput_per_s: float | None
    source: Literal["measured", "simulated", "predicted"]


@dataclass(frozen=True)
class Breakdown:
    kind: str
    share: float
    ns: int
    steps: list[int]


@dataclass(frozen=True)
class ResultCause:
    text: str
    steps: list[int]
    share: float


@dataclass(frozen=True)
class Settings:
    target: str
    sdk: str
    batch: int
    workers: int
    devices: int
    queue_depth: int | None = None


@dataclass(frozen=True)
class Lever:
    lever: str
    index: str
    value: str


@dataclass(frozen=True)
class Members:
    n: int
    real: int


@dataclass(frozen=True)
class After:
    latency_ns: Interval
    throughput_per_s: Interval
    source: Literal["measured", "simulated", "predicted"]
    runner: str | None
    members: Members | None
    pairs: int | None


@dataclass(frozen=True)
class Loss:
    """0 to 1: answers or boxes that differ, what top-1, mAP or (as a share) --metric falls by, or the root mean square
    of the error over that of the signal (of a picture: over its range); what --max-accuracy-loss is held against"""
    lo: float
    mid: float
    hi: float


@dataclass(frozen=True)
class AccuracyFigure:
    metric: Literal["top1", "top1_before", "map", "map_before", "map50", "map50_before", "box_agreement", "metric", "metric_before", "top1_agreement", "answer_agreement", "psnr", "sqnr", "cosine", "max_difference", "rms_difference", "ssim"]
    unit: Literal["share", "dB", "value"]
    value: float
    lo: float
    hi: float


@dataclass(frozen=True)
class Accuracy:
    """The model as it is and as the change leaves it, on the images of --data. The metric is what the output is for:
    the greatest score, answers (integers), a picture, or values; of several outputs the one that loses most."""
    metric: Literal["top1", "top1_before", "map", "map_before", "map50", "map50_before", "box_agreement", "metric", "metric_before", "top1_agreement", "answer_agreement", "psnr", "sqnr", "cosine", "max_difference", "rms_difference", "ssim"]
    unit: Literal["share", "dB", "value"]
    value: float
    lo: float
    hi: float
    images: int
    runner: str
    exact: bool
    output: str
    loss: Loss
    more: list[AccuracyFigure]


@dataclass(frozen=True)
class PlanChange:
    id: int
    saves: Interval | None
    source: Literal["measured", "simulated", "predicted"]
    accuracy: Accuracy | None
    steps: list[int]
    operators: list[int]


@dataclass(frozen=True)
class Bundle:
    command: str
    run: list[str]
    refused: str | None = None


@dataclass(frozen=True)
class Fits:
    dram_bytes: int | None
    sram_bytes: int | None
    limit: str | None


@dataclass(frozen=True)
class Plan:
    """A list of changes with all settings to deploy. Every setting that differs from now belongs to exactly one
    change."""
    id: str
    route: Literal["same_outputs", "new_outputs", "retrain"]
    recommended: bool
    settings: Settings
    levers: list[Lever]
    needs: list[str]
    after: After
    predicted: Interval
    at_least: bool
    application_ns: Interval
    changes: list[PlanChange]
    verdict: Literal["confirmed", "larger", "smaller", "no-gain", "regression", "accuracy-blocked", "not-verifiable"] | None
    accuracy: Accuracy | None
    bundle: Bundle
    fits: Fits


@dataclass(frozen=True)
class Where:
    node: str | None
    tensor: str | None
    op: str | None


@dataclass(frozen=True)
class Place:
    node: str | None
    tensor: str | None
    op: str | None
    text: str
    fix: str
    gain: Interval | None
    local_ns: int | None


@dataclass(frozen=True)
class Fix:
    sdk: str
    where: Literal["converter", "quantizer", "compiler", "runtime", "model", "application"] | None
    code: bool
    text: str


@dataclass(frozen=True)
class Gain:
    """What a change saves by itself, predicted. Positive is better. ns of latency, or images per second."""
    metric: Literal["latency", "throughput"]
    unit: Literal["ns", "per_s"]
    basis: Literal["what-if", "bound", "stand-in"] | None
    at_least: bool
    predicted: Interval | None
    baseline: float | None
    reason_if_null: str | None
    local_ns: int | None
    without_events_ns: IntervalNs | None = None
    removes: list[int] | None = None
    changes: list[int] | None = None


@dataclass(frozen=True)
class Sweep:
    value: str
    objective: Interval | None
    gain: Interval | None
    chosen: bool


@dataclass(frozen=True)
class Suppression:
    reason: str
    owner: str | None
    until: str | None


@dataclass(frozen=True)
class Change:
    """One rule, its occurrences and its fix: a setting, or an edit that `apply` makes."""
    id: int
    rule_id: str
    fingerprint: str
    title: str
    where: Where
    occurrences: list[Place]
    fix: Fix
    needs: list[str]
    alone: Gain
    accuracy: Accuracy | None
    verdict: Literal["accuracy-blocked"] | None
    levers: list[Lever]
    sweep: list[Sweep]
    enables: list[str]
    level: Literal["info", "warn", "error"]
    group: Literal["boundary", "layout", "placement", "compute", "memory", "runtime", "io", "accuracy", "evidence", "experimental"]
    why: str
    risk: str
    suppression: Suppression | None
    accuracy_reason: str | None = None


@dataclass(frozen=True)
class UpTo:
    """the most that it saves after the recommended plan"""
    unit: Literal["ns", "per_s"]
    value: float


@dataclass(frozen=True)
class HandWork:
    """An action that `apply` cannot make: an edit of the float model or of the export, an option of an engine's build,
    code of the application."""
    id: int
    rule_id: str
    fingerprint: str
    title: str
    where: Where
    occurrences: list[Place]
    fix: Fix
    needs: list[str]
    up_to: UpTo
    alone: Gain
    steps: list[int]
    operators: list[int]
    level: Literal["info", "warn", "error"]
    group: Literal["boundary", "layout", "placement", "compute", "memory", "runtime", "io", "accuracy", "evidence", "experimental"]
    why: str
    risk: str
    suppression: Suppression | None
    spares: str | None = None


@dataclass(frozen=True)
class Front:
    target: str
    batch: int
    workers: int
    devices: int
    latency_ns: float
    throughput_per_s: float
    needs: list[str]
    rules: list[str]
    plan: str | None


@dataclass(frozen=True)
class Searched:
    points: int
    builds: int
    compiled: int
    exhaustive: bool
    changes_left_out: int


@dataclass(frozen=True)
class Less:
    """What one worker less would do, or where there is one alone a card less: with any changes, in any mode, with any
    batch; null where nothing less is to be had."""
    workers: int | None
    devices: int
    holds: Literal["no", "maybe"]
    least_ns: int | None
    latency_ns: int | None
    run: int
    run_ns: int | None


@dataclass(frozen=True)
class Served:
    """by the recommended plan, or without one as it is; null where nothing serves it"""
    latency_ns: int
    with_headroom_ns: int
    slower: float
    run_ns: Interval | None
    runner: str | None
    less: Less | None
    collecting_ns: int
    busy: float
    requests_per_s: float


@dataclass(frozen=True)
class Rate:
    """Images that come at a rate and are to be served (--rate); null: as many as there is room for. Requests carry a
    batch, whose images are collected first."""
    images_per_s: float
    arrivals: Literal["poisson", "fixed"]
    quantile: float
    highest_per_s: float | None
    served: Served | None


@dataclass(frozen=True)
class Observation:
    """A finding without a figure or without an action."""
    rule_id: str
    title: str
    where: Where
    text: str
    cost_ns: int | None
    fingerprint: str
    reason: str
    fix: Fix
    level: Literal["info", "warn", "error"]
    group: str
    why: str
    suppression: Suppression | None
    occurrences: list[Place]
    steps: list[int]
    operators: list[int]


@dataclass(frozen=True)
class NotApplicable:
    rule_id: str
    reason: str


@dataclass(frozen=True)
class Suppressed:
    rule_id: str
    fingerprint: str
    reason: Literal["small", "no-gain", "untried", "configured", "newer-sdk", "covered", "accuracy", "needs"]
    text: str
    title: str
    level: Literal["info", "warn", "error"]
    where: Where
    occurrences: list[Place]
    alone: Gain


@dataclass(frozen=True)
class Rule:
    rule_id: str
    group: str
    title: str


@dataclass(frozen=True)
class Incomplete:
    kind: Literal["rule", "trace", "runner", "settings", "model", "accuracy"]
    text: str


@dataclass(frozen=True)
class AssertionLimit:
    """the number that is expected; null: none is"""
    relation: Literal["<=", ">="]
    value: float
    unit: Literal["ns", "per_s", ""]


@dataclass(frozen=True)
class Assertion:
    name: str
    expected: str
    limit: AssertionLimit | None
    found: float | None
    values: list[float]
    pass_: bool | None
    detail: str
    findings: list[str] | None = None


@dataclass(frozen=True)
class Finding:
    fingerprint: str
    rule_id: str


@dataclass(frozen=True)
class Baseline:
    new: list[Finding]
    unchanged: list[Finding]
    improved: list[Finding]
    gone: list[Finding]


@dataclass(frozen=True)
class Setting:
    file: str
    role: Literal["decides", "adds", "refused"]
    took_away: list[str]
    ignored: list[str]


@dataclass(frozen=True)
class Gate:
    status: Literal["none", "passed", "failed", "inconclusive"]
    assertions: list[Assertion]
    baseline: Baseline | None
    settings: list[Setting]


@dataclass(frozen=True)
class Stage:
    n: int
    min: int
    median: int
    mean: int
    p90: int | None
    p99: int | None
    max: int
    cv: float | None


@dataclass(frozen=True)
class Stages:
    compute: Stage | None
    h2d: Stage | None
    d2h: Stage | None
    latency: Stage | None
    enqueue: Stage | None


@dataclass(frozen=True)
class Reformats:
    layers: int
    ns: int
    share: float


@dataclass(frozen=True)
class LayerGroup:
    name: str
    layers: int
    ns: int
    share: float


@dataclass(frozen=True)
class TimesWithoutLayer:
    name: str
    ns: int


@dataclass(frozen=True)
class Table:
    """What a performance table of RKNN says as a whole; null: the log does not say."""
    chip: str | None
    toolkit: str | None
    runtime: str | None
    driver: str | None
    cores: int
    whole: bool
    ddr_mhz: float | None
    total_us: float | None
    rw_kb: float | None
    plain_us: float | None
    fps: float | None
    cpu_hz: float | None
    npu_hz: float | None
    ddr_hz: float | None
    weight_kib: float | None
    internal_kib: float | None


@dataclass(frozen=True)
class Compiled:
    """Only of a compiled graph with its measured times. Shares refer to sum_ns."""
    kind: Literal["tensorrt", "lowered", "dot", "rknn"]
    names_only: bool
    layers: int
    times: int
    joined: int
    runs: int
    sum_ns: int | None
    event_ns: float | None
    stages: Stages
    reformats: Reformats
    kinds: list[LayerGroup]
    precisions: list[LayerGroup]
    times_without_layer: list[TimesWithoutLayer]
    layers_without_time: list[str]
    table: Table | None = None


@dataclass(frozen=True)
class Result(Document):
    """The outcome of `npu-advise MODEL [--trace T]`. Keys come in the order given here. Times are integers in
    nanoseconds; an interval is 90 %. Nothing in it depends on the time of day or on a path of the machine."""
    schema_version: Literal[2]
    tool: Tool
    language: str
    model: Model
    traces: list[Trace]
    target: str
    sdk: str
    objective: Literal["latency", "throughput"]
    options: Options
    setup: Setup | None
    notes: list[str]
    prediction: Prediction | None
    measured: Measured | None
    steps: list[Step]
    values: list[Value]
    operators: list[Operator]
    coverage: Coverage
    evidence: Evidence
    ceiling: Ceiling | None
    machine: Machine | None
    curves: Curves
    timeline: ResultTimeline
    pictures: Pictures | None
    now: Now | None
    breakdown: list[Breakdown]
    cause: ResultCause | None
    unsuitable: str | None
    plans: list[Plan]
    changes: list[Change]
    by_hand: list[HandWork]
    front: list[Front]
    searched: Searched | None
    rate: Rate | None
    latency_limit_ns: int | None
    observations: list[Observation]
    passed: list[str]
    not_applicable: list[NotApplicable]
    suppressed: list[Suppressed]
    rules: list[Rule]
    incomplete: list[Incomplete]
    gate: Gate
    compiled: Compiled | None = None
    cpu_alone_ns: IntervalNs | None = None
    refused: str | None = None
    conversion: str | None = None
    widened: str | None = None
