// Runs a model in onnxruntime-node with its profiler on and prints the name of the profile.
//
//   node trace_record.cjs MODEL.onnx FOLDER RUNS [DIM=VALUE …]
//
// Inputs are zeros; a symbolic dimension without a value is 1.  GRAPH_OPTIMIZATION=disabled runs node by node.
const ort = require('onnxruntime-node'), fs = require('fs'), path = require('path');
const arrays = { float32: Float32Array, float64: Float64Array, int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array,
  int8: Int8Array, bool: Uint8Array };

async function record(model, folder, runs, dims) {
  const session = await ort.InferenceSession.create(model, { enableProfiling: true, profileFilePrefix: path.join(folder, 'profile'),
    intraOpNumThreads: 1, graphOptimizationLevel: process.env.GRAPH_OPTIMIZATION || 'all' });
  const feeds = {};
  for (const input of session.inputMetadata) {
    const shape = input.shape.map(d => typeof d === 'number' ? d : Number(dims[d] ?? 1));
    feeds[input.name] = new ort.Tensor(input.type, new arrays[input.type](shape.reduce((a, b) => a * b, 1)), shape);
  }
  for (let i = 0; i < runs; i++) await session.run(feeds);
  session.endProfiling();
  return fs.readdirSync(folder).find(name => name.startsWith('profile'));
}

const [model, folder, runs, ...dims] = process.argv.slice(2);
record(model, folder, Number(runs), Object.fromEntries(dims.map(d => d.split('=')))).then(console.log);
