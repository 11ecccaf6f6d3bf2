/** What the headers of one part of a form say. */
export interface PartHead {
  readonly name: string
  readonly isFile: boolean
  /** The file's name and type as they were written, for the headers of the part that goes out. */
  readonly fileName: string | undefined
  readonly fileNameCoded: string | undefined
  readonly contentType: string | undefined
}

const linePattern = /^([A-Za-z][A-Za-z0-9-]*):[ \t]*([\t\P{Cc}]*)$/u
const typePattern = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=(?:"[^"\\]*"|[\w.+-]+))*$/
const codedPattern = /^[\w.!#$&+^`|~%'-]+$/

/** Undefined when two readers could read it differently: one of them is whoever gets the form next. */
export function readPartHead(head: string): PartHead | undefined {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n')) {
    const [, name, value] = linePattern.exec(line) ?? []
    if (name === undefined || value === undefined || headers.has(name.toLowerCase())) return undefined
    headers.set(name.toLowerCase(), value)
  }
  const parameters = readDisposition(headers.get('content-disposition') ?? '')
  const name = parameters?.get('name')
  if (!parameters || name === undefined || name.includes('\\')) return undefined
  const contentType = headers.get('content-type')?.trim()
  if (contentType !== undefined && !typePattern.test(contentType)) return undefined
  const fileName = parameters.get('filename')
  const fileNameCoded = parameters.get('filename*')
  if (fileNameCoded !== undefined && !codedPattern.test(fileNameCoded)) return undefined
  const isFile = fileName !== undefined || fileNameCoded !== undefined
  return { name, isFile, fileName, fileNameCoded, contentType }
}

function readDisposition(text: string): Map<string, string> | undefined {
  const kind = /^form-data(?=[\s;]|$)/i.exec(text)
  if (!kind) return undefined
  const parameters = new Map<string, string>()
  const next = /\s*;\s*([A-Za-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";\\]+))/y
  next.lastIndex = kind[0].length
  let end = next.lastIndex
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const name = (found[1] ?? '').toLowerCase()
    if (parameters.has(name)) return undefined
    parameters.set(name, found[2] ?? found[3] ?? '')
    end = next.lastIndex
  }
  return text.slice(end).trim() === '' ? parameters : undefined
}
