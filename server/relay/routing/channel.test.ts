import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { handClock, sampleChannel, sampleRow } from '../../../test/relay/sample-channels.ts'
import { configureLog, log } from '../../log.ts'
import { Cipher } from '../../store/cipher.ts'
import { channelKeyPlace } from '../../store/sealed-places.ts'
import { Channel } from './channel.ts'
import { KEY_REST_MS, LAST_KEY_REST_MS } from './channel-keys.ts'

const lines: string[] = []
configureLog({ level: 'info', write: line => lines.push(line) })
afterEach(() => {
  lines.length = 0
})
afterAll(() => configureLog({ level: 'info', write: line => process.stdout.write(line) }))

describe('a row becomes a channel', () => {
  test('with its lists taken apart and its address without a slash', () => {
    const channel = sampleChannel({
      models: ' gpt-4o,,gpt-4o , claude-opus-5',
      group: 'default, vip,default',
      base_url: ' https://api.example.com/v1// ',
      openai_organization: '',
      auto_ban: 0,
    })
    expect([...channel.models]).toEqual(['gpt-4o', 'claude-opus-5'])
    expect(channel.groups).toEqual(['default', 'vip'])
    expect(channel.baseUrl).toBe('https://api.example.com/v1')
    expect(channel).toMatchObject({
      organization: undefined,
      autoBan: false,
      isEnabled: true,
    })
    expect(sampleChannel({ base_url: '' }).baseUrl).toBeUndefined()
    expect(sampleChannel({ status: 3 }).isEnabled).toBe(false)
  })

  test('with its mappings and settings, of which what is not understood is left out', () => {
    const channel = sampleChannel({
      model_mapping: '{"a":" b ","c":1,"d":"","__proto__":"x"}',
      status_code_mapping:
        '{"400":"500","429":503,"200":"500","401":"200","x":"400","404":"99999","405":null}',
      setting: JSON.stringify({
        proxy: ' socks5://127.0.0.1:1080 ',
        force_format: true,
        dialects: ['anthropic', 'klingon', 7, 'toString'],
        param_override: { temperature: 0 },
        header_override: { 'x-a': '1', 'x-b': 2, 'x-c': null },
        system_prompt: '   ',
        system_prompt_override: 'yes',
        unheard_of: 1,
      }),
    })
    expect([...channel.mapping]).toEqual([
      ['a', 'b'],
      ['__proto__', 'x'],
    ])
    expect([...channel.statusMapping]).toEqual([
      [400, 500],
      [429, 503],
    ])
    expect(channel.setting).toEqual({
      proxy: 'socks5://127.0.0.1:1080',
      force_format: true,
      dialects: ['anthropic'],
      param_override: { temperature: 0 },
      header_override: { fixed: [['x-a', '1']] },
      system_prompt: undefined,
      system_prompt_override: undefined,
    })
    expect(lines).toEqual([])
  })

  test('operations that cannot be obeyed are not, and the operator is told', () => {
    const of = (operations: object[]) => ({ setting: JSON.stringify({ param_override: { operations } }) })
    const bad = sampleChannel(of([{ mode: 'delete', path: 'user' }, { mode: 'explode' }])).setting
    expect([bad.operations, bad.param_override]).toEqual([undefined, undefined])
    expect(lines.splice(0).join()).toContain('operations[1].mode')
    const good = sampleChannel(of([{ mode: 'delete', path: 'user' }])).setting
    expect([good.operations, good.param_override]).toEqual([[{ mode: 'delete', path: ['user'] }], undefined])
    expect(lines).toEqual([])
  })

  test.each([
    ['model_mapping', 'mapping', new Map()],
    ['status_code_mapping', 'statusMapping', new Map()],
    ['setting', 'setting', {}],
  ] as const)('an unreadable %s is ignored, and the operator is told', (column, field, empty) => {
    for (const text of ['{oops', '[]', 'null', '"x"']) {
      expect(sampleChannel({ [column]: text })[field]).toEqual(empty)
      expect(lines.splice(0).join()).toContain(`"field":"${column}"`)
    }
    for (const text of [null, '', ' ']) expect(sampleChannel({ [column]: text })[field]).toEqual(empty)
    expect(lines).toEqual([])
  })
})

