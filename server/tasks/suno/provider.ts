import { randomUUID } from 'node:crypto'
import { asArray, asObject, asText, type Json } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { OwnedCall, TaskProvider, TaskReport } from '../define.ts'
import { pollNow } from '../poll.ts'
import { readTaskBody } from '../read-task-body.ts'
import { findOwnRun } from '../runs.ts'
import { submitTask } from '../submit.ts'
import { findTaskRows } from '../task-rows.ts'
import { askSong, readRefusal } from './ask-song.ts'
import { readSong, wordsOfSong } from './read-song.ts'
import { readSubmission } from './read-submission.ts'
import { refuse } from './refuse.ts'
import { showSong } from './show-song.ts'

const HOUR = 3600
const MOST_LISTED = 100

/** Music and its words. */
export const suno: TaskProvider = {
  platform: 'suno',
  accounts: [
    {
      channelTypes: [36],
      baseUrl: '',
      headers: key => ({ authorization: `Bearer ${key}` }),
      readRefusal,
    },
  ],
  book: 'tasks',
  limitSeconds: HOUR,
  routes: [
    { method: 'POST', path: /^\/suno\/submit\/(?<kind>[A-Za-z]{1,20})$/, serve: submit },
    { method: 'POST', path: /^\/suno\/fetch$/, serve: fetchSongs, looks: true },
    { method: 'GET', path: /^\/suno\/fetch\/(?<id>[\w-]{1,64})$/, serve: fetchSong, looks: true },
  ],
  newId: () => randomUUID(),
  look: lookAtSongs,
  lookAtOnce: MOST_LISTED,
  words: (_action, report) => wordsOfSong(report),
  refuse,
  refundText: (id, amount) => `异步任务执行失败 ${id}，补偿 ${amount}`,
}

async function submit(call: OwnedCall): Promise<Response> {
  const body = { fields: await readTaskBody(call.incoming) }
  const { id } = await submitTask(call, body, async ({ fields }) => {
    const wanted = await readSubmission(call, suno.platform, fields)
    const { action, origin, input } = wanted
    const model = `suno_${action.toLowerCase()}`
    return { provider: suno, action, model, origin, input, ask: upstream => askSong(upstream, wanted) }
  })
  return success(id)
}

async function fetchSong(call: OwnedCall): Promise<Response> {
  const id = call.params.id ?? ''
  const run = await findOwnRun(call, suno.platform, id)
  if (run) await pollNow(call.parts, suno, run)
  const [row] = await findTaskRows(call, suno.platform, [id])
  if (!row) throw new AppError('task.not-found')
  return success(showSong(row))
}

async function fetchSongs(call: OwnedCall): Promise<Response> {
  const json = await readTaskBody(call.incoming)
  const ids = asArray(json.ids)
    .filter(id => typeof id === 'string')
    .slice(0, MOST_LISTED)
  const rows = await findTaskRows(call, suno.platform, ids)
  return success(rows.map(showSong))
}

function success(data: Json): Response {
  return Response.json({ code: 'success', message: '', data })
}

async function lookAtSongs(upstream: Upstream, ids: readonly string[]) {
  const answer = await upstream.json({ method: 'POST', path: '/suno/fetch', body: { ids: [...ids] } })
  const found = new Map<string, TaskReport>()
  for (const song of asArray(asObject(answer)?.data)) {
    const id = asText(asObject(song)?.task_id)
    const report = id !== undefined && ids.includes(id) ? readSong(upstream, song) : undefined
    if (id !== undefined && report) found.set(id, report)
  }
  return found
}
