import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressFolder } from './compress-console.ts'

test('text files above 512 bytes get both forms, others none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-compress-'))
  const long = 'const a = 1\n'.repeat(100)
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'assets/main.js'), long)
  await writeFile(join(folder, 'assets/short.js'), 'const a = 1')
  await writeFile(join(folder, 'assets/font.woff2'), long)
  await writeFile(join(folder, '.vite/manifest.json'), long)
  await compressFolder(folder)
  expect((await readdir(join(folder, 'assets'))).sort()).toEqual([
    'font.woff2',
    'main.js',
    'main.js.br',
    'main.js.gz',
    'short.js',
  ])
  expect(await readdir(join(folder, '.vite'))).toEqual(['manifest.json'])
  expect(gunzipSync(await readFile(join(folder, 'assets/main.js.gz'))).toString()).toBe(long)
  expect(brotliDecompressSync(await readFile(join(folder, 'assets/main.js.br'))).toString()).toBe(long)
  await rm(folder, { recursive: true })
})
