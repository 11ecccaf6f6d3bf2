import { AppError } from '../../../errors.ts'
import { findFiles } from '../../../relay/gemini/file-rows.ts'
import { filesNamedIn, placeOfAll, renamedFiles } from '../../../relay/gemini/lead-to-kept.ts'
import type { LineGuard } from '../../../relay/guards/line-guard.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import type { Extent } from '../../batches/extent.ts'
import type { OwnedCall } from '../../define.ts'
import { readingOf } from '../read-passing.ts'
import { ENDPOINT } from './host.ts'
import { readRequests, type WantedBatch } from './read-requests.ts'
import { problemOf } from './requests-in-file.ts'

/** What a batch is made of, in the vendor's words, and the most that it can use. */
interface BatchInput {
  /** What people see that it is made of. */
  readonly title: string
  readonly extent: Extent
  /** The account that keeps what it names; undefined when any can serve it. */
  readonly place: FoundPlace | undefined
  /** '' where the requests came along. */
  readonly fileId: string
  readonly input: object
}

/** A refusal by the rules leaves its row. */
export async function readInput(
  call: OwnedCall,
  wanted: WantedBatch,
  model: string,
  guard: LineGuard,
): Promise<BatchInput> {
  try {
    return wanted.file === undefined
      ? await readInlined(call, wanted, model, guard)
      : await readFile(call, wanted.title, wanted.file, model, guard)
  } catch (error) {
    guard.note(error)
    throw error
  }
}

async function readInlined(
  { parts, admitted }: OwnedCall,
  { title, requests: given }: WantedBatch,
  model: string,
  guard: LineGuard,
): Promise<BatchInput> {
  const { requests, extent } = readRequests(given, model, parts.settings, guard)
  guard.admit()
  const files = await Promise.all(
    requests.map(({ request }) => filesNamedIn(parts, admitted.caller, request)),
  )
  const named = files.flatMap(one => [...one.values()])
  const renamed = requests.map(({ request, metadata }, at) => ({
    request: { ...request, ...renamedFiles(request, files[at] ?? new Map()) },
    ...(metadata && { metadata }),
  }))
  const input = { requests: { requests: renamed } }
  return { title, extent, place: placeOfAll(parts, named), fileId: '', input }
}

/** Its vendor hands out nothing of what was uploaded: what is in it was read when it came. */
async function readFile(
  { parts, admitted }: OwnedCall,
  title: string,
  name: string,
  model: string,
  guard: LineGuard,
): Promise<BatchInput> {
  const file = (await findFiles(parts, admitted.caller, [name])).get(name)
  if (!file) throw new AppError('gemini.no-file', { name })
  const reading = readingOf(parts, file)
  if (!reading) throw new AppError('gemini.batch-file')
  if (reading.problem) throw problemOf(reading.problem)
  if (!reading.isWhole || reading.at !== file.bytes) throw new AppError('gemini.batch-unread')
  guard.refuseUnread(model)
  return {
    title: title || name,
    extent: { ...reading.extent, endpoint: ENDPOINT, model },
    place: placeOfAll(parts, [file]),
    fileId: file.id,
    input: { fileName: file.upstream_name },
  }
}
