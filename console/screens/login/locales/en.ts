import type zh from './zh.ts'

export default {
  title: 'Log in',
  lead: 'Continue with your {name} account',
  username: 'Username or email',
  password: 'Password',
  secondTitle: 'Two-factor authentication',
  secondLead: 'Complete the second step to log in',
  incomplete: 'Enter your username and password',
  defaultPassword: 'You are using the default password. Change it now!',
  passwordOff: 'Password login is disabled. Use another method.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  forgotten: 'Forgot password?',
  notSetUp: 'This system is not set up yet.',
  toSetup: 'Set up',
} satisfies Record<keyof typeof zh, string>
