import type zh from './zh.ts'

export default {
  title: 'Home',
  headline: 'One address for every model',
  lead: '{name} relays OpenAI, Anthropic and Gemini requests to many providers. One key, and every charge can be checked.',
  login: 'Log in',
  console: 'Open the console',
  docs: 'API documentation',
  firstCall: 'A first call',
  copySnippet: 'Copy the example',
  address: 'API address',
  copyAddress: 'Copy the API address',
  billing: 'How a call is billed',
  billingLead: 'Every charge is written as one line of arithmetic like this, and stands in the log.',
  notSetUp: 'This system is not set up yet. Create the super administrator first.',
  toSetup: 'Set it up',
} satisfies Record<keyof typeof zh, string>
