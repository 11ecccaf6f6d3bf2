import { defineProvider } from '../define.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { openaiChat } from '../kit/families/openai-family.ts'
import { bearer } from '../kit/keys/credentials.ts'

export const submodel = defineProvider({
  type: 53,
  id: 'submodel',
  name: 'Submodel',
  baseUrl: 'https://llm.submodel.ai',
  models: [
    'openai/gpt-oss-120b',
    'Qwen/Qwen3-235B-A22B-Instruct-2507',
    'Qwen/Qwen3-235B-A22B-Thinking-2507',
    'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8',
    'zai-org/GLM-4.5-FP8',
    'deepseek-ai/DeepSeek-V3.1',
  ],
  credential: bearer(),
  chat: [openaiChat({ asksForUsage: true })],
  readFailure,
})
