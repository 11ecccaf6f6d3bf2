import type zh from './zh.ts'

export default {
  actionLyrics: 'Lyrics',
  actionMusic: 'Music',
  finished: 'Finished',
  noMatches: 'No task matches',
  none: 'No tasks today',
  noneLead: 'Tasks submitted through /suno and the like appear here, with their progress and results.',
  platform: 'Platform',
  statusQueued: 'Queued',
  statusSubmitting: 'Submitting',
  title: 'Tasks',
} satisfies Record<keyof typeof zh, string>
