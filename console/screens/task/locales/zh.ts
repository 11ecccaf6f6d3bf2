export default {
  actionBatch: '批处理',
  actionLyrics: '生成歌词',
  actionMusic: '生成音乐',
  actionVideo: '生成视频',
  finished: '结束时间',
  noMatches: '没有匹配的任务',
  none: '今天还没有任务',
  noneLead: '音乐、视频与批处理的进度会显示在这里。',
  platform: '平台',
  statusQueued: '排队中',
  statusSubmitting: '正在提交',
}
