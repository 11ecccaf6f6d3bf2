import { expect, test } from 'bun:test'
import { baseName, refuseOddForm } from './odd-forms.ts'
import type { Form } from './parse-multipart.ts'

function formOf(...fields: readonly (string | { readonly file: string })[]): Form {
  const nothing = { fileName: undefined, fileNameCoded: undefined, contentType: undefined, start: 0, end: 0 }
  const parts = fields.map(field =>
    typeof field === 'string'
      ? { ...nothing, name: field, isFile: false }
      : { ...nothing, name: field.file, isFile: true },
  )
  return { bytes: Buffer.alloc(0), parts }
}

test('what official clients send is not refused', () => {
  const picture = { file: 'image[]' }
  for (const form of [
    formOf(
      'model',
      'prompt',
      picture,
      picture,
      { file: 'mask' },
      'n',
      'size',
      'quality',
      'background',
      'user',
    ),
    formOf('model', { file: 'image' }, { file: 'image' }, 'prompt', 'input_fidelity', 'moderation', 'stream'),
    formOf({ file: 'file' }, 'model', 'timestamp_granularities[]', 'timestamp_granularities[]', 'include[]'),
    formOf({ file: 'file' }, 'model', 'chunking_strategy[type]', 'chunking_strategy[threshold]', 'prompt'),
    formOf({ file: 'file' }, 'model', 'known_speaker_names[]', 'known_speaker_names[]', 'metadata[run]'),
  ])
    expect(() => refuseOddForm(form)).not.toThrow()
})

test('a field is one, wherever in a list or an object it stands', () => {
  const names = ['model', 'model[]', 'model[0]', '[model]', 'model.a', ' model ', 'model]', '.model']
  expect(new Set(names.map(baseName))).toEqual(new Set(['model']))
  expect(['', '[]', '[.]'].map(baseName)).toEqual(['', '', ''])
  for (const name of names.slice(1)) expect(() => refuseOddForm(formOf(name))).toThrow()
  expect(() => refuseOddForm(formOf('model', 'model'))).toThrow()
  expect(() => refuseOddForm(formOf({ file: 'model' }))).toThrow()
})
