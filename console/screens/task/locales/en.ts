import type zh from './zh.ts'

export default {
  actionLyrics: 'Lyrics',
  actionMusic: 'Music',
  finished: 'Finished',
  noMatches: 'No matching tasks',
  none: 'No tasks today',
  noneLead:
    'Async tasks submitted through /suno and similar APIs appear here with their progress and results.',
  platform: 'Platform',
  statusQueued: 'Queued',
  statusSubmitting: 'Submitting',
} satisfies Record<keyof typeof zh, string>