describe('the keys of a channel', () => {
  const account = JSON.stringify({ type: 'service_account', private_key: 'a\nb' }, null, 2)
  test.each([
    ['one', 'sk-1', ['sk-1']],
    ['one a line, blanks and doubles skipped', ' sk-1\r\n\nsk-2 \nsk-1', ['sk-1', 'sk-2']],
    ['a JSON document of many lines', account, [account]],
    ['several JSON documents', '{"a":1}\n{"a":2}', ['{"a":1}', '{"a":2}']],
    ['none wanted', '', ['']],
  ])('%s', (_name, key, keys) => {
    expect(sampleChannel({ key }).keys).toEqual(keys)
    expect(sampleChannel({ key }).key).toBe(keys[0])
  })

  test('are taken in turn, and an unusable one rests for a while', () => {
    const clock = handClock()
    const channel = sampleChannel({ key: 'k1\nk2\nk3', clock })
    const take = (count: number) => Array.from({ length: count }, () => channel.nextKey())
    expect(take(4)).toEqual(['k1', 'k2', 'k3', 'k1'])
    channel.setAside('k2')
    channel.setAside('not one of them')
    expect(take(3)).toEqual(['k3', 'k1', 'k3'])
    expect(channel.keyReadyAt).toBe(0)
    clock.passes(1000)
    channel.setAside('k1')
    channel.setAside('k3', 5000)
    expect(take(2)).toEqual([undefined, undefined])
    expect(channel.keyReadyAt).toBe(clock() + 5000)
    clock.passes(5000)
    expect(channel.keyReadyAt).toBe(0)
    expect(take(2)).toEqual(['k3', 'k3'])
    clock.passes(KEY_REST_MS)
    expect(new Set(take(3))).toEqual(new Set(['k1', 'k2', 'k3']))
  })

  test('that are limited rest for the model, each for as long as it was told, or longer each time', () => {
    const clock = handClock()
    const channel = sampleChannel({ key: 'k1\nk2\nk3', clock })
    const ring = channel.keyRing
    const take = (model: string) => [1, 2, 3].map(() => channel.nextKey(model))
    ring?.limit('k1', 'm', 30)
    ring?.limit('not one of them', 'm', 30)
    expect([take('m'), take('another')]).toEqual([
      ['k2', 'k3', 'k2'],
      ['k3', 'k1', 'k2'],
    ])
    ring?.limit('k3', 'm', undefined)
    expect([channel.keyReadyFor('m'), ring?.restTimes('m')]).toEqual([0, [clock() + 30_000, clock() + 5000]])
    expect([ring?.has('m', []), ring?.has('m', ['k2']), ring?.has('another', ['k2'])]).toEqual([
      true,
      false,
      true,
    ])
    channel.setAside('k2')
    expect([channel.keyReadyFor('m'), channel.keyReadyFor('another'), channel.keyReadyAt]).toEqual([
      clock() + 5000,
      0,
      0,
    ])
    expect([take('m')[0], [...(ring?.limitedModels ?? [])]]).toEqual([undefined, ['m']])
    clock.passes(5000)
    expect(take('m')).toEqual(['k3', 'k3', 'k3'])
    // Again before it was answered: twice as long; after that as at first.
    for (const [seconds, isAnswered] of [
      [10, true],
      [5, false],
      [10, false],
    ] as const) {
      ring?.limit('k3', 'm', undefined)
      expect(channel.keyReadyFor('m')).toBe(clock() + seconds * 1000)
      // What was under way when it was limited does not count.
      ring?.answered('k3', 'm')
      expect(channel.keyReadyFor('m')).toBe(clock() + seconds * 1000)
      clock.passes(seconds * 1000)
      if (isAnswered) ring?.answered('k3', 'm')
    }
  })

  test('only so many models whose keys are limited are remembered, and the oldest goes first', () => {
    const channel = sampleChannel({ key: 'k1\nk2' })
    for (let model = 0; model <= 500; model++) channel.keyRing?.limit('k1', `m${model}`, 1)
    const keys = [0, 1, 500].map(model => channel.keyRing?.restTimes(`m${model}`).length)
    expect(keys).toEqual([0, 1, 1])
  })

  test('the last that works rests no longer than after a fault of the server', () => {
    const clock = handClock()
    const single = sampleChannel({ key: 'k1', clock })
    single.setAside('k1')
    expect([single.nextKey(), single.keyReadyAt]).toEqual([undefined, clock() + LAST_KEY_REST_MS])
    const channel = sampleChannel({ key: 'k1\nk2', clock })
    channel.setAside('k1')
    channel.setAside('k2')
    expect(channel.keyReadyAt).toBe(clock() + LAST_KEY_REST_MS)
    clock.passes(LAST_KEY_REST_MS)
    expect([single.nextKey(), channel.nextKey(), channel.nextKey()]).toEqual(['k1', 'k2', 'k2'])
  })

  test('are opened when first asked for, and are kept out of the log from then on', () => {
    const key = 'AKIA-part-one-of-the-key|part-two-of-the-key-0001|us-east-1'
    const channel = sampleChannel({ key })
    const say = () => log.info('heard: part-two-of-the-key-0001 in us-east-1')
    say()
    expect(lines.splice(0).join()).toContain('part-two-of-the-key-0001')
    expect(channel.nextKey()).toBe(key)
    say()
    expect(lines.join()).toContain('heard: *** in us-east-1')
  })

  test('that were sealed for another row or with another secret leave the channel without any', () => {
    const other = new Cipher('another-secret-that-is-long-enough-9876543210')
    const foreign = [
      new Channel(sampleRow({ id: 1 }), other),
      sampleChannel({ id: 1, key_sealed: sampleRow({ id: 2 }).key_sealed }),
      sampleChannel({ key_sealed: 'rubbish' }),
    ]
    for (const channel of foreign) {
      expect(channel.keyReadyAt).toBe(0)
      expect([channel.nextKey(), channel.key, channel.keys]).toEqual([undefined, undefined, []])
      channel.setAside('x')
      expect(channel.keyReadyAt).toBe(Number.POSITIVE_INFINITY)
    }
    expect(lines.length).toBe(foreign.length)
    expect(sampleChannel({ key_sealed: '' }).nextKey()).toBe('')
    expect(channelKeyPlace(7)).toEqual({ table: 'channels', column: 'key_sealed', row: 7 })
  })
})
