// Fails when the documentation names a file, a folder or a command of the repository, or leads to a page or a part of
// one, that is not there, and when nothing leads to one of its pages.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const named = /(?<![\w./-])(?:server|console|contract|test|scripts|bench|docs)\/[\w./-]*\w/g
const link = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g
/** The rest of a name is a placeholder, as in `server/providers/<name>/`. */
const isOpen = (after: string) => /^\/?[<{*…]/.test(after)

/** What is wrong with these pages, of which each has its path; `isThere` knows every other path. */
export function findFaults(
  pages: ReadonlyMap<string, string>,
  isThere: (path: string) => boolean,
): readonly string[] {
  const faults: string[] = []
  const led = new Set(['README.md'])
  for (const [page, text] of pages) {
    for (const match of text.matchAll(named)) {
      const [path] = match
      if (isThere(path) || isOpen(text.slice(match.index + path.length))) continue
      faults.push(`${page} names ${path}, which is not here`)
    }
    for (const [, path = '', part] of text.matchAll(link)) {
      const target = path === '' ? page : normalize(join(dirname(page), path))
      if (target !== page) led.add(target)
      if (!isThere(target)) faults.push(`${page} leads to ${target}, which is not here`)
      else if (part !== undefined && !partsOf(pages.get(target) ?? '').has(part))
        faults.push(`${page} leads to ${target}#${part}, which is not there`)
    }
  }
  for (const page of pages.keys()) if (!led.has(page)) faults.push(`No page leads to ${page}`)
  return faults
}

const script = /\bnpm run ([\w-]+)/g
const testRun = /\bnpm test -- ([^\n`#]+)/g

/** Commands on these pages that do nothing: a script that there is not, or a part of a path that no test has. */
export function findDeadCommands(
  pages: ReadonlyMap<string, string>,
  scripts: readonly string[],
  tests: readonly string[],
): readonly string[] {
  const faults: string[] = []
  for (const [page, text] of pages) {
    for (const [, name = ''] of text.matchAll(script))
      if (!scripts.includes(name)) faults.push(`${page} has npm run ${name}, which there is not`)
    for (const [, words = ''] of text.matchAll(testRun))
      for (const word of words.trim().split(/\s+/)) {
        // An option, or the rest is for the reader to name.
        if (/^[-<]/.test(word)) break
        if (!tests.some(test => test.includes(word)))
          faults.push(`${page} has npm test -- ${word}, which no test is called`)
      }
  }
  return faults
}

/** What GitHub calls the parts of a page: a further one of the same title has a number behind it. */
function partsOf(text: string): ReadonlySet<string> {
  const parts = new Set<string>()
  // In a block of code, a line that begins so is a comment.
  for (const [, title = ''] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const part = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let further = 0
    while (parts.has(further === 0 ? part : `${part}-${further}`)) further++
    parts.add(further === 0 ? part : `${part}-${further}`)
  }
  return parts
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..')
  // A glob each: alternatives with folders in them find nothing, without a word.
  const paths = ['*.md', 'docs/**/*.md', 'bench/**/*.md'].flatMap(glob =>
    [...new Bun.Glob(glob).scanSync({ cwd: root })].sort(),
  )
  const pages = new Map(paths.map(path => [path, readFileSync(join(root, path), 'utf8')]))
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const tests = [
    ...new Bun.Glob('{contract,server,console,scripts,bench,test}/**/*.test.{ts,tsx}').scanSync(root),
  ]
  const faults = [
    ...findFaults(pages, path => existsSync(join(root, path))),
    ...findDeadCommands(pages, Object.keys(scripts), tests),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
