import { expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import { withoutOtherModels } from './dear-fields.ts'

test.each<[JsonObject, JsonObject | undefined]>([
  [{ contents: [], generationConfig: { temperature: 1 } }, undefined],
  [
    { generationConfig: { temperature: 1, routingConfig: { manualMode: { modelName: 'dear' } } } },
    { generationConfig: { temperature: 1 } },
  ],
  [{ generation_config: { routing_config: { auto_mode: {} }, model_config: {} } }, { generation_config: {} }],
  [{ model: 'a', fallbacks: ['b'] }, { fallbacks: undefined }],
])('no other model is turned to: %j', (body, edits) => {
  expect(withoutOtherModels(body)).toEqual(edits)
})
