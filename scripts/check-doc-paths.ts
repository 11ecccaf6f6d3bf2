// Fails when the documentation names a file or folder of the repository that is not there.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const pages = [...new Bun.Glob('{*.md,docs/**/*.md,bench/**/*.md}').scanSync({ cwd: root })].sort()
const named = /(?<![\w./-])(?:server|console|contract|test|scripts|bench|docs)\/[\w./-]*\w/g
/** The rest of a name is a placeholder, as in `server/providers/<name>/`. */
const isOpen = (after: string) => /^\/?[<{*…]/.test(after)

for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8')
  for (const match of text.matchAll(named)) {
    const [path] = match
    if (existsSync(join(root, path)) || isOpen(text.slice(match.index + path.length))) continue
    console.error(`${page} names ${path}, which is not here`)
    process.exitCode = 1
  }
}
