import { join } from 'node:path'
import { askOpenai } from '../relay/requests.ts'
import { start } from '../rig/running.ts'
import { repository } from '../rig/start-gateway.ts'
import type { SteadyPlan, SteadySeen } from './client/steady-calls.ts'

const PER_SECOND = 100
export const pace = `${PER_SECOND} calls a second`

/** A steady trickle of relay calls while something else is done, and what they took. */
export async function relayBeside(
  gateway: { url: string },
  key: string,
  work: () => Promise<unknown>,
): Promise<SteadySeen> {
  const plan: SteadyPlan = {
    port: Number(new URL(gateway.url).port),
    ask: askOpenai(key, { stream: false }),
    perSecond: PER_SECOND,
  }
  const program = join(repository, 'bench', 'api', 'client', 'steady-calls.ts')
  const client = start([process.execPath, program, JSON.stringify(plan)])
  try {
    await work()
  } finally {
    await client.stop()
  }
  const last = client.output().trim().split('\n').at(-1) ?? ''
  if (!last.startsWith('{')) throw new Error(`The steady calls failed:\n${client.output()}`)
  return JSON.parse(last) as SteadySeen
}
