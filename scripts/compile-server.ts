// Server and console in one executable file: what `npm run build` makes, and what the tests start.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { BunPlugin } from 'bun'
import { writeEmbeddedConsole } from './embed-console.ts'

const root = join(import.meta.dir, '..')
const server = join(root, 'server')

/** `new URL('./x-thread.ts', import.meta.url)`: how our code names the file of a thread. */
const threadFile = /new URL\(\s*'(\.[^']+)\.ts',\s*import\.meta\.url\s*\)/g

/**
 * `small` is for who receives the file. One that is not keeps the names, for whoever reads a stack, and carries what the
 * engine makes of the sources as well: it starts in half the time, and the sooner the fewer files it has.
 */
export async function compileServer(outfile: string, kind: 'small' | 'quick'): Promise<void> {
  const made = mkdtempSync(join(root, 'dist', 'embedded-'))
  try {
    await Bun.build({
      entrypoints: serverEntries(),
      root: server,
      target: 'bun',
      format: 'esm',
      minify: kind === 'small' ? true : { whitespace: true, syntax: true },
      bytecode: kind === 'quick',
      // All files in one folder: a thread that starts another finds it beside itself, whichever file its code is in.
      naming: '[name].[ext]',
      compile: { outfile, autoloadBunfig: false },
      plugins: [threadAddresses(await embed(made, kind === 'small' ? 'all' : 'last build'))],
    })
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Modules that only the executable has, made in this folder, by those whose place they take. */
async function embed(folder: string, builds: 'all' | 'last build'): Promise<Record<string, string>> {
  const [consoleFiles, tokens] = [join(folder, 'console.ts'), join(folder, 'tokens.ts')]
  await writeEmbeddedConsole(join(root, 'dist/console'), consoleFiles, builds)
  const script = join(import.meta.dir, 'embed-token-tables.ts')
  // In a process of its own, since what they are filled from takes a hundred megabytes.
  const run = Bun.spawnSync([process.execPath, script, join(folder, 'token-tables.bin'), tokens])
  if (!run.success) throw new Error(run.stderr.toString())
  return {
    [join(server, 'http/embedded-console.ts')]: consoleFiles,
    [join(server, 'relay/counting/fill-tables.ts')]: tokens,
  }
}

/** In a bundle a module's URL is that of the file it came to lie in. Of files in `replaced` another is taken. */
function threadAddresses(replaced: Record<string, string>): BunPlugin {
  return {
    name: 'thread addresses',
    setup(build) {
      build.onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(replaced[path] ?? path, 'utf8')
        const rewrite = (_: string, file: string) => `new URL('./${basename(file)}.ts', import.meta.url)`
        return { contents: contents.replace(threadFile, rewrite), loader: 'ts' }
      })
    },
  }
}

/** The program and its threads. */
function serverEntries(): string[] {
  const modules = [...new Bun.Glob('**/*.ts').scanSync({ cwd: server, absolute: true })]
  const threads = modules
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path => {
      const named = [...readFileSync(path, 'utf8').matchAll(threadFile)]
      return named.map(match => resolve(dirname(path), `${match[1]}.ts`))
    })
  return [join(server, 'main.ts'), ...[...new Set(threads)].sort()]
}
