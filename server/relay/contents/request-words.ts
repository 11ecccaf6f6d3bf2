import type { Form } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import { hideSecrets } from './hide-secrets.ts'

/** What was asked, in the words that may be kept; of files, what they are called and how large they are. */
export function requestWords(body: JsonBody | Form): string {
  return hideSecrets('parts' in body ? JSON.stringify(fieldsOf(body)) : body.text)
}

function fieldsOf({ bytes, parts }: Form): [string, string][] {
  return parts.map(part => [
    part.name,
    part.isFile
      ? `[${part.fileName ?? part.fileNameCoded ?? ''}, ${part.end - part.start} bytes]`
      : bytes.toString('utf8', part.start, part.end),
  ])
}
