import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compareWithBudgets, findFaults } from './check-console-bytes.ts'
import { weighConsole } from './console-weight.ts'

let folder = ''
const sizes: Record<string, number> = {}

/** Random bytes do not compress, so a file weighs what it is long. */
async function put(name: string, length: number): Promise<void> {
  const bytes = randomBytes(length)
  sizes[name] = gzipSync(bytes, { level: 9 }).length
  await writeFile(join(folder, name), bytes)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-bytes-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  await put('boot.js', 100)
  for (const [name, length] of Object.entries({
    main: 1_000,
    shared: 200,
    login: 30_000,
    form: 4_000,
    dialog: 600,
    'a-tab': 50,
    'b-tab': 60,
    zh: 500,
    'login-zh': 90,
    'login-en': 80,
    en: 400,
    lists: 700,
    'lists-zh': 45,
    'lists-en': 35,
  })) {
    await put(`assets/${name}.js`, length)
  }
  await put('assets/main.css', 300)
  await put('assets/login.css', 70)
  await writeFile(
    join(folder, 'index.html'),
    '<script src="/boot.js"></script><script type="module" src="/assets/main.js"></script>',
  )
  const lazy = [
    ...['screens/login/screen.tsx', 'screens/login/locales/zh.ts', 'screens/login/locales/en.ts'],
    ...['screens/token/screen.tsx', 'locales/zh.ts', 'locales/en.ts'],
  ]
  const manifest = {
    'index.html': { file: 'assets/main.js', css: ['assets/main.css'], dynamicImports: lazy },
    _shared: { file: 'assets/shared.js' },
    _lists: { file: 'assets/lists.js', name: 'lists' },
    'screens/login/screen.tsx': {
      file: 'assets/login.js',
      imports: ['index.html', '_shared'],
      dynamicImports: ['screens/login/form.tsx', 'ui/dialog.tsx'],
      css: ['assets/login.css'],
    },
    'ui/dialog.tsx': { file: 'assets/dialog.js', imports: ['index.html'] },
    'screens/login/form.tsx': { file: 'assets/form.js', imports: ['_shared'] },
    'screens/token/screen.tsx': {
      file: 'assets/shared.js',
      imports: ['_lists'],
      dynamicImports: ['screens/token/a-tab.tsx', 'screens/token/b-tab.tsx'],
    },
    'screens/token/a-tab.tsx': { file: 'assets/a-tab.js' },
    'screens/token/b-tab.tsx': { file: 'assets/b-tab.js' },
    'screens/login/locales/zh.ts': { file: 'assets/login-zh.js' },
    'screens/login/locales/en.ts': { file: 'assets/login-en.js' },
    'locales/zh.ts': { file: 'assets/zh.js' },
    'locales/en.ts': { file: 'assets/en.js' },
    'lists/locales/zh.ts': { file: 'assets/lists-zh.js' },
    'lists/locales/en.ts': { file: 'assets/lists-en.js' },
  }
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify(manifest))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const total = (...names: string[]) => names.reduce((sum, name) => sum + (sizes[name] ?? 0), 0)

test('a screen weighs the page, the shell, itself, its imports, its texts and its heaviest tab, each once', () => {
  const page = total('boot.js', 'assets/main.js', 'assets/main.css', 'assets/zh.js')
  const login = ['assets/login.js', 'assets/login.css', 'assets/login-zh.js', 'assets/shared.js']
  // Only what draws lists needs their words.
  const token = ['assets/shared.js', 'assets/b-tab.js', 'assets/lists.js', 'assets/lists-zh.js']
  expect(weighConsole(folder)).toEqual({
    screens: [
      { name: 'login', bytes: page + total(...login) },
      { name: 'token', bytes: page + total(...token) },
    ],
    lazyParts: [
      { name: 'screens/login/form.tsx', bytes: total('assets/form.js') },
      { name: 'ui/dialog.tsx', bytes: total('assets/dialog.js') },
    ],
    languages: [
      { name: 'zh', bytes: total('assets/zh.js', 'assets/login-zh.js', 'assets/lists-zh.js') },
      { name: 'en', bytes: total('assets/en.js', 'assets/login-en.js', 'assets/lists-en.js') },
    ],
  })
  expect(findFaults(compareWithBudgets(weighConsole(folder)))).toEqual([])
})

test('too heavy and unknown screens are faults', () => {
  const screens = [
    { name: 'login', bytes: 195 * 1024 },
    { name: 'brand-new', bytes: 1 },
  ]
  expect(findFaults(compareWithBudgets({ screens, lazyParts: [], languages: [] }))).toEqual([
    'login is 195.0 KiB; 186 is the most',
    'brand-new has no budget',
  ])
})
