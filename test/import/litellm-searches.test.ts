import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootClient } from '../client.ts'
import { freshDataDir, ROOT_PASSWORD, withProgram } from '../program.ts'
import { startExa } from '../upstreams/exa/start.ts'
import { startMistral } from '../upstreams/index.ts'
import { startTavily } from '../upstreams/tavily/start.ts'
import { run } from './older-house.ts'

test('what searches and what reads documents comes from LiteLLM’s configuration, at its price', async () => {
  const [tavily, exa, mistral] = await Promise.all([startTavily(), startExa(), startMistral()])
  const file = join(freshDataDir(), 'config.yaml')
  writeFileSync(
    file,
    `model_list:
  - model_name: scans
    litellm_params:
      model: mistral/mistral-ocr-2512
      api_base: ${mistral.url}/v1
      api_key: ${mistral.key}
      ocr_cost_per_page: 0.003
  - model_name: usual-scans
    litellm_params: { model: mistral/mistral-ocr-2512, api_base: "${mistral.url}/v1", api_key: ${mistral.key} }
  - model_name: by-the-token
    litellm_params:
      model: mistral/mistral-small-latest
      api_base: ${mistral.url}/v1
      api_key: ${mistral.key}
      input_cost_per_token: 0.000002
      input_cost_per_query: 0
  - model_name: only-answers-cost
    litellm_params:
      model: mistral/nobody-knows-it
      api_base: ${mistral.url}/v1
      api_key: ${mistral.key}
      input_cost_per_token: 0
      output_cost_per_token: 0.00001
search_tools:
  - search_tool_name: our-search
    litellm_params: { search_provider: tavily, api_key: ${tavily.key}, api_base: "${tavily.url}" }
  - search_tool_name: exa-search
    litellm_params: { search_provider: exa_ai, api_key: os.environ/THEIR_EXA_KEY, api_base: "${exa.url}" }
  - search_tool_name: another
    litellm_params: { search_provider: brave, api_key: some-key }
`,
  )
  const environment = { DATA_DIR: freshDataDir(), ROOT_PASSWORD, THEIR_EXA_KEY: exa.key }
  const { code, out } = await run(environment, 'import', file)
  expect([code, out]).toEqual([0, expect.stringContaining(' 3 channels\n')])
  expect(out).toContain('model another: left out: nothing here speaks to brave')
  expect(out).not.toContain('without search_provider')
  await withProgram(environment, async ({ url }) => {
    const root = await rootClient(url)
    await root.put('/api/user/', { id: 1, quota: 50_000_000 })
    await root.post('/api/token/', { name: 'mine', unlimited_quota: true, expired_time: -1 })
    const { key } = (await root.get('/api/token/?p=0&size=10')).json.data[0]
    const charged = async (path: string, body: object): Promise<number> => {
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect([path, response.status]).toEqual([path, 200])
      await response.bytes()
      return (await root.get('/api/log/self?p=1&page_size=1')).json.data.items[0].quota
    }
    const document = { type: 'document_url', document_url: 'https://a.example/5-pages.pdf' }
    expect(await charged('/v1/search/our-search', { query: 'foxes' })).toBe(4000)
    expect(await charged('/v1/search', { search_tool_name: 'exa-search', query: 'foxes' })).toBe(3500)
    expect(await charged('/v1/ocr', { model: 'scans', document })).toBe(5 * 1500)
    expect(await charged('/v1/ocr', { model: 'usual-scans', document })).toBe(5 * 1000)
    // A price for each of its questions that is none does not make free what has one by the token.
    const { model_price, model_ratio } = (await root.get('/api/ratio_config')).json.data
    expect([model_price['by-the-token'], model_ratio['by-the-token']]).toEqual([undefined, 1])
    // Nor is what costs by its answers alone: it is refused until it has a price.
    expect([model_price['only-answers-cost'], model_ratio['only-answers-cost']]).toEqual([
      undefined,
      undefined,
    ])
  })
  for (const fake of [tavily, exa, mistral]) {
    expect(fake.complaints).toEqual([])
    await fake.stop()
  }
})
