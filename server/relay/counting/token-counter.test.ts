import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startCountThread, TokenCounter } from './token-counter.ts'

const threads: Worker[] = []
const counter = new TokenCounter(() => {
  const thread = startCountThread()
  threads.push(thread)
  return thread
})
afterAll(() => counter.stop())

const english = 'The quick brown fox jumps over the lazy dog, and then it does so again. '
const chinese = '当上游没有返回用量时，网关自己在另一个线程里计算令牌数量，再据此计费。'

function repeatTo(length: number, text: string): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** Letters that do not repeat, the same in every run. */
function scramble(length: number, alphabet: string): string {
  const characters = [...alphabet]
  const out: string[] = []
  for (let at = 0, seed = 7; at < length; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    out.push(characters[(seed >>> 8) % characters.length] ?? '')
  }
  return out.join('')
}

describe('countText', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['Hello, world!', 4],
    ['tiktoken is great!', 6],
    ['お誕生日おめでとう', 8],
    ['你好，世界', 3],
    ['<|endoftext|>', 7],
    ['1234567', 3],
  ])('%j is %d', async (text, tokens) => {
    expect(await counter.countText(text)).toBe(tokens)
  })

  test('several texts are counted apart', async () => {
    expect(await counter.countTexts(['hello', ' world', '', 'hello'])).toBe(3)
    expect(await counter.countTexts([])).toBe(0)
  })

  const lower = 'abcdefghijklmnopqrstuvwxyz'
  const base64 = `${lower}${lower.toUpperCase()}0123456789+/`
  test.each([
    ['one letter', 'a'.repeat(5_000_000), 0.125],
    ['capitals', 'A'.repeat(500_000), 0.125],
    ['letters', scramble(5_000_000, lower), 0.52],
    ['base64', scramble(5_000_000, base64), 0.68],
    ['one emoji', '😀'.repeat(100_000), 0.5],
    ['spaces', ' '.repeat(1_000_000), 0.008],
    ['line ends', '\n'.repeat(1_000_000), 0.0625],
    ['symbols', '!😀'.repeat(300_000), 0.67],
    ['lone surrogates', '\ud83d'.repeat(100_000), 0.125],
    ['accents', `e${'\u0301'.repeat(500_000)}`, 1],
  ])('returns for long runs: %s', async (_, text, perCharacter) => {
    const tokens = await counter.countText(text)
    expect(tokens / text.length / perCharacter).toBeCloseTo(1, 1)
  })

  test('what is sampled comes close to what is counted in full', async () => {
    const text = repeatTo(400_000, `${english}${chinese}${english}\n`)
    const inFull = await counter.countText(text)
    const sampled = await counter.countText(text.repeat(5))
    expect(Math.abs(sampled / (inFull * 5) - 1)).toBeLessThan(0.01)
  })
})

describe('countStream', () => {
  const text = repeatTo(150_000, `${english}${chinese}"😀" {"a":[1,2,3]}\n`)

  test.each([1, 3, 7, 1000, 40_000, 200_000])('in pieces of %d as in one', async size => {
    const whole = await counter.countText(text)
    const stream = counter.countStream()
    let mostHeld = 0
    for (let at = 0; at < text.length; at += size) {
      stream.add(text.slice(at, at + size))
      mostHeld = Math.max(mostHeld, stream.held)
    }
    expect(mostHeld).toBeLessThanOrEqual(32 * 1024)
    expect(Math.abs(stream.soFar / whole - 1)).toBeLessThan(0.35)
    const total = await stream.total()
    expect(Math.abs(total - whole)).toBeLessThanOrEqual(5)
    expect(stream.soFar).toBe(total)
    expect(await stream.total()).toBe(total)
  })

  test('a short one is exact, and estimated before it is counted', async () => {
    const stream = counter.countStream()
    for (const piece of ['hel', 'lo', '', ' wor', 'ld']) stream.add(piece)
    expect(stream.soFar).toBe(3)
    stream.add('你好')
    expect(stream.soFar).toBe(5)
    expect(await stream.total()).toBe(3)
    stream.add(' more')
    expect(await stream.total()).toBe(3)
  })

  test('a discarded one holds nothing and starts no thread', async () => {
    let started = 0
    const idle = new TokenCounter(() => {
      started++
      return startCountThread()
    })
    const stream = idle.countStream()
    stream.add(english)
    stream.discard()
    stream.add(english)
    expect([stream.held, stream.soFar, await stream.total(), started]).toEqual([0, 0, 0, 0])
  })
})

describe('a dying thread', () => {
  test('what waits is estimated, and the next count starts another', async () => {
    expect(await counter.countText('hello world')).toBe(2)
    const before = threads.length
    const waiting = [counter.countText('x'.repeat(4_000_000)), counter.countText('你好')]
    const stream = counter.countStream()
    stream.add('y'.repeat(40_000))
    threads.at(-1)?.terminate()
    expect(await Promise.all(waiting)).toEqual([1_000_000, 2])
    expect(await stream.total()).toBe(10_000)
    expect(await counter.countText('hello world')).toBe(2)
    expect(threads.length).toBe(before + 1)
  })

  test('one that cannot start is not started for every count', async () => {
    let started = 0
    const broken = new TokenCounter(() => {
      started++
      return new Worker('data:text/javascript,throw new Error("no")', { ref: false })
    })
    expect(await broken.countText('12345678')).toBe(2)
    expect(await broken.countText('12345678')).toBe(2)
    expect(started).toBe(1)
  })

  test('too much at once is estimated rather than kept', async () => {
    const text = 'a'.repeat(20_000_000)
    const [first, second] = await Promise.all([counter.countText(text), counter.countText(text)])
    expect([first, second]).toEqual([2_500_000, 5_000_000])
  })
})

test('where no file is left to open the process lives, and counts roughly until there is', async () => {
  const program = `
    import { closeSync, openSync } from 'node:fs'
    import { TokenCounter } from ${JSON.stringify(join(import.meta.dir, 'token-counter.ts'))}
    const counter = new TokenCounter()
    const files = []
    try {
      for (;;) files.push(openSync('/dev/null'))
    } catch {}
    const roughly = await counter.countText('hello world, hello')
    for (const file of files) closeSync(file)
    console.log(roughly, await counter.countText('hello world, hello'))
    process.exit()
  `
  const child = Bun.spawn(['bash', '-c', 'ulimit -n 200; exec "$0" -e "$1"', process.execPath, program], {
    stdout: 'pipe',
  })
  expect(await new Response(child.stdout).text()).toBe('5 4\n')
})
