import type zh from './zh.ts'

export default {
  'link.none': 'No chat link is configured. Contact the administrator.',
  'link.unreadable': 'The chat data could not be read',
  'link.wrong': 'The chat link is misconfigured. Contact the administrator.',
  'open.app': 'Open {name}',
  'open.appText':
    '{name} is an app on your device. Opening it passes along one of your tokens and the address of this site.',
  'open.redirecting': 'Redirecting to {name}…',
  'token.goNow': 'Go to tokens',
  'token.none': 'You have no enabled token. Enable or create one first.',
} satisfies Record<keyof typeof zh, string>
