import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { isSameSecret } from '../../store/same-secret.ts'
import type { TaskCall } from '../define.ts'
import { findRun, runStates } from '../runs.ts'
import { PLATFORM } from './find-video.ts'
import { sendContent } from './serve-content.ts'

/** As long as most vendors' own addresses last. */
const LASTS_SECONDS = 86_400

export const resultPath =
  /^\/v1\/video\/results\/(?<id>[\w-]{1,64})\/(?<until>\d{10})\/(?<proof>[0-9a-f]{64})\.mp4$/

/** Where whoever has it can fetch the video without a key for a day: nobody else can make this address. */
export function resultLink(parts: RelayParts, id: string, request: Request): string {
  const address = parts.settings.get('ServerAddress').replace(/\/+$/, '') || new URL(request.url).origin
  const until = parts.now() + LASTS_SECONDS
  return `${address}/v1/video/results/${id}/${until}/${proofOf(parts, id, until)}.mp4`
}

export async function serveResult(call: TaskCall): Promise<Response> {
  const { parts, params } = call
  const { id = '', until = '', proof = '' } = params
  const isGood = isSameSecret(proofOf(parts, id, Number(until)), proof) && Number(until) > parts.now()
  const run = isGood ? await findRun(parts.store, id) : undefined
  if (run?.platform !== PLATFORM || run.state === runStates.deleted)
    throw new AppError('video.not-found', { id })
  return sendContent(call, run)
}

function proofOf({ store }: RelayParts, id: string, until: number): string {
  return store.cipher.hash('video-result', `${id} ${until}`)
}
