import { defineProvider } from '../define.ts'
import { bearer } from '../kit/keys/credentials.ts'
import { difyForm, workflowForm } from './form.ts'
import { isApp } from './read-app.ts'
import { readFailure } from './read-problem.ts'

/** Each key belongs to one app. Agents answer in streams only, so that is what all are asked for. */
export const dify = defineProvider({
  type: 37,
  id: 'dify',
  name: 'Dify',
  baseUrl: 'https://api.dify.ai',
  models: [],
  credential: bearer(),
  chat: [
    { dialect: difyForm, path: () => '/v1/chat-messages', serves: isApp('chat'), streamsOnly: true },
    {
      dialect: difyForm,
      path: () => '/v1/completion-messages',
      serves: isApp('completion'),
      streamsOnly: true,
    },
    { dialect: workflowForm, path: () => '/v1/workflows/run', serves: isApp('workflow'), streamsOnly: true },
  ],
  readFailure,
  modelList: 'none',
})
