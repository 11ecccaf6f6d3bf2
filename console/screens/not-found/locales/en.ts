import type zh from './zh.ts'

export default {
  title: 'This page does not exist',
  advice: 'Please check that the address is correct.',
  home: 'Back to the home page',
} satisfies Record<keyof typeof zh, string>
