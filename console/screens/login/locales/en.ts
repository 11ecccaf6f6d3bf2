import type zh from './zh.ts'

export default {
  title: 'Log in',
  lead: 'Continue with your {name} account',
  username: 'Username or e-mail',
  password: 'Password',
  secondTitle: 'Two-factor login',
  secondLead: 'This account is protected by a second step',
  incomplete: 'Please enter username and password!',
  defaultPassword: 'You are using the default password, change it immediately!',
  passwordOff: 'The administrator has switched off login with a password: use another way.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  forgotten: 'Forgot your password?',
  notSetUp: 'This system is not set up yet.',
  toSetup: 'Set it up',
} satisfies Record<keyof typeof zh, string>
