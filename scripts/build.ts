// npm run build: dist/tollgate, one executable file with server and console inside, for machines that have
// neither Node nor Bun.   bun scripts/build.ts [file]

import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { BunPlugin } from 'bun'
import { writeEmbeddedConsole } from './embed-console.ts'

const root = join(import.meta.dir, '..')
const server = join(root, 'server')
const outfile = resolve(process.argv[2] ?? join(root, 'dist/tollgate'))
const embedded = join(root, 'dist', `embedded-console.${process.pid}.ts`)

/** `new URL('./x-thread.ts', import.meta.url)`: how our code names the file of a thread. */
const threadFile = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g

/** In one file every module shares one URL, so a thread's address is written from the server's root. */
const threadAddresses: BunPlugin = {
  name: 'thread addresses',
  setup(build) {
    build.onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path === embeddedConsoleStub ? embedded : path, 'utf8')
      const rewrite = (_: string, file: string) =>
        `new URL('./${relative(server, resolve(dirname(path), file))}', import.meta.url)`
      return { contents: contents.replace(threadFile, rewrite), loader: 'ts' }
    })
  },
}
const embeddedConsoleStub = join(server, 'http/embedded-console.ts')

function findThreads(): string[] {
  const modules = [...new Bun.Glob('**/*.ts').scanSync({ cwd: server, absolute: true })]
  const threads = modules
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path => {
      const named = [...readFileSync(path, 'utf8').matchAll(threadFile)]
      return named.map(match => resolve(dirname(path), match[1] ?? ''))
    })
  return [...new Set(threads)].sort()
}

await writeEmbeddedConsole(join(root, 'dist/console'), embedded)
try {
  await Bun.build({
    entrypoints: [join(server, 'main.ts'), ...findThreads()],
    root: server,
    target: 'bun',
    minify: true,
    compile: { outfile, autoloadBunfig: false },
    plugins: [threadAddresses],
  })
} finally {
  rmSync(embedded, { force: true })
}
console.log(`${relative(process.cwd(), outfile)}: ${Math.round(Bun.file(outfile).size / 1e6)} MB`)
