import type zh from './zh.ts'

export default {
  'link.unreadable': 'The chat data could not be read',
  'open.app': 'Open {name}',
  'open.appText':
    '{name} is an app on your device. Opening it passes along one of your tokens and the address of this site.',
  'open.redirecting': 'Redirecting to {name}…',
  'token.goNow': 'Go to tokens',
  'token.none': 'You have no enabled token. Enable or create one first.',
} satisfies Record<keyof typeof zh, string>
