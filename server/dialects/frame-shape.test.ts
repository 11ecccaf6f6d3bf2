import { describe, expect, test } from 'bun:test'
import { FrameShape, noNumbers, numbersNamed } from './frame-shape.ts'

const counts = numbersNamed('seq', 'output_tokens')
const frame = '{"seq":1,"delta":{"text":" one"},"usage":{"output_tokens":7,"input_tokens":3}}'

function shapeOf(data: string, value: string, numbers = counts): FrameShape {
  const shape = FrameShape.of(data, value, numbers)
  if (!shape) throw new Error(`no shape: ${data}`)
  return shape
}

function read(shape: FrameShape, data: string): string | undefined {
  // In the middle of a longer text, as it is in a chunk.
  const text = `data: ${data}\n\ndata: {"seq":9}\n\n`
  return shape.read(text, 6, 6 + data.length)
}

const values = [
  ' two',
  'a',
  ',',
  '","',
  'text',
  '}}',
  'line\nbreak',
  'a "quoted" word',
  '"',
  'é',
  '中文',
  '😀',
  '\u2028',
]

describe('a frame of the same shape', () => {
  const shape = shapeOf(frame, ' one')

  test.each(values)('%j is cut out', value => {
    const same = frame.replace('" one"', () => JSON.stringify(value))
    expect(read(shape, same)).toBe(value)
  })

  test.each([
    ['in other spelling', '"\\u0020two\\/"', ' two/'],
    ['half a pair, escaped', '"\\ud83d"', '\ud83d'],
    ['nothing', '""', ''],
  ])('a string %s is what JSON says it is', (_, spelled, value) => {
    expect(read(shape, frame.replace('" one"', spelled))).toBe(value)
  })

  test('its numbers may vary', () => {
    expect(read(shape, frame.replace('"seq":1', '"seq":1234').replace(':7', ':0'))).toBe(' one')
  })
})

describe('what is not of the shape is not read', () => {
  const shape = shapeOf(frame, ' one')

  test.each([
    ['another field', frame.replace('{"text"', '{"more":1,"text"')],
    ['another field behind', frame.replace('" one"', '" one","more":"x"')],
    ['a second one of the same name', frame.replace('" one"', '" one","text":" two"')],
    ['a number that may not vary', frame.replace('"input_tokens":3', '"input_tokens":4')],
    ['a number that is none', frame.replace('"seq":1', '"seq":01')],
    ['no number', frame.replace('"seq":1', '"seq":')],
    ['a negative number', frame.replace('"seq":1', '"seq":-1')],
    ['a fraction', frame.replace('"seq":1', '"seq":1.5')],
    ['a number too long to be exact', frame.replace('"seq":1', '"seq":1234567890123456')],
    ['no string', frame.replace('" one"', 'null')],
    ['a control character', frame.replace(' one', 'o\tne')],
    ['an escape that JSON does not have', frame.replace(' one', 'o\\xne')],
    ['an end that is escaped', frame.replace('" one"', '" one\\"')],
    ['a backslash at the end', frame.replace('" one"', '" one\\\\"')],
    ['less', frame.slice(0, -1)],
    ['more', `${frame} `],
    ['nothing', ''],
  ])('%s', (_, other) => {
    expect(read(shape, other)).toBeUndefined()
  })
})

describe('a shape is only made where it is certain which string it was', () => {
  test.each([
    ['the value stands there twice', '{"model":"x","text":"x"}', 'x'],
    ['the value is a name too', '{"text":"text"}', 'text'],
    ['the value looks like what is between two others', '{"a":"b","text":","}', ','],
    ['it may be spelled otherwise', '{"model":"the","text":"t\\u0068e"}', 'the'],
    ['it is not there', '{"parts":["a","b"]}', 'ab'],
    ['the frame is long', `{"more":"${'x'.repeat(5000)}","text":"a"}`, 'a'],
  ])('%s', (_, data, value) => {
    expect(FrameShape.of(data, value, noNumbers)).toBeUndefined()
  })

  test('names of numbers in a text are text', () => {
    const shape = shapeOf('{"note":"seq: 1","text":"a","seq":1}', 'a')
    expect(read(shape, '{"note":"seq: 1","text":"b","seq":2}')).toBe('b')
    expect(read(shape, '{"note":"seq: 2","text":"b","seq":2}')).toBeUndefined()
  })
})
