import { describe, expect, test } from 'bun:test'
import { roles } from '../contract/users.ts'
import { items, landingPath, sidebarHidden, visibleItems } from './navigation.ts'

const everyScreen = new Set(items.map(({ path }) => path))
const everythingOn: NonNullable<Parameters<typeof visibleItems>[1]> = {
  enable_data_export: true,
  enable_drawing: true,
  enable_task: true,
  enable_mcp: true,
  chat_link: '',
  chats: [{ 'First chat': 'https://one.example' }, { 'Second chat': 'https://two.example' }],
}
const ids = (role: number, status: Parameters<typeof visibleItems>[1] = everythingOn) =>
  visibleItems(role, status, everyScreen).map(({ id }) => id)

describe('the sidebar', () => {
  test('shows an administrator everything, in order', () => {
    expect(ids(roles.admin)).toEqual([
      'playground',
      'channel',
      'chat',
      'token',
      'prompt',
      'detail',
      'redemption',
      'topup',
      'user',
      'log',
      'midjourney',
      'task',
      'tools',
      'mcpServer',
      'setting',
    ])
  })

  test('keeps channels, redemption codes and users from ordinary users', () => {
    expect(ids(roles.user)).toEqual([
      'playground',
      'chat',
      'token',
      'prompt',
      'detail',
      'topup',
      'log',
      'midjourney',
      'task',
      'tools',
      'setting',
    ])
  })

  test('shows the lists of what a team has made to its owners alone', () => {
    const forTeam = (isOwner: boolean) =>
      visibleItems(roles.user, everythingOn, everyScreen, { isOwner }).map(({ id }) => id)
    expect(forTeam(true)).toEqual(ids(roles.user))
    expect(forTeam(false)).toEqual([
      'playground',
      'chat',
      'token',
      'prompt',
      'detail',
      'topup',
      'log',
      'tools',
      'setting',
    ])
  })

  test('leaves out what the server has switched off', () => {
    const noFigures = { ...everythingOn, enable_data_export: false, api_info: [], announcements: [], faq: [] }
    expect(ids(roles.user, noFigures)).not.toContain('detail')
    const faq = [{ question: 'Why?', answer: 'Because.' }]
    expect(ids(roles.user, { ...noFigures, faq })).toContain('detail')
    expect(ids(roles.user, { ...noFigures, uptime_kuma_enabled: true })).toContain('detail')
    expect(ids(roles.user, { ...everythingOn, enable_drawing: false })).not.toContain('midjourney')
    expect(ids(roles.user, { ...everythingOn, enable_task: false })).not.toContain('task')
    expect(ids(roles.user, { ...everythingOn, enable_mcp: false })).not.toContain('tools')
  })

  test('knows no flag before the status has arrived', () => {
    expect(visibleItems(roles.user, undefined, everyScreen).map(({ id }) => id)).toEqual([
      'playground',
      'token',
      'prompt',
      'topup',
      'log',
      'setting',
    ])
  })

  test('offers no screen that does not exist', () => {
    expect(visibleItems(roles.root, everythingOn, new Set(['/', '/setting'])).map(({ id }) => id)).toEqual([
      'setting',
    ])
  })

  test('has one sub-item per chat, unless a default chat page replaces them', () => {
    const chat = visibleItems(roles.user, everythingOn, everyScreen).find(({ id }) => id === 'chat')
    expect(chat?.chats).toEqual(['First chat', 'Second chat'])
    expect(ids(roles.user, { ...everythingOn, chat_link: 'https://chat.example' })).not.toContain('chat')
    expect(ids(roles.user, { ...everythingOn, chats: [] })).not.toContain('chat')
  })

  test('gives every item a letter of its own to jump with', () => {
    const letters = items.map(({ letter }) => letter)
    expect(new Set([...letters, 'h', 'v', 'n', 'a']).size).toBe(letters.length + 4)
  })

  test.each(['/', '/chat/1', '/chat2link', '/login', '/setup'])('stays away from %s', path => {
    expect(sidebarHidden(path, true)).toBe(true)
  })

  test('is for those who are logged in', () => {
    expect(sidebarHidden('/about', true)).toBe(false)
    expect(sidebarHidden('/chatter', true)).toBe(false)
    expect(sidebarHidden('/about', false)).toBe(true)
  })
})

describe('a fresh login leads', () => {
  test('to the tokens once there is such a screen', () => {
    expect(landingPath(roles.user, everyScreen)).toBe('/token')
    expect(landingPath(roles.root, everyScreen)).toBe('/token')
  })

  test('until then to the settings, or home for those who have none', () => {
    const few = new Set(['/', '/setting'] as const)
    expect(landingPath(roles.root, few)).toBe('/setting')
    expect(landingPath(roles.admin, few)).toBe('/')
    expect(landingPath(roles.user, few)).toBe('/')
  })
})
