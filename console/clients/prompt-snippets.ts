// A prompt that is called by its name, as code: with OpenAI's Responses, which has a place for it.

import { pythonValue, type SnippetLanguage } from './request-snippets.ts'

interface Called {
  readonly prompt: {
    readonly id: string
    readonly version?: string
    readonly variables: Readonly<Record<string, string>>
  }
  /** Where the prompt names none. */
  readonly model?: string
  /** What is said after the prompt. */
  readonly input?: string
}

export function promptSnippet(
  language: SnippetLanguage,
  address: string,
  key: string,
  called: Called,
): string {
  const base = `${address.replace(/\/+$/, '')}/v1`
  if (language === 'curl') return curl(base, key, called)
  return language === 'python' ? python(base, key, called) : typescript(base, key, called)
}

function curl(base: string, key: string, called: Called): string {
  // Inside single quotes a shell knows no escape: the quote is closed, written and opened again.
  const json = JSON.stringify(called, null, 2).replaceAll("'", `'\\''`)
  return [
    `curl '${base}/responses' \\`,
    // In double quotes: a variable that stands for the key is put in.
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}

function python(base: string, key: string, called: Called): string {
  const fields = Object.entries(called).map(([name, value]) => `    ${name}=${pythonValue(value, '    ')},`)
  return [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${JSON.stringify(base)}, api_key=${JSON.stringify(key)})`,
    '',
    'response = client.responses.create(',
    ...fields,
    ')',
    'print(response.output_text)',
  ].join('\n')
}

function typescript(base: string, key: string, called: Called): string {
  const json = JSON.stringify(called, null, 2).replace(/^(\s*)"([a-z_]\w*)":/gm, '$1$2:')
  return [
    `import OpenAI from 'openai'`,
    '',
    `const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: ${JSON.stringify(key)} })`,
    '',
    `const response = await client.responses.create(${json})`,
    'console.log(response.output_text)',
  ].join('\n')
}
