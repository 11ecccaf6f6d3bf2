// Writes a .gz and a .br beside every text file of the built console, so the server never compresses one.
// Not beside index.html: the server writes a nonce into each copy it sends.
// Usage: bun scripts/compress-console.ts [folder]

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = /\.(js|css|svg|json|webmanifest|txt|xml|ico|ttf)$/
const smallest = 512

export async function compressFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.flatMap(entry => {
    // Names that begin with a dot are our own records and are never served.
    const path = join(entry.parentPath, entry.name)
    const isServed = !path.slice(folder.length).includes('/.')
    return entry.isFile() && isServed && compressible.test(entry.name) ? [path] : []
  })
  // All at once: every core takes a part.
  await Promise.all(files.map(compressFile))
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length <= smallest) return
  const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, brotli),
  ])
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)])
}

if (import.meta.main) await compressFolder(process.argv[2] ?? join(import.meta.dir, '../dist/console'))
