import { asArray, asObject, asText, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Turn } from '../reply.ts'
import type { Signatures } from '../signatures.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, Refusal, type Rendered, type Route } from '../upstream.ts'
import { CREATED } from '../write-frames.ts'
import { accountOf, newKeptId } from './conversations.ts'
import { openaiError, refuseOpenai } from './fail.ts'
import { checkFilesNamed, fileBytes } from './files.ts'

interface Container {
  readonly account: string
  readonly shown: JsonObject
  readonly files: Map<string, { readonly shown: JsonObject; readonly bytes: Uint8Array }>
}
const houses = new WeakMap<Signatures, Map<string, Container>>()
/** By the name that a client gave to its request. */
const named = new WeakMap<Signatures, Map<string, Container>>()
const SIZES = ['1g', '4g', '16g', '64g']
/** What is written by code that is run. */
export const WRITTEN = 'x,y\n1,2\n'

function containersOf({ signatures }: Pick<Call, 'signatures'>): Map<string, Container> {
  const known = houses.get(signatures) ?? new Map<string, Container>()
  houses.set(signatures, known)
  return known
}

/** Made, looked at and deleted, with the files in them. */
export function containerRoutes(prefix: string): Route[] {
  const at = (rest = ''): RegExp => new RegExp(`^${prefix}/containers/(?<id>cntr_\\w+)${rest}$`)
  const file = (rest = ''): RegExp => at(`/files/(?<file>cfile_\\w+)${rest}`)
  const paged = ['after', 'limit', 'order']
  return [
    {
      method: 'POST',
      path: new RegExp(`^${prefix}/containers$`),
      takes: 'json',
      check: call => {
        checkContainer(call)
        checkFilesNamed(call)
      },
      answer: async (call, answer) => {
        const { shown } = repeated(call) ?? make(call, call.body)
        // It is there before anybody hears of it.
        await answer.job?.until
        return tell(shown)
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^${prefix}/containers$`),
      query: [...paged, 'name'],
      takes: 'nothing',
      answer: call => {
        const { name } = call.seen.query
        const own = [...containersOf(call).values()].filter(one => one.account === accountOf(call))
        const all = own.map(({ shown }) => shown).toReversed()
        return page(call, name === undefined ? all : all.filter(one => one.name === name))
      },
    },
    { method: 'GET', path: at(), takes: 'nothing', answer: call => tell(find(call).shown) },
    {
      method: 'DELETE',
      path: at(),
      takes: 'nothing',
      answer: call => {
        find(call)
        containersOf(call).delete(call.params.id ?? '')
        return tell({ id: call.params.id ?? '', object: 'container.deleted', deleted: true })
      },
    },
    {
      method: 'POST',
      path: at('/files'),
      takes: 'form',
      answer: async call => {
        const given = call.seen.form?.get('file')
        if (!(given instanceof File)) return refuseOpenai("Missing required parameter: 'file'.", 'file')
        return tell(put(call, find(call), given.name, new Uint8Array(await given.arrayBuffer()), 'user'))
      },
    },
    {
      method: 'POST',
      path: at('/files'),
      takes: 'json',
      answer: call => {
        const other = Object.keys(call.body).find(name => name !== 'file_id')
        if (other !== undefined) refuseOpenai(`Unknown parameter: '${other}'.`, other, 'unknown_parameter')
        const { name, bytes } = fileBytes(call, asText(call.body.file_id) ?? '')
        return tell(put(call, find(call), name, bytes, 'user'))
      },
    },
    {
      method: 'GET',
      path: at('/files'),
      query: paged,
      takes: 'nothing',
      answer: call => page(call, [...find(call).files.values()].map(({ shown }) => shown).toReversed()),
    },
    { method: 'GET', path: file(), takes: 'nothing', answer: call => tell(findFile(call).shown) },
    {
      method: 'DELETE',
      path: file(),
      takes: 'nothing',
      answer: call => {
        const { id = '' } = findFile(call).shown
        find(call).files.delete(String(id))
        return tell({ id, object: 'container.file.deleted', deleted: true })
      },
    },
    {
      method: 'GET',
      path: file('/content'),
      takes: 'nothing',
      answer: call => ({
        contentType: 'application/binary',
        body: findFile(call).bytes,
        tally: NO_TALLY,
      }),
    },
  ]
}

/** A tool that is offered and told to is used: what it writes is in its container. */
export function runCode(call: Call, { lastText }: Turn): JsonObject[] {
  return asArray(call.body.tools).flatMap(value => {
    const tool = asObject(value) ?? {}
    const environment = asObject(tool.environment)
    const isShell = tool.type === 'shell' && environment?.type !== 'local'
    if (!isShell && tool.type !== 'code_interpreter') return []
    const named = asText(isShell ? environment?.container_id : tool.container)
    if (named !== undefined) find(call, named)
    if (!lastText.startsWith(isShell ? 'Run commands' : 'Run code')) return []
    const wanted = asObject(isShell ? environment : tool.container)
    const { shown } = runIn(call, named === undefined ? lastOf(call) : find(call, named), { ...wanted })
    return isShell ? shellItems(call, shown.id ?? null) : [codeItem(call, shown.id ?? null)]
  })
}

function runIn(call: Call, known: Container | undefined, { memory_limit }: JsonObject): Container {
  const container = known ?? make(call, { memory_limit })
  put(call, container, 'made.csv', new TextEncoder().encode(WRITTEN), 'assistant')
  return container
}

function codeItem(call: Call, container_id: Json): JsonObject {
  return {
    ...{ id: call.newId('ci_', 48), type: 'code_interpreter_call', status: 'completed', outputs: null },
    ...{ code: 'print(1)', container_id },
  }
}

function shellItems(call: Call, container_id: Json): JsonObject[] {
  const call_id = call.newId('call_', 24)
  const outcome = { type: 'exit', exit_code: 0 }
  return [
    {
      ...{ id: call.newId('sh_', 48), type: 'shell_call', call_id, status: 'completed' },
      action: { commands: ['ls /mnt/data'], max_output_length: null, timeout_ms: null },
      environment: { type: 'container_reference', container_id },
    },
    {
      ...{ id: call.newId('sho_', 48), type: 'shell_call_output', call_id, status: 'completed' },
      ...{ max_output_length: null, output: [{ stdout: 'made.csv\n', stderr: '', outcome }] },
    },
  ]
}

/** What was asked for by the same name before is not made again. */
function repeated(call: Call): Container | undefined {
  const name = call.seen.headers['idempotency-key']
  if (name === undefined) return undefined
  const known = named.get(call.signatures) ?? new Map<string, Container>()
  named.set(call.signatures, known)
  const container = known.get(name) ?? make(call, call.body)
  known.set(name, container)
  return container
}

/** Where code was run before it is run again, as long as that is there. */
function lastOf(call: Call): Container | undefined {
  const ran = asArray(call.body.input)
    .map(asObject)
    .findLast(item => item?.type === 'code_interpreter_call' || item?.type === 'shell_call')
  const id = asText(ran?.container_id) ?? asText(asObject(ran?.environment)?.container_id)
  const container = containersOf(call).get(id ?? '')
  return container?.account === accountOf(call) ? container : undefined
}

function checkContainer({ body }: Call): void {
  const known = ['name', 'expires_after', 'file_ids', 'memory_limit', 'network_policy', 'skills']
  const other = Object.keys(body).find(name => !known.includes(name))
  if (other !== undefined) refuseOpenai(`Unknown parameter: '${other}'.`, other, 'unknown_parameter')
  if (typeof body.name !== 'string')
    refuseOpenai("Missing required parameter: 'name'.", 'name', 'missing_required_parameter')
  if (body.memory_limit !== undefined && !SIZES.includes(asText(body.memory_limit) ?? ''))
    refuseOpenai(`Invalid value: '${body.memory_limit}'.`, 'memory_limit', 'invalid_value')
}

function make(call: Call, { name, memory_limit, expires_after, file_ids }: JsonObject): Container {
  const id = newKeptId(call, 'cntr')
  const shown = {
    ...{ id, object: 'container', created_at: CREATED, status: 'running', last_active_at: CREATED },
    ...{ name: name ?? 'CodeInterpreter Container', memory_limit: memory_limit ?? '1g' },
    expires_after: expires_after ?? { anchor: 'last_active_at', minutes: 20 },
  }
  const container = { account: accountOf(call), shown, files: new Map() }
  containersOf(call).set(id, container)
  for (const file of asArray(file_ids)) {
    const { name: called, bytes } = fileBytes(call, String(file))
    put(call, container, called, bytes, 'user')
  }
  return container
}

function put(
  call: Call,
  { shown: { id: container_id }, files }: Container,
  name: string,
  bytes: Uint8Array,
  source: string,
): JsonObject {
  const id = newKeptId(call, 'cfile')
  const shown = {
    ...{ id, object: 'container.file', created_at: CREATED, bytes: bytes.length, source },
    ...{ container_id: container_id ?? null, path: `/mnt/data/${name}` },
  }
  files.set(id, { shown, bytes })
  return shown
}

function find(call: Call, id = call.params.id ?? ''): Container {
  const found = containersOf(call).get(id)
  if (found?.account === accountOf(call)) return found
  return unknown(`Container with id '${id}' not found.`)
}

function findFile(call: Call) {
  const { file = '' } = call.params
  return find(call).files.get(file) ?? unknown(`File with id '${file}' not found.`)
}

function unknown(message: string): never {
  throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error' }))
}

function page({ seen }: Call, all: readonly JsonObject[]): Rendered {
  const { after, limit = '20', order = 'desc' } = seen.query
  const sorted = order === 'asc' ? all.toReversed() : all
  const rest = sorted.slice(sorted.findIndex(one => one.id === after) + 1)
  const data = rest.slice(0, Number(limit))
  return tell({
    ...{ object: 'list', data, has_more: rest.length > data.length },
    ...{ first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null },
  })
}

function tell(body: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}
