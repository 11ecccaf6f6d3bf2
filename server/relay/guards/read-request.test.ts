import { expect, test } from 'bun:test'
import { dialects } from '../../dialects/index.ts'
import { isForm, type PlainCall } from '../plain/plain-call.ts'
import { parseMultipart, textsIn } from '../request/parse-multipart.ts'
import { readPlain } from './read-request.ts'

async function callOf(given: FormData): Promise<PlainCall> {
  const request = new Request('http://x.example', { method: 'POST', body: given })
  const type = request.headers.get('content-type') ?? ''
  const body = parseMultipart(Buffer.from(await request.arrayBuffer()), type)
  return {
    route: { kind: 'plain', capability: 'image-edits', dialect: 'openai-chat' },
    capability: 'image-edits',
    dialect: dialects['openai-chat'],
    form: 'openai',
    model: 'm',
    stream: false,
    fields: { prompt: 'one' },
    body,
  } as PlainCall
}

test('every word of a form is read, and what becomes of it is written into the form', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ prompt: 'one', negative_prompt: 'two', size: '1024x1024' }))
    form.set(name, value)
  form.set('image', new Blob(['\u0089PNG']), 'a.png')
  const reading = readPlain(await callOf(form))
  const places = reading.places()
  expect(places.map(({ text }) => text)).toEqual(['one', 'two'])
  for (const place of places) place.put(`[${place.text}]`)
  const { body, fields } = reading.written(true)
  if (!isForm(body)) throw new Error('it is no form any more')
  expect(textsIn(body)).toEqual({ prompt: '[one]', negative_prompt: '[two]', size: '1024x1024' })
  expect(body.parts.filter(({ isFile }) => isFile).map(({ name }) => name)).toEqual(['image'])
  expect(fields.prompt).toBe('[one]')
})

test('words that are there twice are refused', async () => {
  const form = new FormData()
  for (const text of ['two', 'three']) form.append('negative_prompt', text)
  const call = await callOf(form)
  expect(() => readPlain(call).places()).toThrow('negative_prompt')
})
