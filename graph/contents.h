/* graph/ reads and edits models and compiles them to a Program. It knows nothing of time. Its
 * folders, bottom up: base/ model/ infer/ onnx/ tflite/ edit/ compile/ import/.
 *
 * options/option: Describes the options of both programs in one table, and reads command lines.
 * options/suggest: Suggests the nearest known word for one that is misspelt. */
