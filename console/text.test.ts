import { expect, test } from 'bun:test'
import { listText } from './lists/catalogue.ts'
import { channelText } from './screens/channel/catalogue.ts'
import { formText } from './screens/channel/form/catalogue.ts'
import { currentLanguage, loadText, translate } from './text.ts'

test('a catalogue brings the words that it is added to, under its own name and under theirs', async () => {
  await loadText(formText)
  const { default: own } = await import(`./screens/channel/form/locales/${currentLanguage()}.ts`)
  const { default: channel } = await import(`./screens/channel/locales/${currentLanguage()}.ts`)
  const { default: lists } = await import(`./lists/locales/${currentLanguage()}.ts`)
  const form = translate(formText)
  expect([form('models'), form('priority'), form('rpm')]).toEqual([own.models, channel.priority, lists.rpm])
  expect(translate(channelText)('priority')).toBe(channel.priority)
  expect(translate(listText)('rpm')).toBe(lists.rpm)
})
