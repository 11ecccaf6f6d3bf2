import { asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseChoice, refuseField, refuseValue } from '../../dialects/refuse.ts'

/** No vendor reads more at once. */
const MOST_PAGES = 1000
/** What a document is taken for whose pages nobody has counted. */
const USUAL_PAGES = 100

const kinds = ['document_url', 'image_url', 'file']

/** Something must be there to read: an address, the data in its place, or a file that the vendor has. */
export function checkDocument(value: Json | undefined): void {
  if (value === undefined || value === null) refuseField('document', 'field.required')
  const document = asObject(value)
  if (!document) refuseField('document', 'field.object')
  const type = asText(document.type)
  if (type === undefined || !kinds.includes(type)) refuseChoice('document.type', kinds)
  const name = type === 'file' ? 'file_id' : type
  const given = document[name]
  const named = type === 'image_url' ? pictureIn(document) : asText(given)
  if (!named) refuseField(`document.${name}`, 'field.text')
}

/** How many pages are read: as many as are named, one of what is a picture; of anything else only its vendor knows. */
export function boundPages({ pages, document }: JsonObject): {
  readonly usual: number
  readonly most: number
} {
  const named = pages === undefined || pages === null ? 0 : countNamed(pages)
  if (named > MOST_PAGES) refuseField('pages', 'field.most', { most: MOST_PAGES })
  if (named > 0) return { usual: named, most: named }
  const picture = pictureIn(document)
  if (picture !== undefined) return { usual: 1, most: isOnePage(picture) ? 1 : MOST_PAGES }
  return { usual: USUAL_PAGES, most: MOST_PAGES }
}

/** What is called a picture; it may be an object with its address in it. */
function pictureIn(value: Json | undefined): string | undefined {
  const document = asObject(value)
  if (document?.type !== 'image_url') return undefined
  return asText(document.image_url) ?? asText(asObject(document.image_url)?.url)
}

/** How base64 of PNG, JPEG, GIF and WebP begins. TIFF has pages. */
const onePage = /^data:[^,]{0,100},(iVBORw0KGgo|\/9j\/|R0lGODdh|R0lGODlh|UklGR[\w+/]{6}XRUJQ)/

/** What is elsewhere, or is not seen to be a picture, may be a document of any length that is only called one. */
function isOnePage(picture: string): boolean {
  return onePage.test(picture)
}

/** A number, a range such as `0-4`, several of both by commas, or a list of any of these. */
function countNamed(pages: Json): number {
  return Array.isArray(pages) ? pages.reduce<number>((sum, one) => sum + countOne(one), 0) : countOne(pages)
}

function countOne(pages: Json): number {
  if (typeof pages === 'number' && Number.isSafeInteger(pages) && pages >= 0) return 1
  if (typeof pages !== 'string') refuseValue('pages', pages)
  return pages.split(',').reduce((sum, part) => sum + countRange(part), 0)
}

const range = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/

function countRange(text: string): number {
  const [, first, last = first] = range.exec(text) ?? []
  const count = Number(last) - Number(first) + 1
  if (first === undefined || count < 1) refuseValue('pages', text)
  return count
}

/** Fields that ask for more than reading: what the document says in a form of the caller's, or what its pictures show. */
const annotations = ['document_annotation_format', 'bbox_annotation_format'] as const

/** The one of them that is asked for. */
export function annotationIn(fields: JsonObject): (typeof annotations)[number] | undefined {
  return annotations.find(name => fields[name] !== undefined && fields[name] !== null)
}
