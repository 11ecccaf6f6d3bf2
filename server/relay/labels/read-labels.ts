import {
  fitLabel,
  isLabel,
  joinLabels,
  LONGEST_LABEL,
  labelsHeader,
  MOST_LABELS,
  splitLabels,
} from '../../../contract/labels.ts'
import { isObject, parseObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'

const OWN = labelsHeader.name
/** How clients of LiteLLM say it, and who it is for. */
const LITELLM_TAGS = 'x-litellm-tags'
const LITELLM_USER = 'x-litellm-end-user-id'
const PORTKEY = 'x-portkey-metadata'
const PORTKEY_USER = '_user'

/**
 * What a call is for, by commas: the labels of its token, of our own header, and what callers say in the words of
 * others. Undefined where nobody has said anything. Our own header is refused where it is wrong; what comes in the
 * words of others was written for somebody else, and is cut until it fits. `tags` are those of the body.
 */
export function readLabels(
  { headers }: Pick<Request, 'headers'>,
  fixed: string | undefined,
  tags: readonly string[] | undefined,
): string | undefined {
  const own = headers.get(OWN)
  const list = headers.get(LITELLM_TAGS)
  const user = headers.get(LITELLM_USER)
  const about = headers.get(PORTKEY)
  if (own === null && list === null && user === null && about === null && tags === undefined) return fixed
  const labels = new Set(splitLabels(fixed))
  if (own !== null) for (const label of readOwn(own)) labels.add(label)
  if (labels.size > MOST_LABELS) refuseField(OWN, 'field.most-labels', { most: MOST_LABELS })
  const foreign = [
    ...(tags ?? []),
    ...(list === null ? [] : asWritten(list).split(',')),
    ...(user === null ? [] : [`user:${asWritten(user)}`]),
    ...(about === null ? [] : readPortkey(asWritten(about))),
  ]
  for (const given of foreign) {
    const label = fitLabel(given)
    if (label !== undefined && labels.size < MOST_LABELS) labels.add(label)
  }
  return labels.size === 0 ? undefined : joinLabels(labels)
}

/** Percent-encoded where a header cannot hold it. A comma at the end is nothing. */
function readOwn(header: string): string[] {
  const labels = asWritten(header)
    .split(',')
    .flatMap(part => part.trim() || [])
    .map(decode)
  if (!labels.every(isLabel)) refuseField(OWN, 'field.label', { most: LONGEST_LABEL })
  return labels
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuseField(OWN, 'field.label', { most: LONGEST_LABEL })
  }
}

const beyondAscii = /[\u0080-\u00ff]/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Headers are read byte by byte: who has sent UTF-8 is understood nevertheless. */
function asWritten(header: string): string {
  if (!beyondAscii.test(header)) return header
  try {
    return utf8.decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/** Each entry as `name:value`; `_user` is who it is for. What is no object says nothing. */
function readPortkey(header: string): string[] {
  return Object.entries(parseObject(header) ?? {}).flatMap(([name, value]) => {
    if (value === null || isObject(value) || Array.isArray(value) || value === '') return []
    return [`${name === PORTKEY_USER ? 'user' : name}:${String(value)}`]
  })
}
