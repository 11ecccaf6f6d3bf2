import type OpenAI from 'openai'
import { toFile } from 'openai'
import { catchError, statusOf } from '../sdk/sdk-errors.ts'
import { type KeptHouse, MODEL } from './house.ts'

export type Purpose = 'user_data' | 'vision' | 'assistants'
export type Content = OpenAI.Responses.ResponseInputContent

export const MEGABYTE = 1024 * 1024

export async function upload(
  client: OpenAI,
  text: string | Buffer = 'What is in it',
  purpose: Purpose = 'user_data',
): Promise<OpenAI.FileObject> {
  const file = await toFile(Buffer.from(text), 'report.pdf', { type: 'application/pdf' })
  return client.files.create({ file, purpose })
}

/** What is refused, in words. */
export async function refusal(asking: Promise<unknown>): Promise<[number | undefined, string]> {
  const error = await catchError(asking)
  return [statusOf(error), error.message]
}

export const said = (...content: Content[]): OpenAI.Responses.ResponseInput => [
  { role: 'user', content: [...content, { type: 'input_text', text: 'What is this?' }] },
]
export const aFile = (file_id: string): Content => ({ type: 'input_file', file_id })
export const aPicture = (file_id: string): Content => ({ type: 'input_image', file_id, detail: 'auto' })
export const runs = (...file_ids: string[]): OpenAI.Responses.Tool => ({
  type: 'code_interpreter',
  container: { type: 'auto', file_ids },
})

/** As files are asked about in Responses. */
export const ask = (client: OpenAI, ids: readonly string[], model = MODEL) =>
  client.responses.create({ model, input: said(...ids.map(aFile)) })
/** And in chat. */
export const askInChat = (client: OpenAI, id: string, model = MODEL) =>
  client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_id: id } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ],
  })

/** How a form is answered that no client would send. */
export async function sendForm(
  house: Pick<KeptHouse, 'url' | 'payer'>,
  fields: readonly (readonly [name: string, value: string | Blob])[],
): Promise<{ status: number; message: string }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const headers = { authorization: `Bearer ${house.payer.key}`, 'accept-language': 'en' }
  const response = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body: form })
  const { error } = (await response.json()) as { error?: { message: string } }
  return { status: response.status, message: error?.message ?? '' }
}

export const rowOf = (house: KeptHouse, id: string) =>
  house.store.db.selectFrom('openai_files').selectAll().where('id', '=', id).executeTakeFirst()
