import { refuseAsAnthropic } from '../anthropic-batches/refuse.ts'
import type { TaskVendor } from '../define.ts'
import { PLATFORM } from './account.ts'
import { deleteFile, downloadFile, listFiles, retrieveFile } from './serve-files.ts'
import { uploadFile } from './upload-file.ts'

/** Before addresses that clients of OpenAI have too: without it, they come first. */
export const OWN_PATH = '/anthropic'
const all = /^(?:\/anthropic)?\/v1\/files$/
const one = (rest = ''): RegExp => new RegExp(`^(?:/anthropic)?/v1/files/(?<id>[\\w-]{1,128})${rest}$`)

/** What Anthropic keeps for its callers, in Anthropic's form. */
export const anthropicFiles: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: all, serve: uploadFile },
    { method: 'GET', path: all, serve: listFiles, looks: true, isCounted: true },
    { method: 'GET', path: one(), serve: retrieveFile, looks: true, isCounted: true },
    { method: 'GET', path: one('/content'), serve: downloadFile, looks: true, isCounted: true },
    { method: 'DELETE', path: one(), serve: deleteFile, looks: true, isCounted: true },
  ],
  refuse: refuseAsAnthropic,
}
