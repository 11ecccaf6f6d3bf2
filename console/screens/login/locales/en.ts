import type zh from './zh.ts'

export default {
  lead: 'Continue with your {name} account',
  username: 'Username or email',
  incomplete: 'Enter your username and password',
  defaultPassword: 'You are using the default password. Change it now!',
  passwordOff: 'Password login is disabled. Use another method.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  forgotten: 'Forgot password?',
  notSetUp: 'This system is not set up yet.',
} satisfies Record<keyof typeof zh, string>
