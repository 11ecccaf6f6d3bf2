import { asArray, asObject, asText, type Json } from '../../../server/dialects/json.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { refuseDetail } from './fail.ts'

const DOCUMENTS: Record<string, Shape> = {
  document_url: fields('type document_url document_name'),
  image_url: fields('type image_url'),
  file: fields('type file_id'),
}
const BODY: Record<string, Shape> = {
  ...fields(`model id pages include_image_base64 image_limit image_min_size bbox_annotation_format
    document_annotation_format document_annotation_prompt table_format extract_header extract_footer
    include_blocks confidence_scores_granularity`),
  document: value => ({ shape: DOCUMENTS[asText(value.type) ?? ''] ?? {} }),
}

export function checkOcr({ body, options }: Call): void {
  if (typeof body.model !== 'string') refuseDetail('missing', ['model'], 'Field required', null)
  if (!asObject(body.document)) refuseDetail('missing', ['document'], 'Field required', null)
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined && !options.accept?.includes(String(unknown.at(-1))))
    refuseDetail('extra_forbidden', unknown, 'Extra inputs are not permitted', null)
}

const USUAL = 3

/** A document has as many pages as its address says: `https://a.example/12-pages.pdf`. */
function pagesOf(document: Json | undefined): number {
  const { type, document_url } = asObject(document) ?? {}
  if (type === 'image_url') return 1
  return Number(/(\d+)-pages/.exec(asText(document_url) ?? '')?.[1] ?? USUAL)
}

export function answerOcr({ body }: Call): Rendered {
  const all = Array.from({ length: pagesOf(body.document) }, (_, at) => at)
  const wanted = asArray(body.pages)
  const read = wanted.length > 0 ? all.filter(page => wanted.includes(page)) : all
  const isDescribed = Boolean(body.document_annotation_format ?? body.bbox_annotation_format)
  const said = {
    pages: read.map(index => ({
      ...{ index, markdown: `# Page ${index}`, images: [], tables: [], hyperlinks: [] },
      ...{ header: null, footer: null, dimensions: { dpi: 200, height: 2200, width: 1700 } },
    })),
    model: body.model,
    document_annotation: body.document_annotation_format ? '{"title":"A paper"}' : null,
    usage_info: {
      pages_processed: read.length,
      doc_size_bytes: 1024,
      ...(isDescribed && { pages_processed_annotation: read.length }),
    },
  }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: NO_TALLY }
}
