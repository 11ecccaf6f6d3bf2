import { asArray, asText, isObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Signatures } from '../signatures.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, Refusal, type Rendered, type Route } from '../upstream.ts'
import { CREATED } from '../write-frames.ts'
import { accountOf, newKeptId } from './conversations.ts'
import { openaiError, refuseOpenai } from './fail.ts'

interface File {
  /** The key that it was uploaded with: no other account knows it. */
  readonly account: string
  readonly shown: JsonObject
  readonly bytes: Uint8Array
}
const houses = new WeakMap<Signatures, Map<string, File>>()
const PURPOSES = ['assistants', 'batch', 'user_data', 'vision']
const FIELDS = ['file', 'purpose', 'expires_after[anchor]', 'expires_after[seconds]']
const LEAST_SECONDS = 3600
const MOST_SECONDS = 2_592_000

function filesOf({ signatures }: Pick<Call, 'signatures'>): Map<string, File> {
  const known = houses.get(signatures) ?? new Map<string, File>()
  houses.set(signatures, known)
  return known
}

/** Uploaded, looked at and deleted; what is in one is told to nobody but of batches. */
export function fileRoutes(prefix: string): Route[] {
  const at = (rest = ''): RegExp => new RegExp(`^${prefix}/files/(?<id>file-\\w+)${rest}$`)
  return [
    {
      method: 'POST',
      path: new RegExp(`^${prefix}/files$`),
      takes: 'form',
      check: checkUpload,
      answer: async call => tell(await upload(call)),
    },
    { method: 'GET', path: at(), takes: 'nothing', answer: call => tell(find(call).shown) },
    {
      method: 'GET',
      path: at('/content'),
      takes: 'nothing',
      answer(call) {
        const { shown, bytes } = find(call)
        if (shown.purpose !== 'batch')
          refuseOpenai(`Not allowed to download files of purpose: ${shown.purpose}`)
        return { contentType: 'application/octet-stream', body: bytes, tally: NO_TALLY }
      },
    },
    {
      method: 'DELETE',
      path: at(),
      takes: 'nothing',
      answer(call) {
        const { id = '' } = find(call).shown
        filesOf(call).delete(String(id))
        return tell({ id, object: 'file', deleted: true })
      },
    },
  ]
}

function checkUpload({ seen }: Call): void {
  const form = seen.form ?? new FormData()
  for (const name of form.keys()) {
    if (!FIELDS.includes(name)) refuseOpenai(`Unknown parameter: '${name}'.`, name, 'unknown_parameter')
    if (form.getAll(name).length > 1) refuseOpenai(`Duplicate parameter: '${name}'.`, name)
  }
  const purpose = form.get('purpose')
  if (!PURPOSES.includes(String(purpose))) refuseOpenai(`'${purpose}' is not one of ${PURPOSES}`, 'purpose')
  const file = form.get('file')
  if (!(file instanceof Blob) || file.size === 0) refuseOpenai('File is empty.', 'file')
  const [anchor, seconds] = [form.get('expires_after[anchor]'), form.get('expires_after[seconds]')]
  if (anchor === null && seconds === null) return
  const isWithin = Number(seconds) >= LEAST_SECONDS && Number(seconds) <= MOST_SECONDS
  if (anchor !== 'created_at' || !isWithin) refuseOpenai("Invalid 'expires_after'.", 'expires_after')
}

async function upload(call: Call): Promise<JsonObject> {
  const form = call.seen.form ?? new FormData()
  const file = form.get('file')
  if (!(file instanceof File)) return refuseOpenai('File is missing.', 'file')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const id = newKeptId(call, 'file').replace('_', '-')
  const life = form.get('expires_after[seconds]')
  const shown = {
    ...{ id, object: 'file', bytes: bytes.length, created_at: CREATED, filename: file.name },
    ...{ purpose: String(form.get('purpose')), status: 'processed', status_details: null },
    expires_at: life === null ? null : Math.floor(Date.now() / 1000) + Number(life),
  }
  filesOf(call).set(id, { account: accountOf(call), shown, bytes })
  return shown
}

function find(call: Call, id = call.params.id ?? ''): File {
  const file = filesOf(call).get(id)
  if (file?.account === accountOf(call)) return file
  const message = `No such File object: ${id}`
  throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error', param: 'id' }))
}

/** What a call names of files is in its account, and for that. */
export function checkFilesNamed(call: Call): void {
  for (const id of named(call.body)) {
    const { purpose } = find(call, id).shown
    if (purpose === 'batch') refuseOpenai(`File ${id} has the purpose ${purpose}.`)
  }
}

/** What was said of files in answers is not read. */
function named(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(named)
  if (!isObject(value)) return []
  const { file_id, file_ids } = value
  const own = [file_id, ...asArray(file_ids)].flatMap(id => asText(id) ?? [])
  const inner = Object.entries(value).filter(
    ([name]) => !['annotations', 'metadata', 'parameters'].includes(name),
  )
  return [...own, ...inner.flatMap(([, one]) => (one === undefined ? [] : named(one)))]
}

/** For where files are put by their ids. */
export function fileBytes(call: Call, id: string): { readonly name: string; readonly bytes: Uint8Array } {
  const { shown, bytes } = find(call, id)
  return { name: String(shown.filename), bytes }
}

function tell(body: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}
