// The server in few files: what the one executable is made of, and what the tests start, for a bundle is
// there in half the time that 1500 modules take.

import { readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { BunPlugin } from 'bun'

const root = join(import.meta.dir, '..')
export const server = join(root, 'server')

/** `new URL('./x-thread.ts', import.meta.url)`: how our code names the file of a thread. */
const threadFile = /new URL\(\s*'(\.[^']+)\.ts',\s*import\.meta\.url\s*\)/g

/**
 * In one file every module shares one URL, so a thread's address is written from the server's root. Of files
 * in `replaced` another is taken.
 */
export function threadAddresses(extension: '.ts' | '.js', replaced: Record<string, string> = {}): BunPlugin {
  return {
    name: 'thread addresses',
    setup(build) {
      build.onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(replaced[path] ?? path, 'utf8')
        const rewrite = (_: string, file: string) =>
          `new URL('./${relative(server, resolve(dirname(path), file))}${extension}', import.meta.url)`
        return { contents: contents.replace(threadFile, rewrite), loader: 'ts' }
      })
    },
  }
}

/** The program and its threads. */
export function serverEntries(): string[] {
  const modules = [...new Bun.Glob('**/*.ts').scanSync({ cwd: server, absolute: true })]
  const threads = modules
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path => {
      const named = [...readFileSync(path, 'utf8').matchAll(threadFile)]
      return named.map(match => resolve(dirname(path), `${match[1]}.ts`))
    })
  return [join(server, 'main.ts'), ...[...new Set(threads)].sort()]
}

/** Into a new folder, beside the console as in the sources; answers the file to start. */
export async function bundleServer(folder: string): Promise<string> {
  const outdir = join(folder, 'server')
  await Bun.build({
    entrypoints: serverEntries(),
    root: server,
    outdir,
    target: 'bun',
    splitting: true,
    plugins: [threadAddresses('.js')],
  })
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  return join(outdir, 'main.js')
}
