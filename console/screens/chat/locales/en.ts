import type zh from './zh.ts'

export default {
  'link.none': 'No chat link is configured, please contact the administrator',
  'link.unreadable': 'The chat data cannot be read',
  'link.wrong': 'The chat link is configured wrongly, please contact the administrator',
  'open.app': 'Open {name}',
  'open.appText':
    '{name} is an application on your device. Opening it hands over one of your tokens and the address of this site.',
  'open.redirecting': 'Going to {name}…',
  title: 'Chat',
  'token.goNow': 'Go to tokens',
  'token.none': 'There is no enabled token, please make sure that one of your tokens is enabled!',
} satisfies Record<keyof typeof zh, string>
