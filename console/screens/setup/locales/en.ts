import type zh from './zh.ts'

export default {
  title: 'Set up {name}',
  lead: 'Create the super admin account.',
  token: 'Setup token',
  tokenMissing: 'Enter the setup token',
  whereIsToken:
    'On startup the server prints a one-time link in its log. Open that link, or paste its token below.',
  username: 'Username',
  usernameHint: '1 to 12 characters',
  usernameLength: 'The username must be 1 to 12 characters long',
  password: 'Password',
  passwordHint: '8 to 20 characters',
  passwordShort: 'The password must be at least 8 characters long',
  passwordLong: 'The password must be at most 20 characters long',
  again: 'Confirm password',
  passwordsDiffer: 'The passwords do not match',
  submit: 'Create account',
  done: 'Setup complete',
  doneTitle: 'Setup is already complete',
  doneLead: 'The super admin account exists; the setup link no longer works.',
  toLogin: 'Log in',
} satisfies Record<keyof typeof zh, string>
