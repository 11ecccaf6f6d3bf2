import type zh from './zh.ts'

export default {
  title: 'Set up {name}',
  lead: 'Create the super administrator, then log in.',
  token: 'Set-up token',
  tokenMissing: 'Please enter the set-up token',
  whereIsToken:
    'The server prints a one-time link in its log when it starts. Open that link, or paste its token below.',
  username: 'Username',
  usernameHint: '1 to 12 characters',
  usernameLength: 'The username must be 1 to 12 characters long',
  password: 'Password',
  passwordHint: '8 to 20 characters',
  passwordShort: 'Password length must not be less than 8!',
  passwordLong: 'Password length must not be more than 20!',
  again: 'Confirm password',
  passwordsDiffer: 'The two passwords entered are different!',
  submit: 'Create account',
  done: 'Set-up is done, please log in',
  doneTitle: 'Set-up is already done',
  doneLead: 'The super administrator exists; the set-up link no longer works.',
  toLogin: 'Log in',
} satisfies Record<keyof typeof zh, string>
