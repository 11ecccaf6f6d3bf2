import type { JsonObject } from '../../dialects/json.ts'
import { refuseValue } from '../../dialects/refuse.ts'

/** As the field is called for which they stand; the short ones are the vendor's own. */
const fields: Readonly<Record<string, string>> = {
  rs: 'resolution',
  rt: 'ratio',
  dur: 'duration',
  wm: 'watermark',
  cf: 'camera_fixed',
  camerafixed: 'camera_fixed',
  fps: 'framespersecond',
}
const command =
  /\s?--(resolution|rs|ratio|rt|duration|dur|framespersecond|fps|watermark|wm|seed|camerafixed|cf|frames)[\s=]+(\S+)/gi

/**
 * What Seedance is told at the end of a prompt, as `--dur 5 --rs 720p`. It decides what is made and so what it costs:
 * it is said in fields, and the prompt goes without it. Where what is left has one again, it was hidden in another.
 */
export function takeCommands(prompt: string): { readonly text: string; readonly commands: JsonObject } {
  const commands: JsonObject = {}
  const text = prompt.replace(command, (_all, name: string, value: string) => {
    const short = name.toLowerCase()
    commands[fields[short] ?? short] = readValue(value)
    return ''
  })
  const hidden = text.search(command)
  if (hidden >= 0) refuseValue('prompt', text.slice(hidden).trim())
  return { text, commands }
}

function readValue(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^-?\d{1,10}$/.test(value) ? Number(value) : value
}

/** What costs nothing, as Seedance calls it, and what may be said of it: nothing else can hide there. */
const free: readonly (readonly [field: string, name: string, pattern: RegExp])[] = [
  ['ratio', 'ratio', /^(\d{1,2}:\d{1,2}|adaptive|keep_ratio)$/],
  ['seed', 'seed', /^-?\d{1,10}$/],
  ['watermark', 'watermark', /^(true|false)$/],
  ['camera_fixed', 'camerafixed', /^(true|false)$/],
]

/** For whoever has no fields for it: the end of a prompt that says what its own prompt was told. */
export function sayAgain(commands: JsonObject): string {
  const said = free.filter(([field, , pattern]) => pattern.test(String(commands[field])))
  return said.map(([field, name]) => ` --${name} ${String(commands[field])}`).join('')
}
