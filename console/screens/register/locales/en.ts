import type zh from './zh.ts'

export default {
  lead: 'Create your {name} account',
  usernameHint: 'At most 12 characters',
  usernameMissing: 'Enter a username',
  usernameLong: 'The username can be at most 12 characters long',
  done: 'Account created',
  agree: 'I have read and agree to the',
  agreeFirst: 'Please read and agree first',
  and: ' and the ',
  hasAccount: 'Already have an account?',
  closed: 'Registration is closed.',
  passwordOff: 'Registration with a password is disabled. Use a third-party account.',
} satisfies Record<keyof typeof zh, string>
