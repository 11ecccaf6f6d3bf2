import { expect, test } from 'bun:test'
import { tellingWords } from './telling-words.ts'

const differ = (one: string, other: string) =>
  JSON.stringify(tellingWords(one)) !== JSON.stringify(tellingWords(other))

test.each([
  ['the price of 10 kg of rice', 'the price of 100 kg of rice'],
  ['the price of 10 kg of rice', 'the price of 10 g of rice'],
  ['is 5 more than 3?', 'is 3 more than 5?'],
  ['what is 2 - 1', 'what is 21'],
  ['how do I pay $5?', 'how do I pay €5?'],
  ['meet me at 3:30', 'meet me at 3:15'],
  ['release notes of 1.2.3', 'release notes of 1.2.4'],
  ['it is 5 degrees', 'it is -5 degrees'],
  ['what do two tickets cost?', 'what do three tickets cost?'],
  ['what do two tickets cost?', 'what does one ticket cost?'],
  ['the second quarter', 'the first quarter'],
  ['may I smoke here?', 'may I not smoke here?'],
  ['does it work?', "doesn't it work?"],
  ['tea with sugar', 'tea without sugar'],
  ['10公斤大米多少钱', '100公斤大米多少钱'],
  ['10公斤大米多少钱', '10吨大米多少钱'],
  ['三个苹果多少钱', '五个苹果多少钱'],
  ['十一个苹果', '十个苹果'],
  ['可以退货吗', '不可以退货吗'],
  ['٣ kg', '٤ kg'],
])('%p and %p are told apart', (one, other) => {
  expect(differ(one, other)).toBe(true)
})

test.each([
  ['what do 10 apples cost?', 'tell me the price of 10 apples'],
  ["it doesn't start", 'it does not start'],
  ['I can’t log in', 'I cannot log in'],
  ['Notice the notes of Norway', 'See what nobles know'],
  ['介绍一下北京', '介绍北京'],
  ['one way to do it', 'a way to do it'],
])('%p and %p are not', (one, other) => {
  expect(differ(one, other)).toBe(false)
})
