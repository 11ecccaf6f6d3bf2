// Fails when the documentation names a file or folder of the repository, or leads to a page or a part of one, that is
// not there.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')
// A glob each: alternatives with folders in them find nothing, without a word.
const pages = ['*.md', 'docs/**/*.md', 'bench/**/*.md'].flatMap(glob =>
  [...new Bun.Glob(glob).scanSync({ cwd: root })].sort(),
)
const named = /(?<![\w./-])(?:server|console|contract|test|scripts|bench|docs)\/[\w./-]*\w/g
const link = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g
/** The rest of a name is a placeholder, as in `server/providers/<name>/`. */
const isOpen = (after: string) => /^\/?[<{*…]/.test(after)

const read = (page: string) => readFileSync(join(root, page), 'utf8')
const complain = (words: string) => {
  console.error(words)
  process.exitCode = 1
}

/** What GitHub calls the parts of a page. */
function partsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

for (const page of pages) {
  const text = read(page)
  for (const match of text.matchAll(named)) {
    const [path] = match
    if (existsSync(join(root, path)) || isOpen(text.slice(match.index + path.length))) continue
    complain(`${page} names ${path}, which is not here`)
  }
  for (const [, path = '', part] of text.matchAll(link)) {
    const target = path === '' ? page : normalize(join(dirname(page), path))
    if (!existsSync(join(root, target))) complain(`${page} leads to ${target}, which is not here`)
    else if (part !== undefined && !partsOf(target).includes(part))
      complain(`${page} leads to ${target}#${part}, which is not there`)
  }
}
