/* advisor/render/html/: results as one page; its style and script are in style/.
 *
 * blocks.h blocks.c: Blocks: the program cut into parts that a person can name, and which of them
 *     repeat
 * elements.h elements.c: Elements: what the page lists and draws of a program, in its order: a
 *     step of the host, a transfer, an operator of the NPU
 * html.h: The HTML report, section by section: each section is one function in a file
 *     html_<what>.c, in the order of html_page.c
 * html_advice.c: What to change: one line per recommendation with its gain on one scale, opened
 *     for the reason, the exact setting, how it is known and its risk
 * html_bars.h html_bars.c: Bars of one axis: what a whole is made of, now and after
 * html_curves.c: Throughput against workers and against the batch, and the latency of a batch
 * html_data.c: What the script of the page draws from: columns of numbers and names, and the
 *     result itself, packed
 * html_diff.c: Two results or two traces side by side, as a page
 * html_environment.c: Last section: what was looked at and with what, and the command that makes
 *     this page again
 * html_front.c: What to deploy: the front as a picture of latency and throughput on which a point
 *     is chosen, and what each point is set to
 * html_gate.c: What the gate demanded and found, and what the settings did to it
 * html_layers.c: A compiled graph with its measured times: its layers on one axis of time, what
 *     the time goes to, the graph with the formats on its edges, and all layers as a table
 * html_operators.c: Operators: the roofline and predicted against measured, drawn by the script;
 *     every element as a row, longest first
 * html_page.c: The HTML report: one file, no request, readable with scripts off
 * html_parts.c: Parts that the sections of the report share
 * html_program.c: The program, block by block: a map that the script draws, and the blocks as a
 *     table
 * html_rules.c: How far to trust it: the evidence, and how every rule ended
 * html_set.c: The models of a run as a page
 * html_sram.c: SRAM over the cycles of the NPU, part of html_curves
 * html_summary.c: The first screen: one sentence, before and after on one axis, what is not in
 *     that figure; then the parts as a table and the gate
 * html_svg.h html_svg.c: SVG pictures inside the page: fixed coordinates, colours by class, a
 *     title for screen readers
 * html_timeline.c: One inference from beginning to end, now and after what is recommended, on one
 *     axis of time
 * html_verdict.c: The first screen of a compiled graph: one sentence, its layers and what may be
 *     left of them on one axis, the gate
 * html_write.h html_write.c: Html: elements written as a stream, over libxml2's text writer,
 *     which quotes
 * layers.h layers.c: Layers: a drawing of an acyclic graph, top to bottom
 * style/report.css style/report.js: The style and the script of every page, which works without
 *     either
 * style/workbench.css style/workbench.js: … and of the report of a model: pictures that zoom, and
 *     one choice that all of them follow */
