import { expect, test } from 'bun:test'
import { namedItems, storedIds } from './stored-items.ts'

test('the items of a response that is stored are those of its output alone', () => {
  const output = [
    { type: 'reasoning', id: 'rs_1' },
    { type: 'message', id: 'msg_1' },
    { type: 'message' },
    null,
  ]
  const echoed = { metadata: { id: 'msg_of_another' }, tools: [{ id: 'msg_of_another' }] }
  const stored = { response: 'resp_1', items: ['rs_1', 'msg_1'] }
  expect(storedIds({ id: 'resp_1', output, ...echoed })).toEqual(stored)
  expect(storedIds({ id: 'resp_1', output, store: true })).toEqual(stored)
  expect(storedIds({ id: 'resp_1', output, store: false })).toBeUndefined()
  for (const odd of [
    {},
    { output: null },
    { output: 'x' },
    { output: { id: 'msg_1' } },
    { output: [{ id: 7 }] },
  ])
    expect(storedIds(odd)).toEqual({ response: undefined, items: [] })
})

test('an item is named with its type or by its id alone', () => {
  const input = [
    { type: 'item_reference', id: 'msg_1' },
    { id: 'msg_2' },
    { type: null, id: 'msg_3' },
    { type: 'message', id: 'msg_sent', role: 'assistant', content: [] },
    { id: 'msg_sent', role: 'user', content: 'hello' },
    { type: 'function_call', id: 'fc_sent', call_id: 'call_1' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'reasoning', id: 'rs_sent', summary: [], encrypted_content: 'sealed' },
    { type: 'item_reference' },
    { type: 'item_reference', id: 5 },
    'text',
    null,
  ]
  expect(namedItems({ input })).toEqual(['msg_1', 'msg_2', 'msg_3', 'rs_1'])
  for (const odd of [{}, { input: 'hello' }, { input: { id: 'msg_1' } }]) expect(namedItems(odd)).toEqual([])
})

test('where code was run is told once for each tool, also of a response that is not stored', () => {
  const ran = (container_id: unknown) => ({ type: 'code_interpreter_call', id: 'ci_1', container_id })
  const output = [
    ran('cntr_1'),
    ran('cntr_1'),
    ran('cntr_2'),
    ran(7),
    { type: 'shell_call', id: 'sh_1', environment: { type: 'local' } },
    { type: 'shell_call', id: 'sh_2', environment: { type: 'container_reference', container_id: 'cntr_1' } },
    { type: 'shell_call', id: 'sh_3', environment: { type: 'container_reference', container_id: 'cntr_4' } },
    { type: 'message', container_id: 'cntr_3' },
  ]
  const containers = [
    { id: 'cntr_1', isShell: false },
    { id: 'cntr_2', isShell: false },
    { id: 'cntr_1', isShell: true },
    { id: 'cntr_4', isShell: true },
  ]
  expect(storedIds({ id: 'resp_1', output } as never)).toMatchObject({ response: 'resp_1', containers })
  expect(storedIds({ id: 'resp_1', output, store: false } as never)).toEqual({
    ...{ response: undefined, items: [], containers },
  })
})

test('an answer that tells of more containers than any is made in is not believed', () => {
  const output = Array.from({ length: 5000 }, (_, at) => ({
    ...{ type: 'code_interpreter_call', id: `ci_${at}`, container_id: `cntr_${at}` },
  }))
  expect(storedIds({ id: 'resp_1', output })?.containers).toHaveLength(100)
})
