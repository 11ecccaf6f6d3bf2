import { asArray, asObject, asText, type JsonObject } from '../json.ts'

/** A container of the vendor's in which code was run for an answer. */
export interface RanIn {
  readonly id: string
  /** By the shell; else by the code interpreter. */
  readonly isShell: boolean
}

/** No answer is made in more. An upstream that says so is not believed: each of them is looked for and paid. */
const MOST_CONTAINERS = 100

/** Undefined for most items, also for those of a client's own shell. */
export function ranIn({ type, container_id, environment }: JsonObject): RanIn | undefined {
  if (type !== 'code_interpreter_call' && type !== 'shell_call') return undefined
  const isShell = type === 'shell_call'
  const id = asText(isShell ? asObject(environment)?.container_id : container_id)
  return id ? { id, isShell } : undefined
}

/** Each of them once for each of the tools that ran there. Undefined for most answers. */
export function containersIn(output: readonly unknown[]): readonly RanIn[] | undefined {
  let found: RanIn[] | undefined
  for (const value of output) {
    const item = asObject(value)
    const ran = item && ranIn(item)
    if (!ran || found?.some(({ id, isShell }) => id === ran.id && isShell === ran.isShell)) continue
    found ??= []
    found.push(ran)
    if (found.length === MOST_CONTAINERS) break
  }
  return found
}

/** The shell of the vendor's, and not of the client's own machine. */
export function isHostedShell({ type, environment }: JsonObject): boolean {
  return type === 'shell' && asText(asObject(environment)?.type)?.startsWith('container') === true
}

/** What a tool's container is asked to have, in gigabytes. */
export function gigabytesOf({ container, environment }: JsonObject): number {
  const wanted = asObject(container) ?? asObject(environment)
  const size = /^(\d{1,3})g$/.exec(asText(wanted?.memory_limit) ?? '')
  return Math.max(1, Number(size?.[1] ?? 1))
}

/**
 * How many gigabytes an answer pays for, where nobody knows its containers: of each tool one container, which is made for
 * whoever is offered it, used or not, or as many as were used. Where a conversation tells of the tool, the answer may
 * leave it out; what ran is paid all the same.
 */
export function containersPaid(response: JsonObject): number {
  const offered = asArray(response.tools).map(asObject)
  const ran = asArray(response.output).flatMap(value => {
    const item = asObject(value)
    return item && (item.type === 'code_interpreter_call' || ranIn(item)) ? [item] : []
  })
  const counted = new Set<string>()
  let sum = 0
  for (const isShell of [false, true]) {
    const tool = offered.find(one => one && (isShell ? isHostedShell(one) : one.type === 'code_interpreter'))
    const items = ran.filter(({ type }) => (type === 'shell_call') === isShell)
    if (!tool && items.length === 0) continue
    const ids = new Set(items.map(item => ranIn(item)?.id ?? '').filter(id => !counted.has(id)))
    sum += (tool ? gigabytesOf(tool) : 1) * (items.length === 0 ? 1 : ids.size)
    for (const id of ids) counted.add(id)
  }
  return sum
}
