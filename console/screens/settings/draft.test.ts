import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingKeys, settings } from '../../../contract/settings/index.ts'
import { operationSettings } from '../../../contract/settings/operation.ts'
import { otherSettings } from '../../../contract/settings/other.ts'
import { systemSettings } from '../../../contract/settings/system.ts'
import { jsonErrorPosition } from '../../ui/json-editor/json-error-position.ts'
import {
  changedKeys,
  emptyDraft,
  faultOf,
  groupBySection,
  savedText,
  saveOrder,
  withEdit,
  withoutEdits,
  withSaved,
} from './draft.ts'

describe('an edit', () => {
  test('is of what was saved when it began, and begins anew from what it is typed back to', () => {
    const first = withEdit(emptyDraft, 'Name', 'min', { text: 'old', revision: 'r1' })
    expect(first).toEqual({ edits: { Name: 'min' }, bases: { Name: 'r1' } })
    const later = withEdit(first, 'Name', 'mine', { text: 'theirs', revision: 'r2' })
    expect(later).toEqual({ edits: { Name: 'mine' }, bases: { Name: 'r1' } })
    const back = withEdit(later, 'Name', 'theirs', { text: 'theirs', revision: 'r2' })
    expect(withEdit(back, 'Name', 'mine', { text: 'theirs', revision: 'r2' }).bases).toEqual({ Name: 'r2' })
    expect(withoutEdits(later, ['Name'])).toEqual(emptyDraft)
  })

  test('is over when it is saved, and one that was typed meanwhile begins from that', () => {
    const sent = { edits: { Name: 'mine', Secret: 's1' }, bases: { Name: 'r1' } }
    const saved = [
      { key: 'Name', text: 'mine', revision: 'r2' },
      { key: 'Secret', text: 's1', revision: undefined },
    ]
    expect(withSaved(sent, saved)).toEqual(emptyDraft)
    const typed = { edits: { Name: 'mine too', Secret: 's12' }, bases: { Name: 'r1' } }
    expect(withSaved(typed, saved)).toEqual({ edits: typed.edits, bases: { Name: 'r2' } })
    expect(withSaved(emptyDraft, saved)).toEqual(emptyDraft)
  })
})

describe('sections', () => {
  test('stand in the order of the registry and hold every setting once', () => {
    const groups = groupBySection(systemSettings)
    expect(groups[0]?.id).toBe('system.general')
    expect(groups.at(-1)?.id).toBe('system.oidc')
    expect(groups.flatMap(({ keys }) => keys).toSorted()).toEqual(Object.keys(systemSettings).toSorted())
  })

  test('of the three tabs hold every option there is, but for what is kept for old clients', () => {
    const shown = [operationSettings, systemSettings, otherSettings].flatMap(tab =>
      groupBySection(tab).flatMap(({ keys }) => keys),
    )
    const hidden = settingKeys.filter(key => settings[key].section === 'other.legacy')
    expect([...shown, ...hidden].toSorted()).toEqual(settingKeys.toSorted())
    expect(groupBySection(operationSettings)).toHaveLength(14)
  })

  test('leave out what nothing obeys, and nothing else', () => {
    expect(groupBySection(otherSettings).map(({ id }) => id)).toEqual([
      'other.notice',
      'other.addresses',
      'other.announcements',
      'other.questions',
      'other.uptime',
      'other.personal',
    ])
    const sources = ['server', 'console'].flatMap(folder => {
      const paths = new Bun.Glob('**/*.{ts,tsx}').scanSync(join(import.meta.dir, '../../..', folder))
      return [...paths]
        .filter(path => !path.includes('.test.'))
        .map(path => readFileSync(join(import.meta.dir, '../../..', folder, path), 'utf8'))
    })
    const unheard = settingKeys.filter(key => !sources.some(text => text.includes(key)))
    const hidden = settingKeys.filter(key => settings[key].section === 'other.legacy')
    expect(unheard.toSorted()).toEqual(hidden.toSorted())
  })
})

describe('changes', () => {
  const keys = ['SMTPServer', 'SMTPPort', 'SMTPToken']
  const saved = { SMTPServer: 'mail.example', SMTPPort: '587' }

  test('are what differs from what is saved', () => {
    expect(changedKeys(systemSettings, keys, saved, {})).toEqual([])
    expect(changedKeys(systemSettings, keys, saved, { SMTPPort: '587' })).toEqual([])
    expect(changedKeys(systemSettings, keys, saved, { SMTPPort: '465', SMTPServer: 'mail.example' })).toEqual(
      ['SMTPPort'],
    )
  })

  test('of a secret are whatever is typed; nothing typed leaves it alone', () => {
    expect(savedText(systemSettings.SMTPToken, 'never shown')).toBe('')
    expect(changedKeys(systemSettings, keys, saved, { SMTPToken: '' })).toEqual([])
    expect(changedKeys(systemSettings, keys, saved, { SMTPToken: 'x' })).toEqual(['SMTPToken'])
  })

  test('are compared with the default where nothing was ever saved', () => {
    expect(changedKeys(systemSettings, ['SMTPPort'], {}, { SMTPPort: '587' })).toEqual([])
  })

  test('are saved so that values are there before the flags that need them', () => {
    const edits = {
      EmailDomainRestrictionEnabled: 'true',
      EmailDomainWhitelist: 'example.com',
      EmailAliasRestrictionEnabled: 'false',
    }
    expect(saveOrder(systemSettings, Object.keys(edits), edits)).toEqual([
      'EmailAliasRestrictionEnabled',
      'EmailDomainWhitelist',
      'EmailDomainRestrictionEnabled',
    ])
  })
})

describe('faults', () => {
  test('are told in the language of the reader', () => {
    expect(faultOf(systemSettings.MinTopUp, '0', 'en')).toBe('must be a whole number from 1 to 1000000')
    expect(faultOf(systemSettings.MinTopUp, '0', 'zh')).toBe('必须是 1 到 1000000 之间的整数')
    expect(faultOf(systemSettings.MinTopUp, '3', 'en')).toBeUndefined()
  })

  test('of JSON name their place', () => {
    expect(faultOf(systemSettings.TopupGroupRatio, '{\n"a": }', 'en')).toBe(
      'not a valid JSON string (line 2, column 6)',
    )
    expect(faultOf(systemSettings.TopupGroupRatio, '{"a": "one"}', 'en')).toBe(
      'has the wrong structure (at a)',
    )
  })

  test.each([
    ['', 1, 1],
    ['{"a" 1}', 1, 6],
    ['[1,\n 2,\n]', 3, 1],
    ['{"a": 01}', 1, 8],
    ['{"a": "unended}', 1, 7],
    ['{} more', 1, 4],
  ])('%j stops being JSON at line %i, column %i', (text, line, column) => {
    expect(jsonErrorPosition(text)).toEqual({ line, column })
  })

  test.each(['{}', '[1, -2.5e3, true, null, "\\u00e9\\n"]', '{"a": {"b": []}}', ' 7 '])(
    '%j is JSON',
    text => {
      expect(() => JSON.parse(text)).not.toThrow()
      expect(jsonErrorPosition(text)).toBeUndefined()
    },
  )
})
