// Holds the direction of imports between the rooms of the house. Exit 1 names every line that points the
// wrong way.

import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** What each room may import besides itself, `contract` and the leaf modules. `x/*` is x's top files only. */
const serverRooms: Record<string, readonly string[]> = {
  dialects: [],
  store: [],
  outbound: [],
  otlp: ['outbound'],
  providers: ['dialects', 'outbound'],
  ledger: ['store'],
  relay: ['providers', 'dialects', 'ledger', 'store', 'outbound', 'otlp'],
  tasks: ['relay', 'providers', 'dialects', 'ledger', 'store', 'outbound'],
  mcp: ['relay', 'dialects', 'ledger', 'store', 'outbound'],
  services: ['ledger', 'store', 'outbound', 'providers/*'],
  jobs: ['services', 'relay', 'tasks', 'ledger', 'store'],
  http: ['relay', 'tasks', 'mcp', 'services'],
}

/** Modules of the server that every room may import, and that import nothing of ours but `contract`. */
const leaves = ['server/errors.ts', 'server/log.ts', 'server/metrics.ts', 'server/steady-clock.ts']

/** Rooms outside the product: they may look at anything, and the product never looks at them. */
const outside = ['test', 'bench', 'scripts']

/** Packages a room is held to; rooms not named here take what package.json has. */
const onlyPackages: Record<string, readonly string[]> = { contract: ['zod'] }

export type Violation = { readonly line: number; readonly text: string }

/** Every import in `source` (the text of `path`, relative to the repository) that its room may not make. */
export function findViolations(path: string, source: string): Violation[] {
  return findImports(source).flatMap(({ specifier, line }) => {
    const reason = specifier.startsWith('.')
      ? refuseOwn(path, posix.normalize(posix.join(posix.dirname(path), specifier)))
      : refusePackage(path, specifier)
    return reason ? [{ line, text: `${path}:${line} imports ${specifier}: ${reason}` }] : []
  })
}

function refuseOwn(from: string, to: string): string | undefined {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)]
  if (to.startsWith('..')) return 'it is outside the repository'
  if (outside.includes(fromRoom) || /\.test\.tsx?$/.test(from)) return undefined
  if (outside.includes(toRoom)) return `the product does not import ${toRoom}`
  if (fromRoom === toRoom && !leaves.includes(from)) return undefined
  if (toRoom === 'contract') return undefined
  if (fromRoom === 'server') return leaves.includes(from) ? 'a leaf module imports contract only' : undefined
  const allowed = serverRooms[fromRoom]
  if (!allowed) return `${fromRoom} imports nothing of ours but contract`
  if (leaves.includes(to)) return undefined
  const isTopFile = to.split('/').length === 3
  if (allowed.includes(toRoom) || (isTopFile && allowed.includes(`${toRoom}/*`))) return undefined
  return `${fromRoom} may import ${['contract', ...allowed].join(', ')}`
}

function refusePackage(from: string, specifier: string): string | undefined {
  const allowed = onlyPackages[roomOf(from)]
  if (!allowed || from.includes('.test.')) return undefined
  const isAllowed = allowed.some(name => specifier === name || specifier.startsWith(`${name}/`))
  return isAllowed ? undefined : `${roomOf(from)} uses no package but ${allowed.join(', ')}`
}

/** `server/relay/route.ts` lives in `relay`, `server/main.ts` in `server`, `console/ui/x.tsx` in `console`. */
function roomOf(path: string): string {
  const [top = '', second = '', ...deeper] = path.split('/')
  return top === 'server' && deeper.length > 0 ? second : top
}

const importForms = [
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"`]([^'"`$]+)/g,
  /\bnew URL\(\s*['"`](\.[^'"`$]*)['"`$][^)]*\bimport\.meta\.url/g,
]

function findImports(source: string): { specifier: string; line: number }[] {
  return importForms.flatMap(form =>
    [...source.matchAll(form)].map(match => {
      const specifier = match[1] ?? ''
      const end = match.index + match[0].lastIndexOf(specifier)
      return { specifier, line: source.slice(0, end).split('\n').length }
    }),
  )
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..')
  const sources = new Bun.Glob('{contract,server,console}/**/*.{ts,tsx}')
  const paths = [...sources.scanSync({ cwd: root })].sort()
  const found = paths.flatMap(path => findViolations(path, readFileSync(join(root, path), 'utf8')))
  for (const { text } of found) console.error(text)
  process.exitCode = found.length === 0 ? 0 : 1
}
