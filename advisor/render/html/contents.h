/* advisor/render/html/ writes a result as one HTML page.
 *
 * blocks: Cuts a program into blocks that a person can name, and finds which of them repeat.
 * elements: Lists what the page shows of a program, in program order: host steps, transfers and NPU
 *     operators.
 * html: Declares the sections of the HTML report, each one function in a file html_<what>.c, in the
 *     order of html_page.c.
 * html_advice: Writes the plans with a row for each change, the command that writes the recommended
 *     one, the work by hand, and what is only observed.
 * html_bars: Draws the parts of a whole as stacked bars on one axis, now and after.
 * html_change: Writes one change, work by hand or observation as a row that opens.
 * html_curves: Draws throughput over workers and over the batch, and the latency of a batch, each
 *     with its numbers in a table.
 * html_data: Writes the data that the page's script draws: the result itself, the words of the page
 *     and the layout of its charts.
 * html_diff: Writes two results or two traces side by side as a page.
 * html_environment: Writes the last section, with the model, traces and set-up of the analysis and
 *     the command that makes this page again.
 * html_front: Draws the Pareto front of latency and throughput, from which a plan is chosen, and
 *     what each plan sets.
 * html_gate: Writes what the gate demanded and found, and how the settings changed it.
 * html_layers: Writes a compiled graph with measured times: its layers on one axis, where the time
 *     is spent, the graph, a table.
 * html_operators: Writes the places of the script's roofline and scatter plot, and one row per
 *     operator, longest first.
 * html_page: Writes the HTML report as one file that makes no request and needs no scripts.
 * html_parts: Implements the parts that several sections of the report share.
 * html_program: Writes the program block by block, as a map that the script draws and as a table.
 * html_rules: Writes the evidence, and how every rule ended, as a table to sort and filter.
 * html_set: Writes the models of a run as a page with one row each, to sort and filter.
 * html_sram: Draws the SRAM use over the cycles of the NPU, part of the section of html_curves.c.
 * html_summary: Writes the first screen with the cause or the verdict, now and after and how each
 *     is known, and the bar of now by change.
 * html_svg: Writes SVG drawings inside the page with fixed coordinates, colours by class and a
 *     title for screen readers.
 * html_timeline: Draws one inference from beginning to end, now and after the recommended plan, on
 *     one axis of time.
 * html_write: Writes HTML elements as a stream, over libxml2's text writer, which quotes.
 * layers: Lays out an acyclic graph for a drawing, top to bottom.
 * now_parts: Divides now by kind of work, and each kind by the change that removes or shortens it.
 * style/report.js style/report.css: Hold the style and the script of every page, which works
 *     without either.
 * style/workbench.js style/workbench.css: Hold those of the report of a model: drawings that
 *     zoom, and one choice that all of them follow. */
