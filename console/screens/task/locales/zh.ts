export default {
  actionLyrics: '生成歌词',
  actionMusic: '生成音乐',
  finished: '结束时间',
  noMatches: '没有匹配的任务',
  none: '今天还没有任务',
  noneLead: '通过 /suno 等接口提交的异步任务及其进度与结果会显示在这里。',
  platform: '平台',
  statusQueued: '排队中',
  statusSubmitting: '正在提交',
}
