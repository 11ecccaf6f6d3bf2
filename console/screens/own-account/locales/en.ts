import type zh from './zh.ts'

export default {
  title: 'Edit profile',
  lead: 'Your username, display name and low-quota reminder',
  names: 'Names',
  usernameHint: 'Used to log in, at most 12 characters',
  displayNameLength: 'The display name must be 1 to 20 characters long',
  saved: 'Saved',
  cancel: 'Back to settings',
} satisfies Record<keyof typeof zh, string>
