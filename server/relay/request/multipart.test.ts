import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { type Form, fieldOf, parseMultipart } from './parse-multipart.ts'
import { readPartHead } from './read-part-head.ts'
import { writeMultipart } from './write-multipart.ts'

const TYPE = 'multipart/form-data; boundary=b1'
const field = (name: string, value: string) =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = `--b1\r\ncontent-type: audio/wav\r\nCONTENT-DISPOSITION: form-data; name="file"; filename="a \\"b\\".wav"\r\n\r\n\r\n--b\r\n\0\xff\r\n`
const END = '--b1--\r\n'

function parse(text: string, type = TYPE): Form {
  return parseMultipart(Buffer.from(text, 'latin1'), type)
}

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return error.code
    throw error
  }
  return 'taken'
}

test('fields and files are found where they stand', () => {
  const form = parse(`${field('model', 'whisper-1')}${file}${field('empty', '')}${END}`)
  expect(form.parts.map(part => [part.name, part.fileName])).toEqual([
    ['model', undefined],
    ['file', 'a \\"b\\".wav'],
    ['empty', undefined],
  ])
  const [, sound] = form.parts
  expect(form.bytes.toString('latin1', sound?.start, sound?.end)).toBe('\r\n--b\r\n\0\xff')
  expect(fieldOf(form, 'model')).toBe('whisper-1')
  expect(fieldOf(form, 'empty')).toBe('')
  expect(fieldOf(form, 'absent')).toBeUndefined()
})

describe('what is no form is refused', () => {
  const cases: [name: string, body: string, type?: string][] = [
    ['nothing', ''],
    ['no closing boundary', field('model', 'm')],
    ['no parts at all', 'x'.repeat(100)],
    ['no end of headers', `--b1\r\nContent-Disposition: form-data; name="a"\r\n--b1--`],
    [
      'headers without end',
      `--b1\r\nContent-Disposition: form-data; name="${'x'.repeat(9000)}"\r\n\r\nm\r\n${END}`,
    ],
    ['no name', `--b1\r\nContent-Disposition: form-data; x=y\r\n\r\nm\r\n${END}`],
    ['not form data', `--b1\r\nContent-Disposition: attachment; name="a"\r\n\r\nm\r\n${END}`],
    ['dashes for a boundary', '-'.repeat(2_000_000), `multipart/form-data; boundary=${'-'.repeat(100_000)}`],
    ['a body of dashes', '-'.repeat(2_000_000), `multipart/form-data; boundary=${'-'.repeat(60)}`],
    ['no boundary', END, 'multipart/form-data'],
    ['an empty boundary', END, 'multipart/form-data; boundary=""'],
    ['line ends in the boundary', END, 'multipart/form-data; boundary="a\r\nb"'],
    ['more parts than any form has', field('a', 'b').repeat(300) + END],
    ['a hundred thousand parts', field('a', 'b').repeat(100_000) + END],
  ]
  for (const [name, body, type] of cases)
    test(name, () => {
      expect(refusal(() => parse(body, type))).toStartWith('field.form-')
    })

  test('a field that is there twice, or as a file', () => {
    const twice = parse(field('model', 'cheap') + field('model', 'dear') + END)
    expect(refusal(() => fieldOf(twice, 'model'))).toBe('field.repeated')
    expect(refusal(() => fieldOf(parse(file + END), 'file'))).toBe('field.no-file')
  })
})

/** As whoever gets it next reads it. */
async function reread(form: Form, edits: Parameters<typeof writeMultipart>[1]): Promise<FormData> {
  const body = new Uint8Array(writeMultipart(form, edits, 'new'))
  return new Response(body, { headers: { 'content-type': 'multipart/form-data; boundary=new' } }).formData()
}

describe('written anew', () => {
  const whole = `preamble\r\n${field('model', 'alias')}${file}${field('image[]', 'x')}${field('image[]', 'y')}${END}epilogue`

  test('files and fields stay, what is named is set', async () => {
    const read = await reread(parse(whole), {
      model: 'whisper-1',
      language: 'de',
      temperature: 0.5,
      odd: { a: 1 },
      file: 'x',
    })
    expect([...read.keys()]).toEqual(['model', 'file', 'image[]', 'image[]', 'language', 'temperature'])
    expect(read.getAll('image[]')).toEqual(['x', 'y'])
    expect([read.get('model'), read.get('language'), read.get('temperature')]).toEqual([
      'whisper-1',
      'de',
      '0.5',
    ])
    const sound = read.get('file') as File
    expect(Buffer.from(await sound.arrayBuffer()).toString('latin1')).toBe('\r\n--b\r\n\0\xff')
    expect(writeMultipart(parse(whole), {}, 'new').toString('latin1')).toContain(
      'form-data; name="file"; filename="a \\"b\\".wav"\r\nContent-Type: audio/wav\r\n\r\n',
    )
  })

  test('what hides inside a field stays inside it', async () => {
    const hidden = '\n--b1\nContent-Disposition: form-data; name="model"\n\ndear\n'
    const read = await reread(parse(field('model', 'cheap') + field('prompt', hidden) + END), {})
    expect([...read.keys()]).toEqual(['model', 'prompt'])
    expect(read.get('model')).toBe('cheap')
    const sent = writeMultipart(parse(field('prompt', hidden) + END), {}, 'new').toString()
    expect(sent.match(/^--new/gm)?.length).toBe(2)
  })

  test('names of all kinds are only names', async () => {
    const form = parse(field('__proto__', 'x') + field('constructor', 'y') + END)
    expect(fieldOf(form, '__proto__')).toBe('x')
    expect([...(await reread(form, { a: 1 })).keys()]).toEqual(['__proto__', 'constructor', 'a'])
  })
})

test('headers of a part that could be read in two ways', () => {
  const heads = [
    'Content-Disposition: form-data; name="a"; name="model"',
    'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="model"',
    'Content-Disposition: form-data;\r\n name="model"',
    'Content-Disposition: form-data; name="a"\nX: y',
    'Content-Disposition: form-data; name="a" name="model"',
    'Content-Disposition: form-data; name="mod\\el"',
    'Content-Disposition: form-data; name=',
    'Content-Disposition: form-data',
    'Content-Disposition: form-data; filename="a.wav"',
    'Content-Disposition: form-data; name="a"; filename*=a b',
    'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain, x',
    'Content-Disposition: attachment; name="a"',
    'no header',
    '',
  ]
  for (const head of heads) expect([head, readPartHead(head)]).toEqual([head, undefined])
  const tricky = 'content-disposition: form-data; filename="x; name=evil"; name="file"'
  expect(readPartHead(tricky)).toMatchObject({ name: 'file', fileName: 'x; name=evil', isFile: true })
  const coded = "Content-Disposition: form-data; name=file; filename*=UTF-8''%e4.wav"
  expect(readPartHead(coded)).toMatchObject({ name: 'file', isFile: true, fileNameCoded: "UTF-8''%e4.wav" })
})
