import { expect, test } from 'bun:test'
import { mostPerPicture, PictureSizes } from './picture-sizes.ts'

const model = 'm'
const asked = (textLength: number, images: number) => ({
  textLength,
  media: { images, sound: 0, files: { usual: 0, most: 0 } },
  hosted: undefined,
  finds: false,
})

test('a picture that cost more than was held is held for from then on', () => {
  const sizes = new PictureSizes()
  expect(sizes.mostOf(model)).toBe(3000)
  sizes.learn(model, asked(400, 2), 20_400)
  sizes.learn(model, asked(400, 1), 3000)
  expect([sizes.mostOf(model), sizes.mostOf('other')]).toEqual([10_000, 3000])
  // A prompt of signs that are a token a byte is no picture, and nobody says a million.
  sizes.learn(model, asked(90_000, 1), 90_000)
  expect(sizes.mostOf(model)).toBe(10_000)
  sizes.learn(model, asked(100, 1), 9_000_000)
  expect(sizes.mostOf(model)).toBe(50_000)
})

test('what a vendor’s own tools have found, and what the operator says to a model, is no picture', () => {
  const sizes = new PictureSizes()
  sizes.learn(model, { ...asked(400, 1), finds: true }, 60_000)
  sizes.learn(model, { ...asked(400, 1), hosted: [{ name: 'code_execution' }] }, 60_000)
  sizes.learn(model, asked(400, 1), 9000, 'Be brief. '.repeat(800))
  expect(sizes.mostOf(model)).toBe(3000)
})

test('what pictures come to is not known before a telling one was seen, and one that is dear is remembered', () => {
  const sizes = new PictureSizes()
  expect(sizes.mayBeDear(model)).toBe(true)
  // A small one, and one among many words.
  sizes.learn(model, asked(80, 1), 100)
  sizes.learn(model, asked(16_000, 1), 5000)
  expect(sizes.mayBeDear(model)).toBe(true)
  sizes.learn(model, asked(100, 1), 800)
  expect(sizes.mayBeDear(model)).toBe(false)
  sizes.learn(model, asked(100, 1), 9000)
  sizes.learn(model, asked(100, 1), 800)
  expect(sizes.mayBeDear(model)).toBe(true)
})

test('models are known by their names whose pictures are many tokens', () => {
  for (const name of ['gpt-4o-mini', 'openai/gpt-4o-mini-2024-07-18'])
    expect([mostPerPicture(name), new PictureSizes().mayBeDear(name)]).toEqual([48_169, true])
  expect([mostPerPicture('gpt-4o'), mostPerPicture('mini')]).toEqual([3000, 3000])
})
