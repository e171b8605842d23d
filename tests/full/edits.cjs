// Runs models with onnxruntime, unoptimised so that equal arithmetic stays equal: `edits.cjs JOBS.json`, a list of
// {model, out, feeds: [{name, type, dims, file}], level?, repeat?, threads?}; a level asks for optimisations.  Prints a list:
// {outputs: [{name, type, dims, file}], cpu_ns: of the run that took least, median_cpu_ns, median_ns: by the clock} or {error}.
const fs = require('fs')
const ort = require('onnxruntime-node')
const ARRAY = { float32: Float32Array, float64: Float64Array, uint8: Uint8Array, int8: Int8Array, int32: Int32Array,
                int64: BigInt64Array, uint16: Uint16Array, int16: Int16Array, bool: Uint8Array, float16: Uint16Array }

function feed({ type, dims, file }) {
  const bytes = fs.readFileSync(file)
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  return new ort.Tensor(type, new ARRAY[type](copy), dims)
}

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1]

async function run({ model, out, feeds, level, repeat, threads }) {
  const options = { graphOptimizationLevel: level || 'disabled', intraOpNumThreads: threads || 1, interOpNumThreads: 1, logSeverityLevel: 4 }
  const session = await ort.InferenceSession.create(model, options)
  const given = Object.fromEntries(feeds.map((f) => [f.name, feed(f)]))
  let results
  const cpu = [], clock = []
  for (let i = 0; i < (repeat || 1); i++) {
    const before = process.cpuUsage(), began = process.hrtime.bigint()
    results = await session.run(given)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) * 1e3)
    clock.push(Number(process.hrtime.bigint() - began))
  }
  const outputs = session.outputNames.map((name, i) => {
    const { type, dims, data } = results[name]
    fs.writeFileSync(`${out}.${i}`, Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    return { name, type, dims, file: `${out}.${i}` }
  })
  await session.release()
  return { outputs, cpu_ns: Math.min(...cpu), median_cpu_ns: median(cpu), median_ns: median(clock) }
}

async function main() {
  const answers = []
  for (const job of JSON.parse(fs.readFileSync(process.argv[2])))
    answers.push(await run(job).catch((e) => ({ error: e.message.split('\n')[0] })))
  console.log(JSON.stringify(answers))
}
main()
