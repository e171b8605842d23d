// Runs a model in onnxruntime on one thread, nothing fused, on random numbers: `profile.cjs MODEL RUNS`.  Prints the events of its profiler.
const fs = require('fs')
const os = require('os')
const path = require('path')
const ort = require('onnxruntime-node')
const ARRAY = { float32: Float32Array, uint8: Uint8Array, int8: Int8Array, int32: Int32Array, int64: BigInt64Array }

async function main() {
  const [model, runs] = process.argv.slice(2)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'profile-'))
  const session = await ort.InferenceSession.create(model, { graphOptimizationLevel: 'disabled', intraOpNumThreads: 1,
    interOpNumThreads: 1, logSeverityLevel: 4, enableProfiling: true, profileFilePrefix: path.join(folder, 'run') })
  const feeds = {}
  let seed = 1
  for (const { name, type, shape } of session.inputMetadata) {
    const data = new ARRAY[type](shape.reduce((n, d) => n * Number(d), 1))
    for (let i = 0; i < data.length; i++) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      const x = type === 'float32' ? (seed / 2147483648 - 0.5) * 2 : seed >> 8 & 127
      data[i] = type === 'int64' ? BigInt(x) : x
    }
    feeds[name] = new ort.Tensor(type, data, shape)
  }
  for (let i = 0; i < Number(runs); i++) await session.run(feeds)
  session.endProfiling()
  await session.release()
  const [file] = fs.readdirSync(folder)
  process.stdout.write(fs.readFileSync(path.join(folder, file)))
  fs.rmSync(folder, { recursive: true })
}
main()
