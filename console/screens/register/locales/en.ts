import type zh from './zh.ts'

export default {
  title: 'Register',
  lead: 'Create your {name} account',
  username: 'Username',
  usernameHint: 'At most 12 characters',
  usernameMissing: 'Enter a username',
  usernameLong: 'The username can be at most 12 characters long',
  password: 'Password',
  passwordHint: '8 to 20 characters',
  passwordShort: 'The password must be at least 8 characters long',
  passwordLong: 'The password must be at most 20 characters long',
  again: 'Confirm password',
  passwordsDiffer: 'The passwords do not match',
  emailMissing: 'Enter your email address',
  codeMissing: 'Enter the email verification code',
  done: 'Account created. Please log in.',
  hasAccount: 'Already have an account?',
  closed: 'Registration is closed.',
  toLogin: 'Go to login',
  passwordOff: 'Registration with a password is disabled. Use a third-party account.',
} satisfies Record<keyof typeof zh, string>
