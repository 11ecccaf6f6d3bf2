import type { TaskProvider } from './define.ts'
import { midjourney } from './midjourney/provider.ts'
import { openaiVideos } from './openai-videos/provider.ts'
import { suno } from './suno/provider.ts'

/** Every vendor of long jobs. */
export const taskProviders: readonly TaskProvider[] = [midjourney, suno, openaiVideos]
