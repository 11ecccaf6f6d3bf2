import type { TaskVendor } from '../define.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { PLATFORM } from './account.ts'
import { deleteFile, listFiles, retrieveFile, serveContent } from './serve-files.ts'
import { uploadFile } from './upload-file.ts'

const all = /^\/v1\/files$/
const one = (rest = ''): RegExp => new RegExp(`^/v1/files/(?<id>[\\w-]{1,128})${rest}$`)

/** Files of callers in OpenAI's form: those that batches are made of and have made, and those that calls name. */
export const openaiFiles: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: all, serve: uploadFile },
    { method: 'GET', path: all, serve: listFiles, looks: true, isCounted: true },
    { method: 'GET', path: one(), serve: retrieveFile, looks: true, isCounted: true },
    { method: 'DELETE', path: one(), serve: deleteFile, looks: true, isCounted: true },
    { method: 'GET', path: one('/content'), serve: serveContent, looks: true, isCounted: true },
  ],
  refuse: refuseAsOpenai,
}
