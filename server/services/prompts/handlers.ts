import type { promptEndpoints } from '../../../contract/prompts.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { numberedPage } from '../paging.ts'
import { readId } from '../row-id.ts'
import { movePromptLabel, removePromptLabel } from './move-labels.ts'
import {
  describePrompt,
  listPrompts,
  listReleases,
  readVersion,
  viewPrompt,
  viewVersion,
} from './own-prompts.ts'
import { addVersion, createPrompt, deletePrompt, deleteVersion, updatePrompt } from './prompt-changes.ts'

export function promptHandlers(app: App): Handlers<keyof typeof promptEndpoints> {
  return {
    listPrompts: ({ query, caller }) => listPrompts(app, caller, numberedPage(query), query.keyword),
    getPrompt: ({ params, caller }) => describePrompt(app, caller, readId(params)),
    getPromptVersion: ({ params, caller }) => viewVersion(app, caller, readId(params), readVersion(params)),
    async createPrompt(call) {
      return viewPrompt(app, call.caller, await createPrompt(app, call))
    },
    async addPromptVersion(call) {
      return viewVersion(app, call.caller, readId(call.params), await addVersion(app, call))
    },
    async updatePrompt(call) {
      await updatePrompt(app, call)
      return viewPrompt(app, call.caller, readId(call.params))
    },
    listPromptReleases: ({ params, query, caller }) =>
      listReleases(app, caller, readId(params), numberedPage(query)),
    async movePromptLabel(call) {
      await movePromptLabel(app, call)
      return viewPrompt(app, call.caller, readId(call.params))
    },
    async removePromptLabel(call) {
      await removePromptLabel(app, call)
      return viewPrompt(app, call.caller, readId(call.params))
    },
    deletePrompt: call => deletePrompt(app, call),
    deletePromptVersion: call => deleteVersion(app, call),
  }
}
