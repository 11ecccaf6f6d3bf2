import { asNumber, asObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseChoice, refuseFeature, refuseField } from '../../../dialects/refuse.ts'

const LONGEST_TITLE = 255
const sizes = ['1g', '4g', '16g', '64g'] as const
/** What the vendor is told as it was said. */
const passed = ['expires_after', 'file_ids', 'memory_limit', 'network_policy'] as const
/** As long as one payment lasts, and the vendor keeps one at most. */
const MOST_MINUTES = 20

export interface WantedContainer {
  readonly title: string
  readonly gigabytes: number
  /** Besides its name. */
  readonly told: JsonObject
}

export function readContainer(json: JsonObject): WantedContainer {
  const { name, memory_limit, expires_after, file_ids } = json
  // What a skill does nobody has read.
  for (const field of Object.keys(json))
    if (field !== 'name' && !passed.some(one => one === field))
      refuseFeature('feature.named', { name: field.slice(0, 60) })
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_TITLE)
    refuseField('name', 'field.text-within', { most: LONGEST_TITLE })
  checkMinutes(expires_after)
  checkFiles(file_ids)
  const told = Object.fromEntries(passed.flatMap(field => (field in json ? [[field, json[field]]] : [])))
  return { title: name, gigabytes: readSize(memory_limit), told }
}

function checkFiles(given: Json | undefined): void {
  if (given === undefined || given === null) return
  if (!Array.isArray(given) || given.some(id => typeof id !== 'string' || id === ''))
    refuseField('file_ids', 'field.strings')
}

function readSize(given: Json | undefined): number {
  if (given === undefined || given === null) return 1
  const size = sizes.find(one => one === given)
  if (!size) refuseChoice('memory_limit', sizes)
  return Number.parseInt(size, 10)
}

function checkMinutes(given: Json | undefined): void {
  if (given === undefined || given === null) return
  const minutes = asNumber(asObject(given)?.minutes)
  if (minutes === undefined || !Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES)
    refuseField('expires_after.minutes', 'field.whole-within', { least: 1, most: MOST_MINUTES })
}
