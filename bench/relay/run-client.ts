import { join } from 'node:path'
import { cores } from '../rig/need-tools.ts'
import { runToEnd } from '../rig/running.ts'
import { repository } from '../rig/start-gateway.ts'

export function clientCommand(program: string, plan: object): string[] {
  return [
    process.execPath,
    join(repository, 'bench', 'relay', 'client', `${program}.ts`),
    JSON.stringify(plan),
  ]
}

/** Runs a client on the core of the load and reads the JSON it prints at its end. */
export async function runClient<Seen>(program: string, plan: object): Promise<Seen> {
  const output = await runToEnd(clientCommand(program, plan), 120_000, { core: cores.load })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Seen
}
