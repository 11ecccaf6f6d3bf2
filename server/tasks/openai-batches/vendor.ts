import type { TaskVendor } from '../define.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { PLATFORM } from './account.ts'
import { createBatch } from './create-batch.ts'
import { cancelBatch, listBatches, retrieveBatch } from './serve-batches.ts'

const one = (rest = ''): RegExp => new RegExp(`^/v1/batches/(?<id>[\\w-]{1,64})${rest}$`)

/** Batches in OpenAI's form. What a batch costs is known when it ends: it has a poll of its own. */
export const openaiBatches: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: /^\/v1\/batches$/, serve: createBatch },
    { method: 'GET', path: /^\/v1\/batches$/, serve: listBatches, looks: true },
    { method: 'GET', path: one(), serve: retrieveBatch, looks: true },
    { method: 'POST', path: one('/cancel'), serve: cancelBatch, looks: true },
  ],
  refuse: refuseAsOpenai,
}
