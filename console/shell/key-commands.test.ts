import { describe, expect, test } from 'bun:test'
import { readKey } from './key-commands.ts'

const press = (key: string, more: Partial<Parameters<typeof readKey>[0]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  ...more,
})

describe('keys', () => {
  test('open the palette everywhere, also while typing', () => {
    expect(readKey(press('k', { metaKey: true, typing: true }), false)).toEqual({ kind: 'palette' })
    expect(readKey(press('K', { ctrlKey: true }), false)).toEqual({ kind: 'palette' })
  })

  test('list the keys and focus the search', () => {
    expect(readKey(press('?'), false)).toEqual({ kind: 'keys' })
    expect(readKey(press('/'), false)).toEqual({ kind: 'search' })
  })

  test('jump with g and a letter', () => {
    expect(readKey(press('g'), false)).toEqual({ kind: 'jump-begins' })
    expect(readKey(press('s'), true)).toEqual({ kind: 'jump', letter: 's' })
    expect(readKey(press('s'), false)).toBeUndefined()
  })

  test('belong to whoever is typing, and to the browser', () => {
    expect(readKey(press('?', { typing: true }), false)).toBeUndefined()
    expect(readKey(press('s', { typing: true }), true)).toBeUndefined()
    expect(readKey(press('g', { ctrlKey: true }), false)).toBeUndefined()
    expect(readKey(press('k', { ctrlKey: true, altKey: true }), false)).toBeUndefined()
  })
})
