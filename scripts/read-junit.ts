// Reads the report that `bun test --reporter=junit` writes about one file.

export type FileResult = {
  readonly file: string
  readonly seconds: number
  /** Seconds of a core, with those of its programs; not with those of databases, nor of a browser's pages. */
  readonly computed: number
  readonly passed: number
  /** Names of tests, and what went wrong with the file as a whole. */
  readonly failed: readonly string[]
  readonly skipped: readonly string[]
  /** All that the file's run printed. */
  readonly output: string
}

const casePattern = /<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g

export function readJunit(xml: string): Pick<FileResult, 'passed' | 'failed' | 'skipped'> {
  const cases = [...xml.matchAll(casePattern)].map(([, attributes = '', body = '']) => {
    const { name = '', classname = '' } = readAttributes(attributes)
    return { body, name: [classname, name].filter(Boolean).join(' > ') }
  })
  const withMark = (mark: RegExp) => cases.filter(one => mark.test(one.body)).map(one => one.name)
  const [failed, skipped] = [withMark(/<(failure|error)\b/), withMark(/<skipped\b/)]
  return { passed: cases.length - failed.length - skipped.length, failed, skipped }
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unescapeXml(value)]))
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => entities[name] ?? whole)
}
