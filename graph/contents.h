/* graph/: models: reading, editing, compiling to a Program. Knows nothing of time. Rooms, bottom
 * up: base/ model/ infer/ onnx/ tflite/ edit/ compile/ import/. */
