import { availableParallelism } from 'node:os'
import { installMissing, nginx, type Service } from '../../scripts/install-services.ts'
import { findProgram } from '../../test/services/find-program.ts'

const wrk: Service = { name: 'wrk', aptPackage: 'wrk', isHere: () => Boolean(findProgram('wrk')) }
const taskset: Service = {
  name: 'taskset',
  aptPackage: 'util-linux',
  isHere: () => Boolean(findProgram('taskset')),
}

/** What is measured has one core to itself, and so has the load. */
export const cores = { server: 0, load: 1 } as const

/** The load generator and the bare limit, installed where we may. */
export function needLoadTools(): void {
  const missing = installMissing([nginx, wrk, taskset])
  if (missing.length > 0) {
    const names = missing.map(({ name, aptPackage }) => `${name} (package ${aptPackage})`).join(', ')
    throw new Error(`The load rigs need ${names}; this account could not install it`)
  }
  if (availableParallelism() < 2)
    throw new Error('The load rigs need two cores: one for the server, one for load')
}
