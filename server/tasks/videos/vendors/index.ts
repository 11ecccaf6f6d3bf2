import type { VideoVendor } from '../vendor.ts'
import { ark } from './ark.ts'
import { hailuo } from './hailuo.ts'
import { jimeng } from './jimeng.ts'
import { kling } from './kling.ts'
import { gateway, openai } from './openai.ts'
import { veo } from './veo.ts'
import { vidu } from './vidu.ts'
import { wan } from './wan.ts'

/** Each has channel types of its own. */
export const videoVendors: readonly VideoVendor[] = [
  openai,
  gateway,
  ark,
  kling,
  vidu,
  veo,
  hailuo,
  wan,
  jimeng,
]
