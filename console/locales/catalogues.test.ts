import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

const console = join(import.meta.dir, '..')
const folders = [...new Bun.Glob('**/locales/zh.ts').scanSync(console)].map(path => dirname(path))

/** The sources that a catalogue serves: its screen's, or all where it belongs to no screen. */
function sourcesOf(folder: string): string {
  const owner = join(console, folder.startsWith('screens/') ? dirname(folder) : '.')
  return [...new Bun.Glob('**/*.{ts,tsx}').scanSync(owner)]
    .filter(path => !/\.test\.tsx?$|(^|\/)locales\/(zh|en)\.ts$/.test(path))
    .map(path => readFileSync(join(owner, path), 'utf8'))
    .join('\n')
}

async function messages(folder: string, language: 'zh' | 'en'): Promise<Record<string, string>> {
  return (await import(join(console, folder, `${language}.ts`))).default
}

/** The names in braces, whatever is done with them. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return
    for (const token of value) {
      if (!Array.isArray(token)) continue
      if (token[0] !== '#') names.add(String(token[0]))
      for (const choice of Object.values(token[2] ?? {})) visit(choice)
    }
  }
  visit(compileMessageOrThrow(text))
  return [...names].sort()
}

/** Names of arguments and of headers are no words. */
const withoutNames = (text: string) => text.replace(/\{\w+/g, '').replace(/\bx-\S+/g, '')

/** What a message says with these arguments. */
async function say(folder: string, key: string, values: Record<string, string | number>): Promise<string> {
  const i18n = setupI18n({ locale: 'en', messages: { en: await messages(folder, 'en') } })
  return i18n.setMessagesCompiler(compileMessageOrThrow)._(key, values)
}

test('English counts one as one', async () => {
  const operation = 'screens/settings/operation/locales'
  expect(await say('lists/locales', 'moreGroups', { count: 1 })).toBe('1 more group')
  expect(await say('lists/locales', 'moreGroups', { count: 2 })).toBe('2 more groups')
  const hours = (requests: string) => say('screens/channel/locales', 'health', { requests, errors: '0' })
  expect(await hours('1')).toBe('Last 24 hours: 1 request, 0 failed')
  expect(await hours('1,204')).toBe('Last 24 hours: 1,204 requests, 0 failed')
  const leftOut = (count: string) => say(operation, 'compare.leftOut', { count })
  expect(await leftOut('1')).toBe('One more entry has no usable price.')
  expect(await leftOut('1,204')).toBe('1,204 more entries have no usable price.')
  const closed = (calls: string) => say(operation, 'books.last', { month: '2026-01', calls, time: '' })
  expect(await closed('1')).toContain(' 1 call ')
  expect(await closed('1,204')).toContain(' 1,204 calls ')
  expect(await say('screens/prompt/locales', 'unchangedLines', { count: 1 })).toBe('1 unchanged line')
})

test('every screen has its words', () => {
  expect(folders.length).toBeGreaterThan(5)
})

describe.each(folders)('%s', folder => {
  test('has the same keys in both languages', async () => {
    const [zh, en] = [await messages(folder, 'zh'), await messages(folder, 'en')]
    expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort())
  })

  test('has no key that nothing uses', async () => {
    const sources = sourcesOf(folder)
    const unused = Object.keys(await messages(folder, 'zh')).filter(key => !sources.includes(`'${key}'`))
    expect(unused).toEqual([])
  })

  test('has no Chinese in the English, and nothing blank', async () => {
    const [zh, en] = [await messages(folder, 'zh'), await messages(folder, 'en')]
    expect(Object.values(en).filter(text => /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/.test(text))).toEqual(
      [],
    )
    expect([...Object.values(zh), ...Object.values(en)].filter(text => text.trim() === '')).toEqual([])
  })

  test('names tokens of text in one way in Chinese, where a token of ours is 令牌', async () => {
    const named = Object.values(await messages(folder, 'zh')).filter(text => /token/.test(withoutNames(text)))
    expect(named).toEqual([])
  })

  test('takes the same arguments in both languages', async () => {
    const [zh, en] = [await messages(folder, 'zh'), await messages(folder, 'en')]
    for (const key of Object.keys(zh)) {
      expect({ key, arguments: argumentsOf(en[key] ?? '') }).toEqual({
        key,
        arguments: argumentsOf(zh[key] ?? ''),
      })
    }
  })
})
