import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/** One line: what was measured, and on what. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown CPU'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  // Tells the reader whether the machine was doing other things as well.
  const load = `load ${loadavg()[0]?.toFixed(1)} before`
  return `commit ${describeCommit()}, ${processors.length} × ${model}, ${memory}, Bun ${Bun.version}, ${load}`
}

function describeCommit(): string {
  const git = Bun.spawnSync(['git', 'describe', '--always', '--dirty'], { cwd: join(import.meta.dir, '..') })
  return git.stdout.toString().trim() || 'unknown'
}
