import type { ModelCall } from './model-calls.ts'

const on =
  (dialect: ModelCall['dialect'], folder: string) =>
  (path: string, zh: string, en: string, more: Partial<ModelCall> = {}): ModelCall => ({
    ...{ method: 'POST', path: `/${folder}/${path}`, dialect, summary: { zh, en }, body: 'json', ...more },
  })
const draw = on('Midjourney Proxy', 'mj')
const sing = on('Suno', 'suno')
const get: Partial<ModelCall> = { method: 'GET', body: undefined }

/** Also under `/{mode}/mj/…`, where the mode is one such as `mj-fast`, `mj-turbo` or `mj-relax`. */
export const drawingCalls: readonly ModelCall[] = [
  draw(
    'submit/imagine',
    '绘图；这些地址也可写作 /mj-fast/mj/… 等',
    'Draw; as /mj-fast/mj/… and the like too, as are the following',
  ),
  draw('submit/change', '放大、变换或重绘', 'Upscale, vary or reroll a drawing'),
  draw('submit/simple-change', '放大、变换或重绘（简写）', 'The same in short: “id U2”'),
  draw('submit/action', '执行绘图下方的按钮', 'Press a button of a drawing'),
  draw('submit/modal', '提交弹窗内容', 'Answer the window that a button opened'),
  draw('submit/describe', '图生文', 'Describe a picture'),
  draw('submit/blend', '混合图片', 'Blend pictures'),
  draw('submit/shorten', '缩短提示词', 'Shorten a prompt'),
  draw('submit/edits', '编辑图片', 'Edit a picture'),
  draw('submit/video', '图生视频', 'Make a drawing move'),
  draw('submit/upload-discord-images', '上传图片', 'Upload pictures'),
  draw('insight-face/swap', '换脸', 'Swap faces'),
  draw('task/{id}/fetch', '绘图进度', 'How a drawing is coming on', get),
  draw('task/{id}/image-seed', '图片的 seed', 'The seed of a picture', get),
  draw('task/list-by-condition', '多个绘图的进度', 'How several drawings are coming on'),
  draw('image/{id}', '图片（无需令牌）', 'The picture, for anyone who has its address', {
    ...get,
    open: true,
    answers: 'image/*',
  }),
  draw('notify', '上游回调', 'Where an upstream tells of changes', { open: true }),
]

export const musicCalls: readonly ModelCall[] = [
  sing('submit/music', '生成歌曲', 'Make a song'),
  sing('submit/lyrics', '生成歌词', 'Write lyrics'),
  sing('fetch', '多个任务的进度', 'How several tasks are coming on'),
  sing('fetch/{id}', '任务进度', 'How a task is coming on', get),
]
