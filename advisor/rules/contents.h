/* advisor/rules/ holds rules as data, the facts that they are matched against, and the variants
 * that levers lead to.
 *
 * facts: Builds the facts document, an XML view of a model, its program, predictions, measurements
 *     and findings.
 * fingerprint: Gives each match a fingerprint that depends neither on names nor on order.
 * lever: Names the levers, which are the closed list of settings that rules may change, and reads
 *     what they are set to.
 * match: Matches rules against the facts document and reports how each rule ended.
 * need: Names what a change asks of the user, as a set.
 * rule: Defines a rule, which is read from a file rules/NPU###-name.xml.
 * rule_book: Loads the built-in rules and those of the user's folders into one sorted list.
 * rules_doc: Writes the catalogue of rules as JSON and as Markdown (docs/rules.md).
 * template: Evaluates templates and XPath within limits, as rules may come from strangers.
 * variant: Defines a variant, one way to compile and run a model, and applies levers to it. */
