import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { mayNameFiles } from '../../dialects/file-names.ts'
import type { Json } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { type FilesLead, leadOfFiles } from '../openai-kept/lead-to-files.ts'
import type { Order } from '../order/order.ts'
import { baseName } from '../request/odd-forms.ts'
import type { Form } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import { isForm, makesPictures, type PlainCall } from './plain-call.ts'

/** Which account has the pictures that are to be worked on; undefined for most, which bring them along. */
export function leadPictures(
  order: Order,
  { capability, form, body }: PlainCall,
): Promise<FilesLead | undefined> | undefined {
  if (!makesPictures(capability) || form !== 'openai') return undefined
  const said = isForm(body) ? namedInForm(body) : body
  return mayNameFiles(said.text) ? leadOfFiles(order, said) : undefined
}

const byId = /(?:^|[[.])\s*file_ids?\s*(?:$|[[\].])/i
const pictures: ReadonlySet<string> = new Set(['image', 'images', 'mask'])

/** What a form names as JSON would: some readers take `images[0][file_id]` for that, and JSON where a picture is meant. */
function namedInForm({ bytes, parts }: Form): JsonBody {
  const named: Json[] = []
  let text = ''
  for (const { name, isFile, start, end } of parts) {
    const isId = byId.test(name)
    if (isFile || !(isId || pictures.has(baseName(name).toLowerCase()))) continue
    const said = bytes.toString('utf8', start, end)
    const read = isId ? { file_id: said } : parseAny(said)
    if (read === undefined) continue
    named.push(read)
    text += isId ? '"file_id":' : said
  }
  return { json: { named }, text }
}

/** Undefined for words. */
function parseAny(text: string): Json | undefined {
  if (!mayNameFiles(text)) return undefined
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
