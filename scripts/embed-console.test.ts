import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeEmbeddedConsole } from './embed-console.ts'

let folder = ''
let built = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-embed-'))
  built = join(folder, 'console')
  await mkdir(join(built, '.vite'), { recursive: true })
  await mkdir(join(built, 'assets'))
  const screen = {
    file: 'assets/screen-new.js',
    css: ['assets/screen-new.css'],
    assets: ['assets/letters.woff2'],
  }
  await writeFile(join(built, '.vite/manifest.json'), JSON.stringify({ 'screen.tsx': screen }))
  const files = [
    'screen-new.js',
    'screen-new.js.br',
    'screen-new.css',
    'letters.woff2',
    'screen-old.js',
    'screen-old.js.br',
  ]
  for (const file of ['index.html', ...files.map(name => `assets/${name}`)])
    await writeFile(join(built, file), file)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function embedded(which: 'all' | 'last build'): Promise<string[]> {
  const written = join(folder, `${which.replace(' ', '-')}.ts`)
  await writeEmbeddedConsole(built, written, which)
  const { embeddedConsole } = (await import(written)) as { embeddedConsole: Record<string, string> }
  for (const [name, path] of Object.entries(embeddedConsole)) expect(await Bun.file(path).text()).toBe(name)
  return Object.keys(embeddedConsole)
}

const ofLast = [
  'assets/letters.woff2',
  'assets/screen-new.css',
  'assets/screen-new.js',
  'assets/screen-new.js.br',
  'index.html',
]

test('what is carried is every file that is served, or those of the last build alone', async () => {
  expect(await embedded('last build')).toEqual(ofLast)
  expect(await embedded('all')).toEqual([...ofLast, 'assets/screen-old.js', 'assets/screen-old.js.br'].sort())
})
