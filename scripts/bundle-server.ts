// The server in few files: what the one executable is made of, and what the tests start, for a bundle is
// there in half the time that 1500 modules take.

import { readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { BunPlugin } from 'bun'

const root = join(import.meta.dir, '..')
export const server = join(root, 'server')

/** `new URL('./x-thread.ts', import.meta.url)`: how our code names the file of a thread. */
const threadFile = /new URL\(\s*'(\.[^']+)\.ts',\s*import\.meta\.url\s*\)/g

/** All files in one folder: a thread that starts another finds it beside itself, whichever file its code is in. */
export const naming = '[name].[ext]'

/** In a bundle a module's URL is that of the file it came to lie in. Of files in `replaced` another is taken. */
export function threadAddresses(extension: '.ts' | '.js', replaced: Record<string, string> = {}): BunPlugin {
  return {
    name: 'thread addresses',
    setup(build) {
      build.onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(replaced[path] ?? path, 'utf8')
        const rewrite = (_: string, file: string) =>
          `new URL('./${basename(file)}${extension}', import.meta.url)`
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
    naming,
    plugins: [threadAddresses('.js')],
  })
  symlinkSync(join(root, 'dist'), join(folder, 'dist'))
  return join(outdir, 'main.js')
}
