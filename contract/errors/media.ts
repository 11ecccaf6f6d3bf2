import { type ErrorTexts, e } from './define.ts'

/** Why a file that a request names by its address is not taken. */
export const mediaErrors = {
  'media.status': e(400, '该地址返回了状态码 {status}', 'The address answered with status {status}'),
  'media.kind': e(400, '它不是图片、PDF、音频或文本', 'It is not an image, a PDF, audio or text'),
  'media.not-image': e(400, '它不是图片', 'It is not an image'),
  'media.not-audio': e(400, '它不是音频', 'It is not audio'),
  'media.https': e(400, '只获取 https 地址', 'Only https addresses are fetched'),
  'media.many': e(400, '最多 {most} 个文件', 'At most {most} files'),
  'media.together': e(
    400,
    '所有文件合计不能超过 {most} MB',
    'The files are too large together: at most {most} MB',
  ),
} as const satisfies ErrorTexts
