/* advisor/rules/: rules as data, the facts they are matched against, and the variants that levers
 * lead to.
 *
 * facts.h facts.c: The facts document: an XML view of model, program, predictions, trace
 *     statistics and findings that rules are matched against and `npu-advise facts` prints
 * fingerprint.h fingerprint.c: Fingerprints: the same advice has the same string in every output,
 *     however the model's nodes and tensors are called or ordered in the file
 * match.h match.c: Matching: which rules fire where, and what the others end in
 * rule.h rule.c: Rules as data: rules/NPU###-name.xml, checked against rules/schema/rule.rng when
 *     loaded
 * rule_book.h rule_book.c: The book of rules: those that come with the program, and those of the
 *     user's folders
 * rules_doc.h rules_doc.c: The catalogue of rules as JSON and as Markdown (docs/rules.md)
 * template.h template.c: Templates and XPath over the facts document, bounded: rules may come
 *     from strangers
 * variant.h variant.c: Variant: one way to compile and run the model; a lever turns one variant
 *     into another */
