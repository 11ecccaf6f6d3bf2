import { admit } from '../../relay/callers/authorise.ts'
import type { TaskCall, TaskVendor } from '../define.ts'
import { PLATFORM } from './account.ts'
import { createBatch } from './batches/create-batch.ts'
import { cancelBatch, deleteBatch, listBatches, retrieveBatch } from './batches/serve-batches.ts'
import { createCache } from './caches/create-cache.ts'
import { updateCache } from './caches/extend-cache.ts'
import { deleteCache, listCaches, retrieveCache } from './caches/serve-caches.ts'
import { goOnUpload } from './go-on-upload.ts'
import { refuseAsGemini } from './refuse-as-gemini.ts'
import { deleteFile, downloadFile, listFiles, retrieveFile } from './serve-files.ts'
import { startUpload } from './start-upload.ts'

const caches = /^\/v1(?:beta)?\/cachedContents$/
const cache = /^\/v1(?:beta)?\/cachedContents\/(?<id>[\w-]{1,64})$/
const newBatch = /^\/v1(?:beta)?\/models\/(?<model>[^/]{1,300})(?::|%3[Aa])batchGenerateContent$/
const batch = (verb = ''): RegExp => new RegExp(`^/v1beta/batches/(?<id>[\\w-]{1,64})${verb}$`)
const file = /^\/v1beta\/files\/(?<name>[a-z0-9-]{1,40})$/
const download = /^(?:\/download)?\/v1beta\/files\/(?<name>[a-z0-9-]{1,40})(?::|%3[Aa])download$/

/** What Gemini keeps for its callers, in Google's form. */
export const gemini: TaskVendor = {
  platform: PLATFORM,
  routes: [
    { method: 'POST', path: /^\/upload\/v1(?:beta)?\/files$/, serveAnyone: upload },
    { method: 'GET', path: /^\/v1beta\/files$/, serve: listFiles, looks: true, isCounted: true },
    { method: 'GET', path: file, serve: retrieveFile, looks: true, isCounted: true },
    { method: 'GET', path: download, serve: downloadFile, looks: true, isCounted: true },
    { method: 'DELETE', path: file, serve: deleteFile, looks: true, isCounted: true },
    { method: 'POST', path: caches, serve: createCache },
    { method: 'GET', path: caches, serve: listCaches, looks: true },
    { method: 'GET', path: cache, serve: retrieveCache, looks: true },
    { method: 'PATCH', path: cache, serve: updateCache },
    { method: 'DELETE', path: cache, serve: deleteCache, looks: true },
    { method: 'POST', path: newBatch, serve: createBatch },
    { method: 'GET', path: /^\/v1beta\/batches$/, serve: listBatches, looks: true },
    { method: 'GET', path: batch(), serve: retrieveBatch, looks: true, isCounted: true },
    { method: 'POST', path: batch('(?::|%3[Aa])cancel'), serve: cancelBatch, looks: true },
    { method: 'DELETE', path: batch(), serve: deleteBatch, looks: true },
  ],
  refuse: refuseAsGemini,
}

/** Whoever goes on with an upload proves that by its address, whoever begins one by a key. */
async function upload(call: TaskCall): Promise<Response> {
  const { parts, incoming } = call
  const uploadId = new URL(incoming.request.url).searchParams.get('upload_id')
  if (uploadId !== null) return goOnUpload(call, uploadId)
  const admitted = await admit(parts, incoming.request, () => incoming.address)
  if (incoming.trace) incoming.trace.admitted = admitted
  return startUpload({ ...call, admitted })
}
