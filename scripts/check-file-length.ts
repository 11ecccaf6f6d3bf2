// Fails when a source file has grown past what one reader holds in mind. Tables of data may be long.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const longest = 400
const dataTables = ['contract/settings/**', 'console/**/locales/**']

const root = join(import.meta.dir, '..')
const sources = new Bun.Glob('{contract,server,console,test,bench,scripts}/**/*.{ts,tsx,mjs,css}')
const isTable = (path: string) => dataTables.some(table => new Bun.Glob(table).match(path))

for (const path of [...sources.scanSync({ cwd: root })].sort()) {
  if (isTable(path)) continue
  const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length
  if (lines <= longest) continue
  console.error(`${path} has ${lines} lines; ${longest} is the most`)
  process.exitCode = 1
}
