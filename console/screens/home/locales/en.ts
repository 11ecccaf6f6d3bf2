import type zh from './zh.ts'

export default {
  title: 'Home',
  headline: 'A gateway for model APIs',
  lead: '{name} keeps accounts, prepaid quota and prices in one place, and every charge can be checked to the last unit.',
  login: 'Log in',
  console: 'Open the console',
  docs: 'API documentation',
  firstCall: 'A first call',
  copySnippet: 'Copy the example',
  address: 'API address',
  copyAddress: 'Copy the API address',
  billing: 'How a call is billed',
  billingLead: 'Every charge is worked out in one line of arithmetic like this, in whole units.',
  notSetUp: 'This system is not set up yet. Create the super administrator first.',
  toSetup: 'Set it up',
} satisfies Record<keyof typeof zh, string>
