import type zh from './zh.ts'

export default {
  headline: 'One API for every model',
  lead: '{name} puts models from many providers behind one address. Prepaid, billed by usage, and every charge adds up to the last unit.',
  console: 'Open console',
  firstCall: 'Your first call',
  copySnippet: 'Copy example',
  address: 'API address',
  copyAddress: 'Copy API address',
  billing: 'How calls are billed',
  billingLead: 'Every charge comes from one line of arithmetic like this, settled in whole quota units.',
  notSetUp: 'This system is not set up yet. Create the super admin account first.',
} satisfies Record<keyof typeof zh, string>
