export default {
  saved: '用户信息更新成功！',
  notice: '额度提醒',
  noticeBelow: '提醒阈值',
  noticeBelowHint: '低于此额度时提醒；0 为默认',
  noticeWay: '提醒方式',
  noticeUrl: '地址',
  noticeSecret: '签名密钥（可选）',
  noticeSave: '更新提醒',
}
