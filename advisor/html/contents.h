/* advisor/html/: results as one page; its style and script are in style/.
 *
 * html.h: The HTML report, section by section: each section is one function in a file
 *     html_<what>.c, in the order of html_page.c
 * html_classes.c: Section 5: where the time of one inference goes, by kind of work, as tiles
 *     and as a table
 * html_curves.c: Section 7: throughput against workers and against the batch, side by side;
 *     then the SRAM
 * html_diff.c: Two results or two traces side by side, as a page
 * html_environment.c: Last section: what was looked at and with what, and the command that
 *     makes this page again
 * html_findings.c: Section 3: the recommendations, each with its evidence, the exact fix, what
 *     it gains, what it risks; then those that were tried and gain nothing
 * html_gains.c: Section 2: before and after
 * html_graph.c: Section 7: the compiled program from input to output
 * html_layers.c: A compiled graph with its measured times: its layers on one axis of time, what
 *     the time goes to, the graph with the formats on its edges, and all layers as a table
 * html_neighbourhood.c: Around a recommendation: the step or NPU operator that it names and
 *     what feeds and uses it, two hops away, with type, layout and shape of what is handed over
 * html_operators.c: Section 6: NPU operators, predicted against measured: a picture of the
 *     ratio where both are known, and the table of those that take longest
 * html_page.c: The HTML report: one file, no request, readable with scripts off
 * html_parts.c: Parts that the sections of the report share
 * html_places.c: Which step a recommendation speaks of
 * html_roofline.c: The roofline of section 6: every NPU operator that multiplies, under the
 *     roof of the machine
 * html_rules.c: Section 8: how every rule ended, as one table that can be sorted and filtered;
 *     what the evidence is worth
 * html_sram.c: SRAM over the cycles of the NPU, part of section 7
 * html_steps.c: The steps of one inference as a table: part of section 4
 * html_svg.h html_svg.c: SVG pictures inside the page: fixed coordinates, colours by class, a
 *     title for screen readers
 * html_timeline.c: Section 4: one inference from beginning to end, now and after the advice:
 *     lanes for the threads of the host, the runtime, PCIe and each PE, and what the critical
 *     chain waits for in between
 * html_verdict.c: Section 1: the verdict, the few figures that carry it, where the time goes,
 *     the gate
 * html_write.h html_write.c: Html: elements written as a stream, over libxml2's text writer,
 *     which quotes
 * layers.h layers.c: Layers: a drawing of an acyclic graph, top to bottom
 * style/report.css style/report.js: The style and the script of the page, which works without
 *     either
 * html_set.c: The models of a run as a page */
