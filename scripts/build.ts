// npm run build: dist/tollgate, one executable file with server and console inside, for machines that have
// neither Node nor Bun.   bun scripts/build.ts [file]

import { rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { naming, server, serverEntries, threadAddresses } from './bundle-server.ts'
import { writeEmbeddedConsole } from './embed-console.ts'

const root = join(import.meta.dir, '..')
const outfile = resolve(process.argv[2] ?? join(root, 'dist/tollgate'))
const embedded = join(root, 'dist', `embedded-console.${process.pid}.ts`)

await writeEmbeddedConsole(join(root, 'dist/console'), embedded)
try {
  await Bun.build({
    entrypoints: serverEntries(),
    root: server,
    target: 'bun',
    minify: true,
    naming,
    compile: { outfile, autoloadBunfig: false },
    plugins: [threadAddresses('.ts', { [join(server, 'http/embedded-console.ts')]: embedded })],
  })
} finally {
  rmSync(embedded, { force: true })
}
console.log(`${relative(process.cwd(), outfile)}: ${Math.round(Bun.file(outfile).size / 1e6)} MB`)
