// Reads Vite's manifest and answers what a browser with an empty cache downloads for each screen.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type Chunk = {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

export type Weight = { readonly name: string; readonly bytes: number }
export type ConsoleWeight = {
  /** Cold load of each screen: the page's own scripts and styles, the shell, the screen, its texts. */
  readonly screens: readonly Weight[]
  /** What a screen fetches later, on demand, beyond what it already has; of shared parts, beyond the shell. */
  readonly lazyParts: readonly Weight[]
  /** All texts of one language. */
  readonly languages: readonly Weight[]
}

const languages = ['zh', 'en'] as const

export function weighConsole(folder: string): ConsoleWeight {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const page = filesOfPage(folder)
  const shell = loadedWith(
    manifest,
    Object.keys(manifest).filter(key => page.includes(manifest[key]?.file ?? '')),
  )
  const isText = (key: string) => languages.some(language => textPattern(language).test(key))

  const screens = new Map<string, number>()
  const lazyParts: Weight[] = []
  const routes = [...dynamicImportsOf(manifest, shell)].filter(key => screenOf(key) && !isText(key))
  for (const route of routes) {
    const name = screenOf(route) ?? ''
    const loaded = loadedWith(manifest, [...shell, route])
    const files = new Set([...page, ...filesOf(manifest, loaded)])
    const hasLists = [...loaded].some(key => manifest[key]?.name === 'lists')
    const weights = languages.map(language => {
      const texts = textsOf(manifest, language).filter(
        key => [undefined, name].includes(screenOf(key)) && (!isOfLists(key) || hasLists),
      )
      return gzipBytes(folder, files.union(new Set(filesOf(manifest, texts))))
    })
    const parts = [...dynamicImportsOf(manifest, loaded).difference(new Set([...routes, ...loaded]))]
      .filter(part => screenOf(part) === name && !isText(part))
      .map(part => {
        const more = new Set(filesOf(manifest, loadedWith(manifest, [part]))).difference(files)
        return { name: part, bytes: gzipBytes(folder, more) }
      })
    // A screen of tabs opens with one of them.
    const tabs = parts.filter(part => part.name.endsWith('-tab.tsx'))
    const heaviestTab = Math.max(0, ...tabs.map(tab => tab.bytes))
    screens.set(name, Math.max(...weights, screens.get(name) ?? 0) + heaviestTab)
    lazyParts.push(...parts.filter(part => !tabs.includes(part)))
  }
  const had = new Set([...page, ...filesOf(manifest, shell)])
  for (const part of dynamicImportsOf(manifest, Object.keys(manifest))) {
    if (!part.startsWith('ui/')) continue
    const more = new Set(filesOf(manifest, loadedWith(manifest, [part]))).difference(had)
    lazyParts.push({ name: part, bytes: gzipBytes(folder, more) })
  }
  return {
    screens: [...screens].map(([name, bytes]) => ({ name, bytes })),
    lazyParts,
    languages: languages.map(name => ({
      name,
      bytes: gzipBytes(folder, new Set(filesOf(manifest, textsOf(manifest, name)))),
    })),
  }
}

/** The words that lists have in common come with what draws lists. */
function isOfLists(key: string): boolean {
  return key.startsWith('lists/')
}

/** Each screen has its own texts, `locales/` at the top has those of the shell; one language is loaded. */
function textPattern(language: string): RegExp {
  return new RegExp(`(?:^|/)locales/${language}\\.ts$`)
}

function textsOf(manifest: Manifest, language: string): string[] {
  return Object.keys(manifest).filter(key => textPattern(language).test(key))
}

function screenOf(key: string): string | undefined {
  return /^screens\/([^/]+)\//.exec(key)?.[1]
}

/** These chunks and everything they import statically. */
function loadedWith(manifest: Manifest, keys: Iterable<string>): Set<string> {
  const loaded = new Set<string>()
  const visit = (key: string) => {
    if (loaded.has(key)) return
    loaded.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return loaded
}

function dynamicImportsOf(manifest: Manifest, keys: Iterable<string>): Set<string> {
  return new Set([...keys].flatMap(key => manifest[key]?.dynamicImports ?? []))
}

function filesOf(manifest: Manifest, keys: Iterable<string>): string[] {
  return [...keys].flatMap(key => {
    const chunk = manifest[key]
    return chunk ? [chunk.file, ...(chunk.css ?? [])] : []
  })
}

/** Scripts and styles that index.html names: the entry, and what sets the theme before first paint. */
function filesOfPage(folder: string): string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/\b(?:src|href)="\/?([^"]+\.(?:js|css))"/g)].map(match => match[1] ?? '')
  return named.filter(file => existsSync(join(folder, file)))
}

function gzipBytes(folder: string, files: Iterable<string>): number {
  let bytes = 0
  for (const file of files) bytes += gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
  return bytes
}
