import { expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { actions, modelOf, readButton, readChange, readSimpleChange } from './actions.ts'

test.each([
  ['MJ::JOB::upsample::2::3dbbd469-36af-4a0f-8f02-df6c579e7011', 'UPSCALE'],
  ['MJ::JOB::upsample_v6_2x_subtle::1::3dbbd469::SOLO', 'UPSCALE'],
  ['MJ::JOB::variation::4::3dbbd469', 'VARIATION'],
  ['MJ::JOB::high_variation::1::3dbbd469::SOLO', 'HIGH_VARIATION'],
  ['MJ::JOB::low_variation::1::3dbbd469::SOLO', 'LOW_VARIATION'],
  ['MJ::JOB::pan_up::1::3dbbd469::SOLO', 'PAN'],
  ['MJ::JOB::reroll::0::3dbbd469::SOLO', 'REROLL'],
  ['MJ::Outpaint::75::1::3dbbd469::SOLO', 'ZOOM'],
  ['MJ::CustomZoom::3dbbd469', 'CUSTOM_ZOOM'],
  ['MJ::Inpaint::1::3dbbd469::SOLO', 'INPAINT'],
  ['MJ::Job::PicReader::1', 'IMAGINE'],
  ['MJ::Job::PicReader::all', 'IMAGINE'],
  ['MJ::Picread::Retry', 'DESCRIBE'],
  ['MJ::Job::PromptAnalyzer::2', 'IMAGINE'],
])('the button %s is %s', (customId, action) => {
  expect<string>(readButton(customId)).toBe(action)
})

test.each([
  ['1320098173412546 U2', { taskId: '1320098173412546', action: 'UPSCALE', rest: 'U2' }],
  [' 1320098173412546  v4 ', { taskId: '1320098173412546', action: 'VARIATION', rest: 'V4' }],
  ['1320098173412546 R', { taskId: '1320098173412546', action: 'REROLL', rest: 'R' }],
])('%p', (content, expected) => {
  expect<object>(readSimpleChange(content)).toEqual(expected)
})

test.each<[string, () => unknown]>([
  ['no such button', () => readButton('MJ::BOOKMARK::3dbbd469')],
  ['a button that is none', () => readButton({ customId: 1 })],
  ['five pictures', () => readChange('UPSCALE', 5)],
  ['half a picture', () => readChange('UPSCALE', 1.5)],
  ['an inherited word', () => readChange('constructor', 1)],
  ['no task', () => readSimpleChange('U2')],
  ['too much', () => readSimpleChange('1 U2 U3')],
  ['no text', () => readSimpleChange(null)],
])('%s is refused', (_name, read) => {
  expect(read).toThrow(AppError)
})

test('prices are by action', () => {
  expect(Object.values(actions).map(modelOf)).toContain('mj_high_variation')
  expect(modelOf(actions.swapFace)).toBe('swap_face')
})
