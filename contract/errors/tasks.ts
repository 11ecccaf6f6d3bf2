import { type ErrorTexts, e } from './define.ts'

/** Drawing, music and video. The short words are what clients of this family look for, in any language. */
export const taskErrors = {
  'task.not-found': e(404, 'task_not_found', 'task_not_found'),
  'task.not-done': e(400, 'task_status_not_success', 'task_status_not_success'),
  'task.field': e(400, '{detail}', '{detail}'),
  'task.drawings-off': e(403, '管理员关闭了绘图功能', 'The administrator has switched drawing off'),
  'task.tasks-off': e(403, '管理员关闭了异步任务功能', 'The administrator has switched async tasks off'),
  'task.notify-denied': e(403, '回调地址无效', 'This callback address is not valid'),
  'task.picture': e(502, '图片暂时无法获取', 'The picture cannot be fetched at the moment'),
  'task.timed-out': e(200, '任务超时（超过 {minutes} 分钟）', 'The task took longer than {minutes} minutes'),
  'task.forgotten': e(
    200,
    '上游已超过 {minutes} 分钟查不到该任务',
    'The upstream has not known the task for {minutes} minutes',
  ),
  'task.interrupted': e(503, '提交中断，请重试', 'The submission was interrupted, try again'),
  'task.channel-gone': e(200, '渠道已被删除', 'The channel was removed'),
  'video.not-found': e(404, '视频不存在：{id}', 'No video found with id {id}'),
  'video.not-ended': e(400, '视频尚未结束', 'The video has not ended yet'),
  'video.not-ready': e(404, '视频尚未生成完成', 'The video is not ready yet'),
  'video.gone': e(404, '视频已过期，供应商不再保存', 'The vendor no longer keeps the video'),
  'video.unreachable': e(502, '视频暂时无法获取', 'The video cannot be fetched at the moment'),
  'file.not-found': e(404, '文件不存在：{id}', 'No such File object: {id}'),
  'file.purpose': e(400, '仅支持 purpose 为 batch 的文件', 'Only files with the purpose batch are taken'),
  'file.line': e(400, '第 {line} 行：{detail}', 'Line {line}: {detail}'),
  'file.too-many': e(400, '文件已达 {limit} 个，请先删除一些', 'You have {limit} files: delete some first'),
  'batch.not-found': e(404, '批处理不存在：{id}', "No batch found with id '{id}'."),
  'batch.ended': e(400, '批处理已结束，无法取消', 'The batch has ended and cannot be cancelled'),
  'batch.endpoint': e(400, '文件中的请求是给 {url} 的', 'The requests in the file are for {url}'),
  'batch.too-many': e(
    429,
    '进行中的批处理已达 {limit} 个，请等待其结束',
    '{limit} batches of yours are under way: wait for one of them to end',
  ),
} as const satisfies ErrorTexts
