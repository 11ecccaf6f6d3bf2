import { asObject, asText } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { Accepted } from '../submit.ts'
import type { WantedSong } from './read-submission.ts'

const SUBMIT_MS = 120_000

export async function askSong(upstream: Upstream, { action, body }: WantedSong): Promise<Accepted> {
  const path = `/suno/submit/${action.toLowerCase()}`
  const answer = asObject(await upstream.json({ method: 'POST', path, body, timeoutMs: SUBMIT_MS }))
  if (answer && answer.code !== 'success') throw upstream.refusal(readRefusal(400, answer))
  const upstreamId = asText(answer?.data)
  if (!answer || !upstreamId) throw new UpstreamFailure({ without: 'empty' })
  const report = { outcome: 'running', status: 'SUBMITTED', progress: '0%', failReason: '' } as const
  return { upstreamId, report: { ...report, startedAt: 0, finishedAt: 0 }, body: answer }
}

export function readRefusal(status: number, body: unknown): Problem {
  const said = asObject(body)
  const code = typeof said?.code === 'number' ? String(said.code) : asText(said?.code)
  const message = asText(said?.message) || `The upstream answered with status ${status}`
  return { status, message, code: code ?? null, type: 'upstream_error' }
}
