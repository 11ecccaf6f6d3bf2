import { expect, test } from 'bun:test'
import { matchCommands } from './match-commands.ts'

const groups = [
  {
    group: 'pages',
    actions: [
      { id: 'log', label: '日志', keywords: ['/log'] },
      { id: 'login', label: 'Log in', keywords: '/login' },
      { id: 'about', label: '关于' },
    ],
  },
  { group: 'actions', actions: [{ id: 'dark', label: 'Dark', keywords: ['theme', '主题'] }] },
]
const found = (typed: string) =>
  matchCommands(groups, typed).map(({ group, actions }) => [group, ...actions.map(({ id }) => id)])

test('names come before other words, groups keep their order, an empty group is left out', () => {
  expect(found('')).toEqual([
    ['pages', 'log', 'login', 'about'],
    ['actions', 'dark'],
  ])
  expect(found(' LOG ')).toEqual([['pages', 'login', 'log']])
  expect(found('主题')).toEqual([['actions', 'dark']])
  expect(found('nothing')).toEqual([])
})
