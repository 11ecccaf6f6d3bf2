import type { TaskProvider, TaskVendor } from './define.ts'
import { midjourney } from './midjourney/provider.ts'
import { openaiBatches } from './openai-batches/vendor.ts'
import { suno } from './suno/provider.ts'
import { videos } from './videos/provider.ts'

/** Those whose jobs are asked after by `pollTasks`. */
export const taskProviders: readonly TaskProvider[] = [midjourney, suno, videos]
/** Every vendor of long jobs. */
export const taskVendors: readonly TaskVendor[] = [...taskProviders, openaiBatches]
