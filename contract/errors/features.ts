import type { ErrorTexts } from './define.ts'

/** What an upstream cannot be asked for. What has a name in the request goes by that, in any language. */
export const featureErrors = {
  'feature.named': f(' {name}', '{name}'),
  'feature.value': f(' {name} {value}', '{name} {value}'),

  // Kinds of content
  'feature.image': f('图片', 'image'),
  'feature.audio': f('音频', 'audio'),
  'feature.file': f('文件', 'file'),
  'feature.audio-input': f('音频输入', 'audio input'),
  'feature.video-input': f('视频输入', 'video input'),
  'feature.image-output': f('图片输出', 'image output'),
  'feature.audio-output': f('音频输出', 'audio output'),
  'feature.video-output': f('视频输出', 'video output'),
  'feature.image-by-id': f('以文件 ID 给出的图片', 'images by file id'),
  'feature.audio-by-address': f('以地址给出的音频', 'audio by address'),
  'feature.file-by-address': f('以地址给出的文件', 'files by address'),
  'feature.file-by-id': f('以 ID 给出的文件', 'files by id'),
  'feature.file-type': f(' {type} 类型的文件', 'files of type {type}'),
  'feature.media-in-system': f('系统消息中的图片、音频或文件', 'media in system messages'),
  'feature.audio-in-result': f('函数输出中的音频', 'audio in function outputs'),

  // How it is to be answered
  'feature.prefill': f('由助手消息开头的回答', 'assistant prefill'),
  'feature.interactions': f(
    ' Interactions API，请使用 Google Gemini 的模型',
    'the Interactions API: take a model of Google Gemini',
  ),
  'feature.background': f('后台响应（background: true）', 'background responses (background: true)'),
  'feature.custom-tools': f('自定义工具', 'custom tools'),
  'feature.several-answers': f(' n > 1', 'n > 1'),
  'feature.with-stops': f(' {name} 与这些停止词同时使用', '{name} with these stop strings'),
  'feature.most-stops': f(
    '超过 {most} 个或共超过 {length} 个字符的停止词',
    'more than {most} stop strings, or of more than {length} characters together',
  ),
  'feature.item-reference': f(
    ' item_reference（请发送该项本身，SDK 在 store: false 时即如此）',
    'item_reference (send the item itself; SDKs do with store: false)',
  ),
  'feature.speech-format': f(
    ' response_format {format}（请使用 wav 或 pcm）',
    'response_format {format} (ask for wav or pcm)',
  ),

  // What belongs to whoever owns the channel: another may have been opened for it
  'feature.account-data': {
    status: 400,
    zh: '{field}：指向上游账户中的数据，调用者无权读取；请直接发送内容，或使用公开的网址',
    en: '{field}: names data in the account of the upstream, which callers may not read. Send the data itself, or an address of the open web',
  },

  // Embeddings and batches
  'feature.token-input': f('以 Token 数组作为输入', 'token arrays as input'),
  'feature.media-embeddings': f('对图片、音频或文件做嵌入', 'media as input of embeddings'),
  'feature.mixed-batch': f('同一批中的不同设置', 'different settings within one batch'),
  'feature.several-inputs': f('一次给出多个输入', 'several inputs at once'),
  'feature.batches': f('对模型 {model} 的批处理', 'batches of {model}'),
  'feature.batch-models': f('同一批中的模型 {models}', '{models} in one batch'),

  // What is wrong with a channel: others may do
  'feature.region': f('该渠道所填的区域', 'the region of the channel'),
  'feature.account-id': f('该渠道所填的账户 ID', 'the account id of the channel'),
  'feature.no-library': f('未填写知识库 ID 的渠道', 'a channel without the id of its library'),
  'feature.palm': f(' PaLM2，Google 已将其停用', 'PaLM2, which Google has switched off'),
} as const satisfies ErrorTexts

/** One thing that an upstream cannot do. In Chinese a blank stands before what is written in Latin letters. */
function f<const Zh extends string, const En extends string>(zh: Zh, en: En) {
  return {
    status: 400,
    zh: `该渠道的上游不支持${zh}`,
    en: `The upstream of this model does not support ${en}`,
  } as const
}
