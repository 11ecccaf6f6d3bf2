import { asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { accountOf, type Upstream } from '../ask-upstream.ts'
import type { OwnedCall } from '../define.ts'
import { upstreamOf } from '../run-upstream.ts'
import { findOwnRun, type TaskRun } from '../runs.ts'
import { findTaskRows, type TaskRow } from '../task-rows.ts'
import type { VideoVendor } from './vendor.ts'
import { videoVendors } from './vendors/index.ts'

/** As the books have called it since there was one vendor. */
export const PLATFORM = 'openai-videos'

/** A video as the books have it. */
export interface OwnVideo {
  readonly run: TaskRun
  readonly row: TaskRow
}

/** The caller's own video; somebody else's is as unknown as one that never was. */
export async function findVideo(call: OwnedCall, id = call.params.id ?? ''): Promise<OwnVideo> {
  const run = await findOwnRun(call, PLATFORM, id)
  const [row] = run && run.upstream_id !== '' ? await findTaskRows(call, PLATFORM, [id]) : []
  if (!run || !row) throw new AppError('video.not-found', { id })
  return { run, row }
}

/** Where it was made, and by whom. */
export function makerOf(
  parts: RelayParts,
  run: TaskRun,
  request?: Request,
): { upstream: Upstream; vendor: VideoVendor } {
  const upstream = upstreamOf(parts, { accounts: videoVendors }, run, request)
  const vendor = upstream && vendorAt(upstream)
  if (!vendor) throw new AppError('video.not-found', { id: run.id })
  return { upstream, vendor }
}

export function vendorAt({ channel }: Upstream): VideoVendor | undefined {
  return accountOf({ accounts: videoVendors }, channel)
}

/** What it was ordered as. */
export function originalOf(row: TaskRow) {
  const properties = parseObject(row.properties)
  return {
    model: asText(properties?.model) ?? '',
    size: asText(properties?.size) ?? '',
    resolution: asText(properties?.resolution),
    mode: asText(properties?.mode),
    sounds: properties?.sounds === true,
    prompt: asText(properties?.input) ?? '',
    from: asText(properties?.remixed_from) ?? '',
  }
}
