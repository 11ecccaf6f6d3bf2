import type zh from './zh.ts'

export default {
  title: 'About',
  what: '{name} is a gateway for AI model APIs: one address that relays to many providers, bills exactly what was used, and manages users, tokens and channels.',
  version: 'Version',
  api: 'API documentation',
  licence: 'Licence',
  hint: 'The super administrator can replace this page under Settings → Other.',
} satisfies Record<keyof typeof zh, string>
