import type zh from './zh.ts'

export default {
  title: 'Set up {name}',
  lead: 'Create the super admin account.',
  token: 'Setup token',
  tokenMissing: 'Enter the setup token',
  whereIsToken:
    'On startup the server prints a one-time link in its log. Open that link, or paste its token below.',
  usernameHint: '1 to 12 characters',
  submit: 'Create account',
  done: 'Setup complete',
  doneTitle: 'Setup is already complete',
  doneLead: 'The super admin account exists; the setup link no longer works.',
} satisfies Record<keyof typeof zh, string>
