// npm run faults: the long version of the kill test, on one engine or all.
//   npm run faults -- --rounds 500 --clients 200 --engine postgres --seed 7
import { parseArgs } from 'node:util'
import { dropAll, engines } from '../services/databases.ts'
import { openHouse } from './house.ts'
import { killRounds } from './kill-rounds.ts'
import { newSeed } from './random.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    clients: { type: 'string', default: '50' },
    engine: { type: 'string' },
    seed: { type: 'string' },
  },
})
const chosen = engines.filter(({ name }) => values.engine === undefined || values.engine === name)
if (chosen.length === 0) {
  console.error(`--engine must be one of ${engines.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

let failed = false
for (const engine of chosen) {
  const seed = values.seed === undefined ? newSeed() : Number(values.seed)
  const rounds = Number(values.rounds)
  console.log(`${engine.name}: ${rounds} rounds of kill -9, seed ${seed}`)
  const house = await openHouse(await engine.freshUrl(), { seed })
  const plan = { rounds, clients: Number(values.clients), auditEvery: 10 }
  const result = await killRounds(house, plan, text => console.log(`  ${text}`))
  const { faults, done, broken, refused, unheard, checkpoints, slowestStart } = result
  console.log(
    `  ${done} answers completed, ${broken} interrupted, ${refused} calls refused, ${unheard} unheard`,
  )
  console.log(`  ${checkpoints} had a checkpoint when they were killed; back within ${slowestStart} ms`)
  console.log(`  ${faults.length} faults`)
  for (const fault of faults) console.log(`  ${fault}`)
  failed ||= faults.length > 0
  await house.close()
}
await dropAll()
process.exit(failed ? 1 : 0)
