import { randomInt } from 'node:crypto'
import { asArray, asObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskProvider, TaskReport } from '../define.ts'
import { pollNow } from '../poll.ts'
import { readTaskBody } from '../read-task-body.ts'
import { upstreamOf } from '../run-upstream.ts'
import { findOwnRun } from '../runs.ts'
import { submitTask } from '../submit.ts'
import { type Action, opensWindow } from './actions.ts'
import { codes, readRefusal } from './ask-drawing.ts'
import { takeHint, takeNotice } from './notify.ts'
import { hideAccount, readId, readTask } from './read-task.ts'
import { refuse } from './refuse.ts'
import { servePicture } from './serve-picture.ts'
import { findDrawings, findOwnDrawings, showTask } from './show-task.ts'
import { readSubmission } from './submissions.ts'
import { wordsOfDrawing } from './words-of-drawing.ts'

const HOUR = 3600
const MOST_LISTED = 100
const SEED_MS = 120_000
const at = (rest: string): RegExp => new RegExp(`^(?:/(?<mode>[\\w-]{1,40}))?/mj/${rest}$`)
const submissions = [
  'imagine',
  'change',
  'simple-change',
  'describe',
  'blend',
  'action',
  'modal',
  'shorten',
  'edits',
  'video',
  'upload-discord-images',
].join('|')
const taskId = '(?<id>[\\w-]{1,64})'

/** Drawing, as the proxies of its makers' chat speak. */
export const midjourney: TaskProvider = {
  platform: 'mj',
  accounts: [{ channelTypes: [2, 5], baseUrl: '', headers: key => ({ 'mj-api-secret': key }), readRefusal }],
  book: 'drawings',
  limitSeconds: HOUR,
  routes: [
    { method: 'POST', path: at(`submit/(?<kind>${submissions})`), serve: submit },
    { method: 'POST', path: at('insight-face/(?<kind>swap)'), serve: submit },
    { method: 'GET', path: at(`task/${taskId}/fetch`), serve: fetchTask, looks: true },
    { method: 'POST', path: at('task/list-by-condition'), serve: listTasks, looks: true },
    { method: 'GET', path: at(`task/${taskId}/image-seed`), serve: fetchSeed, looks: true },
    { method: 'GET', path: at('image/(?<id>[\\w-]{1,64})'), serveAnyone: servePicture },
    { method: 'POST', path: at('notify'), serveAnyone: call => takeHint(call, midjourney) },
    {
      method: 'POST',
      path: at(`notify/${taskId}/(?<proof>[0-9a-f]{64})`),
      serveAnyone: call => takeNotice(call, midjourney),
    },
  ],
  // Digits, as its clients know them; the end of it nobody can guess.
  newId: () => `${Date.now()}${digits(6)}${digits(6)}`,
  look: lookAtDrawings,
  lookAtOnce: MOST_LISTED,
  words: wordsOfDrawing,
  refuse,
  refundText: (id, amount) => `构图失败 ${id}，补偿 ${amount}`,
  async tellHook(parts, id) {
    const [row] = await findDrawings(parts, [id])
    return row && showTask(parts, row)
  },
}

function digits(count: number): string {
  return String(randomInt(10 ** count)).padStart(count, '0')
}

async function submit(call: OwnedCall): Promise<Response> {
  const given = { fields: await readTaskBody(call.incoming) }
  const { id, action, accepted } = await submitTask(call, given, ({ fields }) =>
    readSubmission(call, midjourney, call.params.kind ?? '', fields),
  )
  const { upstreamId, code = codes.accepted, body } = accepted
  // Waiting and already there are both as good as accepted, except where a window waits for the next words.
  const keepsCode = code === codes.exists && opensWindow(action as Action)
  return Response.json({
    code: keepsCode ? code : codes.accepted,
    description: body.description ?? '',
    properties: hideAccount(body.properties),
    result: upstreamId === '' ? (body.result ?? null) : id,
  })
}

async function fetchTask(call: OwnedCall): Promise<Response> {
  const { parts, params, incoming } = call
  const id = params.id ?? ''
  const run = await findOwnRun(call, midjourney.platform, id)
  if (run) await pollNow(parts, midjourney, run)
  const [row] = await findOwnDrawings(call, [id])
  if (!row) throw new AppError('task.not-found')
  return Response.json(showTask(parts, row, originOf(incoming.request)))
}

async function listTasks(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const json = await readTaskBody(incoming)
  const ids = asArray(json.ids)
    .filter(id => typeof id === 'string')
    .slice(0, MOST_LISTED)
  const rows = await findOwnDrawings(call, ids)
  const origin = originOf(incoming.request)
  return Response.json(rows.map(row => showTask(parts, row, origin)))
}

function originOf(request: Request): string {
  return new URL(request.url).origin
}

/** Known to the upstream alone. */
async function fetchSeed(call: OwnedCall): Promise<Response> {
  const { parts, params, incoming } = call
  const run = await findOwnRun(call, midjourney.platform, params.id ?? '')
  const upstream = run && upstreamOf(parts, midjourney, run)
  if (!upstream || run.upstream_id === '') throw new AppError('task.not-found')
  // The drawing has to be asked for it, which takes its time.
  incoming.keepOpen()
  const path = `/mj/task/${encodeURIComponent(run.upstream_id)}/image-seed`
  const answer = await upstream.json({ path, timeoutMs: SEED_MS })
  const { code, description, result, properties } = asObject(answer) ?? {}
  return Response.json({ code, description, result, properties: hideAccount(properties) ?? undefined })
}

async function lookAtDrawings(upstream: Upstream, ids: readonly string[]) {
  const body = { ids: [...ids] }
  const answer = await upstream.json({ method: 'POST', path: '/mj/task/list-by-condition', body })
  const found = new Map<string, TaskReport>()
  for (const task of asArray(answer)) {
    const id = readId(asObject(task)?.id)
    const report = id !== undefined && ids.includes(id) ? readTask(upstream, task) : undefined
    if (id !== undefined && report) found.set(id, report)
  }
  return found
}
