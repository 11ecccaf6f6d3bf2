import type zh from './zh.ts'

export default {
  title: 'Log in',
  lead: 'Continue with your {name} account',
  username: 'Username or e-mail',
  password: 'Password',
  submit: 'Log in',
  code: 'Code',
  codeHelp: 'The six digits of your authenticator app, or a backup code',
  done: 'Logged in',
  incomplete: 'Please enter username and password!',
  expired: 'You are not logged in or your login has expired, please log in again!',
  defaultPassword: 'You are using the default password, change it immediately!',
  notSetUp: 'This system is not set up yet.',
  toSetup: 'Set it up',
} satisfies Record<keyof typeof zh, string>
