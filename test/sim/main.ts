// npm run sim -- --seeds N [--from S]     runs N seeds
// npm run sim -- --seed 1234 --trace      runs one again, and says what happens
import { parseArgs } from 'node:util'
import { runSeeds } from './run-seeds.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
})
const from = Number(values.seed ?? values.from)
const count = values.seed === undefined ? Number(values.seeds) : 1
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count) || count < 1) {
  console.error('usage: npm run sim -- [--seeds N] [--from S] | --seed S [--trace]')
  process.exit(2)
}
const report = await runSeeds(from, count, values.trace ? { trace: line => console.log(line) } : {})
console.log(report.summary)
process.exit(report.failures.length === 0 ? 0 : 1)
