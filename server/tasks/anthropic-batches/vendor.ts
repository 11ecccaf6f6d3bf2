import type { TaskVendor } from '../define.ts'
import { PLATFORM } from './account.ts'
import { createBatch } from './create-batch.ts'
import { refuseAsAnthropic } from './refuse.ts'
import { cancelBatch, deleteBatch, listBatches, retrieveBatch } from './serve-batches.ts'
import { serveResults } from './serve-results.ts'

const one = (rest = ''): RegExp => new RegExp(`^/v1/messages/batches/(?<id>[\\w-]{1,64})${rest}$`)
const all = /^\/v1\/messages\/batches$/

/** Batches of messages, in Anthropic's form. */
export const anthropicBatches: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: all, serve: createBatch },
    { method: 'GET', path: all, serve: listBatches, looks: true },
    { method: 'GET', path: one(), serve: retrieveBatch, looks: true },
    { method: 'DELETE', path: one(), serve: deleteBatch, looks: true },
    { method: 'POST', path: one('/cancel'), serve: cancelBatch, looks: true },
    { method: 'GET', path: one('/results'), serve: serveResults, looks: true, isCounted: true },
  ],
  refuse: refuseAsAnthropic,
}
