// Rows as DuckDB reads them: `outputs.cjs FILE.ndjson FILE.csv` prints their count and sum, which must agree.
const { DuckDBInstance } = require('@duckdb/node-api')
async function main([ndjson, csv]) {
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  const ask = async (from) => (await db.runAndReadAll(`select count(*)::int, sum(gain_mid)::bigint::varchar from ${from}`)).getRows()[0].join(' rows, ') + ' ns'
  const answers = [await ask(`read_json('${ndjson}', format='newline_delimited')`), await ask(`read_csv_auto('${csv}')`)]
  if (answers[0] !== answers[1]) throw new Error(answers.join(' against '))
  console.log(answers[0])
}
main(process.argv.slice(2)).catch((e) => { console.error(e.message); process.exit(1) })
