import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConsoleFiles } from './console-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<head><meta content="__CSP_NONCE__"></head><body></body>')
writeFileSync(join(folder, 'assets/log-1.js'), 'export {}')
const needs = (name: string) => ({
  files: [`assets/${name}.js`, `assets/${name}.css`],
  zh: [`assets/${name}-zh.js`],
  en: [`assets/${name}-en.js`],
})
writeFileSync(
  join(folder, 'preloads.json'),
  JSON.stringify({
    '/': needs('home'),
    '/log': needs('log'),
    '/user': needs('user'),
    '/user/edit': needs('own'),
    '/setting': needs('personal'),
    '/setting?tab=system': needs('system'),
  }),
)
const files = new ConsoleFiles(folder, () => ({
  scripts: [],
  frames: [],
  asked: [],
  pictures: [],
  forms: [],
}))

function ask(address: string, language = 'zh-CN'): Response | undefined {
  const request = new Request(`http://localhost${address}`, { headers: { 'accept-language': language } })
  return files.serve(request, new URL(request.url).pathname, false)
}

const named = async (address: string, language?: string) => {
  const page = (await ask(address, language)?.text()) ?? ''
  return [...page.matchAll(/<link rel="(\w+)" crossorigin href="\/assets\/([^"]+)">/g)].map(
    ([, rel, file]) => `${rel} ${file}`,
  )
}

describe('the page names at once what the asked screen needs', () => {
  test('its words in the reader’s language, its script, its styles', async () => {
    expect(await named('/log?p=2')).toEqual([
      'modulepreload log-zh.js',
      'modulepreload log.js',
      'stylesheet log.css',
    ])
    expect((await named('/log', 'en-GB,zh;q=0.5'))[0]).toBe('modulepreload log-en.js')
  })

  test.each([
    ['/', 'home'],
    ['/log/', 'log'],
    ['/user/edit/7', 'user'],
    ['/user/edit', 'own'],
    ['/setting?tab=system', 'system'],
    ['/setting?tab=nothing', 'personal'],
    ['/setting', 'personal'],
  ])('%s has the files of %s', async (address, name) => {
    expect((await named(address))[1]).toBe(`modulepreload ${name}.js`)
  })

  test.each(['/unknown', '/__proto__', '/constructor?tab=x', '/toString'])(
    '%s names nothing',
    async address => {
      expect(await named(address)).toEqual([])
    },
  )

  test('a nonce of its own stands where it belongs, and our record of files is not served', async () => {
    const [one, other] = [await ask('/log')?.text(), await ask('/log')?.text()]
    expect(one).toMatch(/content="\w{32}"/)
    expect(one).not.toBe(other)
    expect(ask('/preloads.json')).toBeUndefined()
    expect(ask('/assets/log-1.js')?.status).toBe(200)
  })
})
