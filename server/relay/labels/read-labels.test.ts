import { describe, expect, test } from 'bun:test'
import { isLabel } from '../../../contract/labels.ts'
import { AppError } from '../../errors.ts'
import type { Edits } from '../../providers/define.ts'
import { readBodyTags, withoutBodyTags } from './body-tags.ts'
import { readLabels } from './read-labels.ts'

const read = (headers: Record<string, string>, fixed?: string, tags?: readonly string[]) =>
  readLabels({ headers: new Headers(headers) }, fixed, tags)
const own = 'x-tollgate-labels'
const long = 'a'.repeat(64)

function refusal(headers: Record<string, string>, fixed?: string): string {
  try {
    return `not refused: ${read(headers, fixed)}`
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

test('who says nothing is labelled by the token alone', () => {
  expect(read({})).toBeUndefined()
  expect(read({}, 'a,b')).toBe('a,b')
})

describe('our own header', () => {
  test.each([
    ['search', 'search'],
    [' env:prod , search,,', 'env:prod,search'],
    ['b,a,b', 'a,b'],
    ['%E6%90%9C%E7%B4%A2,a%20b', 'a b,搜索'],
    // As curl sends it.
    [Buffer.from('搜索', 'utf8').toString('latin1'), '搜索'],
    [long, long],
    ['', undefined],
    [' , ', undefined],
  ])('%p', (header, labels) => {
    expect(read({ [own]: header })).toBe(labels)
  })

  test('with those of the token, each once', () => {
    expect(read({ [own]: 'search,prod' }, 'prod,team')).toBe('prod,search,team')
  })

  test.each([
    [`${long}a`, 'field.label'],
    ['a%2Cb', 'field.label'],
    ['a%00b', 'field.label'],
    ['a%0Ab', 'field.label'],
    ['a%20%20b', 'field.label'],
    ['%E2%80%AE', 'field.label'],
    ['100%', 'field.label'],
    ['1,2,3,4,5,6,7,8,9', 'field.most-labels'],
  ])('%p is refused', (header, code) => {
    expect(refusal({ [own]: header })).toBe(code)
  })

  test('eight with those of the token, and not nine', () => {
    expect(read({ [own]: '5,6,7,8,1' }, '1,2,3,4')).toBe('1,2,3,4,5,6,7,8')
    expect(refusal({ [own]: '5,6,7,8,9' }, '1,2,3,4')).toBe('field.most-labels')
  })
})

describe('in the words of others', () => {
  test.each([
    [{ 'x-litellm-tags': 'team-api, production,us-east-1' }, 'production,team-api,us-east-1'],
    [{ 'x-litellm-end-user-id': 'alice' }, 'user:alice'],
    [
      {
        'x-portkey-metadata':
          '{"_user":"u-1","environment":"prod","n":3,"ok":true,"no":null,"x":{"a":1},"e":""}',
      },
      'environment:prod,n:3,ok:true,user:u-1',
    ],
    [{ 'x-portkey-metadata': 'prod' }, undefined],
    [{ 'x-portkey-metadata': '["prod"]' }, undefined],
    [{ 'x-portkey-metadata': `{"feature":"a,b\\n c\\u202e"}` }, 'feature:a_b c_'],
    [{ 'x-litellm-tags': `${long}b` }, long],
    [{ 'x-litellm-tags': '1,2,3,4,5,6,7,8,9' }, '1,2,3,4,5,6,7,8'],
  ] as [Record<string, string>, string | undefined][])('%p', (headers, labels) => {
    expect(read(headers)).toBe(labels)
  })

  test('what was said here comes first where there is not room for all', () => {
    const headers = { [own]: 'own', 'x-litellm-tags': '1,2,3,4,5,6,7,8' }
    expect(read(headers, 'fixed')).toBe('1,2,3,4,5,6,fixed,own')
  })

  test('whatever is sent, what is read are labels', () => {
    for (let code = 0; code < 0x3000; code++) {
      const labels = read({}, undefined, [`x${String.fromCharCode(code)}y${'😀'.repeat(31)}z`])
      expect(labels?.split(',').every(isLabel)).toBe(true)
    }
  })
})

describe('tags in a body', () => {
  test.each([
    [{}, undefined, undefined],
    // OpenAI's own: texts by names, whatever the names are.
    [{ metadata: { tags: 'a,b', topic: 'x' } }, undefined, undefined],
    // Anthropic's own.
    [{ metadata: { user_id: 'u' } }, undefined, undefined],
    [{ metadata: null }, undefined, undefined],
    [{ metadata: { tags: ['a', 'b'] } }, ['a', 'b'], { metadata: undefined }],
    [{ metadata: { tags: ['a', 1], topic: 'x' } }, ['a'], { metadata: { topic: 'x' } }],
    [{ metadata: { tags: [] } }, undefined, { metadata: undefined }],
    [{ litellm_metadata: { tags: ['a'], x: 1 } }, ['a'], { litellm_metadata: undefined }],
    [{ litellm_metadata: 'odd', metadata: { a: 'b' } }, undefined, { litellm_metadata: undefined }],
  ])('%j', (body, tags, edits) => {
    expect(readBodyTags(body)).toEqual(tags as string[] | undefined)
    expect(withoutBodyTags(body)).toEqual(edits as Edits | undefined)
  })
})
