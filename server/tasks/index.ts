import { anthropicHost } from './anthropic-batches/host.ts'
import { anthropicBatches } from './anthropic-batches/vendor.ts'
import { anthropicFiles } from './anthropic-files/vendor.ts'
import type { BatchHost } from './batches/host.ts'
import type { TaskProvider, TaskVendor } from './define.ts'
import { geminiHost } from './gemini/batches/host.ts'
import { gemini } from './gemini/vendor.ts'
import { midjourney } from './midjourney/provider.ts'
import { openaiHost } from './openai-batches/host.ts'
import { openaiBatches } from './openai-batches/vendor.ts'
import { openaiFiles } from './openai-files/vendor.ts'
import { openaiKept } from './openai-kept/vendor.ts'
import { suno } from './suno/provider.ts'
import { videos } from './videos/provider.ts'

/** Those whose jobs are asked after by `pollTasks`. */
export const taskProviders: readonly TaskProvider[] = [midjourney, suno, videos]
/** Every vendor of long jobs. */
export const taskVendors: readonly TaskVendor[] = [
  ...taskProviders,
  openaiFiles,
  openaiBatches,
  anthropicBatches,
  anthropicFiles,
  gemini,
  openaiKept,
]
/** Those who run batches, which `pollBatches` asks after. */
export const batchHosts: readonly BatchHost[] = [openaiHost, anthropicHost, geminiHost]
