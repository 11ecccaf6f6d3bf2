// A call as code. Keys are put in when the code is copied and not before.

export const languages = ['curl', 'python', 'typescript'] as const
export type SnippetLanguage = (typeof languages)[number]

export const languageNames: Record<SnippetLanguage, string> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
}

/** The body is that of a streamed chat call. */
export function snippet(language: SnippetLanguage, address: string, key: string, body: object): string {
  const shown = Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'stream_options'))
  const base = `${address.replace(/\/+$/, '')}/v1`
  if (language === 'curl') return curl(base, key, shown)
  return language === 'python' ? python(base, key, shown) : typescript(base, key, shown)
}

type Shown = Readonly<Record<string, unknown>>

function curl(base: string, key: string, body: Shown): string {
  // Inside single quotes a shell knows no escape: the quote is closed, written and opened again.
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return [
    `curl -N '${base}/chat/completions' \\`,
    // In double quotes: a variable that stands for the key is put in.
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}

function python(base: string, key: string, body: Shown): string {
  const fields = Object.entries(body).map(([name, value]) => `    ${name}=${pythonValue(value, '    ')},`)
  return [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${JSON.stringify(base)}, api_key=${JSON.stringify(key)})`,
    '',
    'stream = client.chat.completions.create(',
    ...fields,
    ')',
    'for chunk in stream:',
    '    if chunk.choices and chunk.choices[0].delta.content:',
    '        print(chunk.choices[0].delta.content, end="", flush=True)',
  ].join('\n')
}

/** JSON is Python but for three words. */
export function pythonValue(value: unknown, indent: string): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map(one => `${inner}${pythonValue(one, inner)},`)
    : Object.entries(value).map(
        ([name, one]) => `${inner}${JSON.stringify(name)}: ${pythonValue(one, inner)},`,
      )
  return items.length === 0 ? `${open}${close}` : [open, ...items, `${indent}${close}`].join('\n')
}

function typescript(base: string, key: string, body: Shown): string {
  const json = JSON.stringify(body, null, 2).replace(/^(\s*)"(\w+)":/gm, '$1$2:')
  return [
    `import OpenAI from 'openai'`,
    '',
    `const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: ${JSON.stringify(key)} })`,
    '',
    `const stream = await client.chat.completions.create(${json})`,
    'for await (const chunk of stream) {',
    `  process.stdout.write(chunk.choices[0]?.delta?.content ?? '')`,
    '}',
  ].join('\n')
}

const SHOWN_PICTURE = 48

/** Pictures are megabytes: on the screen their beginning says enough. */
export function shorten(code: string): string {
  return code.replace(
    /(data:[\w+.-]+\/[\w+.-]+;base64,[\w+/]{0,24})[\w+/=]{24,}/g,
    (whole, beginning: string) => (whole.length > SHOWN_PICTURE ? `${beginning}…` : whole),
  )
}

/** As keys are shown everywhere. */
export const maskedKey = 'sk-••••••••'
