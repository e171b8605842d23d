/* advisor/act/apply/ carries out recommendations: it writes the changed model and all settings
 * into a folder.
 *
 * apply: Writes a plan to a folder, as an edited model, a compiler configuration and settings.
 * apply_choose: Finds the plan that the user names, and the change of each of its rows.
 * apply_folder: Makes the folder of a bundle, and refuses one that cannot be written.
 * apply_opset: Makes of a float model what the vendor's quantizer takes: fixed dimensions, opset
 *     13, an IR version that it reads, and value_info.
 * bundle: Declares the files of a bundle beside the model, which are needed to run a changed model
 *     on the card.
 * bundle_template: Fills the templates of a family of targets (rules/bundles/FAMILY/).
 * crossing: Lists what the application and the compiled model exchange: shape, type, scale and zero
 *     point of each input and output.
 * quantize_py: Writes quantize.py, a script that quantizes the model with every chosen setting,
 *     from the template of the SDK's quantizer. */
