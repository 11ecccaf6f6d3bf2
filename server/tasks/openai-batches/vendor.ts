import type { TaskVendor } from '../define.ts'
import { refuseAsOpenai } from '../refuse-as-openai.ts'
import { PLATFORM } from './account.ts'
import { createBatch } from './create-batch.ts'
import { cancelBatch, listBatches, retrieveBatch } from './serve-batches.ts'
import { deleteFile, listFiles, retrieveFile, serveFileContent } from './serve-files.ts'
import { uploadFile } from './upload-file.ts'

const one = (kind: string, rest = ''): RegExp => new RegExp(`^/v1/${kind}/(?<id>[\\w-]{1,64})${rest}$`)

/** Files and batches, in OpenAI's form. What a batch costs is known when it ends: it has a poll of its own. */
export const openaiBatches: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: /^\/v1\/files$/, serve: uploadFile },
    { method: 'GET', path: /^\/v1\/files$/, serve: listFiles, looks: true },
    { method: 'GET', path: one('files'), serve: retrieveFile, looks: true },
    { method: 'DELETE', path: one('files'), serve: deleteFile, looks: true },
    { method: 'GET', path: one('files', '/content'), serve: serveFileContent, looks: true },
    { method: 'POST', path: /^\/v1\/batches$/, serve: createBatch },
    { method: 'GET', path: /^\/v1\/batches$/, serve: listBatches, looks: true },
    { method: 'GET', path: one('batches'), serve: retrieveBatch, looks: true },
    { method: 'POST', path: one('batches', '/cancel'), serve: cancelBatch, looks: true },
  ],
  refuse: refuseAsOpenai,
}
