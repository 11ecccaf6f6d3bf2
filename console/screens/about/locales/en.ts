import type zh from './zh.ts'

export default {
  what: '{name} is a gateway for AI model APIs: one address for many providers, exact usage-based billing, and management of users, tokens and channels.',
  version: 'Version',
  licence: 'License',
  hint: 'Replace this page:',
} satisfies Record<keyof typeof zh, string>
