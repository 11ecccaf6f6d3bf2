import type zh from './zh.ts'

export default {
  title: 'Register',
  lead: 'Create your {name} account',
  username: 'Username',
  usernameHint: 'At most 12 characters',
  usernameMissing: 'Please enter a username!',
  usernameLong: 'The username can have at most 12 characters!',
  password: 'Password',
  passwordHint: '8 to 20 characters',
  passwordShort: 'The password must not be shorter than 8 characters!',
  passwordLong: 'The password must not be longer than 20 characters!',
  again: 'Confirm the password',
  passwordsDiffer: 'The two passwords entered are different!',
  emailMissing: 'Please enter your e-mail address!',
  codeMissing: 'Please enter the e-mail verification code!',
  done: 'You are registered, please log in',
  hasAccount: 'You have an account?',
  login: 'Log in',
  closed: 'The administrator has closed registration.',
  toLogin: 'Go to log in',
  passwordOff: 'The administrator has switched off registration with a password: use a third-party account.',
} satisfies Record<keyof typeof zh, string>
