// npm run check: everything that can be said about the code without running it. Prints one line per step,
// and the words of the steps that failed.

import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const steps: Record<string, string[]> = {
  // One checker: several look at much of the same, and take the cores from the other steps.
  types: [bin('tsc'), '-p', '.', '--checkers', '1'],
  'lint and format': [bin('biome'), 'check', '--error-on-warnings', '.'],
  'unused code': [bin('knip'), '--no-progress'],
  'lock file': ['scripts/check-lock.ts'],
  'import directions': ['scripts/check-imports.ts'],
  'file length': ['scripts/check-file-length.ts'],
  'paths in the docs': ['scripts/check-doc-paths.ts'],
  'console bytes': ['scripts/check-console-bytes.ts'],
}

const began = performance.now()
// At once: most of them keep one core busy, and the types take as long as all the others.
const running = Object.entries(steps).map(async ([name, command]) => ({ name, ...(await run(command)) }))
let failed = 0
for (const step of running) {
  const { name, isFine, words, took } = await step
  if (!isFine) failed++
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name.padEnd(18)} ${took}`)
  if (!isFine) console.log(`\n${words}`)
}
console.log(
  `${failed === 0 ? 'All checks pass' : `${failed} of ${running.length} checks fail`}, ${seconds(began)}`,
)
process.exitCode = failed === 0 ? 0 : 1

async function run(command: string[]) {
  const start = performance.now()
  // Under Bun even the tools that name Node on their first line: one runtime, whatever Node is here.
  const step = Bun.spawn([process.execPath, ...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const printed = await Promise.all([step.stdout, step.stderr].map(stream => new Response(stream).text()))
  const isFine = (await step.exited) === 0
  return { isFine, words: printed.join(''), took: seconds(start) }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
