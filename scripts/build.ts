// npm run build: dist/tollgate, one executable file with server and console inside, for machines that have
// neither Node nor Bun.   bun scripts/build.ts [file]

import { join, relative, resolve } from 'node:path'
import { compileServer } from './compile-server.ts'

const root = join(import.meta.dir, '..')
const outfile = resolve(process.argv[2] ?? join(root, 'dist/tollgate'))

await compileServer(outfile, 'small')
console.log(`${relative(process.cwd(), outfile)}: ${Math.round(Bun.file(outfile).size / 1e6)} MB`)
