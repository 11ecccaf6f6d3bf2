import type zh from './zh.ts'

export default {
  title: 'Edit your account',
  lead: 'Change your username and display name',
  username: 'Username',
  usernameHint: 'What you log in with, at most 12 characters',
  usernameLength: 'The username must have 1 to 12 characters',
  displayName: 'Display name',
  displayNameLength: 'The display name must have 1 to 20 characters',
  save: 'Save',
  saved: 'Saved',
  unchanged: 'You seem not to have changed anything',
  cancel: 'Back to settings',
} satisfies Record<keyof typeof zh, string>
