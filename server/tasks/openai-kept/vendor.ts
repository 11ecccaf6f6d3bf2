import type { TaskVendor } from '../define.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { addFile, deleteFile, listFiles, retrieveFile, serveContent } from './containers/container-files.ts'
import { createContainer } from './containers/create-container.ts'
import { deleteContainer, listContainers, retrieveContainer } from './containers/serve-containers.ts'
import { addItems } from './conversations/add-items.ts'
import { createConversation } from './conversations/create-conversation.ts'
import {
  deleteConversation,
  deleteItem,
  listItems,
  retrieveConversation,
  retrieveItem,
  updateConversation,
} from './conversations/serve-conversations.ts'

const one = (kind: string, rest: string): RegExp => new RegExp(`^/v1/${kind}/(?<id>[\\w-]{1,128})${rest}$`)
const conversation = (rest = ''): RegExp => one('conversations', rest)
const item = conversation('/items/(?<item>[\\w-]{1,200})')
const container = (rest = ''): RegExp => one('containers', rest)
const file = (rest = ''): RegExp => container(`/files/(?<file>[\\w-]{1,200})${rest}`)

/** What OpenAI's accounts keep for their callers besides files, in OpenAI's form. */
export const openaiKept: TaskVendor = {
  platform: 'openai-kept',
  routes: [
    { method: 'POST', path: /^\/v1\/conversations$/, serve: createConversation },
    { method: 'GET', path: conversation(), serve: retrieveConversation, looks: true },
    { method: 'POST', path: conversation(), serve: updateConversation, looks: true },
    { method: 'DELETE', path: conversation(), serve: deleteConversation, looks: true },
    { method: 'POST', path: conversation('/items'), serve: addItems },
    { method: 'GET', path: conversation('/items'), serve: listItems, looks: true },
    { method: 'GET', path: item, serve: retrieveItem, looks: true },
    { method: 'DELETE', path: item, serve: deleteItem, looks: true },
    { method: 'POST', path: /^\/v1\/containers$/, serve: createContainer },
    { method: 'GET', path: /^\/v1\/containers$/, serve: listContainers, looks: true },
    { method: 'GET', path: container(), serve: retrieveContainer, looks: true },
    { method: 'DELETE', path: container(), serve: deleteContainer, looks: true },
    { method: 'POST', path: container('/files'), serve: addFile, looks: true },
    { method: 'GET', path: container('/files'), serve: listFiles, looks: true },
    { method: 'GET', path: file(), serve: retrieveFile, looks: true },
    { method: 'DELETE', path: file(), serve: deleteFile, looks: true },
    { method: 'GET', path: file('/content'), serve: serveContent, looks: true },
  ],
  refuse: refuseAsOpenai,
}
