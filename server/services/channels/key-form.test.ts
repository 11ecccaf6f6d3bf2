import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { checkKeyForm } from './key.ts'

const account = JSON.stringify({ client_email: 'a@b', private_key: 'pem\n', project_id: 'p' }, null, 2)

describe('the form of a key', () => {
  const good: readonly [number, string][] = [
    [1, 'anything goes'],
    [15, 'id|secret'],
    [15, 'bce-v3/ALTAK-x/y'],
    [15, 'bce-v3/ALTAK-x/y|app-1'],
    [16, 'id.secret'],
    [18, 'app|secret|key'],
    [18, 'password'],
    [23, 'app|id|key'],
    [23, 'sk-one'],
    [33, 'AKIA1|secret/+|us-east-1'],
    [33, 'AKIA1|secret|us-east-1|token'],
    [33, 'bedrock-key|us-east-1'],
    [33, 'AKIA1|s|us-east-1\nAKIA2|s|eu-west-1\n'],
    [41, account],
    [41, 'AQ.key'],
  ]
  test.each(good)('of type %i: %s', (type, key) => {
    expect(() => checkKeyForm(type, key)).not.toThrow()
  })

  const bad: readonly [number, string, string][] = [
    [15, 'only-one', 'APIKey|SecretKey'],
    [16, 'no-dot', 'id.secret'],
    [18, 'a|b', 'APPID|APISecret|APIKey'],
    [23, 'a|b', 'AppId|SecretId|SecretKey'],
    [33, 'AKIA1', 'Ak|Sk|Region'],
    [33, 'AKIA1||us-east-1', 'Ak|Sk|Region'],
    [33, 'AKIA1|s|us-east-1\nAKIA2', 'Ak|Sk|Region'],
    [41, '{"client_email":"a"}', 'client_email'],
    [41, '{broken', 'client_email'],
  ]
  test.each(bad)('not of type %i: %s', (type, key, hint) => {
    let refusal: unknown
    try {
      checkKeyForm(type, key)
    } catch (error) {
      refusal = error
    }
    if (!(refusal instanceof AppError)) throw new Error('it was taken')
    expect(refusal.code).toBe('channel.key-format')
    expect(refusal.text('zh')).toContain(hint)
  })
})
