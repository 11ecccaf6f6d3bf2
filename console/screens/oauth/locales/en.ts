import type zh from './zh.ts'

export default {
  title: 'Signing in with {name}',
  second: 'This account is protected by a second step',
  failed: 'It did not work, taking you back to log in...',
  bound: 'The account is bound',
} satisfies Record<keyof typeof zh, string>
