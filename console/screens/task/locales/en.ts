import type zh from './zh.ts'

export default {
  actionBatch: 'Batch',
  actionLyrics: 'Lyrics',
  actionMusic: 'Music',
  actionVideo: 'Video',
  finished: 'Finished',
  noMatches: 'No matching tasks',
  none: 'No tasks today',
  noneLead: 'The progress of music, videos and batches appears here.',
  platform: 'Platform',
  statusQueued: 'Queued',
  statusSubmitting: 'Submitting',
} satisfies Record<keyof typeof zh, string>
